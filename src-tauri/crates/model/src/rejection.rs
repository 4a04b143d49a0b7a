//! Analyses a rejection: assigns its reason and text to a field, and finds the rules that can explain it (upstream
//! §5.6, §8.4).

use crate::component::Component;
use crate::envelope::RejectionInfo;
use crate::finding::{Finding, Severity};
use crate::lint::lint;
use crate::rules::report::source;
use crate::template::Template;
use crate::vocabulary::{Category, HeaderFormat};

/// A reason of the channel: its word, the code of its finding, and the sentence to use if the review gives no text.
struct Reason {
    word: &'static str,
    code: &'static str,
    /// Whether it is about what the message says as a whole, wherever its finding is placed.
    by_content: bool,
    sentence: &'static str,
}

const REASONS: &[Reason] = &[
    Reason {
        word: "ABUSIVE_CONTENT",
        code: "rejected.abusive_content",
        by_content: true,
        sentence: "The review found abusive content, such as threats, insults or other policy violations. Rewrite \
                   it.",
    },
    Reason {
        word: "CATEGORY_NOT_AVAILABLE",
        code: "rejected.category_not_available",
        by_content: false,
        sentence: "This category is not available to your account. Choose another one.",
    },
    Reason {
        word: "INCORRECT_CATEGORY",
        code: "rejected.incorrect_category",
        by_content: true,
        sentence: "The content belongs to another category. Choose that category, or change the content.",
    },
    Reason {
        word: "INVALID_FORMAT",
        code: "rejected.invalid_format",
        by_content: false,
        sentence: "The format is not valid. Often, a variable is malformed, misnumbered, at the start or end of the text, or \
                   without a sample. Correct it.",
    },
    Reason {
        word: "PROMOTIONAL",
        code: "rejected.promotional",
        by_content: true,
        sentence: "The review found promotional content. Choose the category marketing, or remove the promotion.",
    },
    Reason {
        word: "SCAM",
        code: "rejected.scam",
        by_content: true,
        sentence: "The review found signs of a scam. Say clearly who is writing and why, and link only to your own site.",
    },
    Reason {
        word: "TAG_CONTENT_MISMATCH",
        code: "rejected.tag_content_mismatch",
        by_content: true,
        sentence: "The content doesn't match its category or language. Choose the right ones, or change the content.",
    },
];

/// Guidance for a rejected template: one error with the text of the review, at the field that the text, the reason or
/// the rules indicate (`""` if unknown), then the findings that can explain it, fixable ones first.
///
/// `reason` is the channel's word, such as `INVALID_FORMAT`; an unknown word gives `rejected.other`.
#[must_use]
pub fn guidance(template: &Template, reason: Option<&str>, info: Option<&RejectionInfo>) -> Vec<Finding> {
    let word = reason.map(str::trim).filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("NONE"));
    let known = word.and_then(|word| REASONS.iter().find(|known| known.word.eq_ignore_ascii_case(word)));
    let trimmed = |text: Option<&String>| text.map(|text| text.trim().to_owned()).unwrap_or_default();
    let reason = trimmed(info.and_then(|info| info.reason.as_ref()));
    let advice = trimmed(info.and_then(|info| info.recommendation.as_ref()));
    let findings = lint(template);
    let path = position(template, &findings, known.map_or("", |known| known.word), &reason, &advice);
    let message = match ([reason.as_str(), &advice].iter().any(|text| !text.is_empty()), known, word) {
        (true, ..) => {
            [reason.as_str(), &advice].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
        }
        (false, Some(known), _) => known.sentence.to_owned(),
        (false, None, Some(word)) => {
            format!("The review rejected the template: {word}. Change it and submit it again.")
        }
        (false, None, None) => {
            "The review rejected the template without a reason. Go through the checks, or ask your provider.".to_owned()
        }
    };
    let word = word.unwrap_or_default().to_owned();
    let values = [("advice", advice), ("reason", reason), ("word", word)].into();
    let code = known.map_or("rejected.other", |known| known.code);
    let about = explaining(&findings, &path, known.is_some_and(|known| known.word == "INVALID_FORMAT"));
    let rejection = Finding {
        code,
        severity: Severity::Error,
        path,
        message,
        values,
        source: source::REVIEW,
        fixable: false,
        untouched: false,
    };
    std::iter::once(rejection).chain(about).collect()
}

