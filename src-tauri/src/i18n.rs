//! Translations of the shell outside the window: the namespace `desktop` of the window's locales.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

pub(crate) use command_types::language::Language;
use serde::Deserialize;
use serde_json::Value;

/// Translations into one language.
type Texts = HashMap<Sentence, String>;

static ENGLISH: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../../ui/src/locales/en/desktop.json")));
static PORTUGUESE: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../../ui/src/locales/pt-BR/desktop.json")));
static SPANISH: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../../ui/src/locales/es/desktop.json")));

fn parse(texts: &str) -> Texts {
    serde_json::from_str(texts).expect("the locales are part of the program, and a test parses them")
}

/// Words of the channel that the window translates, such as qualities, in English, Portuguese and Spanish.
static WORDS: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [
        include_str!("../../ui/src/locales/en/common.json"),
        include_str!("../../ui/src/locales/pt-BR/common.json"),
        include_str!("../../ui/src/locales/es/common.json"),
    ]
    .map(|texts| serde_json::from_str(texts).expect("the locales are part of the program, and a test parses them"))
});

/// The translation of a word of the channel, by its JSON pointer in `common.json`; the word itself if it is not known.
pub(crate) fn word<'a>(language: Language, pointer: &str, word: &'a str) -> Cow<'a, str> {
    let texts = &WORDS[match language {
        Language::English => 0,
        Language::Portuguese => 1,
        Language::Spanish => 2,
    }];
    texts.pointer(pointer).and_then(Value::as_str).map_or(Cow::Borrowed(word), Cow::Borrowed)
}

/// The language of the system's environment, which most desktops set.
pub(crate) fn of_environment() -> Language {
    let named = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    Language::of(&named.filter(|value| !value.is_empty()).take(1).collect::<String>())
}

fn texts(language: Language) -> &'static Texts {
    match language {
        Language::English => &ENGLISH,
        Language::Portuguese => &PORTUGUESE,
        Language::Spanish => &SPANISH,
    }
}

/// A text of the shell; the variant is its key in `desktop.json`. Names in double braces are replaced by values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Sentence {
    Approved,
    Rejected,
    /// Any other status; the text includes its name.
    Status,
    Paused,
    Disabled,
    Category,
    Quality,
    Webhooks,
    WebhooksOfNumber,
    WebhooksBody,
    TokenExpires,
    TokenExpiresToday,
    TokenExpiresTomorrow,
    TokenExpired,
    TokenBody,
    Account,
    AccountBody,
    ManyReviews,
    ManyPauses,
    ManyCategories,
    ManyQuality,
    ManyWebhooks,
    ManyTokens,
    ManyMessages,
    ManyAccounts,
    Hidden,
    HiddenWithTray,
    HiddenWithoutTray,
    Open,
    Quit,
    Receiving,
    NotListening,
    PageCrashed,
    PageCrashedBody,
    // Must be the last variant: the test uses it to count.
    Attention,
}

impl Sentence {
    /// The translation with its values.
    pub(crate) fn translate(self, language: Language, values: &[(&str, &str)]) -> String {
        let text = texts(language).get(&self).map_or("", String::as_str);
        // Replaced in one pass, so that a value is never parsed as a name.
        let mut text_with_values = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            text_with_values.push_str(before);
            let (name, after) = after.split_once("}}").unwrap_or((after, ""));
            text_with_values.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
            rest = after;
        }
        text_with_values.push_str(rest);
        text_with_values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_come_from_the_preferences() {
        let languages = ["en", "pt-BR", "es", "xx"].map(Language::of);
        assert_eq!(languages, [Language::English, Language::Portuguese, Language::Spanish, Language::English]);
    }

    #[test]
    fn placeholders_in_values_are_not_replaced() {
        let text_with_values =
            Sentence::Approved.translate(Language::English, &[("name", "{{language}}"), ("language", "en_US")]);
        assert_eq!(text_with_values, "{{language}} (en_US) is approved");
        assert_eq!(Sentence::Quit.translate(Language::Spanish, &[]), "Salir");
    }

    /// Parsing rejects unknown keys, so an equal number of texts and variants means that each variant has a text.
    #[test]
    fn every_sentence_exists_in_the_three_languages() {
        let sentences = Sentence::Attention as usize + 1;
        for language in [Language::English, Language::Portuguese, Language::Spanish] {
            assert_eq!(texts(language).len(), sentences, "{language:?}");
            assert!(texts(language).values().all(|text| !text.is_empty()), "{language:?}");
        }
    }
}
