//! Lost answers: items are reconciled with the listing.

use std::time::Duration;

use app::Timing;
use command_types::bulk_action::{BulkAction, BulkActionKind, ItemState, RetryBulkAction, RunState};
use command_types::error::DeskError;
use command_types::template::TemplateQuery;
use command_types::workspace::WorkspaceId;

use super::super::batches::provider::Reply;
use super::super::harness::short_timing;
use super::super::webhooks::wait_until;
use super::provider::uuid;
use super::{Desk, counts};

#[tokio::test]
async fn a_lost_answer_is_reconciled_with_the_listing_and_not_repeated() {
    let desk = Desk::start(20).await;
    let provider = desk.provider.clone();
    desk.provider.answers(move |_, asked| {
        if asked == uuid(4) {
            // Carried out, but the answer is lost.
            provider.archive(asked);
            return Reply::Cut;
        }
        if asked == uuid(9) { Reply::Cut } else { Reply::Accepted }
    });
    let bulk_action = desk.started(BulkActionKind::Archive, 0..20).await;
    wait_until("the listing has reported it", async || {
        counts(&desk.now(&bulk_action).await) == [("done", 19), ("failed", 1)]
    })
    .await;
    let ended = desk.now(&bulk_action).await;
    assert_eq!((ended.state.as_str(), ended.retryable), ("done", 1));
    assert!(desk.provider.asked().values().all(|times| *times == 1), "no request is repeated");
    let failed = desk.items(&bulk_action, ItemState::Failed).await;
    assert_eq!((failed[0].reference.clone(), failed[0].attempts), (uuid(9), 1));
    assert!(matches!(&failed[0].error, Some(DeskError::Conflict { message, .. }) if message.contains("list shows")));
    desk.close().await;
}

/// A provider may carry out a request after the connection is gone, as a kill of the app leaves it.
#[tokio::test]
async fn an_early_listing_does_not_show_that_nothing_was_done() {
    let lost_request = Duration::from_secs(60 * 60);
    let mut desk = Desk::start_with(5, Timing { lost_request, ..short_timing() }).await;
    desk.provider.answers(|_, _| Reply::Cut);
    let bulk_action = desk.started(BulkActionKind::Archive, [2]).await;
    desk.wait_until_ended(&bulk_action).await;
    refresh(&desk).await;
    assert_eq!(counts(&desk.now(&bulk_action).await), [("unknown", 1)]);
    desk.provider.archive(&uuid(2));
    refresh(&desk).await;
    wait_until("the listing has reported it", async || counts(&desk.now(&bulk_action).await) == [("done", 1)]).await;
    assert_eq!(desk.provider.operations().len(), 1, "no request is repeated");
    desk.close().await;
}

#[tokio::test]
async fn an_error_without_a_channel_code_is_reconciled_with_the_listing() {
    let desk = Desk::start(20).await;
    desk.provider.answers(move |_, asked| match asked {
        done if done == uuid(4) => Reply::AcceptedWithoutAnswer("503 Service Unavailable"),
        not_done if not_done == uuid(9) => Reply::Status("520 Unknown", "", ""),
        _ => Reply::Accepted,
    });
    let bulk_action = desk.started(BulkActionKind::Archive, 0..20).await;
    wait_until("the listing has reported it", async || {
        counts(&desk.now(&bulk_action).await) == [("done", 19), ("failed", 1)]
    })
    .await;
    assert!(desk.provider.asked().values().all(|times| *times == 1), "no request is repeated");
    desk.close().await;
}

/// A deletion that is carried out without an answer, while the provider still lists the template.
async fn deleted_without_answer(desk: &mut Desk) -> BulkAction {
    desk.provider.freeze_listing(true);
    desk.provider.answers(|_, _| Reply::AcceptedWithoutAnswer(""));
    let bulk_action = desk.started(BulkActionKind::Delete, [2]).await;
    desk.wait_until_ended(&bulk_action).await;
    refresh(desk).await;
    assert_eq!(counts(&desk.now(&bulk_action).await), [("unknown", 1)], "the listing may lag behind");
    bulk_action
}

/// Refreshes the templates; waits for a refresh that is running already.
async fn refresh(desk: &Desk) {
    let workspace = || WorkspaceId { workspace: desk.workspace.clone() };
    wait_until("the templates are refreshed", async || {
        desk.core.templates.refresh_templates(workspace()).await.is_ok()
    })
    .await;
}

