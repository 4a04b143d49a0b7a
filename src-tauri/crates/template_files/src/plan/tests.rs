//! Steps for templates that the provider lists.

#![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

use model::lint::lint;
use serde_json::{Value, json};

use super::*;
use crate::creation;

fn record(status: &str, template: &Value) -> TemplateRecord {
    let mut record = template.clone();
    record["uuid"] = json!("c0000000-0000-4000-8000-000000000001");
    record["waba_id"] = json!("102290129340398");
    record["status"] = json!(status);
    serde_json::from_value(record).unwrap()
}

/// The step for a file with this template.
fn step(file: Template, records: &[&TemplateRecord], wabas: &[&str]) -> Step {
    let findings = lint(&file);
    let wabas: Vec<String> = wabas.iter().map(|waba| (*waba).to_owned()).collect();
    let mut read = Read::of(PathBuf::from("template.json"));
    (read.template, read.findings) = (file, findings);
    let mut step = Step::decide(read, records, &wabas, &Businesses::default());
    step.require_overrides(&[]);
    step
}

#[test]
fn an_untouched_part_of_an_accepted_template_does_not_block_its_edit() {
    let template = |text: &str, header: &str| {
        json!({"name": "refund_done", "language": "en_US", "category": "UTILITY", "components": [
            {"type": "HEADER", "format": "TEXT", "text": header, "example": {"header_text": ["Blue vase"]}},
            {"type": "BODY", "text": text}]})
    };
    let header = "Money back \u{1f389} for {{1}}";
    let listed = template("We returned the money for your order.", header);
    let edited: Template =
        serde_json::from_value(template("We have returned the money for your order.", header)).unwrap();
    for (status, blocked) in [("APPROVED", false), ("PAUSED", false), ("", false), ("REJECTED", true)] {
        let mut record = record(status, &listed);
        record.status = record.status.filter(|status| !status.as_str().is_empty());
        let step = step(edited.clone(), &[&record], &[]);
        assert_eq!(matches!(step.action, Action::Blocked { .. }), blocked, "{status:?}: {:?}", step.action);
        let noted = step.notes.iter().any(|note| note.contains("The approved template has this already."));
        assert_eq!(noted, !blocked, "{:?}", step.notes);
    }
    // What is approved in one account may be new in another one.
    let (one, mut other) =
        (record("APPROVED", &listed), record("APPROVED", &template("We returned it.", "Money back")));
    other.uuid = Some("c0000000-0000-4000-8000-000000000002".to_owned());
    assert!(matches!(step(edited.clone(), &[&one, &other], &[]).action, Action::Blocked { .. }));
    assert!(matches!(step(edited, &[&other, &one], &[]).action, Action::Blocked { .. }));
}

#[test]
fn a_template_with_a_row_for_each_account_gets_one_edit() {
    let listed = json!({"name": "refund_done", "language": "en_US", "category": "UTILITY", "components": [
        {"type": "BODY", "text": "We returned the money for your order."}]});
    let (one, mut second) = (record("APPROVED", &listed), record("PAUSED", &listed));
    second.waba_id = serde_json::from_value(json!("22")).unwrap();
    let mut other = record("APPROVED", &listed);
    other.uuid = Some("c0000000-0000-4000-8000-000000000002".to_owned());
    let known = by_key([&one, &second, &other].into_iter());
    let records = &known[&key("refund_done", "en_US")];
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].wabas(), ["102290129340398", "22"]);
    assert_eq!(records[0].decisive_status().0, Some(TemplateStatus::Paused));
    let mut edited: Template = serde_json::from_value(listed).unwrap();
    edited.components.truncate(0);
    edited.components.push(serde_json::from_value(json!({"type": "BODY", "text": "Your money is back."})).unwrap());
    let step = step(edited, &[&records[0]], &["22"]);
    assert!(matches!(&step.action, Action::Edit { uuids, .. } if uuids.len() == 1), "{:?}", step.action);
    assert_eq!(step.outgoing[0].requests.len(), 1);
    assert!(step.notes.iter().all(|note| !note.contains("is not in")), "{:?}", step.notes);
}

