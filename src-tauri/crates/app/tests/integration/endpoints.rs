//! Endpoints of workspaces and their numbers, test events, and events about webhooks and tokens.

use std::collections::BTreeSet;

use app::SANDBOX_ID;
use command_types::Nothing;
use command_types::activity::EventQuery;
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::keyring::KeyringProblem;
use command_types::receiver::{Endpoint, EndpointHealth, ReceiverState, TestEvent, TestEventReport};
use command_types::template::TemplateQuery;
use command_types::workspace::{
    Attention, SaveWorkspace, SecretInput, SecretKind, SecretPlace, SendingNumber, WorkspaceId,
};
use receiver::Reason;
use secrecy::SecretString;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use super::connection::workspace;
use super::harness::Harness;
use super::keyring::Script;
use super::webhooks::{Recorder, envelope, signature, status, wait_until};

fn secret(kind: SecretKind, number: Option<&str>, value: &str) -> SecretInput {
    SecretInput { kind, number: number.map(str::to_owned), value: SecretString::from(value) }
}

/// A shop with two numbers, the first of which has its own endpoint.
fn shop() -> SaveWorkspace {
    let mut request = workspace("http://127.0.0.1:9", "t0k3n");
    let number = |id: &str, own_webhook| SendingNumber { id: id.to_owned(), own_webhook, ..SendingNumber::default() };
    request.settings.numbers = vec![number("n/1", true), number("n2", false)];
    request.secrets.extend([
        secret(SecretKind::WebhookSecret, None, "of-shop"),
        secret(SecretKind::WebhookSecret, Some("n/1"), "of-number"),
        secret(SecretKind::VerifyToken, Some("n/1"), "verify-number"),
    ]);
    request
}

async fn endpoints(harness: &Harness, workspace: &str) -> Vec<Endpoint> {
    harness.core.webhooks.get_endpoints(WorkspaceId { workspace: workspace.to_owned() }).await.unwrap()
}

async fn listening(harness: &Harness) -> String {
    wait_until("the receiver listens", async || {
        let state = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().receiver;
        matches!(state, ReceiverState::Listening { .. })
    })
    .await;
    match harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().receiver {
        ReceiverState::Listening { address, .. } => address,
        other => panic!("{other:?}"),
    }
}

/// The status of the answer to a delivery.
async fn deliver(url: &str, secret: &str, body: &str) -> u16 {
    provider_client::install_crypto();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = http.post(url).header("x-hub-signature-256", signature(secret, body)).body(body.to_owned());
    request.send().await.unwrap().status().as_u16()
}

async fn test_event(harness: &Harness, workspace: &str, number: Option<&str>) -> TestEventReport {
    let request = TestEvent { workspace: workspace.to_owned(), number: number.map(str::to_owned) };
    harness.core.webhooks.send_test_event(request).await.unwrap()
}

async fn attention(harness: &Harness, workspace: &str) -> Attention {
    let workspaces = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().workspaces;
    workspaces.into_iter().find(|summary| summary.id == workspace).unwrap().attention
}

