//! Opt-outs: a phone stops marketing with a word and in WhatsApp, Inbox and the settings show it, and a file is refused whole.

use super::desktop::{Desktop, Keyring};
use super::looks::look;
use super::page::Page;

#[tokio::test]
async fn opt_outs_are_shown_added_imported_and_exported() {
    let mut desktop = Desktop::start("opt-outs", Keyring::Unlocked);
    let page = desktop.open_app().await;
    page.click("link", "Sandbox phone").await;
    page.add_phone("5511940001234", "Bia").await;
    page.fill("textbox", "Type a message", "Sair!").await;
    page.click("button", "Send message").await;
    page.wait_for_text("Sair!").await;
    look(&page, "1-phone").await;
    page.click("link", "Inbox").await;
    page.find("grid", "Contacts").await;
    page.click("row", "Bia").await;
    page.wait_for_text("Stopped marketing messages with a reply:").await;
    look(&page, "2-inbox").await;
    page.click("link", "Sandbox phone").await;
    page.click("button", "Stop marketing").await;
    page.find("button", "Resume marketing").await;

    page.click("link", "Settings").await;
    page.click("tab", "Opt-outs").await;
    page.wait_for_text_in(("list", "Opt-outs"), "Stopped in WhatsApp").await;
    page.click("button", "Add a person").await;
    page.fill("textbox", "Phone number or user ID", "+55 11 91234-5678").await;
    look(&page, "3-add").await;
    page.click("button", "Add").await;
    page.wait_for_text_in(("list", "Opt-outs"), "Noted here").await;
    let file = desktop.file("stops.csv");
    std::fs::write(&file, "person;since\r\n+55 11 98765-4321;28/11/2025\r\n12;\r\n").unwrap();
    desktop.answer_file_dialog(&file);
    page.click("button", "Import CSV").await;
    page.wait_for_text("was not imported").await;
    in_both_schemes(&page, "4-faults").await;
    let file = desktop.file("people.csv");
    std::fs::write(&file, "person;name\r\n+55 11 98765-0001;Ana\r\n+55 11 98765-0002;Bia\r\n").unwrap();
    desktop.answer_file_dialog(&file);
    page.click("button", "Import CSV").await;
    page.wait_for_text("2 people of “people.csv” will get no marketing any more").await;
    look(&page, "5-question").await;
    page.click("button", "Stop their marketing").await;
    page.wait_for_text_in(("list", "Opt-outs"), "Imported from “people.csv”").await;
    look(&page, "6-imported").await;
    page.click("button", "Undo").await;
    page.settle().await;
    let listed = page.text_of(("list", "Opt-outs")).await;
    assert!(listed.contains("Noted here") && !listed.contains("Imported from"), "{listed}");
    let saved = desktop.file("opt-outs.csv");
    desktop.answer_file_dialog(&saved);
    page.click("button", "Export CSV").await;
    page.wait_for_text("entries exported").await;
    let exported = std::fs::read_to_string(&saved).unwrap();
    assert!(exported.contains("5511912345678"), "{exported}");
    page.close().await;
}

async fn in_both_schemes(page: &Page, name: &str) {
    look(page, &format!("{name}-light")).await;
    page.click("tab", "Appearance").await;
    page.click("radio", "Dark").await;
    page.wait_for_scheme("dark").await;
    page.resize(800, 600).await;
    page.click("tab", "Opt-outs").await;
    page.wait_for_text("Opt-out words").await;
    look(page, &format!("{name}-dark")).await;
}
