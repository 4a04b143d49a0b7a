//! A creation whose answer was lost: it is sent again only if the person asks for it.

use command_types::composer::{CreateDraft, DraftId};
use command_types::error::DeskError;
use command_types::submission::{StepOutcome, SubmitDraft};
use command_types::template::TemplateId;
use command_types::workspace::WorkspaceId;
use serde_json::json;

use super::sending::Desk;
use super::webhooks::wait_until;

const WABAS: [&str; 2] = ["102290129340398", "115566778899001"];

/// Stores a draft for both accounts, and returns its identifier.
async fn draft_for_both(desk: &Desk) -> String {
    let request = CreateDraft { workspace: desk.workspace(), ..CreateDraft::default() };
    let mut draft = desk.core().authoring.create_draft(request).await.unwrap();
    draft.template = serde_json::from_value(json!({"name": "lost", "language": "en_US", "category": "utility",
        "components": [
            {"type": "BODY", "text": "Your order {{1}} has left.", "example": {"body_text": [["A-17"]]}},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Thanks"}]}]}))
    .unwrap();
    draft.waba_ids = WABAS.map(str::to_owned).to_vec();
    desk.core().authoring.save_draft(draft).await.unwrap().id
}

/// The template as a provider lists it, with fields of its own.
fn listed(own: &serde_json::Value) -> serde_json::Value {
    let mut record = json!({"uuid": "u1", "name": "lost", "language": "en_US", "category": "UTILITY", "type": "cloud_api",
        "status": "PENDING", "business_id": "7001", "created_at": "2026-09-01T10:00:00Z", "x_region": "sa-east",
        "sub_category": "CUSTOM",
        "components": [
            {"type": "BODY", "text": "Your order {{1}} has left.\n", "example": {"body_text": [["A-17"]]}, "format": "TEXT"},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Thanks", "id": 1}]}]});
    for (field, value) in own.as_object().unwrap() {
        record[field] = value.clone();
    }
    record
}

#[tokio::test]
async fn a_creation_without_an_answer_is_accepted_once_the_list_shows_it() {
    let nested = listed(&json!({"waba_ids": [102_290_129_340_398_u64, 115_566_778_899_001_u64],
        "wabas": WABAS.map(|waba| json!({"waba_id": waba, "id": "9", "status": "PENDING"}))}));
    let rows = WABAS.map(|waba| listed(&json!({"waba_id": waba, "id": format!("9{waba}"), "status": "APPROVED"})));
    for list in [vec![nested], rows.to_vec()] {
        let desk = Desk::start(&[]).await;
        let draft = draft_for_both(&desk).await;
        desk.provider.answer_to("POST ", "500 Internal Server Error\r\ncontent-length: 0", b"");
        let request =
            SubmitDraft { draft: draft.clone(), despite_findings: false, overrides: Vec::new(), resend_unknown: false };
        let lost = desk.core().authoring.submit_draft(request).await.unwrap();
        assert!(matches!(lost.steps[0].outcome, StepOutcome::Unknown { .. }), "{lost:?}");

        desk.provider.answer_json("GET ", "200 OK", &json!({"data": list}));
        wait_until("the list shows it", async || {
            // The refresh that the lost answer started may still run.
            let workspace = WorkspaceId { workspace: desk.workspace() };
            let _running = desk.core().templates.refresh_templates(workspace.clone()).await;
            desk.core().authoring.list_drafts(workspace).await.unwrap().is_empty()
        })
        .await;
        let of = TemplateId { workspace: desk.workspace(), reference: "u1".to_owned() };
        let history = desk.core().templates.list_versions(of).await.unwrap();
        assert_eq!(history.len(), 1, "the submitted content is its version");
        let gone = desk.core().authoring.plan_submission(DraftId { draft }).await.unwrap_err();
        assert!(gone.to_string().contains("accepted"), "{gone}");
        desk.harness.close().await;
    }
}

#[tokio::test]
async fn another_text_in_the_list_does_not_accept_a_creation() {
    let desk = Desk::start(&[]).await;
    let draft = draft_for_both(&desk).await;
    desk.provider.answer_to("POST ", "500 Internal Server Error\r\ncontent-length: 0", b"");
    let request =
        SubmitDraft { draft: draft.clone(), despite_findings: false, overrides: Vec::new(), resend_unknown: false };
    desk.core().authoring.submit_draft(request).await.unwrap();
    let mut other = listed(&json!({"waba_ids": WABAS}));
    other["components"][0]["text"] = json!("Your order {{1}} is late.");
    desk.provider.answer_json("GET ", "200 OK", &json!({"data": [other]}));
    wait_until("the list shows the other one", async || {
        let workspace = WorkspaceId { workspace: desk.workspace() };
        desk.core().templates.refresh_templates(workspace).await.is_ok()
    })
    .await;
    let plan = desk.core().authoring.plan_submission(DraftId { draft }).await.unwrap();
    assert!(matches!(plan.requests[0].outcome, Some(StepOutcome::Unknown { .. })), "{plan:?}");
    desk.harness.close().await;
}

#[tokio::test]
async fn a_creation_without_an_answer_is_not_repeated_by_a_second_submission() {
    let desk = Desk::start(&[]).await;
    let core = desk.core();
    let request = CreateDraft { workspace: desk.workspace(), ..CreateDraft::default() };
    let mut draft = core.authoring.create_draft(request).await.unwrap();
    draft.template = serde_json::from_value(json!({"name": "lost", "language": "en_US", "category": "utility",
        "components": [{"type": "BODY", "text": "Your order has left."}]}))
    .unwrap();
    draft.waba_ids = vec!["102290129340398".to_owned()];
    let draft = core.authoring.save_draft(draft).await.unwrap();
    let submit = async |resend_unknown| {
        let request =
            SubmitDraft { draft: draft.id.clone(), despite_findings: false, overrides: Vec::new(), resend_unknown };
        core.authoring.submit_draft(request).await.unwrap()
    };
    let creations = || {
        let requests = desk.provider.requests();
        requests.iter().filter(|request| request.head[0].starts_with("POST ")).count()
    };

    desk.provider.answer_to("POST ", "503 Service Unavailable\r\ncontent-length: 0", b"");
    let lost = submit(false).await;
    let StepOutcome::Unknown { error } = &lost.steps[0].outcome else { panic!("{lost:?}") };
    assert!(matches!(error, DeskError::OutcomeUnknown { cause: Some(_) }), "{error:?}");
    assert!(!error.to_string().to_lowercase().contains("try again"), "{error}");
    assert_eq!((lost.complete, creations()), (false, 1));

    desk.provider.answer_json("POST ", "201 Created", &json!({"uuid": "u1", "status": "PENDING"}));
    let again = submit(false).await;
    assert!(matches!(again.steps[0].outcome, StepOutcome::Unknown { .. }), "{again:?}");
    assert_eq!((again.complete, creations()), (false, 1));

    let resent = submit(true).await;
    assert_eq!((resent.complete, resent.reference.as_deref(), creations()), (true, Some("u1"), 2));
    desk.harness.close().await;
}