/// JSON pointers of what a person can change in answer to the verdict of [`guidance`]: a change at any of them counts.
/// A category that does not fit the content is answered by other content too.
#[must_use]
pub fn answer_paths(verdict: &Finding) -> Vec<String> {
    let known = REASONS.iter().find(|known| known.code == verdict.code);
    let by_content = known.map_or(!verdict.path.starts_with("/components"), |known| known.by_content);
    std::iter::once(verdict.path.clone()).chain(by_content.then(|| "/components".to_owned())).collect()
}

/// The findings that can explain a rejection at `path`.
fn explaining(findings: &[Finding], path: &str, by_format: bool) -> Vec<Finding> {
    let heavy = || findings.iter().filter(|finding| finding.severity != Severity::Hint);
    let mut about: Vec<Finding> = heavy().filter(|finding| same_position(&finding.path, path)).cloned().collect();
    if about.is_empty() && by_format {
        about = heavy().filter(|finding| finding.severity == Severity::Error).cloned().collect();
    }
    about.sort_by_key(|finding| (!finding.fixable, finding.severity));
    about
}

/// Whether two paths are in the same component or the same field of the template. The root path contains every other.
fn same_position(one: &str, other: &str) -> bool {
    let (one, other) = (component_of(one), component_of(other));
    let holds = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    holds(one, other) || holds(other, one)
}

/// The component of a path, or the field of the template.
fn component_of(path: &str) -> &str {
    let mut steps = path.split('/').skip(1);
    let mut end = 0;
    // `components/1`, in a carousel `components/2/cards/3/components/0`; other fields are one step.
    while let Some(step) = steps.next() {
        if end > 0 && !matches!(step, "components" | "cards") {
            break;
        }
        end += 1 + step.len();
        if !matches!(step, "components" | "cards") {
            break;
        }
        end += steps.next().map_or(0, |index| 1 + index.len());
    }
    &path[..end]
}

fn position(template: &Template, findings: &[Finding], word: &str, reason: &str, advice: &str) -> String {
    let texts = [advice, reason];
    // The review names the field, repeats a rule, or names a code.
    texts
        .iter()
        .find_map(|text| named_field(template, text))
        .or_else(|| {
            let trimmed = findings.iter().find(|finding| !reason.is_empty() && finding.message == reason);
            trimmed.map(|finding| finding.path.clone())
        })
        .or_else(|| texts.iter().find_map(|text| numbers(text).find_map(|code| position_of(code, template))))
        .or_else(|| texts.iter().find_map(|text| mentioned_component(template, findings, text)))
        .or_else(|| by_reason(template, findings, word))
        .unwrap_or_default()
}

/// The field that a rejection with this code concerns, as a JSON pointer; `None` if the code is not specific or the
/// template has no such field.
#[must_use]
pub fn position_of(code: i64, template: &Template) -> Option<String> {
    if !(2_388_000..2_389_000).contains(&code) {
        return None;
    }
    let findings = lint(template);
    let found = |fits: &dyn Fn(&str) -> bool| {
        findings.iter().find(|finding| fits(finding.code)).map(|finding| finding.path.clone())
    };
    let part = |kind: &str| component(template, &findings, kind);
    match code {
        2_388_024 => Some("/name".to_owned()),
        2_388_040 => found(&|code| code.ends_with("too_long")),
        2_388_047 => part("HEADER"),
        2_388_072 => part("BODY"),
        2_388_073 => part("FOOTER"),
        2_388_293 => found(&|code| code == "body.too_few_words").or_else(|| part("BODY")),
        2_388_299 => found(&|code| code == "variable.at_edge").or_else(|| part("BODY")),
        _ => None,
    }
}

/// Numbers of error codes in a text.
fn numbers(text: &str) -> impl Iterator<Item = i64> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|digits| (6..=7).contains(&digits.len()))
        .filter_map(|digits| digits.parse().ok())
}

/// Fields of a template that a review can name.
const FIELDS: &[&str] = &[
    "components",
    "name",
    "language",
    "category",
    "sub_category",
    "parameter_format",
    "message_send_ttl_seconds",
    "display_format",
    "pix_data",
    "order_data",
];

