//! Problems and errors in tables, in the language of the window: the sentences of its locales.

use std::sync::LazyLock;

use command_types::language::Language;
use model::error_code::{Explanation, FaultySetting};
use model::send::{SendProblem, SendProblemCode};
use serde_json::Value;

/// The namespaces of a language.
struct Locale {
    problems: Value,
    /// Words for values, and names of statuses and categories.
    words: [Value; 2],
    codes: Value,
}

macro_rules! locale {
    ($language:literal) => {
        LazyLock::new(|| {
            let read = |text: &str| {
                serde_json::from_str(text).expect("the locales are part of the program, and a test parses them")
            };
            Locale {
                problems: read(include_str!(concat!(
                    "../../../../../ui/src/locales/",
                    $language,
                    "/sendProblems.json"
                ))),
                words: [
                    read(include_str!(concat!("../../../../../ui/src/locales/", $language, "/sends.json"))),
                    read(include_str!(concat!("../../../../../ui/src/locales/", $language, "/common.json"))),
                ],
                codes: read(include_str!(concat!("../../../../../ui/src/locales/", $language, "/errorCodes.json"))),
            }
        })
    };
}

static ENGLISH: LazyLock<Locale> = locale!("en");
static PORTUGUESE: LazyLock<Locale> = locale!("pt-BR");
static SPANISH: LazyLock<Locale> = locale!("es");

fn locale(language: Language) -> &'static Locale {
    match language {
        Language::English => &ENGLISH,
        Language::Portuguese => &PORTUGUESE,
        Language::Spanish => &SPANISH,
    }
}

/// The sentence of a problem; that of the problem itself, in English, where a value has no word in the language.
pub(crate) fn problem_sentence(language: Language, problem: SendProblem) -> String {
    locale(language).problem(&problem).unwrap_or(problem.message)
}

/// Meaning of an error code and what to do; the provider's own text of an unknown one.
pub(crate) fn meaning(language: Language, error: Explanation) -> String {
    let locale = Some(locale(language)).filter(|_| error.known);
    let translated = locale.and_then(|locale| {
        let text = |part| match error.setting {
            None => locale.codes.get(&error.code)?.get(part)?.as_str(),
            Some(FaultySetting::MessagingProduct) => locale.word(&format!("failure.setting.messagingProduct.{part}")),
            Some(FaultySetting::NumberId) => locale.word(&format!("failure.setting.numberId.{part}")),
        };
        Some((text("meaning")?, text("advice")?))
    });
    translated.map_or(error.message, |(meaning, advice)| format!("{meaning} {advice}"))
}

impl Locale {
    /// The text at a key of the namespaces of words.
    fn word(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|words| at(words, key))
    }

    fn problem(&self, problem: &SendProblem) -> Option<String> {
        let is = |name: &str, value: &str| problem.values.get(name).is_some_and(|of| of == value);
        let key = match problem.code {
            SendProblemCode::ValueMissing if problem.values.contains_key("column") => "value.emptyColumn",
            SendProblemCode::ToOptedOut if is("limited", "true") => "to.optedOutFor",
            code => code.as_str(),
        };
        self.fill(at(&self.problems, key)?, problem)
    }

    /// A sentence with its values; `None` if one is missing.
    fn fill(&self, sentence: &str, problem: &SendProblem) -> Option<String> {
        let mut parts = sentence.split("{{");
        let mut filled = parts.next()?.to_owned();
        for part in parts {
            let (name, rest) = part.split_once("}}")?;
            filled += &self.value(name, problem)?;
            filled += rest;
        }
        Some(filled)
    }

    /// A value as the window shows it, but instants in UTC.
    fn value(&self, name: &str, problem: &SendProblem) -> Option<String> {
        let stated = |name: &str| problem.values.get(name).cloned();
        let word = |group: &str, key: &str| {
            let key = format!("{group}.{}", problem.values.get(key)?);
            self.fill(self.word(&key)?, problem)
        };
        match name {
            "instant" | "date" => stated("since").or_else(|| stated("until")),
            "reason" => word("numberFault", "fault").or_else(|| stated(name)),
            "detail" => word("linkFault", "fault").or_else(|| stated(name)),
            "howWord" => word("optOutHow", "source").or_else(|| stated("how")),
            "kindWord" => word("numberKind", "kind"),
            "statusWord" => word("status", "status").or_else(|| stated("status")),
            "beforeWord" => word("category", "before").or_else(|| stated("before")),
            "afterWord" => word("category", "after").or_else(|| stated("after")),
            "size" => stated("bytes").map(|bytes| format!("{bytes} bytes")),
            "limitSize" => stated("limit").map(|bytes| format!("{bytes} bytes")),
            "reading" if stated("formatted").is_none_or(|number| number.is_empty()) => Some(String::new()),
            "reading" => self.word("numberReading").and_then(|sentence| {
                let number = stated("formatted")?;
                Some(format!(" {}", sentence.replace("{{number}}", &number)))
            }),
            name => stated(name),
        }
    }
}

