//! Data that survives a stop at any moment.

use std::collections::BTreeSet;

use app::SANDBOX_ID;
use bytes::Bytes;
use command_types::Nothing;
use command_types::activity::EventQuery;
use command_types::composer::{CreateDraft, DraftId};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::send::{SendId, SendOptions, SendQuery, SendRequest};
use command_types::template::{TemplateId, TemplateQuery};
use command_types::unfinished_forms::SaveUnfinishedForm;
use command_types::workspace::{SaveWorkspace, WorkspaceId};
use sandbox::seed;
use serde_json::json;
use store::Desk;
use store::delivery_log::NewDelivery;
use store::desk::{SendKind, UnfinishedForm};

use super::batches::settings;
use super::harness::Harness;

async fn template(harness: &Harness, search: &str) -> TemplateId {
    harness.core.templates.refresh_templates(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    let query = TemplateQuery {
        workspace: SANDBOX_ID.to_owned(),
        search: Some(search.to_owned()),
        statuses: vec!["APPROVED".to_owned()],
        limit: 1,
        ..TemplateQuery::default()
    };
    let page = harness.core.templates.list_templates(query).await.unwrap();
    TemplateId { workspace: SANDBOX_ID.to_owned(), reference: page.rows[0].reference.clone() }
}

#[tokio::test]
async fn a_lost_cache_is_rebuilt_without_losing_user_data() {
    let mut harness = Harness::start().await;
    let draft = CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() };
    let draft = harness.core.authoring.create_draft(draft).await.unwrap();
    let id = template(&harness, "order").await;
    let form = harness.core.messaging.get_send_form(id.clone()).await.unwrap();
    let values = form.parts.iter().filter(|part| part.required).map(|part| (part.id.clone(), part.sample.clone()));
    let request = SendRequest {
        answers: None,
        known_category: None,
        workspace: id.workspace,
        reference: id.reference,
        number: seed::NUMBER.to_owned(),
        to: "5511987654321".to_owned(),
        country: None,
        values: values.collect(),
        options: SendOptions { callback_data: String::new(), track: true, ..SendOptions::default() },
    };
    let send = harness.core.messaging.send_template(request).await.unwrap();
    harness.wait_for_send_state(&send.id, "read").await;
    harness.wait_for_projection().await;
    let events = |core: app::Core| async move {
        let page = core.webhooks.list_events(EventQuery { limit: 500, ..EventQuery::default() }).await.unwrap();
        page.rows.into_iter().map(|row| (row.seq, row.kind, row.summary)).collect::<Vec<_>>()
    };
    let before = events(harness.core.clone()).await;

    let folder = harness.close().await;
    for file in ["cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm"] {
        let _not_there = std::fs::remove_file(folder.path().join("desk").join(file));
    }
    std::fs::write(folder.path().join("desk/cache.sqlite"), b"no database").unwrap();

    let mut harness = Harness::start_in(folder).await;
    harness.wait_for_projection().await;
    assert_eq!(events(harness.core.clone()).await, before);
    assert_eq!(harness.core.authoring.get_draft(DraftId { draft: draft.id.clone() }).await.unwrap().id, draft.id);
    let send = harness.core.messaging.get_send(SendId { send: send.id }).await.unwrap();
    assert_eq!((send.row.state.as_str(), send.timeline.len()), ("read", 3));
    let notices = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().notices;
    assert_eq!(notices.len(), 1, "one notice: {notices:?}");
    harness.close().await;
}

#[tokio::test]
async fn a_restored_backup_is_announced_once() {
    let harness = Harness::start().await;
    let backup = harness.core.data.back_up(harness.folder.path()).await.unwrap();
    harness.core.data.restore_backup(std::path::Path::new(&backup.path)).await.unwrap();
    let harness = Harness::start_in(harness.close().await).await;
    let started = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap();
    assert!(started.restore.is_some_and(|restore| restore.is_done), "{:?}", started.restore);
    assert_eq!(started.notices, [""; 0]);
    harness.close().await;
}

