//! A provider in a separate process, to which windows connect.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::json;

use super::page::Page;

/// UUID of its workspace.
pub(super) const WORKSPACE: &str = "123e4567-e89b-42d3-a456-426614174000";
/// Its token, which must be stored only in the keyring.
pub(super) const TOKEN: &str = "canary-5e1f-token";
/// Secret of its webhooks.
const WEBHOOK_SECRET: &str = "canary-82ab-webhook-secret";

/// A provider with sample templates; stopped when it is dropped.
pub(super) struct Provider {
    process: Child,
    pub(super) base_url: String,
}

impl Provider {
    pub(super) fn start() -> Self {
        let mut process = tdesk()
            .args(["sandbox", "--listen", "127.0.0.1:0", "--token", TOKEN, "--workspace", WORKSPACE, "--seed"])
            .args(["--review-delay-ms", "1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
        Self { process, base_url: ready["listening"].as_str().unwrap().to_owned() }
    }

    /// Creates the templates of the files in a folder, as a script does.
    pub(super) fn push(&self, folder: &Path) {
        let pushed = tdesk()
            .args(["push", "--base-url", &self.base_url, "--workspace", WORKSPACE, "--token-env", "TOKEN"])
            .arg(folder)
            .env("TOKEN", TOKEN)
            .output()
            .unwrap();
        assert!(pushed.status.success(), "{}", String::from_utf8_lossy(&pushed.stderr));
    }

    /// Sends a request with a JSON body, and returns the JSON of the response.
    pub(super) fn ask(&self, method: &str, path: &str, body: &serde_json::Value) -> serde_json::Value {
        let host = self.base_url.trim_start_matches("http://");
        let body = body.to_string();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nAuthorization: Bearer {TOKEN}\r\n\
             x-workspace-uuid: {WORKSPACE}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 2"), "{method} {path}: {answer}");
        serde_json::from_str(body).unwrap_or_default()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ended = self.process.kill();
        let _reaped = self.process.wait();
    }
}

/// Adds the workspace of a provider and switches to it.
pub(super) async fn connect(page: &Page, provider: &Provider) {
    fill_workspace(page, provider).await;
    save_workspace(page).await;
    page.click("link", "Templates").await;
}

/// As [`connect`], with webhooks of the provider to the receiver at an address.
pub(super) async fn connect_with_webhooks(page: &Page, provider: &Provider, receiver: &str) {
    fill_workspace(page, provider).await;
    page.fill("textbox", "Webhook secret", WEBHOOK_SECRET).await;
    save_workspace(page).await;
    let webhook = json!({ "url": format!("http://{receiver}{}", webhook_path(page).await), "secret": WEBHOOK_SECRET });
    provider.ask("PUT", "/sandbox/webhook", &webhook);
}

async fn fill_workspace(page: &Page, provider: &Provider) {
    page.click("link", "Settings").await;
    page.click("link", "Add workspace").await;
    page.click("button", "All fields on one page").await;
    page.fill("textbox", "Name", "Flower shop").await;
    page.fill("textbox", "Base URL", &provider.base_url).await;
    page.fill("textbox", "Workspace UUID", WORKSPACE).await;
    page.fill("textbox", "Access token", TOKEN).await;
    page.click("button", "Add number").await;
    page.fill("textbox", "ID of number 1", "300000000000001").await;
}

async fn save_workspace(page: &Page) {
    page.click("button", "Save workspace").await;
    page.wait_for_placeholder("Access token", "Stored in the keyring").await;
    page.switch_workspace("Flower shop").await;
}

/// The path of the workspace's webhook, which the page shows for the receiver.
pub(super) async fn webhook_path(page: &Page) -> String {
    page.click("link", "Activity").await;
    page.wait_for_text("No events yet").await;
    page.click("radio", "Receiver").await;
    page.wait_for_text("/webhook/").await;
    let shown = page.text().await;
    let at = shown.find("/webhook/").expect("the address of the webhook is shown");
    shown[at..].split_whitespace().next().unwrap().to_owned()
}

/// The `tdesk` binary, which is in the same folder as the app.
fn tdesk() -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_template-desk")).with_file_name("tdesk");
    assert!(binary.exists(), "build `tdesk` first: cargo build --package cli");
    Command::new(binary)
}
