//! Cards with files: composed, rejected, corrected with its list of what to fix and approved, by keyboard only.

use super::desktop::{Desktop, Keyring};
use super::page::{InputMethod, Page};

const PICTURE: &[u8] = include_bytes!("../../icons/128x128.png");

#[tokio::test]
async fn a_rejected_carousel_is_corrected_by_keyboard_only() {
    let mut desktop = Desktop::start("keys", Keyring::Unlocked);
    let mut page = desktop.open_app().await;
    page.hands = InputMethod::Keyboard;
    reject_once(&page).await;
    compose_cards(&desktop, &page, "tulip_keys").await;
    page.check_accessibility("composer with cards").await;
    submit(&page, "tulip_keys").await;
    correct(&page, "tulip_keys").await;
    page.close().await;
}

/// Makes the sandbox reject the next template.
async fn reject_once(page: &Page) {
    page.click("link", "Sandbox phone").await;
    page.click("radio", "Reject the next one").await;
    page.click("button", "Save settings").await;
    page.wait_for_text("Saved").await;
    page.click("link", "Templates").await;
}

/// Three cards, each with a picture, a text and the same button.
async fn compose_cards(desktop: &Desktop, page: &Page, name: &str) {
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Name", name).await;
    page.fill("combobox", "Language", "en_US").await;
    page.click("option", "English (United States)").await;
    page.click("combobox", "Category").await;
    page.click("option", "Marketing").await;
    page.fill("textbox", "Body text", "Our tulips are here, choose the ones you like best.").await;
    page.click("button", "Add carousel").await;
    page.click("button", "Add card").await;
    for card in 1..=3 {
        page.click("tab", &format!("Card {card}")).await;
        let file = desktop.file(&format!("tulip-{card}.png"));
        std::fs::write(&file, PICTURE).unwrap();
        desktop.answer_file_dialog(&file);
        page.click("button", "Choose a file").await;
        page.wait_for_text(&format!("tulip-{card}.png")).await;
        let group = format!("Card {card}");
        page.fill_in(("group", &group), "textbox", "Body text", &format!("Tulips number {card} of this week")).await;
        if card == 1 {
            page.fill_in(("group", &group), "textbox", "Button text", "I want these").await;
        }
    }
    page.wait_for_text("Tulips number 3 of this week").await;
    page.wait_for_text("Saved").await;
    page.screenshot("1-cards").await;
}

/// Submits after the confirmation, and waits for the rejection.
async fn submit(page: &Page, name: &str) {
    page.click("button", "Submit…").await;
    page.click("button", "Technical details").await;
    page.wait_for_text("carousel_files[]").await;
    for card in 1..=3 {
        page.wait_for_text(&format!("tulip-{card}.png")).await;
    }
    page.screenshot("2-submit").await;
    page.click("button", "Submit").await;
    page.find("heading", name).await;
    page.wait_for_text("Rejected").await;
    page.screenshot("3-rejected").await;
}

/// What to fix leads from the reason to the field, and back into the review.
async fn correct(page: &Page, name: &str) {
    page.click("button", "Fix and resubmit").await;
    page.find("textbox", "Body text").await;
    page.wait_for_text("Invalid format").await;
    let scrolled = page.client.execute("return document.querySelector('form').scrollTop", Vec::new()).await.unwrap();
    assert_eq!(scrolled, 0, "what to fix comes first");
    page.screenshot("4-what-to-fix").await;
    page.fill("textbox", "Body text", "Our fresh tulips are here, choose the ones you like best.").await;
    page.wait_for_text("Saved").await;
    page.click("button", "Resubmit").await;
    page.find("heading", name).await;
    // Both versions are stored, each with its result.
    page.click("tab", "Versions").await;
    page.wait_for_text_in(("article", "Edited"), "Approved").await;
    page.wait_for_text_in(("article", "Submitted"), "Rejected").await;
    page.screenshot("5-approved").await;
}
