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

use super::connection::workspace;
use super::harness::Harness;
use super::keyring::Script;
use super::webhooks::{envelope, signature, status, wait_until};

pub(super) fn secret(kind: SecretKind, number: Option<&str>, value: &str) -> SecretInput {
    SecretInput { kind, number: number.map(str::to_owned), value: SecretString::from(value) }
}

/// A shop with two numbers, the first of which has its own endpoint.
pub(super) fn shop() -> SaveWorkspace {
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

pub(super) async fn endpoints(harness: &Harness, workspace: &str) -> Vec<Endpoint> {
    harness.core.webhooks.get_endpoints(WorkspaceId { workspace: workspace.to_owned() }).await.unwrap()
}

pub(super) async fn listening(harness: &Harness) -> String {
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
pub(super) async fn deliver(url: &str, secret: &str, body: &str) -> u16 {
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

#[tokio::test]
async fn a_test_event_says_nothing_about_the_secret_of_the_provider() {
    let mut harness = Harness::start().await;
    listening(&harness).await;
    let id = harness.core.workspaces.save_workspace(shop()).await.unwrap().id;
    assert!(test_event(&harness, &id, None).await.stored);
    let silent = endpoints(&harness, &id).await.remove(0);
    assert_eq!((silent.health, silent.last_event_at), (EndpointHealth::Silent, None), "nothing came from the provider");

    assert_eq!(deliver(&silent.url, "another", "{}").await, 401);
    assert!(test_event(&harness, &id, None).await.stored);
    let refusing = endpoints(&harness, &id).await.remove(0);
    assert_eq!((refusing.health, refusing.events), (EndpointHealth::Refusing, 2));

    assert_eq!(deliver(&silent.url, "of-shop", "{}").await, 200);
    harness.wait_for_projection().await;
    let working = endpoints(&harness, &id).await.remove(0);
    assert_eq!((working.health, working.events), (EndpointHealth::Ok, 3));
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
