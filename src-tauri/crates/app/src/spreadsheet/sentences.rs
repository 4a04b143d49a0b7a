//! Problems and errors in tables, in the language of the window: the sentences of its locales.

use std::sync::LazyLock;

use command_types::language::Language;
use model::error_code::Explanation;
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

static PORTUGUESE: LazyLock<Locale> = locale!("pt-BR");
static SPANISH: LazyLock<Locale> = locale!("es");

/// The locale of a language; `None` for English, which problems and errors have with them.
fn locale(language: Language) -> Option<&'static Locale> {
    match language {
        Language::English => None,
        Language::Portuguese => Some(&PORTUGUESE),
        Language::Spanish => Some(&SPANISH),
    }
}

/// The sentence of a problem; the English one where a value has no word in the language.
pub(crate) fn problem_sentence(language: Language, problem: SendProblem) -> String {
    locale(language).and_then(|locale| locale.problem(&problem)).unwrap_or(problem.message)
}

/// Meaning of an error code and what to do; the provider's own text of an unknown one.
pub(crate) fn meaning(language: Language, error: Explanation) -> String {
    let known = locale(language).filter(|_| error.known).and_then(|locale| locale.codes.get(&error.code));
    let translated = known.and_then(|code| Some((code.get("meaning")?.as_str()?, code.get("advice")?.as_str()?)));
    translated.map_or(error.message, |(meaning, advice)| format!("{meaning} {advice}"))
}

impl Locale {
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
            self.fill(self.words.iter().find_map(|words| at(words, &key))?, problem)
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
            "reading" => self.words.iter().find_map(|words| at(words, "numberReading")).and_then(|sentence| {
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

    const STATED: [&str; 37] = [
        "accounts", "account", "after", "base", "before", "bytes", "char", "column", "currency", "detail", "encoded",
        "error", "expected", "first", "fit", "found", "how", "kind", "length", "limit", "line", "mime", "minutes",
        "most", "name", "number", "parts", "people", "products", "reason", "row", "second", "sections", "since",
        "status", "suffix", "written",
    ];

    fn problem(code: SendProblemCode, values: &[(&str, &str)]) -> SendProblem {
        let mut problem = SendProblem {
            field: "to".to_owned(),
            code,
            severity: code.severity(),
            error_code: None,
            values: STATED.into_iter().map(stated).collect(),
            message: "English".to_owned(),
        };
        if code == SendProblemCode::ValueMissing {
            problem.values.remove("column");
        }
        problem.values.extend(["times", "until", "used", "variable", "word"].map(stated));
        problem.values.extend(values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        problem
    }

    fn stated(name: &str) -> (String, String) {
        (name.to_owned(), format!("<{name}>"))
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
        assert_eq!(meaning(Language::Spanish, error(9_999_999)), error(9_999_999).message);
    }
}
