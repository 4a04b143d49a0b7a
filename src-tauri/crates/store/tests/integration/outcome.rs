//! Reports about messages: which send they change, and which of several reports counts.

use store::Desk;
use store::desk::{Answer, CallState, OutcomeReport, SendOutcome, SendRecord};

use super::batch;

/// Messages of one second to different people, each with its time in milliseconds.
async fn with_sends(dir: &tempfile::TempDir, sends: &[(&str, &str, i64)]) -> Desk {
    let desk = batch::desk(dir).await;
    for (id, recipient, created_at) in sends {
        let (id, recipient) = ((*id).to_owned(), (*recipient).to_owned());
        let send = SendRecord { id, recipient, created_at: *created_at, batch: None, ..batch::send("", 0) };
        desk.record_send(send).await.unwrap();
    }
    desk
}

async fn accept(desk: &Desk, id: &str) {
    let answer = Answer { state: CallState::Accepted, status: Some(200), body: None, error: None, at: 9 };
    desk.finish_send(id, answer, Some("m".to_owned())).await.unwrap();
}

fn report(recipients: &[&str], status: &str, at: i64) -> OutcomeReport {
    OutcomeReport {
        workspace_id: "w".to_owned(),
        message_id: "m".to_owned(),
        recipients: recipients.iter().map(|recipient| (*recipient).to_owned()).collect(),
        number: Some("1".to_owned()),
        outcome: SendOutcome { status: status.to_owned(), at, seq: at, ..SendOutcome::default() },
        ..OutcomeReport::default()
    }
}

async fn statuses(desk: &Desk, sends: &[&str]) -> Vec<Option<String>> {
    let mut found = Vec::new();
    for id in sends {
        found.push(desk.send(id).await.unwrap().unwrap().status);
    }
    found
}

fn words(words: [Option<&str>; 2]) -> Vec<Option<String>> {
    words.map(|word| word.map(str::to_owned)).to_vec()
}

/// A provider may answer several sends with one identifier.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_changes_the_send_to_its_recipient() {
    let dir = tempfile::tempdir().unwrap();
    let desk = with_sends(&dir, &[("a", "551", 1_000), ("b", "552", 1_001)]).await;
    for id in ["b", "a"] {
        accept(&desk, id).await;
    }
    for (recipients, status, changed) in
        [(&["551", "5591"], "sent", "a"), (&["55", "552"], "delivered", "b"), (&["551", "55"], "read", "a")]
    {
        assert_eq!(desk.store_outcomes(vec![report(recipients, status, 5_000)]).await.unwrap(), [changed], "{status}");
    }
    assert_eq!(statuses(&desk, &["a", "b"]).await, words([Some("read"), Some("delivered")]));
}

/// It is matched again after the answer to each send.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_came_before_an_answer_changes_one_send() {
    let dir = tempfile::tempdir().unwrap();
    let desk = with_sends(&dir, &[("a", "551", 1_000), ("b", "552", 1_001)]).await;
    let reports = || vec![report(&["552"], "read", 5_000), report(&["551"], "sent", 5_000)];
    accept(&desk, "a").await;
    assert_eq!(desk.store_outcomes(reports()).await.unwrap(), ["a"], "no other send has the identifier");
    accept(&desk, "b").await;
    assert_eq!(desk.store_outcomes(reports()).await.unwrap(), ["a", "b"]);
    assert_eq!(statuses(&desk, &["a", "b"]).await, words([Some("sent"), Some("read")]));
    assert!(desk.store_outcomes(reports()).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_about_several_messages_to_one_person_stays_with_the_first_match() {
    let dir = tempfile::tempdir().unwrap();
    let desk = with_sends(&dir, &[("a", "551", 1_000), ("b", "551", 4_000), ("later", "551", 9_000)]).await;
    accept(&desk, "a").await;
    let sent = || vec![report(&["551"], "sent", 2_000)];
    assert_eq!(desk.store_outcomes(sent()).await.unwrap(), ["a"]);
    for id in ["b", "later"] {
        accept(&desk, id).await;
        assert!(desk.store_outcomes(sent()).await.unwrap().is_empty(), "{id}");
    }
    // Else it is the newest that had left.
    assert_eq!(desk.store_outcomes(vec![report(&["551"], "read", 5_000)]).await.unwrap(), ["b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_failure_counts_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let desk = batch::desk(&dir).await;
    desk.add_batch(batch::batch("b", 1, 1), batch::rows(1), None, 5).await.unwrap();
    desk.record_send(batch::send("s", 2)).await.unwrap();
    accept(&desk, "s").await;
    let failed = |at: i64, code: Option<i64>| {
        let mut report = report(&["552"], "failed", at);
        report.outcome.error = code.map(|code| format!("{{\"code\":{code}}}"));
        report
    };
    // Without a reason it explains nothing.
    let reports = [failed(3_000, Some(131_049)), failed(2_000, Some(131_000)), failed(4_000, None)];
    desk.store_outcomes(reports.to_vec()).await.unwrap();
    let mut other = report(&["552"], "warning", 5_000);
    other.outcome.error = Some(r#"{"code":1}"#.to_owned());
    desk.store_outcomes(vec![other]).await.unwrap();
    let last = Some(r#"{"code":131049}"#.to_owned());
    assert_eq!(desk.batch_rows("b", None, 0, 1).await.unwrap()[0].failure, last);
    let outcome = desk.batch_outcomes("b").await.unwrap().remove(0);
    assert_eq!((outcome.failure, outcome.failed_at), (last, Some(3_000)));
    let failures = desk.last_failures("w", &["552".to_owned()], 131_049).await.unwrap();
    assert_eq!(failures, [("552".to_owned(), 4_000)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_price_of_the_more_decisive_status_of_a_second_counts() {
    let dir = tempfile::tempdir().unwrap();
    let desk = with_sends(&dir, &[("s", "551", 1_000)]).await;
    accept(&desk, "s").await;
    let priced = |status: &str, category: &str| {
        let mut report = report(&["551"], status, 5_000);
        report.outcome.pricing = Some(format!(r#"{{"billable":true,"category":"{category}"}}"#));
        report
    };
    let reports = vec![priced("sent", "utility"), priced("read", "marketing"), priced("delivered", "service")];
    desk.store_outcomes(reports).await.unwrap();
    assert_eq!(desk.send("s").await.unwrap().unwrap().category.as_deref(), Some("marketing"));
}
