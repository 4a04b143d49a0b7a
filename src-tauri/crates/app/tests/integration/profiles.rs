//! The main flows on a provider with full answers, and on one with only those of the contract, in each variant that the
//! contract leaves open.

use app::SANDBOX_ID;
use command_types::bulk_action::{BulkActionKind, PlanBulkAction, RunState, StartBulkAction};
use command_types::composer::{CreateDraft, Draft, DraftId};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::send::{SendId, SendOptions, SendRequest};
use command_types::submission::SubmitDraft;
use command_types::template::{TemplateId, TemplateQuery, TemplateRow, TemplateTarget};
use command_types::workspace::WorkspaceId;
use model::component::Component;
use sandbox::profile::{CreationShape, ListingShape, Minimal};
use sandbox::settings::ErrorForm;
use sandbox::{Next, Profile, Script, Settings, seed};
use serde_json::json;

use super::harness::Harness;
use super::webhooks::wait_until;

const BOTH: [Profile; 2] = [Profile::Whatsapp, Profile::Minimal];
const RECIPIENT: &str = "5511987654321";

fn id(reference: &str) -> TemplateId {
    TemplateId { workspace: SANDBOX_ID.to_owned(), reference: reference.to_owned() }
}

fn change(harness: &Harness, change: impl FnOnce(&mut Settings)) {
    let mut settings = harness.sandbox.settings();
    change(&mut settings);
    harness.sandbox.set_settings(settings).unwrap();
}

/// Refreshes the templates, after a refresh that may be in flight.
async fn refresh(harness: &Harness) {
    wait_until("the templates are listed again", async || {
        match harness.core.templates.refresh_templates(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await {
            Ok(_) => true,
            Err(DeskError::Conflict { .. }) => false,
            Err(error) => panic!("{error:?}"),
        }
    })
    .await;
}

async fn listed(harness: &Harness, search: &str) -> Vec<TemplateRow> {
    let query = TemplateQuery {
        workspace: SANDBOX_ID.to_owned(),
        search: Some(search.to_owned()),
        limit: 500,
        ..TemplateQuery::default()
    };
    harness.core.templates.list_templates(query).await.unwrap().rows
}

/// Creates a template with one body, submits it and waits for its approval. Returns its reference.
async fn approved(harness: &mut Harness, name: &str) -> String {
    let core = harness.core.clone();
    let request = CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() };
    let mut draft = core.authoring.create_draft(request).await.unwrap();
    draft.template = serde_json::from_value(json!({
        "name": name, "language": "en_US", "category": "utility",
        "components": [{"type": "BODY", "text": "Your order is ready and waits for you in the shop."}],
    }))
    .unwrap();
    draft.waba_ids = vec![seed::WABA.to_string()];
    let draft = core.authoring.save_draft(draft).await.unwrap();
    let report = core
        .authoring
        .submit_draft(SubmitDraft {
            draft: draft.id,
            despite_findings: false,
            resend_unknown: false,
            overrides: Vec::new(),
        })
        .await
        .unwrap();
    assert!(report.complete, "{report:?}");
    review_says(harness, name, "APPROVED").await;
    report.reference.expect("the answer has the uuid")
}

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

fn send_of(reference: &str) -> SendRequest {
    SendRequest {
        workspace: SANDBOX_ID.to_owned(),
        reference: reference.to_owned(),
        number: seed::NUMBER.to_owned(),
        to: RECIPIENT.to_owned(),
        options: SendOptions { track: true, overrides: vec!["to.sameMessage".to_owned()], ..SendOptions::default() },
        ..SendRequest::default()
    }
}

#[tokio::test]
async fn an_archived_template_stays_archived_until_it_is_unarchived() {
    for (profile, archived_are_listed) in
        [(Profile::Whatsapp, true), (Profile::Minimal, true), (Profile::Minimal, false)]
    {
        let mut harness = Harness::start_with_profile(profile).await;
        change(&harness, |settings| settings.minimal.archived = archived_are_listed);
        let reference = approved(&mut harness, "order_ready").await;
        harness.core.bulk_actions.archive_template(id(&reference)).await.unwrap();
        let case = format!("{profile:?}, archived templates listed: {archived_are_listed}");
        for _listing in 0..2 {
            refresh(&harness).await;
            let detail = harness.core.templates.get_template(id(&reference)).await.unwrap();
            assert_eq!(detail.row.archived, Some(true), "{case}");
            assert!(!detail.sendable, "{case}");
            assert_eq!(listed(&harness, "order_ready").await.len(), 1, "{case}");
        }
        harness.core.bulk_actions.unarchive_template(id(&reference)).await.unwrap();
        for _listing in 0..2 {
            refresh(&harness).await;
            let detail = harness.core.templates.get_template(id(&reference)).await.unwrap();
            assert_ne!(detail.row.archived, Some(true), "{case}");
            assert_eq!((detail.row.status.as_str(), detail.sendable), ("APPROVED", true), "{case}");
        }
        harness.close().await;
    }
}

