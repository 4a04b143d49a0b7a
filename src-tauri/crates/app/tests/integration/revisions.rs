//! People edit and delete what they wrote: conversations, lists and Activity follow.

use app::Core;
use command_types::activity::{EventId, EventQuery};
use command_types::conversations::{ContactQuery, ContactRow, ConversationMessage, MediaRequest};
use model::render::plain_text;
use serde_json::{Value, json};

use super::conversations::{conversation, message, workspace, wrote};
use super::harness::Harness;
use super::webhooks::Provider;

const ANA: &str = "5511987654321";
const BO: &str = "447700900123";

/// A desk with a workspace that gets messages.
pub(super) struct Desk {
    pub(super) harness: Harness,
    pub(super) core: Core,
    pub(super) provider: Provider,
}

impl Desk {
    pub(super) async fn start() -> Self {
        let harness = Harness::start().await;
        let provider = workspace(&harness.core, "http://127.0.0.1:1", None).await;
        Self { core: harness.core.clone(), harness, provider }
    }

    /// Delivers messages one by one.
    async fn wrote(&mut self, messages: &[Value]) {
        for message in messages {
            wrote(&self.provider, "101", "A name", std::slice::from_ref(message)).await;
        }
        self.harness.wait_for_projection().await;
    }

    async fn listed(&self) -> Vec<ContactRow> {
        let query = ContactQuery { workspace: self.provider.workspace.clone(), limit: 50, ..ContactQuery::default() };
        self.core.conversations.list_contacts(query).await.unwrap().rows
    }

    /// Of the only contact.
    async fn row(&self) -> ContactRow {
        let mut rows = self.listed().await;
        assert_eq!(rows.len(), 1);
        rows.remove(0)
    }

    /// Oldest first.
    async fn messages(&self, contact: &str) -> Vec<ConversationMessage> {
        let mut messages = conversation(&self.core, &self.provider.workspace, contact, 50).await.messages;
        messages.reverse();
        messages
    }
}

fn text(id: &str, at: i64, body: &str) -> Value {
    message(ANA, id, at, "text", json!({"body": body}))
}

fn edit(from: &str, id: &str, at: i64, original: &str, content: Value) -> Value {
    message(from, id, at, "edit", json!({"original_message_id": original, "message": content}))
}

fn edited_text(id: &str, at: i64, original: &str, body: &str) -> Value {
    edit(ANA, id, at, original, json!({"type": "text", "text": {"body": body}}))
}

fn deletion(from: &str, id: &str, at: i64, original: &str) -> Value {
    message(from, id, at, "revoke", json!({"original_message_id": original}))
}

fn contents(messages: &[ConversationMessage]) -> Vec<(&str, &str, bool, bool)> {
    messages
        .iter()
        .map(|it| (it.kind.as_str(), it.text.as_str(), it.edited_at.is_some(), it.deleted_at.is_some()))
        .collect()
}

#[tokio::test]
async fn edited_and_deleted_messages_change_in_their_place() {
    let mut desk = Desk::start().await;
    let sent = [
        text("wamid.CASE61", 1_795_700_061, "Deliver to Rose street 4"),
        edited_text("wamid.CASE62", 1_795_700_062, "wamid.CASE61", "Deliver to *Rose* street 14"),
        text("wamid.CASE63", 1_795_700_063, "my card number is on the way"),
    ];
    desk.wrote(&sent).await;
    assert_eq!((desk.row().await.excerpt.as_str(), desk.row().await.unread), ("my card number is on the way", 2));
    desk.wrote(&[deletion(ANA, "wamid.CASE64", 1_795_700_064, "wamid.CASE63")]).await;

    let row = desk.row().await;
    assert_eq!(
        (row.excerpt.as_str(), row.last_kind.as_str(), row.last_at, row.unread),
        ("", "revoke", 1_795_700_063_000, 2)
    );
    let messages = desk.messages(ANA).await;
    assert_eq!(
        contents(&messages),
        [("text", "Deliver to *Rose* street 14", true, false), ("revoke", "", false, true)]
    );
    assert_eq!(plain_text(&messages[0].bubble.as_ref().unwrap().body), "Deliver to Rose street 14");
    assert_eq!((messages[0].edited_at, messages[1].deleted_at), (Some(1_795_700_062_000), Some(1_795_700_064_000)));
    assert!(messages.iter().all(|message| message.raw.is_none() && message.media.is_none()));

    // Activity has every message as it was.
    let query = EventQuery { workspace: Some(desk.provider.workspace.clone()), limit: 10, ..EventQuery::default() };
    let events = desk.core.webhooks.list_events(query).await.unwrap().rows;
    let texts: Vec<&str> = events.iter().map(|event| event.summary.as_str()).collect();
    for text in ["Deliver to Rose street 4", "Deliver to Rose street 14", "my card number is on the way"] {
        assert!(texts.contains(&text), "{texts:?}");
    }
    desk.harness.close().await;
}

#[tokio::test]
async fn a_rebuild_shows_the_same_messages() {
    let mut desk = Desk::start().await;
    let sent = [
        edited_text("e1", 20, "m", "second"),
        text("m", 10, "first"),
        deletion(ANA, "e2", 40, "n"),
        text("n", 30, "private"),
        edited_text("e3", 60, "lost", "found"),
        deletion(BO, "e4", 70, "gone"),
    ];
    desk.wrote(&sent).await;
    let before = (desk.messages(ANA).await, desk.messages(BO).await, desk.listed().await);
    assert_eq!(
        contents(&before.0),
        [("text", "second", true, false), ("revoke", "", false, true), ("text", "found", true, false)]
    );
    desk.core.webhooks.rebuild_projection(command_types::Nothing {}).await.unwrap();
    desk.harness.wait_for_projection().await;
    assert_eq!((desk.messages(ANA).await, desk.messages(BO).await, desk.listed().await), before);
    desk.harness.close().await;
}

