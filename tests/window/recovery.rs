//! What is kept over a restart, a crash of the page and a crash of the app, and links from other programs.

use std::time::Instant;

use serde_json::{Value, json};

use super::desktop::{Desktop, Keyring};
use super::page::{POLL_INTERVAL, Page, TIMEOUT};
use super::sending::compose;
use super::x_windows::{Windows, wait_until};

/// Who writes to us.
const CONTACT: &str = "Bia";

#[tokio::test]
async fn the_window_opens_where_it_was_closed() {
    let mut desktop = Desktop::start("window-place", Keyring::Absent);
    let page = desktop.open_app().await;
    page.find("heading", "Templates").await;
    page.click("link", "Review").await;
    page.find("heading", "Review").await;
    let windows = Windows::of(&desktop);
    let area = (150, 60, 1000, 700);
    windows.place(area);
    wait_until("the window is moved", || windows.area() == area).await;
    // Closed at once: the place is stored on closing too.
    desktop.close_app().await;
    drop(page);
    let page = desktop.open_app().await;
    page.find("heading", "Review").await;
    let windows = Windows::of(&desktop);
    wait_until("the window is where it was", || windows.area() == area).await;
    page.close().await;
}

#[tokio::test]
async fn a_crash_of_the_page_reloads_it_with_what_was_typed() {
    let mut desktop = Desktop::start("page-crash", Keyring::Absent);
    let page = desktop.open_app().await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Body text", "Typed before the crash.").await;
    page.wait_for_text("Saved").await;
    page.click("link", "Sandbox phone").await;
    page.add_phone("5511940001234", CONTACT).await;
    page.click("row", CONTACT).await;
    page.fill("textbox", "Type a message", "How long do tulips last?").await;
    page.click("button", "Send message").await;
    page.click("link", "Inbox").await;
    // The list of phones has such a row, too.
    page.find("heading", "Inbox").await;
    page.click("row", CONTACT).await;
    page.fill("textbox", &format!("Message to {CONTACT}"), "Half a reply").await;
    compose(&page, "visit_reminder, Portuguese (Brazil)", "+55 11 98765-4321").await;
    page.click("button", "Fill with samples").await;
    page.find("button", "Clear all").await;
    wait_for_forms(&page, &["Half a reply", "98765-4321"]).await;
    desktop.kill_page();
    // The driver ends its session with the process of the page.
    wait_until("the reloaded page runs", || desktop.log_files().contains("the page runs again after a crash")).await;
    page.screenshot("reloaded").await;
    drop(page);
    desktop.close_app().await;

    let page = desktop.open_app().await;
    page.click("link", "Templates").await;
    page.click("radio", "Drafts").await;
    page.click("row", "Unnamed draft").await;
    page.find("textbox", "Body text").await;
    assert_eq!(page.value("textbox", "Body text").await, "Typed before the crash.");
    page.click("link", "Inbox").await;
    page.click("row", CONTACT).await;
    page.find("textbox", &format!("Message to {CONTACT}")).await;
    assert_eq!(page.value("textbox", &format!("Message to {CONTACT}")).await, "Half a reply");
    let cursor = page.run("return document.activeElement.selectionStart", Vec::new()).await;
    assert_eq!(cursor, "Half a reply".len(), "what is typed next goes on with it");
    page.screenshot("reply").await;
    page.click("link", "Sends").await;
    page.click("link", "New send").await;
    page.click("row", "visit_reminder, Portuguese (Brazil)").await;
    page.find("button", "Clear all").await;
    assert_eq!(page.value("combobox", "Recipient").await, "+55 11 98765-4321");
    page.screenshot("send").await;
    page.close().await;
}

