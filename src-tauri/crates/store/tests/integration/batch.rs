//! Batches: rows follow their sends, counts follow the rows, and a sent row is not planned again.

use std::path::Path;

use store::backup::{back_up, stage, staged};
use store::check::Stopper;
use store::desk::{
    Answer, Batch, BatchSide, CallState, FigureFilter, FigureKey, JobKind, OutcomeReport, PlannedRow, Recipient,
    RecipientResult, RowState, RunState, RunStep, SendFilter, SendOutcome, SendRecord, Workspace, salvage,
};
use store::{DataFolder, DeliveryLog, Desk, StoreError, StoreFile};

pub(super) async fn desk(dir: &tempfile::TempDir) -> Desk {
    opened(&dir.path().join("desk.sqlite")).await
}

async fn opened(path: &Path) -> Desk {
    let desk = Desk::open(path).unwrap();
    for id in ["w", "v"] {
        let workspace = Workspace { id: id.into(), position: 0, settings: "{}".into(), created_at: 1, updated_at: 1 };
        desk.upsert_workspace(workspace).await.unwrap();
    }
    desk
}

pub(super) fn batch(id: &str, total: u32, created_at: i64) -> Batch {
    Batch {
        id: id.to_owned(),
        workspace_id: "w".to_owned(),
        number: "1".to_owned(),
        template_ref: "r".to_owned(),
        template_name: "promo".to_owned(),
        language: "pt_BR".to_owned(),
        source: "list.csv".to_owned(),
        request: "{}".to_owned(),
        state: RunState::Planned,
        error: None,
        total,
        created_at,
        started_at: None,
        ended_at: None,
        cost: None,
        mapping: None,
        counts: Vec::new(),
    }
}

/// Rows 2, 3, …; every tenth of them has a problem.
pub(super) fn rows(count: u32) -> Vec<PlannedRow> {
    (2..count + 2)
        .map(|row| PlannedRow {
            row,
            recipient: format!("55{row}"),
            written: format!("+55 {row}"),
            name: None,
            filled: r#"{"body.1":"Ana"}"#.to_owned(),
            problem: (row % 10 == 0).then(|| "{}".to_owned()),
        })
        .collect()
}

pub(super) fn send(id: &str, row: u32) -> SendRecord {
    SendRecord {
        id: id.to_owned(),
        workspace_id: "w".to_owned(),
        number: "1".to_owned(),
        recipient: format!("55{row}"),
        batch: Some(("b".to_owned(), row)),
        payload: "{}".to_owned(),
        ..SendRecord::default()
    }
}

