//! Properties that hold for any input.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use std::collections::BTreeSet;

use model::diff::{Change, SpanKind, changes, diff};
use model::envelope::{Envelope, RejectionInfo};
use model::event::message::MessagesValue;
use model::finding::{Finding, Severity};
use model::item::{items, items_to_decode};
use model::lint::{lint, lint_json};
use model::rejection::{guidance, position_of};
use model::render::{Fill, render};
use model::rewrite::{Rewrite, rewrite};
use model::samples::{SampleSet, sample_fill};
use model::send::{
    PartKind, SendLanguage, SendMessage, SendPart, SendProblemCode, SendTemplate, SendValues, ValueCheck, check_send,
    check_values, fill_send, preview_fill, send_form,
};
use model::template::{Template, TemplateRecord};
use model::variable::variables;
use model::vocabulary::ParameterFormat;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::examples::{delivery, events, meaning, sends, templates};

pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("JSON has no such number", |number| number.is_finite()).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,8}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Pointers to all values, including the root.
fn positions(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                positions(value, format!("{path}/{index}"), found);
            }
        }
        Value::Object(object) => {
            for (key, value) in object {
                positions(value, format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        _ => {}
    }
    found.push(path);
}

fn place(value: &Value, index: Index, only_objects: bool) -> String {
    let mut found = Vec::new();
    positions(value, String::new(), &mut found);
    if only_objects {
        found.retain(|path| value.pointer(path).is_some_and(Value::is_object));
    }
    index.get(&found).clone()
}

/// An example with unknown members added to any of its objects.
fn with_unknown(examples: Vec<Value>) -> impl Strategy<Value = Value> {
    let additions = prop::collection::vec((any::<Index>(), "x_[a-z]{1,4}", any_json()), 1..6);
    (prop::sample::select(examples), additions).prop_map(|(mut example, additions)| {
        for (index, key, value) in additions {
            let path = place(&example, index, true);
            example.pointer_mut(&path).unwrap().as_object_mut().unwrap().insert(key, value);
        }
        example
    })
}

/// An example with any of its values replaced by any other.
pub(crate) fn mutated(examples: Vec<Value>) -> impl Strategy<Value = Value> {
    let changes =
        prop::collection::vec((any::<Index>(), prop_oneof![any_json(), template_text().prop_map(Value::from)]), 0..5);
    (prop::sample::select(examples), changes).prop_map(|(mut example, changes)| {
        for (index, value) in changes {
            let path = place(&example, index, false);
            *example.pointer_mut(&path).unwrap() = value;
        }
        example
    })
}

/// An example with texts that break rules, and with unknown members.
fn damaged(examples: Vec<Value>) -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("{{1}}"),
        Just("{{2}}"),
        Just("{{3}}"),
        Just("{{ 1 }}"),
        Just("{1}"),
        Just("{{1}"),
        Just("{{name}}"),
        Just("{{First}}"),
        Just("Hello dear friend"),
        Just("you"),
        Just(" "),
        Just("\t"),
        Just("      "),
        Just("\n\n\n\n\n"),
        Just("🎉"),
        Just("*bold*"),
        Just("_a_"),
        Just("https://x.example/"),
        Just("12 34"),
        Just("é")
    ];
    let text = prop::collection::vec(word, 0..6).prop_map(|words| Value::from(words.concat()));
    let other = prop_oneof![
        Just(json!("authentication")),
        Just(json!("marketing")),
        Just(json!("utility")),
        Just(json!("NAMED")),
        Just(json!("POSITIONAL")),
        Just(json!(0)),
        Just(json!(100_000)),
        Just(json!([])),
        Just(json!(["a", "b\nc"])),
        Just(json!("GIF")),
        Just(json!("TEXT")),
        Just(json!("QUICK_REPLY")),
        Just(Value::Null)
    ];
    let changes = prop::collection::vec((any::<Index>(), any::<bool>(), prop_oneof![3 => text, 1 => other]), 1..5);
    let additions = prop::collection::vec((any::<Index>(), "x_[a-z]{1,4}"), 0..4);
    (prop::sample::select(examples), changes, additions).prop_map(|(mut example, changes, additions)| {
        for (index, only_texts, value) in changes {
            let mut found = Vec::new();
            positions(&example, String::new(), &mut found);
            found.retain(|path| {
                let is_type = path.ends_with("/type") || path.ends_with("/param_name");
                !is_type && !path.is_empty() && (!only_texts || example.pointer(path).is_some_and(Value::is_string))
            });
            if !found.is_empty() {
                let path = index.get(&found).clone();
                *example.pointer_mut(&path).unwrap() = value;
            }
        }
        for (index, key) in additions {
            let path = place(&example, index, true);
            example.pointer_mut(&path).unwrap().as_object_mut().unwrap().insert(key, json!(1));
        }
        example
    })
}