fn entries(harness: &Harness) -> BTreeSet<String> {
    harness.keyring.entries.lock().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn a_number_has_its_own_path_secret_and_verify_token() {
    let mut harness = Harness::start().await;
    let address = listening(&harness).await;
    let saved = harness.core.workspaces.save_workspace(shop()).await.unwrap();
    let id = saved.id.clone();
    let of_number: Vec<_> = saved.secrets.iter().filter(|secret| secret.number.as_deref() == Some("n/1")).collect();
    let places: Vec<_> = of_number.iter().map(|secret| (secret.kind, secret.place)).collect();
    assert_eq!(
        places,
        [
            (SecretKind::WebhookSecret, SecretPlace::Keyring),
            (SecretKind::PreviousWebhookSecret, SecretPlace::Absent),
            (SecretKind::VerifyToken, SecretPlace::Keyring)
        ]
    );

    let found = endpoints(&harness, &id).await;
    let [of_shop, number] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((of_shop.number.as_deref(), number.number.as_deref()), (None, Some("n/1")));
    assert_eq!(number.path, format!("/webhook/{id}/n%2F1"));
    assert_eq!(number.url, format!("http://{address}{}", number.path));
    assert_eq!((of_shop.health, number.health), (EndpointHealth::Silent, EndpointHealth::Silent));

    // Each path accepts only its own secret.
    let body = envelope(json!({"statuses": [status("wamid.number", "sent", "5511", 1_750_000_000)]}));
    for (url, secret, expected) in [
        (&of_shop.url, "of-shop", 200),
        (&of_shop.url, "of-number", 401),
        (&number.url, "of-shop", 401),
        (&number.url, "of-number", 200),
    ] {
        assert_eq!(deliver(url, secret, &body).await, expected, "{url} {secret}");
    }
    let handshake =
        |url: &str, token: &str| format!("{url}?hub.mode=subscribe&hub.challenge=42&hub.verify_token={token}");
    let answer = reqwest::get(handshake(&number.url, "verify-number")).await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.text().await.unwrap().as_str()), (200, "42"));
    assert_eq!(reqwest::get(handshake(&of_shop.url, "verify-number")).await.unwrap().status().as_u16(), 403);

    // Deliveries for the number belong to the workspace: the same status on both paths is one event.
    harness.wait_for_projection().await;
    let query = EventQuery { workspace: Some(id.clone()), limit: 10, ..EventQuery::default() };
    let rows = harness.core.webhooks.list_events(query).await.unwrap().rows;
    assert_eq!(rows.iter().map(|row| (row.kind.as_str(), row.deliveries)).collect::<Vec<_>>(), [("status", 2)]);
    let report = harness.core.webhooks.verify_signatures(Default::default()).await.unwrap();
    assert_eq!((report.checked, report.current, report.invalid), (2, 2, 0));
    let refused = harness.core.webhooks.list_refused_deliveries(Nothing {}).await.unwrap();
    let kinds: Vec<_> =
        refused.iter().map(|row| serde_json::to_value(&row.diagnosis).unwrap()["kind"].clone()).collect();
    assert_eq!(kinds, ["plain", "otherRoute", "otherRoute"], "the handshake, then the other signer");

    let found = endpoints(&harness, &id).await;
    let counts: Vec<_> = found.iter().map(|at| (at.events, at.refused, at.health)).collect();
    assert_eq!(counts, [(1, 2, EndpointHealth::Refusing), (1, 1, EndpointHealth::Ok)]);
    assert_eq!(found[0].last_refused.as_ref().unwrap().reason, Reason::NoVerifyToken);
    let last = found[1].last_event_at;
    assert!(last.is_some());

    // The time of the last delivery survives a restart; counts are reset.
    let keyring = harness.keyring.clone();
    let harness = Harness::start_with(harness.close().await, keyring).await;
    listening(&harness).await;
    let found = endpoints(&harness, &id).await;
    assert_eq!((found[1].last_event_at, found[1].events, found[1].health), (last, 0, EndpointHealth::Ok));

    // A number without its own endpoint has no keyring entries, nor has a deleted workspace.
    let all = entries(&harness);
    assert!(all.contains(&format!("{id}/n%2F1/webhookSecret")), "{all:?}");
    let mut request = SaveWorkspace { workspace: Some(id.clone()), secrets: Vec::new(), ..shop() };
    request.settings.numbers.remove(0);
    harness.core.workspaces.save_workspace(request).await.unwrap();
    assert_eq!(entries(&harness), [format!("{id}/token"), format!("{id}/webhookSecret")].into());
    assert_eq!(deliver(&number.url.replace(&address, &listening(&harness).await), "of-number", &body).await, 404);
    harness.core.workspaces.save_workspace(SaveWorkspace { workspace: Some(id.clone()), ..shop() }).await.unwrap();
    assert_eq!(entries(&harness).len(), 4);
    harness.core.workspaces.delete_workspace(WorkspaceId { workspace: id }).await.unwrap();
    assert_eq!(entries(&harness), BTreeSet::new());
    harness.close().await;
}

#[tokio::test]
async fn invalid_endpoint_settings_are_refused_at_their_field() {
    type Change = fn(&mut SaveWorkspace);

    let harness = Harness::start().await;
    let changes: [(&str, Change); 5] = [
        ("numbers/1/webhookSecret", |request| {
            request.secrets.push(secret(SecretKind::WebhookSecret, Some("n2"), "s"));
        }),
        ("numbers/0/token", |request| request.secrets.push(secret(SecretKind::Token, Some("n/1"), "s"))),
        ("numbers/1/id", |request| request.settings.numbers[1].id = "n/1".to_owned()),
        ("numbers/0/wabaId", |request| request.settings.numbers[0].waba_id = "mine".to_owned()),
        ("tokenExpiresOn", |request| request.settings.token_expires_on = "2027-02-30".to_owned()),
    ];
    for (expected, change) in changes {
        let mut request = shop();
        change(&mut request);
        let refused = harness.core.workspaces.save_workspace(request).await.unwrap_err();
        assert!(
            matches!(&refused, DeskError::InvalidInput { field, .. } if field == expected),
            "{expected}: {refused:?}"
        );
    }
    assert_eq!(entries(&harness), BTreeSet::new(), "refused settings store nothing");
    harness.close().await;
}

