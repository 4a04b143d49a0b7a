//! A provider that echoes the request: `tdesk` leaks no secret to an output or a file.

use std::path::Path;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::receiving::{TIMEOUT, tdesk};

/// Some encoders escape `/` and `+` in JSON, which must not prevent redaction.
const TOKEN: &str = "tok/canary+51d7e0aa";
const CLIENT_SECRET: &str = "client/canary+0b88f2";

/// Answers every request with its own head, with the status in the first path segment.
async fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut peer, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut head = vec![0; 64 * 1024];
                let Ok(length) = peer.read(&mut head).await else { return };
                let head = String::from_utf8_lossy(&head[..length]).into_owned();
                let status = head.split('/').nth(1).unwrap_or_default().to_owned();
                let plain = serde_json::to_string(&head).unwrap();
                let escaped = plain.replace('/', "\\/").replace('+', "\\u002B");
                let body = format!(
                    r#"{{"message":{escaped},"details":{plain},"data":[{{"uuid":"1","name":"spring","language":"en","status":{plain},"category":{escaped},"components":[{{"type":"BODY","text":{escaped}}}]}}],"messages":[{{"id":{plain}}}],"uuid":{escaped}}}"#
                );
                let answer = format!(
                    "HTTP/1.1 {status} Echo\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                let _gone = peer.write_all(answer.as_bytes()).await;
            });
        }
    });
    address
}

/// The content and name of every file below a folder.
fn contents(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        all.extend(path.display().to_string().into_bytes());
        all.extend(if path.is_dir() { contents(&path) } else { std::fs::read(&path).unwrap() });
    }
    all
}

#[tokio::test]
async fn an_echoed_secret_is_never_printed() {
    let url = echo().await;
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("spring.en.json");
    let content = json!({"name": "spring", "language": "en", "category": "utility", "components": [{"type": "BODY", "text": "Ready."}]});
    std::fs::write(&template, content.to_string()).unwrap();
    let payload = folder.path().join("payload.json");
    let message =
        json!({"messaging_product": "messaging", "to": "5511999990000", "type": "text", "text": {"body": "Hello"}});
    std::fs::write(&payload, message.to_string()).unwrap();
    let pulled = folder.path().join("pulled");
    let [template, payload, pulled] = [&template, &payload, &pulled].map(|path| path.to_str().unwrap());

    let credentials: [&[&str]; 2] =
        [&["--token-env", "TOKEN"], &["--client-id", "shop", "--client-secret-env", "SECRET"]];
    let commands: [&[&str]; 3] =
        [&["pull", pulled], &["push", template, "--waba", "1"], &["send", "--number", "1", "--payload", payload]];
    let mut answered = 0;
    for credentials in credentials {
        for status in ["200", "400", "401", "404", "500"] {
            for command in commands {
                let base_url = format!("{url}/{status}");
                let mut arguments = vec![command[0], "--base-url", &base_url];
                arguments.extend(["--workspace", "3f1a5c52-0a52-4f6e-9d3e-0c1f8f2b7a10"]);
                arguments.extend(credentials);
                arguments.extend(&command[1..]);
                let mut process = tdesk(&arguments);
                process.env("TOKEN", TOKEN).env("SECRET", CLIENT_SECRET).env("RUST_LOG", "trace");
                let output = timeout(TIMEOUT, process.output()).await.expect("tdesk ends in time").unwrap();
                assert_ne!(output.status.code(), Some(2), "{arguments:?} {output:?}");
                let mut printed = [output.stdout, output.stderr].concat();
                answered += usize::from(String::from_utf8_lossy(&printed).contains("•••"));
                printed.extend(contents(folder.path()));
                let printed = String::from_utf8_lossy(&printed).replace("\\/", "/");
                for secret in [TOKEN, CLIENT_SECRET] {
                    assert!(!printed.contains(secret), "{arguments:?} {printed}");
                }
            }
        }
    }
    assert!(answered > 0, "nothing of what was echoed is shown, so that nothing was tried");
}
