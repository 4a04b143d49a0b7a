//! An import that a rate limit delays and a crash interrupts: it is shown again, and can be continued.

use serde_json::json;

use super::admin::write_template;
use super::desktop::{Desktop, Keyring};
use super::page::Page;
use super::provider::{Provider, connect};

#[tokio::test]
async fn an_interrupted_import_is_resumed_after_a_restart() {
    let provider = Provider::start();
    let mut desktop = Desktop::start("import-interrupted", Keyring::Unlocked);
    let folder = desktop.file("templates");
    std::fs::create_dir(&folder).unwrap();
    let names = ["garden_news", "moving_day", "opening_hours"];
    for name in names {
        write_template(&folder, name, "As novidades do jardim chegaram, venha ver de perto.");
    }
    let page = desktop.open_app().await;
    connect(&page, &provider).await;
    provider.ask(
        "POST",
        "/sandbox/faults",
        &json!({"operations": ["create"], "answer": 429, "when": "before", "retry_after": 3_600, "times": 1}),
    );
    open_import(&page).await;
    desktop.answer_file_dialog(&folder);
    page.click("button", "Choose a folder").await;
    page.find("grid", "Preview of the changes").await;
    page.click("button", "Submit 3 templates").await;
    page.wait_for_text("We'll continue automatically").await;
    page.wait_for_text("0 of 3 submitted").await;
    page.screenshot("1-waiting").await;
    page.check_accessibility("import that waits").await;
    desktop.kill_app();

    let page = desktop.open_app().await;
    open_import(&page).await;
    page.wait_for_text("The app was closed before all templates were submitted").await;
    page.screenshot("2-interrupted").await;
    page.check_accessibility("interrupted import").await;
    page.click("button", "Submit 3 remaining templates").await;
    page.wait_for_text("3 created").await;
    page.screenshot("3-done").await;
    page.close().await;
    let listed = provider.ask("GET", "/messaging/provider/workspace-templates", &json!(null)).to_string();
    for name in names {
        assert_eq!(listed.matches(&format!("\"{name}\"")).count(), 1, "{name} is created once: {listed}");
    }
}

async fn open_import(page: &Page) {
    page.click("link", "Templates").await;
    page.click("button", "Import").await;
    page.click("button", "Submit a folder").await;
    page.find("heading", "Submit a folder").await;
}
