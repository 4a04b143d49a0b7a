//! Content of requests: placeholders, changed fields, findings of edits.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use super::*;
use serde_json::{Value, json};
use std::collections::HashSet;

fn file(name: &str) -> Attachment {
    Attachment { name: name.to_owned(), ..Attachment::default() }
}

fn record(status: &str, archived: bool) -> TemplateRecord {
    let status = Some(TemplateStatus::from(status)).filter(|_| !status.is_empty());
    TemplateRecord { status, archived: Some(archived), ..TemplateRecord::default() }
}

#[test]
fn empty_samples_are_not_sent() {
    let components = json!([
        {"type": "HEADER", "format": "TEXT", "text": "For {{1}}", "example": {"header_text": [" "]}},
        {"type": "BODY", "text": "{{1}} and {{2}}", "example": {"body_text": [["", ""]]}},
        {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "Go", "url": "https://a.example/{{1}}", "example": [""]}]},
        {"type": "CAROUSEL", "cards": [{"components": [
            {"type": "BODY", "text": "{{1}} and {{2}}", "example": {"body_text": [["Ana", ""]], "own": 1}}]}]},
    ]);
    let mut draft = Draft { id: "d".to_owned(), ..Draft::default() };
    draft.template.components = serde_json::from_value(components.clone()).unwrap();
    let sent_components = |draft: &Draft| serde_json::to_value(with_files(draft).0.components).unwrap();
    assert_eq!(
        sent_components(&draft),
        json!([
            {"type": "HEADER", "format": "TEXT", "text": "For {{1}}"},
            {"type": "BODY", "text": "{{1}} and {{2}}"},
            {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "Go", "url": "https://a.example/{{1}}"}]},
            components[3],
        ])
    );
    draft.id.clear();
    assert_eq!(sent_components(&draft), components, "content from a file is not changed");
}

fn template(header: &str, cards: &[&str]) -> Template {
    let card = |handle: &&str| {
        json!({"components": [{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [handle]}},
            {"type": "BODY", "text": "c"}]})
    };
    serde_json::from_value(json!({"name": "n", "language": "en", "category": "marketing", "components": [
        {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [header]}},
        {"type": "BODY", "text": "Hello"},
        {"type": "CAROUSEL", "cards": cards.iter().map(card).collect::<Vec<Value>>()}]}))
    .unwrap()
}

#[test]
fn placeholders_mark_attached_files() {
    let draft = Draft {
        template: template("4::h", &["4::a", "4::b", "4::c"]),
        card_files: vec![Some(file("0")), None, Some(file("2")), Some(file("no card"))],
        ..Draft::default()
    };
    let (content, files) = with_files(&draft);
    assert_eq!(content, template("4::h", &[UPLOAD_PENDING, "4::b", UPLOAD_PENDING]));
    assert_eq!(files.carousel_files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["0", "2"]);
    let draft = Draft { header_file: Some(file("h")), card_files: Vec::new(), ..draft };
    assert_eq!(with_files(&draft).0, template(UPLOAD_PENDING, &["4::a", "4::b", "4::c"]));
}

#[test]
fn only_changed_fields_are_sent() {
    let old = template("https://cdn.example/1", &["https://cdn.example/2", "4::b"]);
    let same = template("https://cdn.example/9", &["https://cdn.example/8", "4::b"]);
    assert_eq!(edit_of(&old, &same), EditTemplate::default());
    for other in [template("4::new", &["https://cdn.example/2", "4::b"]), template("https://cdn.example/1", &["x"])] {
        assert_eq!(
            edit_of(&old, &other),
            EditTemplate { components: Some(other.components), ..EditTemplate::default() }
        );
    }
    let mut other = same;
    other.sub_category = Some("promo".to_owned());
    other.pix_data = Some(json!({"key": 1}));
    let edit = serde_json::to_value(edit_of(&old, &other)).unwrap();
    assert_eq!(edit, json!({"sub_category": "promo", "pix_data": {"key": 1}}));
}

#[test]
fn the_format_of_named_variables_is_stated() {
    let with_text = |text: &str| {
        let body = json!({"name": "n", "language": "en", "category": "utility", "components": [{"type": "BODY", "text": text}]});
        serde_json::from_value::<Template>(body).unwrap()
    };
    let created = |text: &str| {
        let draft = Draft { template: with_text(text), waba_ids: vec!["1".to_owned()], ..Draft::default() };
        let request = super::super::requests(&draft, None, &HashSet::new(), &super::super::Businesses::default())
            .unwrap()
            .remove(0);
        let super::super::Request::Create(create) = request else { panic!("{text}") };
        serde_json::to_value(create).unwrap()["parameter_format"].clone()
    };
    assert_eq!(created("Hi {{first_name}}, all of you"), "NAMED");
    assert_eq!(created("Hi {{1}}, all of you"), Value::Null);
    let edited = |old: &str, new: &str| {
        let draft = Draft { template: with_text(new), edits: Some("u".to_owned()), ..Draft::default() };
        let request = super::super::requests(
            &draft,
            Some(&with_text(old)),
            &HashSet::new(),
            &super::super::Businesses::default(),
        )
        .ok()?
        .remove(0);
        let super::super::Request::Edit { edit, .. } = request else { panic!("{new}") };
        Some(serde_json::to_value(edit).unwrap()["parameter_format"].clone())
    };
    assert_eq!(edited("Hi {{first_name}}, all of you", "Hi {{first_name}}, each of you"), Some(json!("NAMED")));
    assert_eq!(edited("Hi {{first_name}}, all of you", "Hi {{first_name}}, all of you"), None, "nothing changed");
    assert_eq!(edited("Hi {{1}}, all of you", "Hi {{1}}, each of you"), Some(Value::Null));
}

