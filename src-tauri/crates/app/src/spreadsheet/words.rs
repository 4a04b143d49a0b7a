//! Names of columns and fixed words of tables: the namespace `exports` of the window's locales.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use command_types::language::Language;
use model::market::words as folded;

/// Texts by group and word.
type Texts = HashMap<String, HashMap<String, String>>;

/// The group of the names of columns.
const COLUMNS: &str = "columns";

static ENGLISH: LazyLock<Texts> =
    LazyLock::new(|| parse(include_str!("../../../../../ui/src/locales/en/exports.json")));
static PORTUGUESE: LazyLock<Texts> =
    LazyLock::new(|| parse(include_str!("../../../../../ui/src/locales/pt-BR/exports.json")));
static SPANISH: LazyLock<Texts> =
    LazyLock::new(|| parse(include_str!("../../../../../ui/src/locales/es/exports.json")));

fn parse(texts: &str) -> Texts {
    serde_json::from_str(texts).expect("the locales are part of the program, and a test parses them")
}

fn texts(language: Language) -> &'static Texts {
    match language {
        Language::English => &ENGLISH,
        Language::Portuguese => &PORTUGUESE,
        Language::Spanish => &SPANISH,
    }
}

/// A word of a group in a language, whatever its case; the word itself if it is not known.
pub(crate) fn word<'w>(language: Language, group: &str, word: &'w str) -> Cow<'w, str> {
    let known = texts(language).get(group).and_then(|group| group.get(&word.to_lowercase()));
    known.map_or(Cow::Borrowed(word), |text| Cow::Borrowed(text.as_str()))
}

pub(crate) fn column(language: Language, column: &str) -> Cow<'_, str> {
    word(language, COLUMNS, column)
}

/// The word of a group that a cell has in any language, whatever its case and accents.
pub(crate) fn word_in(group: &str, cell: &str) -> Option<&'static str> {
    let cell = folded(cell);
    let mut known = Language::ALL.into_iter().filter_map(|language| texts(language).get(group)).flatten();
    known.find(|(word, text)| folded(text) == cell || folded(word) == cell).map(|(word, _)| word.as_str())
}

/// Which of these columns a name in a header means, in any language.
pub(crate) fn column_in<'c>(columns: &[&'c str], name: &str) -> Option<&'c str> {
    let name = folded(name);
    let is_meant = |column: &&&str| {
        Language::ALL.into_iter().any(|language| folded(&self::column(language, column)) == name)
            || folded(column) == name
    };
    columns.iter().find(is_meant).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_exists_in_the_three_languages_and_means_one_thing() {
        for language in Language::ALL {
            for (group, english) in &*ENGLISH {
                let translated = &texts(language)[group];
                assert_eq!(translated.len(), english.len(), "{group} {language:?}");
                for word in english.keys() {
                    assert!(translated.get(word).is_some_and(|text| !text.is_empty()), "{group} {word} {language:?}");
                }
            }
        }
        for how in ["preference", "failure", "reply", "note"] {
            for language in Language::ALL {
                assert_eq!(word_in("how", &word(language, "how", how)), Some(how));
            }
        }
        assert_eq!(word(Language::Spanish, "state", "a later state"), "a later state");
    }
}
