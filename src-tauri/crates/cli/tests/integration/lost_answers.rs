//! Requests without a response: the exit code and the messages say that they may have been carried out.

use std::sync::Arc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::provider::{TOKEN, WORKSPACE, run, stdout};
use crate::receiving::{Running, TIMEOUT, stderr, tdesk};

/// A provider that lists no template and answers every changing request with the next bytes of `faults`, or the last
/// ones, then closes the connection.
struct Provider {
    url: String,
    changes: Arc<Mutex<Vec<String>>>,
    gate: Arc<watch::Sender<bool>>,
}

impl Provider {
    async fn start(fault: &'static str) -> Self {
        Self::start_with(vec![fault]).await
    }

    async fn start_with(faults: Vec<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let changes: Arc<Mutex<Vec<String>>> = Arc::default();
        let gate = Arc::new(watch::Sender::new(false));
        let (recorded, opened) = (Arc::clone(&changes), Arc::clone(&gate));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (recorded, faults, opened) = (Arc::clone(&recorded), faults.clone(), Arc::clone(&opened));
                tokio::spawn(async move {
                    let Some(request) = whole(&mut stream).await else { return };
                    let listing = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]";
                    let mut answer = listing;
                    if !request.starts_with("GET") {
                        let before = {
                            let mut recorded = recorded.lock().unwrap();
                            recorded.push(request);
                            recorded.len() - 1
                        };
                        answer = faults[before.min(faults.len() - 1)];
                    }
                    if answer == PENDING {
                        let _closed = opened.subscribe().wait_for(|open| *open).await.map(drop);
                        answer = ACCEPTED;
                    }
                    let _gone = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        Self { url, changes, gate }
    }

    /// Starts a push of a folder.
    fn push(&self, folder: &str) -> Running {
        let connection = ["--base-url", &self.url, "--workspace", WORKSPACE, "--token-env", "TOKEN"];
        let arguments = [&["push"], &connection[..], &["--waba", "1", folder]].concat();
        let mut command = tdesk(&arguments);
        command.env("TOKEN", TOKEN);
        Running::spawn(command)
    }

    /// Waits until a number of changing requests have arrived.
    async fn received(&self, number: usize) {
        let arrived = async {
            while self.changes().len() < number {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, arrived).await.expect("the request arrives in time");
    }

    /// Request lines of the changing requests.
    fn changes(&self) -> Vec<String> {
        let changes = self.changes.lock().unwrap();
        changes.iter().map(|request| request.lines().next().unwrap().to_owned()).collect()
    }
}

/// Reads a request to the end of its body.
async fn whole(stream: &mut TcpStream) -> Option<String> {
    let mut read = Vec::new();
    loop {
        read.push(stream.read_u8().await.ok()?);
        let text = String::from_utf8_lossy(&read);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
            if body.len() >= length.parse().unwrap() {
                return Some(text.into_owned());
            }
        }
    }
}

const DROPPED: &str = "";
/// Accepted once the gate is open.
const PENDING: &str = "pending";
const ACCEPTED: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 13\r\nconnection: close\r\n\r\n{\"uuid\":\"u1\"}";
const LIMITED: &str =
    "HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const LIMITED_LONG: &str =
    "HTTP/1.1 429 Too Many Requests\r\nretry-after: 900\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const NUMBERED: &str = "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 52\r\nconnection: close\r\n\r\n{\"code\":10001,\"message\":\"db timeout after insert\"  }";
const NAMED: &str = "HTTP/1.1 200 OK\r\ncontent-length: 50\r\nconnection: close\r\n\r\n{\"messages\":[{\"id\":\"wamid.1\"}],\"error\":\"too late\"}";
const GATEWAY: &str = "HTTP/1.1 504 Gateway Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const LATER: &str =
    "HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

#[tokio::test]
async fn a_send_without_an_answer_has_its_own_exit_code() {
    for fault in [DROPPED, BUSY, GATEWAY, NUMBERED, NAMED, LATER] {
        let provider = Provider::start(fault).await;
        let arguments = ["--number", "106540352242922", "--to", "5511999990000", "--text", "Oi"];
        let output = run(&provider.url, "send", &arguments).await;
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{fault:?}: {printed}");
        assert_eq!(provider.changes(), ["POST /messaging/provider/106540352242922/send-message HTTP/1.1"], "{fault:?}");
        assert_eq!(stdout(&output), "");
        assert!(printed.contains("may have been carried out"), "{printed}");
        assert!(printed.contains("tdesk events") && printed.contains("5511999990000"), "{printed}");
        assert!(!printed.to_lowercase().contains("try again"), "{printed}");
    }
    // Nothing listens on the port: the message was never sent.
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let arguments = ["--number", "106540352242922", "--to", "5511999990000", "--text", "Oi"];
    let output = run(&format!("http://{free}"), "send", &arguments).await;
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(!stderr(&output).contains("carried out"), "{}", stderr(&output));
}

fn three_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        let template = json!({"name": name, "language": "en", "category": "utility",
            "components": [{"type": "BODY", "text": "Your order has left."}]});
        std::fs::write(folder.path().join(format!("{name}.en.json")), template.to_string()).unwrap();
    }
    folder
}

#[tokio::test]
async fn a_push_waits_at_a_rate_limit_and_sends_each_file_once() {
    let folder = three_files();
    let folder = folder.path().to_str().unwrap();
    let provider = Provider::start_with(vec![ACCEPTED, LIMITED, ACCEPTED]).await;
    let (code, out, err) = provider.push(folder).end().await;
    assert_eq!((code, out.matches("created ").count()), (Some(0), 3), "{out}{err}");
    assert_eq!(provider.changes().len(), 4, "the refused one twice");
    assert!(err.contains("b.en.json: the provider limits requests; waiting 1 s"), "{err}");

    // Too long to wait for.
    let provider = Provider::start_with(vec![ACCEPTED, LIMITED_LONG]).await;
    let (code, out, err) = provider.push(folder).end().await;
    assert_eq!((code, provider.changes().len()), (Some(1), 2), "{out}{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[1].starts_with("failed ") && lines[1].contains("Try again in 900 s."), "{out}");
    assert!(lines[2].starts_with("skipped ") && lines[2].contains("b.en.json affects every file"), "{out}");
}

#[tokio::test]
async fn an_interrupted_push_reports_the_request_in_flight() {
    let folder = three_files();
    let folder = folder.path().to_str().unwrap();
    // Answered in time.
    let provider = Provider::start_with(vec![ACCEPTED, PENDING]).await;
    let mut push = provider.push(folder);
    provider.received(2).await;
    push.signal("INT").await;
    assert!(push.error_line().await.contains("waiting for the request in flight"));
    provider.gate.send_replace(true);
    let (code, out, err) = push.end().await;
    let words: Vec<&str> = out.lines().map(|line| line.split_once(' ').unwrap().0).collect();
    assert_eq!((code, words), (Some(130), vec!["created", "created", "skipped"]), "{out}{err}");
    assert!(out.contains("the push was interrupted. Push again for the remaining files."), "{out}");
    assert_eq!(provider.changes().len(), 2);

    // Never answered.
    let provider = Provider::start_with(vec![ACCEPTED, PENDING]).await;
    let push = provider.push(folder);
    provider.received(2).await;
    push.signal("TERM").await;
    let (code, out, err) = push.end().await;
    let words: Vec<&str> = out.lines().map(|line| line.split_once(' ').unwrap().0).collect();
    assert_eq!((code, words), (Some(4), vec!["created", "unknown", "skipped"]), "{out}{err}");
    assert!(err.contains("--dry-run"), "{err}");

    // A second signal does not wait.
    let provider = Provider::start(PENDING).await;
    let mut push = provider.push(folder);
    provider.received(1).await;
    push.signal("INT").await;
    assert!(push.error_line().await.contains("press Ctrl+C again"));
    let signalled = Instant::now();
    push.signal("INT").await;
    let (code, _, err) = push.end().await;
    assert_eq!(code, Some(4), "{err}");
    assert!(signalled.elapsed() < Duration::from_secs(2), "{:?}", signalled.elapsed());
}

#[tokio::test]
async fn a_push_without_an_answer_stops_after_two_with_its_own_exit_code() {
    let folder = three_files();
    let folder = folder.path().to_str().unwrap();
    for fault in [DROPPED, BUSY, LATER] {
        let provider = Provider::start(fault).await;
        let output = run(&provider.url, "push", &["--waba", "1", "--format", "json", folder]).await;
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{fault:?}: {printed}");
        let lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let ended: Vec<&str> = lines.iter().map(|line| line["outcome"].as_str().unwrap()).collect();
        assert_eq!(ended, ["unknown", "unknown", "skipped"], "{fault:?}");
        assert_eq!(provider.changes().len(), 2, "{fault:?}");
        assert!(printed.contains("--dry-run"), "{printed}");
        let first = lines[0]["error"].as_str().unwrap();
        assert!(!first.to_lowercase().contains("try again"), "{first}");
    }
}

/// An accepted message counts as done even if the output fails: another exit code would cause a second send. A push that
/// is repeated finds what was done.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_accepted_request_with_an_unreadable_answer_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let template = json!({"name": "a", "language": "en", "category": "utility",
        "components": [{"type": "BODY", "text": "Your order has left."}]});
    std::fs::write(&file, template.to_string()).unwrap();
    let file = file.to_str().unwrap();
    let send = ["--number", "106540352242922", "--to", "5511999990000", "--text", "Oi"];
    for (subcommand, arguments, fault, code) in [
        ("send", &send[..], ACCEPTED, 0),
        ("push", &["--format", "json", "--waba", "1", file][..], ACCEPTED, 3),
        ("push", &["--format", "json", "--waba", "1", file][..], DROPPED, 4),
    ] {
        let provider = Provider::start(fault).await;
        let connection = ["--base-url", &provider.url, "--workspace", WORKSPACE, "--token-env", "TOKEN"];
        let whole: Vec<&str> = [subcommand].into_iter().chain(connection).chain(arguments.iter().copied()).collect();
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = tdesk(&whole).env("TOKEN", TOKEN).stdout(full).spawn().unwrap().wait_with_output().await.unwrap();
        assert_eq!(output.status.code(), Some(code), "{subcommand}, {fault:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("stdout"), "{}", stderr(&output));
        assert_eq!(provider.changes().len(), 1, "{subcommand}");
    }
}
