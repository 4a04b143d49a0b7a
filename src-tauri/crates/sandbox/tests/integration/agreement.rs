//! The rules and the sandbox agree about every template: one without errors is created and approved, and one with an
//! error is refused or rejected with the same path.

use std::sync::atomic::{AtomicU64, Ordering};

use model::finding::{Finding, Severity};
use model::lint::{FileFacts, LintContext, lint_with};
use model::template::Template;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use sandbox::rules::EXCLUDED;
use serde_json::{Value, json};

use crate::bench::{Bench, TEMPLATES, answer, options, until};
use sound::{Kind, Sample, sound};

mod sound;

/// Findings about unknown types: for the rules they are hints, and only the provider can decide.
const UNKNOWN: &[&str] = &["button.unknown", "component.unknown", "header.format_unknown"];

/// A change that may violate a rule.
#[derive(Clone, Debug)]
enum Change {
    Remove(Index),
    Write(Index, String),
    Lengthen(Index, usize),
    Number(Index, i64),
    Repeat(Index),
    Swap(Index, Index),
    Category(&'static str),
    HeaderFile(Option<Kind>),
    CardFile(Index, Option<Kind>),
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[{}12a_*~`# \t\n.>éא今🎉-]{0,24}",
        select(vec![
            "",
            " ",
            "{{1}} first of all words here",
            "Words end with {{1}}",
            "Touching {{1}}{{2}} variables of words",
            "Gap from {{1}} to {{3}} in these words",
            "One {{name}} here and now",
            "One {{Name}} here and now",
            "{1} single",
            "{{1",
            "https://bit.ly/x",
            "https://x.example/{{1}}/more",
            "https://x.example/{{2}}",
            "https://x.example/{{1}}",
            "4111 1111 1111 1111",
            "UPLOAD_PENDING",
            "https://cdn.example/a.png",
            "TEXT",
            "IMAGE",
            "VIDEO",
            "DOCUMENT",
            "LOCATION",
            "PRODUCT",
            "GIF",
            "HEADER",
            "BODY",
            "FOOTER",
            "BUTTONS",
            "CAROUSEL",
            "LIMITED_TIME_OFFER",
            "CALL_PERMISSION_REQUEST",
            "URL",
            "QUICK_REPLY",
            "PHONE_NUMBER",
            "COPY_CODE",
            "OTP",
            "FLOW",
            "CATALOG",
            "MPM",
            "SPM",
            "VOICE_CALL",
            "ORDER_DETAILS",
            "REQUEST_CONTACT_INFO",
            "NAMED",
            "POSITIONAL",
            "marketing_lite",
            "pt-BR",
            "xx_YY",
            "Upper",
            "ONE_TAP",
            "ZERO_TAP",
            "[",
            "{}",
            "5",
        ])
        .prop_map(str::to_owned),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let place = any::<Index>;
    let file = || prop::option::of(select(vec![Kind::Image, Kind::Video, Kind::Pdf]));
    prop_oneof![
        4 => place().prop_map(Change::Remove),
        6 => (place(), texts()).prop_map(|(place, text)| Change::Write(place, text)),
        2 => (place(), select(vec![16, 30, 70, 170, 700, 1_100, 2_100])).prop_map(|(place, by)| Change::Lengthen(place, by)),
        2 => (place(), select(vec![-1, 0, 1, 29, 91, 1_439, 50_000, 3_000_000])).prop_map(|(place, n)| Change::Number(place, n)),
        3 => place().prop_map(Change::Repeat),
        2 => (place(), place()).prop_map(|(one, other)| Change::Swap(one, other)),
        1 => select(vec!["marketing", "utility", "authentication", "other", ""]).prop_map(Change::Category),
        1 => file().prop_map(Change::HeaderFile),
        2 => (place(), file()).prop_map(|(place, file)| Change::CardFile(place, file)),
    ]
}

/// Pointers to every value below `value` that `wanted` accepts.
fn places(value: &Value, wanted: &impl Fn(&Value) -> bool) -> Vec<String> {
    fn walk(value: &Value, path: &str, wanted: &impl Fn(&Value) -> bool, found: &mut Vec<String>) {
        if wanted(value) && !path.is_empty() {
            found.push(path.to_owned());
        }
        match value {
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(at, item)| walk(item, &format!("{path}/{at}"), wanted, found));
            }
            Value::Object(members) => {
                members.iter().for_each(|(key, member)| walk(member, &format!("{path}/{key}"), wanted, found));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(value, "", wanted, &mut found);
    found
}

fn apply(sample: &mut Sample, change: Change) {
    let template = &mut sample.template;
    let pick = |template: &Value, place: Index, wanted: &dyn Fn(&Value) -> bool| {
        let found = places(template, &wanted);
        (!found.is_empty()).then(|| place.get(&found).clone())
    };
    match change {
        Change::Remove(place) => {
            let Some(path) = pick(template, place, &|_| true) else { return };
            let (parent, key) = path.rsplit_once('/').unwrap();
            match template.pointer_mut(parent).unwrap() {
                Value::Array(items) => drop(items.remove(key.parse().unwrap())),
                Value::Object(members) => drop(members.shift_remove(key)),
                _ => {}
            }
        }
        Change::Write(place, text) => {
            let Some(path) = pick(template, place, &Value::is_string) else { return };
            *template.pointer_mut(&path).unwrap() = json!(text);
        }
        Change::Lengthen(place, by) => {
            let Some(path) = pick(template, place, &Value::is_string) else { return };
            let text = template.pointer_mut(&path).unwrap();
            *text = json!(text.as_str().unwrap().to_owned() + &"a".repeat(by));
        }
        Change::Number(place, number) => {
            let Some(path) = pick(template, place, &Value::is_number) else { return };
            *template.pointer_mut(&path).unwrap() = json!(number);
        }
        Change::Repeat(place) => {
            let filled = |value: &Value| value.as_array().is_some_and(|items| !items.is_empty());
            let Some(path) = pick(template, place, &filled) else { return };
            let items = template.pointer_mut(&path).unwrap().as_array_mut().unwrap();
            let again = place.get(items).clone();
            items.push(again);
        }
        Change::Swap(one, other) => {
            let Some(path) = pick(template, one, &Value::is_array) else { return };
            let items = template.pointer_mut(&path).unwrap().as_array_mut().unwrap();
            if !items.is_empty() {
                let (one, other) = (one.index(items.len()), other.index(items.len()));
                items.swap(one, other);
            }
        }
        Change::Category(category) => template["category"] = json!(category),
        Change::HeaderFile(file) => sample.header_file = file,
        Change::CardFile(place, file) => {
            // Sometimes one index too many, for a card that does not exist.
            let at = place.index(sample.card_files.len() + 1);
            sample.card_files.resize(sample.card_files.len().max(at + 1), None);
            sample.card_files[at] = file;
        }
    }
}

fn altered() -> impl Strategy<Value = Sample> {
    (sound(), prop::collection::vec(change(), 1..4)).prop_map(|(mut sample, changes)| {
        changes.into_iter().for_each(|change| apply(&mut sample, change));
        sample
    })
}

fn is_media_header(component: &Value) -> bool {
    let format = component["format"].as_str().unwrap_or_default();
    component["type"] == "HEADER" && matches!(format, "IMAGE" | "VIDEO" | "DOCUMENT" | "GIF")
}

fn facts(file: Option<Kind>) -> Option<FileFacts> {
    file.map(|kind| FileFacts { size: kind.bytes().len() as u64, mime: Some(kind.mime().to_owned()), encoding: None })
}

/// The template as clients send it: headers with a file in the request await it.
fn with_pending(sample: &Sample) -> Value {
    let mut template = sample.template.clone();
    let mut carousel = None;
    let pending = |component: &mut Value| {
        if is_media_header(component) {
            component["example"] = json!({ "header_handle": ["UPLOAD_PENDING"] });
        }
    };
    for component in template["components"].as_array_mut().into_iter().flatten() {
        if sample.header_file.is_some() {
            pending(component);
        }
        if component["type"] == "CAROUSEL" && carousel.is_none() {
            carousel = Some(component);
        }
    }
    let cards = carousel.and_then(|carousel| carousel["cards"].as_array_mut());
    for (card, file) in cards.into_iter().flatten().zip(&sample.card_files) {
        if file.is_some() {
            card["components"].as_array_mut().into_iter().flatten().for_each(pending);
        }
    }
    template
}

/// A component path as people write it: `components[1].text`.
fn field_name(path: &str) -> String {
    let mut name = String::new();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            name.push_str(&format!("[{part}]"));
        } else {
            name.push_str(if name.is_empty() { "" } else { "." });
            name.push_str(part);
        }
    }
    name
}

fn form(waba: u64, sample: &Sample, template: &Value) -> Form {
    let mut form = Form::new().text("waba_ids", waba.to_string());
    let part = |kind: Kind| Part::bytes(kind.bytes()).file_name("file");
    if let Some(kind) = sample.header_file {
        form = form.part("header_file", part(kind));
    }
    for kind in sample.card_files.iter().flatten() {
        form = form.part("carousel_files[]", part(*kind));
    }
    for (key, value) in template.as_object().unwrap() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        form = form.text(key.clone(), text);
    }
    form
}

/// Creates the template and waits for its review; returns the provider's objection: a status and its text.
async fn submit(bench: &Bench, sample: &Sample, template: &Value) -> (u16, Value) {
    static WABA: AtomicU64 = AtomicU64::new(900_000);
    let waba = WABA.fetch_add(1, Ordering::Relaxed);
    let request = bench.request(Method::POST, TEMPLATES);
    let has_files = sample.header_file.is_some() || sample.card_files.iter().any(Option::is_some);
    let request = if has_files {
        request.multipart(form(waba, sample, template))
    } else {
        let mut body = template.clone();
        body["waba_ids"] = json!([waba]);
        request.json(&body)
    };
    let (status, body) = answer(request).await;
    if status != 200 {
        return (status, body);
    }
    let path = format!("{TEMPLATES}?waba_id={waba}");
    until("the review's end", async || {
        let record = bench.get(&path).await.1["data"][0].clone();
        (record["status"] != "PENDING").then_some((status, record))
    })
    .await
}

fn agree(sample: &Sample, findings: &[Finding], (status, body): &(u16, Value)) -> Result<(), String> {
    let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    // What the channel usually refuses is a warning here, and may be refused.
    let open = |finding: &&Finding| {
        [UNKNOWN, Finding::OVERRIDABLE, EXCLUDED].iter().any(|codes| codes.contains(&finding.code))
    };
    let names = |path: &str| {
        let places = errors.iter().copied().chain(findings.iter().filter(open));
        places.into_iter().any(|finding| finding.path.starts_with(path) || path.starts_with(&finding.path))
    };
    match (*status, body["status"].as_str()) {
        (200, Some("APPROVED")) if errors.is_empty() || taken_for_another(&errors) => Ok(()),
        (200, Some("REJECTED")) => {
            let info = &body["rejection_info"];
            let advice = info["recommendation"].as_str().unwrap_or_default();
            // A missing sample is a warning here and a rejection by the channel.
            let told = |finding: &&Finding| {
                info["reason"] == finding.message && advice.contains(&format!("`{}`", field_name(&finding.path)))
            };
            findings.iter().find(told).map(|_| ()).ok_or_else(|| format!("rejected for another reason: {info}"))
        }
        (400, _) => {
            let told = body["findings"].as_array().cloned().unwrap_or_default();
            let foreign = told.iter().find(|told| {
                let mut known = errors.iter().copied().chain(findings.iter().filter(open));
                !known.any(|finding| told["code"] == finding.code && told["path"] == finding.path.as_str())
            });
            if let Some(foreign) = foreign {
                return Err(format!("refused for what the rules do not find: {foreign}"));
            }
            // The app sends the creation form of what looks listed.
            if body["details"].as_str().is_some_and(|details| details.contains("templates are listed")) {
                return Ok(());
            }
            let path = body["path"].as_str().unwrap_or_default();
            let about_file = match path {
                "/header_file" => sample.header_file.is_some(),
                "/carousel_files[]" => !sample.card_files.is_empty(),
                // Files are assigned by order only, so the missing one may be reported for another card.
                path => path.contains("/header_handle"),
            };
            let groups = ["header.", "card.", "carousel."];
            let file_errors = errors.iter().any(|error| groups.iter().any(|group| error.code.starts_with(group)));
            if names(path) || (about_file && file_errors) { Ok(()) } else { Err(format!("refused at {path}")) }
        }
        _ => Err("one accepts what the other does not".to_owned()),
    }
}

/// Files of cards are assigned by order only: a surplus file goes to a card that awaits another one.
fn taken_for_another(errors: &[&Finding]) -> bool {
    const UNUSED: &[&str] = &["card.file_unused", "carousel.file_unused"];
    errors.iter().any(|error| UNUSED.contains(&error.code))
        && errors.iter().all(|error| {
            UNUSED.contains(&error.code) || matches!(error.code, "header.file_missing" | "header.sample_missing")
        })
}

/// Runs a property with all cases against the same sandbox.
fn check(samples: impl Strategy<Value = Sample>, sound: bool, cases: u32) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let bench = runtime.block_on(Bench::start(options()));
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&samples, |sample| {
        let json = with_pending(&sample);
        let Ok(template) = serde_json::from_value::<Template>(json.clone()) else {
            let (status, body) = runtime.block_on(submit(&bench, &sample, &json));
            return if status == 400 { Ok(()) } else { Err(TestCaseError::fail(format!("{status} {body}"))) };
        };
        let context = LintContext {
            files_known: true,
            header_file: facts(sample.header_file),
            card_files: sample.card_files.iter().copied().map(facts).collect(),
        };
        let findings = lint_with(&template, &context);
        // The parsed template is sent: the lenient parsing has repaired what it could.
        let sent = serde_json::to_value(&template).unwrap();
        let answer = runtime.block_on(submit(&bench, &sample, &sent));
        let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        if sound && !errors.is_empty() {
            return Err(TestCaseError::fail(format!("a sound template has {errors:#?}\n{sent:#}")));
        }
        agree(&sample, &findings, &answer)
            .map_err(|why| TestCaseError::fail(format!("{why}\n{answer:?}\n{errors:#?}\n{sent:#}")))
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn a_valid_template_is_approved() {
    check(sound(), true, 150);
}

#[test]
fn an_invalid_template_is_refused_at_the_finding() {
    check(altered(), false, 600);
}