/// The text at a key such as `to.kind`.
fn at<'t>(texts: &'t Value, key: &str) -> Option<&'t str> {
    key.split('.').try_fold(texts, |texts, part| texts.get(part))?.as_str()
}

#[cfg(test)]
mod tests {
    use model::error_code::explain;
    use model::failure::Failure;

    use super::*;

    /// A problem with a value for each name in its English sentence, which every such problem has.
    fn problem(code: SendProblemCode, values: &[(&str, &str)]) -> SendProblem {
        let named = code.sentence().split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let stated = named.map(|(name, _)| name).filter(is_name).map(|name| (name.to_owned(), format!("<{name}>")));
        let mut problem = SendProblem {
            field: "to".to_owned(),
            code,
            severity: code.severity(),
            error_code: None,
            values: stated.collect(),
            message: "English".to_owned(),
        };
        problem.values.extend(values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        problem
    }

    #[test]
    fn every_problem_has_a_sentence_in_each_language() {
        for language in [Language::Portuguese, Language::Spanish] {
            // The window says the age of a list in the largest unit, which has no words here.
            for code in SendProblemCode::ALL.iter().filter(|code| **code != SendProblemCode::TemplateStale) {
                let sentence = problem_sentence(language, problem(*code, &[("kind", "fixedLine")]));
                assert!(sentence != "English" && !sentence.contains("{{"), "{language:?} {code:?}: {sentence}");
            }
        }
    }

    #[test]
    fn values_are_words_of_the_language() {
        for (code, values, sentence) in [
            (SendProblemCode::ToKind, &[("kind", "fixedLine")][..], "Parece un teléfono fijo, no un móvil."),
            (SendProblemCode::ToInvalid, &[("fault", "otherDigits"), ("character", "٣")], "contiene «٣»."),
            (SendProblemCode::ToInvalid, &[("fault", "a later one")], "No es un número de teléfono: <reason>."),
            (
                SendProblemCode::ToOptedOut,
                &[("source", "reply"), ("since", "2026-11-30")],
                "el 2026-11-30 (con una respuesta)",
            ),
            (SendProblemCode::ToOptedOut, &[("limited", "true")], "de <accounts> el <since> (<how>)"),
            (SendProblemCode::ValueMissing, &[("column", "Nombre")], "Nombre"),
            (SendProblemCode::ToCountryUnknown, &[("formatted", "+55 11 4004-0001")], "es +55 11 4004-0001."),
        ] {
            let found = problem_sentence(Language::Spanish, problem(code, values));
            assert!(found.contains(sentence), "{found}");
        }
        let english = problem_sentence(Language::English, problem(SendProblemCode::ToKind, &[]));
        assert_eq!(english, "English");
        let unworded =
            problem_sentence(Language::Spanish, problem(SendProblemCode::ToKind, &[("kind", "a later one")]));
        assert_eq!(unworded, "English");
    }

    #[test]
    fn errors_are_explained_in_the_language() {
        let error = |code| explain(&Failure { code: Some(code), ..Failure::default() });
        assert!(meaning(Language::Portuguese, error(131_026)).contains("WhatsApp"));
        assert_ne!(meaning(Language::Portuguese, error(131_026)), error(131_026).message);
        assert_eq!(meaning(Language::English, error(131_026)), error(131_026).message);
        let of_setting = Failure { code: Some(33), ..Failure::default() };
        assert!(meaning(Language::Portuguese, explain(&of_setting)).contains("ID"));
        assert_eq!(meaning(Language::Spanish, error(9_999_999)), error(9_999_999).message);
    }
}
