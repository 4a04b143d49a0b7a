//! Checks before a send.

use command_types::batch::{BatchPlanRequest, BatchSource, ValueSource};
use command_types::send::{MediaState, NumberKind, SendOptions, SendRequest};
use command_types::template::{TemplateId, TemplateQuery, TemplateSort};
use command_types::workspace::SendingNumber;
use serde_json::{Value, json};

use super::{Desk, NUMBER, RECIPIENT, hello, list, stopped_at};
use crate::webhooks::Recorder;

const PNG: &str = "200 OK\r\ncontent-type: image/png\r\ncontent-length: ";

fn picture(category: &str) -> Value {
    json!({"name": "picture", "category": category, "components": [
        {"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Look at this."}]})
}

fn two_pictures() -> Value {
    let card = json!({"components": [{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "One"},
        {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}]}]});
    json!({"name": "two", "category": "marketing", "components": [{"type": "BODY", "text": "Look at these."},
        {"type": "CAROUSEL", "cards": [card, card]}]})
}

fn film() -> Value {
    json!({"name": "film", "components": [{"type": "HEADER", "format": "VIDEO"}, {"type": "BODY", "text": "Look."}]})
}

fn overriding(request: SendRequest, codes: &[&str]) -> SendRequest {
    let overrides = codes.iter().map(|code| (*code).to_owned()).collect();
    SendRequest { options: SendOptions { overrides, ..request.options }, ..request }
}

#[tokio::test]
async fn oversized_media_is_refused_and_doubtful_media_needs_an_override() {
    let desk = Desk::start(&[picture("utility"), film(), two_pictures()]).await;
    let files = Recorder::start().await;
    for (path, head) in [
        ("/large", format!("{PNG}5242881")),
        ("/fits", format!("{PNG}5242880")),
        ("/page", "200 OK\r\ncontent-type: text/html\r\ncontent-length: 10".to_owned()),
        ("/film", "200 OK\r\ncontent-type: video/mp4\r\ncontent-length: 16777217".to_owned()),
        ("/gone", "404 Not Found\r\ncontent-length: 0".to_owned()),
    ] {
        files.answer_to(&format!("HEAD {path}"), &head, b"");
        files.answer_to(&format!("GET {path}"), &head, b"");
    }
    let link = |path: &str| format!("{}{path}", files.origin());
    for (reference, path, code, state) in [
        ("t1", "/large", Some(("media.tooLarge", true)), MediaState::TooLarge),
        ("t1", "/fits", None, MediaState::Ok),
        ("t1", "/page", Some(("media.wrongType", false)), MediaState::WrongType),
        ("t1", "/film", Some(("media.tooLarge", true)), MediaState::TooLarge),
        ("t2", "/film", Some(("media.tooLarge", false)), MediaState::TooLarge),
        ("t2", "/fits", Some(("media.wrongType", false)), MediaState::WrongType),
        ("t1", "/gone", Some(("media.status", false)), MediaState::Unreachable),
    ] {
        let request = desk.request(reference, &[("header.link", &link(path))]);
        let found = desk.core().messaging.preflight_send(request.clone()).await.unwrap();
        assert_eq!(found.media[0].state, state, "{reference} {path}");
        let problems: Vec<_> =
            found.problems.iter().map(|problem| (problem.code.as_str(), problem.is_error())).collect();
        assert_eq!(problems, code.into_iter().collect::<Vec<_>>(), "{reference} {path}");
        let Some((code, is_error)) = code else { continue };
        assert_eq!(
            stopped_at(&desk.core().messaging.send_template(request.clone()).await.unwrap_err()),
            ("header.link", code)
        );
        // A person can override a warning, but not a violation of the contract.
        let sent = desk.core().messaging.send_template(overriding(request, &[code])).await;
        assert_eq!(sent.is_err(), is_error, "{reference} {path}");
    }
    assert_eq!(desk.sent().len(), 4);
    let problem =
        desk.core().messaging.preflight_send(desk.request("t1", &[("header.link", &link("/large"))])).await.unwrap();
    assert_eq!(problem.problems[0].values["bytes"], "5242881");
    assert_eq!(problem.problems[0].values["limit"], "5242880");

    // One URL in two cards is checked once, and a recent check is reused.
    let looks = |path: &str| {
        let line = format!("HEAD {path} ");
        files.requests().iter().filter(|request| request.head[0].starts_with(&line)).count()
    };
    files.answer_to("HEAD /both", &format!("{PNG}100"), b"");
    let both = link("/both");
    let request = desk.request("t3", &[("card.0.header.link", &both), ("card.1.header.link", &both)]);
    let found = desk.core().messaging.preflight_send(request.clone()).await.unwrap();
    let parts: Vec<_> = found.media.iter().map(|check| (check.part.as_str(), check.bytes)).collect();
    assert_eq!(parts, [("card.0.header.link", Some(100)), ("card.1.header.link", Some(100))]);
    desk.core().messaging.send_template(request).await.unwrap();
    assert_eq!(looks("/both"), 1);
    assert_eq!(looks("/large"), 1);
    desk.harness.close().await;
}