#[tokio::test]
async fn a_test_event_is_stored_without_effects() {
    let mut harness = Harness::start().await;
    listening(&harness).await;
    let mut request = shop();
    request.secrets.retain(|secret| secret.kind != SecretKind::WebhookSecret || secret.number.is_some());
    let id = harness.core.workspaces.save_workspace(request).await.unwrap().id;
    let report = test_event(&harness, &id, None).await;
    assert!(
        matches!(&report.error, Some(DeskError::InvalidInput { field, .. }) if field == "webhookSecret"),
        "{report:?}"
    );
    assert_eq!((report.status, report.stored), (None, false));
    assert_eq!(endpoints(&harness, &id).await[0].health, EndpointHealth::NoSecret);
    harness
        .core
        .webhooks
        .send_test_event(TestEvent { workspace: id.clone(), number: Some("n2".to_owned()) })
        .await
        .unwrap_err();

    for (workspace, number) in [(id.as_str(), Some("n/1")), (id.as_str(), Some("n/1")), (SANDBOX_ID, None)] {
        let report = test_event(&harness, workspace, number).await;
        assert_eq!((report.status, report.stored, report.error), (Some(200), true, None), "{workspace}");
    }
    harness.wait_for_projection().await;
    let query =
        |workspace: &str| EventQuery { workspace: Some(workspace.to_owned()), limit: 10, ..EventQuery::default() };
    for (workspace, count) in [(id.as_str(), 2), (SANDBOX_ID, 1)] {
        let rows = harness.core.webhooks.list_events(query(workspace)).await.unwrap().rows;
        let fields: Vec<_> = rows.iter().map(|row| (row.kind.as_str(), row.field.as_str(), row.deliveries)).collect();
        assert_eq!(fields, vec![("unknown", "template_desk_test", 1); count], "each test is an event of its own");
    }
    assert_eq!(endpoints(&harness, SANDBOX_ID).await[0].events, 1);

    // A secret in a locked keyring is not a missing one.
    let keyring = harness.keyring.clone();
    keyring.follow(Script::all(KeyringProblem::Locked));
    let harness = Harness::start_with(harness.close().await, keyring).await;
    let report = test_event(&harness, &id, Some("n/1")).await;
    let Some(DeskError::KeyringUnavailable { problem: KeyringProblem::Locked, field, .. }) = report.error else {
        panic!("{report:?}")
    };
    assert_eq!(field.as_deref(), Some("numbers/0/webhookSecret"));
    harness.close().await;
}

/// Replaces the webhook secret of a workspace, and names no other.
async fn rotate(harness: &Harness, id: &str, value: &str) {
    let stored = harness.core.workspaces.get_workspace(WorkspaceId { workspace: id.to_owned() }).await.unwrap();
    let secrets = vec![secret(SecretKind::WebhookSecret, None, value)];
    let request =
        SaveWorkspace { workspace: Some(id.to_owned()), settings: stored.settings, secrets, session_only: false };
    harness.core.workspaces.save_workspace(request).await.unwrap();
}

fn shop_of(provider: &Recorder) -> SaveWorkspace {
    let mut request = shop();
    provider.origin().clone_into(&mut request.settings.base_url);
    request
}

/// Starts again, as if the secrets of these paths had been replaced and used long ago.
async fn reopen_after_days(harness: Harness, paths: &[String]) -> Harness {
    let keyring = harness.keyring.clone();
    let folder = harness.close().await;
    let desk = store::Desk::open(&folder.path().join("desk/desk.sqlite")).unwrap();
    let saved = desk.setting("endpoints.last").await.unwrap().unwrap();
    let mut records: serde_json::Value = serde_json::from_str(&saved).unwrap();
    for path in paths {
        records[path]["secrets"] = json!({"current": 1_000, "previous": 900, "replaced": 500});
    }
    desk.set_setting("endpoints.last", records.to_string()).await.unwrap();
    drop(desk);
    Harness::start_with(folder, keyring).await
}

