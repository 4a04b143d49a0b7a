//! Converts typed text to a full-text query without syntax errors.

/// A search, split into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Search {
    chunks: Vec<String>,
}

impl Search {
    /// `None` if the text is empty.
    pub(super) fn parse(typed: &str) -> Option<Self> {
        let chunks: Vec<String> = typed
            .split_whitespace()
            .map(|chunk| chunk.chars().filter(|c| !c.is_control()).collect::<String>())
            .filter(|chunk| !chunk.is_empty())
            .collect();
        (!chunks.is_empty()).then_some(Self { chunks })
    }

    /// Matches texts that contain each word or a word with that prefix. `None` if there are no letters or digits.
    pub(super) fn words(&self) -> Option<String> {
        let terms: Vec<String> = self
            .chunks
            .iter()
            .filter(|chunk| chunk.chars().any(char::is_alphanumeric))
            // Quotes disable operators; if the tokenizer splits the text, it becomes a phrase.
            .map(|chunk| format!("{}*", quoted(chunk)))
            .collect();
        // No explicit operator: the implicit AND ignores a phrase without words, the explicit one fails on it.
        (!terms.is_empty()).then(|| terms.join(" "))
    }
}

pub(super) fn quoted(chunk: &str) -> String {
    format!("\"{}\"", chunk.replace('"', "\"\""))
}

/// So many digits, or more, has a number with its area code.
const MIN_NATIONAL_DIGITS: usize = 8;

/// The digits of a search for a number in any notation: `+55 (11) 9…` is reduced to its digits. Zeros that are dialled
/// before a whole number, as in `(011) 9…`, are no part of it. `None` if the text is no number.
#[must_use]
pub fn searched_digits(typed: &str) -> Option<String> {
    let is_number = typed.chars().all(|c| c.is_ascii_digit() || " +-.()/\u{a0}".contains(c));
    let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
    if !is_number || digits.is_empty() {
        return None;
    }
    let national = digits.trim_start_matches('0');
    Some(if national.len() >= MIN_NATIONAL_DIGITS { national.to_owned() } else { digits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_searched_without_what_is_dialled_before_it() {
        for (typed, digits) in [
            ("+55 (21) 95550-2239", Some("5521955502239")),
            ("(021) 95550 2239", Some("21955502239")),
            ("021 95550-2239", Some("21955502239")),
            ("0044 20 7946 0123", Some("442079460123")),
            ("0800 123 4567", Some("8001234567")),
            ("0123", Some("0123")),
            ("00000000000", Some("00000000000")),
            ("", None),
            (" ", None),
            ("021 Ana", None),
        ] {
            assert_eq!(searched_digits(typed).as_deref(), digits, "{typed:?}");
        }
    }

    #[test]
    fn search_text_becomes_a_query() {
        let cases = [
            ("", None),
            (" \t\u{0}", None),
            ("o", Some("\"o\"*")),
            ("orde con", Some("\"orde\"* \"con\"*")),
            ("r_c", Some("\"r_c\"*")),
            ("AND", Some("\"AND\"*")),
            ("a\"b*", Some("\"a\"\"b*\"*")),
            ("_", None),
            ("!! order", Some("\"order\"*")),
            ("\u{301}", None),
        ];
        for (typed, words) in cases {
            assert_eq!(Search::parse(typed).as_ref().and_then(Search::words).as_deref(), words, "{typed:?}");
        }
    }
}
