//! Admin flows: from a rejection to an approval, bulk actions, deletion, template files.

use std::path::Path;
use std::time::Duration;

use fantoccini::key::Key;
use serde_json::{Value, json};

use super::desktop::{Desktop, Keyring};
use super::provider::{Provider, connect};

/// Number of templates to archive at once.
const MANY: usize = 30;
/// WABA of the provider's samples.
const WABA: u64 = 200_000_000_000_001;

#[tokio::test]
async fn a_rejected_template_is_corrected_and_approved() {
    let mut desktop = Desktop::start("board", Keyring::Unlocked);
    let page = desktop.open_app().await;
    page.click("link", "Sandbox phone").await;
    page.click("radio", "Manual").await;
    page.click("button", "Save settings").await;
    page.wait_for_text("Saved").await;
    page.click("link", "Templates").await;
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Name", "peony_week").await;
    page.fill("combobox", "Language", "en_US").await;
    page.click("option", "English (United States)").await;
    page.click("combobox", "Category").await;
    page.click("option", "Marketing").await;
    page.fill("textbox", "Body text", "Our peonies are here, choose the ones you like best.").await;
    page.wait_for_text("Saved").await;
    page.click("button", "Submit…").await;
    page.click("button", "Submit").await;
    page.find("heading", "peony_week").await;

    // On the board the template is pending, then rejected, and moves to that column.
    page.click("link", "Review").await;
    page.find("region", "Review board").await;
    page.wait_for_text_in(("region", "Pending"), "peony_week").await;
    page.screenshot("1-pending").await;
    page.check_accessibility("review board").await;
    let card = page.find_in(("region", "Pending"), "article", "peony_week").await;
    page.click_in(&card, "button", "Reject").await;
    let dialog = page.find("dialog", "Reject peony_week").await;
    page.click_in(&dialog, "button", "Reject").await;
    page.wait_for_text_in(("region", "Rejected"), "peony_week").await;
    page.screenshot("2-rejected").await;

    // What to fix leads from the board to the field, and back into the review.
    page.click("button", "Fix peony_week").await;
    page.find("textbox", "Body text").await;
    page.wait_for_text("Invalid format").await;
    page.fill("textbox", "Body text", "Our fresh peonies are here, choose the ones you like best.").await;
    page.wait_for_text("Saved").await;
    page.screenshot("3-fixed").await;
    page.click("button", "Resubmit").await;
    // The template's tab, not the draft's.
    page.find("tab", "History").await;
    page.click("link", "Review").await;
    let card = page.find_in(("region", "Pending"), "article", "peony_week").await;
    page.click_in(&card, "button", "Approve").await;
    page.wait_for_text_in(("region", "Approved"), "peony_week").await;
    page.screenshot("4-approved").await;

    // The history has all of it, with the sources.
    page.click("link", "peony_week").await;
    page.click("tab", "History").await;
    let history = ("list", "History");
    for word in ["Submitted for review", "Rejected", "Edit submitted", "Approved", "Webhook"] {
        page.wait_for_text_in(history, word).await;
    }
    page.screenshot("5-history").await;
    page.check_accessibility("history").await;
    page.click("button", "Show raw event").await;
    page.wait_for_text("message_template_name").await;
    page.click("link", "Compare this version").await;
    page.find("region", "Differences").await;
    page.screenshot("6-versions").await;
    page.check_accessibility("versions").await;
    page.close().await;
}

#[tokio::test]
async fn many_templates_are_archived_and_a_failed_one_is_retried() {
    let provider = Provider::start();
    let mut desktop = Desktop::start("archive-many", Keyring::Unlocked);
    let folder = desktop.file("many");
    std::fs::create_dir(&folder).unwrap();
    for number in 0..MANY {
        write_template(&folder, &format!("bulk_{number:02}"), "Olá, esta é uma mensagem de teste da floricultura.");
    }
    // A template that the search excludes, so that the count shows when the search is applied.
    write_template(&folder, "single", "Olá, esta é uma mensagem de teste da floricultura.");
    provider.push(&folder);
    let listed = provider.ask("GET", "/messaging/provider/workspace-templates?search=bulk_12", &Value::Null);
    let uuid = find_uuid(&listed).expect("the template that will fail is listed");
    provider.ask(
        "POST",
        &format!("/sandbox/templates/{uuid}/refuse"),
        &json!({ "operations": ["archive"], "status": 422, "times": 1 }),
    );
    let page = desktop.open_app().await;
    connect(&page, &provider).await;
    page.search_templates("bulk_").await;
    page.wait_for_text("30 templates").await;
    page.click("checkbox", "Select all").await;
    page.wait_for_text_in(("region", "Selection"), "30 selected").await;
    page.screenshot("1-selected").await;
    page.check_accessibility("selection").await;
    let selection = page.find("region", "Selection").await;
    page.click_in(&selection, "button", "Archive").await;
    let dialog = page.find("dialog", "Archive 30 templates").await;
    page.wait_for_text_in(("dialog", "Archive 30 templates"), "28 days").await;
    page.screenshot("2-asked").await;
    page.check_accessibility("archive many").await;
    page.click_in(&dialog, "button", "Archive").await;
    page.wait_for_slow_text_in(("region", "Progress"), "29 done").await;
    page.wait_for_text_in(("region", "Progress"), "1 failed").await;
    page.wait_for_text_in(("region", "Progress"), "bulk_12").await;
    page.screenshot("3-one-failed").await;
    page.check_accessibility("archived but for one").await;
    page.click("button", "Retry failed").await;
    page.wait_for_slow_text_in(("region", "Progress"), "30 done").await;
    page.screenshot("4-all").await;

    // The bulk action can be undone.
    page.click("button", "Undo").await;
    page.find("dialog", "Unarchive 30 templates").await;
    page.wait_for_slow_text_in(("region", "Progress"), "30 done").await;
    page.screenshot("5-undone").await;
    page.close().await;
    let listed = provider.ask("GET", "/messaging/provider/workspace-templates?search=bulk_", &Value::Null);
    assert!(!listed.to_string().contains("\"archived\":true"), "nothing is archived any more");
}

