//! Edits and deletions on the phones of the sandbox.

use command_types::phone::PhoneMessage;
use model::Object;
use model::event::message::{InboundMessage, MessageType};
use model::event::reading::words;
use model::event::revision::Revision;

/// Applies an item of a phone to the message that it edits or deletes. Returns false if it is another item, or if the
/// phone does not show that message.
pub(super) fn apply(messages: &mut [PhoneMessage], content: &Object) -> bool {
    let Ok(item) = serde_json::from_value::<InboundMessage>(content.clone().into()) else { return false };
    let Some(revision) = item.revision() else { return false };
    let is_original = |message: &&mut PhoneMessage| message.from_phone && message.id == revision.original();
    let Some(message) = messages.iter_mut().find(is_original) else { return false };
    match &revision {
        Revision::Deletion { .. } => {
            (message.kind, message.text, message.media) = (item.kind.as_str().to_owned(), None, None);
            message.edited = false;
        }
        Revision::Edit { .. } if message.kind == MessageType::Revoke.as_str() => {}
        Revision::Edit { message: new, .. } => {
            message.text = Some(words(new)).filter(|text| !text.is_empty());
            message.edited = true;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: serde_json::Value) -> Object {
        serde_json::from_value(value).unwrap_or_default()
    }

    #[test]
    fn edits_and_deletions_change_the_message_that_they_name() {
        let mut messages = vec![PhoneMessage {
            id: "m".to_owned(),
            from_phone: true,
            at: 1,
            kind: "text".to_owned(),
            bubble: None,
            text: Some("first".to_owned()),
            media: None,
            status: "received".to_owned(),
            error: None,
            taps: Vec::new(),
            reply_to: None,
            edited: false,
            number: "1".to_owned(),
        }];
        let edit = |original: &str, text: &str| {
            object(json!({"from": "1", "id": "e", "timestamp": "1", "type": "edit", "edit":
                {"original_message_id": original, "message": {"type": "text", "text": {"body": text}}}}))
        };
        let state = |messages: &[PhoneMessage]| {
            let [message] = messages else { panic!("a message was added") };
            (message.kind.clone(), message.text.clone(), message.edited)
        };
        assert!(!apply(&mut messages, &edit("another", "second")));
        assert!(!apply(&mut messages, &object(json!({"from": "1", "id": "t", "timestamp": "1", "type": "text"}))));
        assert!(apply(&mut messages, &edit("m", "second")));
        assert_eq!(state(&messages), ("text".to_owned(), Some("second".to_owned()), true));
        let deletion = json!({"from": "1", "id": "d", "timestamp": "1", "type": "revoke",
            "revoke": {"original_message_id": "m"}});
        let deleted = ("revoke".to_owned(), None, false);
        assert!(apply(&mut messages, &object(deletion)));
        assert_eq!(state(&messages), deleted);
        assert!(apply(&mut messages, &edit("m", "third")));
        assert_eq!(state(&messages), deleted);
    }
}
