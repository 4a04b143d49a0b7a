//! Excerpts of messages for the list of phones: one line of plain text.

use model::render::plain_text;
use model::send::{SendMessage, render_sent};

use super::message::Message;
use crate::rendering::said;

/// Maximum length of an excerpt, in characters.
const MAX_EXCERPT: usize = 120;

/// The excerpt of a message from the recipient.
pub(super) fn of_content(content: &model::Object) -> String {
    shorten(&said(content))
}

/// The excerpt of a message from the business.
pub(super) fn of_message(message: &Message) -> String {
    let text = match (message.read_payload(), &message.template) {
        (Some(SendMessage { template: Some(sent), .. }), Some(template)) => {
            plain_text(&render_sent(template, &sent.components).body)
        }
        (Some(SendMessage { text: Some(text), .. }), _) => text.body,
        _ => String::new(),
    };
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
