//! Two batches side by side, and a list that is divided between two of them.

use std::collections::BTreeSet;

use command_types::batch::{BatchId, BatchPlan, CsvFile, StartBatch};
use command_types::batch_comparison::{
    BatchComparison, CompareBatches, ComparedOutcome, ComparedRate, ComparisonLimit, PlanBatchSide, VerdictKind,
};
use command_types::error::{DeskError, Result};
use command_types::workspace::WorkspaceId;
use serde_json::{Value, json};

use super::super::webhooks::Provider as Sender;
use super::provider::TEMPLATE;
use super::{BAD, Desk, NUMBER, ROWS, WEBHOOK_SECRET, file, request, rows};

const GOOD: u32 = ROWS - BAD.len() as u32;

async fn compare(desk: &Desk, first: &str, second: &str) -> Result<BatchComparison> {
    let (workspace, first, second) = (desk.workspace.clone(), first.to_owned(), second.to_owned());
    desk.core.messaging.compare_batches(CompareBatches { workspace, first, second }).await
}

fn rate(found: &BatchComparison, outcome: ComparedOutcome) -> &ComparedRate {
    found.rates.iter().find(|rate| rate.outcome == outcome).unwrap()
}

fn counts(rate: &ComparedRate) -> (Option<u32>, Option<u32>) {
    (rate.first.map(|part| part.count), rate.second.map(|part| part.count))
}

/// Reports a status of the messages that left at these positions.
async fn report(desk: &mut Desk, sender: &Sender, status: &str, sent: std::ops::Range<usize>) {
    let sends = desk.provider.sends();
    let of = |nth: usize| {
        json!({"id": format!("wamid.{nth}"), "status": status, "recipient_id": sends[nth]["to"],
               "timestamp": chrono::Utc::now().timestamp().to_string()})
    };
    let statuses: Vec<Value> = sent.map(of).collect();
    let value = json!({"messaging_product": "messaging", "statuses": statuses,
        "metadata": {"display_phone_number": NUMBER, "phone_number_id": NUMBER}});
    let body = json!({"object": "messaging_business_account",
        "entry": [{"id": "waba-1", "changes": [{"field": "messages", "value": value}]}]});
    assert_eq!(sender.deliver(WEBHOOK_SECRET, &body.to_string()).await, 200);
}

/// A batch to the same people, who got the template just before.
async fn started_again(desk: &Desk) -> String {
    let file = desk.core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    let mut plan = request(&desk.workspace, TEMPLATE, NUMBER, &file);
    plan.options.overrides = ["to.recentMarketing", "to.repeated"].map(str::to_owned).to_vec();
    let plan = desk.core.messaging.plan_batch(plan).await.unwrap();
    desk.core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: true }).await.unwrap();
    plan.id
}

#[tokio::test]
async fn two_batches_are_compared_and_nothing_unreported_counts_as_none() {
    let mut desk = Desk::start().await;
    let first = desk.started().await;
    desk.wait_until_ended(&first).await;
    let second = started_again(&desk).await;
    desk.wait_until_ended(&second).await;

    // Without a webhook nothing is known, rather than nobody reached.
    let found = compare(&desk, &first, &second).await.unwrap();
    assert_eq!((found.first.sent, found.first.waiting, found.second.sent), (GOOD, GOOD, GOOD));
    assert!(found.rates.iter().all(|rate| counts(rate) == (None, None) && rate.verdict == VerdictKind::Unknown));

    let sender = Sender::for_workspace(&desk.core, desk.workspace.clone()).await;
    let of_second = GOOD as usize;
    report(&mut desk, &sender, "read", 0..100).await;
    report(&mut desk, &sender, "delivered", 100..150).await;
    report(&mut desk, &sender, "read", of_second..of_second + 60).await;
    report(&mut desk, &sender, "delivered", of_second + 60..of_second + 150).await;
    super::super::webhooks::wait_until("all are counted", async || {
        let found = compare(&desk, &first, &second).await.unwrap();
        counts(rate(&found, ComparedOutcome::Delivered)) == (Some(150), Some(150))
    })
    .await;
    let found = compare(&desk, &first, &second).await.unwrap();
    let delivered = rate(&found, ComparedOutcome::Delivered);
    assert_eq!((delivered.verdict, delivered.more), (VerdictKind::Same, None));
    let read = rate(&found, ComparedOutcome::Read);
    assert_eq!((counts(read), read.verdict), ((Some(100), Some(60)), VerdictKind::First));
    assert!(read.needed.unwrap() <= GOOD && read.difference.unwrap().low > 0, "{read:?}");
    assert_eq!(counts(rate(&found, ComparedOutcome::Replied)), (Some(0), Some(0)));
    assert_eq!(counts(rate(&found, ComparedOutcome::Clicked)), (None, None), "no button reports its taps");
    let reverse = compare(&desk, &second, &first).await.unwrap();
    assert_eq!(rate(&reverse, ComparedOutcome::Read).verdict, VerdictKind::Second);

    assert_eq!((found.shared_people, found.share), (GOOD, None));
    use ComparisonLimit::{Early, NotDivided, SamePeople, SameTemplate};
    assert_eq!(found.limits, [NotDivided, SamePeople, SameTemplate, Early]);
    assert!(matches!(compare(&desk, &first, &first).await, Err(DeskError::InvalidInput { .. })));
    desk.close().await;
}