#[tokio::test]
async fn the_caption_of_a_picture_is_edited_and_a_deleted_picture_is_not_shown() {
    let mut desk = Desk::start().await;
    let picture = json!({"id": "1", "mime_type": "image/png", "caption": "old", "s3_url": "http://127.0.0.1:1/1"});
    let new = json!({"type": "image", "image": {"id": "2", "mime_type": "image/png", "caption": "new"}});
    desk.wrote(&[message(ANA, "m", 10, "image", picture), edit(ANA, "e1", 20, "m", new)]).await;
    let messages = desk.messages(ANA).await;
    assert_eq!(contents(&messages), [("image", "new", true, false)]);
    assert_eq!(messages[0].media.as_ref().unwrap().caption.as_deref(), Some("new"));
    let event = messages[0].event.clone().unwrap();

    desk.wrote(&[deletion(ANA, "e2", 30, "m")]).await;
    let messages = desk.messages(ANA).await;
    assert_eq!(contents(&messages), [("revoke", "", false, true)]);
    assert_eq!(messages[0].media, None);
    let request = MediaRequest { workspace: desk.provider.workspace.clone(), event, ..MediaRequest::default() };
    assert!(desk.core.conversations.get_media(request).await.is_err());
    desk.harness.close().await;
}

#[tokio::test]
async fn an_edit_neither_counts_as_unread_nor_opens_the_service_window() {
    let mut desk = Desk::start().await;
    desk.wrote(&[text("m", 10, "first")]).await;
    let window = conversation(&desk.core, &desk.provider.workspace, ANA, 50).await.window;
    desk.wrote(&[edited_text("e1", 100, "m", "second"), deletion(ANA, "e2", 200, "m")]).await;
    assert_eq!((desk.row().await.unread, desk.row().await.last_at), (1, 10_000));
    assert_eq!(conversation(&desk.core, &desk.provider.workspace, ANA, 50).await.window, window);
    // Nor does one of a message that did not arrive here.
    desk.wrote(&[edited_text("e3", 300, "lost", "found")]).await;
    assert_eq!(conversation(&desk.core, &desk.provider.workspace, ANA, 50).await.window, window);
    desk.harness.close().await;
}

#[tokio::test]
async fn edits_that_cannot_be_read_are_kept_and_shown() {
    let mut desk = Desk::start().await;
    let hologram = json!({"type": "hologram", "hologram": {"beam": 2}});
    desk.wrote(&[
        message(ANA, "m", 10, "hologram", json!({"beam": 1})),
        edit(ANA, "e1", 20, "m", hologram),
        message(ANA, "e2", 30, "edit", json!({"colour": "red"})),
    ])
    .await;
    let messages = desk.messages(ANA).await;
    assert_eq!(contents(&messages), [("hologram", "", true, false), ("edit", "", false, false)]);
    assert!(messages[0].raw.as_ref().unwrap().contains(r#""beam":2"#));
    assert!(messages[1].raw.as_ref().unwrap().contains("red"));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_person_does_not_change_messages_of_others() {
    let mut desk = Desk::start().await;
    let his = edit(BO, "e1", 20, "m", json!({"type": "text", "text": {"body": "his"}}));
    desk.wrote(&[his, text("m", 10, "hers"), deletion(BO, "e2", 30, "m")]).await;
    assert_eq!(contents(&desk.messages(ANA).await), [("text", "hers", false, false)]);
    assert_eq!((desk.messages(BO).await, desk.listed().await.len()), (Vec::new(), 1));
    desk.harness.close().await;
}

#[tokio::test]
async fn activity_says_which_messages_are_changed_and_which_changes_count_for_nothing() {
    let mut desk = Desk::start().await;
    desk.wrote(&[
        text("m", 10, "first"),
        edited_text("e1", 20, "m", "second"),
        deletion(ANA, "e2", 30, "m"),
        deletion(BO, "e3", 40, "m"),
        edited_text("e4", 50, "lost", "found"),
    ])
    .await;
    let query = EventQuery { workspace: Some(desk.provider.workspace.clone()), limit: 10, ..EventQuery::default() };
    let rows = desk.core.webhooks.list_events(query).await.unwrap().rows;
    let seen: Vec<_> =
        rows.iter().map(|row| (row.summary.as_str(), row.revision.map(|it| (it.deletion, it.ignored)))).collect();
    assert_eq!(
        seen,
        [
            ("found", Some((false, false))),
            ("", Some((true, true))),
            ("", Some((true, false))),
            ("second", Some((false, false))),
            ("first", None),
        ]
    );
    let mut original_texts = Vec::new();
    for row in &rows {
        let event = desk.core.webhooks.get_event(EventId { event: row.id.clone() }).await.unwrap();
        assert_eq!(event.row, *row);
        let mut facts = event.facts.into_iter();
        original_texts.push(facts.find(|fact| fact.label == "originalText").map(|fact| fact.value));
    }
    assert_eq!(
        original_texts,
        [None, Some("first"), Some("first"), Some("first"), None].map(|it| it.map(str::to_owned))
    );
    desk.harness.close().await;
}
