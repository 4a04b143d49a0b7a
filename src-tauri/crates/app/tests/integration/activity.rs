//! Activity with deliveries over real HTTP: lists, pages, replays, rebuilds, signatures, exports.

use std::collections::BTreeMap;

use app::SANDBOX_ID;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use command_types::Nothing;
use command_types::activity::{
    CompareEvents, DeliveryId, DeliveryScope, EventId, EventQuery, EventRow, EventTemplate, ExportEvents, ReplayEvents,
    ReplayReport, SignatureReport, SignatureVerdict, VerifySignatures,
};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::recipients::SaveRecipient;
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, WorkspaceId};
use model::diff::LineChange;
use model::item::meaning::EventMeaning;
use secrecy::SecretString;
use serde_json::{Value, json};

use super::harness::Harness;
use super::webhooks::{Provider, envelope, status, wait_until};

const SECRET: &str = "the webhook secret";

async fn all_events(harness: &Harness, query: EventQuery) -> Vec<EventRow> {
    let mut query = EventQuery { limit: 40, ..query };
    let mut rows = Vec::new();
    loop {
        let page = harness.core.webhooks.list_events(query.clone()).await.unwrap();
        rows.extend(page.rows);
        let Some(next) = page.next else { return rows };
        query.after = Some(next);
    }
}

fn of(provider: &Provider) -> EventQuery {
    EventQuery { workspace: Some(provider.workspace.clone()), ..EventQuery::default() }
}

/// Clicks, preferences and user names have a meaning, and are found by their contact (upstream §14).
#[tokio::test]
async fn clicks_preferences_and_usernames_are_decoded() {
    let mut harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let metadata = json!({"display_phone_number": "1", "phone_number_id": "n1"});
    let change = |field: &str, value: Value| {
        json!({"object": "o", "entry": [{"id": "1", "changes": [{"field": field, "value": value}]}]}).to_string()
    };
    let click = json!({"action_type": "marketing_messages_link_click", "timestamp": "1758585600",
        "marketing_messages_link_click_data": {"click_component": "cta", "click_id": "c1", "tracking_token": "t1"}});
    let preference = json!({"user_id": "BR.1", "category": "marketing_messages", "value": "stop"});
    for (field, value) in [
        ("messages", json!({"metadata": metadata, "user_actions": [click]})),
        ("user_preferences", json!({"metadata": metadata, "user_preferences": [preference]})),
        (
            "business_username_updates",
            json!({"display_phone_number": "1", "username": "flowers", "status": "approved"}),
        ),
    ] {
        assert_eq!(provider.deliver(SECRET, &change(field, value)).await, 200);
    }
    harness.wait_for_projection().await;
    let some = |text: &str| Some(text.to_owned());
    for (filter, meaning, facts) in [
        (
            EventQuery { search: some("t1"), number: some("n1"), ..of(&provider) },
            EventMeaning::LinkClicked,
            vec![("clickedPart", "cta"), ("clickId", "c1"), ("trackingToken", "t1")],
        ),
        (
            EventQuery { contact: some("BR.1"), status: some("stop"), ..of(&provider) },
            EventMeaning::MarketingStopped,
            vec![("person", "BR.1")],
        ),
        (
            EventQuery { kind: some("business_username"), ..of(&provider) },
            EventMeaning::UsernameApproved,
            vec![("username", "flowers"), ("number", "1")],
        ),
    ] {
        let rows = all_events(&harness, filter).await;
        assert_eq!(rows.len(), 1, "{meaning:?}");
        let event = harness.core.webhooks.get_event(EventId { event: rows[0].id.clone() }).await.unwrap();
        let shown: Vec<_> = event.facts.iter().map(|fact| (fact.label.as_str(), fact.value.as_str())).collect();
        assert_eq!((event.meaning, shown), (Some(meaning), facts));
    }
}

fn message(id: &str, from: &str, text: &str) -> Value {
    json!({"id": id, "from": from, "timestamp": "1700000000", "type": "text", "text": {"body": text}})
}