#[tokio::test]
async fn an_edited_template_is_reviewed_again() {
    for profile in BOTH {
        let mut harness = Harness::start_with_profile(profile).await;
        let core = harness.core.clone();
        let reference = approved(&mut harness, "order_ready").await;
        // An envelope's `time` has whole seconds, and two approvals within one second are one event. Without a `time`,
        // the result of the review may be received before the answer to the edit.
        let review_delay_ms = if profile == Profile::Whatsapp { 1_100 } else { 0 };
        change(&harness, |settings| settings.review_delay_ms = review_delay_ms);
        let request = CreateDraft {
            workspace: SANDBOX_ID.to_owned(),
            from_template: Some(reference.clone()),
            edit: true,
            ..CreateDraft::default()
        };
        let mut draft: Draft = core.authoring.create_draft(request).await.unwrap();
        let new_text = "Your order is packed and leaves the shop this afternoon.";
        for component in &mut draft.template.components {
            if let Component::Body(body) = component {
                body.text = Some(new_text.to_owned());
            }
        }
        let draft = core.authoring.save_draft(draft).await.unwrap();
        let plan = core.authoring.plan_submission(DraftId { draft: draft.id.clone() }).await.unwrap();
        assert_eq!((plan.requests.len(), plan.requests[0].method.as_str()), (1, "PUT"));
        let report = core
            .authoring
            .submit_draft(SubmitDraft {
                draft: draft.id,
                despite_findings: true,
                resend_unknown: false,
                overrides: Vec::new(),
            })
            .await
            .unwrap();
        assert!(report.complete, "{profile:?}: {report:?}");
        review_says(&mut harness, "order_ready", "APPROVED").await;
        refresh(&harness).await;
        let detail = core.templates.get_template(id(&reference)).await.unwrap();
        assert_eq!(detail.row.status, "APPROVED", "{profile:?}");
        let text = detail.template.find(|component| match component {
            Component::Body(body) => body.text.clone(),
            _ => None,
        });
        assert_eq!(text.as_deref(), Some(new_text), "{profile:?}");
        let versions = core.templates.list_versions(id(&reference)).await.unwrap();
        assert_eq!(versions.first().map(|version| version.origin.as_str()), Some("edited"), "{profile:?}");
        harness.close().await;
    }
}

#[tokio::test]
async fn many_templates_are_archived_and_unarchived() {
    for profile in BOTH {
        let mut harness = Harness::start_with_profile(profile).await;
        harness.sandbox.add_templates(60).unwrap();
        refresh(&harness).await;
        let many = listed(&harness, "_0").await;
        let references: Vec<String> = many
            .iter()
            .filter(|row| row.status == "APPROVED" && row.archived != Some(true))
            .map(|row| row.reference.clone())
            .collect();
        assert!(references.len() >= 30, "{} of {}", references.len(), many.len());
        for (action, archived) in [(BulkActionKind::Archive, true), (BulkActionKind::Unarchive, false)] {
            let workspace = SANDBOX_ID.to_owned();
            let target = TemplateTarget::References { references: references.clone() };
            let planned = harness
                .core
                .bulk_actions
                .plan_bulk_action(PlanBulkAction { workspace: workspace.clone(), action, target })
                .await
                .unwrap();
            let start =
                StartBulkAction { workspace, id: planned.id.clone(), confirmation: planned.confirmation.clone() };
            harness.core.bulk_actions.start_bulk_action(start).await.unwrap();
            harness
                .event(|event| match event {
                    DeskEvent::BulkActionProgress { id, state, .. }
                        if *id == planned.id && *state == RunState::Done =>
                    {
                        Some(())
                    }
                    _ => None,
                })
                .await;
            refresh(&harness).await;
            let now = listed(&harness, "_0").await;
            for reference in &references {
                let row = now.iter().find(|row| row.reference == *reference).expect("it is still listed");
                assert_eq!(row.archived == Some(true), archived, "{profile:?}: {action:?} of {}", row.name);
            }
        }
        harness.close().await;
    }
}

