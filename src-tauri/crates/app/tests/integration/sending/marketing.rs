//! People who have stopped marketing messages: known from events, failures and notes, under all their identifiers.

use command_types::Nothing;
use command_types::batch::{BatchPlanRequest, BatchQuery, BatchSource, StartBatch, ValueSource};
use command_types::opt_outs::{MarketingSource, MarketingStop, NoteMarketing};
use command_types::send::SendOptions;
use serde_json::{Value, json};

use super::{Desk, NUMBER, RECIPIENT, hello, stopped_at};
use crate::webhooks::{envelope, status, wait_until};

const THEN: u64 = 1_700_000_000;

fn promo() -> Value {
    json!({"name": "promo", "category": "marketing",
           "components": [{"type": "BODY", "text": "Olá {{1}}, temos uma oferta para você hoje."}]})
}

fn preference(person: Value, value: &str, at: u64) -> String {
    let mut preference = person;
    preference["category"] = json!("marketing_messages");
    preference["value"] = json!(value);
    preference["timestamp"] = json!(at);
    let value = json!({"messaging_product": "messaging", "user_preferences": [preference]});
    json!({"object": "messaging_business_account",
           "entry": [{"id": "waba-1", "changes": [{"field": "user_preferences", "value": value}]}]})
    .to_string()
}

impl Desk {
    /// The code of the problem that keeps a marketing template from [`RECIPIENT`].
    async fn stopped(&self) -> Option<String> {
        let mut request = self.request("t1", &[("body.1", "Ana")]);
        request.options.overrides = ["to.recentMarketing", "to.sameMessage"].map(str::to_owned).to_vec();
        let preview = self.core().messaging.preview_send(request.clone()).await.unwrap();
        let shown = preview.problems.into_iter().find(|problem| problem.is_error());
        let sent = self.core().messaging.send_template(request).await;
        assert_eq!(shown.is_some(), sent.is_err());
        sent.err().map(|error| stopped_at(&error).1.to_owned())
    }

    async fn stop(&self) -> Option<MarketingStop> {
        self.conversation(None).await.marketing_stop
    }

    async fn note(&self, is_stopped: bool) {
        let contact = RECIPIENT.to_owned();
        let note = NoteMarketing { workspace: self.workspace(), contact, is_stopped, ..NoteMarketing::default() };
        self.core().conversations.note_marketing(note).await.unwrap();
    }
}

fn since(source: MarketingSource, seconds: u64) -> Option<MarketingStop> {
    Some(MarketingStop { since: i64::try_from(seconds).unwrap() * 1_000, source, accounts: None, file: None })
}