#[tokio::test]
async fn links_to_private_addresses_are_not_fetched() {
    let desk = Desk::start(&[picture("utility")]).await;
    let files = Recorder::start().await;
    let with_password = format!("{}/a.png", files.origin()).replace("http://", "http://user:word@");
    for (link, code) in [
        ("file:///etc/passwd", "value.link"),
        ("ftp://127.0.0.1/a.png", "value.link"),
        (&with_password, "media.unreachable"),
        ("http://127.0.0.1:9/a.png", "media.unreachable"),
    ] {
        let found = desk.core().messaging.preflight_send(desk.request("t1", &[("header.link", link)])).await.unwrap();
        assert!(found.problems.iter().any(|problem| problem.code.as_str() == code), "{link}: {:?}", found.problems);
        assert_eq!(found.media[0].state, MediaState::Unreachable, "{link}");
    }
    assert!(files.requests().is_empty());
    // The identifier of an upload is not a link.
    let found =
        desk.core().messaging.preflight_send(desk.request("t1", &[("header.link", "1234567890")])).await.unwrap();
    assert_eq!((found.media.len(), found.problems.len()), (0, 0));
    desk.harness.close().await;
}

#[tokio::test]
async fn an_unsendable_template_stops_the_send() {
    let desk = Desk::start(&[hello()]).await;
    let request = || desk.request("t1", &[("body.1", "Ana")]);
    let found = desk.core().messaging.preflight_send(request()).await.unwrap();
    assert_eq!((found.template.status.as_str(), found.template.archived), ("APPROVED", false));
    assert!(found.template.cached_at.unwrap() <= found.checked_at);
    let facts = found.recipient;
    assert_eq!(facts.digits.as_deref(), Some(RECIPIENT));
    assert_eq!((facts.country.as_deref(), facts.kind), (Some("BR"), Some(NumberKind::Mobile)));
    for (field, value, code) in [
        ("status", json!("PENDING"), "template.status"),
        ("status", json!("DISABLED"), "template.status"),
        ("archived", json!(true), "template.archived"),
    ] {
        let mut template = hello();
        template[field] = value;
        list(&desk.provider, &[template]);
        desk.refresh().await;
        let refused = desk.core().messaging.send_template(overriding(request(), &[code])).await.unwrap_err();
        assert_eq!(stopped_at(&refused), ("template", code));
        let id = TemplateId { workspace: desk.workspace(), reference: "t1".to_owned() };
        let form = desk.core().messaging.get_send_form(id).await.unwrap();
        assert_eq!(form.blocked.map(|problem| problem.code.as_str()), Some(code));
        assert_eq!(form.archived, field == "archived");
    }
    assert!(desk.sent().is_empty());
    desk.harness.close().await;
}

