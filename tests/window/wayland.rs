//! The main path on Wayland, on a screen with two pixels for each of the page's.

use super::desktop::Desktop;

#[tokio::test]
async fn a_template_is_written_approved_and_sent_on_wayland() {
    let mut desktop = Desktop::start_on_wayland("wayland", 2);
    let page = desktop.open_app().await;
    page.wait_for_text("spring_sale").await;
    assert_eq!(page.run("return window.devicePixelRatio", vec![]).await, 2);
    page.screenshot("1-templates").await;

    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Name", "garden_party").await;
    page.fill("combobox", "Language", "en_US").await;
    page.click("option", "English (United States)").await;
    page.fill("textbox", "Body text", "Our garden party is on Saturday, and you are invited.").await;
    page.wait_for_text("Saved").await;
    page.screenshot("2-composer").await;
    page.click("button", "Submit…").await;
    page.click("button", "Submit").await;
    page.find("heading", "garden_party").await;
    page.wait_for_text("Approved").await;

    page.click("link", "Test send").await;
    page.fill("combobox", "Recipient", "+55 11 98765-4321").await;
    page.click("button", "Send").await;
    page.wait_for_text("Read").await;
    page.screenshot("3-read").await;
    page.check_accessibility("send").await;
    page.close().await;
}
