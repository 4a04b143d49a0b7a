//! People: their names in every list, and the lists that offer or find them.

use app::Core;
use command_types::conversations::{ContactPage, ContactQuery};
use command_types::recipients::SaveRecipient;
use command_types::send::{SendQuery, SendText};
use command_types::workspace::WorkspaceId;
use serde_json::{Value, json};

use super::conversations::{conversation, message, workspace, wrote};
use super::harness::Harness;

/// A number as people write it, and as the channel knows it: without the ninth digit.
const WRITTEN: &str = "5511987654321";
const KNOWN: &str = "551187654321";
const TOKEN: Option<&str> = Some("token-of-the-workspace");

fn text(from: &str, id: &str, at: i64) -> Value {
    message(from, id, at, "text", json!({"body": "hello"}))
}

async fn send(core: &Core, workspace: &str, to: &str) {
    let send: SendText = serde_json::from_value(json!({
        "workspace": workspace, "number": "101", "to": to, "text": "Welcome", "previewUrl": false,
        "callbackData": "", "track": true, "exactCallback": false, "overrides": ["to.kind", "text.windowClosed"],
    }))
    .unwrap();
    core.messaging.send_text(send).await.unwrap();
}

async fn save(core: &Core, workspace: &str, name: &str, number: &str) {
    let person = SaveRecipient {
        workspace: workspace.to_owned(),
        name: name.to_owned(),
        number: number.to_owned(),
        ..SaveRecipient::default()
    };
    core.messaging.save_recipient(person).await.unwrap();
}

async fn contacts(core: &Core, workspace: &str, query: ContactQuery) -> ContactPage {
    let query = ContactQuery { workspace: workspace.to_owned(), ..query };
    core.conversations.list_contacts(query).await.unwrap()
}

#[tokio::test]
async fn a_person_has_one_name_in_both_notations_of_the_number() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = workspace(&core, "http://127.0.0.1:1", TOKEN).await;
    let workspace = &provider.workspace;
    wrote(&provider, "101", "aninha", &[text(KNOWN, "m1", 100)]).await;
    harness.wait_for_projection().await;
    send(&core, workspace, WRITTEN).await;
    let names = async || {
        let sends = SendQuery { workspace: workspace.clone(), limit: 10, ..SendQuery::default() };
        let sends = core.messaging.list_sends(sends).await.unwrap().rows;
        let listed = contacts(&core, workspace, ContactQuery { limit: 10, ..ContactQuery::default() }).await.rows;
        assert_eq!(listed.len(), 1);
        let opened = conversation(&core, workspace, KNOWN, 10).await;
        [sends[0].recipient_name.clone().unwrap_or_default(), listed[0].name.clone(), opened.name]
    };
    assert_eq!(names().await, ["aninha", "aninha", "aninha"]);
    save(&core, workspace, "Ana Souza", WRITTEN).await;
    assert_eq!(names().await, ["Ana Souza", "Ana Souza", "Ana Souza"]);
    harness.close().await;
}

#[tokio::test]
async fn recent_contacts_are_the_people_of_the_newest_messages() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = workspace(&core, "http://127.0.0.1:1", TOKEN).await;
    let workspace = &provider.workspace;
    let later = chrono::Utc::now().timestamp() + 60;
    wrote(&provider, "101", "Ana", &[text(KNOWN, "m1", 100)]).await;
    wrote(&provider, "101", "Hidden", &[text("BR.1234", "m2", 200)]).await;
    wrote(&provider, "101", "Old", &[text("447700900123", "m3", 300)]).await;
    wrote(&provider, "101", "New", &[text("351912345678", "m4", later)]).await;
    harness.wait_for_projection().await;
    send(&core, workspace, "14155550132").await;
    send(&core, workspace, WRITTEN).await;
    let recent = WorkspaceId { workspace: workspace.clone() };
    let recent = core.messaging.list_recent_contacts(recent).await.unwrap();
    let recent: Vec<_> = recent.iter().map(|contact| (contact.number.as_str(), contact.name.as_deref())).collect();
    let expected =
        [("351912345678", Some("New")), (KNOWN, Some("Ana")), ("14155550132", None), ("447700900123", Some("Old"))];
    assert_eq!(recent, expected);
    harness.close().await;
}