/// Waits until the host has stored forms with these texts.
async fn wait_for_forms(page: &Page, texts: &[&str]) {
    let script = "const [done] = arguments;
        window.__TAURI_INTERNALS__.invoke('list_unfinished_forms', { request: {} })
            .then((forms) => done(JSON.stringify(forms)), (error) => done(String(error)));";
    let started = Instant::now();
    loop {
        let forms = page.client.execute_async(script, Vec::new()).await.unwrap();
        let forms = forms.as_str().unwrap_or_default();
        if texts.iter().all(|text| forms.contains(text)) {
            return;
        }
        assert!(started.elapsed() < TIMEOUT, "not stored: {forms}");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

#[tokio::test]
async fn a_crash_of_the_app_is_reported_at_the_next_start() {
    let mut desktop = Desktop::start("app-crash", Keyring::Absent);
    let opened = desktop.record_opened();
    let page = desktop.open_app().await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Body text", "Greetings from the orchard").await;
    page.wait_for_text("Saved").await;
    desktop.kill_app();

    let page = desktop.open_app().await;
    page.wait_for_text("Template Desk did not close normally last time").await;
    page.check_accessibility("after a crash").await;
    page.click("button", "Open log folder").await;
    let logs = desktop.data_folder().join("logs");
    wait_until("the folder is opened", || {
        std::fs::read_to_string(&opened).is_ok_and(|folder| folder == logs.to_str().unwrap())
    })
    .await;
    // The programs that the app starts do not inherit the variables of the page.
    let of_page = desktop.environment_of_page();
    for variable in ["JSC_useDFGJIT=0", "JSC_forceRAMSize=268435456", "JSC_largeHeapGrowthFactor=1.6"] {
        assert!(of_page.iter().any(|of_page| of_page == variable), "{variable}");
    }
    let of_program = std::fs::read_to_string(opened.with_extension("env")).unwrap();
    for variable in ["JSC_", "WEBKIT_DISABLE_COMPOSITING_MODE"] {
        assert!(!of_program.contains(variable), "{of_program}");
    }

    let file = desktop.file("diagnostics.txt");
    desktop.answer_file_dialog(&file);
    page.click("button", "Save diagnostics…").await;
    let shown = page.text_of(("group", "Diagnostics")).await;
    assert!(shown.contains("last stop: unclean") && shown.contains("draft: 1"), "{shown}");
    page.check_accessibility("diagnostics").await;
    page.screenshot("diagnostics").await;
    page.click("button", "Save…").await;
    page.wait_for_text("Diagnostics saved").await;
    let saved = std::fs::read_to_string(&file).unwrap();
    assert_eq!(saved.split_whitespace().collect::<Vec<_>>().join(" "), shown, "what is saved is what was shown");
    for word in ["spring_sale", "Greetings", "orchard", "Ipê", "5511", desktop.data_folder().to_str().unwrap()] {
        assert!(!saved.contains(word), "{word} is in {saved}");
    }
    page.close().await;
}

/// The reference of a template.
async fn reference_of(page: &Page, name: &str) -> String {
    let script = "const [search, done] = arguments;
        const request = { workspace: 'sandbox', search, offset: 0, limit: 10 };
        window.__TAURI_INTERNALS__.invoke('list_templates', { request })
            .then(({ rows }) => done(rows.find(({ name }) => name === search)?.reference ?? null), (error) => done({ error }));";
    let reference = page.client.execute_async(script, vec![json!(name)]).await.unwrap();
    let Value::String(reference) = reference else { panic!("no template {name}: {reference}") };
    reference
}

#[tokio::test]
async fn links_open_their_page_in_the_running_window() {
    let mut desktop = Desktop::start("links", Keyring::Unlocked);
    let page = desktop.open_app_at_home("127.0.0.1:0").await;
    page.find("heading", "Templates").await;
    page.find("row", "spring_sale").await;
    let reference = reference_of(&page, "spring_sale").await;
    desktop.open_link(&format!("template-desk://templates/{reference}?workspace=sandbox"));
    page.find("heading", "spring_sale").await;
    desktop.open_link("template-desk://settings/secrets");
    page.wait_for_text("This link can't be opened").await;
    desktop.open_link(&format!("template-desk://templates/{reference}?workspace=elsewhere"));
    page.wait_for_text("This link belongs to another computer").await;
    page.find("heading", "spring_sale").await;
    page.close().await;
}