/// A field that a text names as `components[1].text` or `/components/1/text`.
fn named_field(template: &Template, text: &str) -> Option<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let bare = text.split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | ',' | ';' | '(' | ')'));
    // A bare word such as `name` may be an ordinary word; only a path certainly is a field.
    let bare = bare.map(|word| word.trim_end_matches(['.', ':', '!'])).filter(|word| word.contains(['[', '/']));
    quoted.chain(bare).find_map(|name| existing(template, &pointer(name)?))
}

/// Converts a field in informal notation to a JSON pointer.
fn pointer(name: &str) -> Option<String> {
    let name = name.trim();
    let mut path = String::new();
    for step in name.split(['.', '/', '[']).map(|step| step.strip_suffix(']').unwrap_or(step)) {
        if step.is_empty() {
            continue;
        }
        if !step.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return None;
        }
        path.push('/');
        path.push_str(step);
    }
    let root = path.split('/').nth(1)?;
    FIELDS.contains(&root).then_some(path)
}

/// Returns the path if its component exists; the field in the component may be missing.
fn existing(template: &Template, path: &str) -> Option<String> {
    let Some(rest) = path.strip_prefix("/components/") else { return Some(path.to_owned()) };
    let index: usize = rest.split('/').next()?.parse().ok()?;
    (index < template.components.len()).then(|| path.to_owned())
}

/// Words for parts of a template, in the languages that a review may use.
const WORDS: &[(&str, &[&str])] = &[
    ("HEADER", &["header", "heading", "cabeçalho", "encabezado", "cabecera"]),
    ("FOOTER", &["footer", "rodapé", "pie"]),
    ("BUTTONS", &["button", "buttons", "url", "link", "botão", "botões", "botón", "botones", "enlace"]),
    ("CAROUSEL", &["card", "cards", "carousel", "cartão", "cartões", "carrossel", "tarjeta", "tarjetas", "carrusel"]),
    ("BODY", &["body", "corpo", "cuerpo"]),
    (
        "variable",
        &[
            "variable",
            "variables",
            "parameter",
            "parameters",
            "placeholder",
            "placeholders",
            "sample",
            "samples",
            "variável",
            "variáveis",
            "parâmetro",
            "parâmetros",
            "exemplo",
            "parámetro",
            "parámetros",
            "ejemplo",
        ],
    ),
    ("category", &["category", "categoria", "categoría"]),
    ("language", &["language", "idioma"]),
    ("name", &["name", "nome", "nombre"]),
    ("BODY", &["text", "content", "texto", "conteúdo", "contenido", "message", "mensagem", "mensaje"]),
];

/// The part that a text is about.
fn mentioned_component(template: &Template, findings: &[Finding], text: &str) -> Option<String> {
    // Text in backticks is a field or a quotation, not the subject of the sentence.
    let lower = text.to_lowercase().split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let spoken = WORDS.iter().filter(|(_, known)| words.iter().any(|word| known.contains(word)));
    spoken.map(|(part, _)| *part).find_map(|part| match part {
        "category" | "language" | "name" => Some(format!("/{part}")),
        "variable" => findings
            .iter()
            .find(|finding| finding.code.starts_with("variable.") || finding.code.ends_with("sample_missing"))
            .map(|finding| finding.path.clone())
            .or_else(|| text_with_variable(template)),
        kind => component(template, findings, kind),
    })
}

/// The first text with a variable.
fn text_with_variable(template: &Template) -> Option<String> {
    crate::variable::variables(template).into_iter().next().map(|variable| variable.path)
}