async fn plan_side(desk: &Desk, file: &CsvFile, is_first: bool, share: u32) -> Result<BatchPlan> {
    let plan = request(&desk.workspace, TEMPLATE, NUMBER, file);
    let comparison = "c0ffee".to_owned();
    desk.core.messaging.plan_batch_side(PlanBatchSide { plan, comparison, is_first, share }).await
}

async fn people(desk: &Desk, id: &str) -> BTreeSet<String> {
    rows(&desk.core, id, None).await.into_iter().map(|row| row.recipient).collect()
}

#[tokio::test]
async fn each_row_of_a_divided_list_is_on_exactly_one_side_at_each_check() {
    let mut desk = Desk::start().await;
    let file = desk.core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    for share in [9, 91] {
        let refused = plan_side(&desk, &file, true, share).await;
        assert!(matches!(&refused, Err(DeskError::InvalidInput { field, .. }) if field == "share"), "{refused:?}");
    }
    let halves = async || {
        let batches =
            desk.core.messaging.list_batches(WorkspaceId { workspace: desk.workspace.clone() }).await.unwrap();
        batches.iter().filter(|batch| batch.is_half).count()
    };
    let first = plan_side(&desk, &file, true, 30).await.unwrap();
    assert_eq!(halves().await, 0);
    let second = plan_side(&desk, &file, false, 30).await.unwrap();
    assert_eq!(halves().await, 2, "they are found again before either is sent");
    assert_eq!(first.total + second.total, ROWS);
    assert!((40..80).contains(&first.total), "{}", first.total);
    let (of_first, of_second) = (people(&desk, &first.id).await, people(&desk, &second.id).await);
    assert!(of_first.is_disjoint(&of_second));
    assert_eq!(of_first.len() + of_second.len(), ROWS as usize);

    // Another check gives the same sides, and replaces the plan.
    let again = plan_side(&desk, &file, true, 30).await.unwrap();
    assert_eq!(people(&desk, &again.id).await, of_first);
    let pair = desk.core.messaging.get_comparison_pair(BatchId { batch: second.id.clone() }).await.unwrap();
    assert_eq!((pair.first.as_deref(), pair.second.as_deref()), (Some(again.id.as_str()), Some(second.id.as_str())));

    // Once a side has left, the list is not divided in another way.
    desk.core.messaging.start_batch(StartBatch { batch: again.id.clone(), skip_bad: true }).await.unwrap();
    desk.wait_until_ended(&again.id).await;
    for (is_first, share) in [(true, 30), (false, 50)] {
        let refused = plan_side(&desk, &file, is_first, share).await;
        assert!(matches!(&refused, Err(DeskError::Conflict { .. })), "{refused:?}");
    }
    desk.core.messaging.start_batch(StartBatch { batch: second.id.clone(), skip_bad: true }).await.unwrap();
    desk.wait_until_ended(&second.id).await;
    let sent = desk.provider.accepted_by_recipient();
    assert_eq!((sent.len(), sent.values().max()), (GOOD as usize, Some(&1)), "nobody got both");
    let found = compare(&desk, &second.id, &again.id).await.unwrap();
    assert_eq!((found.share, found.shared_people), (Some(70), 0));
    assert!(!found.limits.contains(&ComparisonLimit::NotDivided));
    desk.close().await;
}
