//! Inputs far longer than the channel accepts. Everything that processes a template must run in linear time: with any
//! worse growth these tests would run for minutes or hours.

use model::diff::{changes, diff, json_lines};
use model::envelope::RejectionInfo;
use model::lint::{LintContext, inspect, lint};
use model::rejection::guidance;
use model::render::{Fill, render};
use model::rewrite::{Rewrite, rewrite};
use model::send::{SendValues, check_values, fill_send, preview_fill, send_form};
use model::template::Template;
use model::variable::variables;
use model::vocabulary::ParameterFormat;
use serde_json::{Value, json};

/// Bytes of each text. A release build processes 4 MB within a second; tests run in a debug build.
const BYTES: usize = 60_000;

fn repeated(unit: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(BYTES + 64);
    let mut count = 0;
    while text.len() < BYTES {
        count += 1;
        text.push_str(&unit(count));
    }
    text
}

fn list(unit: impl Fn(usize) -> Value) -> Vec<Value> {
    let length = unit(1_000).to_string().len();
    (1..=BYTES / length).map(unit).collect()
}

fn template(components: Value) -> Value {
    json!({"name": "n", "language": "en", "category": "marketing", "components": components})
}

fn body(text: &str, example: Value) -> Value {
    template(json!([{"type": "BODY", "text": text, "example": example}]))
}

fn named(unit: impl Fn(usize) -> String) -> Value {
    json!({"body_text_named_params": list(|count| json!({"param_name": unit(count), "example": "x"}))})
}

/// Templates that are large in every possible dimension.
fn long_templates() -> Vec<(&'static str, Value)> {
    let many = |count: usize| format!("x{{{{{count}}}}}");
    let long = "y".repeat(BYTES);
    let quick = |text: &str| json!({"type": "QUICK_REPLY", "text": text});
    let url = json!({"type": "URL", "text": "Go", "url": "https://x.example/{{2}}", "example": []});
    let card = json!({"components": [{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "A {{b}} c"}]});
    let mut first_of_cards = list(|_| json!({}));
    first_of_cards[0] = json!({"components": list(|_| json!({"type": "BODY"}))});
    vec![
        ("one number over and over", body(&repeated(|_| "x{{1}}".to_owned()), json!({"body_text": [["a"]]}))),
        ("one name over and over", body(&repeated(|_| "x{{a}}".to_owned()), json!({}))),
        ("one number with a long sample", body(&repeated(|_| "{{1}} ".to_owned()), json!({"body_text": [[long]]}))),
        ("numbers", body(&repeated(many), json!({"body_text": [list(|count| json!(count.to_string()))]}))),
        ("numbers in another order", body(&repeated(|count| format!("{{{{{}}}}} x", 900_000 - count)), json!({}))),
        ("a number beyond every row", body("x {{ 99999999999999999999! }} x {{18446744073709551615}} x", json!({}))),
        ("names", body(&repeated(|count| format!("{{{{a_{count}}}}} x")), named(|count| format!("a_{count}")))),
        (
            "names with samples of others",
            body(&repeated(|count| format!("{{{{a_{count}}}}}")), named(|at| at.to_string())),
        ),
        ("names that become one", body(&repeated(|count| format!("{{{{A{}}}}} x", "!".repeat(count % 40))), json!({}))),
        ("names to spell", body(&repeated(|count| format!("{{{{ Name{count} É }}}} x")), json!({}))),
        ("taken names", body(&repeated(|count| format!("{{{{value_{count}}}}} {{{{{count}}}}} ")), json!({}))),
        ("open braces", body(&repeated(|_| "{{".to_owned()), json!({}))),
        ("closed braces", body(&repeated(|_| "}}".to_owned()), json!({}))),
        ("single braces", body(&repeated(|_| "{a} {".to_owned()), json!({}))),
        ("triple braces", body(&repeated(|_| "{{{1}}} ".to_owned()), json!({}))),
        ("formatting signs", body(&repeated(|_| "*_~`".to_owned()), json!({}))),
        ("formatted words", body(&repeated(|_| "*_~a~_* `b` ".to_owned()), json!({}))),
        ("lone signs", body(&repeated(|_| " *a _b ~c".to_owned()), json!({}))),
        ("fences", body(&repeated(|_| "```".to_owned()), json!({}))),
        ("fenced lines", body(&repeated(|_| "```a\n```\n".to_owned()), json!({}))),
        ("an open fence", body(&format!("```{}", repeated(|_| "a\n".to_owned())), json!({}))),
        ("line breaks", body(&repeated(|_| "\n".to_owned()), json!({}))),
        ("spaces", body(&repeated(|_| " ".to_owned()), json!({}))),
        ("spaces and words", body(&repeated(|_| "     a".to_owned()), json!({}))),
        ("digits", body(&repeated(|_| "0".to_owned()), json!({}))),
        ("digits in groups", body(&repeated(|_| "0000 ".to_owned()), json!({}))),
        ("addresses", body(&repeated(|_| "://".to_owned()), json!({}))),
        ("emoji", body(&repeated(|_| "\u{1F469}\u{200D}".to_owned()), json!({}))),
        ("letters of a script without spaces", body(&repeated(|_| "\u{4E00}".to_owned()), json!({}))),
        (
            "a header",
            template(
                json!([{"type": "HEADER", "format": "TEXT", "text": repeated(|_| "*{{1}}* 🎉 _a_\n".to_owned())}]),
            ),
        ),
        ("a footer", template(json!([{"type": "FOOTER", "text": repeated(|_| "{{1}} \n".to_owned())}]))),
        ("a name", json!({"name": repeated(|_| "É!".to_owned()), "language": repeated(|_| "x-".to_owned())})),
        (
            "an address",
            template(json!([{"type": "BUTTONS", "buttons": [{"type": "URL", "text": "Go",
            "url": repeated(|_| "https://bit.ly/ {{1}}".to_owned())}]}])),
        ),
        ("components", template(list(|_| json!({"type": "BODY", "text": "a"})).into())),
        ("unknown components", template(list(|count| json!({"type": format!("X{count}")})).into())),
        ("quick replies", template(json!([{"type": "BUTTONS", "buttons": list(|at| quick(&at.to_string()))}]))),
        (
            "buttons in turn",
            template(json!([{"type": "BUTTONS",
            "buttons": list(|at| if at % 2 == 0 { quick("*a*") } else { url.clone() })}])),
        ),
        ("cards", template(json!([{"type": "CAROUSEL", "cards": list(|_| card.clone())}]))),
        ("components of a card and cards", template(json!([{"type": "CAROUSEL", "cards": first_of_cards}]))),
        (
            "buttons of two cards",
            template(json!([{"type": "CAROUSEL", "cards": [
            {"components": [{"type": "BUTTONS", "buttons": list(|at| if at % 2 == 0 { quick("a") } else { url.clone() })}]},
            {"components": [{"type": "BUTTONS", "buttons": list(|at| if at % 2 == 1 { quick("a") } else { url.clone() })}]}]}])),
        ),
        ("fields", {
            let mut template = template(json!([]));
            (0..BYTES / 20).for_each(|at| template[format!("field_{at}")] = json!("x"));
            template
        }),
        (
            "items of an order",
            json!({"name": "n", "order_data": {"order": {"items": list(|at| json!({"amount": at}))}}}),
        ),
    ]
}