#[test]
fn the_format_of_an_order_is_stated() {
    for (button, stated) in [("ORDER_DETAILS", json!("ORDER_DETAILS")), ("QUICK_REPLY", Value::Null)] {
        let listed = json!({"name": "n", "language": "en", "category": "utility", "components": [
            {"type": "BODY", "text": "Your order is ready."}, {"type": "BUTTONS", "buttons": [{"type": button, "text": "Pay"}]}]});
        let draft = Draft { template: serde_json::from_value(listed).unwrap(), ..Draft::default() };
        let sent = serde_json::to_value(content_to_send(&draft)).unwrap();
        assert_eq!(sent["display_format"], stated);
        let findings = crate::inspection::draft_findings(&draft, None);
        assert!(findings.iter().all(|finding| finding.path != "/display_format"), "{findings:?}");
    }
}

#[test]
fn every_file_has_a_place() {
    let draft = Draft {
        template: template("", &["", ""]),
        header_file: Some(file("h")),
        card_files: vec![None, Some(file("c"))],
        pix_file: Some(file("p")),
        order_file: Some(file("o")),
        ..Draft::default()
    };
    let places: Vec<_> = files(&draft).into_iter().map(|(place, file)| (place, file.name.as_str())).collect();
    let expected = [("/components/0", "h"), ("/components/2/cards/1", "c"), ("/pix_data", "p"), ("/order_data", "o")];
    assert_eq!(places, expected.map(|(place, name)| (place.to_owned(), name)));
}

/// The English text comes from the finding itself.
#[test]
fn every_finding_is_translated() {
    let old = template("4::h", &[]);
    let mut new = old.clone();
    new.name = "other".to_owned();
    new.category = "utility".into();
    let old = Template { sub_category: Some("x".to_owned()), ..old };
    let mut findings = edit_findings(&old, &new, &record("APPROVED", false));
    findings.extend(state_findings(&record("PENDING", false)));
    findings.extend(state_findings(&record("APPROVED", true)));
    findings.push(file_finding("/pix_data".to_owned(), "a.png", "the file is empty"));
    assert_eq!(findings.len(), 6);
    for json in [
        include_str!("../../../../../../ui/src/locales/pt-BR/findings.json"),
        include_str!("../../../../../../ui/src/locales/es/findings.json"),
    ] {
        let sentences: Value = serde_json::from_str(json).unwrap();
        for finding in &findings {
            let (group, name) = finding.code.split_once('.').unwrap();
            let sentence = sentences["rules"][group][name].as_str().unwrap_or_default();
            for value in finding.values.keys() {
                assert!(sentence.contains(&format!("{{{{{value}}}}}")), "{}: {sentence:?}", finding.code);
            }
        }
    }
}

#[test]
fn fixed_fields_are_reported() {
    let old = template("4::h", &[]);
    let mut new = old.clone();
    assert_eq!(edit_findings(&old, &new, &record("APPROVED", false)), []);
    new.name = "other".to_owned();
    new.message_send_ttl_seconds = Some(60);
    new.extra.insert("a/b".to_owned(), json!(1));
    new.category = "utility".into();
    let findings = |status: &str| {
        let findings = edit_findings(&old, &new, &record(status, false));
        findings.into_iter().map(|finding| (finding.path.clone(), finding.needs_override())).collect::<Vec<_>>()
    };
    let warned = ["/name", "/message_send_ttl_seconds", "/a~1b"].map(|path| (path.to_owned(), false));
    assert_eq!(findings("REJECTED"), warned);
    assert_eq!(findings("APPROVED")[3], ("/category".to_owned(), true));
}

#[test]
fn states_that_reject_edits_need_an_override() {
    for (status, archived, expected) in [
        ("APPROVED", false, None),
        ("REJECTED", false, None),
        ("PAUSED", false, None),
        ("PENDING", false, Some("edit.status")),
        ("DISABLED", false, Some("edit.status")),
        ("APPROVED", true, Some("edit.archived")),
        ("PENDING", true, Some("edit.archived")),
        // Unknown status: no finding.
        ("RESTING", false, None),
        ("", false, None),
    ] {
        let findings = state_findings(&record(status, archived));
        assert_eq!(findings.first().map(|finding| finding.code), expected, "{status} {archived}");
        assert!(findings.iter().all(Finding::needs_override));
    }
}

#[test]
fn removed_fields_are_cleared() {
    let old = Template {
        sub_category: Some("promo".to_owned()),
        parameter_format: Some("NAMED".into()),
        pix_data: Some(json!({"key": 1})),
        order_data: Some(json!("{}")),
        ..template("4::h", &[])
    };
    let new = template("4::h", &[]);
    let edit = serde_json::to_string(&edit_of(&old, &new)).unwrap();
    assert_eq!(edit, r#"{"sub_category":null,"parameter_format":null,"pix_data":null,"order_data":null}"#);
    let parts = provider_client::form::edit::<()>(&edit_of(&old, &new), TemplateFiles::default());
    let parts: Vec<_> = parts.into_iter().map(|part| (part.name, part.content)).collect();
    let text = |name: &str, text: &str| (name.to_owned(), provider_client::form::Content::Text(text.to_owned()));
    let expected =
        [text("sub_category", ""), text("parameter_format", ""), text("pix_data", "null"), text("order_data", "null")];
    assert_eq!(parts, expected);
    let findings = edit_findings(&old, &new, &record("APPROVED", false));
    assert_eq!(findings.len(), 4);
    assert!(findings.iter().all(|finding| finding.code == "edit.field_cleared" && !finding.needs_override()));
}