#[tokio::test]
async fn a_template_is_sent_only_from_numbers_that_may_have_it() {
    let of_wabas = |name: &str, wabas: Value| {
        let mut template = hello();
        (template["name"], template["waba_ids"]) = (json!(name), wabas);
        template
    };
    let templates =
        [of_wabas("retail", json!([398])), of_wabas("shoes", json!([400])), hello(), of_wabas("closed", json!([401]))];
    let mut desk = Desk::start(&templates).await;
    let number = |id: &str, label: &str, waba: &str| SendingNumber {
        id: id.to_owned(),
        label: label.to_owned(),
        waba_id: waba.to_owned(),
        ..SendingNumber::default()
    };
    let (retail, shoes) = (number("1", "Retail", "398"), number("2", "Shoes", "400"));
    desk.set_numbers(vec![retail.clone(), shoes.clone(), number("3", "", "")]).await;
    let form = async |reference: &str| {
        let id = TemplateId { workspace: desk.workspace(), reference: reference.to_owned() };
        let form = desk.core().messaging.get_send_form(id).await.unwrap();
        let refused: Vec<_> = form.numbers.iter().filter(|number| number.problem.is_some()).collect();
        let refused = refused.into_iter().map(|number| number.id.clone()).collect::<Vec<_>>().join(" ");
        (form.number, refused, form.blocked.map(|problem| problem.message))
    };
    let of = |number: &str, refused: &str| (number.to_owned(), refused.to_owned(), None);
    assert_eq!(form("t1").await, of("1", "2"));
    assert_eq!(form("t2").await, of("2", "1"));
    assert_eq!(form("t3").await, of("1", ""), "not said is not no");
    assert_eq!(form("t4").await, of("3", "1 2"), "a number of an unknown WABA may have it");

    let query = |number: &str| TemplateQuery {
        workspace: desk.workspace(),
        sendable_from: Some(number.to_owned()),
        sort: TemplateSort::Name,
        limit: 10,
        ..TemplateQuery::default()
    };
    for (number, expected) in [("1", "hello retail"), ("2", "hello shoes"), ("3", "closed hello retail shoes")] {
        let page = desk.core().templates.list_templates(query(number)).await.unwrap();
        let names: Vec<_> = page.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names.join(" "), expected, "{number}");
    }

    let request = SendRequest { number: " 1 ".to_owned(), ..desk.request("t2", &[("body.1", "Ana")]) };
    let refused = desk.core().messaging.send_template(request.clone()).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("number", "number.account"));
    let said = "Retail cannot send this template: it exists only in Shoes BR. Choose another number.";
    let preview = desk.core().messaging.preview_send(request.clone()).await.unwrap();
    assert_eq!(preview.problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>(), [said]);
    let path = desk.harness.folder.path().join("people.csv");
    std::fs::write(&path, "numero,nome\n+5511987654321,Ana\n").unwrap();
    let file = desk.core().messaging.read_csv(&path).await.unwrap();
    let column = ValueSource::Column { column: "nome".to_owned(), fallback: None, transform: None };
    let mut batch = BatchPlanRequest {
        workspace: desk.workspace(),
        reference: "t2".to_owned(),
        number: "1".to_owned(),
        options: SendOptions::default(),
        country: None,
        source: BatchSource::Csv {
            file: file.id,
            to: "numero".to_owned(),
            name: None,
            values: [("body.1".to_owned(), column)].into(),
        },
    };
    let plan = desk.core().messaging.plan_batch(batch.clone()).await.unwrap();
    let problems: Vec<_> = plan.problems.iter().map(|of| (of.row, of.problem.code.as_str())).collect();
    assert_eq!((plan.good, problems), (0, vec![(0, "number.account")]));
    batch.options.overrides = vec!["number.account".to_owned()];
    assert_eq!(desk.core().messaging.plan_batch(batch).await.unwrap().good, 1);
    // The settings may be wrong: a person can override it.
    desk.core().messaging.send_template(overriding(request, &["number.account"])).await.unwrap();
    assert_eq!(desk.sent().len(), 1);

    desk.set_numbers(vec![retail, shoes]).await;
    let said = "Only numbers of 401 can send this template, and this workspace has none. Add one in the settings.";
    let id = TemplateId { workspace: desk.workspace(), reference: "t4".to_owned() };
    let blocked = desk.core().messaging.get_send_form(id).await.unwrap();
    assert_eq!((blocked.number.as_str(), blocked.blocked.unwrap().message.as_str()), ("1", said));

    // A status may differ between the WABAs of a template.
    list(&desk.provider, &[of_wabas("both", json!([398, 400]))]);
    desk.refresh().await;
    let paused = json!({"entry": [{"id": "400", "changes": [{"field": "message_template_status_update", "value": {
        "event": "PAUSED", "message_template_name": "both", "message_template_language": "pt_BR"}}]}]});
    desk.deliver(&paused.to_string()).await;
    // The list for a number goes by the status in its WABA, that without a number by the status in any of them.
    let approved = |number: Option<&str>| TemplateQuery {
        workspace: desk.workspace(),
        sendable_from: number.map(str::to_owned),
        statuses: vec!["APPROVED".to_owned()],
        limit: 10,
        ..TemplateQuery::default()
    };
    for (number, expected) in [(Some("1"), true), (Some("2"), false), (None, true)] {
        let page = desk.core().templates.list_templates(approved(number)).await.unwrap();
        assert_eq!(page.rows.iter().any(|row| row.name == "both"), expected, "{number:?}");
    }
    let request = SendRequest { number: "2".to_owned(), ..desk.request("t1", &[("body.1", "Ana")]) };
    let refused = desk.core().messaging.send_template(request).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("number", "number.accountStatus"));
    let request = SendRequest { number: "1".to_owned(), ..desk.request("t1", &[("body.1", "Ana")]) };
    desk.core().messaging.send_template(request).await.unwrap();
    desk.harness.close().await;
}

