//! `tdesk receive --feed-listen` and `tdesk desk`: what desks can read, byte for byte.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::receiving::{Folder, Receiver, Running, SECRET, envelope, run, status, stderr, tdesk};

/// Starts a receiver with a feed into the delivery log of a folder.
async fn receive(folder: &Folder) -> Receiver {
    folder.receive(&["--feed-listen", "127.0.0.1:0", "--node", "eu-1"]).await
}

/// Makes a token with `tdesk desk add`.
async fn add_desk(folder: &Folder, name: &str, more: &[&str]) -> String {
    let delivery_log = folder.delivery_log();
    let mut arguments = vec!["desk", "add", name, "--database", delivery_log.to_str().unwrap()];
    arguments.extend(more);
    let output = run(&arguments).await;
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The status and the lines of an answer of the feed.
pub(crate) async fn get(receiver: &Receiver, path: &str, token: &str) -> (u16, Vec<Value>) {
    let url = format!("{}{path}", receiver.feed.as_ref().unwrap());
    let answer = receiver.client.get(url).bearer_auth(token).send().await.unwrap();
    let status = answer.status().as_u16();
    let text = answer.text().await.unwrap();
    (status, text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| json!(line))).collect())
}

fn cursor(lines: &[Value]) -> &str {
    lines.last().unwrap()["end"]["cursor"].as_str().unwrap()
}

#[tokio::test]
async fn desks_get_deliveries_byte_for_byte_and_in_pages() {
    let folder = Folder::new();
    let receiver = receive(&folder).await;
    let token = add_desk(&folder, "ana", &[]).await;

    let (status, lines) = get(&receiver, "/v1/cursor", &token).await;
    assert_eq!((status, &lines[0]["desk"], &lines[0]["endpoints"]), (200, &json!("ana"), &json!([])));
    let (status, lines) = get(&receiver, "/v1/deliveries", &token).await;
    assert_eq!((status, lines.len(), &lines[0]["end"]["behind"]), (200, 1, &json!(0)));

    for body in ["{\"a\": 1}", "not JSON \u{1F600}", "{}"] {
        assert_eq!(receiver.deliver(body).await, 200);
    }
    let (status, first) = get(&receiver, "/v1/deliveries?limit=2", &token).await;
    assert_eq!((status, first.len(), &first[2]["end"]["behind"]), (200, 3, &json!(1)));
    let delivery = &first[0]["delivery"];
    assert_eq!(
        [&delivery["node"], &delivery["seq"], &delivery["endpoint"], &delivery["body"]],
        [&json!("eu-1"), &json!(1), &json!("/webhook"), &json!("eyJhIjogMX0=")]
    );
    let header = |name: &str| {
        let mut headers = delivery["headers"].as_array().unwrap().iter();
        headers.find(|pair| pair[0] == name).map(|pair| pair[1].clone())
    };
    let signature = crate::receiving::signature(SECRET, b"{\"a\": 1}");
    assert_eq!(header("x-hub-signature-256"), Some(json!(signature)));
    assert!(delivery["received_at"].as_i64().unwrap() > 1_700_000_000_000);
    assert!(delivery["crc32"].as_u64().is_some());

    let path = format!("/v1/deliveries?limit=2&after={}", cursor(&first));
    let (_, second) = get(&receiver, &path, &token).await;
    assert_eq!((second.len(), &second[0]["delivery"]["body"]), (2, &json!("e30=")));
    // The same position gives the same page again: a page that was cut off is repeated.
    assert_eq!(get(&receiver, &path, &token).await.1, second);

    // A desk that waits gets the next delivery when it is stored.
    let path = format!("/v1/deliveries?wait=60&after={}", cursor(&second));
    let waiting = get(&receiver, &path, &token);
    let delivering = async {
        while !metrics(&receiver).await.contains("tdesk_feed_waiting 1\n") {
            crate::receiving::next_poll().await;
        }
        receiver.deliver("later").await
    };
    let ((status, third), delivered) = tokio::join!(waiting, delivering);
    assert_eq!((status, third.len(), &third[0]["delivery"]["seq"], delivered), (200, 2, &json!(4), 200));
    receiver.stop().await;

    // A new start of the receiver continues the numbers.
    let receiver = receive(&folder).await;
    assert_eq!(receiver.deliver("again").await, 200);
    let (_, fourth) = get(&receiver, &format!("/v1/deliveries?after={}", cursor(&third)), &token).await;
    assert_eq!((fourth.len(), &fourth[0]["delivery"]["seq"]), (2, &json!(5)));
    let (_, all) = get(&receiver, "/v1/deliveries", &token).await;
    assert_eq!(all.len(), 6);
    receiver.stop().await;
}

