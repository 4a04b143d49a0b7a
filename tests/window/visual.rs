//! Key screens look as in `tests/window/baseline`. `make baseline` takes the pictures again after an intended change.

use super::baseline::Comparison;
use super::desktop::{Desktop, Keyring};

const SIZE: (u32, u32) = (1_280, 860);

#[tokio::test]
async fn key_screens_look_as_they_should() {
    let mut desktop =
        Desktop::start("visual", Keyring::Unlocked).with_sandbox("TEMPLATE_DESK_SANDBOX_PROFILE", "whatsapp");
    let page = desktop.open_app().await;
    page.resize(SIZE.0, SIZE.1).await;
    let mut comparison = Comparison::default();
    macro_rules! look {
        ($name:literal) => {
            comparison.look(&page, $name, SIZE).await
        };
    }

    page.wait_for_text("spring_sale").await;
    look!("templates");
    page.click("radio", "Languages").await;
    page.find("grid", "").await;
    look!("languages");
    page.click("link", "Templates").await;
    page.search_templates("bouquets").await;
    page.click("row", "bouquets").await;
    page.find("heading", "bouquets").await;
    page.wait_for_text("Test send").await;
    look!("template");
    page.click("link", "Test send").await;
    page.click("button", "Fill with samples").await;
    page.wait_for_text("The file is accepted").await;
    look!("new-send");

    page.click("link", "Review").await;
    let rejected = page.find("region", "Rejected").await;
    page.wait_for_text("tulip_cards").await;
    look!("review");
    page.click_in(&rejected, "link", "tulip_cards").await;
    page.wait_for_text("Fix and resubmit").await;
    look!("rejected");
    page.click("button", "Fix and resubmit").await;
    page.wait_for_text("What to fix").await;
    look!("composer-cards");

    page.click("link", "Sends").await;
    page.wait_for_text("No sends yet").await;
    look!("sends");
    page.click("radio", "Batches").await;
    page.click("link", "New batch").await;
    page.find("grid", "Choose an approved template").await;
    page.click("row", "visit_reminder").await;
    page.click("radio", "CSV file").await;
    look!("new-batch");

    page.click("link", "Sandbox phone").await;
    page.wait_for_text("Sandbox settings").await;
    look!("sandbox-phone");
    page.click("link", "Inbox").await;
    page.wait_for_text("No conversations yet").await;
    look!("inbox");
    page.click("link", "Activity").await;
    page.wait_for_text("No events yet").await;
    look!("activity");
    page.click("link", "Insights").await;
    page.click("tab", "Overview").await;
    page.wait_for_text("Approved").await;
    look!("insights");
    page.click("link", "Settings").await;
    page.wait_for_text("Workspaces").await;
    look!("settings");
    page.click("tab", "Appearance").await;
    page.click("radio", "Dark").await;
    page.wait_for_scheme("dark").await;
    look!("appearance-dark");
    page.click("link", "Templates").await;
    page.fill("textbox", "Search", "").await;
    page.wait_for_text("spring_sale").await;
    look!("templates-dark");
    page.close().await;

    assert_eq!(comparison.compared, 16);
    assert!(comparison.different.is_empty(), "{:#?}; make baseline accepts it", comparison.different);
}
