//! What is asked about before a message leaves: the same one to the same person, and samples of the review in an answer.

use command_types::send::SendRequest;
use serde_json::json;

use super::{Desk, SAME_MESSAGE, answer_with, hello, stopped_at};

impl Desk {
    async fn again(&self, change: impl FnOnce(&mut SendRequest)) -> Vec<String> {
        let mut request = self.request("t1", &[("body.1", "Ana")]);
        request.options.overrides.clear();
        change(&mut request);
        let found = self.core().messaging.preflight_send(request).await.unwrap().problems;
        found.into_iter().map(|problem| problem.code.as_str().to_owned()).collect()
    }
}

#[tokio::test]
async fn the_same_message_to_the_same_person_is_asked_about() {
    let desk = Desk::start(&[hello()]).await;
    assert!(desk.again(|_| ()).await.is_empty());
    answer_with(&desk.provider, "wamid.1");
    desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    assert_eq!(desk.again(|_| ()).await, [SAME_MESSAGE]);
    // The same person in the notation without the ninth digit.
    assert_eq!(desk.again(|request| request.to = "+55 11 8765-4321".to_owned()).await, [SAME_MESSAGE]);
    for (what, found) in [
        ("value", desk.again(|request| drop(request.values.insert("body.1".to_owned(), "Rui".to_owned()))).await),
        ("person", desk.again(|request| request.to = "+55 11 98765-4322".to_owned()).await),
    ] {
        assert!(!found.iter().any(|code| code == SAME_MESSAGE), "another {what}: {found:?}");
    }
    let mut request = desk.request("t1", &[("body.1", "Ana")]);
    request.options.overrides.clear();
    let refused = desk.core().messaging.send_template(request.clone()).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("to", SAME_MESSAGE));
    assert_eq!(desk.sent().len(), 1, "nothing leaves before the answer");
    request.options.overrides.push(SAME_MESSAGE.to_owned());
    desk.core().messaging.send_template(request).await.unwrap();
    assert_eq!(desk.sent().len(), 2);
    desk.harness.close().await;
}

/// It reached nobody.
#[tokio::test]
async fn a_refused_message_may_be_sent_again_without_a_question() {
    let desk = Desk::start(&[hello()]).await;
    let refused = json!({"error": {"message": "Invalid parameter", "code": 100}}).to_string();
    let head = format!("400 Bad Request\r\ncontent-length: {}", refused.len());
    desk.provider.answer_to("POST ", &head, refused.as_bytes());
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    assert_eq!(row.state.as_str(), "refused");
    assert!(desk.again(|_| ()).await.is_empty());
    desk.harness.close().await;
}

/// An agent chose *Use the samples* to see the message, and answered with the name of another customer.
#[tokio::test]
async fn samples_of_the_review_are_asked_about_in_an_answer_only() {
    let body = json!({"type": "BODY", "text": "Olá {{1}}, seu pedido {{2}} saiu hoje.",
        "example": {"body_text": [["Ana", "SP-118"]]}});
    let track = json!({"type": "URL", "text": "Track", "url": "https://flores.example/t/{{1}}",
        "example": ["https://flores.example/t/SP-118"]});
    let components = json!([body, {"type": "BUTTONS", "buttons": [track]}]);
    let desk = Desk::start(&[json!({"name": "parcel", "components": components})]).await;
    let typed = |order: &str| desk.request("t1", &[("body.1", "Rui"), ("body.2", order), ("button.0.url", order)]);
    let found = async |answers: Option<bool>, order: &str| {
        let mut request = typed(order);
        request.answers = answers;
        let problems = desk.core().messaging.preflight_send(request).await.unwrap().problems;
        problems.into_iter().map(|problem| (problem.field, problem.code.as_str())).collect::<Vec<_>>()
    };
    let asked = ["body.2", "button.0.url"].map(|part| (part.to_owned(), "value.sample"));
    assert_eq!(found(Some(true), "SP-118").await, asked);
    assert_eq!(found(Some(true), "SP-119").await, []);
    for test in [Some(false), None] {
        assert_eq!(found(test, "SP-118").await, [], "{test:?}: a test, or a file of orders");
    }
    let mut request = typed("SP-118");
    request.answers = Some(true);
    let refused = desk.core().messaging.send_template(request.clone()).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("body.2", "value.sample"));
    assert!(desk.sent().is_empty());
    request.options.overrides.push("value.sample".to_owned());
    desk.core().messaging.send_template(request).await.unwrap();
    assert_eq!(desk.sent().len(), 1);
    desk.harness.close().await;
}

/// The list of a provider may lag behind its webhooks.
#[tokio::test]
async fn a_listing_that_contradicts_a_webhook_is_asked_about() {
    let mut desk = Desk::start(&[hello()]).await;
    assert!(desk.again(|_| ()).await.is_empty());
    let rejected = json!({"entry": [{"id": "400", "time": chrono::Utc::now().timestamp() - 30, "changes": [
        {"field": "message_template_status_update", "value": {"event": "REJECTED", "message_template_name": "hello",
            "message_template_language": "pt_BR", "message_template_id": 1}}]}]});
    desk.deliver(&rejected.to_string()).await;
    assert!(desk.again(|_| ()).await.contains(&"template.status".to_owned()), "rejected");
    desk.refresh().await;
    assert_eq!(desk.again(|_| ()).await, ["template.contradicted"]);
    let mut request = desk.request("t1", &[("body.1", "Ana")]);
    let refused = desk.core().messaging.send_template(request.clone()).await.unwrap_err();
    assert_eq!(stopped_at(&refused), ("template", "template.contradicted"));
    let batch = desk.batch_request("phone\n+5511987654321\n", &[]).await;
    let plan = desk.core().messaging.plan_batch(batch).await.unwrap();
    let found: Vec<_> = plan.problems.iter().map(|of| of.problem.code.as_str()).collect();
    assert!(found.contains(&"template.contradicted"), "{found:?}");
    assert!(desk.sent().is_empty());
    request.options.overrides.push("template.contradicted".to_owned());
    desk.core().messaging.send_template(request).await.unwrap();
    assert_eq!(desk.sent().len(), 1);
    desk.harness.close().await;
}