#[tokio::test]
async fn a_search_has_at_most_the_requested_rows_on_each_page() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = workspace(&core, "http://127.0.0.1:1", TOKEN).await;
    let workspace = &provider.workspace;
    // Three of the address book who were sent to, one of whom wrote too, and four with such a profile name.
    for (name, number) in [("Ana One", WRITTEN), ("Ana Two", "14155550132"), ("Ana Three", "447700900123")] {
        save(&core, workspace, name, number).await;
    }
    wrote(&provider, "101", "Ana", &[text(KNOWN, "m0", 50)]).await;
    for place in 0..4 {
        let number = format!("35191234567{place}");
        wrote(&provider, "101", "Ana", &[text(&number, &format!("m{number}"), 100 + place)]).await;
    }
    harness.wait_for_projection().await;
    // In this order, sends of one instant are listed as sends of several.
    for number in ["14155550132", "447700900123", WRITTEN] {
        send(&core, workspace, number).await;
    }
    let expected =
        [KNOWN, "447700900123", "14155550132", "351912345673", "351912345672", "351912345671", "351912345670"];
    for typed in ["ana", "an"] {
        for limit in [1, 2, 3, 4, 50] {
            let (mut found, mut after) = (Vec::new(), None);
            loop {
                let query = ContactQuery { search: Some(typed.to_owned()), after, limit, ..ContactQuery::default() };
                let page = contacts(&core, workspace, query).await;
                assert!(page.rows.len() <= limit as usize, "{typed} {limit}");
                found.extend(page.rows.into_iter().map(|row| row.contact));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(found, expected, "{typed} {limit}");
        }
    }
    let first = ContactQuery { search: Some("ana".to_owned()), limit: 5, ..ContactQuery::default() };
    assert_eq!(contacts(&core, workspace, first).await.rows.len(), 5);
    harness.close().await;
}

#[tokio::test]
async fn numbers_of_contacts_are_formatted_and_hidden_ones_unchanged() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = workspace(&core, "http://127.0.0.1:1", None).await;
    wrote(&provider, "101", "Rui", &[text("351912345678", "m1", 100)]).await;
    wrote(&provider, "101", "Hidden", &[text("BR.1234", "m2", 200)]).await;
    harness.wait_for_projection().await;
    let rows = contacts(&core, &provider.workspace, ContactQuery { limit: 10, ..ContactQuery::default() }).await.rows;
    let shown: Vec<_> = rows.iter().map(|row| row.formatted.as_str()).collect();
    assert_eq!(shown, ["BR.1234", "+351 912 345 678"]);
    for (contact, formatted) in [("BR.1234", "BR.1234"), ("351912345678", "+351 912 345 678")] {
        assert_eq!(conversation(&core, &provider.workspace, contact, 10).await.formatted, formatted);
    }
    harness.close().await;
}

#[tokio::test]
async fn a_number_without_its_ninth_digit_names_the_known_person_who_has_it() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = workspace(&core, "http://127.0.0.1:1", TOKEN).await;
    let workspace = &provider.workspace;
    let meant = async |to: &str| {
        let request = SendText { workspace: workspace.clone(), to: to.to_owned(), ..SendText::default() };
        let recipient = core.messaging.preview_text(request).await.unwrap().recipient;
        recipient.lacks_ninth.map(|known| (known.formatted, known.name.unwrap_or_default()))
    };
    let whole = |name: &str| Some(("+55 11 98765-4321".to_owned(), name.to_owned()));
    assert_eq!(meant("+551187654321").await, None, "nobody is known");
    wrote(&provider, "101", "aninha", &[text(WRITTEN, "m1", 100)]).await;
    harness.wait_for_projection().await;
    assert_eq!(meant("+551187654321").await, whole("aninha"));
    save(&core, workspace, "Ana Souza", WRITTEN).await;
    assert_eq!(meant("+55 11 8765-4321").await, whole("Ana Souza"));
    assert_eq!(meant("+5511987654321").await, None);
    // The channel knows many people without the digit.
    wrote(&provider, "101", "aninha", &[text(KNOWN, "m2", 200)]).await;
    harness.wait_for_projection().await;
    assert_eq!(meant("+551187654321").await, None);
    harness.close().await;
}
