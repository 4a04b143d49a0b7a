//! From a draft to a read message, with all events on the way.

use app::SANDBOX_ID;
use command_types::Nothing;
use command_types::activity::{EventId, EventQuery};
use command_types::composer::{CreateDraft, Draft, DraftFiles, DraftId, InspectTemplate};
use command_types::conversations::ConversationQuery;
use command_types::event::DeskEvent;
use command_types::history::{HistoryQuery, HistorySource};
use command_types::send::{SendId, SendOptions, SendQuery, SendRequest};
use command_types::submission::{StepOutcome, SubmitDraft};
use command_types::template::{TemplateId, TemplateQuery};
use command_types::workspace::WorkspaceId;
use model::finding::has_errors;
use model::lint::FileFacts;
use model::samples::SampleSet;
use model::template::Template;
use sandbox::phone::Tap;
use sandbox::{Profile, seed};
use serde_json::{Value, json};

use super::harness::{Harness, picture};

const RECIPIENT: &str = "5511987654321";

fn new_draft() -> CreateDraft {
    CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() }
}

/// A submission that findings may prevent.
fn submission(draft: &str) -> SubmitDraft {
    SubmitDraft { draft: draft.to_owned(), despite_findings: false, overrides: Vec::new(), resend_unknown: false }
}

/// A template with an image, two variables, a footer, a link and two quick replies.
fn content() -> Template {
    serde_json::from_value(json!({
        "name": "garden_party", "language": "en_US", "category": "marketing",
        "components": [
            {"type": "HEADER", "format": "IMAGE"},
            {"type": "BODY", "text": "Hello {{1}}, our garden party is on {{2}} and you are warmly invited.",
             "example": {"body_text": [["Ana", "Saturday"]]}},
            {"type": "FOOTER", "text": "Reply STOP to opt out"},
            {"type": "BUTTONS", "buttons": [
                {"type": "URL", "text": "Directions", "url": "https://shop.example/garden"},
                {"type": "QUICK_REPLY", "text": "I am coming"},
                {"type": "QUICK_REPLY", "text": "Not this time"}]}],
    }))
    .unwrap()
}

async fn composed(harness: &Harness) -> Draft {
    let mut draft = harness.core.authoring.create_draft(new_draft()).await.unwrap();
    draft.template = content();
    draft.header_file = Some(outgoing::attachment::inspect(&picture(harness.folder.path())).await.unwrap());
    harness.core.authoring.save_draft(draft).await.unwrap()
}

#[tokio::test]
async fn a_draft_is_submitted_approved_sent_and_read() {
    submit_approve_send_and_read(Profile::Whatsapp).await;
}

#[tokio::test]
async fn a_draft_is_submitted_approved_sent_and_read_with_the_minimal_profile() {
    submit_approve_send_and_read(Profile::Minimal).await;
}

