//! `tdesk events`.

use std::slice::from_ref;

use ring::digest::{SHA256, digest};

use crate::receiving::{Folder, Running, envelope, hex, identity, run, status, stderr, tdesk};

#[tokio::test]
async fn each_item_is_printed_once_despite_redelivery() {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    let [sent_a, read_a] = ["sent", "read"].map(|word| status("wamid.a", word));
    let [sent_b, failed_b] = ["sent", "failed"].map(|word| status("wamid.b", word));
    let deliveries = [
        envelope(from_ref(&read_a)),
        envelope(from_ref(&read_a)),
        envelope(&[sent_b.clone(), sent_a.clone()]),
        envelope(&[sent_a.clone(), sent_b.clone(), read_a.clone()]),
        // The same event from a process that formats JSON differently.
        envelope(&[sent_a.replace("\":\"", "\": \"")]),
        envelope(&[failed_b.clone(), sent_b.clone(), failed_b.clone()]),
    ];
    for delivery in &deliveries {
        assert_eq!(receiver.deliver(delivery.as_str()).await, 200);
    }
    let items = folder.events(&[]).await;
    let found: Vec<_> = items.iter().map(|item| (item["seq"].as_i64().unwrap(), identity(item))).collect();
    let expected = [(1, "wamid.a", "read"), (3, "wamid.b", "sent"), (3, "wamid.a", "sent"), (6, "wamid.b", "failed")];
    assert_eq!(found, expected.map(|(seq, id, word)| (seq, (id.to_owned(), word.to_owned()))));
    for item in &items {
        let keys: Vec<_> = item.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["seq", "received_at", "kind", "field", "entry_id", "value", "raw_digest"]);
        assert_eq!((&item["kind"], &item["field"]), (&"status".into(), &"messages".into()));
        assert_eq!(item["entry_id"], "102290129340398");
        assert_eq!(item["value"]["metadata"]["phone_number_id"], "106540352242922");
        let body = &deliveries[usize::try_from(item["seq"].as_i64().unwrap() - 1).unwrap()];
        assert_eq!(item["raw_digest"], hex(digest(&SHA256, body.as_bytes()).as_ref()));
        let received_at = item["received_at"].as_str().unwrap();
        assert!(received_at.ends_with('Z'), "{received_at}");
        let age = chrono::Utc::now() - chrono::DateTime::parse_from_rfc3339(received_at).unwrap().to_utc();
        assert!((0..3600).contains(&age.num_seconds()), "{received_at}");
    }
    receiver.stop().await;
    // A restart does not change the output.
    let receiver = folder.receive(&[]).await;
    assert_eq!(receiver.deliver(deliveries[3].as_str()).await, 200);
    assert_eq!(folder.events(&[]).await, items);
    receiver.stop().await;
}

#[tokio::test]
async fn numbers_and_unknown_keys_are_printed_unchanged() {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    let value = r#"{"message_template_id":12345678901234567890123,"z":1.0,"a":1e400,"event":"MELTED","new":{"deep":[-0,0.10,"caf\u00e9 \/"]},"message_template_name":"n"}"#;
    let future = r#"{"anything":[18446744073709551616]}"#;
    let body = format!(
        r#"{{"object":"o","entry":[{{"id":"7","time":1,"changes":[{{"field":"message_template_status_update","value":{value}}},{{"field":"from_the_future","value":{future}}}]}}]}}"#
    );
    assert_eq!(receiver.deliver(body).await, 200);
    let lines = folder.event_lines(&[]).await;
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].contains(&format!(
            r#""kind":"template_status","field":"message_template_status_update","entry_id":"7","value":{value},"#
        )),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].contains(&format!(r#""field":"from_the_future","entry_id":"7","value":{future},"#)),
        "{}",
        lines[1]
    );
    receiver.stop().await;
}

/// Signed bodies that are not envelopes are stored, and each is printed as one line.
#[tokio::test]
async fn every_signed_body_can_be_read_back() {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    let bodies = ["not json", "", "[]", "{}", "{\n  \"object\" : \"o\u{2028}\",\r\n  \"entry\": 5\n}", "\"\u{85}\""];
    for body in bodies {
        assert_eq!(receiver.deliver(body).await, 200, "{body:?}");
    }
    let items = folder.events(&[]).await;
    assert_eq!(items.len(), bodies.len());
    for (item, body) in items.iter().zip(bodies) {
        assert_eq!(item["kind"], "unknown", "{body:?}");
        let as_sent: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        assert_eq!(item["value"], as_sent, "{body:?}");
        assert_eq!(item["raw_digest"], hex(digest(&SHA256, body.as_bytes()).as_ref()));
    }
    receiver.stop().await;
}

