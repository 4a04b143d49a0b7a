//! Further rounds: nobody is in two of them, also when a batch or a round is started while another is planned.

use store::Desk;
use store::desk::{Batch, CallState, JobKind, PlannedRow, Round, RoundRow, RoundStep, RunState, RunStep};

use super::batch::{answer, batch, desk, report, rows, send, state_of};

/// A batch that has ended, whose rows 2 and 3 were refused.
async fn ended(dir: &tempfile::TempDir) -> Desk {
    let desk = desk(dir).await;
    desk.add_batch(batch("b", 2, 1), rows(2), None, 5).await.unwrap();
    desk.start_batch("b", vec![RunState::Planned], 2).await.unwrap();
    for row in [2, 3] {
        desk.record_send(send(&format!("s{row}"), row)).await.unwrap();
        desk.finish_send(&format!("s{row}"), answer(CallState::Refused), None).await.unwrap();
    }
    desk.end_job(JobKind::Batch, "b", RunState::Interrupted, None, 3).await.unwrap();
    desk
}

/// A further round of the rows 2 and 3; `is_left_out` if they have a problem.
async fn add(desk: &Desk, id: &str, people: &str, is_left_out: bool) -> RoundStep {
    let planned = rows(2).into_iter().map(|row| PlannedRow { problem: is_left_out.then(|| "{}".to_owned()), ..row });
    let of_rows = [2, 3].map(|row| RoundRow { row, origin_row: row, attempt: 2, not_before: None });
    let round = Round { batch_id: id.to_owned(), origin_id: "b".to_owned(), people: people.to_owned() };
    desk.add_round(batch(id, 2, 4), planned.collect(), round, of_rows.to_vec()).await.unwrap()
}

async fn known(desk: &Desk) -> Vec<String> {
    desk.batches("w", 9).await.unwrap().into_iter().map(|batch: Batch| batch.id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_in_two_rounds_when_a_draft_is_started_meanwhile() {
    let dir = tempfile::tempdir().unwrap();
    let desk = ended(&dir).await;
    assert_eq!(add(&desk, "c", "passing", false).await, RoundStep::Done);
    // A draft of the same group is replaced, one of another group is not.
    assert_eq!(add(&desk, "d", "passing", false).await, RoundStep::Done);
    assert_eq!(add(&desk, "e", "capped", false).await, RoundStep::InLaterBatch);
    assert_eq!(known(&desk).await, ["d", "b"]);
    desk.start_batch("d", vec![RunState::Planned], 5).await.unwrap();
    assert_eq!(add(&desk, "e", "passing", false).await, RoundStep::InLaterBatch);
    assert_eq!(known(&desk).await, ["d", "b"]);
    assert_eq!(add(&desk, "e", "passing", true).await, RoundStep::Done, "people who are left out get nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_is_resumed_meanwhile_has_no_new_round() {
    let dir = tempfile::tempdir().unwrap();
    let desk = ended(&dir).await;
    let refused = || vec![(2, "s2".to_owned()), (3, "s3".to_owned())];
    assert_eq!(
        desk.resume_batch("b", refused(), Some(("{\"a\":1}".to_owned(), None)), 4).await.unwrap(),
        RunStep::Done
    );
    assert_eq!(state_of(&desk, 2).await, ("planned".to_owned(), None));
    assert_eq!(desk.batch("b").await.unwrap().unwrap().request, "{\"a\":1}");
    assert_eq!(add(&desk, "c", "passing", false).await, RoundStep::OriginRunning);
    assert_eq!(known(&desk).await, ["b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn resuming_a_batch_leaves_people_of_its_rounds_to_them() {
    let dir = tempfile::tempdir().unwrap();
    let desk = ended(&dir).await;
    let refused = || vec![(2, "s2".to_owned()), (3, "s3".to_owned())];
    add(&desk, "c", "passing", false).await;
    assert_eq!(desk.resume_batch("b", refused(), None, 4).await.unwrap(), RunStep::Done);
    assert_eq!(state_of(&desk, 2).await, ("refused".to_owned(), Some("s2".to_owned())));
    assert_eq!(
        desk.resume_batch("b", refused(), Some(("{}".to_owned(), None)), 5).await.unwrap(),
        RunStep::State(RunState::Running)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_of_a_round_knows_what_became_of_the_earlier_messages() {
    let dir = tempfile::tempdir().unwrap();
    let desk = ended(&dir).await;
    add(&desk, "c", "passing", false).await;
    let found = async |row| {
        let (origin, is_sent) = desk.origin_row("c", row).await.unwrap().unwrap();
        (origin.planned.row, origin.state.as_str().to_owned(), is_sent)
    };
    assert_eq!(found(2).await, (2, "refused".to_owned(), false));
    desk.finish_send("s2", answer(CallState::Unknown), Some("m2".to_owned())).await.unwrap();
    desk.store_outcomes(vec![report("m2", "failed", 5)]).await.unwrap();
    assert_eq!(found(2).await, (2, "failed".to_owned(), false));
    desk.store_outcomes(vec![report("m2", "delivered", 6)]).await.unwrap();
    assert_eq!(found(2).await, (2, "delivered".to_owned(), true));
    assert_eq!(found(3).await, (3, "refused".to_owned(), false));
    assert_eq!(desk.origin_row("b", 2).await.unwrap(), None, "no further round");
    let rows = desk.round_rows("c", 0, 2).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.row).collect::<Vec<_>>(), [2], "up to the last row of the page");
}
