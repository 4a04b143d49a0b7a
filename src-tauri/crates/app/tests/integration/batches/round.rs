//! What became of the people of a batch, and further rounds: nobody gets the message before it is allowed, too often, or
//! twice.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use app::Timing;
use command_types::batch::{Batch, BatchId, BatchQuery, ResumeBatch, StartBatch};
use command_types::batch_round::{BatchGroup, BatchGroups, OutcomeGroup, PlanRound};
use command_types::error::{DeskError, Result};
use command_types::send::{SendOptions, SendRequest};
use model::send::SendProblemCode;
use serde_json::{Value, json};

use super::super::webhooks::{Provider as Sender, wait_until};
use super::provider::{OFFER, Reply};
use super::{Desk, NUMBER, ROWS, WEBHOOK_SECRET, detail, file, recipient, request, short_timing, wait_for_end};

pub(super) const MINUTE: i64 = 60 * 1_000;
pub(super) const HOUR: i64 = 60 * MINUTE;
/// Rows that can be sent.
const GOOD: u32 = ROWS - 3;
pub(super) const CAPPED: &str =
    r#"{"error":{"code":131049,"message":"Not delivered to maintain healthy ecosystem engagement"}}"#;
const UNDELIVERABLE: &str = r#"{"error":{"code":131026,"message":"Message undeliverable"}}"#;

pub(super) fn now() -> i64 {
    chrono::Utc::now().timestamp_millis()
}

pub(super) async fn groups(desk: &Desk, id: &str) -> BatchGroups {
    desk.core.messaging.get_batch_groups(BatchId { batch: id.to_owned() }).await.unwrap()
}

pub(super) fn find(groups: &BatchGroups, group: OutcomeGroup) -> &BatchGroup {
    groups.groups.iter().find(|found| found.group == group).unwrap()
}

pub(super) async fn plan(desk: &Desk, id: &str, group: OutcomeGroup) -> Result<Batch> {
    desk.core.messaging.plan_round(PlanRound { batch: id.to_owned(), group }).await
}

pub(super) async fn start(desk: &Desk, id: &str) -> Result<Batch> {
    desk.core.messaging.start_batch(StartBatch { batch: id.to_owned(), skip_bad: true }).await
}

/// A sender of webhooks of the workspace.
pub(super) async fn sender(desk: &Desk) -> Sender {
    Sender::for_workspace(&desk.core, desk.workspace.clone()).await
}

pub(super) async fn deliver(sender: &Sender, mut value: Value) {
    value["messaging_product"] = json!("messaging");
    value["metadata"] = json!({"display_phone_number": NUMBER, "phone_number_id": NUMBER});
    let body = json!({"object": "messaging_business_account",
                      "entry": [{"id": "waba-1", "changes": [{"field": "messages", "value": value}]}]});
    assert_eq!(sender.deliver(WEBHOOK_SECRET, &body.to_string()).await, 200);
}

/// A status of the first message to a person, at an instant in Unix milliseconds.
pub(super) async fn report(desk: &Desk, sender: &Sender, to: &str, status: &str, code: Option<i64>, at: i64) {
    let nth = desk.provider.sends().iter().position(|body| body["to"] == to).unwrap();
    report_nth(sender, nth, to, status, code, at).await;
}

/// A status of the last message to a person.
pub(super) async fn report_last(desk: &Desk, sender: &Sender, to: &str, status: &str, code: Option<i64>, at: i64) {
    let nth = desk.provider.sends().iter().rposition(|body| body["to"] == to).unwrap();
    report_nth(sender, nth, to, status, code, at).await;
}

async fn report_nth(sender: &Sender, nth: usize, to: &str, status: &str, code: Option<i64>, at: i64) {
    let mut value = json!({"id": format!("wamid.{nth}"), "status": status, "timestamp": (at / 1_000).to_string(), "recipient_id": to});
    if let Some(code) = code {
        value["errors"] = json!([{"code": code, "title": "failed"}]);
    }
    deliver(sender, json!({"statuses": [value]})).await;
}

