//! A creation whose answer was lost: it is sent again only if the person asks for it.

use command_types::composer::CreateDraft;
use command_types::error::DeskError;
use command_types::submission::{StepOutcome, SubmitDraft};
use serde_json::json;

use super::sending::Desk;

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
