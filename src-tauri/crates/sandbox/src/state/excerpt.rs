//! Excerpts of messages for the list of phones: one line of plain text.

use model::event::message::MessageType;
use model::render::plain_text;
use model::send::sent_bubble;

use super::message::Message;
use crate::rendering::said;

/// Maximum length of an excerpt, in characters.
const MAX_EXCERPT: usize = 120;

/// The excerpt of a message from the recipient; empty for a deletion, which leaves nothing to read.
pub(super) fn of_content(content: &model::Object) -> String {
    if content.contains_key(MessageType::Revoke.as_str()) { String::new() } else { shorten(&said(content)) }
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