#[tokio::test]
async fn filters() {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    assert_eq!(receiver.deliver(envelope(&[status("a", "sent")])).await, 200);
    assert_eq!(receiver.deliver("{}").await, 200);
    assert_eq!(receiver.deliver(envelope(&[status("a", "sent"), status("b", "sent")])).await, 200);
    receiver.stop().await;
    let seqs = async |more: &[&str]| {
        folder.events(more).await.iter().map(|item| item["seq"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(seqs(&[]).await, [1, 2, 3]);
    // An item that first arrived in delivery 1 is not new in delivery 3.
    assert_eq!(seqs(&["--after", "1"]).await, [2, 3]);
    assert_eq!(seqs(&["--after", "3"]).await, [0_i64; 0]);
    assert_eq!(seqs(&["--kind", "status"]).await, [1, 3]);
    assert_eq!(seqs(&["--kind", "unknown"]).await, [2]);
    assert_eq!(seqs(&["--kind", "status", "--after", "1"]).await, [3]);

    let delivery_log = folder.delivery_log();
    let output = run(&["events", "--database", delivery_log.to_str().unwrap(), "--kind", "statuses"]).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("template_status"), "{}", stderr(&output));
}

#[tokio::test]
async fn following_prints_new_events() {
    let folder = Folder::new();
    // Started before the delivery log exists.
    let mut following = folder.follow(&[]);
    let receiver = folder.receive(&[]).await;
    // Each round takes an interval of its polls.
    for number in 0..4 {
        let id = format!("wamid.{number}");
        assert_eq!(receiver.deliver(envelope(&[status(&id, "sent")])).await, 200);
        assert_eq!(receiver.deliver(envelope(&[status(&id, "sent")])).await, 200);
        assert_eq!(identity(&following.json_line().await), (id, "sent".to_owned()));
    }
    // It keeps running without the receiver, and prints the deliveries of the next one.
    receiver.stop().await;
    let receiver = folder.receive(&[]).await;
    assert_eq!(receiver.deliver(envelope(&[status("later", "sent")])).await, 200);
    assert_eq!(identity(&following.json_line().await).0, "later");
    let (code, rest, _) = following.stop().await;
    assert_eq!((code, rest.as_str()), (Some(0), ""));
    receiver.stop().await;
}

/// More than a pipe can buffer, to a reader that stops reading.
#[tokio::test]
async fn a_closed_pipe_exits_without_an_error() {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    for round in 0..4 {
        let statuses: Vec<_> = (0..500).map(|number| status(&format!("wamid.{round}.{number}"), "sent")).collect();
        assert_eq!(receiver.deliver(envelope(&statuses)).await, 200);
    }
    let delivery_log = folder.delivery_log();
    let delivery_log = delivery_log.to_str().unwrap();
    for arguments in
        [&["events", "--database", delivery_log][..], &["events", "--follow", "--database", delivery_log][..]]
    {
        let mut child = tdesk(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let output = tokio::time::timeout(crate::receiving::TIMEOUT, child.wait_with_output()).await.unwrap().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{arguments:?}");
    }
    // A reader that keeps the pipe open without reading can't prevent the exit.
    let mut following = folder.follow(&[]);
    assert!(!following.line().await.is_empty());
    following.signal("TERM").await;
    let (code, ..) = following.end().await;
    assert_eq!(code, Some(0));
    receiver.stop().await;
}

#[tokio::test]
async fn a_file_that_is_no_delivery_log_exits_with_3() {
    let folder = Folder::new();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "notes ".repeat(500)).unwrap();
    for path in [folder.delivery_log(), text, folder.path().to_owned()] {
        let path = path.to_str().unwrap();
        let output = run(&["events", "--database", path]).await;
        assert_eq!(output.status.code(), Some(3), "{path}");
        assert!(stderr(&output).contains(path), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    assert!(!folder.delivery_log().exists());
    let output = run(&["events"]).await;
    assert_eq!(output.status.code(), Some(2));
    for source in ["--database", "--feed"] {
        assert!(stderr(&output).contains(source), "{}", stderr(&output));
    }
    // Following a file that is not a delivery log fails instead of waiting indefinitely.
    let notes = folder.path().join("notes.txt");
    let following = Running::spawn(tdesk(&["events", "--follow", "--database", notes.to_str().unwrap()]));
    assert_eq!(following.end().await.0, Some(3));
}
