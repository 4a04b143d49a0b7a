//! Findings about a translation: texts that are still those of the template it translates, and variables that it lost.

use std::collections::BTreeMap;

use crate::component::Component;
use crate::finding::{Finding, Severity};
use crate::rules::source;
use crate::template::Template;
use crate::translation::{DifferenceKind, differences};
use crate::variable;

/// What is wrong with `translation` beside `original`: see [`untranslated`] and [`other_variables`].
#[must_use]
pub fn translation_findings(translation: &Template, original: &Template, kept: &[String]) -> Vec<Finding> {
    let mut findings = other_variables(translation, original);
    findings.extend(untranslated(translation, original, kept));
    findings
}

/// Texts with other variables than in `original`: a send fills all languages with the same values.
fn other_variables(translation: &Template, original: &Template) -> Vec<Finding> {
    let names = |words: &str| match words.split_once(": ") {
        Some((_, names)) => names.to_owned(),
        None => "–".to_owned(),
    };
    let of_texts = differences(original, translation).into_iter().filter(|of| of.kind == DifferenceKind::Variables);
    of_texts
        .map(|of| {
            let (expected, found, language) = (names(&of.expected), names(&of.found), original.language.clone());
            Finding {
                code: "translation.variables",
                severity: Severity::Warning,
                path: of.place,
                message: format!(
                    "The template in {language} has these variables here: {expected}. This text has: {found}. A send \
                     fills all languages with the same values."
                ),
                values: BTreeMap::from([("expected", expected), ("found", found), ("language", language)]),
                source: source::OVERVIEW,
                fixable: false,
                untouched: false,
            }
        })
        .collect()
}

/// Texts of `translation` that are the same in `original`, which has another language, without those that are `kept`.
fn untranslated(translation: &Template, original: &Template, kept: &[String]) -> Vec<Finding> {
    let spoken = |template: &Template| template.language.split('_').next().unwrap_or_default().to_ascii_lowercase();
    if spoken(translation) == spoken(original) {
        return Vec::new();
    }
    let known: Vec<String> = texts(&original.components, "/components").into_iter().map(|(_, text)| text).collect();
    let same = texts(&translation.components, "/components")
        .into_iter()
        .filter(|(_, text)| known.contains(text) && !kept.contains(text));
    same.map(|(path, text)| finding(path, text, &original.language)).collect()
}

/// Maximum number of characters of a text in the sentence about it.
const MAX_QUOTED: usize = 60;

/// The texts with letters outside their variables, each with its path.
fn texts(components: &[Component], path: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, component) in components.iter().enumerate() {
        let path = format!("{path}/{at}");
        match component {
            Component::Header(header) => {
                found.extend(header.text.clone().map(|text| (format!("{path}/text"), text)));
            }
            Component::Body(body) => found.extend(body.text.clone().map(|text| (format!("{path}/text"), text))),
            Component::Footer(footer) => {
                found.extend(footer.text.clone().map(|text| (format!("{path}/text"), text)));
            }
            Component::Buttons(buttons) => {
                for (at, button) in buttons.buttons.iter().enumerate() {
                    found.extend(button.label().map(|label| (format!("{path}/buttons/{at}/text"), label.to_owned())));
                }
            }
            Component::Carousel(carousel) => {
                for (at, card) in carousel.cards.iter().enumerate() {
                    found.extend(texts(&card.components, &format!("{path}/cards/{at}/components")));
                }
            }
            _ => {}
        }
    }
    found.retain(|(_, text)| variable::fill(text, |_| Some("")).chars().any(char::is_alphabetic));
    found
}

