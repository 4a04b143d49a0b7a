//! Batches that are cancelled, rate-limited, left without answers, or refused.

use std::collections::BTreeSet;

use command_types::batch::{BatchCounts, BatchId, ResumeBatch, RunState};
use command_types::error::DeskError;

use super::super::webhooks::wait_until;
use super::provider::Reply;
use super::{Desk, ROWS, detail, recipient, wait_for_end};

/// Rows that can be sent.
const GOOD: u32 = ROWS - 3;

#[tokio::test]
async fn a_batch_is_cancelled_and_resumed() {
    let mut desk = Desk::start().await;
    desk.provider.answers(|before, _| if before < 60 { Reply::Accepted } else { Reply::Later });
    let id = desk.started().await;
    wait_until("some are on their way", async || desk.provider.count() > 60).await;
    let cancelling = desk.core.messaging.cancel_batch(BatchId { batch: id.clone() }).await.unwrap();
    assert_eq!(cancelling.state, RunState::Cancelling);
    desk.provider.release();
    let cancelled = desk.wait_until_ended(&id).await;
    let left = desk.provider.count() as u32;
    let counts = BatchCounts { skipped: 3, accepted: left, cancelled: GOOD - left, ..BatchCounts::default() };
    assert_eq!((cancelled.state.as_str(), cancelled.counts), ("cancelled", counts));
    assert!((61..=68).contains(&left), "those on their way were waited for, no other left: {left}");

    desk.resume(&id).await;
    let done = desk.wait_until_ended(&id).await;
    let counts = BatchCounts { skipped: 3, accepted: GOOD, ..BatchCounts::default() };
    assert_eq!((done.state.as_str(), done.counts), ("done", counts));
    assert!(desk.provider.recipients().values().all(|times| *times == 1));
    assert_eq!(desk.provider.count() as u32, GOOD);
    desk.close().await;
}

/// Nobody sends the rest any more: neither with the rows of unknown outcome, nor as a rest.
#[tokio::test]
async fn a_paused_batch_is_ended_for_good() {
    let mut desk = Desk::start().await;
    desk.provider.answers(|before, _| match before {
        5 => Reply::Cut,
        0..60 => Reply::Accepted,
        _ => Reply::Later,
    });
    let id = desk.started().await;
    wait_until("some are on their way", async || desk.provider.count() > 60).await;
    assert!(desk.core.has_running_job(), "it would end with the app");
    let messaging = &desk.core.messaging;
    let asked = || BatchId { batch: id.clone() };
    let refused = messaging.end_batch(asked()).await.unwrap_err();
    assert!(matches!(&refused, DeskError::Conflict { .. }), "it is running: {refused}");
    messaging.cancel_batch(asked()).await.unwrap();
    desk.provider.release();
    desk.wait_until_ended(&id).await;
    let left = desk.provider.count() as u32;

    assert!(!desk.core.has_running_job());
    let ended = desk.core.messaging.end_batch(asked()).await.unwrap();
    let counts =
        BatchCounts { skipped: 3, ended: GOOD - left, accepted: left - 1, unknown: 1, ..BatchCounts::default() };
    assert_eq!((ended.state, ended.counts), (RunState::Done, counts));
    let rest = ResumeBatch { batch: id.clone(), resend_unknown: false };
    assert!(desk.core.messaging.resume_batch(rest).await.is_err(), "nothing is left to send");
    assert!(desk.core.messaging.end_batch(asked()).await.is_err(), "it has ended");
    let unknown = ResumeBatch { batch: id.clone(), resend_unknown: true };
    desk.core.messaging.resume_batch(unknown).await.unwrap();
    assert_eq!(desk.wait_until_ended(&id).await.counts.ended, GOOD - left);
    assert_eq!(desk.provider.count() as u32, left + 1);
    desk.close().await;
}

