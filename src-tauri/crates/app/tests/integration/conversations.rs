//! The inbox: contacts across numbers, conversations with replies, and messages of every kind.

mod not_delivered;

use app::Core;
use app::SANDBOX_ID;
use command_types::Nothing;
use command_types::activity::EventQuery;
use command_types::conversations::{
    ContactPage, ContactQuery, ConversationMessage, ConversationPage, ConversationQuery, ListedPeople, MarkRead,
    MarkUnread, MediaSource,
};
use command_types::recipients::SaveRecipient;
use command_types::send::{SendQuery, SendRequest, SendState, SendText};
use command_types::template::TemplateQuery;
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, SendingNumber, WorkspaceId, WorkspaceSettings};
use model::render::{Bubble, plain_text};
use sandbox::phone::Tap;
use sandbox::seed;
use secrecy::SecretString;
use serde_json::{Value, json};

use super::harness::Harness;
use super::webhooks::{Provider, wait_until};

const SECRET: &str = "signs what comes in";
const ANA: &str = "5511987654321";

/// A workspace with two numbers, one of which has a name.
pub(super) async fn workspace(core: &Core, base_url: &str, token: Option<&str>) -> Provider {
    let settings = WorkspaceSettings {
        name: "Real".to_owned(),
        base_url: base_url.to_owned(),
        workspace_uuid: "5a9db0c5-0000-4000-8000-0000000000ff".to_owned(),
        default_country: "BR".to_owned(),
        numbers: vec![SendingNumber { id: "101".to_owned(), label: "Sales".to_owned(), ..Default::default() }],
        ..WorkspaceSettings::default()
    };
    let mut secrets =
        vec![SecretInput { kind: SecretKind::WebhookSecret, number: None, value: SecretString::from(SECRET) }];
    secrets.extend(token.map(|token| SecretInput {
        kind: SecretKind::Token,
        number: None,
        value: SecretString::from(token),
    }));
    let request = SaveWorkspace { workspace: None, settings, secrets, session_only: false };
    let workspace = core.workspaces.save_workspace(request).await.unwrap().id;
    Provider::for_workspace(core, workspace).await
}

/// Delivers messages of a contact to a number.
pub(super) async fn wrote(provider: &Provider, number: &str, name: &str, messages: &[Value]) {
    let from = messages[0]["from"].as_str().unwrap();
    let value = json!({
        "messaging_product": "messaging",
        "metadata": {"display_phone_number": "15550100", "phone_number_id": number},
        "contacts": [{"profile": {"name": name}, "wa_id": from}],
        "messages": messages,
    });
    deliver_value(provider, &value).await;
}

