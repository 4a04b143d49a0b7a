//! From what a person types to a full-text query that cannot be a syntax error.

use std::fmt::Write as _;

/// Begins every token that no person types: a private character, of which the tokenizer makes a letter. Three of them,
/// so that the prefix index has one entry for all such tokens of a row.
const PRIVATE: &str = "\u{E000}\u{E000}\u{E000}";

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

    /// Matches, in the index of [`name_pieces`], what holds every chunk anywhere inside its name. `None` when a chunk is
    /// too short for that: letters and digits need three.
    pub(super) fn pieces(&self) -> Option<String> {
        let queries: Option<Vec<String>> = self.chunks.iter().map(|chunk| chunk_pieces(chunk)).collect();
        queries.map(|queries| queries.join(" "))
    }
}

/// What the index of names holds: every three characters in a row, and every one or two that are no letters or digits.
/// All in one text, whose tokens are split, folded and freed of diacritics as those of words are.
pub(super) fn name_pieces(name: &str) -> String {
    let units: Vec<String> = units(name);
    let mut pieces: Vec<String> = units.windows(3).map(<[String]>::concat).collect();
    for length in [1, 2] {
        let marks = units.windows(length).filter(|window| window.iter().all(|unit| is_mark(unit)));
        pieces.extend(marks.map(<[String]>::concat));
    }
    pieces.join(" ")
}

fn chunk_pieces(chunk: &str) -> Option<String> {
    let units = units(chunk);
    match units.len() {
        // It was nothing but diacritics.
        0 => None,
        1 | 2 => units.iter().all(|unit| is_mark(unit)).then(|| quoted(&units.concat())),
        _ => Some(quoted(&units.windows(3).map(<[String]>::concat).collect::<Vec<_>>().join(" "))),
    }
}

/// A character as a part of a token: `a` and a letter or digit, or `b`, the number of any other, and `g`.
fn units(text: &str) -> Vec<String> {
    let combining = |c: &char| ('\u{300}'..='\u{36F}').contains(c);
    text.chars()
        .filter(|c| !combining(c))
        .map(|c| if c.is_alphanumeric() { format!("a{c}") } else { format!("b{:x}g", u32::from(c)) })
        .collect()
}

fn is_mark(unit: &str) -> bool {
    unit.starts_with('b')
}

/// The token of a template that stands in a list: that of all with an empty WABA, or that of a WABA.
pub(super) fn list_token(workspace_id: &str, waba_id: &str) -> String {
    format!("{}g{}", token("list", workspace_id), hexadecimal(waba_id))
}

/// The token of a template whose property has this value.
pub(super) fn token(property: &str, value: &str) -> String {
    format!("{PRIVATE}{property}{}", hexadecimal(value))
}

fn hexadecimal(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len() * 2), |mut digits, byte| {
        write!(digits, "{byte:02x}").expect("a text takes what is written");
        digits
    })
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
            ("", None, None),
            (" \t\u{0}", None, None),
            ("o", Some("\"o\"*"), None),
            ("orde co", Some("\"orde\"* \"co\"*"), None),
            ("orde con", Some("\"orde\"* \"con\"*"), Some("\"aoarad aradae\" \"acaoan\"")),
            ("r_c", Some("\"r_c\"*"), Some("\"arb5fgac\"")),
            ("AND", Some("\"AND\"*"), Some("\"aAaNaD\"")),
            ("a\"b*", Some("\"a\"\"b*\"*"), Some("\"aab22gab b22gabb2ag\"")),
            ("_", None, Some("\"b5fg\"")),
            ("!!", None, Some("\"b21gb21g\"")),
            ("_a", Some("\"_a\"*"), None),
            ("!!!", None, Some("\"b21gb21gb21g\"")),
            ("\u{301}", None, None),
        ];
        for (typed, words, pieces) in cases {
            let search = Search::parse(typed);
            assert_eq!(search.as_ref().and_then(Search::words).as_deref(), words, "words of {typed:?}");
            assert_eq!(search.as_ref().and_then(Search::pieces).as_deref(), pieces, "pieces of {typed:?}");
        }
    }

    #[test]
    fn a_name_is_indexed_by_its_pieces() {
        assert_eq!(name_pieces("a__b"), "aab5fgb5fg b5fgb5fgab b5fg b5fg b5fgb5fg");
        assert_eq!(name_pieces("ab"), "");
        assert_eq!(name_pieces(""), "");
    }

    #[test]
    fn tokens_of_different_values_differ() {
        let tokens = [
            token("status", "A"),
            token("status", "a"),
            token("status", ""),
            token("category", "A"),
            list_token("w", ""),
            list_token("w", "1"),
            list_token("w1", ""),
        ];
        for (place, token) in tokens.iter().enumerate() {
            assert!(token.chars().all(|c| c.is_ascii_alphanumeric() || c == '\u{E000}'), "{token}");
            assert!(!tokens[place + 1..].contains(token), "{token}");
        }
    }
}
