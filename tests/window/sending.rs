//! Test sends: every part of a carousel is requested and tracked, media are checked before the send, many recipients.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fantoccini::key::Key;
use serde_json::{Value, json};

use super::desktop::{Desktop, Keyring};
use super::page::Page;
use super::pictures::serve_pictures;
use super::provider::{Provider, connect};

#[tokio::test]
async fn a_carousel_is_sent_read_tapped_and_answered() {
    let mut desktop = Desktop::start("carousel", Keyring::Unlocked);
    let page = desktop.open_app().await;
    compose(&page, "bouquets", "+55 11 91234-5678").await;
    page.click("button", "Send").await;
    // Nothing was filled in: each missing part is marked at its field, and nothing was sent.
    page.wait_for_text("fields need attention").await;
    page.screenshot("1-asked").await;
    page.click("button", "Fill with samples").await;
    page.click("button", "Card 2").await;
    // The phone scrolls to the card that is filled in.
    page.wait_for_text("2 / 3").await;
    page.click("button", "Advanced").await;
    page.fill("textbox", "Card 2 · Reply ID: Quero este", "wants-roses").await;
    page.screenshot("2-filled").await;
    page.check_accessibility("send form with cards").await;
    page.click("button", "Send").await;
    for status in ["Sent", "Delivered", "Read"] {
        page.wait_for_text_in(("region", "Delivery status"), status).await;
    }
    page.screenshot("3-read").await;
    page.check_accessibility("send").await;

    // On the phone, the second card is swiped to and its quick reply is tapped.
    page.click("link", "Sandbox phone").await;
    page.find("grid", "Phones").await;
    page.click("row", "5511912345678").await;
    page.click("button", "Next card").await;
    let card = page.find("listitem", "Card 2 of 3").await;
    page.click_in(&card, "button", "Quero este").await;
    page.find("button", "Quero este, tapped").await;
    let wide_quotes = "const beyond = (inner, outer) => inner.right > outer.right || inner.left < outer.left;
        const boxOf = (element) => element.getBoundingClientRect();
        return [...document.querySelectorAll('figure blockquote')].map((quote) => [
            beyond(boxOf(quote), boxOf(quote.parentElement.parentElement)), beyond(boxOf(quote), boxOf(quote.closest('figure')))]);";
    let wide_quotes = page.client.execute(wide_quotes, Vec::new()).await.unwrap();
    assert_eq!(wide_quotes, json!([[false, false]]), "the quote is inside its bubble and the phone");
    page.screenshot("4-tapped").await;
    page.check_accessibility("phone").await;

    // The reply arrived, and shows the send that it answers.
    page.click("link", "Inbox").await;
    page.find("grid", "Contacts").await;
    page.click("row", "Person 5511912345678, one unread message").await;
    let reply = ("article", "From Person 5511912345678");
    page.wait_for_text_in(reply, "Quero este").await;
    page.screenshot("5-inbox").await;
    page.check_accessibility("conversation").await;
    let reply = page.find(reply.0, reply.1).await;
    page.click_in(&reply, "button", "Message options").await;
    page.wait_for_text("wants-roses").await;
    page.press(Key::Escape).await;
    let ours = page.find("article", "From you").await;
    page.click_in(&ours, "button", "Message options").await;
    page.click("menuitem", "Open send").await;
    page.wait_for_text_in(("region", "Replies to this message"), "Quero este").await;
    page.screenshot("6-answered").await;
    page.close().await;
}

#[tokio::test]
async fn pictures_are_checked_before_a_send_and_failures_explained() {
    let mut desktop = Desktop::start("oversize", Keyring::Unlocked);
    let pictures = serve_pictures();
    let page = desktop.open_app().await;
    compose(&page, "summer_offer", "+55 11 91234-5678").await;
    page.click("button", "Fill with samples").await;
    page.click("button", "In one day").await;

    // A picture that is too large can't be sent, and that can't be overridden.
    page.fill("textbox", "Picture link", &format!("{pictures}/poster.png")).await;
    page.click("button", "Send").await;
    page.wait_for_text("The file is 5.7 MB; the limit is 5 MB").await;
    assert!(page.find_within("button", "Send anyway", None, Duration::ZERO).await.is_none(), "no error is overridden");
    page.screenshot("1-stopped").await;
    page.check_accessibility("stopped send").await;
    page.click("link", "Sends").await;
    page.wait_for_text("No sends yet").await;

    // A picture with a too small declared size passes; the channel measures it and reports the error by webhook.
    compose(&page, "summer_offer", "+55 11 91234-5678").await;
    page.fill("textbox", "Picture link", &format!("{pictures}/liar.png")).await;
    page.click("button", "Send").await;
    page.find("region", "Delivery status").await;
    page.wait_for_text_in(("region", "Delivery status"), "Failed").await;
    page.wait_for_text("131053").await;
    page.wait_for_text("5242880").await;
    page.screenshot("2-failed").await;
    page.check_accessibility("failed send").await;

    // Sent again with the same values, except for the picture.
    page.click("button", "Send again").await;
    assert_eq!(page.value("textbox", "Picture link").await, format!("{pictures}/liar.png"));
    page.fill("textbox", "Picture link", &format!("{pictures}/rose.png")).await;
    page.click("button", "Send").await;
    page.wait_for_text_in(("region", "Delivery status"), "Read").await;
    page.screenshot("3-read").await;
    page.close().await;
}

