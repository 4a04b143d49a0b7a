//! Edits of existing templates: sent requests, refusals, and the way from a rejection to an approval.

use app::SANDBOX_ID;
use command_types::composer::{Administration, CreateDraft, Draft, DraftId, RewriteTemplate};
use command_types::edit::{EditContext, LockedField};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::submission::{StepOutcome, SubmissionReport, SubmitDraft};
use command_types::template::{TemplateId, TemplateQuery};
use command_types::workspace::WorkspaceId;
use model::component::Component;
use model::finding::Severity;
use model::rewrite::Rewrite;
use model::vocabulary::TemplateStatus;
use sandbox::review::Decision;
use sandbox::{ReviewPolicy, seed};
use serde_json::{Value, json};

use super::harness::{Harness, picture};

fn id(reference: &str) -> TemplateId {
    TemplateId { workspace: SANDBOX_ID.to_owned(), reference: reference.to_owned() }
}

fn edit_of(reference: &str) -> CreateDraft {
    CreateDraft {
        workspace: SANDBOX_ID.to_owned(),
        from_template: Some(reference.to_owned()),
        edit: true,
        ..CreateDraft::default()
    }
}

fn body(draft: &mut Draft, text: &str) {
    for component in &mut draft.template.components {
        if let Component::Body(body) = component {
            body.text = Some(text.to_owned());
        }
    }
}

async fn submit(harness: &Harness, draft: Draft) -> SubmissionReport {
    let draft = harness.core.authoring.save_draft(draft).await.unwrap();
    harness
        .core
        .authoring
        .submit_draft(SubmitDraft {
            draft: draft.id,
            despite_findings: true,
            overrides: Vec::new(),
            resend_unknown: false,
        })
        .await
        .unwrap()
}

async fn context(harness: &Harness, draft: &Draft) -> EditContext {
    harness.core.authoring.get_edit_context(DraftId { draft: draft.id.clone() }).await.unwrap()
}

/// A seeded template in the listing.
async fn seeded(harness: &Harness, name: &str, status: &str) -> String {
    harness.core.templates.refresh_templates(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    let query = TemplateQuery {
        workspace: SANDBOX_ID.to_owned(),
        search: Some(name.to_owned()),
        statuses: vec![status.to_owned()],
        limit: 1,
        ..TemplateQuery::default()
    };
    harness.core.templates.list_templates(query).await.unwrap().rows.remove(0).reference
}

/// Waits until the review of a template has this result.
async fn review_says(harness: &mut Harness, name: &str, word: &str) {
    harness
        .event(|event| match event {
            DeskEvent::TemplateStatusChanged { name: reported, event, .. } if reported == name && event == word => {
                Some(())
            }
            _ => None,
        })
        .await;
}

#[tokio::test]
async fn an_edit_sends_only_the_changes_and_the_header_file() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let reference = seeded(&harness, "spring_sale", "APPROVED").await;
    let mut draft = core.authoring.create_draft(edit_of(&reference)).await.unwrap();
    let before = context(&harness, &draft).await;
    assert_eq!((before.status.as_str(), before.editable, before.original == draft.template), ("APPROVED", true, true));
    assert_eq!(before.locks, [LockedField::Name, LockedField::Language, LockedField::WabaIds]);
    assert!(before.category_usually_fixed);
    let quota = before.quota.unwrap();
    assert_eq!((quota.used_day, quota.used_month, quota.next_at), (0, 0, None));
    assert_eq!(before.guidance, []);

    let nothing = core.authoring.plan_submission(DraftId { draft: draft.id.clone() }).await.unwrap_err();
    assert!(matches!(&nothing, DeskError::InvalidInput { message, .. } if message.contains("Nothing has changed")));

    // Only a new image: the components are included, with the placeholder in the header.
    draft.header_file = Some(outgoing::attachment::inspect(&picture(harness.folder.path())).await.unwrap());
    draft.administration = Some(Administration { workspace_uuid: None, is_administrator: true });
    let draft = core.authoring.save_draft(draft).await.unwrap();
    let plan = core.authoring.plan_submission(DraftId { draft: draft.id.clone() }).await.unwrap();
    let request = &plan.requests[0];
    assert_eq!((request.method.as_str(), request.json.as_deref()), ("PUT", None));
    assert!(request.url.ends_with(&format!("/workspace-templates/{reference}")), "{}", request.url);
    let parts: Vec<_> = request.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(parts, ["is_administrator", "header_file", "components"]);
    let components: Value = serde_json::from_str(request.parts[2].value.as_deref().unwrap()).unwrap();
    assert_eq!(components[0]["example"]["header_handle"], json!(["UPLOAD_PENDING"]));
    let changes: Vec<_> = plan.changes.iter().map(|change| (change.path.as_str(), change.after.as_deref())).collect();
    assert_eq!(changes, [("/components/HEADER/file", Some("flowers.png"))]);
    assert!(plan.before.is_some());

    let report = submit(&harness, draft).await;
    assert!(report.complete, "{report:?}");
    assert_eq!(report.reference.as_deref(), Some(reference.as_str()));
    let detail = core.templates.get_template(id(&reference)).await.unwrap();
    assert!(matches!(detail.row.status.as_str(), "PENDING" | "APPROVED"), "{}", detail.row.status);
    assert_eq!(detail.row.wabas, before.waba_ids, "what no edit changes stays");
    review_says(&mut harness, "spring_sale", "APPROVED").await;

    // It was approved when it was edited, so the edit counts; and the first version is the provider's content.
    let mut draft = core.authoring.create_draft(edit_of(&reference)).await.unwrap();
    let quota = context(&harness, &draft).await.quota.unwrap();
    assert_eq!((quota.used_day, quota.per_day, quota.used_month, quota.per_month), (1, 1, 1, 10));
    assert!(quota.next_at.is_some());
    let versions = core.templates.list_versions(id(&reference)).await.unwrap();
    let chain: Vec<_> = versions.iter().map(|version| (version.origin.as_str(), version.outcome.as_deref())).collect();
    assert_eq!(chain, [("edited", Some("APPROVED")), ("observed", Some("APPROVED"))]);

    // The provider counts too, and the draft is kept after its refusal.
    let mut settings = harness.sandbox.settings();
    settings.enforce_quotas = true;
    harness.sandbox.set_settings(settings).unwrap();
    body(&mut draft, "Another text that is long enough to be read.");
    draft.template.name = "renamed".to_owned();
    let planned = core.authoring.save_draft(draft.clone()).await.unwrap();
    let plan = core.authoring.plan_submission(DraftId { draft: planned.id }).await.unwrap();
    let fixed: Vec<_> = plan.findings.iter().filter(|finding| finding.code == "edit.field_fixed").collect();
    assert_eq!(fixed.iter().map(|finding| finding.path.as_str()).collect::<Vec<_>>(), ["/name"]);
    let report = submit(&harness, draft.clone()).await;
    let StepOutcome::Refused { error, .. } = &report.steps[0].outcome else { panic!("{report:?}") };
    let DeskError::Service { status, error_code, message, details, .. } = error else { panic!("{error:?}") };
    assert_eq!((*status, error_code.as_deref(), message.as_str()), (409, Some("2388039"), "Too many edits"));
    assert!(details.as_deref().unwrap().contains("try again later"));
    assert_eq!(
        core.authoring.get_draft(DraftId { draft: draft.id }).await.unwrap().edits.as_deref(),
        Some(reference.as_str())
    );
    assert_eq!(core.templates.list_versions(id(&reference)).await.unwrap().len(), 2, "a refused edit is no version");
    harness.close().await;
}

