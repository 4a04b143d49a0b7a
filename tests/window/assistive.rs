//! The main path by keyboard, as a screen reader reads it.

use super::accessibility_tree::{AccessibilityTree, Role};
use super::desktop::{Desktop, Keyring};
use super::page::InputMethod;

#[tokio::test]
async fn a_screen_reader_tells_the_main_path() {
    let mut desktop = Desktop::start("assistive", Keyring::Unlocked);
    let address = desktop.start_accessibility_bus().await;
    let mut page = desktop.open_app().await;
    page.hands = InputMethod::Keyboard;
    let tree = AccessibilityTree::connect(&address).await;

    page.wait_for_text("spring_sale").await;
    tree.says(Role::Landmark, "Main").await;
    for screen in ["Templates", "Review", "Sends", "Activity", "Inbox", "Insights", "Sandbox phone", "Settings"] {
        page.click("link", screen).await;
        tree.says(Role::Heading, screen).await;
    }

    page.click("link", "Templates").await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    tree.says(Role::ComboBox, "Language").await;
    tree.says_focus(Role::Entry, "Name").await;
    page.fill("textbox", "Name", "open_day").await;
    page.fill("combobox", "Language", "en_US").await;
    page.click("option", "English (United States)").await;
    page.fill("textbox", "Body text", "Our doors are open on Saturday. See you there!").await;
    tree.says(Role::Entry, "Body text").await;
    page.wait_for_text("Saved").await;

    page.click("button", "Submit…").await;
    tree.says(Role::Dialog, "").await;
    tree.says_focus(Role::Button, "Submit").await;
    page.click("button", "Submit").await;
    page.wait_for_text("Approved").await;
    tree.says(Role::Heading, "open_day").await;
    tree.says(Role::Link, "Test send").await;

    page.click("link", "Test send").await;
    tree.says(Role::ComboBox, "Recipient").await;
    page.fill("combobox", "Recipient", "+55 11 98765-4321").await;
    page.click("button", "Send").await;
    page.wait_for_text("Read").await;
    tree.says(Role::Heading, "").await;
    page.screenshot("read").await;
    page.close().await;
}