/// A few deliveries: statuses of two messages, one of them three times and in different batches; a message; a review.
async fn filled(harness: &mut Harness) -> Provider {
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let sent = status("wamid.A", "sent", "5511999990001", 1_700_000_000);
    let failed = status("wamid.B", "failed", "5511999990002", 1_700_000_001);
    let review = json!({"object": "o", "entry": [{"id": "waba-1", "time": 1_700_000_002, "changes": [{
        "field": "message_template_status_update", "value": {"event": "REJECTED", "message_template_id": 77,
        "message_template_name": "garden_party", "message_template_language": "en_US", "reason": "ABUSIVE_CONTENT"}}]}]});
    for body in [
        envelope(json!({"statuses": [sent, failed]})),
        envelope(json!({"messages": [message("wamid.C", "5511999990001", "Where is my order?")]})),
        envelope(json!({"statuses": [failed, sent]})),
        review.to_string(),
        envelope(json!({"statuses": [status("wamid.A", "read", "5511999990001", 1_700_000_005)]})),
        envelope(json!({"statuses": [sent]})),
    ] {
        assert_eq!(provider.deliver(SECRET, &body).await, 200);
    }
    harness.wait_for_projection().await;
    provider
}

#[tokio::test]
async fn events_are_filtered_and_shown_with_their_deliveries() {
    let mut harness = Harness::start().await;
    let provider = filled(&mut harness).await;
    let rows = all_events(&harness, of(&provider)).await;
    let shown: Vec<_> =
        rows.iter().map(|row| (row.seq, row.kind.as_str(), row.status.as_deref(), row.deliveries)).collect();
    assert_eq!(
        shown,
        [
            (5, "status", Some("read"), 1),
            (4, "template_status", Some("REJECTED"), 1),
            (2, "message", None, 1),
            (1, "status", Some("failed"), 2),
            (1, "status", Some("sent"), 3),
        ]
    );
    let templates: Vec<_> = rows.iter().map(|row| row.of_template.clone()).collect();
    let garden_party = EventTemplate { name: "garden_party".to_owned(), language: "en_US".to_owned(), reference: None };
    assert_eq!(templates, [None, Some(garden_party), None, None, None], "it is not listed");
    let query = || of(&provider);
    let some = |text: &str| Some(text.to_owned());
    let times: Vec<i64> = rows.iter().map(|row| row.received_at).collect();
    let filters = [
        (EventQuery { kind: some("status"), ..query() }, 3),
        (EventQuery { status: some("failed"), ..query() }, 1),
        (EventQuery { number: some("n1"), ..query() }, 4),
        (EventQuery { number: some("n2"), ..query() }, 0),
        (EventQuery { template: some("garden_party"), ..query() }, 1),
        (EventQuery { contact: some("5511999990001"), ..query() }, 3),
        (EventQuery { contact: some("5511999990001"), kind: some("message"), ..query() }, 1),
        (EventQuery { search: some("ord"), ..query() }, 1),
        (EventQuery { search: some("garden"), ..query() }, 1),
        (EventQuery { search: some("+55 11 99999-0001"), ..query() }, 3),
        (EventQuery { search: some("wamid.A"), ..query() }, 2),
        (EventQuery { search: some("wamid.A"), status: some("read"), ..query() }, 1),
        (EventQuery { from: Some(times[0]), ..query() }, times.iter().filter(|at| **at >= times[0]).count()),
        (EventQuery { to: Some(times[4]), ..query() }, 0),
        (EventQuery { workspace: some("nobody"), ..EventQuery::default() }, 0),
    ];
    for (filter, expected) in filters {
        assert_eq!(all_events(&harness, filter.clone()).await.len(), expected, "{filter:?}");
    }

    let sent = harness.core.webhooks.get_event(EventId { event: rows[4].id.clone() }).await.unwrap();
    let arrivals: Vec<_> = sent.arrivals.iter().map(|arrival| (arrival.seq, arrival.ordinal)).collect();
    assert_eq!(arrivals, [(1, 0), (3, 1), (6, 0)]);
    let value: Value = serde_json::from_str(&sent.value.unwrap()).unwrap();
    assert_eq!(value["statuses"][0]["status"], "sent");
    assert_eq!(value["metadata"]["phone_number_id"], "n1");

    let delivery = harness.core.webhooks.get_delivery(DeliveryId { seq: 3 }).await.unwrap();
    assert_eq!(delivery.items.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), [&rows[3].id, &rows[4].id]);
    assert_eq!(delivery.signature, SignatureVerdict::Current {});
    assert_eq!(BASE64_STANDARD.decode(&delivery.raw_base64).unwrap(), delivery.raw.as_bytes());
    assert_eq!(delivery.workspace, provider.workspace);
    let gone = harness.core.webhooks.get_delivery(DeliveryId { seq: 99 }).await;
    assert!(matches!(gone, Err(DeskError::NotFound { .. })));

    let compared = CompareEvents { left: rows[4].id.clone(), right: rows[0].id.clone() };
    let lines = harness.core.webhooks.compare_events(compared).await.unwrap().lines;
    let changed: Vec<_> = lines.iter().filter(|line| line.change != LineChange::Same).collect();
    let removed: Vec<_> =
        changed.iter().filter(|line| line.change == LineChange::Removed).map(|line| line.text.trim()).collect();
    assert_eq!(removed, ["\"status\": \"sent\",", "\"timestamp\": \"1700000000\","]);
    assert_eq!(changed.len(), 4);
    harness.close().await;
}