/// The field of the first component of a type: that of a finding, else its text, else the component.
fn component(template: &Template, findings: &[Finding], kind: &str) -> Option<String> {
    let (index, component) = template
        .components
        .iter()
        .enumerate()
        .find(|(_, component)| component.type_name().eq_ignore_ascii_case(kind))?;
    let base = format!("/components/{index}");
    let found = findings
        .iter()
        .filter(|finding| finding.severity != Severity::Hint)
        .find(|finding| finding.path.strip_prefix(&base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    Some(found.map_or_else(
        || match component {
            Component::Header(header) if header.format == HeaderFormat::Text => format!("{base}/text"),
            Component::Body(_) | Component::Footer(_) => format!("{base}/text"),
            Component::Buttons(_) => format!("{base}/buttons"),
            Component::Carousel(_) => format!("{base}/cards"),
            _ => base.clone(),
        },
        |finding| finding.path.clone(),
    ))
}

fn by_reason(template: &Template, findings: &[Finding], word: &str) -> Option<String> {
    match word {
        "CATEGORY_NOT_AVAILABLE" | "INCORRECT_CATEGORY" | "TAG_CONTENT_MISMATCH" => Some("/category".to_owned()),
        "PROMOTIONAL" if template.category.is_other_than(&Category::Marketing) => Some("/category".to_owned()),
        "ABUSIVE_CONTENT" | "SCAM" | "PROMOTIONAL" => component(template, &[], "BODY"),
        "INVALID_FORMAT" => findings
            .iter()
            .filter(|finding| finding.severity != Severity::Hint)
            .min_by_key(|finding| finding.severity)
            .map(|finding| finding.path.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    fn sale(body: &str) -> Template {
        serde_json::from_value(json!({"name": "sale", "language": "en", "category": "utility", "components": [
            {"type": "HEADER", "format": "TEXT", "text": "Sale"},
            {"type": "BODY", "text": body, "example": {"body_text": [["a", "b"]]}},
            {"type": "FOOTER", "text": "Bye"},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Yes"}]}]}))
        .unwrap()
    }

    #[test]
    fn rejections_are_mapped_to_positions() {
        let good = sale("Hello {{1}} and {{2}}, all of you are welcome");
        let gap = sale("Hello {{1}} and {{3}}, all of you are welcome");
        const BODY: &str = "/components/1/text";
        for (template, reason, trimmed, advice, code, path) in [
            (
                &good,
                Some("INVALID_FORMAT"),
                "",
                "Correct `components[1].text` and submit the template again.",
                "invalid_format",
                BODY,
            ),
            (
                &good,
                Some("INVALID_FORMAT"),
                "Look at /components/3/buttons/0/text.",
                "",
                "invalid_format",
                "/components/3/buttons/0/text",
            ),
            (&good, Some("INVALID_FORMAT"), "Correct `components[9].text`.", "", "invalid_format", ""),
            (&good, Some("INVALID_FORMAT"), "Code 2388073 was found.", "", "invalid_format", "/components/2/text"),
            (&good, Some("INVALID_FORMAT"), "The header has emoji.", "", "invalid_format", "/components/0/text"),
            (&good, Some("INVALID_FORMAT"), "O rodapé está errado", "", "invalid_format", "/components/2/text"),
            (&good, Some("invalid_format"), "Button labels are wrong", "", "invalid_format", "/components/3/buttons"),
            (&good, Some("INVALID_FORMAT"), "Parameters are malformed", "", "invalid_format", BODY),
            (&good, Some("INVALID_FORMAT"), "The template's name is taken", "", "invalid_format", "/name"),
            (&good, Some("INVALID_FORMAT"), "", "", "invalid_format", ""),
            (&gap, Some("INVALID_FORMAT"), "", "", "invalid_format", BODY),
            (&gap, Some("INVALID_FORMAT"), "Las variables no son consecutivas", "", "invalid_format", BODY),
            (&good, Some("INCORRECT_CATEGORY"), "", "", "incorrect_category", "/category"),
            (&good, Some("TAG_CONTENT_MISMATCH"), "", "", "tag_content_mismatch", "/category"),
            (&good, Some("PROMOTIONAL"), "", "", "promotional", "/category"),
            (&good, Some("SCAM"), "", "", "scam", BODY),
            (&good, Some("NONE"), "", "", "other", ""),
            (&good, Some("COSMIC_RAYS"), "", "", "other", ""),
            (&good, None, "", "", "other", ""),
        ] {
            let info = RejectionInfo {
                reason: Some(trimmed.to_owned()),
                recommendation: Some(advice.to_owned()),
                ..RejectionInfo::default()
            };
            let found = guidance(template, reason, Some(&info));
            let first = &found[0];
            crate::lint::tests::is_translated(first);
            assert_eq!(
                (first.code, first.path.as_str()),
                (format!("rejected.{code}").as_str(), path),
                "{trimmed} {advice}"
            );
            assert!(first.severity == Severity::Error && !first.message.is_empty(), "{first:?}");
            assert!(trimmed.is_empty() || first.message.contains(trimmed), "{first:?}");
            assert!(found[1..].iter().all(|finding| finding.severity != Severity::Hint));
            assert_eq!(found.len() > 1, template == &gap, "{found:?}");
        }
    }

    #[test]
    fn other_content_answers_a_category_that_does_not_fit() {
        const CONTENT: &str = "/components";
        let template = sale("Hello {{1}} and {{2}}, all of you are welcome");
        for (reason, advice, paths) in [
            ("PROMOTIONAL", "", &["/category", CONTENT][..]),
            ("TAG_CONTENT_MISMATCH", "", &["/category", CONTENT]),
            ("SCAM", "", &["/components/1/text", CONTENT]),
            ("CATEGORY_NOT_AVAILABLE", "", &["/category"]),
            ("INVALID_FORMAT", "The footer is wrong", &["/components/2/text"]),
            ("COSMIC_RAYS", "The category is wrong", &["/category", CONTENT]),
            ("COSMIC_RAYS", "The footer is wrong", &["/components/2/text"]),
        ] {
            let info = RejectionInfo { recommendation: Some(advice.to_owned()), ..RejectionInfo::default() };
            assert_eq!(answer_paths(&guidance(&template, Some(reason), Some(&info))[0]), paths, "{reason} {advice}");
        }
    }

    #[test]
    fn codes_have_a_position() {
        let template: Template = serde_json::from_value(json!({"components": [
            {"type": "FOOTER", "text": "f".repeat(61)}, {"type": "HEADER", "format": "TEXT", "text": "{{1}} x"},
            {"type": "BODY", "text": "Hi"}]}))
        .unwrap();
        for (code, position) in [
            (2_388_024, Some("/name")),
            (2_388_040, Some("/components/0/text")),
            (2_388_047, Some("/components/1/text")),
            (2_388_072, Some("/components/2/text")),
            (2_388_073, Some("/components/0/text")),
            (2_388_293, Some("/components/2/text")),
            (2_388_299, Some("/components/1/text")),
            (2_388_019, None),
            (100, None),
        ] {
            assert_eq!(position_of(code, &template).as_deref(), position, "{code}");
            assert_eq!(
                position_of(code, &Template::default()).as_deref(),
                position.filter(|_| code == 2_388_024),
                "{code}"
            );
        }
    }

    #[test]
    fn rules_explain_rejections_at_the_same_position() {
        let mut template = sale("Hello {{1}} and {{3}}, all     of you are welcome");
        template.language = "xx".to_owned();
        let codes = |reason: &str, advice: &str| -> Vec<&'static str> {
            let info = RejectionInfo { recommendation: Some(advice.to_owned()), ..RejectionInfo::default() };
            guidance(&template, Some(reason), Some(&info)).iter().map(|finding| finding.code).collect()
        };
        let body = codes("INVALID_FORMAT", "Correct `components[1]`.");
        assert!(body.contains(&"variable.numbering") && body.contains(&"body.spaces"), "{body:?}");
        assert!(!body.contains(&"language.unknown"), "{body:?}");
        // If there are no findings at the place, errors elsewhere may be the reason.
        assert!(codes("INVALID_FORMAT", "Correct `components[2].text`.").contains(&"variable.numbering"));
        assert_eq!(codes("SCAM", "Correct `components[2].text`."), ["rejected.scam"]);
    }

    #[test]
    fn positions_are_distinguished_by_component() {
        for (path, component) in [
            ("", ""),
            ("/name", "/name"),
            ("/components", "/components"),
            ("/components/1/example/body_text/0/1", "/components/1"),
            ("/components/2/cards/3/components/0/text", "/components/2/cards/3/components/0"),
            ("/components/2/buttons/0/text", "/components/2"),
            ("/order_data/items/0", "/order_data"),
        ] {
            assert_eq!(component_of(path), component, "{path}");
        }
    }
}
