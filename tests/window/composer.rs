//! A draft after a crash, a draft whose patches are refused, and an edit of a template with a file.

use std::time::{Duration, Instant};

use serde_json::json;

use super::desktop::{Desktop, Keyring};
use super::page::{POLL_INTERVAL, Page, TIMEOUT};

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
async fn the_form_is_drawn_after_the_window_was_resized() {
    let mut desktop = Desktop::start("resized", Keyring::Unlocked);
    let page = desktop.open_app().await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.find("textbox", "Name").await;
    for (width, height) in [(1_280, 820), (800, 600), (1_280, 820), (1_000, 700)] {
        page.resize(width, height).await;
        wait_for_words(&page, &format!("{width}"), height).await;
    }
    page.close().await;
}

/// Waits until the screen shows the labels of the form: dark pixels where it is at any width.
async fn wait_for_words(page: &Page, picture: &str, height: u32) {
    const FEW: usize = 300;
    let started = Instant::now();
    loop {
        page.screenshot(picture).await;
        let screen = image::open(page.screenshot_file(picture)).unwrap();
        let form = screen.crop_imm(240, 150, 320, height - 170).to_luma8();
        let dark = form.pixels().filter(|pixel| pixel.0[0] < 110).count();
        if dark > FEW {
            return;
        }
        assert!(started.elapsed() < TIMEOUT, "{picture}: {dark} dark pixels");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

#[tokio::test]
async fn a_draft_is_saved_when_the_host_refuses_its_patch() {
    let mut desktop = Desktop::start("patches", Keyring::Unlocked);
    let page = desktop.open_app().await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Name", "patched").await;
    page.fill("textbox", "Body text", "One").await;
    wait_for_stored_body(&page, "One").await;
    page.fill("textbox", "Body text", "Two").await;
    wait_for_stored_body(&page, "Two").await;
    // A patch of an unknown request makes the host forget the last one.
    let unknown = "const done = arguments[0];
        window.__TAURI_INTERNALS__.invoke('save_draft', { patch: [], base: 1, revision: 2 })
            .then((answer) => done({ answer }), (error) => done({ error }));";
    let refused = page.client.execute_async(unknown, Vec::new()).await.unwrap();
    assert_eq!(refused, json!({"error": "the patch is not of the last request"}));
    page.fill("textbox", "Body text", "Três “{{1}}”").await;
    wait_for_stored_body(&page, "Três “{{1}}”").await;
    page.fill("textbox", "Body text", "Four").await;
    wait_for_stored_body(&page, "Four").await;
    page.close().await;
}

/// Waits until the stored draft has this body.
async fn wait_for_stored_body(page: &Page, text: &str) {
    const BODY: &str = "const done = arguments[0];
        const draft = location.pathname.concat(location.hash).split('/drafts/')[1];
        window.__TAURI_INTERNALS__.invoke('get_draft', { request: { draft } })
            .then(({ template }) => done(template.components.find(({ type }) => type === 'BODY').text), () => done(null));";
    for _ in 0..200 {
        if page.client.execute_async(BODY, Vec::new()).await.unwrap() == *text {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the stored draft does not get the text {text}");
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
