//! The main flows at a provider that says everything and at one that says only what the contract names, in each of the
//! forms that the contract leaves open.

use app::error::DeskError;
use app::event::DeskEvent;
use app::view::composer::{CreateDraft, Draft, DraftId};
use app::view::send::{SendId, SendRequest};
use app::view::submission::SubmitDraft;
use app::view::template::{TemplateId, TemplateQuery, TemplateRow};
use app::view::workspace::WorkspaceId;
use app::workspace::SANDBOX_ID;
use model::component::Component;
use sandbox::profile::{CreationShape, ListingShape, Minimal};
use sandbox::settings::ErrorForm;
use sandbox::{Next, Profile, Script, Settings, seed};
use serde_json::json;

use super::bench::Bench;
use super::webhooks::until;

const BOTH: [Profile; 2] = [Profile::Whatsapp, Profile::Minimal];
const RECIPIENT: &str = "5511987654321";

fn id(reference: &str) -> TemplateId {
    TemplateId { workspace: SANDBOX_ID.to_owned(), reference: reference.to_owned() }
}

fn change(bench: &Bench, change: impl FnOnce(&mut Settings)) {
    let mut settings = bench.sandbox.settings();
    change(&mut settings);
    bench.sandbox.set_settings(settings).unwrap();
}

/// Lists the templates anew, after a listing that may be under way already.
async fn refresh(bench: &Bench) {
    until("the templates are listed anew", async || {
        match bench.core.refresh_templates(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await {
            Ok(_) => true,
            Err(DeskError::Conflict { .. }) => false,
            Err(error) => panic!("{error:?}"),
        }
    })
    .await;
}

async fn listed(bench: &Bench, search: &str) -> Vec<TemplateRow> {
    let query = TemplateQuery {
        workspace: SANDBOX_ID.to_owned(),
        search: Some(search.to_owned()),
        limit: 500,
        ..TemplateQuery::default()
    };
    bench.core.list_templates(query).await.unwrap().rows
}

/// Composes a template of one body, submits it and waits for its approval. Answers its reference.
async fn approved(bench: &mut Bench, name: &str) -> String {
    let core = bench.core.clone();
    let request = CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() };
    let mut draft = core.create_draft(request).await.unwrap();
    draft.template = serde_json::from_value(json!({
        "name": name, "language": "en_US", "category": "utility",
        "components": [{"type": "BODY", "text": "Your order is ready and waits for you in the shop."}],
    }))
    .unwrap();
    draft.waba_ids = vec![seed::WABA.to_string()];
    let draft = core.save_draft(draft).await.unwrap();
    let report = core
        .submit_draft(SubmitDraft {
            draft: draft.id,
            despite_findings: false,
            resend_unknown: false,
            overrides: Vec::new(),
        })
        .await
        .unwrap();
    assert!(report.complete, "{report:?}");
    review_says(bench, name, "APPROVED").await;
    report.reference.expect("the answer has the uuid")
}

