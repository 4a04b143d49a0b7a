//! Compares the languages of a template.
//!
//! A send names a template by name and language, and uses the same values for all languages. So all languages need the
//! same variables, the same kind of header, the same buttons and cards. Texts and addresses may differ — a shop has
//! pages in several languages — and so may the order of the variables in a text.

use serde::Serialize;
use ts_rs::TS;

use crate::button::Button;
use crate::component::{Carousel, Component};
use crate::template::Template;
use crate::variable::{message_texts, scan};
use crate::vocabulary::{Category, TemplateStatus};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub enum DifferenceKind {
    Category,
    /// Numbered or named variables.
    ParameterFormat,
    /// The format of the header.
    Header,
    /// The variables of a text.
    Variables,
    /// Whether there is a footer.
    Footer,
    /// Buttons by type, in order, and the variables in their addresses.
    Buttons,
    /// Number and structure of the cards.
    Cards,
}

/// A difference between a language and the base language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub struct LanguageDifference {
    pub kind: DifferenceKind,
    /// JSON pointer (RFC 6901) into the differing template, such as `/components/1/text`; to the list of components if
    /// the component is missing.
    pub place: String,
    /// Content of the base language, as words of the channel and numbers, such as `2: {{1}} {{2}}`; empty if missing.
    pub expected: String,
    /// Content of the differing language.
    pub found: String,
}

/// One compared property of a language.
#[derive(Debug, PartialEq, Eq)]
struct Fact {
    kind: DifferenceKind,
    place: String,
    words: String,
}

/// The differences of `other` from `base`, in the order of their kinds.
#[must_use]
pub fn differences(base: &Template, other: &Template) -> Vec<LanguageDifference> {
    let pairs = facts(base).into_iter().zip(facts(other));
    // An absent category may be the same.
    let is_unsaid = |expected: &Fact, found: &Fact| {
        found.kind == DifferenceKind::Category && (expected.words.is_empty() || found.words.is_empty())
    };
    let differing = pairs.filter(|(expected, found)| expected.words != found.words && !is_unsaid(expected, found));
    differing
        .map(|(expected, found)| LanguageDifference {
            kind: found.kind,
            place: found.place,
            expected: expected.words,
            found: found.words,
        })
        .collect()
}

/// A fingerprint: equal for two templates if neither differs from the other. If only one has a category, the
/// fingerprints differ, although [`differences`] may be empty.
#[must_use]
pub fn shape(template: &Template) -> String {
    let facts = facts(template);
    facts.iter().map(|fact| fact.words.as_str()).collect::<Vec<_>>().join("\n")
}

/// Chooses the base language for the comparison: the first in the order of language codes that can be sent, because
/// people rely on it; else the first that is not archived, else the first. For a language in several WABAs, the first
/// given.
#[must_use]
pub fn base<'a>(languages: impl IntoIterator<Item = (&'a str, &'a str, bool)>) -> Option<usize> {
    let rank = |(place, (language, status, archived)): (usize, (&'a str, &'a str, bool))| {
        let sendable = !archived && TemplateStatus::from(status).is_sendable();
        (!sendable, archived, language, place)
    };
    languages.into_iter().enumerate().map(rank).min().map(|(.., place)| place)
}

/// The compared properties, in the same order for every template.
fn facts(template: &Template) -> Vec<Fact> {
    let place = |wanted: fn(&Component) -> bool, below: &str| {
        let index = template.components.iter().position(wanted);
        index.map_or_else(|| "/components".to_owned(), |index| format!("/components/{index}{below}"))
    };
    let fact = |kind, place, words| Fact { kind, place, words };
    let has_variables = message_texts(template).flat_map(scan).next().is_some();
    let header = template.find(|component| match component {
        Component::Header(header) => Some(header),
        _ => None,
    });
    let body = template.find(|component| match component {
        Component::Body(body) => body.text.as_deref(),
        _ => None,
    });
    let buttons = template.find(|component| match component {
        Component::Buttons(buttons) => Some(button_words(&buttons.buttons)),
        _ => None,
    });
    let cards = template.find(|component| match component {
        Component::Carousel(carousel) => Some(card_words(carousel)),
        _ => None,
    });
    let footer = template.find(|component| matches!(component, Component::Footer(_)).then(|| "FOOTER".to_owned()));
    let is_header: fn(&Component) -> bool = |component| matches!(component, Component::Header(_));
    vec![
        // Case is ignored (contract §2.1).
        fact(
            DifferenceKind::Category,
            "/category".to_owned(),
            Category::from(template.category.as_str()).as_str().to_owned(),
        ),
        fact(
            DifferenceKind::ParameterFormat,
            "/parameter_format".to_owned(),
            if has_variables { template.effective_parameter_format().as_str().to_owned() } else { String::new() },
        ),
        fact(
            DifferenceKind::Header,
            place(is_header, "/format"),
            header.map(|header| header.format.as_str().to_owned()).unwrap_or_default(),
        ),
        fact(
            DifferenceKind::Variables,
            place(is_header, "/text"),
            variable_words(header.and_then(|header| header.text.as_deref()).unwrap_or_default()),
        ),
        fact(
            DifferenceKind::Variables,
            place(|component| matches!(component, Component::Body(_)), "/text"),
            variable_words(body.unwrap_or_default()),
        ),
        fact(
            DifferenceKind::Footer,
            place(|component| matches!(component, Component::Footer(_)), "/text"),
            footer.unwrap_or_default(),
        ),
        fact(
            DifferenceKind::Buttons,
            place(|component| matches!(component, Component::Buttons(_)), "/buttons"),
            buttons.unwrap_or_default(),
        ),
        fact(
            DifferenceKind::Cards,
            place(|component| matches!(component, Component::Carousel(_)), "/cards"),
            cards.unwrap_or_default(),
        ),
    ]
}

