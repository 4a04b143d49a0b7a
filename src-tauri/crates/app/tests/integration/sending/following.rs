//! Outcomes of sends.

use bytes::Bytes;
use command_types::Nothing;
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::recipients::SaveRecipient;
use command_types::send::{SendOptions, SendQuery, SendRequest, SendText, StatusEntry};
use command_types::storage::{RetentionKind, RetentionPolicy, RetentionRule};
use command_types::workspace::WorkspaceId;
use serde_json::{Value, json};
use store::delivery_log::NewDelivery;

use super::{Desk, NUMBER, RECIPIENT, WEBHOOK_SECRET, answer_with, hello};
use crate::harness::{Harness, TIMEOUT};
use crate::webhooks::{envelope, status, wait_until};

/// A day in 2023, in seconds.
const THEN: u64 = 1_700_000_000;

fn words(timeline: &[StatusEntry]) -> Vec<(&str, bool, u64)> {
    timeline.iter().map(|entry| (entry.status.as_str(), entry.late == Some(true), entry.deliveries)).collect()
}

#[tokio::test]
async fn a_timeline_contains_every_status_and_survives_retention() {
    let desk = Desk::start(&[hello()]).await;
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    let workspace = desk.workspace();
    let callback = desk.detail(&row).await.callback_data.unwrap();
    let with_callback = |mut status: Value| {
        status["biz_opaque_callback_data"] = json!(callback);
        status
    };
    let mut sent = with_callback(status("wamid.1", "sent", RECIPIENT, THEN));
    sent["pricing"] = json!({"billable": true, "pricing_model": "PMP", "type": "regular", "category": "utility"});
    sent["conversation"] = json!({"id": "c1", "expiration_timestamp": "1700086400", "origin": {"type": "utility"}});
    let delivered = with_callback(status("wamid.1", "delivered", RECIPIENT, THEN + 1));
    let read = with_callback(status("wamid.1", "read", RECIPIENT, THEN + 5));
    let reply = json!({"contacts": [{"profile": {"name": "Ana"}, "wa_id": RECIPIENT}], "messages": [
        {"from": RECIPIENT, "id": "wamid.in", "timestamp": (THEN + 9).to_string(), "type": "button",
         "context": {"from": "551130000000", "id": "wamid.1"}, "button": {"payload": "p", "text": "Quero"}}]});
    let unrelated = status("wamid.other", "sent", RECIPIENT, THEN);

    // Old timestamps, out of order.
    let Desk { harness, .. } = desk;
    let folder = harness.close().await;
    let delivery_log = store::DeliveryLog::open(&folder.path().join("desk/inbox.sqlite")).unwrap();
    let of_statuses = |status: &Value| envelope(json!({"statuses": [status]}));
    let deliveries = [
        of_statuses(&read),
        of_statuses(&sent),
        of_statuses(&delivered),
        of_statuses(&sent),
        envelope(reply),
        of_statuses(&sent),
        of_statuses(&unrelated),
    ];
    for (place, body) in (0..).zip(deliveries) {
        let delivery = NewDelivery {
            received_at: i64::try_from(THEN).unwrap() * 1_000 + 10_000 + place,
            route: workspace.clone(),
            headers: Vec::new(),
            body: Bytes::from(body),
        };
        delivery_log.append(delivery).await.unwrap();
    }
    drop(delivery_log);
    let mut harness = Harness::start_in(folder).await;
    harness.wait_for_projection().await;
    let detail = || harness.core.messaging.get_send(command_types::send::SendId { send: row.id.clone() });
    let detail_now = detail().await.unwrap();
    assert_eq!(detail_now.row.state.as_str(), "read");
    assert_eq!(words(&detail_now.timeline), [("sent", true, 3), ("delivered", true, 1), ("read", false, 1)]);
    let first = &detail_now.timeline[0];
    assert_eq!(first.received_at, Some(i64::try_from(THEN).unwrap() * 1_000 + 10_001));
    let pricing = first.pricing.clone().unwrap();
    assert_eq!((pricing.charged, pricing.model.as_deref()), (Some(true), Some("PMP")));
    assert_eq!((pricing.kind.as_deref(), pricing.category.as_deref()), (Some("regular"), Some("utility")));
    let conversation = first.conversation.clone().unwrap();
    assert_eq!((conversation.id.as_deref(), conversation.origin.as_deref()), (Some("c1"), Some("utility")));
    assert_eq!(conversation.expires_at, Some(1_700_086_400_000));
    assert_eq!(first.callback_data.as_deref(), Some(callback.as_str()));
    assert_eq!((&detail_now.timeline[1].pricing, &detail_now.timeline[1].conversation), (&None, &None));
    for entry in &detail_now.timeline {
        let event = command_types::activity::EventId { event: entry.event.clone().unwrap() };
        let event = harness.core.webhooks.get_event(event).await.unwrap();
        assert_eq!(event.row.status.as_deref(), Some(entry.status.as_str()));
    }
    let answers: Vec<_> = detail_now.replies.iter().map(|reply| (reply.text.as_str(), reply.at)).collect();
    assert_eq!(answers, [("Quero", i64::try_from(THEN + 9).unwrap() * 1_000)]);
    let event = command_types::activity::EventId { event: detail_now.replies[0].event.clone() };
    assert_eq!(harness.core.webhooks.get_event(event).await.unwrap().row.kind, "message");

    // The delivery log is emptied; the outcome of the message is kept.
    let rules = [RetentionKind::Status, RetentionKind::Message].map(|kind| RetentionRule { kind, days: 1 });
    harness.core.data.set_retention(RetentionPolicy { rules: rules.to_vec() }).await.unwrap();
    assert_eq!(harness.core.data.apply_retention(Nothing {}).await.unwrap().deliveries, 6);
    let kept = detail().await.unwrap();
    let without_events: Vec<StatusEntry> =
        detail_now.timeline.into_iter().map(|entry| StatusEntry { event: None, deliveries: 1, ..entry }).collect();
    assert_eq!(kept.timeline, without_events);
    assert_eq!((kept.row.state.as_str(), kept.replies.len()), ("read", 0));
    harness.close().await;
}