#[tokio::test]
async fn a_rate_limited_batch_sends_every_row_once() {
    let mut desk = Desk::start().await;
    // Behind the other limits: its second try is none of the requests that they answer, and no pause of the whole batch
    // is longer than its own.
    let pair = recipient(130);
    let limited = pair.clone();
    let mut pair_seen = 0;
    desk.provider.answers(move |before, to| {
        if to == limited {
            pair_seen += 1;
            if pair_seen == 1 {
                return Reply::Status(
                    "400 Bad Request",
                    "retry-after: 2\r\n",
                    r#"{"error":{"code":131056,"message":"Pair rate limit"}}"#,
                );
            }
        }
        match before {
            20 => Reply::Status("429 Too Many Requests", "retry-after: 1\r\n", r#"{"message":"slow down"}"#),
            60 => Reply::Status("400 Bad Request", "", r#"{"error":{"code":130429,"message":"Rate limit hit"}}"#),
            100 => Reply::Status(
                "503 Service Unavailable",
                "retry-after: 1\r\n",
                r#"{"error":{"code":131016,"message":"Service unavailable"}}"#,
            ),
            _ => Reply::Accepted,
        }
    });
    let id = desk.started().await;
    // While it is paused, it shows until when and why.
    wait_until("it waits", async || detail(&desk.core, &id).await.batch.waiting_until.is_some()).await;
    let waiting = detail(&desk.core, &id).await.batch;
    assert!(
        waiting.waiting_reason.is_none_or(|reason| ["429", "130429", "131016", "131056"].contains(&reason.as_str()))
    );
    let done = desk.wait_until_ended(&id).await;
    let counts = BatchCounts { skipped: 3, accepted: GOOD, ..BatchCounts::default() };
    assert_eq!((done.state.as_str(), done.counts, done.waiting_until), ("done", counts, None));
    let taken = desk.provider.accepted_by_recipient();
    assert_eq!(taken.len() as u32, GOOD);
    assert!(taken.values().all(|times| *times == 1), "taken once each");
    assert_eq!(desk.provider.count() as u32, GOOD + 4, "four were turned away and came again");
    // Other recipients did not wait for the paused one.
    let sends = desk.provider.sends();
    let tries: Vec<usize> = (0..sends.len()).filter(|place| sends[*place]["to"] == pair.as_str()).collect();
    assert!(tries.len() == 2 && tries[1] - tries[0] > 8, "{tries:?}");
    desk.close().await;
}

/// A gateway answers after the provider accepted the message.
#[tokio::test]
async fn an_error_without_a_channel_code_leaves_the_row_unknown() {
    let faults = [
        "408 Request Timeout",
        "500 Internal Server Error",
        "503 Service Unavailable",
        "520 Web Server Returned an Unknown Error",
    ];
    let mut desk = Desk::start().await;
    desk.provider.answers(move |before, _| match before {
        // Not in a row, so that the batch does not stop.
        10 | 30 | 50 | 70 => Reply::AcceptedWithoutAnswer(faults[before / 20]),
        _ => Reply::Accepted,
    });
    let id = desk.started().await;
    let done = desk.wait_until_ended(&id).await;
    let counts = BatchCounts { skipped: 3, unknown: 4, accepted: GOOD - 4, ..BatchCounts::default() };
    assert_eq!((done.state.as_str(), done.counts), ("done", counts));
    assert!(desk.provider.recipients().values().all(|times| *times == 1), "no recipient twice");
    assert_eq!(desk.provider.count() as u32, GOOD);
    for row in desk.rows(&id, "unknown").await {
        let error = row.error.unwrap();
        assert!(error.contains("may have been carried out") && !error.to_lowercase().contains("try again"), "{error}");
    }

    // Only a person may resend, at the risk of a second copy; after that nothing is left to resend.
    desk.provider.answers(|_, _| Reply::Accepted);
    let resend = || desk.core.messaging.resume_batch(ResumeBatch { batch: id.clone(), resend_unknown: true });
    resend().await.unwrap();
    wait_for_end(&mut desk.events, &id).await;
    let counts = BatchCounts { skipped: 3, accepted: GOOD, ..BatchCounts::default() };
    assert_eq!(detail(&desk.core, &id).await.batch.counts, counts);
    assert_eq!(desk.provider.recipients().values().filter(|times| **times == 2).count(), 4);
    assert!(resend().await.is_err());
    desk.close().await;
}

#[tokio::test]
async fn a_lost_answer_leaves_the_row_unknown_and_is_not_repeated() {
    let mut desk = Desk::start().await;
    desk.provider.answers(|before, _| if before == 30 { Reply::Cut } else { Reply::Accepted });
    let id = desk.started().await;
    let done = desk.wait_until_ended(&id).await;
    let counts = BatchCounts { skipped: 3, unknown: 1, accepted: GOOD - 1, ..BatchCounts::default() };
    assert_eq!((done.state.as_str(), done.counts), ("done", counts));
    assert_eq!(desk.provider.count() as u32, GOOD);
    let unknown = desk.rows(&id, "unknown").await;
    assert!(unknown[0].error.is_some() && unknown[0].send.is_some(), "{unknown:?}");
    desk.close().await;
}

#[tokio::test]
async fn a_batch_stops_after_several_lost_answers() {
    let mut desk = Desk::start().await;
    desk.provider.answers(|before, _| if before < 10 { Reply::Accepted } else { Reply::Cut });
    let id = desk.started().await;
    let stopped = desk.wait_until_ended(&id).await;
    assert_eq!(stopped.state, RunState::Interrupted);
    assert!(stopped.error.is_some_and(|error| !error.to_string().is_empty()));
    let lost = stopped.counts.unknown;
    assert!((1..20).contains(&lost), "{lost} rows are unknown");
    assert_eq!(stopped.counts.planned, GOOD - stopped.counts.accepted - lost);

    // It continues with the other rows once the provider is back; the unknown ones remain unknown.
    desk.provider.answers(|_, _| Reply::Accepted);
    desk.resume(&id).await;
    let done = desk.wait_until_ended(&id).await;
    let counts = BatchCounts { skipped: 3, unknown: lost, accepted: GOOD - lost, ..BatchCounts::default() };
    assert_eq!((done.state.as_str(), done.counts, done.error), ("done", counts, None));
    assert!(desk.provider.recipients().values().all(|times| *times == 1));
    desk.close().await;
}

#[tokio::test]
async fn an_error_that_affects_all_rows_stops_the_batch() {
    for (status, body) in [
        ("401 Unauthorized", r#"{"message":"Authentication required","details":"Bearer"}"#),
        ("400 Bad Request", r#"{"error":{"code":132015,"message":"Template is paused"}}"#),
    ] {
        let mut desk = Desk::start().await;
        desk.provider
            .answers(move |before, _| if before < 10 { Reply::Accepted } else { Reply::Status(status, "", body) });
        let id = desk.started().await;
        let stopped = desk.wait_until_ended(&id).await;
        assert_eq!(stopped.state, RunState::Interrupted, "{status}");
        assert!(stopped.error.is_some(), "{status}");
        let counts = BatchCounts { skipped: 3, accepted: 10, planned: GOOD - 10, ..BatchCounts::default() };
        assert_eq!(stopped.counts, counts, "{status}: nothing was taken, so everything may leave again");
        desk.provider.answers(|_, _| Reply::Accepted);
        desk.resume(&id).await;
        let counts = BatchCounts { skipped: 3, accepted: GOOD, ..BatchCounts::default() };
        assert_eq!(desk.wait_until_ended(&id).await.counts, counts);
        assert!(desk.provider.accepted_by_recipient().values().all(|times| *times == 1));
        desk.close().await;
    }
}

#[tokio::test]
async fn a_refused_row_is_not_retried_on_resume() {
    let mut desk = Desk::start().await;
    let refused: BTreeSet<String> = [recipient(5), recipient(50)].into();
    let wanted = refused.clone();
    desk.provider.answers(move |_, to| {
        let body = r#"{"error":{"code":131026,"message":"Message undeliverable"}}"#;
        if wanted.contains(to) { Reply::Status("400 Bad Request", "", body) } else { Reply::Accepted }
    });
    let id = desk.started().await;
    let done = desk.wait_until_ended(&id).await;
    let counts = BatchCounts { skipped: 3, refused: 2, accepted: GOOD - 2, ..BatchCounts::default() };
    assert_eq!((done.state.as_str(), done.counts), ("done", counts));
    let rows = desk.rows(&id, "refused").await;
    assert!(rows.iter().all(|row| row.error.as_deref().is_some_and(|error| error.contains("undeliverable"))));
    let numbers: BTreeSet<String> = rows.into_iter().map(|row| row.recipient).collect();
    assert_eq!(numbers, refused);
    assert_eq!(desk.provider.count() as u32, GOOD);
    desk.close().await;
}

#[tokio::test]
async fn closing_the_app_interrupts_a_batch_without_losing_rows() {
    let desk = Desk::start().await;
    desk.provider.answers(|before, _| if before < 40 { Reply::Accepted } else { Reply::Later });
    let id = desk.started().await;
    wait_until("some are on their way", async || desk.provider.count() > 40).await;
    let Desk { core, provider, folder, .. } = desk;
    let closing = tokio::spawn(core.close());
    provider.release();
    closing.await.unwrap();
    let left = provider.count() as u32;
    let folder = store::DataFolder::lock(folder.path().join("desk")).unwrap();
    let stored = store::Desk::open(&folder.desk()).unwrap().batch(&id).await.unwrap().unwrap();
    assert_eq!(stored.state, RunState::Interrupted);
    let counts: Vec<_> = stored.counts.iter().map(|(state, n)| (state.as_str(), *n)).collect();
    assert_eq!(counts, [("accepted", left), ("planned", GOOD - left), ("skipped", 3)]);
}