#[tokio::test]
async fn a_file_is_checked_and_sent_once() {
    let mut desktop = Desktop::start("batch", Keyring::Unlocked);
    let page = desktop.open_app().await;
    let mut rows: Vec<String> = (0..20).map(row).collect();
    rows[6] = "not a number,Ana,12 de maio,10h".to_owned();
    rows[9] = "5511900000009,Bia,,10h".to_owned();
    rows[18] = "5511900000018,Caio,\"12 de\nmaio\",10h".to_owned();
    plan(&desktop, &page, &rows).await;
    page.wait_for_text("17 ready to send; 3 rows are skipped.").await;
    for line in ["8", "11", "20"] {
        page.wait_for_text_in(("table", "Rows that can't be sent"), line).await;
    }
    page.screenshot("1-checked").await;
    page.check_accessibility("checked batch").await;
    page.click("button", "Skip 3 rows with problems and send 17").await;
    page.screenshot("2-confirm").await;
    page.click("button", "Send 17 messages now").await;
    page.find("heading", "Batch of visit_reminder").await;
    page.wait_for_slow_text_in(("group", "Rows by status"), "Read 17").await;
    page.wait_for_text_in(("group", "Rows by status"), "Skipped 3").await;
    page.screenshot("3-done").await;
    page.check_accessibility("batch").await;

    // Each recipient has one message; the three have none.
    page.click("link", "Sandbox phone").await;
    page.find("grid", "Phones").await;
    page.fill("textbox", "Search phones", "5511900000009").await;
    page.wait_for_text("No phones found").await;
    page.fill("textbox", "Search phones", "5511900000012").await;
    page.find("row", "5511900000012, one message").await;
    page.close().await;
}

#[tokio::test]
async fn a_batch_is_cancelled_and_resumed() {
    let provider = Provider::start();
    let mut desktop = Desktop::start("cancel", Keyring::Unlocked);
    let page = desktop.open_app().await;
    connect(&page, &provider).await;
    let rows: Vec<String> = (0..10).map(row).collect();
    plan(&desktop, &page, &rows).await;
    // The provider stops the batch in the middle.
    let busy = json!({ "operations": ["send"], "answer": 429, "when": "before", "retry_after": 3600, "times": 1,
        "recipient": "5511900000004" });
    provider.ask("POST", "/sandbox/faults", &busy);
    page.click("button", "Send to 10").await;
    page.click("button", "Send 10 messages now").await;
    page.find("progressbar", "Progress of the batch").await;
    page.click("button", "Pause").await;
    page.screenshot("1-cancel").await;
    page.click("button", "Leave it paused").await;
    let rest = count(&page, "Not sent").await;
    assert!((1..10).contains(&rest), "{rest} of 10 were not sent: that is not the middle");
    page.screenshot("2-paused").await;
    page.check_accessibility("paused batch").await;

    // The remaining messages are sent on request, and nobody gets a message twice.
    page.click("button", "Send the remaining").await;
    page.click("button", &format!("Send {rest} now")).await;
    page.wait_for_slow_text_in(("main", ""), "10 of 10 rows done").await;
    page.screenshot("3-done").await;
    let counts = provider.ask("GET", "/sandbox/counts", &Value::Null);
    let recipients = counts["recipients"].as_object().unwrap();
    assert_eq!(recipients.len(), 10, "{counts}");
    assert!(recipients.values().all(|count| count["messages"] == 1), "{counts}");
    page.close().await;
}

/// Opens the form of a test send.
pub(super) async fn compose(page: &Page, template: &str, recipient: &str) {
    page.click("link", "Sends").await;
    page.click("link", "New send").await;
    page.find("grid", "Choose an approved template").await;
    page.click("row", template).await;
    page.fill("combobox", "Recipient", recipient).await;
    page.press(Key::Escape).await;
}

/// A row of the file, with a unique recipient.
fn row(number: usize) -> String {
    format!("+55119{number:08},Ana {number},12 de maio,10h")
}

/// Chooses a file of recipients for a template and waits for its check.
async fn plan(desktop: &Desktop, page: &Page, rows: &[String]) {
    plan_file(desktop, page, &write(desktop, rows)).await;
}

/// Begins a batch of a template with a file of recipients.
pub(super) async fn choose_file(desktop: &Desktop, page: &Page, template: &str, file: &Path) {
    page.click("link", "Sends").await;
    page.click("radio", "Batches").await;
    page.click("link", "New batch").await;
    page.find("grid", "Choose an approved template").await;
    page.click("row", template).await;
    page.click("radio", "CSV file").await;
    desktop.answer_file_dialog(file);
    page.click("button", "Choose a CSV file").await;
    page.find("region", "First rows of the file").await;
}

/// As [`plan`], for an existing file.
pub(super) async fn plan_file(desktop: &Desktop, page: &Page, file: &Path) {
    choose_file(desktop, page, "visit_reminder, Portuguese (Brazil)", file).await;
    for (part, column) in [("Variable {{1}}", "date"), ("Variable {{2}}", "hour")] {
        page.click("combobox", part).await;
        page.click("option", column).await;
    }
    page.screenshot("0-file").await;
    page.check_accessibility("file of a batch").await;
    page.click("button", "Check recipients").await;
    page.find("heading", "Result of the check").await;
}

fn write(desktop: &Desktop, rows: &[String]) -> PathBuf {
    let file = desktop.file("recipients.csv");
    let mut text = "phone,name,date,hour\r\n".to_owned();
    for row in rows {
        write!(text, "{row}\r\n").unwrap();
    }
    std::fs::write(&file, text).unwrap();
    file
}

/// Number of rows in a state, once the batch is idle.
async fn count(page: &Page, state: &str) -> usize {
    page.find("button", "Send the remaining").await;
    let states = page.names_of("button").await;
    let found = states.iter().find_map(|name| name.strip_prefix(state)?.trim().parse().ok());
    found.unwrap_or_else(|| panic!("no rows are {state}: {states:?}"))
}