/// The provider answers with its time, which agrees with that of this machine.
async fn state_the_time(harness: &Harness, provider: &Recorder, id: &str) {
    let date = chrono::Utc::now().format("%a, %d %b %Y %H:%M:%S GMT");
    let body = json!({"data": []}).to_string();
    let head = format!("200 OK\r\ndate: {date}\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
    provider.answer_to("GET /messaging/provider/workspace-templates", &head, body.as_bytes());
    harness.core.templates.refresh_templates(WorkspaceId { workspace: id.to_owned() }).await.unwrap();
}

#[tokio::test]
async fn a_keyring_that_deletes_nothing_keeps_no_unused_secret_valid() {
    let harness = Harness::start().await;
    let provider = Recorder::start().await;
    let id = harness.core.workspaces.save_workspace(shop_of(&provider)).await.unwrap().id;
    let mut request = SaveWorkspace { workspace: Some(id.clone()), ..shop_of(&provider) };
    request.secrets = vec![
        secret(SecretKind::PreviousWebhookSecret, None, "old of shop"),
        secret(SecretKind::PreviousWebhookSecret, Some("n/1"), "old of number"),
    ];
    harness.core.workspaces.save_workspace(request).await.unwrap();
    harness.keyring.follow(Script { deleting: Some(KeyringProblem::Failed), ..Script::default() });
    let paths = endpoints(&harness, &id).await.into_iter().map(|endpoint| endpoint.path).collect::<Vec<_>>();
    let harness = reopen_after_days(harness, &paths).await;
    listening(&harness).await;
    let urls: Vec<_> = endpoints(&harness, &id).await.into_iter().map(|endpoint| endpoint.url).collect();
    state_the_time(&harness, &provider, &id).await;
    for (url, old, current) in [(&urls[0], "old of shop", "of-shop"), (&urls[1], "old of number", "of-number")] {
        wait_until("the unused secret is rejected", async || deliver(url, old, "{}").await == 401).await;
        assert_eq!(deliver(url, current, "{}").await, 200);
    }
    assert!(harness.keyring.holds("old of shop"));
    // The next run does not use the entries that stayed.
    let folder = harness.close().await;
    let desk = store::Desk::open(&folder.path().join("desk/desk.sqlite")).unwrap();
    let stale = desk.setting("secrets.stale").await.unwrap().unwrap();
    assert_eq!(stale.matches("previousWebhookSecret").count(), 2, "{stale}");
}

#[tokio::test]
async fn a_replaced_webhook_secret_is_kept_until_it_is_unused_for_a_day() {
    let harness = Harness::start().await;
    listening(&harness).await;
    let provider = Recorder::start().await;
    let id = harness.core.workspaces.save_workspace(shop_of(&provider)).await.unwrap().id;
    let url = endpoints(&harness, &id).await[0].url.clone();
    assert_eq!(deliver(&url, "of-shop", "{}").await, 200);
    let used = endpoints(&harness, &id).await[0].secret_use.clone();
    assert!(used.current_at.is_some() && used.previous_at.is_none() && used.previous_until.is_none(), "{used:?}");

    rotate(&harness, &id, "mistyped").await;
    let used = endpoints(&harness, &id).await[0].secret_use.clone();
    assert!(used.current_at.is_none() && used.previous_at.is_some() && used.previous_until.is_some(), "{used:?}");
    // The mistyped secret signed nothing, so it does not take the place of the one that is still in use.
    rotate(&harness, &id, "new").await;
    for (secret, expected) in [("of-shop", 200), ("new", 200), ("mistyped", 401)] {
        assert_eq!(deliver(&url, secret, "{}").await, expected, "{secret}");
    }
    assert!(harness.keyring.holds("of-shop") && harness.keyring.holds("new"));

    // Closed for long, and unused for a day before that.
    let harness = reopen_after_days(harness, &[format!("/webhook/{id}")]).await;
    state_the_time(&harness, &provider, &id).await;
    wait_until("the unused secret is removed", async || !harness.keyring.holds("of-shop")).await;
    listening(&harness).await;
    let url = endpoints(&harness, &id).await[0].url.clone();
    assert_eq!(deliver(&url, "new", "{}").await, 200);
    assert_eq!(deliver(&url, "of-shop", "{}").await, 401);
    assert_eq!(endpoints(&harness, &id).await[0].secret_use.previous_until, None);
    harness.close().await;
}

#[tokio::test]
async fn a_delivery_that_began_before_a_rotation_is_no_use_of_the_new_secret() {
    let harness = Harness::start().await;
    let address = listening(&harness).await;
    let id = harness.core.workspaces.save_workspace(shop()).await.unwrap().id;
    let found = endpoints(&harness, &id).await.remove(0);
    assert_eq!(deliver(&found.url, "of-shop", "{}").await, 200);

    let mut sender = BufReader::new(TcpStream::connect(&address).await.unwrap());
    let (path, signature) = (&found.path, signature("of-shop", "{ }"));
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nx-hub-signature-256: {signature}\r\ncontent-length: 3\r\n\
         expect: 100-continue\r\nconnection: close\r\n\r\n"
    );
    sender.write_all(head.as_bytes()).await.unwrap();
    let mut line = String::new();
    sender.read_line(&mut line).await.unwrap();
    assert!(line.starts_with("HTTP/1.1 100"), "the receiver waits for the body: {line}");
    rotate(&harness, &id, "mistyped").await;
    sender.write_all(b"{ }").await.unwrap();
    let mut answer = String::new();
    sender.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("HTTP/1.1 200"), "{answer}");

    let used = endpoints(&harness, &id).await.remove(0).secret_use;
    assert!(used.current_at.is_none() && used.previous_at.is_some(), "{used:?}");
    rotate(&harness, &id, "new").await;
    for (secret, expected) in [("of-shop", 200), ("new", 200), ("mistyped", 401)] {
        assert_eq!(deliver(&found.url, secret, "{}").await, expected, "{secret}");
    }
    // What is verified with the new routes counts again.
    assert!(endpoints(&harness, &id).await[0].secret_use.current_at.is_some());
    harness.close().await;
}

