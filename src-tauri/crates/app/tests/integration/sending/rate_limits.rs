//! Single messages that a rate limit refuses.

use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::send::{SendId, SendRow};
use serde_json::json;

use super::{Desk, answer_with, hello};

const LIMITED: &str = "429 Too Many Requests";

async fn send(desk: &Desk) -> SendRow {
    desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap()
}

#[tokio::test]
async fn a_message_that_a_rate_limit_refused_is_sent_again() {
    let mut desk = Desk::start(&[hello()]).await;
    desk.provider.answer_json("POST ", LIMITED, &json!({"message": "slow down"}));
    let row = send(&desk).await;
    assert_eq!(row.state.as_str(), "refused");
    assert!(row.retry_at.is_some(), "it says until when it waits");
    answer_with(&desk.provider, "wamid.1");
    desk.harness.wait_for_send_state(&row.id, "accepted").await;
    let detail = desk.detail(&row).await;
    assert_eq!((detail.row.retry_at, detail.error, detail.message_id.as_deref()), (None, None, Some("wamid.1")));
    let sent = desk.sent();
    assert!(sent.len() >= 2 && sent.iter().all(|payload| *payload == sent[0]), "the same message: {sent:?}");
    desk.harness.close().await;
}

#[tokio::test]
async fn the_wait_for_a_rate_limit_can_be_cancelled() {
    let mut desk = Desk::start(&[hello()]).await;
    desk.provider.answer_json("POST ", &format!("{LIMITED}\r\nretry-after: 20"), &json!({"message": "slow down"}));
    let row = send(&desk).await;
    assert!(row.retry_at.is_some());
    desk.harness.emitted();
    desk.core().messaging.cancel_send(SendId { send: row.id.clone() }).await.unwrap();
    let id = row.id.clone();
    desk.harness.event(|event| matches!(event, DeskEvent::SendUpdated { id: of, .. } if *of == id).then_some(())).await;
    let detail = desk.detail(&row).await;
    assert_eq!((detail.row.state.as_str(), detail.row.retry_at), ("refused", None));
    assert!(detail.again.is_some(), "everything typed is kept");
    assert_eq!(desk.sent().len(), 1);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_wait_longer_than_a_person_waits_ends_as_not_sent() {
    let desk = Desk::start(&[hello()]).await;
    desk.provider.answer_json("POST ", &format!("{LIMITED}\r\nretry-after: 600"), &json!({"message": "slow down"}));
    let row = send(&desk).await;
    assert_eq!((row.state.as_str(), row.retry_at), ("refused", None));
    let detail = desk.detail(&row).await;
    assert_eq!(detail.error, Some(DeskError::RateLimited { retry_after: Some(600), error_code: None }));
    let helps_at = detail.retry_helps_at.unwrap();
    assert!(helps_at >= row.created_at + 600_000, "{helps_at}");
    assert!(detail.again.is_some());
    desk.harness.close().await;
}
