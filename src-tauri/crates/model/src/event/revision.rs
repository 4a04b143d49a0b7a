//! Edits and deletions of a message by its author: types `edit` and `revoke`.
//!
//! Shape: <https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/edit>
//! and `…/messages/revoke`. An edit holds the whole new content: the text, or the file with its new caption.

use serde_json::Value;

use super::message::{InboundMedia, InboundMessage, MessageType};
use super::reading::{MessageReading, message_of, read_message};
use crate::Object;

/// A later change of a message by its author. Its identifier is its own; `original` is that of the message.
#[derive(Clone, Debug, PartialEq)]
pub enum Revision {
    Edit {
        original: String,
        /// The new content, with the sender and the time of the edit.
        message: Box<InboundMessage>,
    },
    Deletion {
        original: String,
    },
}

impl Revision {
    /// The message that it changes.
    #[must_use]
    pub fn original(&self) -> &str {
        match self {
            Self::Edit { original, .. } | Self::Deletion { original } => original,
        }
    }
}

impl InboundMessage {
    /// The change that it makes to an earlier message. `None` for other messages, and if it doesn't say which message
    /// it changes or what to.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        let content = self.extra.get(self.kind.as_str())?;
        let original = content.get("original_message_id")?.as_str().filter(|id| !id.is_empty())?.to_owned();
        match self.kind {
            MessageType::Edit => {
                let message = Box::new(self.edited(content.get("message")?.as_object()?)?);
                Some(Revision::Edit { original, message })
            }
            MessageType::Revoke => Some(Revision::Deletion { original }),
            _ => None,
        }
    }

    /// The content of an edit as a message of its own.
    fn edited(&self, content: &Object) -> Option<Self> {
        let mut message = content.clone();
        if !content.get("type").is_some_and(Value::is_string) {
            let mut types = content.keys().map(|key| MessageType::from(key.as_str()));
            let kind = types.find(|kind| !matches!(kind, MessageType::Unknown(_)))?;
            message.insert("type".to_owned(), kind.as_str().into());
        }
        for (key, value) in [("from", &self.from), ("id", &self.id), ("timestamp", &self.timestamp)] {
            message.insert(key.to_owned(), value.as_str().into());
        }
        crate::json::read(&Value::Object(message)).ok()
    }
}

/// Reads a message that its author edited: `original` with the content of `edit`, both messages or values of the field
/// `messages`. A file stays that of the original, since only its caption can change. Without the original, what the edit
/// says.
#[must_use]
pub fn read_edited(original: Option<&Value>, edit: &Value) -> MessageReading {
    let edited = message_of(edit);
    let revision = crate::json::read::<InboundMessage>(edited).ok().and_then(|message| message.revision());
    let original = original.map(read_message);
    let Some(Revision::Edit { message, .. }) = revision else {
        return original.unwrap_or_else(|| read_message(edit));
    };
    let new = MessageReading::of(&message);
    let Some(original) = original else { return new };
    let media = match (original.media, new.media) {
        (Some(media), Some(file)) => Some(InboundMedia { caption: file.caption, ..media }),
        (media, file) => media.or(file),
    };
    let facts = if new.facts.is_empty() { original.facts } else { new.facts };
    MessageReading { text: new.text, is_raw: new.is_raw, facts, media, ..original }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use serde_json::json;

    use super::*;
    use crate::event::reading::words;

    fn message(kind: &str, content: &Value) -> Value {
        json!({"from": "5511", "id": "own", "timestamp": "9", "type": kind, kind: content})
    }

    fn edit(content: &Value) -> Value {
        message("edit", &json!({"original_message_id": "first", "message": content}))
    }

    fn revision(value: &Value) -> Option<Revision> {
        serde_json::from_value::<InboundMessage>(value.clone()).unwrap().revision()
    }

    #[test]
    fn edits_and_deletions_name_the_message_that_they_change() {
        let deletion = message("revoke", &json!({"original_message_id": "first"}));
        assert_eq!(revision(&deletion), Some(Revision::Deletion { original: "first".to_owned() }));
        for content in [
            json!({"type": "text", "text": {"body": "new"}}),
            json!({"context": {"message_id": "quoted"}, "type": "text", "text": {"body": "new"}}),
            json!({"text": {"body": "new"}}),
        ] {
            let Some(Revision::Edit { original, message }) = revision(&edit(&content)) else { panic!("{content}") };
            assert_eq!((original.as_str(), words(&message)), ("first", "new".to_owned()));
        }
    }

    #[test]
    fn a_change_without_its_message_or_content_is_no_revision() {
        for value in [
            edit(&json!({})),
            edit(&json!({"colour": "red"})),
            edit(&json!("new")),
            message("edit", &json!({"original_message_id": "", "message": {"type": "text", "text": {"body": "new"}}})),
            message("edit", &json!({"original_message_id": "first"})),
            message("revoke", &json!({})),
            message("revoke", &json!({"original_message_id": 7})),
            message("revoke", &Value::Null),
            message("text", &json!({"original_message_id": "first", "body": "text"})),
        ] {
            assert_eq!(revision(&value), None, "{value}");
        }
    }

    #[test]
    fn an_edited_caption_keeps_the_file_of_the_original() {
        let original = message("image", &json!({"id": "1", "caption": "old", "s3_url": "https://f.example/1"}));
        for (new, shown) in [
            (json!({"type": "image", "image": {"id": "2", "caption": "new", "mime_type": "image/png"}}), Some("new")),
            (json!({"type": "image", "image": {"id": "2"}}), None),
        ] {
            let reading = read_edited(Some(&original), &edit(&new));
            let media = reading.media.unwrap();
            assert_eq!((media.id.as_str(), media.s3_url.as_deref()), ("1", Some("https://f.example/1")));
            assert_eq!((media.caption.as_deref(), reading.text.as_str()), (shown, shown.unwrap_or_default()));
        }
        // Without the original, the edit has the file.
        let alone = read_edited(None, &edit(&json!({"type": "image", "image": {"id": "2", "caption": "new"}})));
        assert_eq!((alone.kind.as_str(), alone.media.unwrap().id.as_str()), ("image", "2"));
    }

    #[test]
    fn an_edited_text_keeps_what_the_original_answers() {
        let mut original = message("text", &json!({"body": "old"}));
        original["context"] = json!({"id": "question", "forwarded": true});
        let reading = read_edited(Some(&original), &edit(&json!({"type": "text", "text": {"body": "new"}})));
        assert_eq!((reading.text.as_str(), reading.answers.as_deref()), ("new", Some("question")));
        assert_eq!(reading.facts.len(), 1);
        assert!(!reading.is_raw);
    }

    #[test]
    fn an_edit_of_an_unknown_type_is_shown_as_received() {
        let original = message("hologram", &json!({"beam": 1}));
        let reading = read_edited(Some(&original), &edit(&json!({"type": "hologram", "hologram": {"beam": 2}})));
        assert_eq!((reading.kind.as_str(), reading.text.as_str(), reading.is_raw), ("hologram", "", true));
    }
}
