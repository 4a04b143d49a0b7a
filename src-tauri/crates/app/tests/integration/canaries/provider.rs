//! The sandbox as a provider in a separate process, one that echoes requests, and raw requests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ring::hmac;
use sandbox::Sandbox;
use secrecy::SecretString;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::{Canary, PHONE};

pub(super) const WORKSPACE: &str = "5a9db0c5-0000-4000-8000-000000000001";

pub(super) async fn start(token: SecretString) -> (Sandbox, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut options = sandbox::Options::new(token, WORKSPACE);
    options.review_delay = Duration::from_millis(50);
    options.status_delay = Duration::from_millis(20);
    options.seed = Some(sandbox::Seed::Samples);
    let sandbox = Sandbox::open(options).unwrap();
    let serving = sandbox.clone();
    tokio::spawn(async move { serving.serve(listener, std::future::pending()).await.unwrap() });
    (sandbox, address)
}

/// The answers of the echoing provider.
pub(super) const ANSWERS: [&str; 10] = ["401", "403", "404", "429", "400", "500", "302", "200", "raw", "text"];

/// Its pages of a feed, with the echo in a delivery and in the position.
pub(super) const FEED_PAGES: [&str; 2] = ["page", "cursor"];

/// A provider that echoes requests: under `/401/…`, `/200/…` and so on, with that status; `/raw/…` is not HTTP.
pub(super) struct Echo {
    address: SocketAddr,
    answers: Arc<AtomicUsize>,
}

impl Echo {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let answers = Arc::new(AtomicUsize::new(0));
        let counted = answers.clone();
        tokio::spawn(async move {
            while let Ok((mut peer, _)) = listener.accept().await {
                let counted = counted.clone();
                tokio::spawn(async move {
                    let mut head = vec![0; 64 * 1024];
                    let Ok(length) = peer.read(&mut head).await else { return };
                    let head = String::from_utf8_lossy(&head[..length]).into_owned();
                    counted.fetch_add(1, Ordering::Relaxed);
                    let _gone = peer.write_all(echo(&head).as_bytes()).await;
                });
            }
        });
        Self { address, answers }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn echoed(&self) -> usize {
        self.answers.load(Ordering::Relaxed)
    }
}

fn echo(head: &str) -> String {
    let status = head.split('/').nth(1).unwrap_or_default();
    let escaped: String = head.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect();
    let plain = serde_json::to_string(head).unwrap();
    let body = format!(
        r#"{{"message":{plain},"details":"{escaped} for {PHONE}","uuid":{plain},"messages":[{{"id":{plain},"message_status":"{escaped}"}}],"data":[{{"uuid":{plain},"name":"{escaped}","language":"en"}}],"extra":{plain}}}"#
    );
    match status {
        "raw" => format!("{head}{head}"),
        "page" => page(&format!(r#"{{"delivery":{{"node":{plain},"seq":{plain}}}}}"#)),
        // The header alone: a position is part of the next request.
        "cursor" => {
            let header = head.lines().find(|line| line.to_ascii_lowercase().starts_with("authorization"));
            page(&serde_json::json!({"end": {"cursor": header.unwrap_or_default(), "behind": 1}}).to_string())
        }
        "302" => format!(
            "HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example/?{}\r\ncontent-length: 0\r\n\r\n",
            head.lines().find(|line| line.to_ascii_lowercase().starts_with("authorization")).unwrap_or_default()
        ),
        "text" => format!("HTTP/1.1 500 Oh\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{head}", head.len()),
        status => format!(
            "HTTP/1.1 {status} Echo\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        ),
    }
}

/// A page of a feed with one line.
fn page(line: &str) -> String {
    let body = format!("{line}\n");
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

/// Sends one request; returns its status and body.
pub(super) async fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> (u16, String) {
    let mut peer = TcpStream::connect(address).await.unwrap();
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    peer.write_all(head.as_bytes()).await.unwrap();
    peer.write_all(body).await.unwrap();
    let mut answer = String::new();
    peer.read_to_string(&mut answer).await.unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
    (status, body)
}

/// Delivers a webhook, optionally signed; returns the status of the answer.
pub(super) async fn deliver(address: SocketAddr, path: &str, body: &str, secret: Option<Canary>) -> u16 {
    match secret {
        Some(secret) => signed_delivery(address, path, body, secret.text().as_bytes()).await,
        None => request(address, "POST", path, &[], body.as_bytes()).await.0,
    }
}

/// Delivers a webhook signed with `secret`; returns the status of the answer.
async fn signed_delivery(address: SocketAddr, path: &str, body: &str, secret: &[u8]) -> u16 {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), body.as_bytes());
    let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let signature = format!("sha256={digits}");
    request(address, "POST", path, &[("x-hub-signature-256", &signature)], body.as_bytes()).await.0
}