pub(crate) async fn metrics(receiver: &Receiver) -> String {
    let url = format!("{}/metrics", receiver.feed.as_ref().unwrap());
    receiver.client.get(url).send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn tokens_see_their_endpoints_until_they_are_revoked() {
    let folder = Folder::new();
    let receiver = receive(&folder).await;
    assert_eq!(receiver.deliver("{}").await, 200);
    let ana = add_desk(&folder, "ana", &[]).await;
    let other = add_desk(&folder, "bia", &["--endpoint", "/other"]).await;
    assert_ne!(ana, other);

    assert_eq!(get(&receiver, "/v1/deliveries", &ana).await.1.len(), 2);
    let (status, lines) = get(&receiver, "/v1/deliveries", &other).await;
    assert_eq!((status, lines.len()), (200, 1), "an endpoint of others is not seen");
    assert_eq!(get(&receiver, &format!("/v1/deliveries?after={}", cursor(&lines)), &other).await.1.len(), 1);

    for wrong in ["", "x", &ana[1..], &format!("{ana}x")] {
        let (status, lines) = get(&receiver, "/v1/deliveries", wrong).await;
        assert_eq!((status, &lines[0]["error"]), (401, &json!("the token is missing, unknown or revoked")));
        assert_eq!(get(&receiver, "/v1/cursor", wrong).await.0, 401);
    }
    for (wrong, parameter) in [
        ("after=x", "after"),
        ("after=1.AAAA", "after"),
        ("limit=x", "limit"),
        ("limit=0", "limit"),
        ("limit=5001", "limit"),
        ("wait=-1", "wait"),
        ("wait=61", "wait"),
        ("limit=1&limit=2", "give"),
    ] {
        let (status, lines) = get(&receiver, &format!("/v1/deliveries?{wrong}"), &ana).await;
        let error = lines[0]["error"].as_str().unwrap_or_default();
        assert!(status == 400 && error.starts_with(parameter), "{wrong}: {status} {lines:?}");
    }
    let feed = receiver.feed.as_ref().unwrap();
    let other_scheme =
        receiver.client.get(format!("{feed}/v1/cursor")).header("authorization", format!("bearer {ana}"));
    assert_eq!(other_scheme.send().await.unwrap().status(), 200);
    for (request, status) in [
        (receiver.client.get(format!("{feed}/v1/other")), 404),
        (receiver.client.post(format!("{feed}/v1/deliveries")), 405),
    ] {
        let answer = request.send().await.unwrap();
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()["cache-control"].as_bytes()),
            (status, &&b"no-store"[..])
        );
        assert!(answer.json::<Value>().await.unwrap()["error"].is_string());
    }

    let delivery_log = folder.delivery_log();
    let delivery_log = delivery_log.to_str().unwrap();
    let listed = run(&["desk", "list", "--database", delivery_log]).await;
    let listed = String::from_utf8(listed.stdout).unwrap();
    let names: Vec<Value> =
        listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].clone()).collect();
    assert_eq!(names, ["ana", "bia"]);
    let revoked = run(&["desk", "revoke", "ana", "--database", delivery_log]).await;
    assert_eq!(revoked.status.code(), Some(0));
    assert_eq!(get(&receiver, "/v1/deliveries", &ana).await.0, 401);
    assert_eq!(run(&["desk", "revoke", "ana", "--database", delivery_log]).await.status.code(), Some(1));

    // A token that is made again replaces the former one.
    let again = add_desk(&folder, "bia", &[]).await;
    assert_eq!(get(&receiver, "/v1/deliveries", &other).await.0, 401);
    assert_eq!(get(&receiver, "/v1/deliveries", &again).await.1.len(), 2);

    for path in ["/healthz", "/readyz"] {
        assert_eq!(get(&receiver, path, "").await.0, 200, "{path}");
    }
    let figures = metrics(&receiver).await;
    let none = "tdesk_deliveries_rejected_total{reason=\"storage\"} 0\n";
    for figure in ["tdesk_deliveries_stored_total 1\n", "tdesk_feed_unauthorized_total 10\n", none] {
        assert!(figures.contains(figure), "{figure} is missing:\n{figures}");
    }
    receiver.stop().await;
    // Tokens are on the disk as hashes only.
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let content = std::fs::read(file.unwrap().path()).unwrap();
        for token in [&ana, &other, &again] {
            assert!(!content.windows(token.len()).any(|window| window == token.as_bytes()));
        }
    }
}

