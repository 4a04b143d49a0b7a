//! The first-day flow: compose, submit, approval, send, read, events.

use std::time::Duration;

use fantoccini::key::Key;

use super::desktop::{Desktop, Keyring};

/// A small picture of a typical format.
const PICTURE: &[u8] = include_bytes!("../../icons/128x128.png");

#[tokio::test]
async fn a_draft_is_submitted_approved_sent_and_read() {
    let mut desktop = Desktop::start("first-loop", Keyring::Unlocked);
    let picture = desktop.file("flowers.png");
    std::fs::write(&picture, PICTURE).unwrap();
    let page = desktop.open_app().await;

    // The window opens with the sandbox running.
    page.find("navigation", "").await;
    page.wait_for_text("spring_sale").await;
    page.screenshot("1-templates").await;
    page.check_accessibility("templates").await;

    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Name", "garden_party").await;
    page.fill("combobox", "Language", "en_US").await;
    page.click("option", "English (United States)").await;
    page.click("combobox", "Header type").await;
    page.click("option", "Image").await;
    desktop.answer_file_dialog(&picture);
    page.click("button", "Choose a file").await;
    page.wait_for_text("flowers.png").await;
    page.fill("textbox", "Body text", "Hello ").await;
    page.click("button", "Add variable").await;
    let body = page.find("textbox", "Body text").await;
    body.send_keys(", our garden party is on ").await.unwrap();
    page.click("button", "Add variable").await;
    body.send_keys(" and you are invited.").await.unwrap();
    assert_eq!(
        page.value("textbox", "Body text").await,
        "Hello {{1}}, our garden party is on {{2}} and you are invited."
    );
    page.fill("textbox", "Sample for {{1}}", "Ana").await;
    page.fill("textbox", "Sample for {{2}}", "Saturday").await;
    page.fill("textbox", "Footer text", "Reply STOP to opt out").await;
    for kind in ["Open a website", "Quick reply", "Quick reply"] {
        page.click("button", "Add button").await;
        page.click("menuitem", kind).await;
    }
    let website = ("listitem", "Button 1: Open a website");
    page.fill_in(website, "textbox", "Button text", "Directions").await;
    page.fill_in(website, "textbox", "Website address", "https://shop.example/garden").await;
    page.fill_in(("listitem", "Button 2: Quick reply"), "textbox", "Button text", "I am coming").await;
    page.fill_in(("listitem", "Button 3: Quick reply"), "textbox", "Button text", "Not this time").await;
    // The phone shows the message as it will arrive, with samples filled in.
    page.wait_for_text("Hello Ana, our garden party is on Saturday and you are invited.").await;
    page.wait_for_text("Saved").await;
    page.screenshot("2-composer").await;
    page.check_accessibility("composer").await;

    // Submit: what is submitted is shown first, and the request where it is wanted.
    page.click("button", "Submit…").await;
    page.click("button", "Technical details").await;
    page.wait_for_text("header_file").await;
    page.screenshot("3-submit").await;
    page.click("button", "Submit").await;

    // The review ends by itself: a signed webhook arrives.
    page.find("heading", "garden_party").await;
    page.wait_for_text("Approved").await;
    page.screenshot("4-approved").await;
    page.check_accessibility("template").await;

    page.click("link", "Test send").await;
    page.fill("combobox", "Recipient", "+55 11 98765-4321").await;
    page.click("button", "Fill with samples").await;
    page.screenshot("5-send").await;
    page.check_accessibility("new send").await;
    page.click("button", "Send").await;
    page.wait_for_text("Read").await;
    for status in ["Sent", "Delivered", "Read"] {
        page.wait_for_text(status).await;
    }
    page.screenshot("6-read").await;
    page.check_accessibility("send").await;

    // The raw events.
    page.click("link", "Activity").await;
    page.wait_for_text("garden_party").await;
    page.wait_for_text("Delivered").await;
    page.screenshot("7-activity").await;
    page.check_accessibility("activity").await;

    // Every other screen shows correct data.
    for (place, truth) in [
        ("Review", "garden_party"),
        ("Sends", "garden_party"),
        ("Inbox", ""),
        ("Insights", "Delivered"),
        ("Sandbox phone", "+55 11 98765-4321"),
        ("Settings", "Workspaces"),
    ] {
        page.click("link", place).await;
        page.wait_for_text(truth).await;
        page.screenshot(&format!("8-{}", place.to_lowercase().replace(' ', "-"))).await;
        page.check_accessibility(place).await;
    }

    // Everything is reachable by keyboard.
    page.press(Key::Escape).await;
    assert!(page.find_within("dialog", "", None, Duration::ZERO).await.is_none(), "no dialog is left open");
    page.close().await;
}