/// Fixes that remove an object with all its members.
const REMOVING: &[&str] = &[
    "authentication.body_sample",
    "authentication.buttons",
    "authentication.component",
    "body.sample_extra",
    "body.sample_rows",
    "card.component",
    "component.duplicate",
    "header.text_unused",
    "offer.footer",
    "variable.format",
];

/// Number of unknown members.
fn unknown(value: &Value) -> usize {
    match value {
        Value::Array(values) => values.iter().map(unknown).sum(),
        Value::Object(object) => {
            object.iter().map(|(key, value)| usize::from(key.starts_with("x_")) + unknown(value)).sum()
        }
        _ => 0,
    }
}

/// Possible answers of a person: for each part a valid one, an almost valid one, or an arbitrary one.
fn answers() -> impl Strategy<Value = Vec<Option<String>>> {
    let odd = prop_oneof![
        ".{0,12}",
        Just(String::new()),
        Just(" \t".to_owned()),
        Just("a\nb".to_owned()),
        Just("a     b".to_owned()),
        Just("é %".to_owned()),
        Just("x".repeat(1100)),
        Just("{{1}}".to_owned()),
        Just("-91".to_owned()),
        Just("1700000000000".to_owned()),
        Just("https://x.example/a b".to_owned()),
        Just("[{\"product_items\": []}]".to_owned()),
        Just("{\"order\": {\"items\": 5, \"expiration\": {\"timestamp\": \"1\"}}}".to_owned()),
        any_json().prop_map(|json| json.to_string()),
    ];
    prop::collection::vec(prop_oneof![2 => Just(None), 1 => odd.prop_map(Some)], 1..12)
}

fn fitting(part: &SendPart) -> String {
    match part.kind {
        PartKind::Link => "https://x.example/a.pdf".to_owned(),
        PartKind::Instant => "1800000000000".to_owned(),
        PartKind::Number => "37.48".to_owned(),
        PartKind::Json if part.id.ends_with(".sections") => {
            json!([{"title": "t", "product_items": [{"product_retailer_id": "p"}]}]).to_string()
        }
        PartKind::Json => "{}".to_owned(),
        _ => "v".to_owned(),
    }
}

fn filled(template: &Template, answers: &[Option<String>]) -> SendValues {
    let parts = send_form(template).parts.into_iter().zip(answers.iter().cycle());
    parts.map(|(part, answer)| (part.id.clone(), answer.clone().unwrap_or_else(|| fitting(&part)))).collect()
}

fn send_of(template: &Template, values: &SendValues) -> SendTemplate {
    SendTemplate {
        name: template.name.clone(),
        language: SendLanguage { code: template.language.clone(), ..SendLanguage::default() },
        components: fill_send(template, values),
        ..SendTemplate::default()
    }
}

/// Noon of 1 January 2026 in UTC.
const NOW: i64 = 1_767_268_800_000;

