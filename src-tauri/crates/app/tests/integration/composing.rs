//! Drafts from every source, and templates whose cards have files.

use std::path::{Path, PathBuf};

use app::SANDBOX_ID;
use command_types::Nothing;
use command_types::composer::{Attachment, CreateDraft, Draft, DraftId, InspectFile, PickFile};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::submission::{FirstSteps, StepOutcome, SubmitDraft};
use command_types::template::{DeleteTemplate, TemplateId};
use command_types::workspace::WorkspaceId;
use model::starter::StarterName;
use model::template::Template;
use sandbox::seed;
use serde_json::{Value, json};

use super::connection::workspace;
use super::harness::Harness;

/// An image with a distinct colour and size.
fn picture(folder: &Path, name: &str, shade: u8) -> PathBuf {
    let path = folder.join(name);
    image::RgbImage::from_fn(64 + u32::from(shade), 64, |x, y| image::Rgb([x as u8, y as u8, shade]))
        .save(&path)
        .unwrap();
    path
}

async fn chosen(harness: &Harness, path: &Path) -> Attachment {
    harness.core.authoring.inspect_file(InspectFile { path: path.to_string_lossy().into_owned() }).await.unwrap()
}

/// A carousel of three cards whose images are not uploaded yet.
fn carousel(name: &str) -> Template {
    let card = |text: &str| {
        json!({"components": [
            {"type": "HEADER", "format": "IMAGE"},
            {"type": "BODY", "text": text},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Tell me more"}]}]})
    };
    serde_json::from_value(json!({"name": name, "language": "en_US", "category": "marketing", "components": [
        {"type": "BODY", "text": "Three bouquets that are in season right now."},
        {"type": "CAROUSEL", "cards": [card("Sunflowers"), card("Peonies"), card("Tulips")]}]}))
    .unwrap()
}

fn submission(draft: &str) -> SubmitDraft {
    SubmitDraft { draft: draft.to_owned(), despite_findings: false, overrides: Vec::new(), resend_unknown: false }
}

async fn new_draft(harness: &Harness) -> Draft {
    let request = CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() };
    harness.core.authoring.create_draft(request).await.unwrap()
}

/// The bytes that the sandbox has stored under the address in its answer.
fn stored(harness: &Harness, address: &Value) -> Vec<u8> {
    let id = address.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    std::fs::read(harness.folder.path().join("sandbox.json.media").join(id)).unwrap()
}

#[tokio::test]
async fn a_refused_carousel_submission_is_continued() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let here = || WorkspaceId { workspace: SANDBOX_ID.to_owned() };
    assert_eq!(core.authoring.get_first_steps(here()).await.unwrap(), FirstSteps::default());
    // The name is in use in the second WABA.
    let mut other = new_draft(&harness).await;
    other.template = serde_json::from_value(json!({"name": "bouquets", "language": "en_US", "category": "marketing",
        "components": [{"type": "BODY", "text": "Another one of that name."}]}))
    .unwrap();
    other.waba_ids = vec![seed::SECOND_WABA.to_string()];
    let other = core.authoring.save_draft(other).await.unwrap();
    let other = core.authoring.submit_draft(submission(&other.id)).await.unwrap().reference.unwrap();
    let done = core.authoring.get_first_steps(here()).await.unwrap();
    let latest = done.latest.unwrap();
    assert!(done.submitted && !done.sent);
    assert_eq!((latest.reference, latest.recipient, latest.read), (other.clone(), None, false));

    let mut draft = new_draft(&harness).await;
    draft.template = carousel("bouquets");
    draft.waba_ids = vec![seed::WABA.to_string(), seed::SECOND_WABA.to_string()];
    let files = [("sun.png", 1), ("peony.png", 2), ("tulip.png", 3)];
    let paths = files.map(|(name, shade)| picture(harness.folder.path(), name, shade));
    let mut card_files = Vec::new();
    for path in &paths {
        card_files.push(Some(chosen(&harness, path).await));
    }
    let draft = core.authoring.save_draft(Draft { card_files, ..draft }).await.unwrap();

    let plan = core.authoring.plan_submission(DraftId { draft: draft.id.clone() }).await.unwrap();
    let codes: Vec<_> = plan.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["name.taken"], "the person sends it despite that");
    assert!(plan.before.is_none() && plan.changes.is_empty(), "no previous state");
    for (request, waba) in plan.requests.iter().zip(&draft.waba_ids) {
        assert_eq!(request.waba_ids, std::slice::from_ref(waba));
        let parts: Vec<_> = request.parts.iter().map(|part| (part.name.as_str(), part.file_name.as_deref())).collect();
        assert_eq!(
            parts,
            [
                ("waba_ids", None),
                ("name", None),
                ("language", None),
                ("category", None),
                ("carousel_files[]", Some("sun.png")),
                ("carousel_files[]", Some("peony.png")),
                ("carousel_files[]", Some("tulip.png")),
                ("components", None),
            ]
        );
        assert_eq!(request.parts[7].value.as_ref().unwrap().matches("UPLOAD_PENDING").count(), 3);
    }

    // A missing or modified file is reported at its card before anything is sent.
    let aside = paths[1].with_extension("aside");
    std::fs::rename(&paths[1], &aside).unwrap();
    let plan = core.authoring.plan_submission(DraftId { draft: draft.id.clone() }).await.unwrap();
    assert_eq!((plan.findings[0].code, plan.findings[0].path.as_str()), ("file.unusable", "/components/1/cards/1"));
    let stopped = core.authoring.submit_draft(submission(&draft.id)).await.unwrap_err();
    assert!(
        matches!(stopped, DeskError::InvalidInput { ref message, .. } if message.contains("peony.png")),
        "{stopped:?}"
    );
    std::fs::rename(&aside, &paths[1]).unwrap();

    let despite = SubmitDraft { despite_findings: true, ..submission(&draft.id) };
    let report = core.authoring.submit_draft(despite).await.unwrap();
    assert!(!report.complete);
    assert!(matches!(report.steps[0].outcome, StepOutcome::Accepted { .. }), "{report:?}");
    let StepOutcome::Refused { findings, .. } = &report.steps[1].outcome else { panic!("{report:?}") };
    assert_eq!(findings[0].path, "/name");
    let total: u64 = draft.card_files.iter().flatten().map(|file| file.size).sum();
    let last = harness
        .event(|event| match event {
            DeskEvent::SubmissionProgress { sent, total, file, .. } if sent == total => Some((*total, file.clone())),
            _ => None,
        })
        .await;
    assert_eq!(last, (total, "tulip.png".to_owned()));

    // The obstacle is removed; the first WABA gets no further request.
    let again = core.authoring.plan_submission(DraftId { draft: draft.id.clone() }).await.unwrap();
    assert!(matches!(again.requests[0].outcome, Some(StepOutcome::Accepted { .. })));
    assert!(matches!(&again.requests[1].outcome, Some(StepOutcome::Refused { findings, .. }) if findings.len() == 1));
    let delete =
        DeleteTemplate { workspace: SANDBOX_ID.to_owned(), reference: other, confirmed_name: "bouquets".to_owned() };
    core.bulk_actions.delete_template(delete).await.unwrap();
    let report = core.authoring.submit_draft(submission(&draft.id)).await.unwrap();
    assert!(report.complete, "{report:?}");

    // Each card has its own file, in both WABAs. The listing is fetched automatically: only it contains their
    // addresses.
    harness.event(|event| matches!(event, DeskEvent::SyncFinished { .. }).then_some(())).await;
    for step in &report.steps {
        let StepOutcome::Accepted { reference: Some(reference), .. } = &step.outcome else { panic!("{step:?}") };
        let id = TemplateId { workspace: SANDBOX_ID.to_owned(), reference: reference.clone() };
        let detail = core.templates.get_template(id.clone()).await.unwrap();
        assert_eq!(detail.row.wabas, step.waba_ids);
        let raw: Value = serde_json::from_str(&detail.raw).unwrap();
        for (card, path) in paths.iter().enumerate() {
            let handle = &raw["components"][1]["cards"][card]["components"][0]["example"]["header_handle"][0];
            assert_eq!(stored(&harness, handle), std::fs::read(path).unwrap(), "card {card}");
        }
        assert_eq!(core.templates.list_versions(id).await.unwrap().len(), 1);
    }
    // The files are offered as recent files, newest first.
    let recent = core.authoring.list_recent_files(PickFile { format: "IMAGE".to_owned() }).await.unwrap();
    let names: Vec<_> = recent.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["tulip.png", "peony.png", "sun.png"]);
    assert!(recent.iter().all(|file| file.thumbnail.is_some()));
    std::fs::remove_file(&paths[1]).unwrap();
    let recent = core.authoring.list_recent_files(PickFile { format: String::new() }).await.unwrap();
    assert_eq!(recent.len(), 2);
    assert_eq!(core.authoring.list_recent_files(PickFile { format: "VIDEO".to_owned() }).await.unwrap(), []);
    harness.close().await;
}

