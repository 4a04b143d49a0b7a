//! Texts that the shell shows outside the window: the namespace `desktop` of the window's locales.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// Texts of one language.
type Texts = HashMap<Sentence, String>;

static ENGLISH: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../../ui/src/locales/en/desktop.json")));
static PORTUGUESE: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../../ui/src/locales/pt-BR/desktop.json")));
static SPANISH: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../../ui/src/locales/es/desktop.json")));

fn parse(texts: &str) -> Texts {
    serde_json::from_str(texts).expect("the locales are part of the program, and a test parses them")
}

/// A language of the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Portuguese,
    Spanish,
}

impl Language {
    /// The language of the preferences; where they name none, the system's.
    pub(crate) fn of(preference: &str) -> Self {
        let system = || {
            let named = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
            named.filter(|value| !value.is_empty()).take(1).collect::<String>()
        };
        let word = if preference.is_empty() { system() } else { preference.to_owned() };
        match word.get(..2) {
            Some("pt") => Self::Portuguese,
            Some("es") => Self::Spanish,
            _ => Self::English,
        }
    }

    fn texts(self) -> &'static Texts {
        match self {
            Self::English => &ENGLISH,
            Self::Portuguese => &PORTUGUESE,
            Self::Spanish => &SPANISH,
        }
    }
}

/// A sentence of the shell, by its key in `desktop.json`. Names in double braces stand for values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Sentence {
    Approved,
    Rejected,
    /// Another outcome, by its own word.
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
    TokenExpired,
    TokenBody,
    ManyReviews,
    ManyPauses,
    ManyCategories,
    ManyQuality,
    ManyWebhooks,
    ManyTokens,
    Hidden,
    HiddenWithTray,
    HiddenWithoutTray,
    Open,
    Quit,
    Receiving,
    NotListening,
    // Stays the last: the test counts.
    Attention,
}

impl Sentence {
    /// The sentence with its values.
    pub(crate) fn say(self, language: Language, values: &[(&str, &str)]) -> String {
        let text = language.texts().get(&self).map_or("", String::as_str);
        // One pass, so that no value is taken for a name.
        let mut said = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            said.push_str(before);
            let (name, after) = after.split_once("}}").unwrap_or((after, ""));
            said.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
            rest = after;
        }
        said.push_str(rest);
        said
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
    fn values_are_never_taken_for_names() {
        let said = Sentence::Approved.say(Language::English, &[("name", "{{language}}"), ("language", "en_US")]);
        assert_eq!(said, "{{language}} (en_US) is approved");
        assert_eq!(Sentence::Quit.say(Language::Spanish, &[]), "Salir");
    }

    /// Parsing refuses unknown keys, so as many texts as sentences means that each sentence has one.
    #[test]
    fn every_sentence_exists_in_the_three_languages() {
        let sentences = Sentence::Attention as usize + 1;
        for language in [Language::English, Language::Portuguese, Language::Spanish] {
            assert_eq!(language.texts().len(), sentences, "{language:?}");
            assert!(language.texts().values().all(|text| !text.is_empty()), "{language:?}");
        }
    }
}