async fn submit_approve_send_and_read(profile: Profile) {
    let mut harness = Harness::start_with_profile(profile).await;
    let core = harness.core.clone();
    let draft = composed(&harness).await;
    let file = draft.header_file.clone().unwrap();
    assert_eq!((file.mime.as_str(), file.name.as_str()), ("image/png", "flowers.png"));
    assert!(file.thumbnail.unwrap().starts_with("data:image/jpeg;base64,"));

    // The inspection in the composer.
    let inspection = core
        .authoring
        .inspect_template(InspectTemplate {
            template: draft.template.clone(),
            files: DraftFiles {
                header: Some(FileFacts { size: file.size, mime: Some(file.mime), encoding: file.encoding }),
                ..DraftFiles::default()
            },
            samples: SampleSet::Own,
            accepted: None,
            translates: None,
            kept_texts: Vec::new(),
            is_edit: false,
        })
        .await
        .unwrap();
    assert!(!has_errors(&inspection.findings), "{:?}", inspection.findings);
    let variables: Vec<_> =
        inspection.variables.iter().map(|variable| (variable.name.as_str(), variable.sample.as_str())).collect();
    assert_eq!(variables, [("1", "Ana"), ("2", "Saturday")]);
    assert_eq!(inspection.bubble.buttons.len(), 3);

    // The requests of the submission.
    let plan = core.authoring.plan_submission(DraftId { draft: draft.id.clone() }).await.unwrap();
    assert_eq!(plan.requests.len(), 1, "one request for the one WABA");
    let parts: Vec<_> = plan.requests[0].parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(parts, ["waba_ids", "name", "language", "category", "header_file", "components"]);
    assert!(!plan.requests[0].curl.contains("sandbox-token"), "the token is not in the curl");

    let report = core.authoring.submit_draft(submission(&draft.id)).await.unwrap();
    assert!(report.complete, "{report:?}");
    let reference = report.reference.unwrap();
    let id = || TemplateId { workspace: SANDBOX_ID.to_owned(), reference: reference.clone() };
    assert!(core.authoring.list_drafts(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap().is_empty());

    // The review ends automatically, reported by a signed webhook.
    let (event, language) = harness
        .event(|event| match event {
            DeskEvent::TemplateStatusChanged { name, event, language, .. } if name == "garden_party" => {
                Some((event.clone(), language.clone()))
            }
            _ => None,
        })
        .await;
    assert_eq!((event.as_str(), language.as_str()), ("APPROVED", "en_US"));
    let detail = core.templates.get_template(id()).await.unwrap();
    assert_eq!(detail.row.status, "APPROVED");
    assert!(detail.sendable);
    let workspace = SANDBOX_ID.to_owned();
    let query = HistoryQuery { workspace, reference: reference.clone(), limit: 50, ..HistoryQuery::default() };
    let history = core.templates.get_history(query).await.unwrap();
    let emitted: Vec<_> = history.entries.iter().map(|entry| (entry.source, entry.after.as_deref())).collect();
    assert_eq!(emitted.first(), Some(&(HistorySource::Webhook, Some("APPROVED"))), "{emitted:?}");
    assert_eq!(emitted.last(), Some(&(HistorySource::Own, None)), "{emitted:?}");
    let decision = &history.decisions[0];
    assert!(decision.exact && decision.version.is_some(), "{decision:?}");
    assert_eq!(decision.outcome.as_deref(), Some("APPROVED"));

    // The fields of the form, and the problems of an empty one.
    let form = core.messaging.get_send_form(id()).await.unwrap();
    let asked: Vec<_> = form.parts.iter().map(|part| (part.id.as_str(), part.required)).collect();
    assert_eq!(
        asked,
        [
            ("header.link", true),
            ("body.1", true),
            ("body.2", true),
            ("footer.text", false),
            ("button.1.payload", false),
            ("button.2.payload", false)
        ]
    );
    let mut request = SendRequest {
        answers: None,
        known_category: None,
        workspace: SANDBOX_ID.to_owned(),
        reference: reference.clone(),
        number: seed::NUMBER.to_owned(),
        to: "12".to_owned(),
        country: None,
        values: Default::default(),
        options: SendOptions { callback_data: "not json".to_owned(), track: true, ..SendOptions::default() },
    };
    let problems = core.messaging.preview_send(request.clone()).await.unwrap().problems;
    let fields: Vec<_> = problems.iter().map(|problem| problem.field.as_str()).collect();
    for field in ["to", "callbackData", "header.link", "body.1", "body.2"] {
        assert!(fields.contains(&field), "{field} in {fields:?}");
    }

    request.to = "+55 (11) 98765-4321".to_owned();
    request.options.callback_data = r#"{"job":42}"#.to_owned();
    let sample = form.parts[0].sample.clone();
    request.values = [("header.link", sample.as_str()), ("body.1", "Rosa"), ("body.2", "Sunday")]
        .map(|(part, value)| (part.to_owned(), value.to_owned()))
        .into();
    assert_eq!(core.messaging.preview_send(request.clone()).await.unwrap().problems, []);
    let sent = core.messaging.send_template(request).await.unwrap();
    harness.wait_for_send_state(&sent.id, "read").await;
    let send = core.messaging.get_send(SendId { send: sent.id.clone() }).await.unwrap();
    let statuses: Vec<_> = send.timeline.iter().map(|entry| entry.status.as_str()).collect();
    assert_eq!(statuses, ["sent", "delivered", "read"]);
    let payload: Value = serde_json::from_str(&send.payload).unwrap();
    assert_eq!(payload["to"], RECIPIENT);
    let data: Value = serde_json::from_str(payload["biz_opaque_callback_data"].as_str().unwrap()).unwrap();
    assert_eq!(data["job"], 42);
    assert!(data["td"].is_string());
    let page = core
        .messaging
        .list_sends(SendQuery { workspace: SANDBOX_ID.to_owned(), limit: 10, ..SendQuery::default() })
        .await
        .unwrap();
    assert_eq!(page.rows, [send.row]);

    // The received deliveries are available raw and decoded.
    let events = core
        .webhooks
        .list_events(EventQuery { workspace: Some(SANDBOX_ID.to_owned()), limit: 50, ..EventQuery::default() })
        .await
        .unwrap();
    let kinds: Vec<_> = events.rows.iter().map(|row| row.kind.as_str()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "status").count(), 3, "{kinds:?}");
    assert!(kinds.contains(&"template_status"));
    // They lead to the template, also those about the message that was made of it.
    for row in events.rows.iter().filter(|row| ["status", "template_status"].contains(&row.kind.as_str())) {
        let template = row.of_template.as_ref().unwrap();
        assert_eq!((template.name.as_str(), template.reference.as_ref()), ("garden_party", Some(&reference)));
    }
    let event = core.webhooks.get_event(EventId { event: events.rows[0].id.clone() }).await.unwrap();
    assert!(event.raw.unwrap().starts_with('{'));
    assert!(event.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("x-hub-signature-256")));

    // The phone replies, and the reply is a conversation.
    harness.sandbox.tap(RECIPIENT, &Tap { button: sandbox::phone::ButtonChoice::Index(1), ..Tap::default() }).unwrap();
    let contact = harness
        .event(|event| match event {
            DeskEvent::MessageReceived { contact, .. } => Some(contact.clone()),
            _ => None,
        })
        .await;
    let query = ConversationQuery { workspace: SANDBOX_ID.to_owned(), contact, number: None, after: None, limit: 10 };
    let conversation = core.conversations.list_conversation(query).await.unwrap();
    let found: Vec<_> = conversation.messages.iter().map(|message| (message.outgoing, message.text.as_str())).collect();
    let shown = "Hello Rosa, our garden party is on Sunday and you are warmly invited.";
    assert_eq!(found, [(false, "I am coming"), (true, shown)]);

    // A rebuild emits no event a second time: neither for the review, nor for the send or the reply.
    harness.wait_for_projection().await;
    core.webhooks.rebuild_projection(Nothing {}).await.unwrap();
    harness
        .event(|event| match event {
            DeskEvent::ProjectionProgress { rebuilding: false, .. } => Some(()),
            DeskEvent::TemplateStatusChanged { name, .. } if name == "garden_party" => panic!("{event:?}"),
            DeskEvent::SendUpdated { .. } | DeskEvent::MessageReceived { .. } => panic!("{event:?}"),
            _ => None,
        })
        .await;
    assert_eq!(core.templates.get_template(id()).await.unwrap().row.status, "APPROVED");
    assert_eq!(core.messaging.get_send(SendId { send: sent.id }).await.unwrap().row.state.as_str(), "read");
    harness.close().await;
}

