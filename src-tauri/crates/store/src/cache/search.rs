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

    /// Matches what holds every chunk anywhere inside. `None` when a chunk is too short for that index.
    pub(super) fn pieces(&self) -> Option<String> {
        if self.chunks.iter().any(|chunk| chunk.chars().count() < 3) {
            return None;
        }
        Some(self.chunks.iter().map(|chunk| quoted(chunk)).collect::<Vec<_>>().join(" "))
    }

    /// The chunks themselves, for what no index can find.
    pub(super) fn chunks(&self) -> &[String] {
        &self.chunks
    }
}

fn quoted(chunk: &str) -> String {
    format!("\"{}\"", chunk.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::Search;

    #[test]
    fn typed_text_becomes_a_query() {
        let cases = [
            ("", None, None),
            (" \t\u{0}", None, None),
            ("o", Some("\"o\"*"), None),
            ("order conf", Some("\"order\"* \"conf\"*"), Some("\"order\" \"conf\"")),
            ("order_conf", Some("\"order_conf\"*"), Some("\"order_conf\"")),
            ("AND", Some("\"AND\"*"), Some("\"AND\"")),
            ("a\"b*", Some("\"a\"\"b*\"*"), Some("\"a\"\"b*\"")),
            ("!!", None, None),
            ("!!!", None, Some("\"!!!\"")),
            ("{{1}}", Some("\"{{1}}\"*"), Some("\"{{1}}\"")),
        ];
        for (typed, words, pieces) in cases {
            let search = Search::parse(typed);
            assert_eq!(search.as_ref().and_then(Search::words).as_deref(), words, "words of {typed:?}");
            assert_eq!(search.as_ref().and_then(Search::pieces).as_deref(), pieces, "pieces of {typed:?}");
        }
    }
}