/// Memory of the process in MiB.
#[cfg(target_os = "linux")]
fn memory(receiver: &Receiver) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", receiver.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn desks_that_read_nothing_cost_little_and_stop_no_other() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    let folder = Folder::new();
    let receiver = receive(&folder).await;
    let (stalled, other) = (add_desk(&folder, "ana", &[]).await, add_desk(&folder, "bia", &[]).await);
    for _ in 0..6 {
        assert_eq!(receiver.deliver(vec![b' '; 3 << 20]).await, 200);
    }
    let (_, first) = get(&receiver, "/v1/deliveries", &other).await;
    let after = cursor(&first);
    let before = memory(&receiver);
    let address: std::net::SocketAddr = receiver.feed.as_ref().unwrap()["http://".len()..].parse().unwrap();
    let request = format!("GET /v1/deliveries HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {stalled}\r\n\r\n");
    let mut readers = Vec::new();
    for _ in 0..60 {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        let mut reader = socket.connect(address).await.unwrap();
        reader.write_all(request.as_bytes()).await.unwrap();
        readers.push(reader);
    }
    // Each has its answer, or the first of it, or was disconnected for the others.
    for reader in &mut readers {
        let mut byte = [0];
        let _ = reader.read(&mut byte).await;
    }
    let most = memory(&receiver);
    assert!(most < before + 150, "{before} MiB before, {most} MiB with sixty readers");
    let (status, lines) = get(&receiver, &format!("/v1/deliveries?after={after}"), &other).await;
    assert_eq!((status, lines.len()), (200, 2), "another desk gets its page");
    receiver.stop().await;
}

#[tokio::test]
async fn connections_without_a_token_keep_nobody_out() {
    let folder = Folder::new();
    let receiver = receive(&folder).await;
    let token = add_desk(&folder, "ana", &[]).await;
    let address: std::net::SocketAddr = receiver.feed.as_ref().unwrap()["http://".len()..].parse().unwrap();
    let mut idle = Vec::new();
    for _ in 0..1_100 {
        idle.push(tokio::net::TcpStream::connect(address).await.unwrap());
    }
    assert_eq!(get(&receiver, "/v1/cursor", &token).await.0, 200);
    receiver.stop().await;
}

#[tokio::test]
async fn a_revocation_ends_a_request_that_waits() {
    let folder = Folder::new();
    let receiver = receive(&folder).await;
    let token = add_desk(&folder, "ana", &[]).await;
    let waiting = get(&receiver, "/v1/deliveries?wait=60", &token);
    let revoking = async {
        while !metrics(&receiver).await.contains("tdesk_feed_waiting 1\n") {
            crate::receiving::next_poll().await;
        }
        let delivery_log = folder.delivery_log();
        run(&["desk", "revoke", "ana", "--database", delivery_log.to_str().unwrap()]).await;
        assert_eq!(receiver.deliver("{}").await, 200);
    };
    let ((status, lines), ()) = tokio::join!(waiting, revoking);
    assert_eq!((status, lines.len()), (401, 1), "nothing is sent for a revoked token");
    receiver.stop().await;
}

