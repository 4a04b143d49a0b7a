//! `tdesk receive`.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::net::TcpListener;

use crate::receiving::{
    Folder, PREVIOUS_SECRET, Receiver, SECRET, VERIFY_TOKEN, client, deliver, envelope, identity, run, signature,
    status, stderr,
};

#[tokio::test]
async fn it_reports_readiness_and_stops_on_signals() {
    for signal in ["TERM", "INT"] {
        let folder = Folder::new();
        let receiver = folder.receive(&[]).await;
        assert!(receiver.url.starts_with("http://127.0.0.1:"));
        assert_eq!(receiver.deliver(envelope(&[status("a", "sent")])).await, 200);
        receiver.signal(signal).await;
        assert_eq!(receiver.end().await, (Some(0), String::new()), "{signal}");
        assert_eq!(folder.events(&[]).await.len(), 1);
        // The log of the whole run, at the most verbose level.
        let log = folder.log();
        assert!(!log.is_empty());
        for secret in [SECRET, PREVIOUS_SECRET, VERIFY_TOKEN] {
            assert!(!log.contains(secret), "{log}");
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_answered_200_after_the_delivery_log_was_removed() {
    let folder = Folder::new();
    let first = folder.receive(&[]).await;
    assert_eq!(first.deliver(envelope(&[status("a", "sent")])).await, 200);
    for entry in std::fs::read_dir(folder.delivery_log().parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_str().unwrap().starts_with("inbox") {
            std::fs::remove_file(path).unwrap();
        }
    }
    assert_eq!(first.deliver(envelope(&[status("b", "sent")])).await, 503);
    assert!(folder.log().contains("was removed, renamed or replaced"), "{}", folder.log());

    // A second process may use the name now; the end of the first one does not touch its files.
    let second = folder.receive(&[]).await;
    assert_eq!(second.deliver(envelope(&[status("b", "sent")])).await, 200);
    assert_eq!(first.deliver(envelope(&[status("c", "sent")])).await, 503);
    first.stop().await;
    assert_eq!(folder.events(&[]).await.len(), 1);
    second.stop().await;
    assert_eq!(folder.events(&[]).await.len(), 1);
}

#[tokio::test]
async fn wrong_usage_exits_with_2_and_a_message() {
    let folder = Folder::new();
    let database = folder.delivery_log();
    let database = database.to_str().unwrap();
    let empty = folder.path().join("empty");
    std::fs::write(&empty, "\n").unwrap();
    let empty = empty.to_str().unwrap();
    let absent = folder.path().join("absent");
    let absent = absent.to_str().unwrap();
    let cases: [(&[&str], &str); 12] = [
        (&["--database", database, "--secret-file", absent], "could not be read"),
        (&["--database", database, "--secret-env", "CURRENT", "--verify-token-file", empty], "is empty"),
        (&["--database", database], "--secret-env"),
        (&["--secret-env", "CURRENT"], "--database"),
        (&["--database", database, "--secret-env", "NOT_SET_ANYWHERE"], "`NOT_SET_ANYWHERE` is not set"),
        (&["--database", database, "--secret-env", "CURRENT,NOT_SET_ANYWHERE"], "`NOT_SET_ANYWHERE` is not set"),
        (&["--database", database, "--secret-env", "NOT_SET_ANYWHERE"], "--secret-env: "),
        (&["--database", database, "--secret-env", "CURRENT,s3cret/of-the=hook"], "is not the name of an environment"),
        (&["--database", database, "--secret-env", "sekret_canary1"], "`sek…` is not set"),
        (&["--database", database, "--secret-env", "EMPTY"], "`EMPTY` is empty"),
        (
            &["--database", database, "--secret-env", "CURRENT", "--verify-token-env", "NOT_SET_ANYWHERE"],
            "`NOT_SET_ANYWHERE` is not set",
        ),
        (&["--database", database, "--secret-env", "CURRENT", "--path", "webhook"], "must begin with `/`"),
    ];
    for (arguments, sentence) in cases {
        let output = run(&[&["receive", "--listen", "127.0.0.1:0"], arguments].concat()).await;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(sentence), "{}", stderr(&output));
        // It may be the secret itself.
        assert!(!stderr(&output).contains("canary1") && !stderr(&output).contains("of-the"), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        assert!(!folder.delivery_log().exists(), "{arguments:?}");
    }
}

#[tokio::test]
async fn a_port_in_use_and_an_unusable_file_exit_with_3() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let delivery_log = folder.delivery_log();
    let secret = ["--secret-env", "CURRENT", "--database"];
    let output =
        run(&[&["receive", "--listen", &address], &secret[..], &[delivery_log.to_str().unwrap()]].concat()).await;
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains(&address), "{}", stderr(&output));
    assert!(stderr(&output).contains("in use"), "{}", stderr(&output));
    assert!(output.stdout.is_empty());

    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "these are notes, not a database; they are long enough to be looked at ".repeat(20)).unwrap();
    for database in [folder.path().join("absent/inbox.sqlite"), text.clone()] {
        let database = database.to_str().unwrap();
        let output = run(&[&["receive", "--listen", "127.0.0.1:0"], &secret[..], &[database]].concat()).await;
        assert_eq!(output.status.code(), Some(3), "{database}");
        assert!(stderr(&output).contains(database), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    assert!(std::fs::read_to_string(&text).unwrap().starts_with("these are notes"));
}

#[tokio::test]
async fn badly_signed_deliveries_get_401_and_are_not_stored() {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    let body = envelope(&[status("a", "sent")]);
    let good = signature(SECRET, body.as_bytes());
    let post = || receiver.client.post(format!("{}/webhook", receiver.url)).body(body.clone());
    for (request, reason) in [
        (post(), "missing"),
        (post().header("X-Hub-Signature-256", good.trim_start_matches("sha256=")), "malformed"),
        (post().header("X-Hub-Signature-256", signature(PREVIOUS_SECRET, body.as_bytes())), "mismatch"),
        (post().header("X-Hub-Signature-256", &good).body(format!("{body} ")), "mismatch"),
        (post().header("X-Hub-Signature-256", &good).header("X-Hub-Signature-256", &good), "duplicate"),
    ] {
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 401);
        let json: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(json["reason"], reason);
        assert!(json["message"].is_string() && json["details"].is_string());
        assert!(folder.log().contains(reason));
    }
    assert_eq!(folder.event_lines(&[]).await, "");
    // The same body is accepted with its signature.
    assert_eq!(receiver.deliver(body.clone()).await, 200);
    assert_eq!(folder.events(&[]).await.len(), 1);
    receiver.stop().await;
}

/// At the most verbose level, the log has the rejections and their reasons, and none of the content.
#[tokio::test]
async fn the_log_holds_neither_bodies_nor_headers() {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    for signature in [signature(SECRET, b"b0dy-c4nary"), "sha256=s1gnature-c4nary".to_owned(), String::new()] {
        let request = receiver.client.post(format!("{}/webhook?q=qu3ry-c4nary", receiver.url));
        let request = request.header("X-Hub-Signature-256", signature).header("X-Other", "h3ader-c4nary");
        request.header("Authorization", "Bearer t0ken-c4nary").body("b0dy-c4nary").send().await.unwrap();
    }
    let request = receiver.client.post(format!("{}/elsewhere", receiver.url)).body("b0dy-c4nary");
    request.send().await.unwrap();
    receiver.stop().await;
    let log = folder.log();
    assert!(log.contains("malformed") && log.contains("unknownPath"), "{log}");
    assert!(!log.contains("c4nary"), "{log}");
}

#[tokio::test]
async fn a_log_that_cannot_be_written_disturbs_nothing() {
    let folder = Folder::new();
    let delivery_log = folder.delivery_log();
    let arguments =
        ["receive", "--listen", "127.0.0.1:0", "--database", delivery_log.to_str().unwrap(), "--secret-env", "CURRENT"];
    let receiver = Receiver::start(&arguments, Path::new("/dev/full")).await;
    assert_eq!(deliver(&receiver.client, &receiver.url, "wrong", Vec::new()).await.unwrap(), 401);
    assert_eq!(receiver.deliver("{}").await, 200);
    receiver.stop().await;
}

#[tokio::test]
async fn the_log_can_be_json() {
    let folder = Folder::new();
    let receiver = folder.receive(&["--log-format", "json"]).await;
    assert_eq!(receiver.deliver("{}").await, 200);
    assert_eq!(deliver(&receiver.client, &receiver.url, "wrong", Vec::new()).await.unwrap(), 401);
    receiver.stop().await;
    let log = folder.log();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let refused = lines.iter().find(|line| line["status"] == 401).expect(&log);
    assert_eq!((&refused["level"], &refused["target"]), (&"WARN".into(), &"tdesk::receive".into()));
    assert!(refused["timestamp"].is_string() && refused["message"].is_string(), "{refused}");
}

#[tokio::test]
async fn several_secrets_a_path_and_a_handshake() {
    let files = Folder::new();
    let file = |name: &str, content: &str| {
        let path = files.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let previous = file("previous", &format!("{PREVIOUS_SECRET}\n"));
    let both = format!("{},{previous}", file("current", SECRET));
    let verify = file("verify", &format!("{VERIFY_TOKEN}\r\n"));
    for (secrets, verify_token) in [
        (["--secret-env", "PREVIOUS"], ["--verify-token-env", "VERIFY"]),
        (["--secret-env", "CURRENT,PREVIOUS"], ["--verify-token-env", "VERIFY"]),
        (["--secret-file", &previous], ["--verify-token-env", "VERIFY"]),
        (["--secret-file", &both], ["--verify-token-file", &verify]),
    ] {
        let folder = Folder::new();
        let more = [&secrets[..], &verify_token, &["--path", "/webhook"]].concat();
        let receiver = folder.receive(&more).await;
        for secret in [SECRET, PREVIOUS_SECRET] {
            assert_eq!(deliver(&receiver.client, &receiver.url, secret, b"{}".to_vec()).await.unwrap(), 200);
        }
        let handshake = |token: &str| {
            let query = [("hub.mode", "subscribe"), ("hub.challenge", "1158201444"), ("hub.verify_token", token)];
            receiver.client.get(format!("{}/webhook", receiver.url)).query(&query).send()
        };
        let answer = handshake(VERIFY_TOKEN).await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.text().await.unwrap().as_str()), (200, "1158201444"));
        assert_eq!(handshake("another").await.unwrap().status().as_u16(), 403);
        receiver.stop().await;
        assert!(!folder.log().contains(VERIFY_TOKEN));
    }
}

