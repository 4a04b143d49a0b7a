//! The main flows in one window, with a provider that returns only what the contract names.

use std::fmt::Write as _;

use fantoccini::key::Key;

use super::admin_looks::in_all_appearances;
use super::desktop::{Desktop, Keyring};
use super::looks::look;
use super::page::Page;

/// Number of recipients in the file.
const ROWS: usize = 20;

#[tokio::test]
async fn the_minimal_profile_supports_every_workflow() {
    let mut desktop =
        Desktop::start("minimal", Keyring::Unlocked).with_sandbox("TEMPLATE_DESK_SANDBOX_PROFILE", "whatsapp");
    let page = desktop.open_app().await;
    choose_minimal(&page).await;
    compose_and_approve(&page).await;
    create_without_sample(&page).await;
    send_until_read(&page).await;
    open_an_event(&page).await;
    archive_and_unarchive(&page).await;
    edit(&page).await;
    archive_many(&page).await;
    send_to_many(&desktop, &page).await;
    page.close().await;
}

/// Selects the minimal profile; what it offers is in view.
async fn choose_minimal(page: &Page) {
    page.click("link", "Sandbox phone").await;
    page.click("button", "For developers").await;
    page.click("radio", "Minimal").await;
    page.find("switch", "List archived templates").await;
    look(page, "0-profile").await;
    page.click("button", "Save settings").await;
    page.wait_for_text("Saved").await;
}

async fn compose_and_approve(page: &Page) {
    page.click("link", "Templates").await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Name", "autumn_box").await;
    page.fill("combobox", "Language", "en_US").await;
    page.click("option", "English (United States)").await;
    page.click("combobox", "Category").await;
    page.click("option", "Marketing").await;
    page.fill("textbox", "Body text", "Our autumn box is here, with everything that grows in October.").await;
    page.wait_for_text("Saved").await;
    page.click("button", "Submit…").await;
    page.click("button", "Submit").await;
    page.find("heading", "autumn_box").await;
    page.wait_for_text("Approved").await;
    page.screenshot("1-approved").await;
}

/// The contract requires no samples: a warning that can be overridden.
async fn create_without_sample(page: &Page) {
    page.click("link", "Templates").await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Name", "no_sample").await;
    page.fill("combobox", "Language", "en_US").await;
    page.click("option", "English (United States)").await;
    page.click("combobox", "Category").await;
    page.click("option", "Utility").await;
    page.fill("textbox", "Body text", "Your parcel {{1}} is in our shop and waits for you.").await;
    page.wait_for_text("Saved").await;
    page.click("button", "Submit…").await;
    page.wait_for_text("WhatsApp usually rejects").await;
    in_all_appearances(page, "1-override").await;
    page.click("checkbox", "Send it even though WhatsApp usually rejects it").await;
    page.click("button", "Submit").await;
    page.find("heading", "no_sample").await;
    page.wait_for_text("Approved").await;
}

async fn open_an_event(page: &Page) {
    page.click("link", "Activity").await;
    page.click("row", "Template status").await;
    page.wait_for_text("no_sample").await;
    page.press(Key::Escape).await;
}

async fn send_until_read(page: &Page) {
    find_template(page, "autumn_box").await;
    page.click("row", "autumn_box en_US").await;
    page.find("heading", "autumn_box").await;
    page.click("link", "Test send").await;
    page.fill("combobox", "Recipient", "+55 11 98765-4321").await;
    page.press(Key::Escape).await;
    page.click("button", "Send").await;
    for status in ["Sent", "Delivered", "Read"] {
        page.wait_for_text_in(("region", "Delivery status"), status).await;
    }
    page.screenshot("2-read").await;
}

async fn archive_and_unarchive(page: &Page) {
    find_template(page, "autumn_box").await;
    page.click("row", "autumn_box en_US").await;
    page.find("heading", "autumn_box").await;
    page.click("button", "More actions").await;
    page.click("menuitem", "Archive").await;
    page.wait_for_text("“autumn_box” is archived.").await;
    // A listing without the archived state does not unarchive the template.
    page.click("link", "Templates").await;
    page.click("button", "Refresh").await;
    page.search_templates("autumn_box").await;
    page.wait_for_text("No templates found").await;
    page.click("button", "Filters").await;
    page.click("combobox", "Archived").await;
    page.click("option", "Archived only").await;
    page.press(Key::Escape).await;
    page.find("row", "autumn_box").await;
    page.screenshot("3-archived").await;
    page.click("row", "autumn_box en_US").await;
    page.click("button", "More actions").await;
    page.click("menuitem", "Unarchive").await;
    page.wait_for_text("“autumn_box” is active again.").await;
    page.screenshot("4-unarchived").await;
}

async fn edit(page: &Page) {
    page.click("button", "Edit").await;
    page.fill("textbox", "Body text", "Our autumn box is here, with everything that grows in November.").await;
    page.wait_for_text("Saved").await;
    page.click("button", "Submit…").await;
    page.wait_for_text("November").await;
    page.click("button", "Submit").await;
    page.find("heading", "autumn_box").await;
    page.wait_for_text_in(("region", "Body"), "November").await;
    page.wait_for_text("Approved").await;
    page.screenshot("5-edited").await;
}

async fn archive_many(page: &Page) {
    page.click("link", "Templates").await;
    page.click("button", "Clear all").await;
    find_template(page, "visit_reminder").await;
    page.wait_for_text("1 template").await;
    page.click("checkbox", "Select all").await;
    let selection = page.find("region", "Selection").await;
    page.click_in(&selection, "button", "Archive").await;
    let dialog = page.find("dialog", "Archive").await;
    page.click_in(&dialog, "button", "Archive").await;
    page.wait_for_slow_text_in(("region", "Progress"), "done").await;
    page.screenshot("6-many").await;
    // Toasts above have an `Undo` button of their own.
    let progress = page.find("region", "Progress").await;
    page.click_in(&progress, "button", "Undo").await;
    page.find("dialog", "Unarchive").await;
    page.wait_for_slow_text_in(("region", "Progress"), "done").await;
    let progress = page.find("region", "Progress").await;
    page.click_in(&progress, "button", "Close").await;
}

async fn send_to_many(desktop: &Desktop, page: &Page) {
    let file = desktop.file("recipients.csv");
    let mut text = "phone,date,hour\r\n".to_owned();
    for row in 0..ROWS {
        write!(text, "55119{row:08},12 de maio,10h\r\n").unwrap();
    }
    std::fs::write(&file, text).unwrap();
    super::sending::plan_file(desktop, page, &file).await;
    page.click("button", &format!("Send to {ROWS}")).await;
    page.click("button", &format!("Send {ROWS} messages now")).await;
    page.wait_for_slow_text_in(("group", "Rows by status"), &format!("Read {ROWS}")).await;
    page.screenshot("7-batch").await;
}

async fn find_template(page: &Page, name: &str) {
    page.click("link", "Templates").await;
    page.search_templates(name).await;
    page.find("row", name).await;
}