#[test]
fn every_listed_kind_of_template_can_be_checked_and_copied() {
    let body = json!({"type": "BODY", "text": "Good news for all of you today."});
    let image = json!({"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://scontent.example/1?sig=2"]}});
    let row = |button: Value| json!({"type": "BUTTONS", "buttons": [button]});
    let card = json!({"components": [image, body, row(json!({"type": "QUICK_REPLY", "text": "More"}))]});
    let code = json!({"type": "URL", "text": "Copiar c\u{f3}digo", "url": "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}",
        "example": ["https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp123456"]});
    for (name, category, components) in [
        (
            "authentication",
            "AUTHENTICATION",
            json!([
                {"type": "BODY", "text": "*{{1}}* es tu c\u{f3}digo de verificaci\u{f3}n. Por tu seguridad, no lo compartas.",
                    "example": {"body_text": [["123456"]]}},
                {"type": "FOOTER", "text": "Este c\u{f3}digo caduca en 10 minutos."}, row(code)]),
        ),
        ("catalog", "MARKETING", json!([body, row(json!({"type": "CATALOG", "text": "Ver cat\u{e1}logo"}))])),
        (
            "flow",
            "UTILITY",
            json!([
                body,
                row(json!({"type": "FLOW", "text": "Book", "flow_id": 1_234_567_890_u64, "flow_action": "NAVIGATE",
                "navigate_screen": "START"}))
            ]),
        ),
        (
            "offer",
            "MARKETING",
            json!([image, {"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Expiring!", "has_expiration": true}},
                body, {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "text": "Copy offer code", "example": ["CARIBE25"]},
                    {"type": "URL", "text": "Book", "url": "https://a.example/{{1}}", "example": ["https://a.example/1"]}]}]),
        ),
        ("order", "UTILITY", json!([body, row(json!({"type": "ORDER_DETAILS", "text": "Copy Pix code"}))])),
        ("carousel", "MARKETING", json!([body, {"type": "CAROUSEL", "cards": [card, card]}])),
        ("call_permission", "UTILITY", json!([body, {"type": "call_permission_request"}])),
        (
            "contact",
            "UTILITY",
            json!([body, row(json!({"type": "REQUEST_CONTACT_INFO", "text": "Share Contact Info"}))]),
        ),
        (
            "call",
            "UTILITY",
            json!([body, row(json!({"type": "VOICE_CALL", "text": "Call now", "ttl_minutes": 10_080}))]),
        ),
        (
            "named",
            "UTILITY",
            json!([{"type": "BODY", "text": "Hello {{first_name}}, it is here for you now.",
                "example": {"body_text_named_params": [{"param_name": "first_name", "example": "Ana"}]}}]),
        ),
    ] {
        // A hyphen in the language is another provider's spelling.
        let listed = record(
            "APPROVED",
            &json!({"name": name, "language": "en-US", "category": category, "components": components}),
        );
        let pulled = creation(&listed).template;
        let errors: Vec<_> = lint(&pulled).into_iter().filter(Finding::blocks).collect();
        assert_eq!(errors, [], "{name}");
        assert_eq!(step(pulled.clone(), &[&listed], &[]).action, Action::Unchanged, "{name}");
        assert_eq!(
            step(listed.template.clone(), &[&listed], &[]).action,
            Action::Unchanged,
            "{name}: a file as listed"
        );
        // A listed address is no sample: the copy needs the file, which `pull` loads.
        let copied = step(pulled.clone(), &[], &["222"]).action;
        let with_file = serde_json::to_string(&pulled).unwrap().replace("https://scontent.example/1?sig=2", "4::b25l");
        let with_file = step(serde_json::from_str(&with_file).unwrap(), &[], &["222"]).action;
        assert_eq!(with_file, Action::Create { wabas: vec!["222".to_owned()] }, "{name}");
        let has_picture = ["offer", "carousel"].contains(&name);
        assert_eq!(matches!(copied, Action::Blocked { .. }), has_picture, "{name}");
    }
}