#[tokio::test]
async fn invalid_recipients_are_refused() {
    let desk = Desk::start(&[hello(), picture("marketing")]).await;
    let number = |id: &str| SendingNumber { id: id.to_owned(), label: "Main".to_owned(), ..SendingNumber::default() };
    desk.set_numbers(vec![number(NUMBER), number(RECIPIENT)]).await;
    let to = |to: &str, number: &str| SendRequest {
        to: to.to_owned(),
        number: number.to_owned(),
        ..desk.request("t1", &[("body.1", "Ana")])
    };
    for (request, code, can_be_overridden) in [
        (to("", NUMBER), "to.missing", false),
        (to("11 98765", NUMBER), "to.invalid", false),
        (to("+55 11 3071 0000", NUMBER), "to.kind", true),
        (to("5511987654321", "5511987654321"), "to.own", false),
        (
            SendRequest { to: "+1 650 253 0000".to_owned(), ..desk.request("t2", &[("header.link", "11")]) },
            "to.country",
            true,
        ),
        (SendRequest { number: String::new(), ..to(RECIPIENT, NUMBER) }, "number.missing", false),
    ] {
        let refused = desk.core().messaging.send_template(request.clone()).await.unwrap_err();
        assert_eq!(stopped_at(&refused).1, code);
        let sent = desk.core().messaging.send_template(overriding(request, &[code])).await;
        assert_eq!(sent.is_ok(), can_be_overridden, "{code}: {sent:?}");
    }
    desk.harness.close().await;
}

/// Our identifier makes the callback data longer: the preview has the length of the final data.
#[tokio::test]
async fn callback_data_is_measured_as_sent() {
    let desk = Desk::start(&[hello()]).await;
    let around = r#"{"a":"","td":"0123456789abcdef"}"#.len();
    for (length, too_long, name) in [(512, false, "Ana"), (513, true, "Rui")] {
        let own = format!(r#"{{"a":"{}"}}"#, "x".repeat(length - around));
        let mut request = desk.request("t1", &[("body.1", name)]);
        request.options.callback_data = own;
        let expected: &[&str] = if too_long { &["callback.tooLong"] } else { &[] };
        let preview = desk.core().messaging.preview_send(request.clone()).await.unwrap();
        assert_eq!(preview.callback.map(|data| data.len()), Some(length));
        let preflight = desk.core().messaging.preflight_send(request.clone()).await.unwrap();
        for problems in [preview.problems, preflight.problems] {
            let codes: Vec<_> = problems.iter().map(|problem| problem.code.as_str()).collect();
            assert_eq!(codes, expected, "{length}");
        }
        desk.core().messaging.send_template(overriding(request, expected)).await.unwrap();
        let sent = desk.sent().pop().unwrap();
        assert_eq!(sent["biz_opaque_callback_data"].as_str().map(str::len), Some(length));
    }
}
