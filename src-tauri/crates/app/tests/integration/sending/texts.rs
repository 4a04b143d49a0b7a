//! Free texts and the reply window.

use command_types::Nothing;
use command_types::conversations::{ContactQuery, FoundMessageQuery, ListedPeople};
use command_types::send::{SendId, SendKind, SendOptions, SendRequest, SendText, WindowQuery};
use command_types::unfinished_forms::SaveUnfinishedForm;
use command_types::workspace::SendingNumber;
use serde_json::json;

use super::{Desk, NUMBER, RECIPIENT, hello, stopped_at};
use crate::webhooks::{envelope, status};

const HOUR: i64 = 3_600_000;

fn text(desk: &Desk, text: &str) -> SendText {
    SendText {
        workspace: desk.workspace(),
        number: NUMBER.to_owned(),
        to: "+55 (11) 98765-4321".to_owned(),
        text: text.to_owned(),
        options: SendOptions { track: true, ..SendOptions::default() },
        ..SendText::default()
    }
}

/// A message of the recipient, received this many milliseconds ago.
async fn wrote(desk: &mut Desk, from: &str, id: &str, ago: i64) -> i64 {
    let at = (chrono::Utc::now().timestamp_millis() - ago) / 1_000;
    let body = envelope(json!({"contacts": [{"profile": {"name": "Ana"}, "wa_id": from}],
        "messages": [{"from": from, "id": id, "timestamp": at.to_string(), "type": "text", "text": {"body": "Oi"}}]}));
    desk.deliver(&body).await;
    at * 1_000
}

#[tokio::test]
async fn each_number_has_its_own_window() {
    let mut desk = Desk::start(&[hello()]).await;
    // Messages arrive for the number `n1`.
    let number = |id: &str| SendingNumber { id: id.to_owned(), label: id.to_owned(), ..SendingNumber::default() };
    desk.set_numbers(vec![number("n1"), number(NUMBER)]).await;
    let at = wrote(&mut desk, RECIPIENT, "wamid.in.1", HOUR).await;
    for (number, expected) in [(Some("n1"), Some(at)), (Some(NUMBER), None), (None, Some(at)), (Some("?"), Some(at))] {
        let (workspace, to) = (desk.workspace(), format!("+{RECIPIENT}"));
        let query = WindowQuery { workspace, to, country: None, number: number.map(str::to_owned) };
        let window = desk.core().messaging.get_service_window(query).await.unwrap();
        assert_eq!(window.last_inbound_at, expected, "{number:?}");
    }
    let page = desk.conversation(None).await;
    assert_eq!((page.number.as_deref(), page.window.last_inbound_at), (Some("n1"), Some(at)));
    // With the messages of a number that nobody entered, it is not known whose window they open.
    desk.set_numbers(vec![number("n2"), number(NUMBER)]).await;
    let (workspace, to) = (desk.workspace(), format!("+{RECIPIENT}"));
    let query = WindowQuery { workspace, to, country: None, number: Some(NUMBER.to_owned()) };
    assert_eq!(desk.core().messaging.get_service_window(query).await.unwrap().last_inbound_at, Some(at));
    desk.harness.close().await;
}

/// By the clock of a phone or a provider that is ahead. A later message must not be hidden by it.
#[tokio::test]
async fn a_message_from_the_future_opens_the_window_for_a_day() {
    let mut desk = Desk::start(&[hello()]).await;
    let before = chrono::Utc::now().timestamp_millis();
    wrote(&mut desk, RECIPIENT, "wamid.in.1", -48 * HOUR).await;
    let window = async |desk: &Desk| {
        let (workspace, to) = (desk.workspace(), format!("+{RECIPIENT}"));
        let query = WindowQuery { workspace, to, country: None, number: None };
        desk.core().messaging.get_service_window(query).await.unwrap().open_until.unwrap()
    };
    let first = window(&desk).await;
    assert!((before + 24 * HOUR..=chrono::Utc::now().timestamp_millis() + 24 * HOUR).contains(&first), "{first}");
    let at = wrote(&mut desk, RECIPIENT, "wamid.in.2", -HOUR / 60).await;
    assert_eq!(window(&desk).await, at + 24 * HOUR, "a minute is no other clock");
    desk.harness.close().await;
}

