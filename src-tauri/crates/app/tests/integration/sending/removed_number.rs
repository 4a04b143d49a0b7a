//! A number that was removed from the settings: nothing is sent from it any more.

use command_types::conversations::ConversationQuery;
use command_types::error::DeskError;
use command_types::send::SendText;
use command_types::workspace::SendingNumber;
use model::send::SendProblemCode;
use serde_json::json;

use super::{Desk, NUMBER, RECIPIENT, hello};
use crate::webhooks::envelope;

fn number(id: &str) -> SendingNumber {
    SendingNumber { id: id.to_owned(), label: id.to_owned(), ..SendingNumber::default() }
}

fn problem(error: &DeskError) -> (&str, Option<SendProblemCode>) {
    let DeskError::InvalidInput { field, problem, .. } = error else { panic!("{error:?}") };
    (field, *problem)
}

#[tokio::test]
async fn a_removed_number_sends_neither_templates_nor_texts() {
    let desk = Desk::start(&[hello()]).await;
    let again = desk.request("t1", &[("body.1", "Ana")]);
    desk.core().messaging.send_template(again.clone()).await.unwrap();
    desk.set_numbers(vec![number("300000000000002")]).await;

    let expected = ("number", Some(SendProblemCode::NumberUnknown));
    let shown = desk.core().messaging.preview_send(again.clone()).await.unwrap().problems;
    assert_eq!(shown.iter().map(|found| (found.field.as_str(), Some(found.code))).collect::<Vec<_>>(), [expected]);
    let mut overriding = again.clone();
    overriding.options.overrides = vec!["number.unknown".to_owned()];
    assert_eq!(problem(&desk.core().messaging.send_template(overriding).await.unwrap_err()), expected);
    let text = SendText {
        workspace: desk.workspace(),
        number: NUMBER.to_owned(),
        to: format!("+{RECIPIENT}"),
        text: "Oi".to_owned(),
        ..SendText::default()
    };
    assert_eq!(problem(&desk.core().messaging.send_text(text.clone()).await.unwrap_err()), expected);
    assert_eq!(desk.sent().len(), 1);

    let other = "300000000000002".to_owned();
    let mut request = again;
    request.number.clone_from(&other);
    desk.core().messaging.send_template(request).await.unwrap();
    desk.core().messaging.send_text(SendText { number: other, ..text }).await.unwrap();
    assert_eq!(desk.sent().len(), 3);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_workspace_without_numbers_sends_from_any() {
    let desk = Desk::start(&[hello()]).await;
    desk.set_numbers(Vec::new()).await;
    desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    desk.harness.close().await;
}

/// The number that the person wrote to may not be one of ours any more.
#[tokio::test]
async fn a_reply_starts_from_a_number_that_the_workspace_has() {
    let mut desk = Desk::start(&[hello()]).await;
    let at = chrono::Utc::now().timestamp().to_string();
    // Messages arrive for the number `n1`.
    let body = envelope(json!({"contacts": [{"profile": {"name": "Ana"}, "wa_id": RECIPIENT}],
        "messages": [{"from": RECIPIENT, "id": "wamid.in.1", "timestamp": at, "type": "text", "text": {"body": "Oi"}}]}));
    desk.deliver(&body).await;
    for (numbers, expected) in
        [(vec!["n1", "n2"], Some("n1")), (vec!["n2"], Some("n2")), (vec!["n2", "n3"], None), (Vec::new(), Some("n1"))]
    {
        desk.set_numbers(numbers.iter().map(|id| number(id)).collect()).await;
        let (workspace, contact) = (desk.workspace(), RECIPIENT.to_owned());
        let query = ConversationQuery { workspace, contact, number: None, after: None, limit: 10 };
        let page = desk.core().conversations.list_conversation(query).await.unwrap();
        assert_eq!(page.number.as_deref(), expected, "{numbers:?}");
    }
    desk.harness.close().await;
}