#[tokio::test]
async fn errors_stop_a_submission_unless_overridden() {
    let harness = Harness::start().await;
    let mut draft = new_draft(&harness).await;
    draft.template = carousel("No Name");
    let draft = harness.core.authoring.save_draft(draft).await.unwrap();
    let stopped = harness.core.authoring.submit_draft(submission(&draft.id)).await.unwrap_err();
    assert!(matches!(&stopped, DeskError::InvalidInput { field, .. } if field == "/name"), "{stopped:?}");
    let despite =
        SubmitDraft { draft: draft.id.clone(), despite_findings: true, overrides: Vec::new(), resend_unknown: false };
    let report = harness.core.authoring.submit_draft(despite).await.unwrap();
    let StepOutcome::Refused { error, findings } = &report.steps[0].outcome else { panic!("{report:?}") };
    assert!(matches!(error, DeskError::Service { status: 400, .. }), "{error:?}");
    // The sandbox reports all problems; each finding is at its field.
    let paths: Vec<_> = findings.iter().map(|finding| finding.path.as_str()).collect();
    assert!(paths.contains(&"/name"), "{paths:?}");
    assert!(findings.iter().all(|finding| finding.code == "provider" && !finding.message.is_empty()));
    harness.close().await;
}

#[tokio::test]
async fn an_upload_is_cancelled_in_flight() {
    let mut harness = Harness::start().await;
    // Accepts connections into its backlog and reads nothing.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let saved = harness.core.workspaces.save_workspace(workspace(&base, "canary-token-of-a-slow-place")).await.unwrap();
    let path = harness.folder.path().join("film.mp4");
    std::fs::File::create(&path).unwrap().set_len(64 * 1024 * 1024).unwrap();
    let file = Attachment {
        path: path.to_string_lossy().into_owned(),
        name: "film.mp4".to_owned(),
        size: 64 * 1024 * 1024,
        mime: "video/mp4".to_owned(),
        ..Attachment::default()
    };
    let request = CreateDraft { workspace: saved.id, ..CreateDraft::default() };
    let mut draft = harness.core.authoring.create_draft(request).await.unwrap();
    draft.template = serde_json::from_value(json!({"name": "film", "language": "en_US", "category": "marketing",
        "components": [{"type": "HEADER", "format": "VIDEO"}, {"type": "BODY", "text": "A film of our garden."}]}))
    .unwrap();
    draft.header_file = Some(file);
    draft.waba_ids = vec!["1".to_owned(), "2".to_owned()];
    let draft = harness.core.authoring.save_draft(draft).await.unwrap();

    let core = harness.core.clone();
    let despite =
        SubmitDraft { draft: draft.id.clone(), despite_findings: true, overrides: Vec::new(), resend_unknown: false };
    let under_way = tokio::spawn({
        let (core, despite) = (core.clone(), despite.clone());
        async move { core.authoring.submit_draft(despite).await }
    });
    harness.event(|event| matches!(event, DeskEvent::SubmissionProgress { .. }).then_some(())).await;
    let twice = core.authoring.submit_draft(despite).await.unwrap_err();
    assert!(matches!(twice, DeskError::Conflict { .. }), "{twice:?}");
    core.authoring.cancel_submission(DraftId { draft: draft.id.clone() }).await.unwrap();
    let report = under_way.await.unwrap().unwrap();
    assert!(!report.complete);
    assert_eq!(report.steps.len(), 2);
    for step in &report.steps {
        let StepOutcome::Refused { error, .. } = &step.outcome else { panic!("{step:?}") };
        assert_eq!(*error, DeskError::Cancelled {});
    }
    // The draft still exists, its steps are shown, and it is not locked.
    let plan = core.authoring.plan_submission(DraftId { draft: draft.id.clone() }).await.unwrap();
    assert!(plan.requests.iter().all(|request| matches!(request.outcome, Some(StepOutcome::Refused { .. }))));
    core.authoring.cancel_submission(DraftId { draft: draft.id }).await.unwrap();
    let folder = harness.close().await;
    let mut found = Vec::new();
    super::secrets::holding(folder.path(), b"canary-token-of-a-slow-place", &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn drafts_are_created_from_other_languages() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    // Another language: everything else is kept.
    core.templates.refresh_templates(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    let query = command_types::template::TemplateQuery {
        workspace: SANDBOX_ID.to_owned(),
        search: Some("spring_sale".to_owned()),
        limit: 1,
        ..Default::default()
    };
    let row = core.templates.list_templates(query).await.unwrap().rows.remove(0);
    let request = CreateDraft {
        workspace: SANDBOX_ID.to_owned(),
        from_template: Some(row.reference.clone()),
        language: Some("fr".to_owned()),
        ..CreateDraft::default()
    };
    let translated = core.authoring.create_draft(request).await.unwrap();
    let id = TemplateId { workspace: SANDBOX_ID.to_owned(), reference: row.reference };
    let original = core.templates.get_template(id).await.unwrap().template;
    assert_eq!((translated.template.language.as_str(), translated.edits.as_deref()), ("fr", None));
    assert_eq!(translated.template.name, original.name);
    assert_eq!(translated.template.components, original.components);
    assert_eq!(translated.waba_ids, row.wabas);
    harness.close().await;
}

#[tokio::test]
async fn drafts_of_older_versions_are_opened_and_damaged_ones_are_isolated() {
    let harness = Harness::start().await;
    let folder = harness.close().await;
    let desk = store::Desk::open(&folder.path().join("desk/desk.sqlite")).unwrap();
    let put = async |id: &str, document: &str| {
        let row = store::desk::Draft {
            id: id.to_owned(),
            workspace_id: SANDBOX_ID.to_owned(),
            name: "party".to_owned(),
            language: "en".to_owned(),
            document: document.to_owned(),
            template_ref: None,
            created_at: 1,
            updated_at: 1,
        };
        desk.upsert_draft(row).await.unwrap();
    };
    // As written by the previous version.
    put(
        "old",
        r#"{"id":"old","workspace":"sandbox","template":{"name":"party","language":"en","category":"marketing","components":[{"type":"BODY","text":"Come to our party"}]},"wabaIds":["1"],"headerFile":{"path":"/a.png","name":"a.png","size":3,"mime":"image/png"},"updatedAt":1}"#,
    )
    .await;
    put("odd", r#"{"template":{"name":"party","components":{"a":"typed by hand"}},"wabaIds":7}"#).await;
    drop(desk);

    let harness = Harness::start_in(folder).await;
    let core = &harness.core;
    let mut rows = core.authoring.list_drafts(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    rows.sort_by(|one, other| one.id.cmp(&other.id));
    let shown: Vec<_> = rows.iter().map(|row| (row.id.as_str(), row.name.as_str(), row.excerpt.as_str())).collect();
    assert_eq!(shown, [("odd", "party", ""), ("old", "party", "Come to our party")]);
    let old = core.authoring.get_draft(DraftId { draft: "old".to_owned() }).await.unwrap();
    assert_eq!(old.header_file.as_ref().unwrap().name, "a.png");
    assert_eq!((old.card_files.len(), &old.administration, &old.json_text), (0, &None, &None));
    let odd = core.authoring.get_draft(DraftId { draft: "odd".to_owned() }).await.unwrap();
    assert_eq!((odd.id.as_str(), odd.template.name.as_str()), ("odd", "party"));
    assert!(odd.json_text.as_deref().unwrap().contains("typed by hand"));

    // Any input is stored: invalid names, control characters, invalid JSON.
    let mut strange = odd;
    strange.template.name = "\u{0}\u{1}’ or 1=1; --\u{202e}".to_owned();
    strange.template.extra.insert("a\u{0}b".to_owned(), json!([null, 1e300, "\u{fffd}"]));
    strange.json_text = Some("{\"name\": \u{0} [[[".to_owned());
    let saved = core.authoring.save_draft(strange).await.unwrap();
    assert_eq!(core.authoring.get_draft(DraftId { draft: "odd".to_owned() }).await.unwrap(), saved);
    harness.close().await;
}

#[tokio::test]
async fn a_draft_begins_with_a_starter_under_a_free_name() {
    let harness = Harness::start().await;
    let starters = harness.core.authoring.list_starters(Nothing {}).await.unwrap();
    assert_eq!(starters.len(), StarterName::ALL.len() * model::starter::LANGUAGES.len());
    let from = |language: &str| CreateDraft {
        workspace: SANDBOX_ID.to_owned(),
        from_starter: Some(StarterName::Welcome),
        language: Some(language.to_owned()),
        ..CreateDraft::default()
    };
    let mut names = Vec::new();
    for language in ["es", "es", "pt_BR"] {
        let draft = harness.core.authoring.create_draft(from(language)).await.unwrap();
        assert_eq!(draft.template.language, language);
        names.push(draft.template.name);
    }
    assert_eq!(names, ["welcome", "welcome_2", "welcome"]);
}

#[tokio::test]
async fn a_save_that_is_late_does_not_bring_a_deleted_draft_back() {
    let harness = Harness::start().await;
    let draft = new_draft(&harness).await;
    let authoring = &harness.core.authoring;
    let deleted = authoring.delete_draft(DraftId { draft: draft.id.clone() }).await.unwrap();
    assert_eq!(deleted.template, draft.template);
    let late = authoring.save_draft(draft.clone()).await.unwrap_err();
    assert!(matches!(late, DeskError::NotFound { .. }), "{late:?}");
    let found = authoring.get_draft(DraftId { draft: draft.id.clone() }).await.unwrap_err();
    assert!(matches!(found, DeskError::NotFound { .. }), "{found:?}");

    // A person can take the deletion back, once.
    authoring.restore_draft(deleted.clone()).await.unwrap();
    assert_eq!(authoring.get_draft(DraftId { draft: draft.id }).await.unwrap().template, draft.template);
    let again = authoring.restore_draft(deleted).await.unwrap_err();
    assert!(matches!(again, DeskError::NotFound { .. }), "{again:?}");
    harness.close().await;
}

#[tokio::test]
async fn a_deleted_draft_can_be_restored_after_the_storage_failed() {
    let harness = Harness::start().await;
    let draft = new_draft(&harness).await;
    let authoring = &harness.core.authoring;
    let deleted = authoring.delete_draft(DraftId { draft: draft.id.clone() }).await.unwrap();
    let desk = rusqlite::Connection::open(harness.folder.path().join("desk/desk.sqlite")).unwrap();
    desk.execute_batch("CREATE TRIGGER full BEFORE INSERT ON draft BEGIN SELECT RAISE(FAIL, 'full'); END").unwrap();
    let failed = authoring.restore_draft(deleted.clone()).await.unwrap_err();
    assert!(!matches!(failed, DeskError::NotFound { .. }), "{failed:?}");
    let late = authoring.save_draft(draft.clone()).await.unwrap_err();
    assert!(matches!(late, DeskError::NotFound { .. }), "{late:?}");

    desk.execute_batch("DROP TRIGGER full").unwrap();
    authoring.restore_draft(deleted).await.unwrap();
    assert_eq!(authoring.get_draft(DraftId { draft: draft.id }).await.unwrap().template, draft.template);
    harness.close().await;
}