#[tokio::test]
async fn nobody_who_was_held_back_gets_the_message_before_the_time() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let clock: fn() -> i64 = || now() + AHEAD.load(Ordering::SeqCst);
    let mut desk = Desk::start_with(Timing { clock, ..short_timing() }).await;
    let held: BTreeSet<String> = [recipient(5), recipient(50)].into();
    let wanted = held.clone();
    desk.provider.answers(move |_, to| {
        if wanted.contains(to) { Reply::Status("400 Bad Request", "", CAPPED) } else { Reply::Accepted }
    });
    let id = desk.started().await;
    desk.wait_until_ended(&id).await;

    let found = groups(&desk, &id).await;
    let capped = find(&found, OutcomeGroup::Capped);
    assert_eq!((capped.people, capped.again, capped.tried_often, capped.in_later_batch), (2, 2, 0, 0));
    let from = capped.again_from.unwrap();
    assert!((from - now() - 24 * HOUR).abs() < MINUTE, "{capped:?}");
    assert_eq!(find(&found, OutcomeGroup::Underway).people, GOOD - 2);
    assert_eq!(find(&found, OutcomeGroup::LeftOut).people, 3);
    let query = BatchQuery { batch: id.clone(), group: Some(OutcomeGroup::Capped), limit: 1, ..BatchQuery::default() };
    let page = desk.core.messaging.get_batch(query.clone()).await.unwrap();
    let rest = desk.core.messaging.get_batch(BatchQuery { after: page.next.clone(), ..query }).await.unwrap();
    assert_eq!([&page.rows[0].recipient, &rest.rows[0].recipient], [&recipient(5), &recipient(50)]);

    let draft = plan(&desk, &id, OutcomeGroup::Capped).await.unwrap();
    let origin = draft.origin.clone().unwrap();
    assert_eq!((origin.batch.as_str(), origin.group, origin.earliest), (id.as_str(), OutcomeGroup::Capped, Some(from)));
    assert_eq!((draft.state.as_str(), draft.total, draft.counts.planned), ("planned", 2, 2));
    // The people keep the cells of the file.
    let path = desk.folder.path().join("round.csv");
    desk.core.messaging.export_batch_to(&path, BatchId { batch: draft.id.clone() }).await.unwrap();
    let file = desk.core.messaging.read_csv(&path).await.unwrap();
    assert_eq!((file.columns[..3].to_vec(), file.rows), (["numero", "nome", "dia"].map(str::to_owned).to_vec(), 2));
    let written = file.sample.iter().map(|row| row[0].trim_start_matches(['\'', '+'])).collect::<Vec<_>>();
    assert_eq!(written, [recipient(5), recipient(50)]);
    let sent = desk.provider.count();
    for ahead in [0, 24 * HOUR - MINUTE] {
        AHEAD.store(ahead, Ordering::SeqCst);
        assert!(matches!(start(&desk, &draft.id).await, Err(DeskError::Conflict { .. })), "{ahead}");
    }
    assert_eq!(desk.provider.count(), sent, "nothing left");

    // A second click replaces the draft of the group. Where there are too many plans, only those of files are deleted.
    let again = plan(&desk, &id, OutcomeGroup::Capped).await.unwrap();
    for _ in 0..6 {
        desk.plan().await;
    }
    assert_eq!(groups(&desk, &id).await.rounds.iter().map(|round| &round.batch).collect::<Vec<_>>(), [&again.id]);

    AHEAD.store(24 * HOUR + MINUTE, Ordering::SeqCst);
    desk.provider.answers(|_, _| Reply::Accepted);
    start(&desk, &again.id).await.unwrap();
    let done = desk.wait_until_ended(&again.id).await;
    assert_eq!((done.state.as_str(), done.counts.accepted), ("done", 2));
    assert_eq!(desk.provider.count(), sent + 2);
    let taken = desk.provider.accepted_by_recipient();
    assert!(taken.len() as u32 == GOOD && taken.values().all(|times| *times == 1), "everybody once");

    let found = groups(&desk, &id).await;
    let capped = find(&found, OutcomeGroup::Capped);
    assert_eq!((capped.people, capped.again, capped.in_later_batch), (2, 0, 2));
    assert!(matches!(plan(&desk, &id, OutcomeGroup::Capped).await, Err(DeskError::Conflict { .. })));
    desk.close().await;
}

