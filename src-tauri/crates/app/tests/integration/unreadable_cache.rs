//! The cache fails while something changes at the provider: it can be rebuilt, so it decides nothing about an outcome.

use command_types::composer::CreateDraft;
use command_types::send::SendId;
use command_types::submission::{StepOutcome, SubmitDraft};
use command_types::template::TemplateId;
use rusqlite::Connection;
use serde_json::json;

use super::harness::Harness;
use super::sending::{Desk, RECIPIENT, answer_with, hello};
use super::webhooks::{envelope, status, wait_until};

/// Changes a database behind the app's back.
fn change(harness: &Harness, file: &str, sql: &str) {
    Connection::open(harness.folder.path().join("desk").join(file)).unwrap().execute_batch(sql).unwrap();
}

/// No template can be changed in the cache.
const BROKEN: &str = "CREATE TRIGGER broken BEFORE UPDATE ON template BEGIN SELECT RAISE(FAIL, 'broken'); END;
    CREATE TRIGGER broken_too BEFORE INSERT ON template BEGIN SELECT RAISE(FAIL, 'broken'); END;
    CREATE TRIGGER broken_also BEFORE DELETE ON template BEGIN SELECT RAISE(FAIL, 'broken'); END;";

/// A desk with a status that came before the answer to its message.
async fn with_early_status() -> Desk {
    let mut desk = Desk::start(&[hello()]).await;
    answer_with(&desk.provider, "wamid.early");
    desk.deliver(&envelope(json!({"statuses": [status("wamid.early", "delivered", RECIPIENT, 1_700_000_000)]}))).await;
    desk
}

#[tokio::test]
async fn a_message_is_sent() {
    let desk = Desk::start(&[hello()]).await;
    change(&desk.harness, "cache.sqlite", BROKEN);
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    assert_eq!((row.state.as_str(), desk.sent().len()), ("accepted", 1));
    desk.harness.close().await;
}

#[tokio::test]
async fn an_accepted_message_is_not_reported_as_failed() {
    let mut desk = with_early_status().await;
    let cache = "cache.sqlite";
    change(&desk.harness, cache, "ALTER TABLE message_row RENAME TO away; ALTER TABLE contact RENAME TO away_too");
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    assert_eq!((row.state.as_str(), desk.sent().len()), ("accepted", 1));

    change(&desk.harness, cache, "ALTER TABLE away RENAME TO message_row; ALTER TABLE away_too RENAME TO contact");
    desk.harness.wait_for_send_state(&row.id, "delivered").await;
    desk.harness.close().await;
}

#[tokio::test]
async fn a_status_that_came_before_an_answer_is_added_at_the_next_start() {
    let desk = with_early_status().await;
    let row = desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    assert_eq!(row.state.as_str(), "delivered");
    // As if the run had ended between the answer and the status.
    change(&desk.harness, "desk.sqlite", "DELETE FROM send_outcome; UPDATE send SET status = NULL, status_at = NULL");
    let Desk { harness, .. } = desk;
    let harness = Harness::start_in(harness.close().await).await;
    let state = async || {
        let send = harness.core.messaging.get_send(SendId { send: row.id.clone() }).await.unwrap();
        send.row.state.as_str() == "delivered"
    };
    wait_until("the status is added", state).await;
    harness.close().await;
}

#[tokio::test]
async fn an_accepted_creation_is_not_reported_as_failed() {
    let desk = Desk::start(&[]).await;
    let core = desk.core();
    let request = CreateDraft { workspace: desk.workspace(), ..CreateDraft::default() };
    let mut draft = core.authoring.create_draft(request).await.unwrap();
    draft.template = serde_json::from_value(json!({"name": "late", "language": "en_US", "category": "utility",
        "components": [{"type": "BODY", "text": "Your order has left."}]}))
    .unwrap();
    draft.waba_ids = vec!["102290129340398".to_owned()];
    let draft = core.authoring.save_draft(draft).await.unwrap();
    change(&desk.harness, "cache.sqlite", BROKEN);
    desk.provider.answer_json("POST ", "201 Created", &json!({"uuid": "u1", "status": "PENDING"}));
    let submit = SubmitDraft { draft: draft.id, despite_findings: false, overrides: Vec::new(), resend_unknown: false };
    let report = core.authoring.submit_draft(submit).await.unwrap();
    assert!(matches!(report.steps[0].outcome, StepOutcome::Accepted { .. }), "{report:?}");
    assert_eq!((report.complete, report.draft_kept), (true, false));
    desk.harness.close().await;
}

#[tokio::test]
async fn an_archived_template_is_not_reported_as_failed() {
    let desk = Desk::start(&[hello()]).await;
    desk.provider.answer_json("POST ", "200 OK", &json!({}));
    change(&desk.harness, "cache.sqlite", BROKEN);
    let id = TemplateId { workspace: desk.workspace(), reference: "t1".to_owned() };
    desk.core().bulk_actions.archive_template(id).await.unwrap();
    desk.harness.close().await;
}
