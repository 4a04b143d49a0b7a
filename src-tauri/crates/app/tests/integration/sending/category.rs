//! Templates that the channel made more expensive: nothing leaves at the new price unless a person says so.

use command_types::batch::{Batch, BatchPlan, BatchQuery, ResumeBatch, StartBatch};
use command_types::batch_round::{OutcomeGroup, PlanRound};
use serde_json::{Value, json};

use super::{Desk, RECIPIENT, answer_with, list, stopped_at};
use crate::webhooks::{envelope, status, wait_until};

fn order(category: &str) -> Value {
    json!({"name": "order", "category": category,
        "components": [{"type": "BODY", "text": "Your order is on its way."}]})
}

impl Desk {
    async fn recategorized(&self, category: &str) {
        list(&self.provider, &[order(category)]);
        self.refresh().await;
    }

    async fn plan(&self, overrides: &[&str]) -> BatchPlan {
        let request = self.batch_request("phone\n+5511987654321\n+5511987654322\n", overrides).await;
        self.core().messaging.plan_batch(request).await.unwrap()
    }

    async fn ended(&self, id: &str) -> Batch {
        let batch = async || {
            let query = BatchQuery { batch: id.to_owned(), ..BatchQuery::default() };
            self.core().messaging.get_batch(query).await.unwrap().batch
        };
        wait_until("the batch ends", async || batch().await.ended_at.is_some()).await;
        batch().await
    }
}

#[tokio::test]
async fn a_batch_stops_when_its_template_costs_more_and_goes_on_when_a_person_says_so() {
    let desk = Desk::start(&[order("UTILITY")]).await;
    let plan = desk.plan(&[]).await;
    assert_eq!((plan.good, plan.problems.len()), (2, 0));
    desk.recategorized("MARKETING").await;
    let start = StartBatch { batch: plan.id.clone(), skip_bad: false };
    desk.core().messaging.start_batch(start).await.unwrap();
    let stopped = desk.ended(&plan.id).await;
    assert_eq!((stopped.state.as_str(), stopped.counts.planned, stopped.category_raised), ("interrupted", 2, true));
    assert_eq!(desk.sent().len(), 0);

    let resume = ResumeBatch { batch: plan.id.clone(), resend_unknown: false };
    desk.core().messaging.resume_batch(resume).await.unwrap();
    assert_eq!(desk.ended(&plan.id).await.state.as_str(), "done");
    assert_eq!(desk.sent().len(), 2);
    desk.harness.close().await;
}

#[tokio::test]
async fn an_accepted_category_stays_accepted() {
    let mut desk = Desk::start(&[order("UTILITY")]).await;
    let plan = desk.plan(&[]).await;
    desk.recategorized("MARKETING").await;
    let start = |batch: &str| StartBatch { batch: batch.to_owned(), skip_bad: false };
    let resume = || ResumeBatch { batch: plan.id.clone(), resend_unknown: false };
    desk.core().messaging.start_batch(start(&plan.id)).await.unwrap();
    assert!(desk.ended(&plan.id).await.category_raised);

    // Accepted, and then stopped by something else before anything left.
    let refused = json!({"message": "Unauthorized", "details": "The token has expired."});
    desk.provider.answer_json("POST ", "401 Unauthorized", &refused);
    desk.core().messaging.resume_batch(resume()).await.unwrap();
    let stopped = desk.ended(&plan.id).await;
    assert_eq!((stopped.state.as_str(), stopped.counts.planned, stopped.category_raised), ("interrupted", 2, false));
    answer_with(&desk.provider, "wamid.1");
    desk.core().messaging.resume_batch(resume()).await.unwrap();
    let done = desk.ended(&plan.id).await;
    assert_eq!((done.state.as_str(), done.counts.accepted), ("done", 2), "{:?}", done.error);

    let mut failed = status("wamid.1", "failed", RECIPIENT, 0);
    failed["errors"] = json!([{"code": 131_016, "title": "Service unavailable"}]);
    desk.deliver(&envelope(json!({"statuses": [failed]}))).await;
    let round = PlanRound { batch: plan.id.clone(), group: OutcomeGroup::Passing };
    let round = desk.core().messaging.plan_round(round).await.unwrap().id;
    desk.core().messaging.start_batch(start(&round)).await.unwrap();
    assert_eq!(desk.ended(&round).await.state.as_str(), "done");
    desk.harness.close().await;
}

#[tokio::test]
async fn a_cheaper_category_stops_nothing() {
    let desk = Desk::start(&[order("MARKETING")]).await;
    let plan = desk.plan(&[]).await;
    desk.recategorized("UTILITY").await;
    let start = StartBatch { batch: plan.id.clone(), skip_bad: false };
    desk.core().messaging.start_batch(start).await.unwrap();
    assert_eq!(desk.ended(&plan.id).await.state.as_str(), "done");
    desk.harness.close().await;
}

/// One message and the check of a batch ask, until something was sent at the new price.
#[tokio::test]
async fn a_send_asks_once_after_the_template_became_more_expensive() {
    let desk = Desk::start(&[order("UTILITY")]).await;
    desk.core().messaging.send_template(desk.request("t1", &[])).await.unwrap();
    desk.recategorized("MARKETING").await;
    let code = "template.categoryRaised";
    let repeated = "to.repeated";
    let plan = desk.plan(&[]).await;
    let found: Vec<_> = plan.problems.iter().map(|found| (found.row, found.problem.code.as_str())).collect();
    assert_eq!((plan.good, found), (0, vec![(0, code), (2, repeated)]));
    assert_eq!(desk.plan(&[code, repeated]).await.good, 2);
    answer_with(&desk.provider, "wamid.2");
    let mut request = desk.request("t1", &[]);
    let refused = desk.core().messaging.send_template(request.clone()).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("template", code));
    request.options.overrides.push(code.to_owned());
    desk.core().messaging.send_template(request.clone()).await.unwrap();
    assert_eq!(desk.sent().len(), 2);
    answer_with(&desk.provider, "wamid.3");
    request.options.overrides = vec!["to.recentMarketing".to_owned()];
    desk.core().messaging.send_template(request).await.unwrap();
    assert_eq!(desk.plan(&["to.recentMarketing", repeated]).await.good, 2);
    desk.harness.close().await;
}