#[tokio::test]
async fn a_row_that_is_not_due_waits_while_others_of_the_round_leave() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    static READS: AtomicI64 = AtomicI64::new(0);
    let clock: fn() -> i64 = || {
        READS.fetch_add(1, Ordering::SeqCst);
        now() + AHEAD.load(Ordering::SeqCst)
    };
    let mut desk = Desk::start_with(Timing { clock, clock_check: Duration::from_millis(1), ..short_timing() }).await;
    let id = desk.started().await;
    desk.wait_until_ended(&id).await;
    let sent = desk.provider.count();
    let sender = sender(&desk).await;
    let (early, late) = (recipient(5), recipient(50));
    report(&desk, &sender, &early, "failed", Some(131_049), now() - 25 * HOUR).await;
    report(&desk, &sender, &late, "failed", Some(131_049), now() - HOUR).await;
    wait_until("both failed", async || detail(&desk.core, &id).await.batch.counts.failed == 2).await;

    let draft = plan(&desk, &id, OutcomeGroup::Capped).await.unwrap();
    start(&desk, &draft.id).await.unwrap();
    wait_until("the round waits", async || detail(&desk.core, &draft.id).await.batch.waiting_until.is_some()).await;
    let waiting = detail(&desk.core, &draft.id).await.batch;
    assert_eq!((waiting.counts.accepted, waiting.counts.planned), (1, 1), "{waiting:?}");
    assert!((waiting.waiting_until.unwrap() - now() - 23 * HOUR).abs() < MINUTE, "{waiting:?}");
    assert_eq!(waiting.waiting_reason.as_deref(), Some("notBefore"));
    let reads = READS.load(Ordering::SeqCst);
    AHEAD.store(23 * HOUR - MINUTE, Ordering::SeqCst);
    wait_until("the clock is read", async || READS.load(Ordering::SeqCst) > reads + 4).await;
    assert_eq!(desk.provider.count(), sent + 1);
    AHEAD.store(23 * HOUR + MINUTE, Ordering::SeqCst);
    wait_for_end(&mut desk.events, &draft.id).await;
    assert_eq!(detail(&desk.core, &draft.id).await.batch.counts.accepted, 2);
    assert_eq!(desk.provider.recipients()[&late], 2);
    desk.close().await;
}