#[tokio::test]
async fn a_text_is_sent_within_the_service_window() {
    let mut desk = Desk::start(&[hello()]).await;
    let window = async |desk: &Desk| {
        let query = WindowQuery {
            workspace: desk.workspace(),
            to: "+55 11 98765-4321".to_owned(),
            country: None,
            number: None,
        };
        desk.core().messaging.get_service_window(query).await.unwrap()
    };
    // Nothing was received here, but the contact may have written elsewhere.
    assert_eq!(window(&desk).await.last_inbound_at, None);
    assert_eq!(desk.core().messaging.preview_text(text(&desk, "Oi")).await.unwrap().problems, []);

    // The channel's number lacks the ninth digit.
    let at = wrote(&mut desk, "551187654321", "wamid.in.1", 25 * HOUR).await;
    let closed = window(&desk).await;
    assert_eq!((closed.last_inbound_at, closed.open_until), (Some(at), Some(at + 24 * HOUR)));
    let refused = desk.core().messaging.send_text(text(&desk, "Oi")).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("text", "text.windowClosed"));
    assert!(desk.sent().is_empty());
    let problems = desk.core().messaging.preview_text(text(&desk, "Oi")).await.unwrap().problems;
    assert_eq!(problems[0].error_code, Some(131_047));
    let mut overridden = text(&desk, "Oi, *Ana*");
    overridden.options.overrides = vec!["text.windowClosed".to_owned()];
    let row = desk.core().messaging.send_text(overridden).await.unwrap();
    assert_eq!((row.kind, row.text.as_deref(), row.state.as_str()), (SendKind::Text, Some("Oi, *Ana*"), "accepted"));

    let at = wrote(&mut desk, RECIPIENT, "wamid.in.2", HOUR).await;
    assert_eq!(window(&desk).await.last_inbound_at, Some(at));
    // Whose number it is while its country is not known, nobody can say.
    let to = RECIPIENT.to_owned();
    let asked = WindowQuery { workspace: desk.workspace(), to, country: Some("unknown".to_owned()), number: None };
    assert_eq!(desk.core().messaging.get_service_window(asked).await.unwrap().last_inbound_at, None);
    let row = desk.core().messaging.send_text(text(&desk, "Oi")).await.unwrap();
    assert_eq!(row.recipient_name.as_deref(), Some("Ana"));
    let sent = desk.sent();
    assert_eq!(sent.len(), 2);
    assert_eq!((&sent[1]["type"], &sent[1]["text"]), (&json!("text"), &json!({"body": "Oi"})));
    assert!(sent[1]["biz_opaque_callback_data"].as_str().unwrap().contains("\"td\""));

    // Repeating it requires the same confirmations.
    let detail = desk.detail(&row).await;
    assert_eq!(detail.again, None);
    assert_eq!(detail.again_text, Some(text(&desk, "Oi")));
    desk.harness.close().await;
}

