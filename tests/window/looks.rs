//! Every screen, light and wide, then dark and narrow: all elements have labels and enough contrast, and nothing is clipped.

use serde_json::Value;

use super::desktop::{Desktop, Keyring};
use super::page::Page;

const SCREENS: [(&str, &str); 8] = [
    ("Templates", "spring_sale"),
    ("Review", "greeting"),
    ("Sends", "No sends yet"),
    ("Activity", "No events yet"),
    ("Inbox", "No conversations yet"),
    ("Insights", "No messages in this period"),
    ("Sandbox phone", "Sandbox settings"),
    ("Settings", "Workspaces"),
];

#[tokio::test]
async fn every_screen_light_and_wide_dark_and_narrow() {
    let mut desktop =
        Desktop::start("looks", Keyring::Unlocked).with_sandbox("TEMPLATE_DESK_SANDBOX_PROFILE", "whatsapp");
    let page = desktop.open_app().await;
    for (scheme, size, width, height) in [("Light", "wide", 1280, 860), ("Dark", "narrow", 800, 600)] {
        page.click("link", "Settings").await;
        page.click("tab", "Appearance").await;
        page.click("radio", scheme).await;
        page.wait_for_scheme(&scheme.to_lowercase()).await;
        page.resize(width, height).await;
        for (place, truth) in SCREENS {
            page.click("link", place).await;
            page.wait_for_text(truth).await;
            look(&page, &format!("{}-{size}-{}", scheme.to_lowercase(), place.to_lowercase().replace(' ', "-"))).await;
        }
        for (section, truth) in [
            ("Storage", "Webhook retention"),
            ("Secrets", "The keyring is unlocked"),
            ("Receiver", "Servers you follow"),
        ] {
            page.click("tab", section).await;
            page.wait_for_text(truth).await;
            look(&page, &format!("{}-{size}-{}", scheme.to_lowercase(), section.to_lowercase())).await;
        }
        // Sends: to one recipient, to many, and the list of recipients.
        page.click("link", "Sends").await;
        page.click("link", "New send").await;
        page.find("grid", "Choose an approved template").await;
        page.click("row", "bouquets").await;
        page.find("button", "Fill with samples").await;
        look(&page, &format!("{}-{size}-new-send", scheme.to_lowercase())).await;
        for (list, truth) in [("Recipients", "The address book is empty"), ("Batches", "No batches yet")] {
            page.click("link", "Sends").await;
            page.click("radio", list).await;
            page.wait_for_text(truth).await;
            look(&page, &format!("{}-{size}-{}", scheme.to_lowercase(), list.to_lowercase())).await;
        }
        page.click("link", "New batch").await;
        page.find("grid", "Choose an approved template").await;
        page.click("row", "visit_reminder").await;
        page.click("radio", "CSV file").await;
        look(&page, &format!("{}-{size}-new-batch", scheme.to_lowercase())).await;
        // Composer: rejected cards with what to fix; the same as JSON.
        page.click("link", "Review").await;
        // The board may also show a draft of it.
        let rejected = page.find("region", "Rejected").await;
        page.click_in(&rejected, "link", "tulip_cards").await;
        page.click("button", "Fix and resubmit").await;
        page.wait_for_text("What to fix").await;
        look(&page, &format!("{}-{size}-what-to-fix", scheme.to_lowercase())).await;
        page.click("tab", "Card 2").await;
        look(&page, &format!("{}-{size}-cards", scheme.to_lowercase())).await;
        page.click("radio", "JSON").await;
        page.wait_for_text("\"CAROUSEL\"").await;
        look(&page, &format!("{}-{size}-json", scheme.to_lowercase())).await;
    }
    page.close().await;
}

pub(super) async fn look(page: &Page, name: &str) {
    page.screenshot(name).await;
    page.check_accessibility(name).await;
    let wider = "return document.documentElement.scrollWidth > document.documentElement.clientWidth";
    let wider = page.client.execute(wider, Vec::new()).await.unwrap();
    assert_eq!(wider, Value::Bool(false), "{name} is cut off");
}
