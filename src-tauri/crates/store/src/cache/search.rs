//! From what a person types to a full-text query that cannot be a syntax error.

/// What is looked for, word by word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Search {
    chunks: Vec<String>,
}

impl Search {
    /// `None` when nothing is looked for.
    pub(super) fn parse(typed: &str) -> Option<Self> {
        let chunks: Vec<String> = typed
            .split_whitespace()
            .map(|chunk| chunk.chars().filter(|c| !c.is_control()).collect::<String>())
            .filter(|chunk| !chunk.is_empty())
            .collect();
        (!chunks.is_empty()).then_some(Self { chunks })
    }

    /// Matches what holds every word or the beginning of it. `None` when nothing typed is a letter or a digit.
    pub(super) fn words(&self) -> Option<String> {
        let terms: Vec<String> = self
            .chunks
            .iter()
            .filter(|chunk| chunk.chars().any(char::is_alphanumeric))
            // Inside quotes nothing is an operator; what the tokenizer splits becomes a phrase.
            .map(|chunk| format!("{}*", quoted(chunk)))
            .collect();
        // No operator between them: the implicit AND passes over a phrase without words, the written one fails on it.
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
    fn typed_text_becomes_a_query() {
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
