//! Findings about parts of an accepted template that an edit leaves as they are.

use super::*;
use crate::lint::mark_untouched;

/// What blocks the edit of `accepted` to `edited`: codes and paths; and the codes that block nothing.
fn blocking(accepted: &Value, edited: &Value) -> (Vec<String>, Vec<&'static str>) {
    let read = |json: &Value| -> Template { serde_json::from_value(json.clone()).unwrap() };
    let (accepted, edited) = (read(accepted), read(edited));
    let mut findings = lint(&edited);
    mark_untouched(&mut findings, &edited, &accepted);
    let blocks = findings.iter().filter(|finding| finding.blocks());
    let blocks = blocks.map(|finding| format!("{} {}", finding.code, finding.path)).collect();
    (blocks, findings.iter().filter(|finding| finding.untouched).map(|finding| finding.code).collect())
}

#[test]
fn untouched_parts_of_an_accepted_template_block_nothing() {
    let header =
        |text: &str| json!({"type": "HEADER", "format": "TEXT", "text": text, "example": {"header_text": ["x"]}});
    let body = |text: &str| json!({"type": "BODY", "text": text, "example": {"body_text": [["Ana"]]}});
    let row = |buttons: Value| json!({"type": "BUTTONS", "buttons": buttons});
    let quick = |text: &str| json!({"type": "QUICK_REPLY", "text": text});
    let url = json!({"type": "URL", "text": "Go", "url": "https://a.example"});
    let footer = json!({"type": "FOOTER", "text": "Bye"});
    let fine = body("Hello {{1}}, it is here for you now.");
    let other = body("Hello {{1}}, it is here for you today.");
    for (accepted, edited, blocks, untouched) in [
        // The header is left as it is: its variable at the end, an emoji.
        (
            json!([header("Money back for {{1}}"), fine]),
            json!([header("Money back for {{1}}"), other]),
            &[][..],
            &["variable.at_edge"][..],
        ),
        (json!([header("Sale 🎉"), fine]), json!([header("Sale 🎉"), other]), &[], &["header.emoji"]),
        // The order of the components does not matter.
        (json!([header("Sale 🎉"), fine]), json!([other, header("Sale 🎉")]), &[], &["header.emoji"]),
        (json!([fine]), json!([header("Sale 🎉"), fine]), &["header.emoji /components/0/text"], &[]),
        // A text that is changed has to be right.
        (
            json!([header("Sale 🎉"), fine]),
            json!([header("Big sale 🎉"), fine]),
            &["header.emoji /components/0/text"],
            &[],
        ),
        (
            json!([body("{{1}} is here for you now.")]),
            json!([body("{{1}} is here for you today.")]),
            &["variable.at_edge /components/0/text"],
            &[],
        ),
        // A list is as it was, whatever else changes in it.
        (
            json!([fine, row(json!([quick("Yes"), url, quick("No")]))]),
            json!([fine, row(json!([quick("Yes"), url, quick("Never")]))]),
            &[],
            &["buttons.grouping"],
        ),
        // The same button, one place on.
        (
            json!([fine, row(json!([quick(""), quick("No")]))]),
            json!([other, row(json!([quick("Yes"), quick(""), quick("No")]))]),
            &[],
            &["button.label_required"],
        ),
        // Another one with the same fault is new.
        (
            json!([fine, row(json!([quick(""), quick("No")]))]),
            json!([fine, row(json!([quick(""), quick("")]))]),
            &["button.label_required /components/1/buttons/1/text"],
            &["button.label_required"],
        ),
        (json!([footer]), json!([{"type": "FOOTER", "text": "Good bye"}]), &[], &["body.required"]),
        // Samples belong to every request.
        (
            json!([{"type": "BODY", "text": "Hello {{1}}, it is here for you now."}]),
            json!([{"type": "BODY", "text": "Hello {{1}}, it is here for you now."}, footer]),
            &["body.sample_missing /components/0/example/body_text/0/0"],
            &[],
        ),
    ] {
        let found = blocking(&template(accepted.clone()), &template(edited.clone()));
        assert_eq!(
            found,
            (blocks.iter().map(|it| (*it).to_owned()).collect(), untouched.to_vec()),
            "{accepted} {edited}"
        );
    }
    let recategorized = |text: &str| {
        let category = with(template(json!([body(text)])), "category", json!("utility"));
        with(category, "message_send_ttl_seconds", json!(90_000))
    };
    let edit = (recategorized("Hello {{1}}, it is here now."), recategorized("Hello {{1}}, it is here today."));
    assert_eq!(blocking(&edit.0, &edit.1), (vec![], vec!["ttl.range"]));
}