#[tokio::test]
async fn a_reply_that_is_edited_or_deleted_changes_on_the_page_of_its_send() {
    let mut desk = Desk::start(&[hello()]).await;
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    let from = |sender: &str, id: &str, at: u64, kind: &str, content: Value| {
        envelope(json!({"messages": [{"from": sender, "id": id, "timestamp": (THEN + at).to_string(), "type": kind,
            "context": {"from": "551130000000", "id": "wamid.1"}, kind: content}]}))
    };
    let edit = json!({"original_message_id": "wamid.a",
        "message": {"type": "text", "text": {"body": "Eight o'clock"}}});
    let deletion = json!({"original_message_id": "wamid.a"});
    desk.deliver(&from(RECIPIENT, "wamid.a", 9, "text", json!({"body": "Seven o'clock"}))).await;
    desk.deliver(&from(RECIPIENT, "wamid.b", 10, "sticker", json!({"id": "1"}))).await;
    let deliveries = [
        (from(RECIPIENT, "wamid.c", 11, "edit", edit), ("text", "Eight o'clock", None)),
        (from(RECIPIENT, "wamid.d", 12, "revoke", deletion), ("revoke", "", Some((THEN + 12) * 1_000))),
    ];
    for (body, expected) in deliveries {
        desk.harness.emitted();
        desk.deliver(&body).await;
        let is_news = |event: &DeskEvent| {
            matches!(event, DeskEvent::MessageReceived { contact, .. } if contact == RECIPIENT).then_some(())
        };
        desk.harness.event(is_news).await;
        let replies = desk.detail(&row).await.replies;
        let shown: Vec<_> = replies
            .iter()
            .map(|it| (it.kind.as_str(), it.text.as_str(), it.deleted_at.map(i64::unsigned_abs)))
            .collect();
        assert_eq!(shown, [expected, ("sticker", "", None)]);
    }
    desk.harness.close().await;
}