#[tokio::test]
async fn empty_and_oversized_texts_are_refused() {
    let desk = Desk::start(&[hello()]).await;
    for (words, stopped) in [
        (String::new(), Some("text.missing")),
        (" \n\t".to_owned(), Some("text.missing")),
        ("é".repeat(4_096), None),
        ("é".repeat(4_097), Some("text.tooLong")),
        ("Oi, {{1}}!".to_owned(), Some("text.variable")),
        ("Chave {{chave".to_owned(), Some("text.braces")),
    ] {
        let mut request = text(&desk, &words);
        request.options.overrides = vec!["text.tooLong".to_owned()];
        let sent = desk.core().messaging.send_text(request).await;
        assert_eq!(sent.as_ref().err().map(stopped_at), stopped.map(|code| ("text", code)));
    }
    let no_object = SendOptions { callback_data: "7".to_owned(), track: true, ..SendOptions::default() };
    for (change, field, code) in [
        (SendText { number: " ".to_owned(), ..text(&desk, "Oi") }, "number", "number.missing"),
        (SendText { to: String::new(), ..text(&desk, "Oi") }, "to", "to.missing"),
        (SendText { to: "12".to_owned(), ..text(&desk, "Oi") }, "to", "to.invalid"),
        (SendText { options: no_object, ..text(&desk, "Oi") }, "callbackData", "callback.notObject"),
    ] {
        let refused = desk.core().messaging.send_text(change).await.unwrap_err();
        assert_eq!(stopped_at(&refused), (field, code));
    }
    assert_eq!(desk.sent().len(), 1);
    let shown = desk.core().messaging.preview_text(text(&desk, "*Oi* {{1}}")).await.unwrap().bubble;
    assert!(format!("{:?}", shown.body).contains("bold: true"));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_lost_answer_is_unknown_in_the_conversation_until_a_status_reports_the_outcome() {
    let mut desk = Desk::start(&[hello()]).await;
    wrote(&mut desk, RECIPIENT, "wamid.in.1", HOUR).await;
    desk.provider.answer_to("POST ", "500 Internal Server Error\r\ncontent-length: 0", b"");
    let row = desk.core().messaging.send_text(text(&desk, "Oi")).await.unwrap();
    let shown = async |desk: &Desk| {
        let page = desk.conversation(None).await;
        let ours = page.messages.into_iter().find(|message| message.outgoing).unwrap();
        (ours.state.unwrap().as_str().to_owned(), ours.error.is_some())
    };
    assert_eq!(shown(&desk).await, ("unknown".to_owned(), true));
    let callback = desk.sent()[0]["biz_opaque_callback_data"].clone();
    let mut read = status("wamid.1", "read", RECIPIENT, 1_790_000_000);
    read["biz_opaque_callback_data"] = callback;
    desk.deliver(&envelope(json!({"statuses": [read]}))).await;
    assert_eq!(shown(&desk).await, ("read".to_owned(), false));
    assert!(desk.detail(&row).await.error.is_none());
}

#[tokio::test]
async fn a_window_that_the_channel_says_is_closed_is_not_promised_until_the_contact_writes_again() {
    let mut desk = Desk::start(&[hello()]).await;
    // Messages arrive for the number `n1`.
    desk.set_numbers(vec![SendingNumber { id: "n1".to_owned(), ..SendingNumber::default() }]).await;
    let reply = |desk: &Desk| SendText { number: "n1".to_owned(), ..text(desk, "Oi") };
    let windows = async |desk: &Desk| {
        let (workspace, to) = (desk.workspace(), format!("+{RECIPIENT}"));
        let query = WindowQuery { workspace, to, country: None, number: Some("n1".to_owned()) };
        let asked = desk.core().messaging.get_service_window(query).await.unwrap();
        let shown = desk.conversation(None).await.window;
        let now = chrono::Utc::now().timestamp_millis();
        (asked.is_closed(now), shown.is_closed(now))
    };
    wrote(&mut desk, RECIPIENT, "wamid.in.1", HOUR).await;
    desk.core().messaging.send_text(reply(&desk)).await.unwrap();
    assert_eq!(windows(&desk).await, (false, false));
    let failed_at = chrono::Utc::now().timestamp().unsigned_abs() - 60;
    let mut failed = status("wamid.1", "failed", RECIPIENT, failed_at);
    failed["biz_opaque_callback_data"] = desk.sent()[0]["biz_opaque_callback_data"].clone();
    failed["errors"] = json!([{"code": 131_047, "title": "Re-engagement message"}]);
    desk.deliver(&envelope(json!({"statuses": [failed]}))).await;
    assert_eq!(windows(&desk).await, (true, true));
    let refused = desk.core().messaging.send_text(reply(&desk)).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("text", "text.windowClosed"));

    wrote(&mut desk, RECIPIENT, "wamid.in.2", 10_000).await;
    assert_eq!(windows(&desk).await, (false, false));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_landline_that_wrote_is_on_the_channel() {
    let mut desk = Desk::start(&[hello()]).await;
    let landline = |desk: &Desk| SendText { to: "+551133334444".to_owned(), ..text(desk, "Claro!") };
    let refused = desk.core().messaging.send_text(landline(&desk)).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("to", "to.kind"));
    wrote(&mut desk, "551133334444", "wamid.in.1", HOUR).await;
    assert!(desk.core().messaging.preview_text(landline(&desk)).await.unwrap().problems.is_empty());
    desk.core().messaging.send_text(landline(&desk)).await.unwrap();
    let mut template = desk.request("t1", &[("body.1", "Zé")]);
    template.to = "+551133334444".to_owned();
    desk.core().messaging.send_template(template).await.unwrap();
    desk.harness.close().await;
}