/// Texts made of characters with a special meaning.
fn template_text() -> impl Strategy<Value = String> {
    "[{}1a_*~`# \t\n.>\\-é🎉שא今]{0,40}"
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unknown_members_of_templates_survive(json in with_unknown(templates())) {
        let template: Template = serde_json::from_value(json.clone()).unwrap();
        prop_assert_eq!(meaning(&serde_json::to_value(&template).unwrap()), meaning(&json));
    }

    #[test]
    fn unknown_members_of_listed_templates_survive(mut json in with_unknown(templates())) {
        json["uuid"] = json!("u");
        json["id"] = json!(9_223_372_036_854_775_807_u64);
        json["status"] = json!("SUBLIMATED");
        json["waba_ids"] = json!([1, "2"]);
        let record: TemplateRecord = serde_json::from_value(json.clone()).unwrap();
        prop_assert_eq!(meaning(&serde_json::to_value(&record).unwrap()), meaning(&json));
    }

    #[test]
    fn unknown_members_of_sends_survive(json in with_unknown(sends())) {
        let send: SendMessage = serde_json::from_value(json.clone()).unwrap();
        prop_assert_eq!(meaning(&serde_json::to_value(&send).unwrap()), meaning(&json));
    }

    #[test]
    fn unknown_members_of_deliveries_survive(json in with_unknown(events().iter().map(delivery).collect())) {
        let envelope: Envelope = serde_json::from_value(json.clone()).unwrap();
        prop_assert_eq!(serde_json::to_value(&envelope).unwrap(), json);
    }

    #[test]
    fn unknown_members_of_messages_survive(json in with_unknown(
        events().into_iter().filter(|event| event["field"] == "messages").map(|event| event["value"].clone()).collect()))
    {
        let value: MessagesValue = serde_json::from_value(json.clone()).unwrap();
        prop_assert_eq!(meaning(&serde_json::to_value(&value).unwrap()), meaning(&json));
    }

    #[test]
    fn unknown_types_survive(component in any_json(), button in any_json(), word in "[A-Z]{3,9}X") {
        let object = |value: Value| {
            let mut object = value.as_object().cloned().unwrap_or_default();
            object.insert("type".to_owned(), Value::from(word.clone()));
            Value::Object(object)
        };
        let json = json!({"name": "n", "language": "l", "category": word, "components":
            [object(component), {"type": "BUTTONS", "buttons": [object(button)]}]});
        let template: Template = serde_json::from_value(json.clone()).unwrap();
        prop_assert_eq!(serde_json::to_value(&template).unwrap(), json);
    }

    #[test]
    fn any_template_can_be_checked_shown_and_sent(json in mutated(templates()), other in mutated(templates()), send in mutated(sends())) {
        drop(lint_json(&json));
        let Ok(template) = serde_json::from_value::<Template>(json.clone()) else { return Ok(()) };
        let before = template.clone();
        let findings = lint(&template);
        let written = serde_json::to_value(&template).unwrap();
        for finding in &findings {
            // Every finding is at an existing place in the template, or at a sample to be added.
            let mut path = finding.path.as_str();
            let mut missing = 0;
            while written.pointer(path).is_none() {
                path = path.rsplit_once('/').map_or("", |(parent, _)| parent);
                missing += 1;
            }
            prop_assert!(missing <= 4, "{}", finding.path);
        }
        drop(render(&template, &Fill::default()));
        let values: SendValues = send_form(&template).parts.into_iter().map(|part| (part.id, "v".to_owned())).collect();
        drop(render(&template, &preview_fill(&template, &values)));
        let components = fill_send(&template, &values);
        drop(check_send(&template, &SendTemplate { components, ..SendTemplate::default() }));
        if let Ok(SendMessage { template: Some(send), .. }) = serde_json::from_value(send) {
            drop(check_send(&template, &send));
        }
        for set in [SampleSet::Own, SampleSet::Short, SampleSet::Long, SampleSet::RightToLeft, SampleSet::Emoji] {
            drop(render(&template, &sample_fill(&template, set)));
        }
        prop_assert_eq!(diff(&template, &template), []);
        let uploads = |change: &Change| change.after.as_deref() == Some("UPLOAD_PENDING");
        prop_assert!(changes(&template, &template).iter().all(uploads));
        if let Ok(other) = serde_json::from_value::<Template>(other) {
            prop_assert_eq!(diff(&template, &other).is_empty(), diff(&other, &template).is_empty());
            for change in changes(&template, &other) {
                let side = |hidden: SpanKind| -> String {
                    change.words.iter().filter(|span| span.kind != hidden).map(|span| span.text.as_str()).collect()
                };
                prop_assert_eq!(side(SpanKind::Added), change.before.clone().unwrap_or_default());
                prop_assert_eq!(side(SpanKind::Removed), change.after.clone().unwrap_or_default());
            }
        }
        prop_assert_eq!(template, before);
    }

    #[test]
    fn any_value_is_checked_before_the_send(json in mutated(templates()), answers in answers()) {
        let Ok(template) = serde_json::from_value::<Template>(json) else { return Ok(()) };
        let parts = send_form(&template).parts;
        let values = filled(&template, &answers);
        drop(render(&template, &preview_fill(&template, &values)));
        let problems = check_values(&template, &values, NOW);
        prop_assert!(problems.is_sorted_by_key(|problem| problem.severity));
        let fields: BTreeSet<&str> = problems.iter().map(|problem| problem.field.as_str()).collect();
        prop_assert_eq!(fields.len(), problems.len(), "{:?}", &problems);
        prop_assert!(fields.iter().all(|field| ["", "template"].contains(field) || parts.iter().any(|part| part.id == *field)), "{problems:?}");
        if !problems.iter().any(|problem| problem.is_error()) {
            prop_assert_eq!(check_send(&template, &send_of(&template, &values)), []);
        }
    }

    #[test]
    fn a_check_of_many_sends_finds_what_a_check_of_each_finds(json in mutated(templates()), rows in prop::collection::vec(answers(), 1..5)) {
        let Ok(template) = serde_json::from_value::<Template>(json) else { return Ok(()) };
        let check = ValueCheck::of(&template);
        for answers in [vec![None]].into_iter().chain(rows) {
            let values = filled(&template, &answers);
            let alone = check_values(&template, &values, NOW).into_iter().filter(|problem| problem.field != "template");
            prop_assert_eq!(check.problems(&values, NOW), alone.collect::<Vec<_>>());
        }
    }

    #[test]
    fn problems_of_a_sound_template_are_at_a_form_part(json in prop::sample::select(templates()), answers in answers()) {
        let template: Template = serde_json::from_value(json).unwrap();
        let values = filled(&template, &answers);
        for problem in check_values(&template, &values, NOW) {
            let left_over = [SendProblemCode::ValueCount, SendProblemCode::ValueFormat, SendProblemCode::ValueInvalid];
            prop_assert!(!problem.field.is_empty() && !left_over.contains(&problem.code), "{problem:?} for {values:?}");
        }
        let problems = check_values(&template, &filled(&template, &[None]), NOW);
        prop_assert!(problems.iter().all(|problem| !problem.is_error()), "{problems:?}");
        // For any answers, the reported problems include everything that the channel would reject.
        let found = check_values(&template, &values, NOW);
        for fault in check_send(&template, &send_of(&template, &values)) {
            prop_assert!(found.iter().any(|problem| problem.is_error()), "{fault:?} for {values:?}");
        }
    }

    #[test]
    fn any_rejection_has_guidance(
        json in mutated(templates()), reason in "[A-Z_]{0,12}|INVALID_FORMAT|SCAM", code in 2_388_000_i64..2_388_400,
        text in "[a-z`/. \\[\\]0-9é]{0,30}|Correct `components\\[[0-3]\\]\\.(text|buttons\\[1\\]\\.url)`\\.")
    {
        let Ok(template) = serde_json::from_value::<Template>(json) else { return Ok(()) };
        let info = RejectionInfo { reason: Some(text), ..RejectionInfo::default() };
        let found = guidance(&template, Some(&reason), Some(&info));
        prop_assert!(found[0].code.starts_with("rejected.") && !found[0].message.is_empty());
        let written = serde_json::to_value(&template).unwrap();
        let component = |path: &str| path.split('/').take(3).collect::<Vec<_>>().join("/");
        for path in found.iter().map(|finding| finding.path.clone()).chain(position_of(code, &template)) {
            let known = !path.starts_with("/components/") || written.pointer(&component(&path)).is_some();
            prop_assert!(known, "{path}");
        }
    }

    #[test]
    fn fixable_findings_can_be_fixed(json in damaged(templates())) {
        let Ok(template) = serde_json::from_value::<Template>(json) else { return Ok(()) };
        let before = lint(&template);
        for finding in before.iter().filter(|finding| finding.fixable) {
            let fix = Rewrite::Fix { code: finding.code.to_owned(), path: finding.path.clone() };
            let fixed = rewrite(&template, &fix);
            prop_assert!(fixed.is_ok(), "{finding:?}: {fixed:?}");
            let fixed = fixed.unwrap();
            let after = lint(&fixed);
            let of_code = |findings: &[Finding]| findings.iter().filter(|it| it.code == finding.code).count();
            prop_assert!(of_code(&after) < of_code(&before), "{finding:?} is still there: {after:?}");
            for code in after.iter().filter(|it| it.severity == Severity::Error).map(|it| it.code) {
                let errors = |findings: &[Finding]| {
                    findings.iter().filter(|it| it.severity == Severity::Error && it.code == code).count()
                };
                prop_assert!(errors(&after) <= errors(&before), "{finding:?} brought {code}");
            }
            if !REMOVING.contains(&finding.code) {
                prop_assert_eq!(unknown(&serde_json::to_value(&fixed).unwrap()), unknown(&serde_json::to_value(&template).unwrap()), "{:?}", finding);
            }
        }
    }

    #[test]
    fn variables_and_samples_are_renamed_together(json in damaged(templates())) {
        let Ok(template) = serde_json::from_value::<Template>(json) else { return Ok(()) };
        let samples = |template: &Template| -> Vec<String> {
            variables(template).into_iter().map(|variable| variable.sample).filter(|sample| !sample.is_empty()).collect()
        };
        let written = serde_json::to_value(&template).unwrap();
        for variable in variables(&template) {
            prop_assert!(written.pointer(&variable.path).is_some_and(Value::is_string), "{variable:?}");
            let sample = written.pointer(&variable.sample_path).and_then(Value::as_str).unwrap_or_default();
            prop_assert_eq!(sample, &variable.sample);
        }
        for format in [ParameterFormat::Named, ParameterFormat::Positional] {
            let converted = rewrite(&template, &Rewrite::Format { format }).unwrap();
            prop_assert_eq!(samples(&converted), samples(&template));
            prop_assert_eq!(unknown(&serde_json::to_value(&converted).unwrap()) <= unknown(&written), true);
        }
    }

    #[test]
    fn the_shown_text_is_the_text_without_markup(text in template_text()) {
        let template: Template = serde_json::from_value(json!({"components": [{"type": "BODY", "text": text}]})).unwrap();
        let shown = serde_json::to_value(render(&template, &Fill::default()).body).unwrap().to_string();
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            prop_assert!(shown.contains(c));
        }
    }

    #[test]
    fn any_bytes_give_at_least_one_item(body in prop::collection::vec(any::<u8>(), 0..200)) {
        let items = items(&body);
        prop_assert!(!items.is_empty());
        items.iter().for_each(|item| drop(item.decode()));
    }

    #[test]
    fn any_json_gives_items(body in prop_oneof![any_json(), mutated(events().iter().map(delivery).collect())]) {
        let body = body.to_string();
        let (in_place, _) = items_to_decode(body.as_bytes(), 0, usize::MAX);
        let found = items(body.as_bytes());
        prop_assert_eq!(found.len(), in_place.len());
        for (item, mut in_place) in found.into_iter().zip(in_place) {
            serde_json::from_str::<Value>(item.value.get()).unwrap();
            prop_assert_eq!(&item.key, &in_place.key);
            prop_assert_eq!(item.decode(), in_place.take_decoded());
        }
    }

    #[test]
    fn batching_and_repetition_do_not_change_items(
        chosen in prop::collection::vec((any::<Index>(), any::<bool>()), 1..12), pretty in any::<bool>())
    {
        let all = events();
        let chosen: Vec<(Value, bool)> = chosen.into_iter().map(|(index, merge)| (index.get(&all).clone(), merge)).collect();
        let alone: BTreeSet<String> = chosen
            .iter()
            .flat_map(|(event, _)| items(delivery(event).to_string().as_bytes()))
            .map(|item| item.key)
            .collect();
        let mut batch = json!({"object": "account", "entry": []});
        for (event, merge) in &chosen {
            let entries = batch["entry"].as_array_mut().unwrap();
            let entry = delivery(event)["entry"][0].clone();
            match entries.last_mut().filter(|_| *merge) {
                Some(last) => last["changes"].as_array_mut().unwrap().push(entry["changes"][0].clone()),
                None => entries.push(entry),
            }
        }
        let body = if pretty { serde_json::to_string_pretty(&batch).unwrap() } else { batch.to_string() };
        let together: Vec<String> = items(body.as_bytes()).into_iter().map(|item| item.key).collect();
        prop_assert_eq!(together.len(), alone.len());
        prop_assert_eq!(together.into_iter().collect::<BTreeSet<_>>(), alone);
    }
}