#[tokio::test]
async fn a_person_removes_the_previous_secret_or_enters_another() {
    let harness = Harness::start().await;
    listening(&harness).await;
    let id = harness.core.workspaces.save_workspace(shop()).await.unwrap().id;
    let url = endpoints(&harness, &id).await[0].url.clone();
    rotate(&harness, &id, "new").await;
    for (previous, accepted) in [("entered", true), ("", false)] {
        let stored = harness.core.workspaces.get_workspace(WorkspaceId { workspace: id.clone() }).await.unwrap();
        // Also when the webhook secret is replaced at the same time.
        let secrets = vec![
            secret(SecretKind::PreviousWebhookSecret, None, previous),
            secret(SecretKind::WebhookSecret, None, &format!("new after {previous}")),
        ];
        let request =
            SaveWorkspace { workspace: Some(id.clone()), settings: stored.settings, secrets, session_only: false };
        harness.core.workspaces.save_workspace(request).await.unwrap();
        assert_eq!(deliver(&url, "entered", "{}").await == 200, accepted);
        assert_eq!(deliver(&url, "new", "{}").await, 401);
        assert_eq!(endpoints(&harness, &id).await[0].secret_use.previous_until.is_some(), accepted);
    }
    harness.close().await;
}

#[tokio::test]
async fn consecutive_refusals_emit_one_event_until_a_delivery_is_accepted() {
    let mut harness = Harness::start().await;
    listening(&harness).await;
    let id = harness.core.workspaces.save_workspace(shop()).await.unwrap().id;
    let url = endpoints(&harness, &id).await[1].url.clone();
    for _ in 0..5 {
        assert_eq!(deliver(&url, "another", "{}").await, 401);
    }
    assert_eq!(attention(&harness, &id).await, Attention::WebhooksFailing);
    assert_eq!(deliver(&url, "of-number", "{}").await, 200);
    assert_eq!(attention(&harness, &id).await, Attention::None);
    let mut emitted = Vec::new();
    let changes = harness.event(|event| match event {
        DeskEvent::WebhooksFailing { number, refused, reason, workspace } => {
            emitted.push((workspace.clone(), number.clone(), *refused, *reason));
            None
        }
        // The last event emitted.
        DeskEvent::EventsStored { .. } => Some(()),
        _ => None,
    });
    changes.await;
    assert_eq!(emitted, [(id, Some("n/1".to_owned()), 3, Reason::SignatureMismatch)]);
    harness.close().await;
}

