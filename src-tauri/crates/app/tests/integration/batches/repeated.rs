//! The same template to the same people again: said before anything is sent, and left out unless the person wants it.

use std::sync::atomic::{AtomicI64, Ordering};

use app::Timing;
use command_types::batch::{
    BatchPlan, BatchPlanRequest, EstimateRows, LocalRowState, SampleUse, StartBatch, ValueSource,
};
use command_types::batch_row::PreviewBatchRow;
use command_types::error::DeskError;
use command_types::workspace::WorkspaceId;

use super::provider::{OFFER, Reply, TEMPLATE};
use super::round::start;
use super::{Desk, NUMBER, ROWS, file, recipient, request, short_timing};

const DAY: i64 = 24 * 60 * 60 * 1_000;
/// Rows that can be sent.
const GOOD: u32 = ROWS - 3;
const UNDELIVERABLE: &str = r#"{"error":{"code":131026,"message":"Message undeliverable"}}"#;

impl Desk {
    async fn request(&self, overrides: &[&str]) -> BatchPlanRequest {
        let read = self.core.messaging.read_csv(&file(self.folder.path(), "numero,nome,dia")).await.unwrap();
        let mut request = request(&self.workspace, TEMPLATE, NUMBER, &read);
        request.options.overrides = overrides.iter().map(|code| (*code).to_owned()).collect();
        request
    }

    /// The check of a marketing template.
    async fn offer(&self, overrides: &[&str]) -> BatchPlan {
        let request = BatchPlanRequest { reference: OFFER.to_owned(), ..self.request(overrides).await };
        self.core.messaging.plan_batch(request).await.unwrap()
    }

    async fn plan_despite(&self, overrides: &[&str]) -> BatchPlan {
        self.core.messaging.plan_batch(self.request(overrides).await).await.unwrap()
    }
}

fn people(plan: &BatchPlan) -> Vec<(Option<&str>, Option<&str>, u32)> {
    plan.repeated.iter().map(|of| (of.batch.as_deref(), of.source.as_deref(), of.people)).collect()
}

#[tokio::test]
async fn people_who_were_sent_the_template_lately_are_left_out_unless_the_person_sends_it_again() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let clock: fn() -> i64 = || chrono::Utc::now().timestamp_millis() + AHEAD.load(Ordering::SeqCst);
    let mut desk = Desk::start_with(Timing { clock, ..short_timing() }).await;
    desk.provider.answers(|_, to| match to == recipient(5) {
        true => Reply::Status("400 Bad Request", "", UNDELIVERABLE),
        false => Reply::Accepted,
    });
    assert!(desk.plan().await.repeated.is_empty());
    let id = desk.started().await;
    let first = desk.wait_until_ended(&id).await;

    let plan = desk.plan().await;
    let found = [(Some(id.as_str()), Some("convidados.csv"), GOOD - 1)];
    assert_eq!((plan.good, plan.bad, people(&plan).as_slice()), (1, ROWS - 1, &found[..]));
    assert_eq!(plan.left_out, GOOD - 1, "the others have errors");
    assert!(plan.repeated[0].at >= first.created_at);
    let problem = plan.problems.iter().find(|found| found.row == 2).unwrap();
    assert_eq!((problem.problem.code.as_str(), problem.problem.is_error()), ("to.repeated", false));
    assert_eq!(plan.sample[0].to, recipient(5), "nobody got the message that failed");

    let despite = desk.plan_despite(&["to.repeated"]).await;
    assert_eq!((despite.good, people(&despite).as_slice()), (GOOD, &found[..]));
    assert_eq!((despite.bad, despite.left_out), (ROWS - GOOD, 0));
    AHEAD.store(8 * DAY, Ordering::SeqCst);
    let later = desk.plan().await;
    assert_eq!((later.good, later.repeated.len()), (GOOD, 0));
    desk.close().await;
}