#[tokio::test]
async fn stored_deliveries_are_projected_once_after_a_restart() {
    let harness = Harness::start().await;
    let folder = harness.close().await;
    let status = |status: &str, at: u32| {
        let body = json!({"object": "messaging_business_account", "entry": [{"id": "1", "changes": [{"field": "messages",
            "value": {"messaging_product": "messaging", "metadata": {"phone_number_id": "2"},
                "statuses": [{"id": "wamid.1", "status": status, "timestamp": at.to_string(), "recipient_id": "55"}]}}]}]});
        NewDelivery {
            received_at: 1_700_000_000_000,
            route: SANDBOX_ID.to_owned(),
            headers: Vec::new(),
            body: Bytes::from(body.to_string()),
        }
    };
    let delivery_log = store::DeliveryLog::open(&folder.path().join("desk/inbox.sqlite")).unwrap();
    for (word, at) in [("read", 3), ("sent", 1), ("read", 3), ("delivered", 2), ("sent", 1)] {
        delivery_log.append(status(word, at)).await.unwrap();
    }
    drop(delivery_log);

    let mut harness = Harness::start_in(folder).await;
    harness.wait_for_projection().await;
    let query = || EventQuery { kind: Some("status".to_owned()), limit: 50, ..EventQuery::default() };
    let page = harness.core.webhooks.list_events(query()).await.unwrap();
    let mut seen: Vec<_> = page.rows.iter().map(|row| (row.summary.as_str(), row.deliveries)).collect();
    seen.sort_unstable();
    assert_eq!(seen, [("delivered", 1), ("read", 2), ("sent", 2)]);
    harness.close().await;
}

#[tokio::test]
async fn a_send_interrupted_by_a_restart_is_unknown() {
    let harness = Harness::start().await;
    let folder = harness.close().await;
    let desk = Desk::open(&folder.path().join("desk/desk.sqlite")).unwrap();
    let under_way = |id: &str, kind, batch: Option<(&str, u32)>| store::desk::SendRecord {
        id: id.to_owned(),
        workspace_id: SANDBOX_ID.to_owned(),
        number: seed::NUMBER.to_owned(),
        recipient: "5511987654321".to_owned(),
        kind,
        batch: batch.map(|(batch, row)| (batch.to_owned(), row)),
        payload: "{}".to_owned(),
        created_at: 1,
        ..store::desk::SendRecord::default()
    };
    let kinds = [
        under_way("s1", SendKind::Template, None),
        under_way("s2", SendKind::Text, None),
        under_way("s3", SendKind::Template, Some(("b", 1))),
    ];
    for send in kinds {
        desk.record_send(send).await.unwrap();
    }
    drop(desk);
    let harness = Harness::start_in(folder).await;
    let query = SendQuery { workspace: SANDBOX_ID.to_owned(), limit: 10, ..SendQuery::default() };
    let page = harness.core.messaging.list_sends(query).await.unwrap();
    let states: Vec<_> = page.rows.iter().map(|row| (row.id.as_str(), row.state.as_str())).collect();
    assert_eq!(states, [("s3", "unknown"), ("s2", "unknown"), ("s1", "unknown")]);
    assert!(harness.sandbox.phones().is_empty(), "none of them is sent by itself");
    harness.close().await;
}

#[tokio::test]
async fn a_data_folder_has_one_process() {
    let harness = Harness::start().await;
    let second = app::lock_data_folder(&harness.folder.path().join("desk"));
    assert!(matches!(second, Err(DeskError::Conflict { .. })), "{second:?}");
    harness.close().await;
}

#[tokio::test]
async fn unfinished_forms_survive_a_restart_until_they_are_done() {
    let mut harness = Harness::start().await;
    let save = |workspace: &str, form: &str, content: Option<&str>| SaveUnfinishedForm {
        workspace: workspace.to_owned(),
        form: form.to_owned(),
        content: content.map(str::to_owned),
    };
    let other = SaveWorkspace {
        workspace: None,
        settings: settings("http://127.0.0.1:9"),
        secrets: Vec::new(),
        session_only: false,
    };
    let other = harness.core.workspaces.save_workspace(other).await.unwrap().id;
    let workspaces = &harness.core.workspaces;
    for request in [
        save(SANDBOX_ID, "reply +55 11.5", Some("{\"text\":\"Olá\"}")),
        save(SANDBOX_ID, "text", Some("first")),
        save(SANDBOX_ID, "text", Some("second")),
        save(SANDBOX_ID, "sent", Some("x")),
        save(SANDBOX_ID, "sent", None),
        save(&other, "text", Some("elsewhere")),
    ] {
        workspaces.save_unfinished_form(request).await.unwrap();
    }
    for (request, field) in [
        (save(SANDBOX_ID, "text", Some(&"x".repeat(64 * 1024 + 1))), "content"),
        (save(SANDBOX_ID, "", Some("x")), "form"),
    ] {
        let refused = workspaces.save_unfinished_form(request).await.unwrap_err();
        assert!(matches!(&refused, DeskError::InvalidInput { field: at, .. } if at == field), "{refused:?}");
    }
    let unknown = workspaces.save_unfinished_form(save("gone", "text", Some("x"))).await.unwrap_err();
    assert!(matches!(unknown, DeskError::NotFound { .. }), "{unknown:?}");

    let folder = harness.close().await;
    harness = Harness::start_in(folder).await;
    let workspaces = &harness.core.workspaces;
    let kept = async || {
        let mut forms = workspaces.list_unfinished_forms(Nothing {}).await.unwrap();
        forms.sort_by(|a, b| (&a.workspace, &a.form).cmp(&(&b.workspace, &b.form)));
        forms.into_iter().map(|form| (form.workspace, form.form, form.content)).collect::<BTreeSet<_>>()
    };
    let expected = |forms: &[(&str, &str, &str)]| {
        forms.iter().map(|(a, b, c)| ((*a).to_owned(), (*b).to_owned(), (*c).to_owned())).collect::<BTreeSet<_>>()
    };
    let of_sandbox = [(SANDBOX_ID, "reply +55 11.5", "{\"text\":\"Olá\"}"), (SANDBOX_ID, "text", "second")];
    assert_eq!(kept().await, expected(&[of_sandbox.as_slice(), &[(&other, "text", "elsewhere")]].concat()));
    workspaces.delete_workspace(WorkspaceId { workspace: other }).await.unwrap();
    assert_eq!(kept().await, expected(&of_sandbox));

    for number in 0..60 {
        workspaces.save_unfinished_form(save(SANDBOX_ID, &format!("send {number}"), Some("x"))).await.unwrap();
    }
    assert_eq!(kept().await.len(), 50, "the oldest forms are dropped");
    harness.close().await;
}

