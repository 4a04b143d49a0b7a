//! The messaging limit of a number, restrictions of its account, and people who got a marketing message lately: the check
//! says it, and a running batch stops or waits.

use std::sync::atomic::{AtomicI64, Ordering};

use app::Timing;
use command_types::Nothing;
use command_types::batch::{Batch, BatchId, BatchPlan, ResumeBatch, StartBatch};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::send::{SendOptions, SendRequest};
use model::send::{SendProblem, SendProblemCode};
use serde_json::{Value, json};

use super::super::webhooks::{Provider as Sender, wait_until};
use super::provider::{OFFER, Reply, TEMPLATE};
use super::{Desk, NUMBER, ROWS, WEBHOOK_SECRET, detail, file, recipient, request, short_timing};

const HOUR: i64 = 60 * 60 * 1_000;
/// Rows that can be sent.
const GOOD: u32 = ROWS - 3;

pub(super) async fn sender(desk: &Desk) -> Sender {
    Sender::for_workspace(&desk.core, desk.workspace.clone()).await
}

pub(super) async fn deliver(desk: &Desk, sender: &Sender, field: &str, value: Value) {
    let body = json!({"object": "messaging_business_account",
                      "entry": [{"id": "waba-1", "changes": [{"field": field, "value": value}]}]});
    assert_eq!(sender.deliver(WEBHOOK_SECRET, &body.to_string()).await, 200);
    let is_behind = async || desk.core.webhooks.get_projection(Nothing {}).await.unwrap().behind > 0;
    wait_until("the delivery is projected", async || !is_behind().await).await;
}

async fn limited(desk: &Desk, limit: Value) {
    let sender = sender(desk).await;
    deliver(desk, &sender, "business_capability_update", json!({"max_daily_conversations_per_business": limit})).await;
}

/// Plans the batch, accepting some warnings.
async fn plan(desk: &Desk, template: &str, accepted: &[&str]) -> BatchPlan {
    let read = desk.core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    let mut request = request(&desk.workspace, template, NUMBER, &read);
    request.options.overrides = accepted.iter().map(|code| (*code).to_owned()).collect();
    desk.core.messaging.plan_batch(request).await.unwrap()
}

fn problem(plan: &BatchPlan, code: SendProblemCode) -> Option<SendProblem> {
    plan.problems.iter().find(|found| found.problem.code == code).map(|found| found.problem.clone())
}

async fn start(desk: &Desk, id: &str) -> Result<Batch, DeskError> {
    desk.core.messaging.start_batch(StartBatch { batch: id.to_owned(), skip_bad: true }).await
}

/// Waits until a running batch has done so many rows.
async fn wait_for(desk: &mut Desk, id: &str, rows: u32) {
    loop {
        let event = desk.events.recv().await.unwrap();
        if matches!(&event, DeskEvent::BatchProgress { id: of, done, .. } if of == id && *done >= rows) {
            return;
        }
    }
}

/// A running batch whose first five messages were sent, while the others wait for room.
async fn five_sent(desk: &mut Desk) -> String {
    limited(desk, json!(5)).await;
    let id = plan(desk, TEMPLATE, &["number.limit"]).await.id;
    desk.core.messaging.spread_batch(BatchId { batch: id.clone() }).await.unwrap();
    start(desk, &id).await.unwrap();
    wait_for(desk, &id, 5 + 3).await;
    id
}

