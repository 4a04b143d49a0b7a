//! Connecting a real workspace: *Test connection* reports the actual result, secrets go to the keyring, input is kept.

use std::net::TcpListener;

use super::desktop::{Desktop, Keyring, free_port};
use super::page::Page;
use super::provider::{Provider, TOKEN, WORKSPACE};

async fn fill_form(page: &Page, base_url: &str, token: &str) {
    page.fill("textbox", "Name", "Flower shop").await;
    page.fill("textbox", "Base URL", base_url).await;
    page.fill("textbox", "Workspace UUID", WORKSPACE).await;
    page.fill("textbox", "Access token", token).await;
}

async fn open_form(page: &Page) {
    page.click("link", "Settings").await;
    page.click("link", "Add workspace").await;
    page.click("button", "All fields on one page").await;
    page.find("textbox", "Base URL").await;
}

#[tokio::test]
async fn a_workspace_is_connected_with_its_token_only_in_the_keyring() {
    let provider = Provider::start();
    let mut desktop = Desktop::start("connect", Keyring::Unlocked);
    let page = desktop.open_app().await;
    open_form(&page).await;

    // A closed port, an unknown name, a wrong token: each error is shown, and the input is kept.
    fill_form(&page, &format!("http://127.0.0.1:{}", free_port()), TOKEN).await;
    page.click("button", "Test connection").await;
    page.wait_for_text("We can't reach your provider").await;
    page.wait_for_text("refused").await;
    page.screenshot("1-closed-port").await;
    page.fill("textbox", "Base URL", "https://provider.invalid").await;
    page.click("button", "Test connection").await;
    page.wait_for_text("provider.invalid").await;
    page.screenshot("2-unknown-host").await;
    page.fill("textbox", "Base URL", &provider.base_url).await;
    page.fill("textbox", "Access token", "another-token").await;
    page.click("button", "Test connection").await;
    page.wait_for_text("Your provider rejected the credentials").await;
    page.screenshot("3-wrong-token").await;
    assert_eq!(page.value("textbox", "Name").await, "Flower shop");
    assert_eq!(page.value("textbox", "Workspace UUID").await, WORKSPACE);

    // Errors are shown at their field.
    page.fill("textbox", "Workspace UUID", "12").await;
    page.click("button", "Save workspace").await;
    page.wait_for_text("This has 2 of 32 digits").await;
    page.fill("textbox", "Workspace UUID", WORKSPACE).await;

    page.fill("textbox", "Access token", TOKEN).await;
    page.click("button", "Add number").await;
    page.fill("textbox", "ID of number 1", "300000000000001").await;
    page.click("button", "Test connection").await;
    page.wait_for_text("The connection works").await;
    page.screenshot("4-connected").await;
    page.check_accessibility("workspace form").await;
    page.click("button", "Save workspace").await;
    page.wait_for_placeholder("Access token", "Stored in the keyring").await;
    page.screenshot("5-saved").await;
    assert!(!page.client.source().await.unwrap().contains(TOKEN), "the token is in the page");
    page.switch_workspace("Flower shop").await;
    page.click("link", "Templates").await;
    page.wait_for_text("spring_sale").await;
    page.close().await;
    assert!(!holds(&desktop.data_folder(), TOKEN), "the token is in a file");
    assert!(!desktop.logs().contains(TOKEN), "the token is in the log");
}

#[tokio::test]
async fn without_a_keyring_the_person_chooses_where_secrets_are_stored() {
    let mut desktop = Desktop::start("no-keyring", Keyring::Absent);
    let page = desktop.open_app().await;
    open_form(&page).await;
    fill_form(&page, "https://provider.invalid", TOKEN).await;
    page.click("button", "Save workspace").await;
    page.wait_for_text("The system keyring is not available").await;
    page.screenshot("1-no-keyring").await;
    page.click("button", "Keep for this session and save").await;
    page.wait_for_placeholder("Access token", "Kept for this session").await;
    page.screenshot("2-session-only").await;
    page.close().await;
    assert!(!holds(&desktop.data_folder(), TOKEN), "the token is in a file");
}

#[tokio::test]
async fn a_port_in_use_is_reported_and_another_is_used() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut desktop = Desktop::start("port-in-use", Keyring::Unlocked);
    let page = desktop.open_app_with_receiver(&taken.local_addr().unwrap().to_string()).await;
    page.click("link", "Activity").await;
    page.wait_for_text("another program uses this port").await;
    page.screenshot("1-port-in-use").await;
    page.click("button", "Use 127.0.0.1").await;
    page.wait_for_text("Receiving webhooks").await;
    page.screenshot("2-another-port").await;
    page.close().await;
}

/// Whether a file below `folder` contains `needle`.
pub(super) fn holds(folder: &std::path::Path, needle: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holds(&path, needle)
        } else {
            let bytes = std::fs::read(&path).unwrap();
            bytes.windows(needle.len()).any(|window| window == needle.as_bytes())
        }
    })
}