#[tokio::test]
async fn a_replay_is_idempotent() {
    let mut harness = Harness::start().await;
    let provider = filled(&mut harness).await;
    let before = all_events(&harness, of(&provider)).await;
    let insights =
        harness.core.insights.get_insights(WorkspaceId { workspace: provider.workspace.clone() }).await.unwrap();
    for scope in [DeliveryScope::Range { from: 1, to: 1_000 }, DeliveryScope::Range { from: 2, to: 3 }] {
        let report = harness.core.webhooks.replay_events(ReplayEvents { scope }).await.unwrap();
        assert_eq!(report.changed, 0);
        assert!(report.deliveries > 0 && report.items >= report.deliveries);
    }
    let one = harness.core.webhooks.replay_events(ReplayEvents { scope: DeliveryScope::One { seq: 1 } }).await.unwrap();
    assert_eq!(one, ReplayReport { deliveries: 1, items: 2, changed: 0 });
    let none = harness.core.webhooks.replay_events(ReplayEvents { scope: DeliveryScope::One { seq: 99 } }).await;
    assert!(matches!(none, Err(DeskError::NotFound { .. })));
    assert_eq!(all_events(&harness, of(&provider)).await, before);
    let after =
        harness.core.insights.get_insights(WorkspaceId { workspace: provider.workspace.clone() }).await.unwrap();
    assert_eq!((after.kinds, after.statuses), (insights.kinds, insights.statuses));
    harness.close().await;
}

#[tokio::test]
async fn events_name_the_people_of_the_address_book() {
    let mut harness = Harness::start().await;
    let provider = filled(&mut harness).await;
    let ana = SaveRecipient {
        id: None,
        workspace: provider.workspace.clone(),
        name: "Ana".to_owned(),
        number: "+55 11 99999-0001".to_owned(),
        country: None,
        labels: Vec::new(),
        note: String::new(),
    };
    harness.core.messaging.save_recipient(ana).await.unwrap();
    for row in all_events(&harness, of(&provider)).await {
        let expected = (row.contact.as_deref() == Some("5511999990001")).then_some("Ana");
        assert_eq!(row.contact_name.as_deref(), expected, "{row:?}");
        let event = harness.core.webhooks.get_event(EventId { event: row.id.clone() }).await.unwrap();
        assert_eq!(event.row, row);
    }
    harness.close().await;
}

