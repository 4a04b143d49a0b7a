//! The first minutes of a new user: no screen is empty, and an own template is read soon.

use std::time::Instant;

use super::clip::Clip;
use super::desktop::{Desktop, Keyring};
use super::page::Page;

/// Size of the window.
const SIZE: (u32, u32) = (1_120, 720);

/// Screens with something that the first 60 days of the sandbox put there.
const SCREENS: [(&str, &str); 8] = [
    ("Review", "Approved"),
    ("Sends", "Read"),
    ("Activity", "Delivered"),
    // Only a list of conversations has this filter.
    ("Inbox", "Everyone you messaged"),
    ("Insights", "Delivered"),
    ("Sandbox phone", "Sandbox settings"),
    ("Settings", "Workspaces"),
    ("Templates", "spring_sale"),
];

#[tokio::test]
async fn the_first_template_is_written_approved_and_read_within_minutes() {
    let mut desktop =
        Desktop::start("first-minutes", Keyring::Unlocked).with_sandbox("TEMPLATE_DESK_SANDBOX_SEED", "history");
    let started = Instant::now();
    let page = desktop.open_app().await;
    page.resize(SIZE.0, SIZE.1).await;
    page.wait_for_text("First steps").await;
    let opened = started.elapsed();

    first_template(&page, &mut Clip::new(SIZE, SIZE.0)).await;
    let done = started.elapsed();
    println!("the window after {opened:.1?}, the first template read after {done:.1?}");

    // No screen of a new user is empty.
    for (screen, content) in SCREENS {
        page.click("link", screen).await;
        page.wait_for_text(content).await;
        let text = page.text().await;
        for empty in ["No sends yet", "No events yet", "No conversations yet", "No messages yet", "No data"] {
            assert!(!text.contains(empty), "{screen} is empty: {text}");
        }
        page.screenshot(&format!("full-{}", screen.to_lowercase().replace(' ', "-"))).await;
        page.check_accessibility(screen).await;
    }
    page.close().await;
}

/// Writes a template from a starter, submits it, and sends it to the phone, where it is read.
pub(super) async fn first_template(page: &Page, clip: &mut Clip) {
    clip.take(page, 1_500).await;
    page.click("link", "Write a template").await;
    page.find("radio", "Event invitation").await;
    clip.take(page, 1_000).await;
    page.click("radio", "Event invitation").await;
    clip.take(page, 1_500).await;
    page.click("button", "Use this template").await;
    page.find("textbox", "Body text").await;
    clip.take(page, 1_000).await;
    page.fill("textbox", "Name", "garden_party").await;
    page.wait_for_text("Saved").await;
    clip.take(page, 1_500).await;
    page.click("button", "Submit…").await;
    page.find("dialog", "").await;
    clip.take(page, 1_500).await;
    page.click("button", "Submit").await;
    page.find("heading", "garden_party").await;
    page.wait_for_text("Approved").await;
    clip.take(page, 1_500).await;
    page.click("link", "Test send").await;
    page.fill("combobox", "Recipient", "+55 11 98765-4321").await;
    page.click("button", "Fill with samples").await;
    clip.take(page, 1_500).await;
    page.click("button", "Send").await;
    page.wait_for_text("Read").await;
    clip.take(page, 1_500).await;
    page.click("link", "See it on the phone").await;
    page.find("heading", "Sandbox phone").await;
    page.wait_for_text("You are invited").await;
    clip.take(page, 3_000).await;
}