#[tokio::test]
async fn a_template_in_review_cannot_be_edited() {
    let harness = Harness::start().await;
    harness.sandbox.set_review(ReviewPolicy::Manual);
    let mut draft = harness
        .core
        .authoring
        .create_draft(CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() })
        .await
        .unwrap();
    draft.template = serde_json::from_value(json!({"name": "waiting", "language": "en_US", "category": "utility",
        "components": [{"type": "BODY", "text": "Your order is on its way."}]}))
    .unwrap();
    draft.waba_ids = vec![seed::WABA.to_string()];
    let reference = submit(&harness, draft).await.reference.unwrap();
    let mut draft = harness.core.authoring.create_draft(edit_of(&reference)).await.unwrap();
    let waiting = context(&harness, &draft).await;
    assert_eq!((waiting.status.as_str(), waiting.editable, waiting.quota), ("PENDING", false, None));
    assert!(!waiting.category_usually_fixed);
    // The person may try; the provider's refusal is shown in full.
    body(&mut draft, "Your order has arrived.");
    let report = submit(&harness, draft).await;
    let StepOutcome::Refused { error: DeskError::Service { status, error_code, details, .. }, .. } =
        &report.steps[0].outcome
    else {
        panic!("{report:?}")
    };
    assert_eq!((*status, error_code.as_deref()), (409, Some("2388039")));
    assert!(details.as_deref().unwrap().contains("in review"), "{details:?}");
    let new =
        harness.core.authoring.create_draft(CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() });
    let refused = harness.core.authoring.get_edit_context(DraftId { draft: new.await.unwrap().id }).await.unwrap_err();
    assert!(matches!(refused, DeskError::InvalidInput { .. }), "{refused:?}");
    harness.close().await;
}

