//! Messages that did not leave or were refused, with the reason.

use command_types::send::{SendId, SendQuery, SendState, SendText};
use serde_json::json;

use super::super::harness::Harness;
use super::super::webhooks::Recorder;
use super::{text, whole, workspace, wrote};

#[tokio::test]
async fn unsent_messages_are_in_the_conversation_with_the_reason() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = workspace(&core, "http://127.0.0.1:1", Some("token-of-the-workspace")).await;
    wrote(&provider, "101", "Ana", &[text("551187654321", "m1", 1, "hello")]).await;
    let now = chrono::Utc::now().timestamp();
    wrote(&provider, "101", "Ana", &[text("551187654321", "m2", now, "are you there?")]).await;
    harness.wait_for_projection().await;
    let send = |to: &str, text: &str| -> SendText {
        serde_json::from_value(json!({
            "workspace": provider.workspace, "number": "101", "to": to, "text": text, "previewUrl": false,
            "callbackData": "", "track": true, "exactCallback": false, "overrides": ["to.kind"],
        }))
        .unwrap()
    };
    // The channel's number lacks the ninth digit that a person types.
    core.messaging.send_text(send("5511987654321", "first")).await.unwrap();
    core.messaging.send_text(send("551187654321", "second")).await.unwrap();
    for limit in [1, 2, 3, 50] {
        let messages = whole(&core, &provider.workspace, "551187654321", limit).await;
        let shown: Vec<_> = messages
            .iter()
            .map(|message| {
                (message.text.as_str(), message.state.as_ref().map(SendState::as_str), message.not_sent.is_some())
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("second", Some("refused"), true),
                ("first", Some("refused"), true),
                ("are you there?", None, false),
                ("hello", None, false)
            ],
            "{limit}"
        );
        assert_eq!(messages[0].number.as_deref(), Some("Sales"));
    }
    // Sends says the same.
    let query = SendQuery { workspace: provider.workspace.clone(), limit: 10, ..SendQuery::default() };
    let rows = core.messaging.list_sends(query).await.unwrap().rows;
    assert_eq!(rows.iter().filter(|row| row.not_sent.is_some()).count(), 2);
    let found = async |state: &str| {
        let state = Some(SendState::from(state));
        let query = SendQuery { workspace: provider.workspace.clone(), state, limit: 10, ..SendQuery::default() };
        core.messaging.list_sends(query).await.unwrap().rows.len()
    };
    assert_eq!((found("notSent").await, found("refused").await), (2, 0));
    let page = core.messaging.get_send(SendId { send: rows[0].id.clone() }).await.unwrap();
    assert_eq!(page.row.not_sent, rows[0].not_sent);
    harness.close().await;
}

#[tokio::test]
async fn a_refused_message_has_the_details_of_the_provider_in_the_conversation() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let recorder = Recorder::start().await;
    let details = "Message failed to send because the recipient uses an old version.";
    let refusal = json!({"error": {"code": 131026, "message": "(#131026) Message undeliverable",
        "error_data": {"messaging_product": "messaging", "details": details}}});
    recorder.answer_json("POST", "400 Bad Request", &refusal);
    let provider = workspace(&core, recorder.origin(), Some("token-of-the-workspace")).await;
    let now = chrono::Utc::now().timestamp();
    wrote(&provider, "101", "Ana", &[text("551187654321", "m2", now, "are you there?")]).await;
    harness.wait_for_projection().await;
    let send: SendText = serde_json::from_value(json!({
        "workspace": provider.workspace, "number": "101", "to": "551187654321", "text": "first", "previewUrl": false,
        "callbackData": "", "track": true, "exactCallback": false, "overrides": ["to.kind"],
    }))
    .unwrap();
    let row = core.messaging.send_text(send).await.unwrap();
    assert_eq!(row.not_sent, None, "the provider has an explanation");
    for (state, count) in [("notSent", 0), ("refused", 1)] {
        let state = Some(SendState::from(state));
        let query = SendQuery { workspace: provider.workspace.clone(), state, limit: 10, ..SendQuery::default() };
        assert_eq!(core.messaging.list_sends(query).await.unwrap().rows.len(), count);
    }
    let messages = whole(&core, &provider.workspace, "551187654321", 10).await;
    let error = messages[0].error.as_ref().unwrap();
    assert_eq!((error.code.as_str(), messages[0].not_sent.is_none()), ("131026", true));
    assert!(error.words.iter().any(|words| words == details), "{error:?}");
    harness.close().await;
}