#[tokio::test]
async fn the_projection_is_rebuilt_while_deliveries_arrive() {
    let mut harness = Harness::start().await;
    let provider = filled(&mut harness).await;
    let batch = |from: usize| {
        let statuses: Vec<Value> = (from..from + 20)
            .map(|n| status(&format!("wamid.{n}"), "delivered", &format!("55119{:08}", n % 50), 1_700_000_100))
            .collect();
        envelope(json!({"statuses": statuses}))
    };
    for n in 0..60 {
        assert_eq!(provider.deliver(SECRET, &batch(n * 20)).await, 200);
    }
    harness.wait_for_projection().await;
    let before = all_events(&harness, of(&provider)).await;
    assert_eq!(before.len(), 5 + 60 * 20);
    let state = harness.core.webhooks.rebuild_projection(Nothing {}).await.unwrap();
    assert!(state.rebuilding);
    for n in 60..90 {
        assert_eq!(provider.deliver(SECRET, &batch(n * 20)).await, 200, "receiving continues");
    }
    let (done, total) = harness
        .event(|event| match event {
            DeskEvent::ProjectionProgress { done, total, rebuilding: false } if done == total => Some((*done, *total)),
            // Old events are not emitted as new.
            DeskEvent::SendUpdated { .. } => panic!("{event:?}"),
            _ => None,
        })
        .await;
    assert_eq!(done, total);
    harness.wait_for_projection().await;
    let state = harness.core.webhooks.get_projection(Nothing {}).await.unwrap();
    assert_eq!((state.rebuilding, state.behind, state.done), (false, 0, state.total));
    let after = all_events(&harness, of(&provider)).await;
    assert_eq!(after.len(), 5 + 90 * 20, "each once");
    assert_eq!(after[30 * 20..], before, "the same events with the same identifiers");
    let insights =
        harness.core.insights.get_insights(WorkspaceId { workspace: provider.workspace.clone() }).await.unwrap();
    let counted = after.iter().fold(BTreeMap::<String, u64>::new(), |mut counts, row| {
        *counts.entry(row.kind.clone()).or_default() += 1;
        counts
    });
    let kept: BTreeMap<_, _> = insights.kinds.into_iter().map(|facet| (facet.value, facet.count)).collect();
    assert_eq!(kept, counted);
    harness.close().await;
}

async fn set_secrets(harness: &Harness, provider: &Provider, current: &str, previous: &str) {
    let workspace =
        harness.core.workspaces.get_workspace(WorkspaceId { workspace: provider.workspace.clone() }).await.unwrap();
    let secret = |kind, value: &str| SecretInput { kind, number: None, value: SecretString::from(value) };
    let request = SaveWorkspace {
        workspace: Some(provider.workspace.clone()),
        settings: workspace.settings,
        secrets: vec![secret(SecretKind::WebhookSecret, current), secret(SecretKind::PreviousWebhookSecret, previous)],
        session_only: false,
    };
    harness.core.workspaces.save_workspace(request).await.unwrap();
}