#[tokio::test]
async fn a_refused_submission_keeps_the_draft_and_names_the_field() {
    let harness = Harness::start().await;
    let mut draft = composed(&harness).await;
    draft.template.name = "Garden Party".to_owned();
    let draft = harness.core.authoring.save_draft(draft).await.unwrap();
    let refused = harness.core.authoring.submit_draft(submission(&draft.id)).await.unwrap_err();
    let command_types::error::DeskError::InvalidInput { field, .. } = refused else { panic!("{refused:?}") };
    assert_eq!(field, "/name");

    // A name in use is refused by the provider, in its own words, if it is sent despite the finding.
    let mut taken = harness.core.authoring.get_draft(DraftId { draft: draft.id.clone() }).await.unwrap();
    taken.template.name = "spring_sale".to_owned();
    taken.template.language = "pt_BR".to_owned();
    harness.core.authoring.save_draft(taken).await.unwrap();
    let despite = SubmitDraft { despite_findings: true, ..submission(&draft.id) };
    let report = harness.core.authoring.submit_draft(despite).await.unwrap();
    assert!(!report.complete);
    let StepOutcome::Refused { error, findings } = &report.steps[0].outcome else { panic!("{report:?}") };
    assert!(matches!(error, command_types::error::DeskError::Service { .. }), "{error:?}");
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].code, findings[0].path.as_str()), ("provider", "/name"));
    assert!(findings[0].message.contains("already exists"), "{findings:?}");
    let kept = harness.core.authoring.get_draft(DraftId { draft: draft.id.clone() }).await.unwrap();
    assert_eq!(kept.template.name, "spring_sale");
    harness.close().await;
}