/// Delivers a value of the field `messages`.
pub(super) async fn deliver_value(provider: &Provider, value: &Value) {
    let body = json!({"object": "a", "entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]});
    assert_eq!(provider.deliver(SECRET, &body.to_string()).await, 200);
}

pub(super) fn message(from: &str, id: &str, at: i64, kind: &str, content: Value) -> Value {
    json!({"from": from, "id": id, "timestamp": at.to_string(), "type": kind, kind: content})
}

fn text(from: &str, id: &str, at: i64, body: &str) -> Value {
    message(from, id, at, "text", json!({"body": body}))
}

pub(super) async fn conversation(core: &Core, workspace: &str, contact: &str, limit: u32) -> ConversationPage {
    let query = ConversationQuery {
        workspace: workspace.to_owned(),
        contact: contact.to_owned(),
        number: None,
        after: None,
        limit,
    };
    core.conversations.list_conversation(query).await.unwrap()
}

/// A whole conversation, in small pages.
async fn whole(core: &Core, workspace: &str, contact: &str, limit: u32) -> Vec<ConversationMessage> {
    let mut messages = Vec::new();
    let mut after = None;
    loop {
        let query = ConversationQuery {
            workspace: workspace.to_owned(),
            contact: contact.to_owned(),
            number: None,
            after,
            limit,
        };
        let page = core.conversations.list_conversation(query).await.unwrap();
        assert!(page.messages.len() <= limit as usize);
        messages.extend(page.messages);
        after = page.next;
        if after.is_none() {
            return messages;
        }
    }
}

async fn contacts(core: &Core, query: ContactQuery) -> ContactPage {
    core.conversations.list_contacts(ContactQuery { limit: 50, ..query }).await.unwrap()
}

#[tokio::test]
async fn contacts_are_listed_for_all_numbers_and_for_each() {
    let mut harness = Harness::start().await;
    let provider = workspace(&harness.core, "http://127.0.0.1:1", None).await;
    let core = harness.core.clone();
    wrote(&provider, "101", "Ana Souza", &[text(ANA, "a1", 100, "to sales")]).await;
    wrote(&provider, "202", "Ana Souza", &[text(ANA, "a2", 200, "to the other")]).await;
    wrote(&provider, "101", "Bo", &[message("447700900123", "b1", 300, "sticker", json!({"id": "1"}))]).await;
    harness.wait_for_projection().await;

    let of = |query: ContactQuery| ContactQuery { workspace: provider.workspace.clone(), ..query };
    let all = contacts(&core, of(ContactQuery::default())).await;
    let shown: Vec<_> = all
        .rows
        .iter()
        .map(|row| {
            (
                row.name.as_str(),
                row.excerpt.as_str(),
                row.last_kind.as_str(),
                row.number.as_deref().unwrap(),
                row.unread,
            )
        })
        .collect();
    assert_eq!(shown, [("Bo", "", "sticker", "Sales", 1), ("Ana Souza", "to the other", "text", "202", 2)]);
    let numbers: Vec<_> = all.numbers.iter().map(|number| (number.id.as_str(), number.name.as_str())).collect();
    assert_eq!(numbers, [("101", "Sales"), ("202", "202")]);

    let sales = ContactQuery { number: Some("101".to_owned()), ..ContactQuery::default() };
    let sales = contacts(&core, of(sales)).await;
    let shown: Vec<_> = sales.rows.iter().map(|row| (row.name.as_str(), row.excerpt.as_str())).collect();
    assert_eq!(shown, [("Bo", ""), ("Ana Souza", "to sales")]);

    for (typed, expected) in [("souz", 1), ("+55 (11) 98765", 1), ("900123", 1), ("nobody", 0), (" ", 2)] {
        let query = ContactQuery { search: Some(typed.to_owned()), ..ContactQuery::default() };
        assert_eq!(contacts(&core, of(query)).await.rows.len(), expected, "{typed}");
    }

    let workspace_id = || WorkspaceId { workspace: provider.workspace.clone() };
    assert_eq!(core.conversations.count_unread(workspace_id()).await.unwrap().contacts, 2);

    // Requesting a conversation reads nothing, however often.
    conversation(&core, &provider.workspace, ANA, 10).await;
    let page = conversation(&core, &provider.workspace, ANA, 10).await;
    let last = page.read_until.unwrap();
    assert_eq!(core.conversations.count_unread(workspace_id()).await.unwrap().contacts, 2);
    // Who looks at it has read it, for every number, up to what was shown.
    let read = |until| MarkRead { workspace: provider.workspace.clone(), contact: ANA.to_owned(), until };
    core.conversations.mark_read(read(last - 1)).await.unwrap();
    assert_eq!(core.conversations.count_unread(workspace_id()).await.unwrap().contacts, 2);
    core.conversations.mark_read(read(last)).await.unwrap();
    assert_eq!(conversation(&core, &provider.workspace, ANA, 10).await.read_until, None);
    let shown: Vec<_> =
        page.messages.iter().map(|message| (message.text.as_str(), message.number.as_deref().unwrap())).collect();
    assert_eq!(shown, [("to the other", "202"), ("to sales", "Sales")]);
    assert_eq!((page.window.last_inbound_at, page.window.open_until), (Some(200_000), Some(200_000 + 86_400_000)));
    assert_eq!(core.conversations.count_unread(workspace_id()).await.unwrap().contacts, 1);
    let unread = ContactQuery { unread: Some(true), ..ContactQuery::default() };
    let rows = contacts(&core, of(unread)).await.rows;
    assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["Bo"]);
    let read = ContactQuery { unread: Some(false), number: Some("101".to_owned()), ..ContactQuery::default() };
    assert_eq!(contacts(&core, of(read)).await.rows[0].name, "Ana Souza");

    // As a reminder: only the newest message, whichever number it was written to.
    let unread = |contact: &str| MarkUnread { workspace: provider.workspace.clone(), contact: contact.to_owned() };
    core.conversations.mark_unread(unread(ANA)).await.unwrap();
    let rows = contacts(&core, of(ContactQuery::default())).await.rows;
    assert_eq!(rows.iter().map(|row| row.unread).collect::<Vec<_>>(), [1, 1]);
    let page = conversation(&core, &provider.workspace, ANA, 10).await;
    assert_eq!(page.read_until, Some(last));
    core.conversations.mark_unread(unread(ANA)).await.unwrap();
    core.conversations.mark_unread(unread("1")).await.unwrap();
    assert_eq!(core.conversations.count_unread(workspace_id()).await.unwrap().contacts, 2);

    // No messages, and an unknown workspace.
    assert_eq!(conversation(&core, &provider.workspace, "1", 10).await.messages, []);
    assert!(
        core.conversations
            .list_contacts(ContactQuery { workspace: "none".to_owned(), ..ContactQuery::default() })
            .await
            .is_err()
    );
    harness.close().await;
}

#[tokio::test]
async fn messages_of_every_kind_are_decoded_and_unknown_ones_are_raw() {
    let mut harness = Harness::start().await;
    let provider = workspace(&harness.core, "http://127.0.0.1:1", None).await;
    let mut unsupported = message(ANA, "m4", 4, "unsupported", json!({"type": "poll"}));
    unsupported["errors"] = json!([{"code": 131_051, "title": "Unsupported message type"}]);
    let mut forwarded = message(
        ANA,
        "m5",
        5,
        "image",
        json!({"id": "1", "mime_type": "image/png", "caption": "Look",
        "sha256": "x", "url": "https://channel.example/1", "s3_url": "https://files.example/1"}),
    );
    forwarded["context"] = json!({"forwarded": true});
    wrote(
        &provider,
        "101",
        "Ana",
        &[
            message(ANA, "m1", 1, "location", json!({"latitude": 1.5, "longitude": 2, "name": "Shop"})),
            message(ANA, "m2", 2, "audio", json!({"id": "1", "url": "https://channel.example/2", "voice": true})),
            json!({"from": ANA, "id": "m3", "timestamp": "3", "type": "hologram", "hologram": {"depth":  3.10}}),
            unsupported,
            forwarded,
            message(ANA, "m6", 6, "document", json!({"id": "1", "filename": "a\u{202e}fdp.exe"})),
        ],
    )
    .await;
    harness.wait_for_projection().await;
    let messages = whole(&harness.core, &provider.workspace, ANA, 4).await;
    let find = |id: &str| messages.iter().find(|message| message.id == id).unwrap();
    assert_eq!(messages.len(), 6);
    let place = find("m1");
    assert_eq!(place.text, "Shop");
    let found: Vec<_> = place.facts.iter().map(|fact| (fact.label.as_str(), fact.value.as_str())).collect();
    assert_eq!(found, [("latitude", "1.5"), ("longitude", "2")]);
    let voice = find("m2").media.clone().unwrap();
    assert_eq!((voice.kind.as_str(), voice.source, voice.voice), ("audio", MediaSource::Temporary, Some(true)));
    let unknown = find("m3");
    assert_eq!(unknown.kind, "hologram");
    assert_eq!(unknown.raw.as_deref().unwrap().matches("3.1").count(), 1, "{unknown:?}");
    let explained = find("m4").error.clone().unwrap();
    assert_eq!((explained.code.as_str(), explained.known), ("131051", true));
    let picture = find("m5");
    assert_eq!((picture.text.as_str(), picture.facts[0].label.as_str()), ("Look", "forwarded"));
    assert_eq!(picture.media.as_ref().unwrap().source, MediaSource::Permanent);
    let file = find("m6").media.clone().unwrap();
    assert_eq!((file.file_name.as_deref(), file.source), (Some("a⟨U+202E⟩fdp.exe"), MediaSource::None));
    assert!(file.can_run && !picture.media.as_ref().unwrap().can_run);
    assert!(messages.iter().all(|message| message.event.is_some() && !message.outgoing));
    harness.close().await;
}

#[tokio::test]
async fn reactions_are_shown_with_their_message() {
    let mut harness = Harness::start().await;
    let provider = workspace(&harness.core, "http://127.0.0.1:1", None).await;
    let react = |id: &str, at: i64, about: &str, emoji: Option<&str>| {
        message(ANA, id, at, "reaction", json!({"message_id": about, "emoji": emoji}))
    };
    let mut answer = text(ANA, "m2", 2, "to myself");
    answer["context"] = json!({"from": ANA, "id": "m1"});
    let mut lost = text(ANA, "m3", 3, "unknown target");
    lost["context"] = json!({"from": "15550100", "id": "wamid.unknown"});
    wrote(&provider, "101", "Ana", &[text(ANA, "m1", 1, "hello"), answer, lost]).await;
    wrote(
        &provider,
        "101",
        "Ana",
        &[
            react("r1", 10, "m1", Some("👍")),
            react("r2", 11, "m1", Some("❤️")),
            react("r3", 12, "m2", Some("😮")),
            react("r4", 13, "m2", None),
            react("r5", 14, "wamid.unknown", Some("🎉")),
            react("r6", 15, "wamid.unknown", None),
        ],
    )
    .await;
    harness.wait_for_projection().await;
    for limit in [1, 2, 50] {
        let messages = whole(&harness.core, &provider.workspace, ANA, limit).await;
        let shown: Vec<_> = messages
            .iter()
            .map(|message| {
                let marks: Vec<_> = message.reactions.iter().map(|reaction| reaction.emoji.as_str()).collect();
                (message.id.as_str(), message.text.as_str(), marks.concat())
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("r5", "🎉", String::new()),
                ("m3", "unknown target", String::new()),
                ("m2", "to myself", String::new()),
                ("m1", "hello", "❤️".to_owned())
            ],
            "{limit}"
        );
        let replied: Vec<_> = messages[1..3].iter().map(|message| message.reply_to.clone().unwrap()).collect();
        assert_eq!((replied[0].outgoing, replied[0].excerpt.as_str()), (true, ""));
        assert_eq!((replied[1].outgoing, replied[1].excerpt.as_str()), (false, "hello"));
    }
    let page = conversation(&harness.core, &provider.workspace, ANA, 10).await;
    let read =
        MarkRead { workspace: provider.workspace.clone(), contact: ANA.to_owned(), until: page.read_until.unwrap() };
    harness.core.conversations.mark_read(read).await.unwrap();
    let query = ContactQuery { workspace: provider.workspace.clone(), ..ContactQuery::default() };
    assert_eq!(contacts(&harness.core, query).await.rows[0].unread, 0, "reactions are looked at with the conversation");

    // After a rebuild, it is the same.
    let before = whole(&harness.core, &provider.workspace, ANA, 3).await;
    harness.core.webhooks.rebuild_projection(Nothing {}).await.unwrap();
    harness.wait_for_projection().await;
    assert_eq!(whole(&harness.core, &provider.workspace, ANA, 3).await, before);
    harness.close().await;
}

#[tokio::test]
async fn replies_link_to_their_send_and_sends_are_in_the_conversation() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let sandbox = || SANDBOX_ID.to_owned();
    core.templates.refresh_templates(WorkspaceId { workspace: sandbox() }).await.unwrap();
    let query = TemplateQuery {
        workspace: sandbox(),
        search: Some("spring_sale".to_owned()),
        statuses: vec!["APPROVED".to_owned()],
        limit: 5,
        ..TemplateQuery::default()
    };
    let template = core.templates.list_templates(query).await.unwrap().rows.remove(0);
    let form = core
        .messaging
        .get_send_form(command_types::template::TemplateId {
            workspace: sandbox(),
            reference: template.reference.clone(),
        })
        .await
        .unwrap();
    let values = form.parts.iter().map(|part| (part.id.clone(), part.sample.clone())).collect();
    let request: SendRequest = serde_json::from_value(json!({
        "workspace": SANDBOX_ID, "reference": template.reference, "number": seed::NUMBER, "to": ANA,
        "values": Value::Object(values_of(values)), "callbackData": "", "track": true, "exactCallback": false,
        "overrides": ["media.unreachable", "media.sizeUnknown", "media.notChecked", "template.stale"],
    }))
    .unwrap();
    let sent = core.messaging.send_template(request).await.unwrap();
    harness.wait_for_send_state(&sent.id, "read").await;
    harness
        .sandbox
        .tap(ANA, &Tap { button: sandbox::phone::ButtonChoice::Index(first_reply(&harness)), ..Tap::default() })
        .unwrap();
    let query = || EventQuery { kind: Some("message".to_owned()), limit: 5, ..EventQuery::default() };
    wait_until("the tap came in", async || !core.webhooks.list_events(query()).await.unwrap().rows.is_empty()).await;

    // A text of ours without a reply.
    let text: SendText = serde_json::from_value(json!({
        "workspace": SANDBOX_ID, "number": seed::NUMBER, "to": "+55 11 98765-4321", "text": "We are open until six.",
        "previewUrl": false, "callbackData": "", "track": true, "exactCallback": false, "overrides": [],
    }))
    .unwrap();
    let answer = core.messaging.send_text(text).await.unwrap();
    harness.wait_for_send_state(&answer.id, "read").await;

    let messages = whole(&core, SANDBOX_ID, ANA, 1).await;
    let again = conversation(&core, SANDBOX_ID, ANA, 50).await.messages;
    let ids =
        |messages: &[ConversationMessage]| messages.iter().map(|message| message.send.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&messages).len(), 3, "{messages:#?}");
    assert_eq!(ids(&again).len(), 3);
    let find = |id: &str| again.iter().find(|message| message.send.as_deref() == Some(id)).unwrap();
    let ours = find(&sent.id);
    assert_eq!((ours.kind.as_str(), ours.state.as_ref().map(SendState::as_str)), ("template", Some("read")));
    let bubble = ours.bubble.clone().unwrap();
    assert_eq!(bubble, phone_bubble(&harness), "the conversation shows what the phone shows");
    assert_eq!(ours.text, plain_text(&bubble.body));
    assert!(ours.state_at.is_some());
    let template = ours.template.clone().unwrap();
    assert_eq!((template.name.as_str(), template.reference), ("spring_sale", sent.reference.clone()));
    assert_eq!(ours.number.as_deref(), Some("Main"));
    assert_eq!((find(&answer.id).kind.as_str(), find(&answer.id).text.as_str()), ("text", "We are open until six."));
    let tap = again.iter().find(|message| !message.outgoing).unwrap();
    let replied = tap.reply_to.clone().unwrap();
    assert_eq!((replied.send, replied.kind.as_str(), replied.outgoing), (Some(sent.id), "template", true));
    assert!(ours.text.replace('\n', " ").starts_with(replied.excerpt.trim_end_matches('…')), "{}", replied.excerpt);
    assert_eq!(replied.message, ours.id);
    let listed =
        core.messaging.list_sends(SendQuery { workspace: sandbox(), limit: 10, ..SendQuery::default() }).await.unwrap();
    assert_eq!(listed.rows.len(), 2);
    harness.close().await;
}

