//! What a sender reads before and after a send to many: prices, values, who is left out, a raised category, limits.

use serde_json::{Value, json};

use super::desktop::{Desktop, Keyring, free_port};
use super::looks::look;
use super::page::Page;
use super::provider::{Provider, connect_with_webhooks};
use super::sending::{choose_file, compose, plan_file};

const FAULTY_PRICES: &str = "market,category,price,currency,valid_from\n\
    Brazil,marketing,0.0625,USD,2026-07-01\n\
    Brazil,utility,cheap,USD,2026-07-01\n\
    Brazil,sms,1,USD,2026-07-01\n";
const PRICES: &str = "market,category,price,currency,valid_from\n\
    Brazil,marketing,0.0625,USD,2026-07-01\n\
    Mexico,marketing,0.0436,USD,2026-07-01\n";

/// One row with an empty name, one twice, one whose message is held back, one who stopped marketing, one wrong number.
const PEOPLE: &str = "phone,name,date\n\
    +55 11 91234-0001,ANA SOUZA,28/11/2026\n\
    +55 11 91234-0002,,13/12/2026\n\
    +55 11 91234-0003,Caio Lima,05/12/2026\n\
    +55 11 91234-0003,Caio Lima,05/12/2026\n\
    +52 55 1234 5678,Lupe Ramos,20/12/2026\n\
    5511900131049,Davi Melo,21/12/2026\n\
    +55 11 91234-0009,Eva Reis,22/12/2026\n\
    12,Fabio Nunes,23/12/2026\n";

const CHECK: (&str, &str) = ("region", "Result of the check");

#[tokio::test]
async fn costs_values_and_people_left_out_are_shown_before_and_after_a_batch() {
    let mut desktop = Desktop::start("before-a-batch", Keyring::Unlocked);
    let page = desktop.open_app().await;
    import_prices(&desktop, &page).await;
    page.click("tab", "Opt-outs").await;
    page.click("button", "Add a person").await;
    page.fill("textbox", "Phone number or user ID", "+55 11 91234-0009").await;
    page.click("button", "Add").await;
    page.wait_for_text_in(("list", "Opt-outs"), "Noted here").await;

    map_values(&desktop, &page).await;
    page.click("button", "Check recipients").await;
    page.wait_for_text_in(CHECK, "About $0.29").await;
    page.wait_for_text_in(("region", "Cost by market and category"), "Mexico").await;
    for reason in ["stopped marketing messages from you", "it is too short"] {
        page.wait_for_text_in(("table", "Rows that can't be sent"), reason).await;
    }
    let shown = page.text_of(CHECK).await;
    for text in [
        "In 1 row “amigo” replaces an empty value",
        "This recipient is already in row 4",
        "Primavera chegou, amigo!",
        "até 28 de novembro de 2026",
    ] {
        assert!(shown.contains(text), "“{text}” is not in: {shown}");
    }
    look(&page, "4-checked").await;

    page.click("button", "Skip 3 rows with problems and send 5").await;
    page.click("button", "Send 5 messages now").await;
    page.find("heading", "Batch of spring_sale").await;
    page.wait_for_text("Expected: $0.29 · Delivered so far: $0.23 (4 charged messages)").await;
    for group in ["Reached 4", "Held back by WhatsApp 1", "Stopped marketing 1", "Skipped 2"] {
        page.wait_for_text_in(("region", "Results by person"), group).await;
    }
    look(&page, "5-result").await;

    // Those held back have a batch of their own, which waits for the time from which the channel delivers to them.
    page.click("button", "New batch for 1 person").await;
    page.wait_for_text("WhatsApp doesn't deliver to any of them yet. You can send from").await;
    assert!(!page.find("button", "Send to 1 person").await.is_enabled().await.unwrap(), "it is too early");
    look(&page, "6-next-round").await;
    page.close().await;
}

async fn import_prices(desktop: &Desktop, page: &Page) {
    let file = desktop.file("prices.csv");
    desktop.answer_file_dialog(&file);
    page.click("link", "Settings").await;
    page.click("tab", "Prices").await;
    std::fs::write(&file, FAULTY_PRICES).unwrap();
    page.click("button", "Import CSV").await;
    page.wait_for_text("“prices.csv” was not imported").await;
    let faults = page.text_of(("list", "Problems in the file")).await;
    assert!(faults.contains("Line 3, “cheap”") && faults.contains("Line 4, “sms”"), "{faults}");
    look(page, "1-faulty-prices").await;
    std::fs::write(&file, PRICES).unwrap();
    page.click("button", "Import CSV").await;
    page.wait_for_text("2 prices of “prices.csv” were imported").await;
    look(page, "2-prices").await;
}

/// Chooses the file of [`PEOPLE`], with a text for empty names and a format for the dates.
async fn map_values(desktop: &Desktop, page: &Page) {
    let file = desktop.file("people.csv");
    std::fs::write(&file, PEOPLE).unwrap();
    choose_file(desktop, page, "spring_sale", &file).await;
    for (field, option) in [("Variable {{2}}", "date"), ("Format", "Date"), ("Variable {{1}}", "name")] {
        page.click("combobox", field).await;
        page.click("option", option).await;
    }
    page.wait_for_text("“28/11/2026” becomes “28 de novembro de 2026”").await;
    page.fill("textbox", "Text if it is empty", "amigo").await;
    look(page, "3-values").await;
}

