//! Lost answers: items are reconciled with the listing.

use api::bulk_action::{BulkActionKind, ItemState, RunState};
use api::error::DeskError;

use super::super::batches::provider::Reply;
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
    assert!(matches!(&failed[0].error, Some(DeskError::Conflict { message }) if message.contains("list shows")));
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

#[tokio::test]
async fn a_bulk_action_stops_after_several_lost_answers() {
    let mut desk = Desk::start(30).await;
    desk.provider.answers(|_, _| Reply::Cut);
    let bulk_action = desk.started(BulkActionKind::Delete, 0..30).await;
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