pub(super) fn answer(state: CallState) -> Answer {
    let error = (state != CallState::Accepted).then(|| r#"{"code":"rateLimited"}"#.to_owned());
    Answer { state, status: None, body: None, error, at: 9 }
}

pub(super) fn report(message: &str, status: &str, at: i64) -> OutcomeReport {
    OutcomeReport {
        workspace_id: "w".to_owned(),
        message_id: message.to_owned(),
        outcome: SendOutcome {
            status: status.to_owned(),
            at,
            error: (status == "failed").then(|| r#"{"code":131026}"#.to_owned()),
            ..SendOutcome::default()
        },
        ..OutcomeReport::default()
    }
}

async fn counts(desk: &Desk) -> Vec<(RowState, u32)> {
    desk.batch("b").await.unwrap().unwrap().counts
}

fn counted(expected: &[(&str, u32)]) -> Vec<(RowState, u32)> {
    expected.iter().map(|(state, n)| ((*state).into(), *n)).collect()
}

pub(super) async fn state_of(desk: &Desk, row: u32) -> (String, Option<String>) {
    let found = desk.batch_rows("b", None, row - 1, 1).await.unwrap().remove(0);
    assert_eq!(found.planned.row, row);
    (found.state.as_str().to_owned(), found.send_id)
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_follow_their_sends_and_counts_follow_the_rows() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.add_batch(batch("b", 12, 1), rows(12), None, 5).await.unwrap();
    assert_eq!(counts(&desk).await, counted(&[("planned", 11), ("skipped", 1)]));
    assert_eq!(desk.start_batch("b", vec![RunState::Planned], 2).await.unwrap(), RunStep::Done);

    for row in 2..8 {
        desk.record_send(send(&format!("s{row}"), row)).await.unwrap();
    }
    assert_eq!(counts(&desk).await, counted(&[("planned", 5), ("sending", 6), ("skipped", 1)]));
    for (row, state) in
        [(2, CallState::Accepted), (3, CallState::Accepted), (4, CallState::Refused), (5, CallState::Unknown)]
    {
        desk.finish_send(&format!("s{row}"), answer(state), Some(format!("m{row}"))).await.unwrap();
    }
    desk.store_outcomes(vec![report("m2", "read", 3), report("m2", "sent", 2), report("m3", "failed", 2)])
        .await
        .unwrap();
    // The channel reports a status for a send with unknown outcome; a status equal to one of our state words is not
    // that state.
    desk.store_outcomes(vec![report("m5", "planned", 2)]).await.unwrap();
    assert_eq!(
        counts(&desk).await,
        counted(&[
            ("failed", 1),
            ("other", 1),
            ("planned", 5),
            ("read", 1),
            ("refused", 1),
            ("sending", 2),
            ("skipped", 1)
        ])
    );
    let found = desk.batch_rows("b", Some("failed".into()), 0, 9).await.unwrap();
    assert_eq!((found.len(), found[0].failure.as_deref()), (1, Some(r#"{"code":131026}"#)));
    let found = desk.batch_rows("b", Some("refused".into()), 0, 9).await.unwrap();
    assert_eq!(found[0].call_error.as_deref(), Some(r#"{"code":"rateLimited"}"#));

    // A refused row may be sent again, as another send. No other row may.
    assert!(matches!(desk.record_send(send("again", 2)).await, Err(StoreError::Sqlite(_))));
    for (row, again) in [(2, false), (3, false), (4, true), (5, false), (6, false)] {
        assert_eq!(desk.replan_row("b", row, &format!("s{row}")).await.unwrap(), again, "{row}");
    }
    assert!(!desk.replan_row("b", 4, "s4").await.unwrap(), "it is planned already");
    assert_eq!(state_of(&desk, 4).await, ("planned".to_owned(), None));
    desk.record_send(send("again", 4)).await.unwrap();
    assert_eq!(state_of(&desk, 4).await, ("sending".to_owned(), Some("again".to_owned())));
    // The replaced send no longer changes the row.
    desk.store_outcomes(vec![report("m4", "failed", 2)]).await.unwrap();
    assert_eq!(state_of(&desk, 4).await.0, "sending");
    let planned: Vec<_> =
        desk.batch_rows("b", Some("planned".into()), 8, 2).await.unwrap().iter().map(|row| row.planned.row).collect();
    assert_eq!(planned, [9, 11]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_allows_only_the_transitions_of_its_state() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.add_batch(batch("b", 3, 1), rows(3), None, 5).await.unwrap();
    desk.add_batch(batch("c", 1, 2), rows(1), None, 5).await.unwrap();
    desk.add_batch(Batch { number: "2".into(), ..batch("d", 1, 3) }, rows(1), None, 5).await.unwrap();
    let start = |id: &'static str| desk.start_batch(id, vec![RunState::Planned], 5);
    let resume = |id: &'static str| desk.start_batch(id, vec![RunState::Cancelled, RunState::Interrupted], 6);
    assert_eq!(start("none").await.unwrap(), RunStep::Missing);
    assert_eq!(resume("b").await.unwrap(), RunStep::State(RunState::Planned));
    assert_eq!(start("b").await.unwrap(), RunStep::Done);
    assert_eq!(start("b").await.unwrap(), RunStep::State(RunState::Running));
    assert_eq!(start("c").await.unwrap(), RunStep::Busy("b".to_owned()));
    assert_eq!(start("d").await.unwrap(), RunStep::Done, "another number");
    desk.record_send(send("s2", 2)).await.unwrap();
    assert_eq!(desk.cancel_job(JobKind::Batch, "b", 7).await.unwrap(), RunStep::Done);
    assert_eq!(desk.cancel_job(JobKind::Batch, "b", 7).await.unwrap(), RunStep::State(RunState::Cancelling));
    assert_eq!(start("c").await.unwrap(), RunStep::Busy("b".to_owned()), "rows are still in flight");
    let ended = desk.end_job(JobKind::Batch, "b", RunState::Interrupted, Some("{}".to_owned()), 8).await.unwrap();
    assert_eq!(ended, RunState::Cancelled);
    assert_eq!(counts(&desk).await, counted(&[("cancelled", 2), ("sending", 1)]));
    assert_eq!(resume("b").await.unwrap(), RunStep::Done);
    let resumed = desk.batch("b").await.unwrap().unwrap();
    assert_eq!((resumed.state, resumed.started_at, resumed.ended_at), (RunState::Running, Some(5), None));
    assert_eq!(counts(&desk).await, counted(&[("planned", 2), ("sending", 1)]));
    desk.end_job(JobKind::Batch, "b", RunState::Interrupted, Some("{}".to_owned()), 9).await.unwrap();
    assert_eq!(desk.batch("b").await.unwrap().unwrap().error.as_deref(), Some("{}"));
    assert_eq!(desk.cancel_job(JobKind::Batch, "b", 10).await.unwrap(), RunStep::Done);
    assert_eq!(counts(&desk).await, counted(&[("cancelled", 2), ("sending", 1)]));
    assert_eq!(desk.cancel_job(JobKind::Batch, "none", 10).await.unwrap(), RunStep::Missing);
    // Cancelled after every row was sent: it is done.
    desk.cancel_job(JobKind::Batch, "d", 11).await.unwrap();
    assert_eq!(desk.end_job(JobKind::Batch, "d", RunState::Done, None, 12).await.unwrap(), RunState::Done);
    let late = desk.end_job(JobKind::Batch, "d", RunState::Cancelled, None, 13).await.unwrap();
    assert_eq!(late, RunState::Done, "an ended job does not change");
    let newest: Vec<_> = desk.batches("w", 2).await.unwrap().into_iter().map(|batch| batch.id).collect();
    assert_eq!(newest, ["d", "c"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_rows_in_flight_are_unknown_and_the_rest_planned() {
    let dir = tempfile::tempdir().unwrap();
    let first = desk(&dir).await;
    first.add_batch(batch("b", 5, 1), rows(5), None, 5).await.unwrap();
    first.add_batch(Batch { number: "2".into(), ..batch("c", 2, 2) }, rows(2), None, 5).await.unwrap();
    for id in ["b", "c"] {
        first.start_batch(id, vec![RunState::Planned], 2).await.unwrap();
    }
    first.cancel_job(JobKind::Batch, "c", 3).await.unwrap();
    first.record_send(send("s2", 2)).await.unwrap();
    first.record_send(send("s3", 3)).await.unwrap();
    first.finish_send("s3", answer(CallState::Accepted), None).await.unwrap();
    drop(first);
    let again = desk(&dir).await;
    assert_eq!(again.interrupted().batches, ["b", "c"]);
    assert_eq!(again.batch("b").await.unwrap().unwrap().state, RunState::Interrupted);
    assert_eq!(counts(&again).await, counted(&[("accepted", 1), ("planned", 3), ("unknown", 1)]));
    let cancelled = again.batch("c").await.unwrap().unwrap();
    assert_eq!((cancelled.state, cancelled.counts), (RunState::Cancelled, counted(&[("cancelled", 2)])));
    assert_eq!(again.start_batch("b", vec![RunState::Interrupted], 9).await.unwrap(), RunStep::Done);
    assert_eq!(counts(&again).await, counted(&[("accepted", 1), ("planned", 3), ("unknown", 1)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn old_plans_are_deleted_when_new_ones_are_added() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    for (id, at) in [("b", 1), ("c", 2), ("d", 3)] {
        desk.add_batch(batch(id, 2, at), rows(2), None, 2).await.unwrap();
        if id == "b" {
            desk.start_batch("b", vec![RunState::Planned], 2).await.unwrap();
        }
    }
    desk.add_batch(batch("e", 2, 3), rows(2), None, 2).await.unwrap();
    let known: Vec<_> = desk.batches("w", 9).await.unwrap().into_iter().map(|batch| batch.id).collect();
    assert_eq!(known, ["e", "d", "b"], "started jobs remain");
    assert!(desk.batch_rows("c", None, 0, 9).await.unwrap().is_empty());
    // Two rows with one number are a bug of the planner: nothing of such a plan is stored.
    let twice = rows(1).into_iter().chain(rows(1)).collect();
    assert!(desk.add_batch(batch("f", 2, 9), twice, None, 2).await.is_err());
    assert_eq!(desk.batch("f").await.unwrap(), None);
    assert_eq!(desk.batches("w", 9).await.unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_waiting_half_of_a_list_outlives_newer_plans() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    let half =
        |id: &str, is_first| BatchSide { batch_id: id.to_owned(), comparison_id: "x".to_owned(), is_first, share: 50 };
    for (id, is_first) in [("old", true), ("b", true), ("c", false)] {
        desk.add_batch_side(batch(id, 2, 1), rows(2), None, half(id, is_first), 2).await.unwrap();
    }
    assert_eq!(desk.batch("old").await.unwrap(), None, "another check of a half replaces its plan");
    assert_eq!(desk.batch_sides("x").await.unwrap(), [half("b", true), half("c", false)]);
    desk.start_batch("b", vec![RunState::Planned], 2).await.unwrap();
    for id in ["d", "e", "f"] {
        desk.add_batch(batch(id, 2, 3), rows(2), None, 2).await.unwrap();
    }
    assert!(desk.batch("c").await.unwrap().is_some());
    assert_eq!(desk.batch("d").await.unwrap(), None);
    assert_eq!(desk.batch_side("c").await.unwrap(), Some(half("c", false)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_whose_send_is_recorded_is_not_sent_again() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    for (id, row, state) in [("s2", 2, CallState::Accepted), ("s3", 3, CallState::Refused)] {
        desk.record_send(send(id, row)).await.unwrap();
        desk.finish_send(id, answer(state), None).await.unwrap();
    }
    desk.add_batch(batch("b", 3, 1), rows(3), None, 5).await.unwrap();
    assert_eq!(counts(&desk).await, counted(&[("planned", 3)]));
    desk.start_batch("b", vec![RunState::Planned], 2).await.unwrap();
    assert_eq!(counts(&desk).await, counted(&[("planned", 2), ("unknown", 1)]));
    assert_eq!(state_of(&desk, 2).await.0, "unknown");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_with_unknown_outcome_are_resent_only_on_request() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.add_batch(batch("b", 4, 1), rows(4), None, 5).await.unwrap();
    desk.start_batch("b", vec![RunState::Planned], 2).await.unwrap();
    for (row, state) in [(1, CallState::Accepted), (2, CallState::Unknown), (3, CallState::Unknown)] {
        desk.record_send(send(&format!("s{row}"), row)).await.unwrap();
        desk.finish_send(&format!("s{row}"), answer(state), Some(format!("m{row}"))).await.unwrap();
    }
    assert_eq!(desk.resend_unknown("b", 3).await.unwrap(), RunStep::State(RunState::Running));
    desk.end_job(JobKind::Batch, "b", RunState::Done, None, 3).await.unwrap();
    assert!(desk.record_send(send("again", 2)).await.is_err(), "not by itself");
    // A status resolves one of them first.
    desk.store_outcomes(vec![report("m3", "delivered", 3)]).await.unwrap();
    assert_eq!(desk.resend_unknown("b", 4).await.unwrap(), RunStep::Done);
    assert_eq!(state_of(&desk, 2).await, ("planned".to_owned(), None));
    assert_eq!(state_of(&desk, 3).await.0, "delivered");

    desk.record_send(send("again", 2)).await.unwrap();
    assert!(desk.record_send(send("thrice", 2)).await.is_err());
    desk.finish_send("again", answer(CallState::Accepted), None).await.unwrap();
    // Later statuses of the first message no longer change the row.
    desk.store_outcomes(vec![report("m2", "failed", 5)]).await.unwrap();
    assert_eq!(state_of(&desk, 2).await, ("accepted".to_owned(), Some("again".to_owned())));
    assert_eq!(desk.send("s2").await.unwrap().unwrap().status.as_deref(), Some("failed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_of_one_row_are_one_message() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    desk.add_batch(batch("b", 1, 1), rows(1), None, 5).await.unwrap();
    desk.start_batch("b", vec![RunState::Planned], 2).await.unwrap();
    let attempt = |id: &str, created_at| SendRecord { template_name: "promo".to_owned(), created_at, ..send(id, 2) };
    let refused = || Answer { status: Some(429), ..answer(CallState::Refused) };
    let shown = async || {
        let filter = SendFilter { workspace_id: "w".to_owned(), limit: 9, ..SendFilter::default() };
        let ids = |rows: Vec<SendRecord>| rows.into_iter().map(|send| send.id).collect::<Vec<_>>();
        let listed = ids(desk.sends(filter).await.unwrap().rows);
        assert_eq!(ids(desk.sent_to("w", "552", None, 9).await.unwrap()), listed);
        let figures = desk.figures(all_by_template()).await.unwrap();
        let figures = figures.iter().map(|of| (of.sent, of.read, of.failed, of.waiting)).collect::<Vec<_>>();
        (listed, figures)
    };
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();

    desk.record_send(attempt("s1", 1)).await.unwrap();
    desk.finish_send("s1", refused(), None).await.unwrap();
    assert_eq!(shown().await, (ids(&["s1"]), vec![(1, 0, 1, 0)]), "until it is repeated");
    desk.replan_row("b", 2, "s1").await.unwrap();
    desk.record_send(attempt("s2", 2)).await.unwrap();
    assert_eq!(shown().await, (ids(&["s2"]), vec![]));
    desk.finish_send("s2", refused(), None).await.unwrap();
    desk.replan_row("b", 2, "s2").await.unwrap();
    desk.record_send(attempt("s3", 3)).await.unwrap();
    desk.finish_send("s3", answer(CallState::Unknown), Some("m3".to_owned())).await.unwrap();
    assert_eq!(shown().await, (ids(&["s3"]), vec![(1, 0, 0, 1)]));
    desk.end_job(JobKind::Batch, "b", RunState::Done, None, 3).await.unwrap();

    assert_eq!(desk.resend_unknown("b", 4).await.unwrap(), RunStep::Done);
    assert_eq!(shown().await.0, ids(&["s3"]), "until it is sent again");
    desk.record_send(attempt("s4", 4)).await.unwrap();
    desk.finish_send("s4", answer(CallState::Accepted), Some("m4".to_owned())).await.unwrap();
    desk.store_outcomes(vec![report("m4", "read", 5)]).await.unwrap();
    assert_eq!(shown().await, (ids(&["s4"]), vec![(1, 1, 0, 0)]));
    desk.store_outcomes(vec![report("m3", "failed", 6)]).await.unwrap();
    assert_eq!(shown().await, (ids(&["s4"]), vec![(1, 1, 0, 0)]));
    // It arrived as well: these are two messages.
    desk.store_outcomes(vec![report("m3", "read", 7)]).await.unwrap();
    assert_eq!(shown().await, (ids(&["s4", "s3"]), vec![(2, 2, 0, 0)]));
}

fn all_by_template() -> FigureFilter {
    FigureFilter {
        workspace_id: "w".to_owned(),
        by: FigureKey::Template,
        from: None,
        to: None,
        template: None,
        language: None,
        category: None,
        numbers: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_salvaged_desk_keeps_the_state_of_every_row() {
    let dir = tempfile::tempdir().unwrap();
    let whole = desk(&dir).await;
    whole.add_batch(batch("b", 12, 1), rows(12), None, 5).await.unwrap();
    whole.start_batch("b", vec![RunState::Planned], 2).await.unwrap();
    whole.record_send(send("s2", 2)).await.unwrap();
    whole.finish_send("s2", answer(CallState::Refused), None).await.unwrap();
    whole.replan_row("b", 2, "s2").await.unwrap();
    whole.record_send(send("s3", 3)).await.unwrap();
    whole.finish_send("s3", answer(CallState::Accepted), None).await.unwrap();
    whole.end_job(JobKind::Batch, "b", RunState::Interrupted, None, 3).await.unwrap();
    whole.upsert_recipient(recipient("p", "55", "Ana")).await.unwrap();
    let before = (counts(&whole).await, whole.batch_rows("b", None, 0, 99).await.unwrap());
    drop(whole);
    let salvaged = salvage(&dir.path().join("desk.sqlite")).unwrap();
    assert_eq!(salvaged.lost, Some(0));
    let desk = Desk::open(&salvaged.file).unwrap();
    assert_eq!((counts(&desk).await, desk.batch_rows("b", None, 0, 99).await.unwrap()), before);
    assert_eq!(desk.recipients("w").await.unwrap().len(), 1);
    // Its triggers work again.
    desk.record_send(send("s4", 4)).await.unwrap();
    assert_eq!(state_of(&desk, 4).await.0, "sending");
}

fn recipient(id: &str, number: &str, name: &str) -> Recipient {
    Recipient {
        id: id.to_owned(),
        workspace_id: "w".to_owned(),
        name: name.to_owned(),
        number: number.to_owned(),
        labels: r#"["team"]"#.to_owned(),
        ..Recipient::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_book_contains_each_number_once() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    let ana = recipient("p", "552", "ana");
    assert_eq!(desk.upsert_recipient(ana.clone()).await.unwrap(), RecipientResult::Done);
    let twice = desk.upsert_recipient(recipient("q", "552", "Bia")).await.unwrap();
    assert_eq!(twice, RecipientResult::Taken(ana.clone()));
    let elsewhere = Recipient { workspace_id: "v".to_owned(), ..recipient("q", "552", "Bia") };
    assert_eq!(desk.upsert_recipient(elsewhere).await.unwrap(), RecipientResult::Done);
    desk.upsert_recipient(recipient("r", "553", "Zoe")).await.unwrap();
    desk.upsert_recipient(recipient("s", "554", "Bia")).await.unwrap();
    desk.upsert_recipient(Recipient { note: "n".to_owned(), ..ana }).await.unwrap();
    for (id, at) in [("s1", 4), ("s2", 7), ("s3", 5)] {
        let sent = SendRecord { created_at: at, batch: None, ..send(id, 2) };
        desk.record_send(sent).await.unwrap();
    }
    let known = desk.recipients("w").await.unwrap();
    let shown: Vec<_> =
        known.iter().map(|person| (person.name.as_str(), person.note.as_str(), person.last_sent_at)).collect();
    assert_eq!(shown, [("ana", "n", Some(7)), ("Bia", "", None), ("Zoe", "", None)]);
    desk.delete_recipients("w", vec!["p".into(), "q".into(), "gone".into()]).await.unwrap();
    assert_eq!(desk.recipients("w").await.unwrap().len(), 2);
    assert_eq!(desk.recipient("q").await.unwrap().unwrap().workspace_id, "v", "of another workspace");
    desk.delete_workspace("w").await.unwrap();
    assert_eq!(desk.recipient("r").await.unwrap(), None);
}

/// A batch may have continued after the backup; resuming it from the older state would send twice to some people.
#[tokio::test(flavor = "multi_thread")]
async fn a_restored_batch_does_not_continue() {
    let dir = tempfile::tempdir().unwrap();
    let folder = DataFolder::lock(dir.path().join("data")).unwrap();
    drop(DeliveryLog::open(&folder.delivery_log()).unwrap());
    let desk = opened(&folder.desk()).await;
    for (id, state) in [("b", RunState::Cancelled), ("ready", RunState::Planned)] {
        desk.add_batch(batch(id, 4, 1), rows(4), None, 5).await.unwrap();
        if state == RunState::Cancelled {
            desk.start_batch(id, vec![RunState::Planned], 2).await.unwrap();
            desk.record_send(send("s2", 2)).await.unwrap();
            desk.finish_send("s2", answer(CallState::Accepted), Some("m2".to_owned())).await.unwrap();
            desk.end_job(JobKind::Batch, id, RunState::Cancelled, None, 3).await.unwrap();
        }
    }
    let backups = dir.path().join("backups");
    std::fs::create_dir(&backups).unwrap();
    let (backup, _) = back_up(&folder, &backups, "b1", 4, "1", &Stopper::default()).unwrap();
    desk.close();
    stage(&folder, &backup).unwrap();

    let (_, restored) = staged(&folder).unwrap().into_iter().find(|(file, _)| *file == StoreFile::Desk).unwrap();
    let restored = Desk::open(&restored).unwrap();
    assert_eq!(counts(&restored).await, counted(&[("accepted", 1), ("unknown", 3)]));
    assert_eq!(restored.batch("b").await.unwrap().unwrap().state, RunState::Done);
    let resumable = || vec![RunState::Planned, RunState::Cancelled, RunState::Interrupted];
    assert_eq!(restored.start_batch("b", resumable(), 5).await.unwrap(), RunStep::State(RunState::Done));
    assert_eq!(restored.start_batch("ready", resumable(), 5).await.unwrap(), RunStep::Missing, "it was only checked");
    assert_eq!(restored.batch_rows("ready", None, 0, 9).await.unwrap(), []);
}

/// Batches that were sent to people with names.
async fn named(dir: &tempfile::TempDir, people: u32) -> Desk {
    let desk = desk(dir).await;
    for (at, first) in (0..people).step_by(10_000).enumerate() {
        let id = format!("b{at}");
        let mut rows = rows(10_000.min(people - first));
        for (place, row) in rows.iter_mut().enumerate() {
            let number = first + u32::try_from(place).unwrap();
            (row.name, row.problem) = (Some(format!("Ângela São Número {number}")), None);
            row.recipient = format!("5511{number:09}");
        }
        let batch = Batch { id: id.clone(), ..batch(&id, 10_000, at.try_into().unwrap()) };
        desk.add_batch(batch, rows, None, 10).await.unwrap();
    }
    drop(desk);
    let raw = rusqlite::Connection::open(dir.path().join("desk.sqlite")).unwrap();
    raw.execute_batch("UPDATE batch_row SET send_id = recipient, state = 'accepted'").unwrap();
    opened(&dir.path().join("desk.sqlite")).await
}

#[tokio::test]
async fn recipients_are_found_by_any_letters_of_their_names() {
    let dir = tempfile::tempdir().unwrap();
    let desk = named(&dir, 300).await;
    let find = async |words: &[&str], limit: usize| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        desk.recipients_named("w", words, limit).await.unwrap()
    };
    assert_eq!(find(&["ângela", "número 77"], 10).await, ["5511000000077"]);
    assert_eq!(find(&["são"], 200).await.len(), 200);
    assert!(find(&["nobody"], 10).await.is_empty());
    desk.close();
}
