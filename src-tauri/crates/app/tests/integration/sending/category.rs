//! Templates that the channel made more expensive: nothing leaves at the new price unless a person says so.

use command_types::batch::{Batch, BatchId, BatchPlan, BatchQuery, ResumeBatch, StartBatch};
use command_types::batch_round::{OutcomeGroup, PlanRound};
use command_types::composer::CreateDraft;
use command_types::template::{RaisedCategory, ReviewBoard, TemplateId, TemplateQuery};
use model::vocabulary::Category;
use serde_json::{Value, json};

use super::costs::{CARD, charged};
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

    async fn raised(&self) -> Option<RaisedCategory> {
        let id = TemplateId { workspace: self.workspace(), reference: "t1".to_owned() };
        self.core().templates.get_template(id).await.unwrap().raised_category
    }

    async fn board(&self) -> ReviewBoard {
        let query = TemplateQuery { workspace: self.workspace(), limit: 50, ..TemplateQuery::default() };
        self.core().templates.get_review_board(query.into()).await.unwrap()
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
    let done = desk.ended(&plan.id).await;
    assert_eq!((done.state.as_str(), done.started_at), ("done", stopped.started_at), "it began when it was started");
    assert_eq!(desk.sent().len(), 2);
    desk.harness.close().await;
}

#[tokio::test]
async fn the_planned_cost_follows_an_accepted_price() {
    let desk = Desk::start(&[order("UTILITY")]).await;
    desk.import_card(CARD).await;
    let plan = desk.plan(&[]).await;
    let planned = async || {
        let cost = desk.core().messaging.get_batch_cost(BatchId { batch: plan.id.clone() }).await.unwrap();
        cost.planned.unwrap().total
    };
    assert_eq!(planned().await, "0.0136");
    desk.recategorized("MARKETING").await;
    let start = StartBatch { batch: plan.id.clone(), skip_bad: false };
    desk.core().messaging.start_batch(start).await.unwrap();
    assert!(desk.ended(&plan.id).await.category_raised);
    let resume = ResumeBatch { batch: plan.id.clone(), resend_unknown: false };
    desk.core().messaging.resume_batch(resume).await.unwrap();
    desk.ended(&plan.id).await;
    assert_eq!(planned().await, "0.125");
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
    request.options.overrides = ["to.recentMarketing", "to.sameMessage"].map(str::to_owned).to_vec();
    desk.core().messaging.send_template(request).await.unwrap();
    assert_eq!(desk.plan(&["to.recentMarketing", repeated]).await.good, 2);
    desk.harness.close().await;
}

/// A month is that of the messages that were delivered in the last thirty days and were not free.
#[tokio::test]
async fn a_raised_category_says_what_it_costs_a_month_and_until_when_it_can_be_reviewed() {
    let mut desk = Desk::start(&[order("UTILITY")]).await;
    let now = u64::try_from(chrono::Utc::now().timestamp()).unwrap();
    desk.delivered("wamid.1", now, charged("utility")).await;
    desk.delivered("wamid.2", now, None).await;
    let free = json!({"billable": false, "pricing_model": "PMP", "type": "free_entry_point", "category": "utility"});
    desk.delivered("wamid.3", now, Some(free)).await;
    answer_with(&desk.provider, "wamid.4");
    desk.core().messaging.send_template(desk.request("t1", &[])).await.unwrap();
    desk.import_card(CARD).await;
    assert_eq!(desk.raised().await, None);
    assert_eq!((desk.board().await.raised_categories.len(), desk.board().await.needs.raised_month), (0, None));

    desk.recategorized("MARKETING").await;
    let raised = desk.raised().await.unwrap();
    let month = raised.month.clone().unwrap();
    let sums = [month.before, month.after, month.added].map(|sum| sum.to_string());
    assert_eq!((sums, month.messages, month.unknown), (["0.0136", "0.125", "0.1114"].map(str::to_owned), 2, 0));
    assert_eq!(raised.appeal_until, None, "nobody said when it was changed");
    let board = desk.board().await;
    assert_eq!(board.raised_categories.get("t1"), Some(&raised));
    assert_eq!(board.needs.raised_month, raised.month);

    let event = json!({"object": "messaging_business_account", "entry": [{"id": "10", "time": now, "changes": [
        {"field": "template_category_update", "value": {"message_template_id": 7, "message_template_name": "order",
         "message_template_language": "pt_BR", "previous_category": "UTILITY", "new_category": "MARKETING"}}]}]});
    desk.deliver(&event.to_string()).await;
    let until = i64::try_from(now).unwrap() * 1_000 + 60 * 86_400_000;
    assert_eq!(desk.raised().await.unwrap().appeal_until, Some(until));
    assert_eq!(desk.board().await.raised_categories["t1"].appeal_until, Some(until));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_new_utility_text_is_a_copy_under_a_name_of_its_own() {
    let desk = Desk::start(&[order("MARKETING")]).await;
    let request = || CreateDraft {
        workspace: desk.workspace(),
        from_template: Some("t1".to_owned()),
        as_utility: true,
        ..CreateDraft::default()
    };
    let copy = desk.core().authoring.create_draft(request()).await.unwrap();
    assert_eq!((copy.template.name.as_str(), copy.template.category, copy.edits), ("order_2", Category::Utility, None));
    assert_eq!(copy.template.components.len(), 1);
    let next = desk.core().authoring.create_draft(request()).await.unwrap();
    assert_eq!(next.template.name, "order_3");
    desk.harness.close().await;
}