#[tokio::test]
async fn unfinished_forms_are_dropped_after_30_days() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&folder.path().join("desk.sqlite")).unwrap();
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let form = |form: &str, day: i64| UnfinishedForm {
        workspace: SANDBOX_ID.to_owned(),
        form: form.to_owned(),
        content: "x".to_owned(),
        saved_at: day * DAY,
    };
    let [old, new] = [form("old", 100), form("new", 110)];
    desk.save_unfinished_form(old.clone()).await.unwrap();
    desk.save_unfinished_form(new.clone()).await.unwrap();
    assert_eq!(desk.unfinished_forms(130 * DAY).await.unwrap(), [new.clone(), old]);
    assert_eq!(desk.unfinished_forms(131 * DAY).await.unwrap(), [new]);
    desk.save_unfinished_form(form("newest", 141)).await.unwrap();
    assert_eq!(desk.unfinished_forms(110 * DAY).await.unwrap(), [form("newest", 141)], "it is deleted, too");
    desk.close();
}

/// A day ahead, and put right before the next start.
#[tokio::test]
async fn a_listing_from_a_clock_that_was_ahead_is_fetched_again() {
    let harness = Harness::start().await;
    let pending = template(&harness, "").await;
    let folder = harness.close().await;
    let cache = rusqlite::Connection::open(folder.path().join("desk/cache.sqlite")).unwrap();
    cache
        .execute_batch(
            "UPDATE listing SET asked_at = asked_at + 86400000; UPDATE template SET asked_at = asked_at + 86400000;
             UPDATE template SET status = 'PENDING';",
        )
        .unwrap();
    drop(cache);

    let mut harness = Harness::start_in(folder).await;
    let query = TemplateQuery { workspace: SANDBOX_ID.to_owned(), ..TemplateQuery::default() };
    harness.core.templates.list_templates(query.clone()).await.unwrap();
    harness.event(|event| matches!(event, DeskEvent::SyncFinished { .. }).then_some(())).await;
    let as_of = harness.core.templates.list_templates(query).await.unwrap().as_of.unwrap();
    assert!(as_of <= outgoing::now(), "{as_of}");
    assert_eq!(harness.core.templates.get_template(pending).await.unwrap().row.status, "APPROVED");
    harness.close().await;
}

#[tokio::test]
async fn the_start_after_a_crash_says_when_the_crashed_run_began() {
    let harness = Harness::start().await;
    assert_eq!(harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().crashed_run, None);
    let folder = harness.close().await;
    let path = store::run_journal::RunJournal::path_in(&folder.path().join("desk"));
    let mut record: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    record["running"] = json!(true);
    let began = record["startedAt"].as_i64().unwrap();
    std::fs::write(&path, record.to_string()).unwrap();
    let harness = Harness::start_in(folder).await;
    let crashed = harness.core.startup.get_bootstrap(Nothing {}).await.unwrap().crashed_run.unwrap();
    assert_eq!((crashed.started_at, crashed.ended_before >= began), (began, true));
    harness.close().await;
}