#[tokio::test]
async fn people_are_unanswered_until_a_reply_leaves_that_does_not_fail() {
    let mut desk = Desk::start(&[hello()]).await;
    let unanswered = async |desk: &Desk, search: Option<&str>, unread: Option<bool>| {
        let query = ContactQuery {
            workspace: desk.workspace(),
            search: search.map(str::to_owned),
            unread,
            people: ListedPeople::Unanswered,
            limit: 10,
            ..ContactQuery::default()
        };
        let rows = desk.core().conversations.list_contacts(query).await.unwrap().rows;
        rows.into_iter().map(|row| row.contact).collect::<Vec<_>>()
    };
    wrote(&mut desk, RECIPIENT, "wamid.in.1", HOUR).await;
    for (search, unread) in [(None, None), (Some("Ana"), None), (None, Some(true))] {
        assert_eq!(unanswered(&desk, search, unread).await, [RECIPIENT], "{search:?} {unread:?}");
    }
    desk.core().messaging.send_text(text(&desk, "We are open.")).await.unwrap();
    for (search, unread) in [(None, None), (Some("Ana"), None), (None, Some(true))] {
        assert!(unanswered(&desk, search, unread).await.is_empty(), "{search:?} {unread:?}");
    }
    let mut failed = status("wamid.1", "failed", RECIPIENT, chrono::Utc::now().timestamp().unsigned_abs());
    failed["biz_opaque_callback_data"] = desk.sent()[0]["biz_opaque_callback_data"].clone();
    desk.deliver(&envelope(json!({"statuses": [failed]}))).await;
    assert_eq!(unanswered(&desk, None, None).await, [RECIPIENT], "the reply failed");
    for (answers, waiting) in [(Some(false), true), (Some(true), false)] {
        let request = SendRequest { answers, ..desk.request("t1", &[("body.1", "Ana")]) };
        desk.core().messaging.send_template(request).await.unwrap();
        assert_eq!(
            !unanswered(&desk, None, None).await.is_empty(),
            waiting,
            "a template, from the conversation: {answers:?}"
        );
    }
    desk.harness.close().await;
}

/// An answer from another brand leaves the question of this one open, in the list of one number as in that of all.
#[tokio::test]
async fn a_number_of_ours_that_was_asked_is_not_answered_from_another() {
    let mut desk = Desk::start(&[hello()]).await;
    let number = |id: &str| SendingNumber { id: id.to_owned(), label: id.to_owned(), ..SendingNumber::default() };
    desk.set_numbers(vec![number("n1"), number(NUMBER)]).await;
    wrote(&mut desk, RECIPIENT, "wamid.in.1", HOUR).await;
    let unanswered = async |desk: &Desk, number: Option<&str>| {
        let query = ContactQuery {
            workspace: desk.workspace(),
            number: number.map(str::to_owned),
            people: ListedPeople::Unanswered,
            limit: 10,
            ..ContactQuery::default()
        };
        desk.core().conversations.list_contacts(query).await.unwrap().rows.len()
    };
    let other = SendText { options: overriding_window(), ..text(&desk, "About your older order…") };
    desk.core().messaging.send_text(other).await.unwrap();
    assert_eq!((unanswered(&desk, Some("n1")).await, unanswered(&desk, None).await), (1, 1));
    desk.core().messaging.send_text(SendText { number: "n1".to_owned(), ..text(&desk, "Oi!") }).await.unwrap();
    assert_eq!((unanswered(&desk, Some("n1")).await, unanswered(&desk, None).await), (0, 0));
    desk.harness.close().await;
}

fn overriding_window() -> SendOptions {
    SendOptions { track: true, overrides: vec!["text.windowClosed".to_owned()], ..SendOptions::default() }
}

