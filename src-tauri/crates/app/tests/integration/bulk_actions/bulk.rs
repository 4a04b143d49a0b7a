//! Many templates at once: planned, carried out, failing, cancelled, rate-limited, refused, and undone.

use command_types::Nothing;
use command_types::bulk_action::{
    BulkActionKind, ItemState, PlanBulkAction, RetryBulkAction, RunState, StartBulkAction,
};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::template::{TemplateQuery, TemplateTarget};
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind};
use secrecy::SecretString;

use super::super::batches::provider::Reply;
use super::super::batches::settings;
use super::super::webhooks::wait_until;
use super::provider::{name, uuid};
use super::{Desk, counts};

/// Another address requires the token again.
fn token() -> Vec<SecretInput> {
    vec![SecretInput { kind: SecretKind::Token, number: None, value: SecretString::from("token") }]
}

const BROKEN: Reply = Reply::Status("422 Unprocessable Content", "", r#"{"message":"The shelf broke","details":"x"}"#);

#[tokio::test]
async fn three_hundred_templates_are_archived_and_a_failed_one_is_retried() {
    let mut desk = Desk::start(300).await;
    let failing = uuid(137);
    desk.provider.answers({
        let (failing, mut failed) = (failing.clone(), false);
        move |_, uuid| if uuid == failing && !std::mem::replace(&mut failed, true) { BROKEN } else { Reply::Accepted }
    });
    // An unknown one, and a duplicate.
    let bulk_action = desk.plan(BulkActionKind::Archive, (0..300).chain([7, 9_999])).await;
    assert_eq!((bulk_action.state.as_str(), bulk_action.total, bulk_action.approved), ("planned", 301, 300));
    assert_eq!(counts(&bulk_action), [("planned", 300), ("skipped", 1)]);
    assert_eq!((bulk_action.names.len(), bulk_action.name_count, bulk_action.names[0].clone()), (20, 150, name(0)));
    assert_eq!((bulk_action.confirmation.as_deref(), bulk_action.archived), (None, 0));
    let days = desk.core.startup.get_bootstrap(Nothing {}).await.unwrap().channel_days;
    assert_eq!((days.archived, days.blocked_name), (28, 30));
    let skipped = desk.items(&bulk_action, ItemState::Skipped).await;
    assert_eq!((skipped[0].reference.clone(), skipped[0].name.as_str()), (uuid(9_999), ""));
    assert!(matches!(skipped[0].error, Some(DeskError::NotFound { .. })));
    assert!(desk.provider.operations().is_empty(), "a plan does nothing");

    desk.core.bulk_actions.start_bulk_action(desk.start_of(&bulk_action)).await.unwrap();
    let done = desk.wait_until_ended(&bulk_action).await;
    assert_eq!((done.state.as_str(), done.retryable, done.undoable), ("done", 1, true));
    assert_eq!(counts(&done), [("done", 299), ("failed", 1), ("skipped", 1)]);
    let operations = desk.provider.operations();
    assert_eq!((operations.len(), desk.provider.asked().len()), (300, 300), "each once");
    for operation in &operations {
        let line = format!("POST /messaging/provider/workspace-templates/{}/archive", operation.uuid);
        assert_eq!((&operation.line, operation.body), (&line, 0));
    }
    assert!((1..=4).contains(&desk.provider.most_at_once()));
    let failed = desk.items(&done, ItemState::Failed).await;
    assert_eq!((failed[0].reference.as_str(), failed[0].attempts), (failing.as_str(), 1));
    let Some(DeskError::Service { status, message, .. }) = &failed[0].error else { panic!("{failed:?}") };
    assert_eq!((*status, message.as_str()), (422, "The shelf broke"));
    let query = |archived| TemplateQuery {
        workspace: desk.workspace.clone(),
        archived: Some(archived),
        limit: 500,
        ..TemplateQuery::default()
    };
    assert_eq!(desk.core.templates.list_templates(query(true)).await.unwrap().rows.len(), 299);
    assert_eq!(desk.core.templates.list_templates(query(false)).await.unwrap().rows[0].reference, failing);

    desk.retry(&done).await.unwrap();
    let done = desk.wait_until_ended(&bulk_action).await;
    assert_eq!(counts(&done), [("done", 300), ("skipped", 1)]);
    assert_eq!((done.retryable, desk.provider.archived()), (0, 300));
    let asked = desk.provider.asked();
    assert!(asked.iter().all(|(uuid, times)| *times == if *uuid == failing { 2 } else { 1 }), "only what failed");
    assert!(matches!(desk.retry(&bulk_action).await, Err(DeskError::Conflict { .. })));
    desk.close().await;
}

#[tokio::test]
async fn progress_is_emitted_and_list_changes_are_debounced() {
    let mut desk = Desk::start(300).await;
    let bulk_action = desk.started(BulkActionKind::Archive, 0..300).await;
    let (mut progress, mut changes) = (Vec::new(), 0);
    loop {
        match desk.events.recv().await.unwrap() {
            DeskEvent::BulkActionProgress { id, done, total, state, .. } => {
                assert_eq!((id, total), (bulk_action.id.clone(), 300));
                progress.push(done);
                if state == RunState::Done {
                    break;
                }
            }
            DeskEvent::TemplatesChanged { .. } => changes += 1,
            _ => {}
        }
    }
    assert!(progress.is_sorted() && progress.last() == Some(&300), "{progress:?}");
    assert!((1..100).contains(&changes), "{changes} times");
    desk.close().await;
}

#[tokio::test]
async fn cancelled_templates_stay_cancelled_after_a_retry_and_can_be_continued() {
    let mut desk = Desk::start(20).await;
    desk.provider.answers(|before, _| match before {
        3 => BROKEN,
        0..12 => Reply::Accepted,
        _ => Reply::Later,
    });
    let bulk_action = desk.started(BulkActionKind::Archive, 0..20).await;
    wait_until("some are in flight", async || desk.provider.operations().len() == 16).await;
    desk.core.bulk_actions.cancel_bulk_action(desk.id(&bulk_action)).await.unwrap();
    desk.provider.release();
    let cancelled = desk.wait_until_ended(&bulk_action).await;
    assert_eq!(counts(&cancelled), [("cancelled", 4), ("done", 15), ("failed", 1)]);

    desk.provider.answers(|_, _| Reply::Accepted);
    desk.retry(&bulk_action).await.unwrap();
    let retried = desk.wait_until_ended(&bulk_action).await;
    assert_eq!(counts(&retried), [("cancelled", 4), ("done", 16)]);
    assert_eq!((retried.state, retried.retryable), (RunState::Cancelled, 0), "not everything is done");

    let rest = RetryBulkAction { retry_cancelled: Some(true), ..desk.retry_of(&bulk_action) };
    desk.core.bulk_actions.retry_bulk_action(rest).await.unwrap();
    let done = desk.wait_until_ended(&bulk_action).await;
    assert_eq!((done.state, counts(&done)), (RunState::Done, vec![("done", 20)]));
    assert_eq!(desk.provider.operations().len(), 21, "only the failed one is sent twice");
    desk.close().await;
}

#[tokio::test]
async fn a_cancelled_bulk_action_leaves_the_remaining_templates_unchanged() {
    let mut desk = Desk::start(100).await;
    desk.provider.answers(|before, _| if before < 30 { Reply::Accepted } else { Reply::Later });
    let bulk_action = desk.started(BulkActionKind::Archive, 0..100).await;
    wait_until("some are on their way", async || desk.provider.operations().len() == 34).await;
    let cancelling = desk.core.bulk_actions.cancel_bulk_action(desk.id(&bulk_action)).await.unwrap();
    assert_eq!((cancelling.state.as_str(), cancelling.retryable, cancelling.undoable), ("cancelling", 0, false));
    desk.provider.release();
    let cancelled = desk.wait_until_ended(&bulk_action).await;
    assert_eq!(cancelled.state, RunState::Cancelled);
    assert_eq!(counts(&cancelled), [("cancelled", 66), ("done", 34)], "those on their way were waited for");
    assert_eq!(desk.provider.operations().len(), 34);
    assert!(matches!(desk.retry(&bulk_action).await, Err(DeskError::Conflict { .. })), "what was cancelled stays so");
    assert!(matches!(
        desk.core.bulk_actions.cancel_bulk_action(desk.id(&bulk_action)).await,
        Err(DeskError::Conflict { .. })
    ));
    assert!(matches!(
        desk.core.bulk_actions.start_bulk_action(desk.start_of(&bulk_action)).await,
        Err(DeskError::Conflict { .. })
    ));

    let undo = desk.core.bulk_actions.undo_bulk_action(desk.id(&bulk_action)).await.unwrap();
    assert_eq!((undo.state.as_str(), undo.total, undo.undo_of.as_ref()), ("running", 34, Some(&bulk_action.id)));
    assert_eq!(undo.action, BulkActionKind::Unarchive);
    let undone = desk.wait_until_ended(&undo).await;
    assert_eq!(counts(&undone), [("done", 34)]);
    assert_eq!(desk.provider.archived(), 0);
    assert!(!desk.now(&bulk_action).await.undoable);
    assert!(
        matches!(desk.core.bulk_actions.undo_bulk_action(desk.id(&bulk_action)).await, Err(DeskError::Conflict { .. })),
        "once"
    );
    let listed: Vec<_> = desk
        .core
        .bulk_actions
        .list_bulk_actions(command_types::workspace::WorkspaceId { workspace: desk.workspace.clone() })
        .await
        .unwrap()
        .into_iter()
        .map(|bulk_action| bulk_action.id)
        .collect();
    assert_eq!(listed, [undo.id, bulk_action.id]);
    desk.close().await;
}

#[tokio::test]
async fn a_rate_limited_bulk_action_sends_every_template_once() {
    let mut desk = Desk::start(40).await;
    desk.provider.answers(|before, _| match before {
        10 => Reply::Status("429 Too Many Requests", "retry-after: 1\r\n", "{}"),
        // The single request that tests whether the pause was long enough.
        20 => Reply::Status("503 Service Unavailable", "retry-after: 0\r\n", r#"{"error":{"code":131016}}"#),
        _ => Reply::Accepted,
    });
    let bulk_action = desk.started(BulkActionKind::Archive, 0..40).await;
    let done = desk.wait_until_ended(&bulk_action).await;
    assert_eq!((done.state.as_str(), counts(&done)), ("done", vec![("done", 40)]));
    assert_eq!((desk.provider.operations().len(), desk.provider.archived()), (42, 40));
    let again: Vec<_> = desk.provider.asked().into_values().filter(|times| *times > 1).collect();
    assert_eq!(again, [2, 2], "those that were turned away, and no other");
    desk.close().await;
}

#[tokio::test]
async fn a_requested_pause_is_shown_although_earlier_requests_succeed_during_it() {
    let mut desk = Desk::start(12).await;
    desk.provider.answers(|before, _| match before {
        1 => Reply::Status("429 Too Many Requests", "retry-after: 600\r\n", "{}"),
        _ => Reply::Later,
    });
    let bulk_action = desk.started(BulkActionKind::Archive, 0..12).await;
    let waiting = async || desk.now(&bulk_action).await.waiting_until;
    wait_until("the provider asks for a pause", async || waiting().await.is_some()).await;
    desk.provider.release();
    let done = async || counts(&desk.now(&bulk_action).await).contains(&("done", 3));
    wait_until("the requests in flight are answered", done).await;
    assert_eq!(desk.now(&bulk_action).await.waiting_reason.as_deref(), Some("429"));
    let left = waiting().await.expect("the pause is shown") - chrono::Utc::now().timestamp_millis();
    assert!((500_000..=600_000).contains(&left), "{left}");
    assert_eq!(desk.provider.operations().len(), 4, "nothing is sent during the pause");
    desk.core.bulk_actions.cancel_bulk_action(desk.id(&bulk_action)).await.unwrap();
    desk.wait_until_ended(&bulk_action).await;
    desk.close().await;
}

#[tokio::test]
async fn an_error_that_affects_all_items_stops_the_bulk_action() {
    let mut desk = Desk::start(30).await;
    let denied = Reply::Status("401 Unauthorized", "", r#"{"message":"Authentication required","details":"token"}"#);
    desk.provider.answers(move |before, _| if before < 10 { Reply::Accepted } else { denied.clone() });
    let bulk_action = desk.started(BulkActionKind::Archive, 0..30).await;
    let stopped = desk.wait_until_ended(&bulk_action).await;
    assert_eq!((stopped.state.as_str(), stopped.retryable), ("interrupted", 20));
    assert!(matches!(stopped.error, Some(DeskError::Unauthorized { .. })), "{:?}", stopped.error);
    assert_eq!(counts(&stopped), [("done", 10), ("planned", 20)], "only the token is wrong");
    assert!(desk.provider.operations().len() <= 14);

    let move_to = async |url: &str| {
        let request = SaveWorkspace {
            workspace: Some(desk.workspace.clone()),
            settings: settings(url),
            secrets: token(),
            session_only: false,
        };
        desk.core.workspaces.save_workspace(request).await.unwrap();
    };
    move_to("http://127.0.0.1:1").await;
    desk.retry(&bulk_action).await.unwrap();
    super::wait_for_end(&mut desk.events, &bulk_action.id).await;
    let stopped = desk.now(&bulk_action).await;
    assert_eq!((stopped.state.as_str(), counts(&stopped)), ("interrupted", vec![("done", 10), ("planned", 20)]));
    assert!(matches!(stopped.error, Some(DeskError::Offline { .. })), "{:?}", stopped.error);

    desk.provider.answers(|_, _| Reply::Accepted);
    let back = SaveWorkspace {
        workspace: Some(desk.workspace.clone()),
        settings: settings(&desk.provider.url),
        secrets: token(),
        session_only: false,
    };
    desk.core.workspaces.save_workspace(back).await.unwrap();
    desk.retry(&bulk_action).await.unwrap();
    let done = desk.wait_until_ended(&bulk_action).await;
    assert_eq!((done.state.as_str(), done.error.clone(), counts(&done)), ("done", None, vec![("done", 30)]));
    desk.close().await;
}

#[tokio::test]
async fn deletion_requires_the_exact_confirmation_text() {
    let mut desk = Desk::start(6).await;
    for (numbers, wanted, wrong) in [
        (vec![0, 1], name(0), vec![None, Some(""), Some("promo_000"), Some("promo_0000 "), Some("PROMO_0000")]),
        (vec![2, 3, 4], "delete 3".to_owned(), vec![None, Some("delete"), Some("delete 4"), Some("promo_0001")]),
    ] {
        let before = desk.provider.operations().len();
        let bulk_action = desk.plan(BulkActionKind::Delete, numbers.clone()).await;
        assert_eq!((bulk_action.confirmation.as_ref(), bulk_action.approved), (Some(&wanted), numbers.len() as u32));
        for typed in wrong {
            let start = StartBulkAction { confirmation: typed.map(str::to_owned), ..desk.start_of(&bulk_action) };
            let refused = desk.core.bulk_actions.start_bulk_action(start).await.unwrap_err();
            assert!(matches!(&refused, DeskError::InvalidInput { field, .. } if field == "confirmation"), "{refused}");
        }
        assert_eq!(
            (desk.now(&bulk_action).await.state.as_str(), desk.provider.operations().len()),
            ("planned", before)
        );
        desk.core.bulk_actions.start_bulk_action(desk.start_of(&bulk_action)).await.unwrap();
        let done = desk.wait_until_ended(&bulk_action).await;
        assert_eq!(counts(&done), [("done", numbers.len() as u32)]);
        assert!(!done.undoable);
        assert!(matches!(
            desk.core.bulk_actions.undo_bulk_action(desk.id(&bulk_action)).await,
            Err(DeskError::Conflict { .. })
        ));
        for operation in &desk.provider.operations()[before..] {
            assert_eq!(operation.line, format!("DELETE /messaging/provider/workspace-templates/{}", operation.uuid));
        }
    }
    let left = TemplateQuery { workspace: desk.workspace.clone(), limit: 9, ..TemplateQuery::default() };
    let left: Vec<_> =
        desk.core.templates.list_templates(left).await.unwrap().rows.into_iter().map(|row| row.reference).collect();
    assert_eq!(left, [uuid(5)]);
    desk.close().await;
}

#[tokio::test]
async fn a_plan_skips_templates_in_the_target_state_and_can_be_discarded() {
    let mut desk = Desk::start(4).await;
    let bulk_action = desk.started(BulkActionKind::Archive, [0, 1]).await;
    desk.wait_until_ended(&bulk_action).await;
    let query = TemplateQuery { workspace: desk.workspace.clone(), limit: 1, ..TemplateQuery::default() };
    let target = TemplateTarget::Query { query };
    let workspace = desk.workspace.clone();
    let plan = PlanBulkAction { workspace: workspace.clone(), action: BulkActionKind::Archive, target };
    let bulk_action = desk.core.bulk_actions.plan_bulk_action(plan).await.unwrap();
    assert_eq!(
        counts(&bulk_action),
        [("planned", 2), ("skipped", 2)],
        "all that the list has, whatever page of it is shown"
    );
    let page = desk.detail(&bulk_action, None, None, 3).await;
    assert_eq!((page.items.len(), page.next), (3, Some(2)));
    let rest = desk.detail(&bulk_action, None, page.next, 3).await;
    assert_eq!((rest.items.len(), rest.items[0].position, rest.next), (1, 3, None));
    desk.core.bulk_actions.discard_bulk_action(desk.id(&bulk_action)).await.unwrap();
    assert!(matches!(
        desk.core.bulk_actions.discard_bulk_action(desk.id(&bulk_action)).await,
        Err(DeskError::NotFound { .. })
    ));

    let nothing = desk.plan(BulkActionKind::Unarchive, [2, 3]).await;
    assert_eq!((counts(&nothing), nothing.name_count), (vec![("skipped", 2)], 0));
    assert!(matches!(
        desk.core.bulk_actions.start_bulk_action(desk.start_of(&nothing)).await,
        Err(DeskError::Conflict { .. })
    ));
    let target = TemplateTarget::References { references: Vec::new() };
    let none = PlanBulkAction { workspace: workspace.clone(), action: BulkActionKind::Archive, target };
    let refused = desk.core.bulk_actions.plan_bulk_action(none).await.unwrap_err();
    assert!(matches!(&refused, DeskError::InvalidInput { field, .. } if field == "target"), "{refused}");
    // The bulk action does not exist in another workspace.
    let foreign = StartBulkAction { workspace: "other".to_owned(), ..desk.start_of(&nothing) };
    assert!(matches!(desk.core.bulk_actions.start_bulk_action(foreign).await, Err(DeskError::NotFound { .. })));
    desk.close().await;
}