#[tokio::test]
async fn people_whom_something_else_leaves_out_are_not_asked_about() {
    let mut desk = Desk::start().await;
    let first = desk.offer(&[]).await;
    start(&desk, &first.id).await.unwrap();
    desk.wait_until_ended(&first.id).await;

    // To accept the repetition would change nothing.
    for overrides in [&[][..], &["to.repeated"]] {
        let plan = desk.offer(overrides).await;
        assert_eq!((plan.good, people(&plan).len(), plan.left_out), (0, 0, GOOD));
    }
    let plan = desk.offer(&["to.recentMarketing"]).await;
    let found = [(Some(first.id.as_str()), Some("convidados.csv"), GOOD)];
    assert_eq!((plan.good, people(&plan).as_slice()), (0, &found[..]));
    assert_eq!(desk.offer(&["to.recentMarketing", "to.repeated"]).await.good, GOOD);
    desk.close().await;
}

#[tokio::test]
async fn rows_that_a_running_batch_has_yet_to_send_count() {
    let desk = Desk::start().await;
    desk.provider.answers(|_, _| Reply::Later);
    let id = desk.started().await;
    let plan = desk.plan().await;
    assert_eq!((plan.good, people(&plan).as_slice()), (0, &[(Some(id.as_str()), Some("convidados.csv"), GOOD)][..]));
    desk.provider.release();
    desk.close().await;
}

#[tokio::test]
async fn a_sample_that_everyone_gets_is_named() {
    let desk = Desk::start().await;
    let mut request = desk.request(&[]).await;
    let fixed = |value: &str| ValueSource::Fixed { value: value.to_owned() };
    if let command_types::batch::BatchSource::Csv { values, .. } = &mut request.source {
        values.insert("body.1".to_owned(), fixed("Ana "));
        values.insert("body.2".to_owned(), fixed("13/5"));
    }
    let plan = desk.core.messaging.plan_batch(request).await.unwrap();
    assert_eq!(plan.samples, [SampleUse { part: "body.1".to_owned(), sample: "Ana".to_owned() }]);
    assert!(desk.plan().await.samples.is_empty());
    desk.close().await;
}

#[tokio::test]
async fn the_message_and_the_cost_of_planned_rows_are_shown() {
    let mut desk = Desk::start().await;
    let plan = desk.plan().await;
    let rows = |batch: &str| EstimateRows { batch: batch.to_owned(), states: vec![LocalRowState::Planned.into()] };
    let estimate = desk.core.messaging.estimate_batch_rows(rows(&plan.id)).await.unwrap();
    assert_eq!((estimate.rows, estimate.cost), (GOOD, None), "no rate card");

    let path = desk.folder.path().join("rates.csv");
    std::fs::write(&path, "market,category,price,currency,valid_from\nBrazil,utility,0.0080,USD,2020-01-01\n").unwrap();
    let workspace = WorkspaceId { workspace: desk.workspace.clone() };
    desk.core.insights.import_rate_card_from(&path, workspace).await.unwrap();
    let cost = desk.core.messaging.estimate_batch_rows(rows(&plan.id)).await.unwrap().cost.unwrap();
    assert_eq!((cost.total.as_str(), cost.priced, cost.unknown), ("1.576", u64::from(GOOD), 0));

    let preview = PreviewBatchRow { batch: plan.id.clone(), row: 2 };
    let shown = desk.core.messaging.preview_batch_row(preview).await.unwrap();
    assert_eq!((shown.row.recipient.as_str(), shown.values["body.1"].as_str()), (recipient(2).as_str(), "Ana 0"));
    assert!(format!("{:?}", shown.bubble).contains("Ana 0"), "{:?}", shown.bubble);
    let missing = PreviewBatchRow { batch: plan.id.clone(), row: 9_999 };
    assert!(matches!(desk.core.messaging.preview_batch_row(missing).await, Err(DeskError::NotFound { .. })));

    desk.core.messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: true }).await.unwrap();
    desk.wait_until_ended(&plan.id).await;
    let rest = desk.core.messaging.estimate_batch_rows(rows(&plan.id)).await.unwrap();
    assert_eq!((rest.rows, rest.cost.unwrap().total.as_str()), (0, "0"));
    desk.close().await;
}