fn read(json: &Value) -> Template {
    serde_json::from_value(json.clone()).expect("templates of this test can be read")
}

#[test]
fn rules_and_previews_handle_long_templates() {
    for (what, json) in long_templates() {
        let template = read(&json);
        let (findings, _) = inspect(&template, &LintContext::default());
        assert!(!findings.is_empty(), "{what}: the channel would refuse it");
        assert_eq!(lint(&template), findings, "{what}");
        let info = RejectionInfo { reason: Some(json.to_string()), ..RejectionInfo::default() };
        assert!(!guidance(&template, Some("INVALID_FORMAT"), Some(&info)).is_empty(), "{what}");
        let shown = serde_json::to_string(&render(&template, &Fill::default())).expect("a bubble is JSON");
        assert!(shown.len() < 100 * BYTES, "{what}: {} bytes are shown", shown.len());
    }
}

#[test]
fn forms_and_sends_handle_long_templates() {
    for (what, json) in long_templates() {
        let template = read(&json);
        let parts = send_form(&template).parts;
        let values: SendValues = parts.iter().map(|part| (part.id.clone(), "7".to_owned())).collect();
        assert_eq!(values.len(), parts.len(), "{what}: each part has its own identifier");
        drop(check_values(&template, &values, 0));
        drop(fill_send(&template, &values));
        drop(preview_fill(&template, &values));
    }
}

#[test]
fn corrections_handle_long_templates() {
    for (what, json) in long_templates() {
        let template = read(&json);
        for format in [ParameterFormat::Named, ParameterFormat::Positional] {
            let rewritten = rewrite(&template, &Rewrite::Format { format }).expect("every template takes a format");
            assert!(variables(&rewritten).len() <= variables(&template).len(), "{what}");
        }
        drop(rewrite(&template, &Rewrite::Renumber { path: "/components/0/text".to_owned() }));
        let findings = lint(&template);
        for finding in findings.iter().filter(|finding| finding.fixable).take(5) {
            let fix = Rewrite::Fix { code: finding.code.to_owned(), path: finding.path.clone() };
            assert!(rewrite(&template, &fix).is_ok(), "{what}: {finding:?}");
        }
    }
}

#[test]
fn comparisons_handle_long_templates() {
    let empty = Template::default();
    let mut before: Option<(Template, String)> = None;
    for (what, json) in long_templates() {
        let after = read(&json);
        let (other, text) = before.unwrap_or_else(|| (empty.clone(), "{}".to_owned()));
        assert!(!diff(&other, &after).is_empty() && !changes(&other, &after).is_empty(), "{what}");
        assert!(changes(&after, &after).iter().all(|change| change.before.is_none()), "{what}");
        assert!(!json_lines(&text, &json.to_string()).is_empty(), "{what}");
        before = Some((after, json.to_string()));
    }
    let deep = |bracket: &str| bracket.repeat(300_000);
    assert_eq!(json_lines(&deep("["), &deep("{")).len(), 2, "a text beyond the limit is one line");
}