/// `2: {{1}} {{2}}`, each variable once; empty if there are none.
fn variable_words(text: &str) -> String {
    let mut names: Vec<(usize, &str)> =
        scan(text).map(|variable| (variable.number().unwrap_or(usize::MAX), variable.name)).collect();
    if names.is_empty() {
        return String::new();
    }
    names.sort_unstable();
    names.dedup();
    let braced: Vec<String> = names.iter().map(|(_, name)| format!("{{{{{name}}}}}")).collect();
    format!("{}: {}", names.len(), braced.join(" "))
}

/// `URL {{1}}, QUICK_REPLY`, in order.
fn button_words(buttons: &[Button]) -> String {
    let words = buttons.iter().map(|button| match button {
        Button::Url(url) if scan(&url.url).next().is_some() => format!("{} {{{{1}}}}", button.type_name()),
        _ => button.type_name().to_owned(),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// `3: IMAGE, 1: {{1}}, URL`: the number of cards and their structure. Each structure is listed once, since cards
/// should share one.
fn card_words(carousel: &Carousel) -> String {
    let mut makes: Vec<String> = Vec::new();
    for card in &carousel.cards {
        let words = card.components.iter().map(|component| match component {
            Component::Header(header) => header.format.as_str().to_owned(),
            Component::Body(body) => {
                let variables = variable_words(body.text.as_deref().unwrap_or_default());
                if variables.is_empty() { "BODY".to_owned() } else { format!("BODY {variables}") }
            }
            Component::Buttons(buttons) => button_words(&buttons.buttons),
            other => other.type_name().to_owned(),
        });
        let make = words.collect::<Vec<_>>().join(", ");
        if !makes.contains(&make) {
            makes.push(make);
        }
    }
    format!("{}: {}", carousel.cards.len(), makes.join(" | "))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::{Value, json};

    use super::*;

    fn template(content: Value) -> Template {
        serde_json::from_value(content).unwrap()
    }

    fn of(components: Value) -> Template {
        template(json!({"name": "n", "language": "en", "category": "utility", "components": components}))
    }

    fn body(text: &str) -> Value {
        json!({"type": "BODY", "text": text})
    }

    #[test]
    fn languages_are_compared_by_the_values_of_a_send() {
        use DifferenceKind::{Buttons, Cards, Footer, Header, ParameterFormat, Variables};
        let url = |url: &str| json!({"type": "BUTTONS", "buttons": [{"type": "URL", "text": "Go", "url": url}]});
        let replies = |count: usize| json!({"type": "BUTTONS", "buttons": vec![json!({"type": "QUICK_REPLY", "text": "A"}); count]});
        let card = |text: &str| json!({"components": [{"type": "HEADER", "format": "IMAGE"}, body(text), url("https://a/{{1}}")]});
        let carousel = |cards: Value| json!([body("Hi"), {"type": "CAROUSEL", "cards": cards}]);
        type Row = (Value, Value, Vec<(DifferenceKind, &'static str, &'static str, &'static str)>);
        let cases: Vec<Row> = vec![
            // Texts, their order and addresses may differ.
            (json!([body("Hello {{1}}, {{2}}")]), json!([body("{{2}} — olá {{1}}!")]), vec![]),
            (json!([body("Hi {{1}} {{1}}")]), json!([body("Oi {{1}}.")]), vec![]),
            (json!([body("Hi"), url("https://a/en")]), json!([body("Oi"), url("https://a/pt")]), vec![]),
            (
                json!([body("Hi"), {"type": "FOOTER", "text": "a"}]),
                json!([body("Oi"), {"type": "FOOTER", "text": "b"}]),
                vec![],
            ),
            // Variables.
            (
                json!([body("Hi {{1}} {{2}}")]),
                json!([body("Oi {{1}}")]),
                vec![(Variables, "/components/0/text", "2: {{1}} {{2}}", "1: {{1}}")],
            ),
            (
                json!([body("Hi {{1}}")]),
                json!([body("Oi")]),
                vec![
                    (ParameterFormat, "/parameter_format", "POSITIONAL", ""),
                    (Variables, "/components/0/text", "1: {{1}}", ""),
                ],
            ),
            (
                json!([body("Hi {{1}}")]),
                json!([body("Oi {{nome}}")]),
                vec![
                    (ParameterFormat, "/parameter_format", "POSITIONAL", "NAMED"),
                    (Variables, "/components/0/text", "1: {{1}}", "1: {{nome}}"),
                ],
            ),
            // Numeric order: ten after two.
            (
                json!([body("{{10}} {{2}} a")]),
                json!([body("{{2}} a")]),
                vec![(Variables, "/components/0/text", "2: {{2}} {{10}}", "1: {{2}}")],
            ),
            // Headers.
            (
                json!([{"type": "HEADER", "format": "IMAGE"}, body("Hi")]),
                json!([body("Oi")]),
                vec![(Header, "/components", "IMAGE", "")],
            ),
            (
                json!([{"type": "HEADER", "format": "TEXT", "text": "For {{1}}"}, body("Hi")]),
                json!([body("Oi"), {"type": "HEADER", "format": "VIDEO"}]),
                vec![
                    (ParameterFormat, "/parameter_format", "POSITIONAL", ""),
                    (Header, "/components/1/format", "TEXT", "VIDEO"),
                    (Variables, "/components/1/text", "1: {{1}}", ""),
                ],
            ),
            // Footers and buttons.
            (
                json!([body("Hi"), {"type": "FOOTER", "text": "a"}]),
                json!([body("Oi")]),
                vec![(Footer, "/components", "FOOTER", "")],
            ),
            (
                json!([body("Hi"), url("https://a/{{1}}")]),
                json!([body("Oi"), url("https://a")]),
                vec![(Buttons, "/components/1/buttons", "URL {{1}}", "URL")],
            ),
            (
                json!([body("Hi"), replies(2)]),
                json!([body("Oi"), replies(1)]),
                vec![(Buttons, "/components/1/buttons", "QUICK_REPLY, QUICK_REPLY", "QUICK_REPLY")],
            ),
            (json!([body("Hi"), replies(1)]), json!([body("Oi")]), vec![(Buttons, "/components", "QUICK_REPLY", "")]),
            // Cards: number and structure.
            (carousel(json!([card("a"), card("b")])), carousel(json!([card("c"), card("d")])), vec![]),
            (
                carousel(json!([card("a"), card("b")])),
                carousel(json!([card("c"), card("d"), card("e")])),
                vec![(Cards, "/components/1/cards", "2: IMAGE, BODY, URL {{1}}", "3: IMAGE, BODY, URL {{1}}")],
            ),
            (
                carousel(json!([card("a {{1}}")])),
                carousel(json!([card("c {{1}} {{2}}")])),
                vec![(
                    Cards,
                    "/components/1/cards",
                    "1: IMAGE, BODY 1: {{1}}, URL {{1}}",
                    "1: IMAGE, BODY 2: {{1}} {{2}}, URL {{1}}",
                )],
            ),
            // An unknown button counts by its type.
            (
                json!([body("Hi"), {"type": "BUTTONS", "buttons": [{"type": "HOLOGRAM"}]}]),
                json!([body("Oi"), replies(1)]),
                vec![(Buttons, "/components/1/buttons", "HOLOGRAM", "QUICK_REPLY")],
            ),
        ];
        for (base, other, expected) in cases {
            let (base, other) = (of(base), of(other));
            let found = differences(&base, &other);
            let found: Vec<_> = found
                .iter()
                .map(|found| (found.kind, found.place.as_str(), found.expected.as_str(), found.found.as_str()))
                .collect();
            assert_eq!(found, expected, "{base:?} {other:?}");
            assert_eq!(shape(&base) == shape(&other), expected.is_empty(), "{base:?} {other:?}");
            assert!(differences(&other, &other).is_empty());
        }
    }

    #[test]
    fn categories_are_compared_without_case() {
        let of = |category: &str| template(json!({"category": category, "components": [body("Hi")]}));
        assert!(differences(&of("MARKETING"), &of("marketing")).is_empty());
        let found = differences(&of("utility"), &of("MARKETING"));
        assert_eq!(
            found,
            [LanguageDifference {
                kind: DifferenceKind::Category,
                place: "/category".to_owned(),
                expected: "utility".to_owned(),
                found: "marketing".to_owned(),
            }]
        );
    }

    #[test]
    fn languages_are_compared_with_the_first_sendable_one() {
        for (languages, expected) in [
            (vec![], None),
            (vec![("pt_BR", "APPROVED", false), ("en_US", "APPROVED", false)], Some(1)),
            (vec![("en_US", "REJECTED", false), ("pt_BR", "APPROVED", false)], Some(1)),
            (vec![("en_US", "APPROVED", true), ("pt_BR", "APPROVED", false)], Some(1)),
            // None can be sent.
            (vec![("pt_BR", "PENDING", false), ("es", "REJECTED", false)], Some(1)),
            (vec![("en", "REJECTED", true), ("es", "PENDING", false)], Some(1)),
            (vec![("pt_BR", "APPROVED", true), ("es", "APPROVED", true)], Some(1)),
            // In two WABAs.
            (vec![("es", "APPROVED", false), ("es", "APPROVED", false)], Some(0)),
        ] {
            assert_eq!(base(languages.iter().copied()), expected, "{languages:?}");
        }
    }
}
