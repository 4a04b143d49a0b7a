//! Texts for lists and file names.

use model::render::{plain_text, render_text};
use store::fold;

/// The start of a message's text on one line, without the marks of the channel's formatting.
pub(crate) fn message_excerpt(text: &str) -> String {
    excerpt(&plain_text(&render_text(text).body))
}

const MAX_EXCERPT_LENGTH: usize = 140;

/// So many characters of an excerpt come before the word that was searched for.
const BEFORE_WORD: usize = 24;

/// The part of a text on one line that has a word of a search; its start if it has none.
pub(crate) fn excerpt_with(text: &str, search: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let searched = fold(search);
    let is_searched = |word: &&str| searched.split_whitespace().any(|part| fold(word).contains(part));
    let Some(place) = words.iter().position(is_searched) else { return excerpt(text) };
    let (mut start, mut length) = (place, 0);
    while let Some(before) = start.checked_sub(1)
        && length + words[before].chars().count() < BEFORE_WORD
    {
        (start, length) = (before, length + words[before].chars().count() + 1);
    }
    let shown = excerpt(&words[start..].join(" "));
    if start == 0 { shown } else { format!("…{shown}") }
}

/// The start of a text on one line, for lists.
pub(crate) fn excerpt(text: &str) -> String {
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
    fn an_excerpt_of_a_search_has_the_word_and_what_is_before_it() {
        let text = "Hello Ana, today we have a special offer:\ntwelve GIRASSÓIS for you";
        assert_eq!(excerpt_with(text, "girassois"), "…a special offer: twelve GIRASSÓIS for you");
        assert_eq!(excerpt_with("Girassóis!", "girassois"), "Girassóis!");
        assert_eq!(excerpt_with(text, "roses"), excerpt(text), "of a value that the text does not show");
        let long = format!("{} Rosa {}", "a".repeat(90), "b ".repeat(200));
        assert!(excerpt_with(&long, "rosa").starts_with("…Rosa b b"));
    }

    #[test]
    fn instants_in_names_can_be_read_and_sorted() {
        assert_eq!(file_timestamp(1_763_711_400_000), "2025-11-21T07-50-00Z");
    }
}