#[tokio::test]
async fn events_of_a_feed_are_printed_once_with_their_receiver() {
    let folder = Folder::new();
    let receiver = receive(&folder).await;
    let token = add_desk(&folder, "ana", &[]).await;
    for status_name in ["sent", "sent", "read"] {
        assert_eq!(receiver.deliver(envelope(&[status("m1", status_name)])).await, 200);
    }
    let feed = receiver.feed.clone().unwrap();
    let events = |more: &[&str]| {
        let arguments = [&["events", "--feed", &feed, "--token-env", "FEED_TOKEN"], more].concat();
        let mut command = tdesk(&arguments);
        command.env("FEED_TOKEN", &token);
        command
    };
    let output = events(&[]).output().await.unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seen: Vec<_> =
        lines.iter().map(|line| (&line["seq"], &line["node"], &line["value"]["statuses"][0]["status"])).collect();
    assert_eq!(seen, [(&json!(1), &json!("eu-1"), &json!("sent")), (&json!(3), &json!("eu-1"), &json!("read"))]);

    let mut following = Running::spawn(events(&["--follow", "--from-now"]));
    // Its first request has come once it waits.
    while !metrics(&receiver).await.contains("tdesk_feed_waiting 1\n") {
        crate::receiving::next_poll().await;
    }
    assert_eq!(receiver.deliver(envelope(&[status("m2", "sent")])).await, 200);
    assert_eq!(following.json_line().await["seq"], 4);
    receiver.stop().await;
    assert!(following.error_line().await.contains("waiting for it"));
    assert_eq!(following.stop().await.0, Some(0));

    let missing = run(&["events", "--feed", &feed]).await;
    assert_eq!(missing.status.code(), Some(2));
    let unsafe_address =
        tdesk(&["events", "--feed", "http://hooks.example.com", "--token-env", "CURRENT"]).output().await.unwrap();
    assert_eq!(unsafe_address.status.code(), Some(2));
    assert!(stderr(&unsafe_address).contains("readable on the way") && !stderr(&unsafe_address).contains(SECRET));
    let receiver = receive(&folder).await;
    let feed = receiver.feed.clone().unwrap();
    let wrong = tdesk(&["events", "--feed", &feed, "--token-env", "CURRENT", "--follow"]).output().await.unwrap();
    assert_eq!(wrong.status.code(), Some(3));
    assert!(stderr(&wrong).contains("refuses the token") && !stderr(&wrong).contains(SECRET));
    receiver.stop().await;
}

#[tokio::test]
async fn what_a_server_passed_over_is_named_on_standard_error() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut desk, _) = listener.accept().await.unwrap();
        let _head = desk.read(&mut [0; 4096]).await.unwrap();
        let page = [
            json!({"gap": {"from": 1, "to": 9, "why": "removed"}}),
            json!({"gap": {"from": 12, "to": 12, "why": "moved\u{1b}[31m"}}),
            json!({"end": {"cursor": "c", "behind": 0}}),
        ];
        let page: String = page.iter().map(|line| format!("{line}\n")).collect();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", page.len());
        desk.write_all((head + &page).as_bytes()).await.unwrap();
    });
    let mut command = tdesk(&["events", "--feed", &url, "--token-env", "TOKEN"]);
    let output = command.env("TOKEN", "tdesk_a").output().await.unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b""[..]));
    assert_eq!(
        stderr(&output),
        "tdesk: the deliveries 1 to 9 were removed on the server before they were fetched\n\
         tdesk: the deliveries 12 to 12 were passed over by the server: moved⟨U+001B⟩[31m\n"
    );
}