#[tokio::test]
async fn who_stopped_marketing_gets_no_marketing_until_they_resume() {
    let mut desk = Desk::start(&[promo(), hello()]).await;
    assert_eq!((desk.stopped().await, desk.stop().await), (None, None));
    // The number as it was before the ninth digit.
    desk.deliver(&preference(json!({"wa_id": "551187654321"}), "stop", THEN + 10)).await;
    assert_eq!(desk.stopped().await.as_deref(), Some("to.optedOut"));
    assert_eq!(desk.stop().await, since(MarketingSource::Preference, THEN + 10));
    let utility = desk.request("t2", &[("body.1", "Ana")]);
    desk.core().messaging.send_template(utility).await.unwrap();

    // A late event changes nothing, and neither does a rebuild.
    desk.deliver(&preference(json!({"wa_id": RECIPIENT}), "resume", THEN)).await;
    desk.core().webhooks.rebuild_projection(Nothing {}).await.unwrap();
    desk.harness.wait_for_projection().await;
    assert_eq!(desk.stopped().await.as_deref(), Some("to.optedOut"));
    desk.deliver(&preference(json!({"wa_id": RECIPIENT}), "resume", THEN + 20)).await;
    assert_eq!((desk.stopped().await, desk.stop().await), (None, None));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_failure_of_marketing_and_the_user_id_of_a_person_count_for_their_number() {
    let mut desk = Desk::start(&[promo()]).await;
    let mut failed = status("wamid.1", "failed", RECIPIENT, THEN);
    failed["errors"] = json!([{"code": 131_050, "title": "User stopped marketing messages"}]);
    desk.deliver(&envelope(json!({"statuses": [failed]}))).await;
    assert_eq!(desk.stop().await, since(MarketingSource::Failure, THEN));
    assert_eq!(desk.stopped().await.as_deref(), Some("to.optedOut"));
    desk.deliver(&preference(json!({"wa_id": RECIPIENT}), "resume", THEN + 1)).await;
    assert_eq!(desk.stopped().await, None);

    desk.deliver(&preference(json!({"user_id": "BR.1"}), "stop", THEN + 2)).await;
    assert_eq!(desk.stopped().await, None, "nobody knows yet whose user id it is");
    let message = json!({"from": RECIPIENT, "from_user_id": "BR.1", "id": "wamid.in", "timestamp": THEN.to_string(),
        "type": "text", "text": {"body": "Olá"}});
    let contact = json!({"wa_id": RECIPIENT, "user_id": "BR.1", "profile": {"name": "Ana"}});
    desk.deliver(&envelope(json!({"contacts": [contact], "messages": [message]}))).await;
    assert_eq!(desk.stopped().await.as_deref(), Some("to.optedOut"));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_person_known_by_a_user_id_only_can_stop_marketing() {
    let mut desk = Desk::start(&[promo()]).await;
    desk.take_user_ids(true).await;
    let id = "BR.13491208655302741918";
    let mut request = desk.request("t1", &[("body.1", "Ana")]);
    request.to = id.to_owned();
    desk.core().messaging.send_template(request.clone()).await.unwrap();
    desk.deliver(&preference(json!({"user_id": id}), "stop", THEN)).await;
    let error = desk.core().messaging.send_template(request).await.unwrap_err();
    assert_eq!(stopped_at(&error), ("to", "to.optedOut"));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_note_is_taken_back_only_here_and_outlives_the_cache() {
    let mut desk = Desk::start(&[promo()]).await;
    desk.note(true).await;
    desk.deliver(&preference(json!({"wa_id": RECIPIENT}), "resume", 4_000_000_000)).await;
    assert_eq!(desk.stop().await.map(|stop| stop.source), Some(MarketingSource::Note));
    assert_eq!(desk.stopped().await.as_deref(), Some("to.optedOut"));
    desk.note(false).await;
    assert_eq!((desk.stopped().await, desk.stop().await), (None, None));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_batch_leaves_out_who_stopped_also_after_it_was_planned() {
    let mut desk = Desk::start(&[promo()]).await;
    desk.deliver(&preference(json!({"wa_id": RECIPIENT}), "stop", THEN)).await;
    let path = desk.harness.folder.path().join("people.csv");
    std::fs::write(&path, "phone\n+5511987654321\n+5511987654322\n+5511987654323\n").unwrap();
    let file = desk.core().messaging.read_csv(&path).await.unwrap();
    let values = [("body.1".to_owned(), ValueSource::Fixed { value: "você".to_owned() })].into();
    let plan = desk.core().messaging.plan_batch(BatchPlanRequest {
        workspace: desk.workspace(),
        reference: "t1".to_owned(),
        number: NUMBER.to_owned(),
        country: None,
        source: BatchSource::Csv { file: file.id, to: file.columns[0].clone(), name: None, values },
        options: SendOptions::default(),
    });
    let plan = plan.await.unwrap();
    let found: Vec<_> = plan.problems.iter().map(|found| (found.row, found.problem.code.as_str())).collect();
    assert_eq!((plan.good, found), (2, vec![(2, "to.optedOut")]));

    desk.deliver(&preference(json!({"wa_id": "5511987654323"}), "stop", THEN)).await;
    let started =
        desk.core().messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: true }).await.unwrap();
    wait_until("the batch ends", async || {
        let query = BatchQuery { batch: started.id.clone(), ..BatchQuery::default() };
        desk.core().messaging.get_batch(query).await.unwrap().batch.state.as_str() == "done"
    })
    .await;
    let to: Vec<_> = desk.sent().iter().map(|sent| sent["to"].as_str().unwrap().to_owned()).collect();
    assert_eq!(to, ["5511987654322"]);
    desk.harness.close().await;
}