#[tokio::test]
async fn expiring_tokens_emit_one_event_a_day_across_restarts() {
    let harness = Harness::start().await;
    let mut request = shop();
    // Years ago, so that midnight does not matter.
    request.settings.token_expires_on = "2020-01-31".to_owned();
    let id = harness.core.workspaces.save_workspace(request).await.unwrap().id;
    assert_eq!(attention(&harness, &id).await, Attention::TokenExpired);
    let folder = harness.close().await;
    // A person who entered the date has just seen it; another date is notified at the start.
    let desk = store::Desk::open(&folder.path().join("desk/desk.sqlite")).unwrap();
    let emitted = desk.setting("tokens.told").await.unwrap().unwrap();
    assert!(emitted.contains("2020-01-31"), "{emitted}");
    desk.set_setting("tokens.told", "{}".to_owned()).await.unwrap();
    drop(desk);

    let mut harness = Harness::start_in(folder).await;
    let days = harness.event(|event| match event {
        DeskEvent::TokenExpiring { workspace, days, .. } if *workspace == id => Some(*days),
        _ => None,
    });
    assert!(days.await < -365);
    let mut harness = Harness::start_in(harness.close().await).await;
    let mut emitted = 0;
    test_event(&harness, SANDBOX_ID, None).await;
    harness
        .event(|event| {
            emitted += u32::from(matches!(event, DeskEvent::TokenExpiring { .. }));
            matches!(event, DeskEvent::EventsStored { .. }).then_some(())
        })
        .await;
    assert_eq!(emitted, 0, "the reminder of that day was emitted before");
    harness.close().await;
}

#[tokio::test]
async fn category_and_quality_changes_emit_one_event_with_the_old_value() {
    let mut harness = Harness::start().await;
    let id = WorkspaceId { workspace: SANDBOX_ID.to_owned() };
    harness.core.templates.refresh_templates(id.clone()).await.unwrap();
    let query = TemplateQuery { workspace: id.workspace.clone(), search: Some("order".to_owned()), ..one() };
    let row = harness.core.templates.list_templates(query).await.unwrap().rows.remove(0);
    let url = endpoints(&harness, SANDBOX_ID).await[0].url.clone();
    let to = if row.category == "marketing" { "UTILITY" } else { "MARKETING" };
    let event = |field: &str, rest: serde_json::Value| {
        let mut value = json!({"message_template_name": row.name, "message_template_language": row.language});
        value.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        json!({"object": "a", "entry": [{"id": row.wabas[0], "changes": [{"field": field, "value": value}]}]})
            .to_string()
    };
    let moved = json!({"previous_category": row.category.to_uppercase(), "new_category": to});
    let score = |before: &str, after: &str| json!({"previous_quality_score": before, "new_quality_score": after});
    for body in [
        event("template_category_update", moved),
        event("message_template_quality_update", score("UNKNOWN", "GREEN")),
        event("message_template_quality_update", score("GREEN", "RED")),
    ] {
        assert_eq!(deliver(&url, "sandbox-webhook-secret", &body).await, 200);
    }
    let mut emitted = Vec::new();
    let mut note = |event: &DeskEvent| match event {
        DeskEvent::TemplateCategoryChanged { name, before, after, .. } => {
            assert_eq!(*name, row.name);
            emitted.push(("category", before.clone().unwrap_or_default(), after.clone()));
        }
        DeskEvent::TemplateQualityChanged { before, after, .. } => {
            emitted.push(("quality", before.clone().unwrap_or_default(), after.clone()));
        }
        DeskEvent::TemplateStatusChanged { .. } => panic!("its status is what it was: {event:?}"),
        _ => {}
    };
    harness
        .event(|event| {
            note(event);
            matches!(event, DeskEvent::TemplateQualityChanged { after, .. } if after == "RED").then_some(())
        })
        .await;
    // Events that are projected again were already emitted.
    harness.core.webhooks.rebuild_projection(Nothing {}).await.unwrap();
    harness.wait_for_projection().await;
    test_event(&harness, SANDBOX_ID, None).await;
    harness
        .event(|event| {
            note(event);
            matches!(event, DeskEvent::EventsStored { count: 1, .. }).then_some(())
        })
        .await;
    let (category, scores): (Vec<_>, Vec<_>) = emitted.into_iter().partition(|(what, ..)| *what == "category");
    assert_eq!(category, [("category", row.category.clone(), to.to_lowercase())]);
    // Several changes in one batch are emitted as one event.
    assert_eq!(scores.last().unwrap().2, "RED");
    assert!(scores.windows(2).all(|pair| pair[0].2 == pair[1].1), "{scores:?}");
    harness.close().await;
}

fn one() -> TemplateQuery {
    TemplateQuery { limit: 1, ..TemplateQuery::default() }
}