#[tokio::test]
async fn a_raised_category_stops_a_batch_and_is_asked_about_once() {
    let provider = Provider::start();
    let mut desktop = Desktop::start("category", Keyring::Unlocked);
    let receiver = format!("127.0.0.1:{}", free_port());
    let page = desktop.open_app_with_receiver(&receiver).await;
    connect_with_webhooks(&page, &provider, &receiver).await;
    plan_file(&desktop, &page, &reminders(&desktop, 3)).await;
    page.click("button", "Send to 3").await;
    page.find("button", "Send 3 messages now").await;
    let listed = provider.ask("GET", "/messaging/provider/workspace-templates?search=visit_reminder", &Value::Null);
    let uuid = listed["data"][0]["uuid"].as_str().expect("the template is listed");
    let raised = json!({ "event": "APPROVED", "new_category": "MARKETING" });
    provider.ask("POST", &format!("/sandbox/templates/{uuid}/decision"), &raised);
    page.wait_for_text("is now Marketing").await;
    page.click("button", "Send 3 messages now").await;
    page.wait_for_text("WhatsApp changed the template's category").await;
    assert_eq!(messages(&provider), 0, "nothing is sent at the new price");
    look(&page, "1-stopped").await;

    // A single send asks, and the next one does not.
    let raised = "WhatsApp changed this template from Utility to Marketing, which costs more";
    compose(&page, "visit_reminder, Portuguese (Brazil)", "+55 11 91234-0011").await;
    page.click("button", "Fill with samples").await;
    page.click("button", "Send").await;
    page.wait_for_text(raised).await;
    look(&page, "2-asked").await;
    page.click("button", "Send anyway").await;
    page.wait_for_text_in(("region", "Delivery status"), "Read").await;
    compose(&page, "visit_reminder, Portuguese (Brazil)", "+55 11 91234-0012").await;
    page.click("button", "Fill with samples").await;
    page.click("button", "Send").await;
    page.wait_for_text_in(("region", "Delivery status"), "Read").await;

    page.click("link", "Sends").await;
    page.click("radio", "Batches").await;
    page.click("row", "visit_reminder").await;
    page.click("button", "Send the remaining 3").await;
    page.click("button", "Send 3 now").await;
    page.wait_for_text("3 of 3 rows done").await;
    assert_eq!(messages(&provider), 5);
    page.close().await;
}

#[tokio::test]
async fn a_messaging_limit_and_low_quality_stop_a_batch_until_the_person_decides() {
    let provider = Provider::start();
    let mut desktop = Desktop::start("limit", Keyring::Unlocked);
    let receiver = format!("127.0.0.1:{}", free_port());
    let page = desktop.open_app_with_receiver(&receiver).await;
    connect_with_webhooks(&page, &provider, &receiver).await;
    let number = &provider.ask("GET", "/sandbox", &Value::Null)["wabas"][0]["numbers"][0]["display"];
    for (field, value) in [
        ("business_capability_update", json!({ "max_daily_conversations_per_business": 4 })),
        ("phone_number_quality_update", json!({ "display_phone_number": number, "event": "FLAGGED" })),
    ] {
        provider.ask("POST", "/sandbox/events", &json!({ "field": field, "value": value }));
    }
    page.click("link", "Settings").await;
    page.click("tab", "Numbers").await;
    page.wait_for_text("4 people in 24 hours").await;
    page.wait_for_text("Low: people block or report messages").await;
    look(&page, "1-numbers").await;

    plan_file(&desktop, &page, &reminders(&desktop, 10)).await;
    page.wait_for_text("0 ready to send; 10 rows are skipped.").await;
    page.wait_for_text_in(CHECK, "4 of these 10 people fit now; there is room for the last one from").await;
    look(&page, "2-checked").await;
    page.click("radio", "Send to those who fit now").await;
    page.click("checkbox", "Send despite this warning").await;
    page.click("button", "Check again").await;
    page.click("button", "Send to 10").await;
    page.wait_for_text("The rest follows when the messaging limit has room").await;
    page.click("button", "Start sending 10 messages").await;
    page.wait_for_text("4 of 10 rows done").await;
    page.wait_for_text_in(("group", "Rows by status"), "Planned 6").await;
    look(&page, "3-waiting").await;
    assert_eq!(messages(&provider), 4);
    page.close().await;
}

/// A file of so many people for the template `visit_reminder`.
fn reminders(desktop: &Desktop, people: usize) -> std::path::PathBuf {
    let rows = (0..people).map(|number| format!("+55 11 91234-{number:04},12 de maio,10h\n"));
    let file = desktop.file("reminders.csv");
    std::fs::write(&file, format!("phone,date,hour\n{}", rows.collect::<String>())).unwrap();
    file
}

fn messages(provider: &Provider) -> u64 {
    provider.ask("GET", "/sandbox/counts", &Value::Null)["total"]["messages"].as_u64().unwrap()
}