#[tokio::test]
async fn everybody_is_in_one_group_and_whoever_wrote_since_has_answered() {
    let mut desk = Desk::start().await;
    let gone = recipient(20);
    let refused = gone.clone();
    desk.provider.answers(move |before, to| match before {
        _ if to == refused => Reply::Status("400 Bad Request", "", UNDELIVERABLE),
        30 => Reply::Cut,
        _ => Reply::Accepted,
    });
    let id = desk.started().await;
    desk.wait_until_ended(&id).await;
    let sender = sender(&desk).await;
    let at = now();
    for (line, status, code) in [
        (2, "read", None),
        (3, "delivered", None),
        (4, "failed", Some(131_050)),
        (5, "failed", Some(131_016)),
        (6, "failed", Some(132_015)),
    ] {
        report(&desk, &sender, &recipient(line), status, code, at).await;
    }
    // The messages to the first two did not arrive.
    for (from, at) in [
        (recipient(4), at + 1_000),
        (gone.clone(), at + 1_000),
        (recipient(2), at + 1_000),
        (recipient(3), at - 48 * HOUR),
        ("5521900000001".to_owned(), at),
    ] {
        deliver(
            &sender,
            json!({"contacts": [{"profile": {"name": "Ana"}, "wa_id": from}],
            "messages": [{"from": from, "id": format!("wamid.in.{from}"), "timestamp": (at / 1_000).to_string(),
                          "type": "text", "text": {"body": "Oi"}}]}),
        )
        .await;
    }
    wait_until("all arrived", async || {
        let found = groups(&desk, &id).await;
        found.replied == 1 && found.groups.iter().any(|group| group.group == OutcomeGroup::OptedOut)
    })
    .await;
    wait_until("all failed", async || detail(&desk.core, &id).await.batch.counts.failed == 3).await;
    let found = groups(&desk, &id).await;
    let people: Vec<_> = found.groups.iter().map(|group| (group.group.as_str(), group.people, group.again)).collect();
    let expected = [
        ("reached", 2, 0),
        ("underway", GOOD - 7, 0),
        ("optedOut", 1, 0),
        ("notOnChannel", 1, 0),
        ("passing", 1, 1),
        ("failed", 1, 0),
        ("unknown", 1, 0),
        ("leftOut", 3, 0),
    ];
    assert_eq!(people, expected);
    let replies = desk.core.messaging.list_batch_replies(BatchId { batch: id.clone() }).await.unwrap().people;
    assert_eq!(replies.iter().map(|reply| (reply.row, reply.text.as_str())).collect::<Vec<_>>(), [(2, "Oi")]);
    assert_eq!(replies[0].contact, recipient(2));
    let path = desk.folder.path().join("replies.csv");
    desk.core.messaging.export_batch_replies_to(&path, BatchId { batch: id.clone() }).await.unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() == 2 && text.contains("2,+55 11 98740-0002,Ana 0,"), "{text}");

    // Only the group that trying again helps makes a batch, and only once.
    for group in [OutcomeGroup::OptedOut, OutcomeGroup::NotOnChannel, OutcomeGroup::Unknown, OutcomeGroup::Reached] {
        assert!(matches!(plan(&desk, &id, group).await, Err(DeskError::Conflict { .. })), "{group}");
    }
    let draft = plan(&desk, &id, OutcomeGroup::Passing).await.unwrap();
    assert_eq!(detail(&desk.core, &draft.id).await.rows[0].recipient, recipient(5));
    start(&desk, &draft.id).await.unwrap();
    desk.wait_until_ended(&draft.id).await;
    assert_eq!(desk.provider.recipients()[&recipient(5)], 2);
    let payloads = desk.provider.sends();
    let of_person: Vec<_> = payloads.iter().filter(|body| body["to"] == recipient(5).as_str()).collect();
    assert_eq!(of_person[0]["template"], of_person[1]["template"], "the same template and values");
    let resumed = desk.core.messaging.resume_batch(ResumeBatch { batch: id.clone(), resend_unknown: false }).await;
    assert!(resumed.is_err(), "the batch is done");
    desk.close().await;
}

#[tokio::test]
async fn a_person_who_was_tried_as_often_as_tolerated_is_left_out() {
    let mut desk = Desk::start().await;
    let mut id = desk.started().await;
    desk.wait_until_ended(&id).await;
    let sender = sender(&desk).await;
    let person = recipient(5);
    for attempt in 1..=4 {
        report_last(&desk, &sender, &person, "failed", Some(131_016), now()).await;
        wait_until("it failed", async || detail(&desk.core, &id).await.batch.counts.failed == 1).await;
        let passing = find(&groups(&desk, &id).await, OutcomeGroup::Passing).clone();
        if attempt == 4 {
            assert_eq!((passing.again, passing.tried_often), (0, 1));
            assert!(matches!(plan(&desk, &id, OutcomeGroup::Passing).await, Err(DeskError::Conflict { .. })));
        } else {
            assert_eq!((passing.again, passing.tried_often), (1, 0));
            id = plan(&desk, &id, OutcomeGroup::Passing).await.unwrap().id;
            start(&desk, &id).await.unwrap();
            desk.wait_until_ended(&id).await;
        }
    }
    assert_eq!(desk.provider.recipients()[&person], 4);
    desk.close().await;
}