#[tokio::test]
async fn a_deletion_stays_unknown_until_the_listing_shows_it() {
    let mut desk = Desk::start(5).await;
    let bulk_action = deleted_without_answer(&mut desk).await;
    desk.provider.freeze_listing(false);
    refresh(&desk).await;
    wait_until("the listing has reported it", async || counts(&desk.now(&bulk_action).await) == [("done", 1)]).await;
    assert_eq!(desk.provider.operations().len(), 1, "no request is repeated");
    desk.close().await;
}

/// A listing may leave out a template by mistake.
#[tokio::test]
async fn one_listing_without_the_template_does_not_show_that_it_was_deleted() {
    let lost_request = Duration::from_secs(60 * 60);
    let mut desk = Desk::start_with(5, Timing { lost_request, ..short_timing() }).await;
    desk.provider.answers(|_, _| Reply::Cut);
    desk.provider.leave_out_once(&uuid(2));
    let bulk_action = desk.started(BulkActionKind::Delete, [2]).await;
    desk.wait_until_ended(&bulk_action).await;
    for _ in 0..2 {
        refresh(&desk).await;
        assert_eq!(counts(&desk.now(&bulk_action).await), [("unknown", 1)]);
    }
    desk.close().await;
}

#[tokio::test]
async fn a_retried_deletion_is_done_when_the_provider_no_longer_knows_the_template() {
    let mut desk = Desk::start(5).await;
    let bulk_action = deleted_without_answer(&mut desk).await;
    desk.provider.answers(|_, _| Reply::Status("404 Not Found", "", r#"{"message":"Template not found"}"#));
    let retry = RetryBulkAction { retry_unknown: Some(true), ..desk.retry_of(&bulk_action) };
    desk.core.bulk_actions.retry_bulk_action(retry).await.unwrap();
    let ended = desk.wait_until_ended(&bulk_action).await;
    assert_eq!((ended.state, counts(&ended)), (RunState::Done, vec![("done", 1)]));

    let refused = desk.started(BulkActionKind::Delete, [3]).await;
    let refused = desk.wait_until_ended(&refused).await;
    assert_eq!(counts(&refused), [("failed", 1)], "no earlier request may have deleted it");
    desk.retry(&refused).await.unwrap();
    assert_eq!(counts(&desk.wait_until_ended(&refused).await), [("failed", 1)]);
    desk.close().await;
}

#[tokio::test]
async fn a_bulk_action_stops_after_several_lost_answers() {
    let mut desk = Desk::start(30).await;
    desk.provider.answers(|_, _| Reply::Cut);
    let bulk_action = desk.started(BulkActionKind::Archive, 0..30).await;
    let stopped = desk.wait_until_ended(&bulk_action).await;
    assert_eq!(stopped.state, RunState::Interrupted);
    let left = desk.provider.operations().len();
    assert!(left < 10, "{left} left");
    wait_until("the listing has reported it", async || {
        counts(&desk.now(&bulk_action).await) == [("failed", left as u32), ("planned", 30 - left as u32)]
    })
    .await;
    desk.close().await;
}

/// A provider that lists archived templates by their status alone.
#[tokio::test]
async fn archived_templates_count_as_what_they_were_before() {
    let mut desk = Desk::start(2).await;
    desk.provider.list_archived_by_status();
    desk.provider.answers(|before, _| match before {
        0 => Reply::Status("500 Internal Server Error", "", "{}"),
        _ => Reply::Accepted,
    });
    let archived = desk.started(BulkActionKind::Archive, 0..2).await;
    desk.wait_until_ended(&archived).await;
    let statuses = async || {
        let query = TemplateQuery { workspace: desk.workspace.clone(), limit: 9, ..TemplateQuery::default() };
        let rows = desk.core.templates.list_templates(query).await.unwrap().rows;
        rows.into_iter().filter(|row| row.status == "ARCHIVED").count()
    };
    wait_until("the listing has shown the first one", async || statuses().await == 1).await;
    let retry = RetryBulkAction { retry_unknown: Some(true), ..desk.retry_of(&archived) };
    desk.core.bulk_actions.retry_bulk_action(retry).await.unwrap();
    wait_until("the retried one is as the first one", async || statuses().await == 2).await;

    // Archived before it was ever listed.
    desk.provider.archive(&uuid(7));
    let request = WorkspaceId { workspace: desk.workspace.clone() };
    wait_until("it is listed", async || {
        desk.core.templates.refresh_templates(request.clone()).await.is_ok() && statuses().await == 3
    })
    .await;
    let plan = desk.plan(BulkActionKind::Delete, [0, 1, 7]).await;
    assert_eq!((plan.archived, plan.approved, plan.approved_before, plan.may_be_approved), (3, 0, 2, 1));
    desk.close().await;
}
