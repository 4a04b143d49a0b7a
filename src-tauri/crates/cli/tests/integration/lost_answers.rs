//! Requests without a response: the exit code and the messages say that they may have been carried out.

use std::sync::Arc;
use std::sync::Mutex;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::provider::{TOKEN, WORKSPACE, run, stdout};
use crate::receiving::{stderr, tdesk};

/// A provider that lists no template and answers every changing request with the bytes of `fault`, then closes the
/// connection.
struct Provider {
    url: String,
    changes: Arc<Mutex<Vec<String>>>,
}

impl Provider {
    async fn start(fault: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let changes: Arc<Mutex<Vec<String>>> = Arc::default();
        let recorded = Arc::clone(&changes);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let recorded = Arc::clone(&recorded);
                tokio::spawn(async move {
                    let Some(request) = whole(&mut stream).await else { return };
                    let listing = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]";
                    let answer = if request.starts_with("GET") { listing } else { fault };
                    if !request.starts_with("GET") {
                        recorded.lock().unwrap().push(request);
                    }
                    let _gone = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        Self { url, changes }
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
const BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const NUMBERED: &str = "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 52\r\nconnection: close\r\n\r\n{\"code\":10001,\"message\":\"db timeout after insert\"  }";
const NAMED: &str = "HTTP/1.1 200 OK\r\ncontent-length: 50\r\nconnection: close\r\n\r\n{\"messages\":[{\"id\":\"wamid.1\"}],\"error\":\"too late\"}";
const GATEWAY: &str = "HTTP/1.1 504 Gateway Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const LATER: &str =
    "HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

#[tokio::test]
async fn a_send_without_an_answer_has_its_own_exit_code() {
    for (fault, code) in [(DROPPED, 4), (BUSY, 4), (GATEWAY, 4), (NUMBERED, 4), (NAMED, 4), (LATER, 3)] {
        let provider = Provider::start(fault).await;
        let arguments = ["--number", "106540352242922", "--to", "5511999990000", "--text", "Oi"];
        let output = run(&provider.url, "send", &arguments).await;
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{fault:?}: {printed}");
        assert_eq!(provider.changes(), ["POST /messaging/provider/106540352242922/send-message HTTP/1.1"], "{fault:?}");
        assert_eq!(stdout(&output), "");
        assert_eq!(printed.contains("may have been carried out"), code == 4, "{printed}");
        assert_eq!(printed.contains("tdesk events") && printed.contains("5511999990000"), code == 4, "{printed}");
        assert_eq!(printed.to_lowercase().contains("try again"), code == 3, "{printed}");
    }
    // Nothing listens on the port: the message was never sent.
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let arguments = ["--number", "106540352242922", "--to", "5511999990000", "--text", "Oi"];
    let output = run(&format!("http://{free}"), "send", &arguments).await;
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(!stderr(&output).contains("carried out"), "{}", stderr(&output));
}

#[tokio::test]
async fn a_push_without_an_answer_stops_after_two_with_its_own_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        let template = json!({"name": name, "language": "en", "category": "utility",
            "components": [{"type": "BODY", "text": "Your order has left."}]});
        std::fs::write(folder.path().join(format!("{name}.en.json")), template.to_string()).unwrap();
    }
    let folder = folder.path().to_str().unwrap();
    for (fault, code, outcomes, requests) in [
        (DROPPED, 4, ["unknown", "unknown", "skipped"], 2),
        (BUSY, 4, ["unknown", "unknown", "skipped"], 2),
        (LATER, 3, ["failed", "failed", "failed"], 3),
    ] {
        let provider = Provider::start(fault).await;
        let output = run(&provider.url, "push", &["--waba", "1", "--format", "json", folder]).await;
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{fault:?}: {printed}");
        let lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let ended: Vec<&str> = lines.iter().map(|line| line["outcome"].as_str().unwrap()).collect();
        assert_eq!(ended, outcomes, "{fault:?}");
        assert_eq!(provider.changes().len(), requests, "{fault:?}");
        assert_eq!(printed.contains("--dry-run"), code == 4, "{printed}");
        let first = lines[0]["error"].as_str().unwrap();
        assert_eq!(first.to_lowercase().contains("try again"), code == 3, "{first}");
    }
}

/// An accepted request counts as done even if the output fails: another exit code would cause a second send.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_accepted_request_with_an_unreadable_answer_succeeds() {
    const ACCEPTED: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 13\r\nconnection: close\r\n\r\n{\"uuid\":\"u1\"}";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let template = json!({"name": "a", "language": "en", "category": "utility",
        "components": [{"type": "BODY", "text": "Your order has left."}]});
    std::fs::write(&file, template.to_string()).unwrap();
    let file = file.to_str().unwrap();
    let send = ["--number", "106540352242922", "--to", "5511999990000", "--text", "Oi"];
    for (subcommand, arguments, fault, code) in [
        ("send", &send[..], ACCEPTED, 0),
        ("push", &["--format", "json", "--waba", "1", file][..], ACCEPTED, 0),
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
