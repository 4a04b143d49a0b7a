//! Texts for lists and file names.

use model::render::{plain_text, render_text};

/// The start of a message's text on one line, without the marks of the channel's formatting.
pub(crate) fn message_excerpt(text: &str) -> String {
    excerpt(&plain_text(&render_text(text).body))
}

/// The start of a text on one line, for lists.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_EXCERPT_LENGTH: usize = 140;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_EXCERPT_LENGTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// An instant in the format of file names.
pub(crate) fn file_timestamp(at: i64) -> String {
    chrono::DateTime::from_timestamp_millis(at)
        .map_or_else(|| at.to_string(), |at| at.format("%Y-%m-%dT%H-%M-%SZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_the_formatting_are_not_shown() {
        assert_eq!(message_excerpt("*Primavera*, {{1}}!\n- _20 %_ off\n2 * 3"), "Primavera, {{1}}! 20 % off 2 * 3");
    }

    #[test]
    fn instants_in_names_can_be_read_and_sorted() {
        assert_eq!(file_timestamp(1_763_711_400_000), "2025-11-21T07-50-00Z");
    }
}