#[tokio::test]
async fn a_creation_with_files_has_one_step_per_waba() {
    let harness = Harness::start().await;
    let mut draft = composed(&harness).await;
    draft.waba_ids = vec![seed::WABA.to_string(), seed::SECOND_WABA.to_string()];
    let draft = harness.core.authoring.save_draft(draft).await.unwrap();
    let report = harness.core.authoring.submit_draft(submission(&draft.id)).await.unwrap();
    assert_eq!(report.steps.len(), 2);
    assert!(report.complete, "{report:?}");
    harness.close().await;
}

#[tokio::test]
async fn the_cached_listing_is_searched_and_filtered() {
    let mut harness = Harness::start().await;
    let workspace = || SANDBOX_ID.to_owned();
    let report = harness.core.templates.refresh_templates(WorkspaceId { workspace: workspace() }).await.unwrap();
    assert!(report.total > 5);
    harness.event(|event| matches!(event, DeskEvent::SyncFinished { .. }).then_some(())).await;
    let list = |search: &str, status: &str| TemplateQuery {
        workspace: workspace(),
        search: Some(search.to_owned()),
        statuses: [status.to_owned()].into_iter().filter(|status| !status.is_empty()).collect(),
        limit: 50,
        ..TemplateQuery::default()
    };
    let all = harness.core.templates.list_templates(list("", "")).await.unwrap();
    assert_eq!(all.total, report.total);
    let rejected = harness.core.templates.list_templates(list("", "REJECTED")).await.unwrap();
    assert!(rejected.rows.iter().all(|row| row.status == "REJECTED") && !rejected.rows.is_empty());
    let found = harness.core.templates.list_templates(list("spring", "")).await.unwrap();
    assert_eq!(found.rows[0].name, "spring_sale");
    let board = harness.core.templates.get_review_board(list("", "").into()).await.unwrap();
    let counted: u64 = board.columns.iter().map(|column| column.count).sum();
    assert_eq!(counted, report.total);
    let needs = board.needs;
    let column = |status: &str| board.columns.iter().find(|column| column.status == status).unwrap().count;
    assert_eq!(
        (needs.rejected, needs.paused, needs.disabled),
        (column("REJECTED"), column("PAUSED"), column("DISABLED"))
    );
    assert_eq!((needs.usual_ms, needs.usual_seen), (24 * 60 * 60 * 1_000, false), "no review has ended here");
    // No review has been open for longer than that; the counts ignore this filter.
    let overdue = TemplateQuery { overdue: Some(true), ..list("", "") };
    assert_eq!(harness.core.templates.list_templates(overdue.clone()).await.unwrap().total, needs.overdue);
    let narrowed = harness.core.templates.get_review_board(overdue.into()).await.unwrap();
    assert_eq!((narrowed.draft_count, narrowed.needs.rejected), (0, needs.rejected));
    harness.close().await;
}