#[tokio::test]
async fn the_list_shows_the_last_message_of_either_side_under_one_name() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = workspace(&core, "http://127.0.0.1:1", Some("token-of-the-workspace")).await;
    let of = |query: ContactQuery| ContactQuery { workspace: provider.workspace.clone(), ..query };
    let now = chrono::Utc::now().timestamp();
    // The channel's number lacks the ninth digit.
    wrote(&provider, "101", "aninha", &[text("551187654321", "m1", now - 60, "hello")]).await;
    wrote(&provider, "101", "Bo", &[text("447700900123", "m2", now - 30, "later")]).await;
    harness.wait_for_projection().await;
    let person: SaveRecipient = serde_json::from_value(json!({
        "workspace": provider.workspace, "name": "Ana Souza", "number": "5511987654321", "labels": [], "note": "",
    }))
    .unwrap();
    core.messaging.save_recipient(person).await.unwrap();
    for (to, text) in [("5511987654321", "We are *open*."), ("14155550132", "Welcome")] {
        let send: SendText = serde_json::from_value(json!({
            "workspace": provider.workspace, "number": "101", "to": to, "text": text, "previewUrl": false,
            "callbackData": "", "track": true, "exactCallback": false, "overrides": ["to.kind"],
        }))
        .unwrap();
        core.messaging.send_text(send).await.unwrap();
    }
    let expected = [
        ("14155550132", "", "Welcome", true, Some("refused"), 0),
        ("551187654321", "Ana Souza", "We are open.", true, Some("refused"), 1),
        ("447700900123", "Bo", "later", false, None, 1),
    ];
    let (everyone, wrote) = (ListedPeople::Everyone, ListedPeople::Wrote);
    for (limit, people) in [(1, everyone), (2, everyone), (50, everyone), (1, wrote), (2, wrote), (50, wrote)] {
        let (mut rows, mut after) = (Vec::new(), None);
        loop {
            let query = of(ContactQuery { limit, after, people, ..Default::default() });
            let page = core.conversations.list_contacts(query).await.unwrap();
            rows.extend(page.rows);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let shown: Vec<_> = rows
            .iter()
            .map(|row| {
                let state = row.state.as_ref().map(SendState::as_str);
                (row.contact.as_str(), row.name.as_str(), row.excerpt.as_str(), row.outgoing, state, row.unread)
            })
            .collect();
        assert_eq!(shown, expected[usize::from(people == wrote)..], "the first one never wrote: {limit} {people:?}");
    }
    let number = Some("101".to_owned());
    assert_eq!(contacts(&core, of(ContactQuery { number, ..ContactQuery::default() })).await.rows.len(), 3);
    let number = Some("202".to_owned());
    assert_eq!(contacts(&core, of(ContactQuery { number, ..ContactQuery::default() })).await.rows, []);
    // A name of the address book, a profile name, and a number that only received.
    for (typed, found) in
        [("souza", "551187654321"), ("aninha", "551187654321"), ("+1 415", "14155550132"), ("555-0132", "14155550132")]
    {
        let query = ContactQuery { search: Some(typed.to_owned()), ..ContactQuery::default() };
        let rows = contacts(&core, of(query)).await.rows;
        assert_eq!(rows.iter().map(|row| row.contact.as_str()).collect::<Vec<_>>(), [found], "{typed}");
    }
    let page = conversation(&core, &provider.workspace, "551187654321", 10).await;
    assert_eq!((page.name.as_str(), page.number.as_deref()), ("Ana Souza", Some("101")));
    assert!(page.messages[0].bubble.as_ref().is_some_and(|bubble| format!("{bubble:?}").contains("bold: true")));
    let page = conversation(&core, &provider.workspace, "14155550132", 10).await;
    assert_eq!((page.number.as_deref(), page.window.open_until), (Some("101"), None));
    harness.close().await;
}

fn values_of(values: Vec<(String, String)>) -> serde_json::Map<String, Value> {
    values.into_iter().map(|(part, value)| (part, Value::from(value))).collect()
}

/// The first template on the phone.
fn phone_bubble(harness: &Harness) -> Bubble {
    let received = harness.sandbox.phone(ANA).items.into_iter().find_map(|item| match item {
        sandbox::phone::Item::Received(received) => received.bubble,
        sandbox::phone::Item::Sent(_) => None,
    });
    received.unwrap()
}

/// The position of the first quick reply on the phone.
fn first_reply(harness: &Harness) -> usize {
    let phone = harness.sandbox.phone(ANA);
    phone
        .items
        .iter()
        .find_map(|item| match item {
            sandbox::phone::Item::Received(received) => received.quick_replies.first().map(|reply| reply.index),
            sandbox::phone::Item::Sent(_) => None,
        })
        .unwrap()
}
