//! A draft after a crash, and an edit of a template with a file.

use super::desktop::{Desktop, Keyring};

const PICTURE: &[u8] = include_bytes!("../../icons/128x128.png");

#[tokio::test]
async fn a_draft_is_restored_after_the_app_was_killed() {
    let mut desktop = Desktop::start("killed", Keyring::Unlocked);
    let page = desktop.open_app().await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Name", "precious_words").await;
    page.fill("textbox", "Body text", "Everything that was typed is still here.").await;
    page.wait_for_text("Saved").await;
    desktop.kill_app();
    let page = desktop.open_app().await;
    page.click("radio", "Drafts").await;
    page.click("row", "precious_words").await;
    assert_eq!(page.value("textbox", "Body text").await, "Everything that was typed is still here.");
    page.screenshot("1-back").await;
    page.close().await;
}

#[tokio::test]
async fn a_template_is_edited_with_a_new_file() {
    let mut desktop = Desktop::start("edit", Keyring::Unlocked);
    let picture = desktop.file("new-spring.png");
    std::fs::write(&picture, PICTURE).unwrap();
    let page = desktop.open_app().await;
    page.click("row", "spring_sale").await;
    page.find("heading", "spring_sale").await;
    page.click("button", "Edit").await;
    // Fields that can't be changed say so.
    let name = page.find("textbox", "Name").await;
    assert_eq!(name.prop("readOnly").await.unwrap().as_deref(), Some("true"));
    page.fill("textbox", "Footer text", "Reply STOP to leave").await;
    desktop.answer_file_dialog(&picture);
    page.click("button", "Choose").await;
    page.wait_for_text("new-spring.png").await;
    page.wait_for_text("Saved").await;
    page.screenshot("1-edit").await;
    page.check_accessibility("edit").await;
    page.click("button", "Submit…").await;
    page.click("button", "Technical details").await;
    page.wait_for_text("PUT").await;
    page.wait_for_text("header_file").await;
    page.wait_for_text("Reply STOP to leave").await;
    page.screenshot("2-submit").await;
    page.check_accessibility("edit sheet").await;
    page.click("button", "Submit").await;
    page.find("heading", "spring_sale").await;
    page.wait_for_text("Reply STOP to leave").await;
    page.click("tab", "Versions").await;
    page.wait_for_text_in(("article", "Edited"), "Approved").await;
    page.screenshot("3-approved").await;
    page.close().await;
}