#[tokio::test]
async fn a_draft_of_a_round_can_be_discarded() {
    let mut desk = Desk::start().await;
    let id = desk.started().await;
    desk.wait_until_ended(&id).await;
    let sender = sender(&desk).await;
    report(&desk, &sender, &recipient(5), "failed", Some(131_016), now()).await;
    wait_until("it failed", async || detail(&desk.core, &id).await.batch.counts.failed == 1).await;
    let draft = plan(&desk, &id, OutcomeGroup::Passing).await.unwrap();
    let discard = async |batch: &str| desk.core.messaging.discard_round(BatchId { batch: batch.to_owned() }).await;
    discard(&draft.id).await.unwrap();
    assert!(discard(&draft.id).await.is_err());
    assert!(discard(&id).await.is_err(), "it was sent");
    let found = groups(&desk, &id).await;
    assert_eq!((found.rounds.len(), find(&found, OutcomeGroup::Passing).again), (0, 1));
    desk.close().await;
}

impl Desk {
    /// Sends the marketing template to one person, whatever they were sent before.
    async fn send_offer(&self, to: &str) {
        let value = |part: &str, text: &str| (part.to_owned(), text.to_owned());
        let request = SendRequest {
            answers: None,
            workspace: self.workspace.clone(),
            reference: OFFER.to_owned(),
            number: NUMBER.to_owned(),
            to: format!("+{to}"),
            country: None,
            known_category: None,
            values: [value("body.1", "Ana"), value("body.2", "12/5")].into(),
            options: SendOptions { overrides: vec!["to.recentMarketing".to_owned()], ..SendOptions::default() },
        };
        self.core.messaging.send_template(request).await.unwrap();
    }
}

/// A draft is made, and started much later.
#[tokio::test]
async fn who_got_another_marketing_message_is_left_out_of_a_round_also_after_it_was_made() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let clock: fn() -> i64 = || now() + AHEAD.load(Ordering::SeqCst);
    let mut desk = Desk::start_with(Timing { clock, ..short_timing() }).await;
    let held = [recipient(5), recipient(50), recipient(60)];
    let wanted = held.clone();
    desk.provider.answers(move |_, to| {
        if wanted.iter().any(|one| one == to) { Reply::Status("400 Bad Request", "", CAPPED) } else { Reply::Accepted }
    });
    let read = desk.core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    let id = desk.core.messaging.plan_batch(request(&desk.workspace, OFFER, NUMBER, &read)).await.unwrap().id;
    start(&desk, &id).await.unwrap();
    desk.wait_until_ended(&id).await;
    desk.provider.answers(|_, _| Reply::Accepted);

    desk.send_offer(&held[0]).await;
    let draft = plan(&desk, &id, OutcomeGroup::Capped).await.unwrap();
    assert_eq!((draft.total, draft.counts.planned, draft.counts.skipped), (3, 2, 1));
    desk.send_offer(&held[1]).await;
    AHEAD.store(24 * HOUR + MINUTE, Ordering::SeqCst);
    start(&desk, &draft.id).await.unwrap();
    let done = desk.wait_until_ended(&draft.id).await;
    assert_eq!((done.counts.accepted, done.counts.skipped), (1, 2));
    let query = BatchQuery { batch: draft.id.clone(), limit: 10, ..BatchQuery::default() };
    let rows = desk.core.messaging.get_batch(query).await.unwrap().rows;
    let codes: Vec<_> = rows.into_iter().map(|row| row.problem.map(|of| of.code)).collect();
    let recent = Some(SendProblemCode::ToRecentMarketing);
    assert_eq!(codes, [recent, recent, None]);
    desk.close().await;
}