/// After a crash, what has left is not in the field again.
#[tokio::test]
async fn the_form_of_a_text_is_dropped_with_its_record_and_kept_if_it_does_not_leave() {
    let mut desk = Desk::start(&[hello()]).await;
    let form = SaveUnfinishedForm {
        workspace: desk.workspace(),
        form: "reply x".to_owned(),
        content: Some(r#"{"format":2,"content":{"text":"We are open. ","number":"1"}}"#.to_owned()),
    };
    desk.core().workspaces.save_unfinished_form(form).await.unwrap();
    let kept = async |desk: &Desk| desk.core().workspaces.list_unfinished_forms(Nothing {}).await.unwrap().len();
    let text = SendText { form: Some("reply x".to_owned()), ..text(&desk, "We are open.") };
    let landline = SendText { to: "+551133334444".to_owned(), ..text.clone() };
    assert!(desk.core().messaging.send_text(landline).await.is_err(), "it stops at the check");
    assert_eq!(kept(&desk).await, 1);
    wrote(&mut desk, RECIPIENT, "wamid.in.1", HOUR).await;
    let sent = desk.core().messaging.send_text(text).await.unwrap();
    assert_eq!(kept(&desk).await, 0);
    let stored = desk.core().messaging.get_send(SendId { send: sent.id }).await.unwrap();
    assert_eq!(stored.again_text.unwrap().form, None, "the record does not have it");
    desk.harness.close().await;
}

#[tokio::test]
async fn messages_are_found_by_what_was_written_in_them() {
    let mut desk = Desk::start(&[hello()]).await;
    let request = desk.request("t1", &[("body.1", "pedido 861600")]);
    let template = desk.core().messaging.send_template(request).await.unwrap();
    wrote(&mut desk, RECIPIENT, "wamid.in.1", HOUR).await;
    let code = desk.core().messaging.send_text(text(&desk, "Seu código:\n\"AÇAÍ-7\"")).await.unwrap();
    let find = async |search: &str, after: Option<String>| {
        let (workspace, search) = (desk.workspace(), search.to_owned());
        let query = FoundMessageQuery { workspace, search, after, limit: 1 };
        desk.core().conversations.find_sent_messages(query).await.unwrap()
    };
    for (search, send, words) in [
        ("861600", &template.id, "pedido 861600"),
        ("Pedido 8616", &template.id, "pedido 861600"),
        ("TUDO bem", &template.id, "tudo bem"),
        ("bem 861600", &template.id, "pedido 861600"),
        ("hoje?", &template.id, "hoje?"),
        ("codigo acai", &code.id, "Seu código: \"AÇAÍ-7\""),
        ("\"açaí-7\"", &code.id, "Seu código: \"AÇAÍ-7\""),
    ] {
        let page = find(search, None).await;
        let [found] = page.rows.as_slice() else { panic!("{search}: {page:?}") };
        assert_eq!((&found.send, found.contact.as_str(), found.name.as_str()), (send, RECIPIENT, "Ana"), "{search}");
        assert!(found.excerpt.contains(words), "{search}: {}", found.excerpt);
        assert_eq!(page.next, None, "{search}");
        assert!(desk.conversation(None).await.messages.iter().any(|message| message.send.as_ref() == Some(send)));
    }
    // Of another message, of the request around it, and too short a word.
    for search in
        ["861601", "pedido codigo", "tudo 861601", "tudo {{1}}", "individual", "parameters", "pt_BR", "86", " ", ""]
    {
        assert_eq!(find(search, None).await.rows, [], "{search}");
    }
    // By page, the newest first.
    let twice = desk.core().messaging.send_text(text(&desk, "O pedido já saiu")).await.unwrap();
    let first = find("pedido", None).await;
    let second = find("pedido", first.next).await;
    let sends: Vec<_> = first.rows.iter().chain(&second.rows).map(|found| &found.send).collect();
    assert_eq!((sends, second.next), (vec![&twice.id, &template.id], None));
    // Whom it was sent to is no hit by name, number or note.
    let query =
        ContactQuery { workspace: desk.workspace(), search: Some("861600".to_owned()), limit: 9, ..Default::default() };
    assert_eq!(desk.core().conversations.list_contacts(query).await.unwrap().rows, []);
}