#[tokio::test]
async fn deletion_requires_typing_the_name() {
    let mut desktop = Desktop::start("delete", Keyring::Unlocked);
    let page = desktop.open_app().await;
    page.click("link", "Templates").await;
    page.search_templates("summer_offer").await;
    page.wait_for_text("2 templates").await;
    page.click("checkbox", "Select summer_offer pt_BR").await;
    let selection = page.find("region", "Selection").await;
    page.click_in(&selection, "button", "Delete").await;
    let place = ("dialog", "Delete");
    let dialog = page.find(place.0, place.1).await;
    page.wait_for_text_in(place, "30 days").await;
    page.screenshot("1-asked").await;
    page.check_accessibility("delete").await;

    // Another name, or a part of the name, deletes nothing.
    for typed in ["", "summer", "Summer_offer", "winter_offer"] {
        page.fill("textbox", "Type “summer_offer” to confirm", typed).await;
        let delete = page.find_in(place, "button", "Delete").await;
        assert!(
            delete.attr("disabled").await.unwrap().is_some()
                || delete.attr("aria-disabled").await.unwrap().as_deref() == Some("true"),
            "“{typed}” is taken for the name"
        );
    }
    page.screenshot("2-not-yet").await;
    page.press(Key::Escape).await;
    page.find("checkbox", "Select summer_offer pt_BR").await;
    let selection = page.find("region", "Selection").await;
    page.click_in(&selection, "button", "Delete").await;
    let dialog_again = page.find(place.0, place.1).await;
    drop(dialog);
    page.fill("textbox", "Type “summer_offer” to confirm", "summer_offer").await;
    page.click_in(&dialog_again, "button", "Delete").await;
    page.wait_for_slow_text_in(("region", "Progress"), "1 done").await;
    page.screenshot("3-deleted").await;
    let progress = page.find("region", "Progress").await;
    page.click_in(&progress, "button", "Close").await;
    page.find("row", "summer_offer es").await;
    assert!(page.find_within("row", "summer_offer pt_BR", None, Duration::ZERO).await.is_none(), "it is still listed");
    page.close().await;
}

#[tokio::test]
async fn templates_are_exported_changed_and_imported() {
    let mut desktop = Desktop::start("files", Keyring::Unlocked);
    let folder = desktop.file("templates");
    std::fs::create_dir(&folder).unwrap();
    let page = desktop.open_app().await;
    page.click("link", "Templates").await;
    page.search_templates("Sua visita").await;
    // Another list has a separate selection.
    page.wait_for_text("1 template").await;
    page.click("checkbox", "Select visit_reminder pt_BR").await;
    let selection = page.find("region", "Selection").await;
    desktop.answer_file_dialog(&folder);
    page.click_in(&selection, "button", "Export").await;
    page.wait_for_text("1 template").await;
    page.screenshot("1-exported").await;
    let file = folder.join("visit_reminder.pt_BR.json");
    let exported = std::fs::read_to_string(&file).unwrap();

    // Edited by hand: one word changed, and one template added.
    let content: Value = serde_json::from_str(&exported).unwrap();
    let text = body_of(&content);
    let changed =
        exported.replace(&json!(text).to_string(), &json!(text.replacen("visita", "consulta", 1)).to_string());
    assert_ne!(changed, exported, "the body is in the file as it is: {exported}");
    std::fs::write(&file, changed).unwrap();
    write_template(&folder, "garden_news", "As novidades do jardim chegaram, venha ver de perto.");

    page.click("button", "Import").await;
    page.click("button", "Submit a folder").await;
    page.find("heading", "Submit a folder").await;
    desktop.answer_file_dialog(&folder);
    page.click("button", "Choose a folder").await;
    page.find("grid", "Preview of the changes").await;
    page.wait_for_text("garden_news").await;
    page.screenshot("2-planned").await;
    page.check_accessibility("import").await;
    page.click("button", "visit_reminder").await;
    page.wait_for_text("consulta").await;
    page.screenshot("3-difference").await;
    page.check_accessibility("import with a difference").await;
    page.click("button", "Submit 2 templates").await;
    page.wait_for_text("1 created").await;
    page.wait_for_text("1 changed").await;
    page.screenshot("4-pushed").await;
    page.click("link", "Templates").await;
    page.search_templates("garden_news").await;
    page.find("row", "garden_news pt_BR").await;
    page.close().await;
}

/// A utility template in the provider's WABA, as a file.
pub(super) fn write_template(folder: &Path, name: &str, text: &str) {
    let content = json!({
        "name": name, "language": "pt_BR", "category": "utility", "waba_ids": [WABA],
        "components": [{ "type": "BODY", "text": text }],
    });
    std::fs::write(folder.join(format!("{name}.pt_BR.json")), content.to_string()).unwrap();
}

fn body_of(content: &Value) -> &str {
    let components = content["components"].as_array().unwrap();
    let body = components.iter().find(|component| component["type"] == "BODY").unwrap();
    body["text"].as_str().unwrap()
}

/// The first UUID in a response, at any depth.
pub(super) fn find_uuid(answer: &Value) -> Option<&str> {
    match answer {
        Value::Object(fields) => {
            fields.get("uuid").and_then(Value::as_str).or_else(|| fields.values().find_map(find_uuid))
        }
        Value::Array(items) => items.iter().find_map(find_uuid),
        _ => None,
    }
}