fn finding(path: String, mut text: String, language: &str) -> Finding {
    if let Some((end, _)) = text.char_indices().nth(MAX_QUOTED) {
        text.truncate(end);
        text.push('…');
    }
    Finding {
        code: "translation.same_text",
        severity: Severity::Warning,
        path,
        message: format!("\"{text}\" is the text of the template in {language}. Translate it."),
        values: BTreeMap::from([("text", text), ("language", language.to_owned())]),
        source: source::OVERVIEW,
        fixable: false,
        untouched: false,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    fn template(language: &str, footer: &str, button: &str, card: &str) -> Template {
        let reply = |text: &str| json!({"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": text}]});
        serde_json::from_value(json!({"name": "a", "language": language, "category": "MARKETING", "components": [
            {"type": "BODY", "text": format!("Body in {language}")}, {"type": "FOOTER", "text": footer}, reply(button),
            {"type": "CAROUSEL", "cards": [{"components": [{"type": "BODY", "text": "{{1}}, 24/7"}, reply(card)]}]}]}))
        .unwrap()
    }

    #[test]
    fn footers_and_labels_of_another_language_are_named() {
        let original = template("en_US", "Reply STOP", "Buy now", "See more");
        let paths = |translation: &Template| -> Vec<String> {
            untranslated(translation, &original, &[]).into_iter().map(|finding| finding.path).collect()
        };
        assert_eq!(
            paths(&template("pt_BR", "Reply STOP", "Buy now", "See more")),
            ["/components/1/text", "/components/2/buttons/0/text", "/components/3/cards/0/components/1/buttons/0/text"]
        );
        assert_eq!(paths(&template("pt_BR", "Responda SAIR", "Comprar", "See more")).len(), 1);
        assert_eq!(paths(&template("pt_BR", "Responda SAIR", "Comprar", "Ver mais")), [""; 0]);
        // The same language of another country may have the same texts.
        assert_eq!(paths(&template("en_GB", "Reply STOP", "Buy now", "See more")), [""; 0]);
        let found = untranslated(&template("es", "Reply STOP", "Comprar", "Ver"), &original, &[]).remove(0);
        assert_eq!((found.severity, found.blocks()), (Severity::Warning, false));
        assert_eq!(found.message, "\"Reply STOP\" is the text of the template in en_US. Translate it.");
    }

    #[test]
    fn headers_bodies_and_texts_of_cards_are_named_too() {
        let template = |language: &str| -> Template {
            let body = |text: &str| json!({"type": "BODY", "text": text});
            serde_json::from_value(json!({"name": "a", "language": language, "category": "MARKETING", "components": [
                {"type": "HEADER", "format": "TEXT", "text": "Spring sale"}, body(&"Good news, {{1}}. ".repeat(5)),
                {"type": "CAROUSEL", "cards": [{"components": [body("Roses, today")]}, {"components": [body("{{1}}")]}]}]}))
            .unwrap()
        };
        let found = untranslated(&template("pt_BR"), &template("en_US"), &[]);
        let paths: Vec<_> = found.iter().map(|finding| finding.path.as_str()).collect();
        let card = "/components/2/cards/0/components/0/text";
        assert_eq!(paths, ["/components/0/text", "/components/1/text", card]);
        let kept = ["Spring sale".to_owned(), "Roses, today".to_owned()];
        assert_eq!(untranslated(&template("pt_BR"), &template("en_US"), &kept).len(), 1, "the person kept the others");
        assert_eq!(found[1].values["text"].chars().count(), MAX_QUOTED + 1, "a long text is cut");
    }

    #[test]
    fn texts_without_letters_are_in_no_language() {
        let original = template("en_US", "24/7", "+1", "→");
        assert_eq!(untranslated(&template("pt_BR", "24/7", "+1", "→"), &original, &[]), []);
    }

    #[test]
    fn a_text_that_lost_a_variable_is_named_before_it_is_submitted() {
        let body = |language: &str, text: &str| -> Template {
            serde_json::from_value(json!({"name": "a", "language": language, "category": "MARKETING",
                "components": [{"type": "BODY", "text": text}]}))
            .unwrap()
        };
        let original = body("en_US", "Hi {{1}}, see you on {{2}}.");
        let found = |text: &str| {
            let findings = translation_findings(&body("pt_BR", text), &original, &[]);
            findings.into_iter().map(|finding| (finding.code, finding.path, finding.values)).collect::<Vec<_>>()
        };
        assert_eq!(found("Até {{2}}, {{1}}!"), []);
        let lost = found("Olá {{1}}, até breve.");
        let [(code, path, values)] = lost.as_slice() else { panic!("{lost:?}") };
        assert_eq!((*code, path.as_str()), ("translation.variables", "/components/0/text"));
        assert_eq!((values["expected"].as_str(), values["found"].as_str()), ("{{1}} {{2}}", "{{1}}"));
        assert_eq!(found("Até breve.")[0].2["found"], "–");
    }
}
