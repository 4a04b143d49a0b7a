//! A draft through a crash, and an edit of a template with a file.

use super::desktop::{Desktop, Keyring};

#[tokio::test]
async fn a_draft_is_back_after_the_app_was_killed() {
    let mut desktop = Desktop::start("killed", Keyring::Unlocked);
    let page = desktop.open_app().await;
    page.click("button", "New template").await;
    page.fill("textbox", "Name", "precious_words").await;
    page.fill("textbox", "Body text", "Everything that was typed is still here.").await;
    page.shows("Saved").await;
    desktop.kill_app();
    let page = desktop.open_app().await;
    page.click("radio", "Drafts").await;
    page.click("row", "precious_words").await;
    assert_eq!(page.value("textbox", "Body text").await, "Everything that was typed is still here.");
    page.screenshot("1-back").await;
    page.close().await;
}