#[tokio::test]
async fn public_host_names_must_be_allowed_on_loopback() {
    let folder = Folder::new();
    let receiver = folder.receive(&["--path", "/hook", "--allow-host", "hooks.example.org"]).await;
    let deliver = |host: &'static str| {
        let request = receiver.client.post(format!("{}/hook", receiver.url)).header("Host", host);
        request.header("X-Hub-Signature-256", signature(SECRET, b"{}")).body("{}").send()
    };
    assert_eq!(deliver("hooks.example.org").await.unwrap().status().as_u16(), 200);
    assert_eq!(deliver("evil.example").await.unwrap().status().as_u16(), 421);
    receiver.stop().await;
}

/// Killed repeatedly while senders deliver, repeat and regroup: everything acknowledged with 200 is stored exactly
/// once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_delivery_is_lost_when_killed() {
    const ROUNDS: usize = 5;
    const SENDERS: usize = 8;
    const ACKNOWLEDGED_A_ROUND: usize = 200;

    let folder = Folder::new();
    let sent: Arc<Mutex<BTreeSet<(String, String)>>> = Arc::default();
    let acknowledged: Arc<Mutex<BTreeSet<(String, String)>>> = Arc::default();
    for round in 0..ROUNDS {
        let mut receiver = folder.receive(&[]).await;
        let count = Arc::new(AtomicUsize::new(0));
        let senders: Vec<_> = (0..SENDERS)
            .map(|sender| {
                let (url, client, count) = (receiver.url.clone(), client(), Arc::clone(&count));
                let (sent, acknowledged) = (Arc::clone(&sent), Arc::clone(&acknowledged));
                tokio::spawn(async move {
                    let mut before: Option<String> = None;
                    for number in 0_usize.. {
                        let id = format!("wamid.{round}.{sender}.{number}");
                        // Each delivery repeats an item of the previous one, together with other items.
                        let mut ids: Vec<_> = before.replace(id.clone()).into_iter().chain([id]).collect();
                        if number % 3 == 0 {
                            ids.reverse();
                        }
                        let items =
                            ids.iter().flat_map(|id| ["delivered", "sent"].map(|word| (id.clone(), word.to_owned())));
                        let items: Vec<_> = items.collect();
                        sent.lock().unwrap().extend(items.iter().cloned());
                        let statuses: Vec<_> = items.iter().map(|(id, word)| status(id, word)).collect();
                        let Ok(code) = deliver(&client, &url, SECRET, envelope(&statuses).into_bytes()).await else {
                            return;
                        };
                        assert!(code == 200 || code == 503, "{code}");
                        if code == 200 {
                            acknowledged.lock().unwrap().extend(items);
                            count.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                })
            })
            .collect();
        crate::receiving::wait_until(|| count.load(Ordering::SeqCst) >= ACKNOWLEDGED_A_ROUND).await;
        receiver.kill().await;
        for sender in senders {
            sender.await.unwrap();
        }
    }

    // It opens the files that the last kill left, and so does a reader before it.
    let mut printed: BTreeMap<(String, String), usize> = BTreeMap::new();
    for item in folder.events(&[]).await {
        *printed.entry(identity(&item)).or_default() += 1;
    }
    let receiver = folder.receive(&[]).await;
    assert_eq!(folder.events(&[]).await.len(), printed.len());
    receiver.stop().await;

    let (sent, acknowledged) = (sent.lock().unwrap(), acknowledged.lock().unwrap());
    assert!(acknowledged.len() >= ROUNDS * ACKNOWLEDGED_A_ROUND);
    let lost: Vec<_> = acknowledged.iter().filter(|item| !printed.contains_key(*item)).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let doubled: Vec<_> = printed.iter().filter(|(_, times)| **times > 1).collect();
    assert!(doubled.is_empty(), "{doubled:?}");
    let invented: Vec<_> = printed.keys().filter(|item| !sent.contains(*item)).collect();
    assert!(invented.is_empty(), "{invented:?}");
}

#[tokio::test]
async fn an_unfinished_request_does_not_delay_the_exit() {
    use tokio::io::AsyncWriteExt as _;
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    let address = receiver.url.trim_start_matches("http://").split('/').next().unwrap().to_owned();
    let mut half = tokio::net::TcpStream::connect(&address).await.unwrap();
    let head = format!("POST /webhook HTTP/1.1\r\nHost: {address}\r\nContent-Length: 1000000\r\n\r\nabc");
    half.write_all(head.as_bytes()).await.unwrap();
    // Answered on a later connection: by then, the half request has been read.
    assert_eq!(receiver.deliver(envelope(&[status("m", "sent")])).await, 200);
    receiver.stop().await;
}
