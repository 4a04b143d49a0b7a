//! Several accounts in one window: a template whose status differs between them, and the faults of a provider.

use fantoccini::key::Key;

use super::desktop::{Desktop, Keyring};
use super::looks::look;
use super::page::Page;

/// A template in three accounts, whose statuses come to differ.
const DIFFERING: &str = "loyalty_points";
/// A template that a listing leaves out.
const LEFT_OUT: &str = "opening_hours";

#[tokio::test]
async fn accounts_have_their_own_status_and_faults_of_the_provider_are_shown() {
    let mut desktop = Desktop::start("agency", Keyring::Unlocked);
    let page = desktop.open_app().await;
    list_accounts(&page).await;
    send_from_an_account(&page).await;
    show_faults(&page).await;
    page.close().await;
}

async fn list_accounts(page: &Page) {
    page.find("row", DIFFERING).await;
    page.wait_for_text("Ipê Flores Eventos").await;
    page.wait_for_text("Clínica Aurora").await;
    for status in ["Paused", "Rejected", "+1"] {
        page.wait_for_text_in(("row", DIFFERING), status).await;
    }
    look(page, "1-accounts").await;

    page.click("row", DIFFERING).await;
    page.find("heading", DIFFERING).await;
    let statuses = ("list", "The status differs between accounts");
    for shown in ["Ipê Flores Atacado", "Paused", "Ipê Flores Eventos", "Rejected", "Approved"] {
        page.wait_for_text_in(statuses, shown).await;
    }
    look(page, "2-statuses").await;
}

async fn send_from_an_account(page: &Page) {
    page.click("link", "Test send").await;
    page.fill("combobox", "Recipient", "+55 11 98765-4321").await;
    page.press(Key::Escape).await;
    page.click("button", "Fill with samples").await;
    // The number of the account in which the template is approved; the others say why not.
    page.click("combobox", "Sending number").await;
    page.wait_for_text("Clínica Aurora").await;
    page.screenshot("3-numbers").await;
    page.press(Key::Escape).await;
    page.click("button", "Send").await;
    for status in ["Sent", "Delivered", "Read"] {
        page.wait_for_text_in(("region", "Delivery status"), status).await;
    }
    page.screenshot("4-read").await;
}

async fn show_faults(page: &Page) {
    set_fault(page, "A template is missing from the list", Some(("Template name", LEFT_OUT))).await;
    refresh(page).await;
    page.wait_for_text_in(("row", LEFT_OUT), "Missing").await;
    look(page, "5-missing").await;

    set_fault(page, "Credentials rejected (HTTP 401)", None).await;
    refresh(page).await;
    page.wait_for_text("Your provider rejected the credentials").await;
    look(page, "6-rejected").await;
}

/// Chooses what the app receives from the sandbox, with a field that the choice needs.
async fn set_fault(page: &Page, answer: &str, field: Option<(&str, &str)>) {
    page.click("link", "Sandbox phone").await;
    page.open_sandbox_settings("What the app receives").await;
    page.click("combobox", "What the app receives").await;
    page.click("option", answer).await;
    if let Some((name, text)) = field {
        page.fill("textbox", name, text).await;
    }
    page.click("button", "Save settings").await;
    page.wait_for_text("Saved").await;
}

async fn refresh(page: &Page) {
    page.click("link", "Templates").await;
    page.click("button", "Refresh").await;
}
