//! Excerpts of messages for the list of phones: one line of plain text.

use model::Object;
use model::render::plain_text;
use model::send::sent_bubble;
use serde_json::Value;

use super::message::Message;
use crate::rendering::said;

/// Maximum length of an excerpt, in characters.
const MAX_EXCERPT: usize = 120;

/// The excerpt of a message from the recipient; empty for one without text.
pub(super) fn of_content(content: &Object) -> String {
    shorten(said(content).unwrap_or_default())
}

/// The type of a message; empty if it has none.
pub(super) fn type_of(kind: Option<&Value>) -> String {
    kind.and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The excerpt of a message from the business.
pub(super) fn of_message(message: &Message) -> String {
    let sent = message.read_payload();
    let bubble = sent.and_then(|sent| sent_bubble(&sent, message.template.as_ref()));
    let text = bubble.map(|bubble| plain_text(&bubble.body)).unwrap_or_default();
    shorten(&text)
}

fn shorten(text: &str) -> String {
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(MAX_EXCERPT) {
        line.truncate(end);
        line.push('\u{2026}');
    }
    line
}