#[tokio::test]
async fn an_outcome_is_reported_if_a_rebuild_begins_before_it_is_projected() {
    let mut desk = Desk::start(&[hello()]).await;
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    // The next batch waits after this one.
    desk.deliver(&envelope(json!({"statuses": [status("wamid.other", "sent", RECIPIENT, THEN)]}))).await;
    let read = envelope(json!({"statuses": [status("wamid.1", "read", RECIPIENT, THEN)]}));
    assert_eq!(desk.webhooks.deliver(WEBHOOK_SECRET, &read).await, 200);
    desk.core().webhooks.rebuild_projection(Nothing {}).await.unwrap();
    desk.harness.wait_for_send_state(&row.id, "read").await;
    desk.harness.close().await;
}

#[tokio::test]
async fn a_failure_is_explained_and_matched_by_tracking_id() {
    let mut desk = Desk::start(&[hello()]).await;
    // An answer without a message.
    desk.provider.answer_json("POST ", "200 OK", &json!({"ok": true}));
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    assert_eq!(row.state.as_str(), "accepted");
    let detail = desk.detail(&row).await;
    assert_eq!(detail.message_id, None);
    let mut failed = json!({"id": "wamid.x", "status": "failed", "timestamp": THEN.to_string(),
        "recipient_id": RECIPIENT, "errors": [{"code": 131_049, "title": "Not delivered",
            "error_data": {"details": "Withheld to keep the ecosystem healthy."}}]});
    failed["biz_opaque_callback_data"] = json!(detail.callback_data);
    desk.deliver(&envelope(json!({"statuses": [failed]}))).await;
    let detail = desk.detail(&row).await;
    assert_eq!(detail.message_id.as_deref(), Some("wamid.x"));
    assert_eq!((detail.row.state.as_str(), detail.row.error_code.as_deref()), ("failed", Some("131049")));
    assert_eq!(detail.row.error_title.as_deref(), Some("Withheld to keep the ecosystem healthy."));
    let explanation = detail.timeline[0].explanation.clone().unwrap();
    assert_eq!((explanation.code.as_str(), explanation.known), ("131049", true));
    assert_eq!(explanation.retry, Some(model::error_code::Retry::Later));
    let query = || SendQuery { workspace: desk.workspace(), limit: 10, ..SendQuery::default() };
    let listed = desk.core().messaging.list_sends(SendQuery { state: Some("failed".into()), ..query() }).await.unwrap();
    assert_eq!(listed.rows, [detail.row]);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_failure_is_explained_at_every_position_of_its_error_object() {
    let mut desk = Desk::start(&[hello()]).await;
    let error = json!({"code": 131_053, "title": "Media upload error", "retryable": false,
        "details": {"file_size_bytes": 6_000_000, "max_size_bytes": 5_242_880, "reason": "Over 5 MB"}});
    for (place, fields) in
        [json!({"error": error}), json!({"error": [error]}), json!({"errors": error}), json!({"errors": [error]})]
            .into_iter()
            .enumerate()
    {
        let message = format!("wamid.{place}");
        answer_with(&desk.provider, &message);
        let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
        let mut failed = status(&message, "failed", RECIPIENT, THEN);
        failed.as_object_mut().unwrap().remove("errors");
        failed.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        desk.deliver(&envelope(json!({"statuses": [failed]}))).await;
        let detail = desk.detail(&row).await;
        assert_eq!(
            (detail.row.state.as_str(), detail.row.error_code.as_deref()),
            ("failed", Some("131053")),
            "{fields}"
        );
        let explanation = detail.timeline[0].explanation.clone().unwrap();
        assert_eq!((explanation.code.as_str(), explanation.retry), ("131053", Some(model::error_code::Retry::No)));
        assert_eq!(explanation.words, ["Media upload error", "Over 5 MB"], "{fields}");
        let sizes: Vec<_> = explanation.details.iter().map(|detail| detail.value.as_str()).collect();
        assert_eq!(sizes, ["6000000", "5242880"], "{fields}");
    }
    desk.harness.close().await;
}

#[tokio::test]
async fn a_refused_send_is_explained_and_can_be_repeated() {
    let desk = Desk::start(&[hello()]).await;
    let refusal = json!({"error": {"message": "(#132001) Template name does not exist", "code": 132_001,
        "error_data": {"details": "hello (pt_BR) does not exist"}}});
    desk.provider.answer_json("POST ", "404 Not Found", &refusal);
    let request = SendRequest {
        options: SendOptions {
            callback_data: "{\"a\": 1}".to_owned(),
            track: true,
            overrides: vec!["to.kind".to_owned()],
            ..SendOptions::default()
        },
        to: "+55 11 3071-0000".to_owned(),
        ..desk.request("t1", &[("body.1", "Ana")])
    };
    let row = desk.core().messaging.send_template(request.clone()).await.unwrap();
    assert_eq!((row.state.as_str(), row.error_code.as_deref()), ("refused", Some("132001")));
    assert!(!desk.has_sent().await, "a refused send is no first step");
    let detail = desk.detail(&row).await;
    assert!(matches!(detail.error, Some(DeskError::Service { status: 404, .. })), "{:?}", detail.error);
    let explanation = detail.explanation.unwrap();
    assert_eq!((explanation.code.as_str(), explanation.known), ("132001", true));
    assert_eq!(detail.response_status, Some(404));
    assert_eq!(detail.response.as_deref(), Some(refusal.to_string().as_str()));

    let busy = json!({"error": {"message": "(#130429) Rate limit hit", "code": 130_429}});
    desk.provider.answer_json("POST ", "429 Too Many Requests\r\nretry-after: 700", &busy);
    let row = desk.core().messaging.send_template(request.clone()).await.unwrap();
    assert_eq!((row.state.as_str(), row.error_code.as_deref()), ("refused", Some("130429")));
    let limited = desk.detail(&row).await;
    assert_eq!(
        limited.error,
        Some(DeskError::RateLimited { retry_after: Some(700), error_code: Some("130429".to_owned()) })
    );
    assert_eq!(limited.explanation.unwrap().retry, Some(model::error_code::Retry::Yes));

    // Overridden warnings must be confirmed again.
    let again = detail.again.unwrap();
    let asked = SendOptions { overrides: Vec::new(), ..request.options.clone() };
    assert_eq!(again, SendRequest { options: asked, ..request.clone() });
    answer_with(&desk.provider, "wamid.2");
    let second = desk.core().messaging.send_template(SendRequest { options: request.options, ..again }).await.unwrap();
    assert_eq!(second.state.as_str(), "accepted");
    assert!(desk.has_sent().await);
    let sent = desk.sent();
    let without_ours = |payload: &Value| {
        let mut payload = payload.clone();
        payload["biz_opaque_callback_data"].take();
        payload
    };
    assert_eq!(sent.len(), 3);
    assert_eq!(without_ours(&sent[0]), without_ours(&sent[2]));
    assert_ne!(sent[0]["biz_opaque_callback_data"], sent[2]["biz_opaque_callback_data"], "followed on its own");
    desk.harness.close().await;
}

#[tokio::test]
async fn a_lost_answer_leaves_the_send_unknown_and_is_not_repeated() {
    let desk = Desk::start(&[hello()]).await;
    desk.provider.hang_up_on("POST ");
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    assert_eq!(row.state.as_str(), "unknown");
    let (workspace, provider) = (desk.workspace(), desk.provider);
    let folder = desk.harness.close().await;
    let harness = Harness::start_in(folder).await;
    let query = SendQuery { workspace, limit: 10, ..SendQuery::default() };
    let page = harness.core.messaging.list_sends(query).await.unwrap();
    assert_eq!(page.rows.iter().map(|row| row.state.as_str()).collect::<Vec<_>>(), ["unknown"]);
    harness.close().await;
    assert_eq!(provider.requests().iter().filter(|request| request.head[0].starts_with("POST ")).count(), 1);
}

#[tokio::test]
async fn a_status_resolves_a_send_whose_answer_was_lost() {
    let mut desk = Desk::start(&[hello()]).await;
    // `Retry-After` doesn't say that nothing was done.
    let faults = ["", "503 Service Unavailable", "503 Busy\r\nretry-after: 3", "500 Oops", "520 Unknown"];
    for (nth, fault) in faults.into_iter().enumerate() {
        if fault.is_empty() {
            desk.provider.hang_up_on("POST ");
        } else {
            desk.provider.answer_to("POST ", &format!("{fault}\r\ncontent-length: 0"), b"");
        }
        let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
        assert_eq!((row.state.as_str(), row.error_title.as_deref()), ("unknown", None), "{fault}");
        assert_eq!(desk.sent().len(), nth + 1, "{fault}");
        let lost = desk.detail(&row).await;
        let error = lost.error.unwrap();
        assert!(matches!(error, DeskError::OutcomeUnknown { .. }), "{error:?}");
        assert!(!error.to_string().to_lowercase().contains("try again"), "{error}");

        let mut delivered = json!({"id": format!("wamid.late.{nth}"), "status": "delivered",
            "timestamp": THEN.to_string(), "recipient_id": RECIPIENT});
        delivered["biz_opaque_callback_data"] = json!(lost.callback_data);
        desk.deliver(&envelope(json!({"statuses": [delivered]}))).await;
        let settled = desk.detail(&row).await;
        assert_eq!((settled.row.state.as_str(), settled.error), ("delivered", None), "{fault}");
    }
    desk.harness.close().await;
}

#[tokio::test]
async fn sends_are_filtered_by_their_properties() {
    let desk = Desk::start(&[hello(), json!({"name": "other", "components": [{"type": "BODY", "text": "Olá"}]})]).await;
    let first = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    answer_with(&desk.provider, "wamid.2");
    let second = desk.core().messaging.send_template(desk.request("t2", &[])).await.unwrap();
    answer_with(&desk.provider, "wamid.3");
    let to = SendRequest { to: "+351 912 345 678".to_owned(), ..desk.request("t1", &[("body.1", "Rui")]) };
    let third = desk.core().messaging.send_template(to).await.unwrap();
    answer_with(&desk.provider, "wamid.4");
    let to = SendRequest { to: "+33 9 87 65 43 21".to_owned(), ..desk.request("t2", &[]) };
    let foreign = desk.core().messaging.send_template(to).await.unwrap();
    let query = || SendQuery { workspace: desk.workspace(), limit: 10, ..SendQuery::default() };
    let some = |text: &str| Some(text.to_owned());
    for (query, expected) in [
        (query(), vec![&foreign, &third, &second, &first]),
        (SendQuery { template: some("hello"), ..query() }, vec![&third, &first]),
        (SendQuery { reference: some("t2"), ..query() }, vec![&foreign, &second]),
        (SendQuery { recipient: some("+55 11 98765-4321"), ..query() }, vec![&second, &first]),
        (SendQuery { recipient: some("351912345678"), template: some("hello"), ..query() }, vec![&third]),
        // Digits that are a number of the workspace's country, too.
        (SendQuery { recipient: some("+33 9 87 65 43 21"), ..query() }, vec![&foreign]),
        (SendQuery { recipient: some("+33987654321"), ..query() }, vec![&foreign]),
        (SendQuery { recipient: some("33987654321"), ..query() }, vec![&foreign]),
        // Parts of a name and a number.
        (SendQuery { template: some("ELL"), ..query() }, vec![&third, &first]),
        (SendQuery { recipient: some("98765-43"), ..query() }, vec![&foreign, &second, &first]),
        (SendQuery { recipient: some("+"), ..query() }, vec![&foreign, &third, &second, &first]),
        (SendQuery { recipient: some("nobody"), ..query() }, vec![]),
        // The other spelling of the person's number.
        (SendQuery { recipient: some("+55 11 8765-4321"), ..query() }, vec![&second, &first]),
        (SendQuery { state: Some("accepted".into()), ..query() }, vec![&foreign, &third, &second, &first]),
        (SendQuery { state: Some("read".into()), ..query() }, vec![]),
        (SendQuery { batch: some("b"), ..query() }, vec![]),
        (SendQuery { template: some(""), state: Some("".into()), ..query() }, vec![&foreign, &third, &second, &first]),
    ] {
        let found = desk.core().messaging.list_sends(query.clone()).await.unwrap().rows;
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{query:?}");
    }
    let rui = SaveRecipient {
        workspace: desk.workspace(),
        name: "Rui".to_owned(),
        number: "+351 912 345 678".to_owned(),
        ..SaveRecipient::default()
    };
    desk.core().messaging.save_recipient(rui).await.unwrap();
    let named = SendQuery { recipient: some("RÚI"), ..query() };
    let found = desk.core().messaging.list_sends(named).await.unwrap().rows;
    assert_eq!(found.iter().map(|row| &row.id).collect::<Vec<_>>(), [&third.id]);
    let found = desk.core().messaging.list_sends(query()).await.unwrap().rows;
    let names: Vec<_> = found.iter().map(|row| row.recipient_name.as_deref()).collect();
    assert_eq!(names, [None, Some("Rui"), None, None]);
    assert_eq!(found[1].formatted, "+351 912 345 678");
    let recent = desk.core().messaging.list_recent_contacts(WorkspaceId { workspace: desk.workspace() }).await.unwrap();
    let recent: Vec<_> = recent.iter().map(|contact| (contact.formatted.as_str(), contact.name.as_deref())).collect();
    let expected = [("+33 9 87 65 43 21", None), ("+351 912 345 678", Some("Rui")), ("+55 11 98765-4321", None)];
    assert_eq!(recent, expected);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_repeated_send_to_a_local_number_goes_to_the_same_person() {
    let desk = Desk::start(&[hello()]).await;
    // A number in France, for whoever does not know the country of the first send.
    let (to, country) = ("(33) 98765-4321".to_owned(), Some("BR".to_owned()));
    let request = SendRequest { to: to.clone(), country: country.clone(), ..desk.request("t1", &[("body.1", "Ana")]) };
    let row = desk.core().messaging.send_template(request).await.unwrap();
    let again = desk.detail(&row).await.again.unwrap();
    assert_eq!((again.to.as_str(), again.country), ("+5533987654321", None));
    answer_with(&desk.provider, "wamid.2");
    let text = SendText { to, country, text: "Oi".to_owned(), ..SendText::default() };
    let text = SendText { workspace: desk.workspace(), number: NUMBER.to_owned(), ..text };
    let row = desk.core().messaging.send_text(text).await.unwrap();
    let again = desk.detail(&row).await.again_text.unwrap();
    assert_eq!((again.to.as_str(), again.country), ("+5533987654321", None));
    desk.harness.close().await;
}

#[tokio::test]
async fn many_sends_that_change_at_once_have_one_event() {
    const SENDS: usize = 51;
    let mut desk = Desk::start(&[hello()]).await;
    let mut statuses = Vec::new();
    for nth in 0..SENDS {
        let message = format!("wamid.many.{nth}");
        answer_with(&desk.provider, &message);
        desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
        statuses.push(status(&message, "delivered", RECIPIENT, THEN));
    }
    desk.harness.emitted();
    desk.deliver(&envelope(json!({"statuses": statuses}))).await;
    let workspace = desk.workspace();
    let is_one = |event: &DeskEvent| match event {
        DeskEvent::SendsUpdated { workspace: of } => Some(*of == workspace),
        DeskEvent::SendUpdated { .. } => Some(false),
        _ => None,
    };
    assert!(desk.harness.event(is_one).await);
    desk.harness.close().await;
}

#[tokio::test]
async fn many_contacts_that_write_at_once_have_one_event() {
    let mut desk = Desk::start(&[hello()]).await;
    let messages: Vec<Value> = (0..51)
        .map(|nth| {
            json!({"from": format!("55119876500{nth:02}"), "id": format!("wamid.in.{nth}"),
                "timestamp": THEN.to_string(), "type": "text", "text": {"body": "Olá"}})
        })
        .collect();
    desk.deliver(&envelope(json!({"messages": messages}))).await;
    let workspace = desk.workspace();
    let is_one = |event: &DeskEvent| match event {
        DeskEvent::MessagesReceived { workspace: of } => Some(*of == workspace),
        DeskEvent::MessageReceived { .. } => Some(false),
        _ => None,
    };
    assert!(desk.harness.event(is_one).await);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_reply_that_cannot_be_matched_is_matched_later_and_blocks_nobody() {
    for rebuild in [false, true] {
        let mut desk = Desk::start(&[hello()]).await;
        // An answer without a message.
        desk.provider.answer_json("POST ", "200 OK", &json!({"ok": true}));
        let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
        let callback = desk.detail(&row).await.callback_data.unwrap();
        let reply = json!({"messages": [{"from": RECIPIENT, "id": "wamid.in", "timestamp": THEN.to_string(),
            "type": "text", "text": {"body": "Olá"}, "context": {"from": "1", "id": "wamid.x"}}]});
        desk.deliver(&envelope(reply)).await;
        let path = desk.harness.folder.path().join("desk/desk.sqlite");
        let connection = rusqlite::Connection::open(path).unwrap();
        let full = "CREATE TRIGGER full BEFORE UPDATE OF replied_at ON send BEGIN SELECT RAISE(FAIL, 'full'); END";
        connection.execute_batch(full).unwrap();
        let mut sent = status("wamid.x", "sent", RECIPIENT, THEN);
        sent["biz_opaque_callback_data"] = json!(callback);
        desk.harness.emitted();
        desk.deliver(&envelope(json!({"statuses": [sent]}))).await;
        // Emitted after the first try.
        desk.harness.event(|event| matches!(event, DeskEvent::EventsStored { .. }).then_some(())).await;
        if rebuild {
            let rebuilt = desk.core().webhooks.rebuild_projection(Nothing {});
            tokio::time::timeout(TIMEOUT, rebuilt).await.expect("the projection is not locked").unwrap();
        }
        connection.execute_batch("DROP TRIGGER full").unwrap();
        let replied = "SELECT replied_at FROM send";
        let replied = || connection.query_row(replied, [], |row| row.get::<_, Option<i64>>(0)).unwrap();
        wait_until("the reply is matched", async || replied().is_some()).await;
        drop(connection);
        desk.harness.close().await;
    }
}

/// The channel reports a price with `sent`, and charges what it delivers.
#[tokio::test]
async fn a_message_that_failed_is_not_charged_unless_its_failure_says_so() {
    let mut desk = Desk::start(&[hello()]).await;
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    let priced = json!({"billable": true, "pricing_model": "PMP", "type": "regular", "category": "utility"});
    let mut sent = status("wamid.1", "sent", RECIPIENT, THEN);
    sent["pricing"] = priced.clone();
    let mut failed = status("wamid.1", "failed", RECIPIENT, THEN + 1);
    desk.deliver(&envelope(json!({"statuses": [sent, failed]}))).await;
    let detail = desk.detail(&row).await;
    assert_eq!((detail.row.state.as_str(), detail.pricing, detail.is_undelivered), ("failed", None, true));
    assert_eq!(detail.timeline[0].pricing.as_ref().and_then(|price| price.charged), Some(true), "as it was reported");

    failed["pricing"] = priced;
    desk.deliver(&envelope(json!({"statuses": [failed]}))).await;
    let detail = desk.detail(&row).await;
    assert_eq!((detail.pricing.and_then(|price| price.charged), detail.is_undelivered), (Some(true), false));
    desk.harness.close().await;
}
