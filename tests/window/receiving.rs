//! Receiver: stored deliveries, rejected deliveries with their reasons, retention, and recovery after a crash.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use ring::hmac;

use super::connect::holds;
use super::desktop::{Desktop, Keyring, free_port};
use super::page::Page;
use super::provider::webhook_path;

/// Secret that must be stored only in the keyring.
const SECRET: &str = "canary-71c3-webhook-secret";
const WORKSPACE: &str = "123e4567-e89b-42d3-a456-426614174000";

/// A status in the channel's format: the escapes are part of the signed bytes.
fn status(id: &str, status: &str) -> String {
    format!(
        r#"{{"object":"messaging_business_account","entry":[{{"id":"100000000000001","changes":[{{"field":"messages","value":{{"messaging_product":"messaging","metadata":{{"display_phone_number":"15550783881","phone_number_id":"300000000000001"}},"statuses":[{{"id":"{id}","status":"{status}","timestamp":"1750000000","recipient_id":"5511999990000","biz_opaque_callback_data":"caf\u00e9 https:\/\/x"}}]}}}}]}}]}}"#
    )
}

fn sign(secret: &str, body: &str) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body.as_bytes());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

/// Delivers a body and returns the status of the response.
fn post(address: &str, path: &str, body: &str, signature: Option<&str>) -> u16 {
    let signature = signature.map(|value| format!("X-Hub-Signature-256: {value}\r\n")).unwrap_or_default();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{signature}\r\n"
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all((head + body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Adds a workspace with a webhook secret and returns the path of its webhook.
async fn connect(page: &Page) -> String {
    page.click("link", "Settings").await;
    page.click("link", "Add workspace").await;
    page.click("button", "All fields on one page").await;
    page.fill("textbox", "Name", "Flower shop").await;
    page.fill("textbox", "Base URL", "https://provider.invalid").await;
    page.fill("textbox", "Workspace UUID", WORKSPACE).await;
    page.fill("textbox", "Webhook secret", SECRET).await;
    page.click("button", "Save workspace").await;
    page.wait_for_placeholder("Webhook secret", "Stored in the keyring").await;
    page.switch_workspace("Flower shop").await;
    webhook_path(page).await
}

#[tokio::test]
async fn deliveries_are_stored_or_rejected_with_advice() {
    let mut desktop =
        Desktop::start("receiving", Keyring::Unlocked).with_sandbox("TEMPLATE_DESK_SANDBOX_PROFILE", "whatsapp");
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    let page = desktop.open_app_with_receiver(&address).await;
    let path = connect(&page).await;

    // One status, delivered three times; another one in the same delivery.
    let sent = status("wamid.one", "sent");
    for _ in 0..3 {
        assert_eq!(post(&address, &path, &sent, Some(&sign(SECRET, &sent))), 200);
    }
    let failed = status("wamid.two", "failed");
    assert_eq!(post(&address, &path, &failed, Some(&sign(SECRET, &failed))), 200);
    page.click("radio", "Events").await;
    page.wait_for_text("delivered 3 times").await;
    page.wait_for_text("Failed").await;
    page.screenshot("1-events").await;
    page.check_accessibility("events").await;

    // Rejected: unsigned, signed with another secret, and with a body that a proxy rewrote.
    assert_eq!(post(&address, &path, &sent, None), 401);
    assert_eq!(post(&address, &path, &sent, Some(&sign("another", &sent))), 401);
    let rewritten = sent.replace(r"\u00e9", "é").replace(r"\/", "/");
    assert_eq!(post(&address, &path, &rewritten, Some(&sign(SECRET, &sent))), 401);
    let newline = format!("{sent}\n");
    assert_eq!(post(&address, &path, &newline, Some(&sign(SECRET, &sent))), 401);
    page.click("radio", "Rejected").await;
    page.wait_for_text("A line break or whitespace was added").await;
    page.wait_for_text("The JSON was parsed and written again").await;
    page.screenshot("2-refused").await;
    page.check_accessibility("rejected deliveries").await;
    page.click("row", "It was signed with a different secret").await;
    page.wait_for_text("What to do").await;
    page.screenshot("3-diagnosis").await;
    page.check_accessibility("diagnosis").await;

    // Support finds the details of both in the settings.
    page.click("link", "Technical details").await;
    page.wait_for_text("Original body").await;
    page.screenshot("3-rejected-for-support").await;
    page.check_accessibility("rejected delivery for support").await;
    page.click("link", "Activity").await;
    page.click("row", "Message status: +55 11 99999-0000, Failed").await;
    page.wait_for_text("For support").await;
    page.screenshot("3-event").await;
    page.click("link", "Delivery 4").await;
    page.wait_for_text("Valid").await;
    page.wait_for_text("x-hub-signature-256").await;
    page.screenshot("3-delivery-for-support").await;
    page.check_accessibility("delivery for support").await;

    // A backup while the app runs.
    page.click("link", "Settings").await;
    page.click("tab", "Storage").await;
    page.wait_for_text("4 deliveries").await;
    page.screenshot("4-storage").await;
    page.check_accessibility("storage").await;
    let backups = desktop.file("backups");
    std::fs::create_dir(&backups).unwrap();
    desktop.answer_file_dialog(&backups);
    page.click("button", "Back up").await;
    page.wait_for_text("Backup created and checked").await;
    page.screenshot("5-backup").await;
    assert!(holds_file(&backups, "inbox.sqlite"), "the backup contains no webhooks");

    // A crash loses nothing, and is reported.
    desktop.kill_app();
    drop(page);
    let page = desktop.open_app_with_receiver(&address).await;
    // It opens on the screen of the last run.
    page.find("heading", "Settings").await;
    page.click("link", "Activity").await;
    page.wait_for_text("delivered 3 times").await;
    page.click("link", "Settings").await;
    page.click("tab", "Storage").await;
    page.wait_for_text("unexpectedly").await;
    page.wait_for_text("No problems found").await;
    page.screenshot("6-after-a-crash").await;
    page.close().await;
    assert!(!desktop.log_files().is_empty(), "the log files are written");
    assert!(!desktop.logs().contains(SECRET), "the secret is in the log");
    assert!(!holds(&desktop.data_folder(), SECRET), "the secret is in a file");
    assert!(!holds(&backups, SECRET), "the secret is in the backup");
}

/// Whether a folder or its subfolders have a file with that name.
fn holds_file(folder: &std::path::Path, name: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() { holds_file(&path, name) } else { path.file_name().unwrap() == name }
    })
}
