//! Batches that were ended for good: who was left out is known, and can be sent to. Elsewhere people ask for that list
//! (freeCodeCamp/mail-for-good 74).

use command_types::batch::{BatchCounts, BatchId, BatchQuery, RunState};
use command_types::batch_ending::BatchEnding;
use command_types::batch_round::OutcomeGroup;
use command_types::error::DeskError;
use command_types::workspace::WorkspaceId;
use model::send::SendProblemCode;

use super::super::webhooks::wait_until;
use super::provider::Reply;
use super::round::{find, groups, plan, start};
use super::{BAD, Desk, ROWS, detail};

/// Rows that can be sent.
const GOOD: u32 = ROWS - 3;

/// A batch that was ended after the provider had some of its messages, and how many were not sent.
async fn ended(desk: &mut Desk) -> (String, u32) {
    desk.provider.answers(|before, _| if before < 60 { Reply::Accepted } else { Reply::Later });
    let id = desk.started().await;
    wait_until("some are in flight", async || desk.provider.count() > 60).await;
    desk.core.messaging.cancel_batch(BatchId { batch: id.clone() }).await.unwrap();
    desk.provider.release();
    desk.wait_until_ended(&id).await;
    desk.core.messaging.end_batch(BatchId { batch: id.clone() }).await.unwrap();
    desk.provider.answers(|_, _| Reply::Accepted);
    let left = GOOD - desk.provider.count() as u32;
    (id, left)
}

#[tokio::test]
async fn people_whom_an_ended_batch_left_out_are_a_group_with_a_batch_of_its_own() {
    let mut desk = Desk::start().await;
    let (id, left) = ended(&mut desk).await;
    let batch = detail(&desk.core, &id).await.batch;
    let counts = BatchCounts { skipped: 3, ended: left, accepted: GOOD - left, ..BatchCounts::default() };
    assert_eq!((batch.state, batch.ending, batch.counts), (RunState::Done, Some(BatchEnding::Ended), counts));
    let listed = desk.core.messaging.list_batches(WorkspaceId { workspace: desk.workspace.clone() }).await.unwrap();
    let listed = listed.into_iter().find(|listed| listed.id == id).map(|listed| (listed.ending, listed.counts));
    assert_eq!(listed, Some((Some(BatchEnding::Ended), counts)));

    // Rows that were left out by the checks are not among them.
    assert_eq!(desk.rows(&id, "skipped").await.iter().map(|row| row.row).collect::<Vec<_>>(), BAD);
    let found = groups(&desk, &id).await;
    let group = find(&found, OutcomeGroup::Ended);
    assert_eq!((group.people, group.again, group.in_later_batch), (left, left, 0));
    assert_eq!(find(&found, OutcomeGroup::LeftOut).people, 3);
    let query = BatchQuery { batch: id.clone(), group: Some(OutcomeGroup::Ended), limit: 500, ..BatchQuery::default() };
    let rows = desk.core.messaging.get_batch(query).await.unwrap().rows;
    assert!(rows.iter().all(|row| row.send.is_none()
        && row.problem.as_ref().is_some_and(|problem| problem.code == SendProblemCode::RowEnded)));
    let path = desk.folder.path().join("ended.csv");
    desk.core.messaging.export_batch_to(&path, BatchId { batch: id.clone() }).await.unwrap();
    let file = std::fs::read_to_string(&path).unwrap();
    assert_eq!((file.matches(",not sent,").count() as u32, file.matches(",skipped,").count()), (left, 3));

    let round = plan(&desk, &id, OutcomeGroup::Ended).await.unwrap();
    assert_eq!((round.total, round.counts.planned), (left, left));
    let lines = |rows: &[command_types::batch::BatchRow]| rows.iter().map(|row| row.row).collect::<Vec<_>>();
    assert_eq!(lines(&desk.rows(&round.id, "planned").await), lines(&rows), "the lines of the file");
    start(&desk, &round.id).await.unwrap();
    desk.wait_until_ended(&round.id).await;
    assert_eq!(desk.provider.count() as u32, GOOD);
    assert!(desk.provider.recipients().values().all(|times| *times == 1));
    let found = groups(&desk, &id).await;
    let group = find(&found, OutcomeGroup::Ended);
    assert_eq!((group.people, group.again, group.in_later_batch), (left, 0, left));
    assert!(matches!(plan(&desk, &id, OutcomeGroup::Ended).await, Err(DeskError::Conflict { .. })));
    desk.close().await;
}

/// More often than a person may get the message: none of them got it. Only the last round sends to them.
#[tokio::test]
async fn a_round_that_is_ended_passes_its_people_on() {
    let mut desk = Desk::start().await;
    let (mut id, left) = ended(&mut desk).await;
    for _ in 0..5 {
        let round = plan(&desk, &id, OutcomeGroup::Ended).await.unwrap().id;
        desk.core.messaging.cancel_batch(BatchId { batch: round.clone() }).await.unwrap();
        let ended = desk.core.messaging.end_batch(BatchId { batch: round.clone() }).await.unwrap();
        assert_eq!(ended.counts, BatchCounts { ended: left, ..BatchCounts::default() });
        let earlier = groups(&desk, &id).await;
        let group = find(&earlier, OutcomeGroup::Ended);
        assert_eq!((group.again, group.in_later_batch), (0, left));
        id = round;
    }
    let last = plan(&desk, &id, OutcomeGroup::Ended).await.unwrap().id;
    start(&desk, &last).await.unwrap();
    desk.wait_until_ended(&last).await;
    assert_eq!(desk.provider.count() as u32, GOOD);
    assert!(desk.provider.recipients().values().all(|times| *times == 1));
    desk.close().await;
}