#[tokio::test]
async fn a_batch_above_the_known_limit_stops_at_the_check_and_says_when_there_is_room() {
    let mut desk = Desk::start().await;
    let before = plan(&desk, TEMPLATE, &[]).await;
    assert_eq!((before.good, problem(&before, SendProblemCode::NumberLimit)), (GOOD, None), "no limit is known");
    limited(&desk, json!(250)).await;
    assert_eq!(problem(&plan(&desk, TEMPLATE, &[]).await, SendProblemCode::NumberLimit), None);
    limited(&desk, json!("TIER_50")).await;

    let plan_now = plan(&desk, TEMPLATE, &[]).await;
    let found = problem(&plan_now, SendProblemCode::NumberLimit).unwrap();
    let value = |name: &str| found.values[name].clone();
    assert_eq!([value("limit"), value("used"), value("fit"), value("people")], ["50", "0", "50", "197"]);
    assert!(start(&desk, &plan_now.id).await.is_err(), "nothing leaves before the person has decided");
    assert_eq!(desk.provider.count(), 0);

    // The person sends to all of them, since the limit is only as far as known.
    let accepted = plan(&desk, TEMPLATE, &["number.limit"]).await;
    start(&desk, &accepted.id).await.unwrap();
    assert_eq!(desk.wait_until_ended(&accepted.id).await.counts.accepted, GOOD);
    // Those who count already take no room.
    let again = plan(&desk, TEMPLATE, &[]).await;
    let found = problem(&again, SendProblemCode::NumberLimit);
    assert_eq!(found, None, "everybody was written to in the last 24 hours");
    limited(&desk, json!(-1)).await;
    assert_eq!(problem(&plan(&desk, TEMPLATE, &[]).await, SendProblemCode::NumberLimit), None, "it is unlimited");
    desk.close().await;
}

#[tokio::test]
async fn the_rest_of_a_batch_waits_until_the_limit_has_room_also_over_a_pause() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let clock: fn() -> i64 = || chrono::Utc::now().timestamp_millis() + AHEAD.load(Ordering::SeqCst);
    let mut desk = Desk::start_with(Timing { clock, ..short_timing() }).await;
    limited(&desk, json!(100)).await;
    let id = plan(&desk, TEMPLATE, &["number.limit"]).await.id;
    let parts = desk.core.messaging.spread_batch(BatchId { batch: id.clone() }).await.unwrap();
    assert_eq!((parts.now, parts.waiting), (100, GOOD - 100));
    assert!(parts.until.unwrap() > chrono::Utc::now().timestamp_millis() + 24 * HOUR);
    start(&desk, &id).await.unwrap();
    wait_for(&mut desk, &id, 100 + 3).await;
    desk.core.messaging.cancel_batch(BatchId { batch: id.clone() }).await.unwrap();
    let paused = desk.wait_until_ended(&id).await;
    assert_eq!(
        (paused.state.as_str(), paused.counts.accepted, paused.counts.cancelled),
        ("cancelled", 100, GOOD - 100)
    );

    // It goes on where it was, and nobody leaves before the time.
    desk.resume(&id).await;
    wait_until("the rest waits", async || {
        detail(&desk.core, &id).await.batch.waiting_reason.as_deref() == Some("notBefore")
    })
    .await;
    assert_eq!(desk.provider.count(), 100);
    AHEAD.store(25 * HOUR, Ordering::SeqCst);
    assert_eq!(desk.wait_until_ended(&id).await.counts.accepted, GOOD);
    let taken = desk.provider.accepted_by_recipient();
    assert!(taken.len() as u32 == GOOD && taken.values().all(|times| *times == 1), "everybody once");
    desk.close().await;
}

#[tokio::test]
async fn a_reported_failure_that_stops_all_others_interrupts_the_batch() {
    let mut desk = Desk::start().await;
    let sender = sender(&desk).await;
    let id = five_sent(&mut desk).await;
    let status = json!({"messaging_product": "messaging",
        "metadata": {"display_phone_number": NUMBER, "phone_number_id": NUMBER},
        "statuses": [{"id": "wamid.0", "status": "failed", "timestamp": "1700000000", "recipient_id": recipient(2),
            "errors": [{"code": 131_048, "title": "Spam rate limit hit"}]}]});
    deliver(&desk, &sender, "messages", status).await;
    let stopped = desk.wait_until_ended(&id).await;
    assert_eq!((stopped.state.as_str(), stopped.counts.failed, stopped.counts.planned), ("interrupted", 1, GOOD - 5));
    assert!(
        matches!(&stopped.error, Some(DeskError::Service { error_code: Some(code), .. }) if code == "131048"),
        "{stopped:?}"
    );
    assert_eq!(desk.provider.count(), 5, "the others were not tried");
    desk.close().await;
}