async fn review_says(bench: &mut Bench, name: &str, word: &str) {
    bench
        .event(|event| match event {
            DeskEvent::TemplateStatusChanged { name: told, event, .. } if told == name && event == word => Some(()),
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
        track: true,
        ..SendRequest::default()
    }
}

#[tokio::test]
async fn an_edit_goes_back_into_review_and_is_approved_again() {
    for profile in BOTH {
        let mut bench = Bench::start_as(profile).await;
        let core = bench.core.clone();
        let reference = approved(&mut bench, "order_ready").await;
        let request = CreateDraft {
            workspace: SANDBOX_ID.to_owned(),
            from_template: Some(reference.clone()),
            edit: true,
            ..CreateDraft::default()
        };
        let mut draft: Draft = core.create_draft(request).await.unwrap();
        let new_text = "Your order is packed and leaves the shop this afternoon.";
        for component in &mut draft.template.components {
            if let Component::Body(body) = component {
                body.text = Some(new_text.to_owned());
            }
        }
        let draft = core.save_draft(draft).await.unwrap();
        let plan = core.plan_submission(DraftId { draft: draft.id.clone() }).await.unwrap();
        assert_eq!((plan.requests.len(), plan.requests[0].method.as_str()), (1, "PUT"));
        let report = core
            .submit_draft(SubmitDraft {
                draft: draft.id,
                despite_findings: true,
                resend_unknown: false,
                overrides: Vec::new(),
            })
            .await
            .unwrap();
        assert!(report.complete, "{profile:?}: {report:?}");
        review_says(&mut bench, "order_ready", "APPROVED").await;
        refresh(&bench).await;
        let detail = core.get_template(id(&reference)).await.unwrap();
        assert_eq!(detail.row.status, "APPROVED", "{profile:?}");
        let text = detail.template.find(|component| match component {
            Component::Body(body) => body.text.clone(),
            _ => None,
        });
        assert_eq!(text.as_deref(), Some(new_text), "{profile:?}");
        let versions = core.list_versions(id(&reference)).await.unwrap();
        assert_eq!(versions.first().map(|version| version.origin.as_str()), Some("edited"), "{profile:?}");
        bench.end().await;
    }
}

#[tokio::test]
async fn listings_and_creations_are_read_in_every_shape() {
    let mut bench = Bench::start_as(Profile::Minimal).await;
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
        change(&bench, |settings| {
            settings.minimal = Minimal { listing, creation, empty_answers: round % 2 == 1, ..Minimal::default() };
        });
        let name = format!("shape_{round}");
        let reference = approved(&mut bench, &name).await;
        refresh(&bench).await;
        let rows = listed(&bench, &name).await;
        assert_eq!(rows.len(), 1, "{listing:?}, {creation:?}: it is listed once");
        assert_eq!((rows[0].reference.as_str(), rows[0].status.as_str()), (reference.as_str(), "APPROVED"));
        bench.core.archive_template(id(&reference)).await.unwrap();
        assert!(bench.core.get_template(id(&reference)).await.unwrap().row.archived, "{listing:?}");
    }
    bench.end().await;
}

#[tokio::test]
async fn a_send_is_followed_whether_or_not_its_answer_names_the_message() {
    let mut bench = Bench::start_as(Profile::Minimal).await;
    let reference = approved(&mut bench, "order_ready").await;
    for (message_id, empty_answers) in [(true, false), (false, false), (false, true)] {
        change(&bench, |settings| {
            settings.minimal.message_id = message_id;
            settings.minimal.empty_answers = empty_answers;
        });
        let sent = bench.core.send_template(send_of(&reference)).await.unwrap();
        bench.send_reaches(&sent.id, "read").await;
    }
    bench.end().await;
}

#[tokio::test]
async fn a_failure_is_explained_in_every_form() {
    let mut bench = Bench::start_as(Profile::Minimal).await;
    let reference = approved(&mut bench, "order_ready").await;
    for profile in BOTH {
        for form in [ErrorForm::Profile, ErrorForm::Array, ErrorForm::Object, ErrorForm::ErrorArray] {
            change(&bench, |settings| (settings.profile, settings.error_form) = (profile, form));
            let script = Script { code: Some(131_049), count: Some(1), ..Script::of(Next::Fail) };
            bench.sandbox.set_script(RECIPIENT, Some(script)).unwrap();
            let sent = bench.core.send_template(send_of(&reference)).await.unwrap();
            bench.send_reaches(&sent.id, "failed").await;
            let detail = bench.core.get_send(SendId { send: sent.id }).await.unwrap();
            let told = serde_json::to_value(&detail).unwrap().to_string();
            assert!(told.contains("131049"), "{profile:?}, {form:?}: {told}");
            assert!(told.contains("healthy ecosystem"), "{profile:?}, {form:?}: the title is there: {told}");
        }
    }
    bench.end().await;
}