#[tokio::test]
async fn a_rejected_template_is_corrected_and_approved() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let mut draft = core
        .authoring
        .create_draft(CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() })
        .await
        .unwrap();
    // A gap in the numbering: the channel rejects it in review.
    draft.template = serde_json::from_value(json!({"name": "parcel", "language": "en_US", "category": "utility",
        "components": [{"type": "BODY", "text": "Hello {{1}}, your parcel {{3}} is at our shop and waits for you.",
            "example": {"body_text": [["Ana", "unused", "A-17"]]}}]}))
    .unwrap();
    draft.waba_ids = vec![seed::WABA.to_string()];
    let report = submit(&harness, draft).await;
    assert!(report.complete, "{report:?}");
    let reference = report.reference.unwrap();
    review_says(&mut harness, "parcel", "REJECTED").await;

    let detail = core.templates.get_template(id(&reference)).await.unwrap();
    let codes: Vec<_> = detail.guidance.iter().map(|finding| finding.code).collect();
    assert_eq!(codes[0], "rejected.invalid_format", "{codes:?}");
    assert!(detail.rejection_advice.unwrap().contains("components[0].text"));
    let mut draft = core.authoring.create_draft(edit_of(&reference)).await.unwrap();
    let rejected = context(&harness, &draft).await;
    assert_eq!(
        (rejected.editable, rejected.quota, rejected.rejected_reason.as_deref()),
        (true, None, Some("INVALID_FORMAT"))
    );
    assert_eq!(rejected.guidance[0].path, "/components/0/text");
    assert_eq!(rejected.guidance[0].severity, Severity::Error);

    // One step fixes it: the numbers follow the text, and the samples follow the numbers.
    let rewrite = Rewrite::Renumber { path: "/components/0/text".to_owned() };
    draft.template =
        core.authoring.rewrite_template(RewriteTemplate { template: draft.template, rewrite }).await.unwrap();
    let planned = core.authoring.save_draft(draft.clone()).await.unwrap();
    let plan = core.authoring.plan_submission(DraftId { draft: planned.id }).await.unwrap();
    assert!(plan.findings.iter().all(|finding| finding.severity != Severity::Error), "{:?}", plan.findings);
    let sent: Value = serde_json::from_str(plan.requests[0].json.as_deref().unwrap()).unwrap();
    assert_eq!(sent.as_object().unwrap().keys().collect::<Vec<_>>(), ["components"]);
    assert!(plan.changes.iter().any(|change| change.path == "/components/BODY/text"), "{:?}", plan.changes);
    let report = submit(&harness, draft).await;
    assert!(report.complete, "{report:?}");
    review_says(&mut harness, "parcel", "APPROVED").await;

    let versions = core.templates.list_versions(id(&reference)).await.unwrap();
    let chain: Vec<_> = versions
        .iter()
        .map(|version| (version.origin.as_str(), version.outcome.as_deref(), version.reason.as_deref()))
        .collect();
    assert_eq!(chain, [("edited", Some("APPROVED"), None), ("submitted", Some("REJECTED"), Some("INVALID_FORMAT"))]);
    assert!(versions[0].changes.iter().any(|change| change.path == "/components/BODY/text"));
    assert!(versions[1].changes.is_empty() && versions[1].advice.is_some());
    let detail = core.templates.get_template(id(&reference)).await.unwrap();
    assert_eq!((detail.guidance, detail.rejection_advice), (Vec::new(), None));

    // Edits of a rejected template are not counted.
    let mut draft = core.authoring.create_draft(edit_of(&reference)).await.unwrap();
    assert_eq!(context(&harness, &draft).await.quota.unwrap().used_month, 0);

    // Back to the first version, as an edit of the current template: its category is fixed now.
    draft = core
        .authoring
        .create_draft(CreateDraft { from_version: Some(versions[1].id.clone()), ..edit_of(&reference) })
        .await
        .unwrap();
    assert_eq!(draft.edits.as_deref(), Some(reference.as_str()));
    assert_eq!(draft.template.components, versions[1].template.components);
    let copy = CreateDraft {
        workspace: SANDBOX_ID.to_owned(),
        from_version: Some(versions[1].id.clone()),
        ..CreateDraft::default()
    };
    assert_eq!(core.authoring.create_draft(copy).await.unwrap().edits, None);
    harness.close().await;
}

#[tokio::test]
async fn a_rejection_without_text_is_explained_by_its_reason() {
    let mut harness = Harness::start().await;
    let reference = seeded(&harness, "spring_sale", "APPROVED").await;
    let decision = Decision { reason: Some("PROMOTIONAL".to_owned()), ..Decision::of(TemplateStatus::Rejected) };
    harness.sandbox.decide(&reference, &decision).unwrap();
    review_says(&mut harness, "spring_sale", "REJECTED").await;
    let draft = harness.core.authoring.create_draft(edit_of(&reference)).await.unwrap();
    let rejected = context(&harness, &draft).await;
    assert_eq!(rejected.guidance[0].code, "rejected.promotional");
    assert!(!rejected.guidance[0].message.is_empty());
    assert!(rejected.answer_paths.contains(&"/components".to_owned()), "{:?}", rejected.answer_paths);
    harness.close().await;
}