#[tokio::test]
async fn a_new_restriction_interrupts_the_batch_and_keeps_it_from_going_on() {
    let mut desk = Desk::start().await;
    let sender = sender(&desk).await;
    let id = five_sent(&mut desk).await;
    let restriction = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": [
        {"restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING", "expiration": 4_000_000_000_u64}]});
    deliver(&desk, &sender, "account_update", restriction).await;
    let stopped = desk.wait_until_ended(&id).await;
    assert_eq!((stopped.state.as_str(), stopped.counts.planned), ("interrupted", GOOD - 5));
    assert!(format!("{:?}", stopped.error).contains("number.restricted"), "{stopped:?}");
    let restricted = detail(&desk.core, &id).await.restriction.map(|problem| problem.code);
    assert_eq!(restricted, Some(SendProblemCode::NumberRestricted), "the batch says it, not only the refused call");
    let resumed = ResumeBatch { batch: id.clone(), resend_unknown: false };
    let refused = desk.core.messaging.resume_batch(resumed).await.unwrap_err();
    assert!(
        matches!(&refused, DeskError::InvalidInput { problem: Some(SendProblemCode::NumberRestricted), values, .. }
            if values.contains_key("account")),
        "the window words it: {refused:?}"
    );
    assert_eq!(plan(&desk, TEMPLATE, &[]).await.good, 0);
    desk.close().await;
}

#[tokio::test]
async fn a_number_of_low_quality_stops_at_the_check_until_the_person_accepts_it() {
    let desk = Desk::start().await;
    let sender = sender(&desk).await;
    let quality = |event: &str| json!({"display_phone_number": NUMBER, "event": event});
    deliver(&desk, &sender, "phone_number_quality_update", quality("FLAGGED")).await;
    let flagged = plan(&desk, TEMPLATE, &[]).await;
    assert!(flagged.good == 0 && problem(&flagged, SendProblemCode::NumberLowQuality).is_some());
    assert_eq!(plan(&desk, TEMPLATE, &["number.lowQuality"]).await.good, GOOD);
    deliver(&desk, &sender, "phone_number_quality_update", quality("UNFLAGGED")).await;
    assert_eq!(plan(&desk, TEMPLATE, &[]).await.good, GOOD);
    desk.close().await;
}

#[tokio::test]
async fn people_who_got_a_marketing_message_today_are_left_out_unless_the_person_decides_otherwise() {
    let mut desk = Desk::start().await;
    desk.provider.answers(|nth, _| if nth < 3 { Reply::Accepted } else { Reply::Status("400 Bad Request", "", "{}") });
    let first = plan(&desk, OFFER, &[]).await;
    assert_eq!((first.good, problem(&first, SendProblemCode::ToRecentMarketing)), (GOOD, None));
    start(&desk, &first.id).await.unwrap();
    let ended = desk.wait_until_ended(&first.id).await;
    let reached = ended.counts.accepted;
    let again = plan(&desk, OFFER, &[]).await;
    assert_eq!(again.good, GOOD - reached, "rejected messages do not count");
    let of_rows = again.problems.iter().filter(|of| of.problem.code == SendProblemCode::ToRecentMarketing);
    assert_eq!(of_rows.count() as u32, reached);
    assert_eq!(plan(&desk, OFFER, &["to.recentMarketing", "to.repeated"]).await.good, GOOD);
    assert_eq!(plan(&desk, TEMPLATE, &[]).await.good, GOOD, "other categories are not about it");

    // A single send to one of them says it too.
    let to = desk.provider.accepted_by_recipient().into_keys().next().unwrap();
    let column = |part: &str, text: &str| (part.to_owned(), text.to_owned());
    let request = SendRequest {
        answers: None,
        workspace: desk.workspace.clone(),
        reference: OFFER.to_owned(),
        number: NUMBER.to_owned(),
        to: format!("+{to}"),
        country: None,
        options: SendOptions {
            callback_data: String::new(),
            track: true,
            exact_callback: false,
            overrides: Vec::new(),
        },
        values: [column("body.1", "Ana"), column("body.2", "12/5")].into(),
        known_category: None,
    };
    let checked = desk.core.messaging.preflight_send(request).await.unwrap();
    assert!(checked.problems.iter().any(|problem| problem.code == SendProblemCode::ToRecentMarketing));
    desk.close().await;
}
