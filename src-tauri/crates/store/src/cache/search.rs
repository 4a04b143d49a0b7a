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

#[cfg(test)]
mod tests {
    use super::*;

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
