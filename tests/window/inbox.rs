//! Inbound messages from a phone: files are shown, checked and saved, and expired files are reported.

use super::desktop::{Desktop, Keyring};
use super::page::Page;

const PICTURE: &[u8] = include_bytes!("../../icons/128x128.png");
const SMALL_PICTURE: &[u8] = include_bytes!("../../icons/32x32.png");

#[tokio::test]
async fn files_from_a_phone_are_shown_checked_and_saved() {
    let mut desktop = Desktop::start("inbox", Keyring::Unlocked);
    let page = desktop.open_app().await;
    page.click("link", "Sandbox phone").await;
    page.add_phone("5511940001234", "Bia").await;
    send_file(&desktop, &page, "garden.png", PICTURE).await;
    page.fill("textbox", "Type a message", "How long do tulips last?").await;
    page.click("button", "Send message").await;
    page.wait_for_text("How long do tulips last?").await;
    page.screenshot("1-phone").await;

    page.click("link", "Inbox").await;
    page.find("grid", "Contacts").await;
    page.click("row", "Bia, 2 unread messages").await;
    page.find("img", "image-").await;
    page.screenshot("2-shown").await;
    page.check_accessibility("conversation with a picture").await;
    let saved = desktop.file("saved.png");
    desktop.answer_file_dialog(&saved);
    page.click("button", "Save image-").await;
    page.wait_for_text("Received completely and saved").await;
    assert_eq!(std::fs::read(&saved).unwrap(), PICTURE, "what was saved is what the phone sent");

    // For another file only the channel's own URL is left, which has expired.
    page.click("link", "Sandbox phone").await;
    page.find("grid", "Phones").await;
    page.open_sandbox_settings("Media links in inbound messages").await;
    page.click("combobox", "Media links in inbound messages").await;
    page.click("option", "With an expired link").await;
    page.click("button", "Save settings").await;
    page.wait_for_text("Saved").await;
    page.click("row", "Bia").await;
    send_file(&desktop, &page, "vase.png", SMALL_PICTURE).await;
    page.click("link", "Inbox").await;
    page.find("grid", "Contacts").await;
    page.click("row", "Bia").await;
    // The token is sent for it only when the person requests the file.
    page.wait_for_text("The file needs your token").await;
    page.screenshot("3-needs-token").await;
    page.check_accessibility("conversation with a file that needs the token").await;
    page.click("button", "Load file").await;
    page.wait_for_text("The file has expired").await;
    page.screenshot("4-expired").await;
    page.check_accessibility("conversation with an expired file").await;

    // The reply window is open, so free text is possible, in place.
    page.wait_for_text("You can reply freely until").await;
    page.fill("textbox", "Message to Bia", "A week, in fresh water.").await;
    page.screenshot("5-text").await;
    page.check_accessibility("reply").await;
    page.click("button", "Send").await;
    page.wait_for_text_in(("article", "From you"), "A week, in fresh water.").await;
    page.find("img", "Read").await;
    assert_eq!(page.value("textbox", "Message to Bia").await, "");
    page.wait_for_text_in(("row", "Bia"), "A week, in fresh water.").await;
    page.screenshot("6-sent").await;
    page.close().await;
}

/// Sends a file from the phone that is open.
async fn send_file(desktop: &Desktop, page: &Page, name: &str, content: &[u8]) {
    let file = desktop.file(name);
    std::fs::write(&file, content).unwrap();
    desktop.answer_file_dialog(&file);
    page.click("button", "Attach a file").await;
    page.wait_for_text(name).await;
}