#[tokio::test]
async fn listings_and_creations_are_decoded_in_every_shape() {
    let mut harness = Harness::start_with_profile(Profile::Minimal).await;
    let listings = [
        ListingShape::Data,
        ListingShape::Array,
        ListingShape::DataItems,
        ListingShape::DataTemplates,
        ListingShape::Templates,
        ListingShape::Results,
        ListingShape::Items,
    ];
    let creations = [CreationShape::Uuid, CreationShape::DataUuid, CreationShape::Id];
    for (round, listing) in listings.into_iter().enumerate() {
        let creation = creations[round % creations.len()];
        change(&harness, |settings| {
            settings.minimal = Minimal { listing, creation, empty_answers: round % 2 == 1, ..Minimal::default() };
        });
        let name = format!("shape_{round}");
        let reference = approved(&mut harness, &name).await;
        refresh(&harness).await;
        let rows = listed(&harness, &name).await;
        assert_eq!(rows.len(), 1, "{listing:?}, {creation:?}: it is listed once");
        assert_eq!((rows[0].reference.as_str(), rows[0].status.as_str()), (reference.as_str(), "APPROVED"));
        harness.core.bulk_actions.archive_template(id(&reference)).await.unwrap();
        assert!(
            harness.core.templates.get_template(id(&reference)).await.unwrap().row.archived == Some(true),
            "{listing:?}"
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn a_missing_category_stays_unknown() {
    let mut harness = Harness::start_with_profile(Profile::Minimal).await;
    let reference = approved(&mut harness, "order_ready").await;
    for category in [true, false, true] {
        change(&harness, |settings| settings.minimal.category = category);
        refresh(&harness).await;
        let query = TemplateQuery {
            workspace: SANDBOX_ID.to_owned(),
            category_changed: Some(true),
            limit: 500,
            ..TemplateQuery::default()
        };
        let changed = harness.core.templates.list_templates(query).await.unwrap().rows;
        assert!(changed.is_empty(), "a record with category: {category}: {changed:?}");
        assert_eq!(harness.core.templates.get_template(id(&reference)).await.unwrap().row.status, "APPROVED");
    }
    harness.close().await;
}

#[tokio::test]
async fn a_send_is_followed_with_or_without_a_message_id() {
    let mut harness = Harness::start_with_profile(Profile::Minimal).await;
    let reference = approved(&mut harness, "order_ready").await;
    for (message_id, empty_answers) in [(true, false), (false, false), (false, true)] {
        change(&harness, |settings| {
            settings.minimal.message_id = message_id;
            settings.minimal.empty_answers = empty_answers;
        });
        let sent = harness.core.messaging.send_template(send_of(&reference)).await.unwrap();
        harness.wait_for_send_state(&sent.id, "read").await;
    }
    harness.close().await;
}

#[tokio::test]
async fn failures_are_explained_in_every_form() {
    let mut harness = Harness::start_with_profile(Profile::Minimal).await;
    let reference = approved(&mut harness, "order_ready").await;
    for profile in BOTH {
        for form in [ErrorForm::Profile, ErrorForm::Array, ErrorForm::Object, ErrorForm::ErrorArray] {
            change(&harness, |settings| (settings.profile, settings.error_form) = (profile, form));
            let script = Script { code: Some(131_049), count: Some(1), ..Script::of(Next::Fail) };
            harness.sandbox.set_script(RECIPIENT, Some(script)).unwrap();
            let sent = harness.core.messaging.send_template(send_of(&reference)).await.unwrap();
            harness.wait_for_send_state(&sent.id, "failed").await;
            let detail = harness.core.messaging.get_send(SendId { send: sent.id }).await.unwrap();
            let reported = serde_json::to_value(&detail).unwrap().to_string();
            assert!(reported.contains("131049"), "{profile:?}, {form:?}: {reported}");
            assert!(reported.contains("healthy ecosystem"), "{profile:?}, {form:?}: the title is there: {reported}");
        }
    }
    harness.close().await;
}