#[tokio::test]
async fn stored_signatures_are_verified_with_the_current_secrets() {
    let mut harness = Harness::start().await;
    let provider = filled(&mut harness).await;
    set_secrets(&harness, &provider, "a newer secret", SECRET).await;
    let newer = envelope(json!({"statuses": [status("wamid.D", "sent", "5511", 1)]}));
    assert_eq!(provider.deliver("a newer secret", &newer).await, 200);
    let verify = async |request: VerifySignatures| harness.core.webhooks.verify_signatures(request).await.unwrap();
    let here = || VerifySignatures { workspace: Some(provider.workspace.clone()), ..VerifySignatures::default() };
    let report = verify(here()).await;
    let expected = SignatureReport { checked: 7, current: 1, previous: 6, ..SignatureReport::default() };
    assert_eq!(report, expected);
    let some = verify(VerifySignatures { from: Some(2), to: Some(4), ..here() }).await;
    assert_eq!(some, SignatureReport { checked: 3, previous: 3, ..SignatureReport::default() });

    set_secrets(&harness, &provider, "a newer secret", "").await;
    let report = verify(here()).await;
    assert_eq!((report.current, report.invalid, report.invalid_seqs), (1, 6, vec![1, 2, 3, 4, 5, 6]));
    let delivery = harness.core.webhooks.get_delivery(DeliveryId { seq: 1 }).await.unwrap();
    assert_eq!(delivery.signature, SignatureVerdict::Invalid {});

    set_secrets(&harness, &provider, "", "").await;
    assert_eq!(verify(here()).await.no_secret, 7);
    harness.core.workspaces.delete_workspace(WorkspaceId { workspace: provider.workspace.clone() }).await.unwrap();
    assert_eq!(verify(VerifySignatures::default()).await.no_secret, 7);
    let delivery = harness.core.webhooks.get_delivery(DeliveryId { seq: 1 }).await.unwrap();
    assert_eq!(delivery.signature, SignatureVerdict::Gone {});

    // The sandbox signs with a generated secret.
    let phone = EventQuery { workspace: Some(SANDBOX_ID.to_owned()), limit: 1, ..EventQuery::default() };
    harness.sandbox.write_text("5511987654321", "Hello", None, None).unwrap();
    wait_until("the sandbox has delivered", async || {
        !harness.core.webhooks.list_events(phone.clone()).await.unwrap().rows.is_empty()
    })
    .await;
    let sandbox = VerifySignatures { workspace: Some(SANDBOX_ID.to_owned()), ..VerifySignatures::default() };
    let report = verify(sandbox).await;
    assert!(report.current > 0 && report.current == report.checked, "{report:?}");
    harness.close().await;
}

#[tokio::test]
async fn an_export_has_one_line_per_event_oldest_first() {
    let mut harness = Harness::start().await;
    let provider = filled(&mut harness).await;
    let path = harness.folder.path().join("events.jsonl");
    std::fs::write(&path, "what was there before").unwrap();
    let request = ExportEvents { query: of(&provider) };
    let report = harness.core.webhooks.export_events_to(&path, request).await.unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((report.lines, lines.len()), (5, 5));
    let shown: Vec<_> =
        lines.iter().map(|line| (line["seq"].as_i64().unwrap(), line["kind"].as_str().unwrap())).collect();
    assert_eq!(shown, [(1, "status"), (1, "status"), (2, "message"), (4, "template_status"), (5, "status")]);
    for line in &lines {
        let keys: Vec<_> = line.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            ["seq", "received_at", "kind", "field", "entry_id", "value", "raw_digest", "workspace"],
            "the shape of `tdesk events`, and the workspace"
        );
        assert_eq!(line["workspace"], provider.workspace.as_str());
    }
    let delivery = harness.core.webhooks.get_delivery(DeliveryId { seq: 2 }).await.unwrap();
    assert_eq!(lines[2]["raw_digest"], delivery.digest.as_str());

    let filtered = ExportEvents { query: EventQuery { status: Some("failed".to_owned()), ..of(&provider) } };
    assert_eq!(harness.core.webhooks.export_events_to(&path, filtered).await.unwrap().lines, 1);
    let nothing = ExportEvents { query: EventQuery { status: Some("none".to_owned()), ..of(&provider) } };
    assert_eq!(harness.core.webhooks.export_events_to(&path, nothing).await.unwrap().lines, 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
    let names: Vec<_> =
        std::fs::read_dir(harness.folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().ends_with(".tmp")), "{names:?}");

    let absent = harness.folder.path().join("absent").join("events.jsonl");
    let failed = harness.core.webhooks.export_events_to(&absent, ExportEvents::default()).await;
    assert!(matches!(failed, Err(DeskError::File { name, .. }) if name == "events.jsonl"));
    harness.close().await;
}
