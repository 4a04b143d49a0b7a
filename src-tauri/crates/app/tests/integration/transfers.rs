//! Export and import of templates: written files, plans, requests and outcomes.

mod doubts;
mod found;
mod media;
pub(super) mod provider;
mod subfolders;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use app::Core;
use app::SANDBOX_ID;
use command_types::edit::VersionOrigin;
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::template::{TemplateId, TemplateTarget};
use command_types::transfer::{
    ExportTemplates, ImportAction, ImportDoubt, ImportId, ImportOutcome, ImportPlan, ImportState, ImportStep,
    PlanImport, RunImport, RunState, TemplateExport,
};
use command_types::workspace::WorkspaceId;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::connection::workspace;
use super::harness::Harness;
use super::keyring::ScriptedKeyring;
use provider::{Provider, Reply};

const WABA: &str = "102290129340398";

/// Every file of a folder with its bytes.
fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(path).unwrap()))
        .collect()
}

fn body(text: &str) -> Value {
    json!([{"type": "BODY", "text": text}])
}

fn template(name: &str, text: &str) -> Value {
    json!({"name": name, "language": "en_US", "category": "utility", "components": body(text)})
}

/// A template as the provider lists it.
fn listed(reference: &str, name: &str, text: &str, status: &str) -> Value {
    let mut whole = template(name, text);
    whole["uuid"] = json!(reference);
    whole["status"] = json!(status);
    whole["waba_ids"] = json!([WABA.parse::<u64>().unwrap()]);
    whole
}

fn write(folder: &Path, name: &str, content: &Value) {
    std::fs::write(folder.join(name), content.to_string()).unwrap();
}

fn references(references: &[&str]) -> TemplateTarget {
    TemplateTarget::References { references: references.iter().map(|&reference| reference.to_owned()).collect() }
}

/// A workspace on a provider, with its templates cached.
async fn connected(core: &Core, provider: &Provider) -> String {
    let id = core.workspaces.save_workspace(workspace(&provider.url, "a-token")).await.unwrap().id;
    core.templates.refresh_templates(WorkspaceId { workspace: id.clone() }).await.unwrap();
    id
}

async fn planned(core: &Core, workspace: &str, folder: &Path, wabas: &[&str]) -> ImportPlan {
    let request = PlanImport {
        workspace: workspace.to_owned(),
        folder: folder.display().to_string(),
        wabas: wabas.iter().map(|&waba| waba.to_owned()).collect(),
    };
    core.template_files.plan_import(request).await.unwrap()
}

async fn pushed(core: &Core, plan: &ImportPlan, files: &[&str]) -> Vec<ImportOutcome> {
    let files = files.iter().map(|&file| file.to_owned()).collect();
    core.template_files
        .run_import(RunImport { id: plan.id.clone(), files, overrides: Vec::new() })
        .await
        .unwrap()
        .outcomes
}

fn actions(plan: &ImportPlan) -> Vec<(&str, ImportAction)> {
    plan.steps.iter().map(|step| (step.file.as_str(), step.action)).collect()
}

fn states(outcomes: &[ImportOutcome]) -> Vec<(&str, ImportState)> {
    outcomes.iter().map(|outcome| (outcome.file.as_str(), outcome.state)).collect()
}

fn step<'a>(plan: &'a ImportPlan, file: &str) -> &'a ImportStep {
    plan.steps.iter().find(|step| step.file == file).unwrap_or_else(|| panic!("{file} is no step: {plan:?}"))
}

async fn exported(core: &Core, workspace: &str, folder: &Path, target: TemplateTarget) -> TemplateExport {
    core.template_files
        .export_templates_to(folder, ExportTemplates { workspace: workspace.to_owned(), target })
        .await
        .unwrap()
}

fn all(workspace: &str) -> TemplateTarget {
    let query = serde_json::from_value(json!({"workspace": workspace})).unwrap();
    TemplateTarget::Query { query }
}

#[tokio::test]
async fn an_exported_template_is_imported_without_changes() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    core.templates.refresh_templates(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    let folder = harness.folder.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("README.md"), "ours").unwrap();
    let export = exported(&core, SANDBOX_ID, &folder, all(SANDBOX_ID)).await;
    assert_eq!(export.problems, []);
    let files = bytes(&folder);
    let (json, media): (Vec<_>, Vec<_>) =
        files.iter().filter(|(name, _)| *name != "README.md").partition(|(name, _)| name.ends_with(".json"));
    assert_eq!((export.files, export.media), (json.len() as u64, media.len() as u64));
    assert!(media.iter().any(|(name, _)| name.contains(".header.")), "{:?}", files.keys());
    assert!(media.iter().any(|(name, _)| name.contains(".card2.")), "{:?}", files.keys());
    for (name, text) in json {
        let text = std::str::from_utf8(text).unwrap();
        assert!(text.ends_with("}\n") && !text.contains("\"header_handle\": [\n          \"http"), "{name}: {text}");
        let keys: Vec<String> =
            serde_json::from_str::<serde_json::Map<String, Value>>(text).unwrap().keys().take(4).cloned().collect();
        assert_eq!(keys, ["waba_ids", "name", "language", "category"], "{name}");
    }
    exported(&core, SANDBOX_ID, &folder, all(SANDBOX_ID)).await;
    assert_eq!(bytes(&folder), files, "not one byte");
    let plan = planned(&core, SANDBOX_ID, &folder, &[]).await;
    assert_eq!(plan.steps.len() as u64, export.files);
    for step in &plan.steps {
        assert_eq!(step.action, ImportAction::Unchanged, "{step:?}");
        assert!(step.after.is_none() && step.changes.is_empty());
    }
    let nothing = core
        .template_files
        .export_templates_to(&folder, ExportTemplates { workspace: SANDBOX_ID.to_owned(), target: references(&["x"]) })
        .await
        .unwrap_err();
    assert!(matches!(&nothing, DeskError::InvalidInput { field, .. } if field == "target"), "{nothing:?}");
    harness.close().await;
}

/// Edited in an editor, shown as a diff, sent as one request, and followed like any other submission.
#[tokio::test]
async fn a_changed_file_is_planned_and_imported() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    let report = core.templates.refresh_templates(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    assert!(report.total > 0);
    let folder = harness.folder.path().join("templates");
    exported(&core, SANDBOX_ID, &folder, all(SANDBOX_ID)).await;
    let file = "spring_sale.pt_BR.json";
    let path = folder.join(file);
    let path = if path.exists() { path } else { panic!("{:?}", bytes(&folder).keys()) };
    let before: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let mut after = before.clone();
    let place = after["components"].as_array().unwrap().iter().position(|part| part["type"] == "BODY").unwrap();
    let text = after["components"][place]["text"].as_str().unwrap().replace(' ', "  ");
    after["components"][place]["text"] = json!(text);
    std::fs::write(&path, after.to_string()).unwrap();
    let plan = planned(&core, SANDBOX_ID, &folder, &[]).await;
    let edit = step(&plan, file);
    assert_eq!((edit.action, edit.reasons.as_slice()), (ImportAction::Edit, [].as_slice()));
    assert_eq!(edit.media.len(), 1, "the picture is sent");
    let changed: Vec<_> = edit.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(changed, ["/components/BODY/text", "/components/HEADER/file"]);
    assert!(edit.before.is_some() && edit.after.is_some() && edit.before != edit.after);

    // Modified in the meantime: the planned content is not sent.
    std::fs::write(&path, format!("{after} ")).unwrap();
    let outcomes = pushed(&core, &plan, &[file]).await;
    assert_eq!(states(&outcomes), [(file, ImportState::Failed)]);
    assert!(
        matches!(&outcomes[0].error, Some(DeskError::File { name, reason, .. })
        if name == file && reason.contains("has changed since the check")),
        "{outcomes:?}"
    );
    let plan = planned(&core, SANDBOX_ID, &folder, &[]).await;
    std::fs::write(folder.join(&edit.media[0].name), "another picture").unwrap();
    let outcomes = pushed(&core, &plan, &[file]).await;
    assert!(
        matches!(&outcomes[0].error, Some(DeskError::File { reason, .. })
        if reason.starts_with(&edit.media[0].name)),
        "{outcomes:?}"
    );
    exported(&core, SANDBOX_ID, &folder, all(SANDBOX_ID)).await;
    std::fs::write(&path, after.to_string()).unwrap();

    let plan = planned(&core, SANDBOX_ID, &folder, &[]).await;
    let outcomes = pushed(&core, &plan, &[file]).await;
    assert_eq!(states(&outcomes), [(file, ImportState::Done)], "{outcomes:?}");
    let id = TemplateId { workspace: SANDBOX_ID.to_owned(), reference: outcomes[0].references[0].clone() };
    let origins: Vec<VersionOrigin> =
        core.templates.list_versions(id.clone()).await.unwrap().into_iter().map(|version| version.origin).collect();
    assert_eq!(origins, [VersionOrigin::Edited, VersionOrigin::Observed]);
    let sent = serde_json::to_value(core.templates.get_template(id).await.unwrap().template).unwrap();
    assert_eq!(sent["components"][place]["text"], json!(text));
    // A second run sends nothing.
    let again = pushed(&core, &plan, &[file]).await;
    assert_eq!(states(&again), [(file, ImportState::Skipped)]);
    let unknown = core
        .template_files
        .run_import(RunImport { id: plan.id.clone(), files: vec!["x.json".to_owned()], overrides: Vec::new() })
        .await;
    assert!(matches!(&unknown.unwrap_err(), DeskError::InvalidInput { field, .. } if field == "files"));
    let gone = core
        .template_files
        .run_import(RunImport { id: "x".to_owned(), files: Vec::new(), overrides: Vec::new() })
        .await
        .unwrap_err();
    assert!(matches!(gone, DeskError::NotFound { .. }));
    harness.close().await;
}

#[tokio::test]
async fn each_file_is_sent_once_and_a_refusal_affects_only_its_file() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = Provider::start(vec![listed("there", "c_edit", "Hello there.", "APPROVED")]).await;
    let workspace = connected(&core, &provider).await;
    let folder = harness.folder.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    for name in ["a_new", "b_refused", "c_edit", "d_unheard", "e_lost"] {
        write(&folder, &format!("{name}.en_US.json"), &template(name, "Good day to you."));
    }
    std::fs::write(folder.join("f_broken.json"), "{").unwrap();
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    let create = ImportAction::Create;
    assert_eq!(
        actions(&plan),
        [
            ("a_new.en_US.json", create),
            ("b_refused.en_US.json", create),
            ("c_edit.en_US.json", ImportAction::Edit),
            ("d_unheard.en_US.json", create),
            ("e_lost.en_US.json", create),
            ("f_broken.json", ImportAction::Blocked),
        ]
    );
    assert!(step(&plan, "f_broken.json").reasons[0].contains("Invalid JSON"));
    assert_eq!(step(&plan, "a_new.en_US.json").wabas, [WABA]);
    assert_eq!(provider.requests().len(), 0, "a preview sends nothing");

    provider.answers(|before| match before {
        1 => Reply::Refused,
        3 => Reply::DoneWithoutAnswer,
        4 => Reply::Lost,
        _ => Reply::Done,
    });
    let files: Vec<&str> = plan.steps.iter().map(|step| step.file.as_str()).collect();
    let outcomes = pushed(&core, &plan, &files).await;
    assert_eq!(
        states(&outcomes),
        [
            ("a_new.en_US.json", ImportState::Done),
            ("b_refused.en_US.json", ImportState::Failed),
            ("c_edit.en_US.json", ImportState::Done),
            // No answer was received, but the listing shows it.
            ("d_unheard.en_US.json", ImportState::Done),
            ("e_lost.en_US.json", ImportState::Unknown),
            ("f_broken.json", ImportState::Skipped),
        ],
        "{outcomes:?}"
    );
    assert!(matches!(&outcomes[1].error, Some(DeskError::Service { message, .. }) if message == "Not this one"));
    assert_eq!((outcomes[2].references.as_slice(), outcomes[0].references.len()), (["there".to_owned()].as_slice(), 1));

    // Byte for byte, and in the order of the plan.
    let requests = provider.requests();
    let lines: Vec<&str> = requests.iter().map(|request| request.head[0].as_str()).collect();
    let (post, put) = (
        "POST /messaging/provider/workspace-templates HTTP/1.1",
        "PUT /messaging/provider/workspace-templates/there HTTP/1.1",
    );
    assert_eq!(lines, [post, post, put, post, post]);
    let new = r#"{"waba_ids":[102290129340398],"name":"a_new","language":"en_US","category":"utility","components":[{"type":"BODY","text":"Good day to you."}]}"#;
    assert_eq!(String::from_utf8_lossy(&requests[0].body), new);
    assert_eq!(
        String::from_utf8_lossy(&requests[2].body),
        r#"{"components":[{"type":"BODY","text":"Good day to you."}]}"#
    );
    for request in &requests {
        assert_eq!(request.header("authorization").len(), 1);
    }

    // A refused one may be retried; nothing else is sent again, even with a new plan.
    provider.answers(|_| Reply::Done);
    let again = pushed(&core, &plan, &files).await;
    let states: Vec<_> = again.iter().map(|outcome| outcome.state).collect();
    let skipped = ImportState::Skipped;
    assert_eq!(states, [skipped, ImportState::Done, skipped, skipped, skipped, skipped]);
    assert_eq!(provider.requests().len(), 6);
    core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.unwrap();
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    let open: Vec<_> = actions(&plan).into_iter().filter(|(_, action)| *action == create).collect();
    assert_eq!(open, [("e_lost.en_US.json", create)]);
    assert_eq!(step(&plan, "e_lost.en_US.json").doubts, [ImportDoubt::UnknownOutcome]);
    harness.close().await;
}

#[tokio::test]
async fn uneditable_templates_need_an_override_and_changed_ones_are_not_sent() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = Provider::start(vec![
        listed("r", "in_review", "Hello there.", "PENDING"),
        listed("c", "fixed", "Hello there.", "APPROVED"),
        listed("m", "moving", "Hello there.", "APPROVED"),
        listed("q", "often", "Hello there.", "APPROVED"),
        listed("t1", "twice", "Hello there.", "APPROVED"),
        {
            let mut second = listed("t2", "twice", "Hello there.", "REJECTED");
            second["waba_ids"] = json!([7]);
            second
        },
    ])
    .await;
    let workspace = connected(&core, &provider).await;
    let folder = harness.folder.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    for name in ["in_review", "moving", "often", "twice"] {
        write(&folder, &format!("{name}.json"), &template(name, "Good day to you."));
    }
    let mut moved = template("fixed", "Hello there.");
    moved["category"] = json!("marketing");
    write(&folder, "fixed.json", &moved);
    let plan = planned(&core, &workspace, &folder, &[]).await;
    for (file, code) in [("in_review.json", "edit.status"), ("fixed.json", "edit.category_approved")] {
        assert_eq!((step(&plan, file).action, &*step(&plan, file).needs_override), (ImportAction::Edit, &[code][..]));
    }
    let open = pushed(&core, &plan, &["in_review.json"]).await;
    assert!(
        matches!(&open[0].error, Some(DeskError::Conflict { message, .. }) if message.contains("is PENDING")),
        "{open:?}"
    );
    assert!(provider.requests().is_empty());
    assert_eq!(step(&plan, "twice.json").wabas, [WABA, "7"], "edited where it is, one by one");

    // Changed by someone else before.
    provider.change(|templates| templates[2]["components"] = body("Good night."));
    core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.unwrap();
    let outcomes = pushed(&core, &plan, &["moving.json", "often.json", "twice.json"]).await;
    assert_eq!(
        states(&outcomes),
        [("moving.json", ImportState::Failed), ("often.json", ImportState::Done), ("twice.json", ImportState::Done)]
    );
    assert!(
        matches!(&outcomes[0].error, Some(DeskError::Conflict { message, .. }) if message.contains("at the provider"))
    );
    let lines: Vec<String> = provider.requests().iter().map(|request| request.head[0].clone()).collect();
    let put = |reference| format!("PUT /messaging/provider/workspace-templates/{reference} HTTP/1.1");
    assert_eq!(lines, ["q", "t1", "t2"].map(put));

    // Approved again, it has used its daily edit.
    provider.change(|templates| templates[3]["status"] = json!("APPROVED"));
    core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.unwrap();
    write(&folder, "often.json", &template("often", "Good evening to you."));
    let plan = planned(&core, &workspace, &folder, &[]).await;
    let often = step(&plan, "often.json");
    assert_eq!(often.action, ImportAction::Edit);
    assert!(often.notes.iter().any(|note| note.contains("edited 1 times in 24 hours")), "{:?}", often.notes);
    harness.close().await;
}

#[tokio::test]
async fn no_file_is_sent_without_credentials_or_after_a_cancel() {
    let mut harness = Harness::start().await;
    let core = harness.core.clone();
    let provider = Provider::start(Vec::new()).await;
    let workspace = connected(&core, &provider).await;
    let folder = harness.folder.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    let files = ["a.json", "b.json", "c.json"];
    for file in files {
        write(&folder, file, &template(&file[..1], "Good day to you."));
    }
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    provider.answers(|_| Reply::Unauthorized);
    let outcomes = pushed(&core, &plan, &files).await;
    let states: Vec<_> = outcomes.iter().map(|outcome| outcome.state).collect();
    assert_eq!(states, [ImportState::Failed, ImportState::NotSent, ImportState::NotSent]);
    assert!(outcomes.iter().all(|outcome| matches!(outcome.error, Some(DeskError::Unauthorized { .. }))));
    assert_eq!(provider.requests().len(), 1);

    // Cancelled with one in flight: that one completes, the others are not sent.
    provider.answers(|_| Reply::Later);
    let run = {
        let (core, id) = (core.clone(), plan.id.clone());
        tokio::spawn(async move {
            core.template_files
                .run_import(RunImport { id, files: files.map(str::to_owned).to_vec(), overrides: Vec::new() })
                .await
                .unwrap()
        })
    };
    provider.wait_for_count(2).await;
    let busy = core
        .template_files
        .run_import(RunImport { id: plan.id.clone(), files: Vec::new(), overrides: Vec::new() })
        .await
        .unwrap_err();
    assert!(matches!(busy, DeskError::Conflict { .. }), "{busy:?}");
    core.template_files.cancel_import(ImportId { id: plan.id.clone() }).await.unwrap();
    provider.release();
    let outcomes = run.await.unwrap().outcomes;
    let states: Vec<_> = outcomes.iter().map(|outcome| outcome.state).collect();
    assert_eq!(states, [ImportState::Done, ImportState::Cancelled, ImportState::Cancelled]);
    assert_eq!(provider.requests().len(), 2);
    let (done, total) = harness
        .event(|event| match event {
            DeskEvent::ImportProgress { id, done, total, file, .. } if *id == plan.id && done == total => {
                assert_eq!(file, "");
                Some((*done, *total))
            }
            _ => None,
        })
        .await;
    assert_eq!((done, total), (3, 3));
    provider.answers(|_| Reply::Done);
    let outcomes = pushed(&core, &plan, &files[1..]).await;
    assert!(outcomes.iter().all(|outcome| outcome.state == ImportState::Done), "{outcomes:?}");
    harness.close().await;
}

/// A limit is temporary: files refused because of it are sent again. An interrupted import is kept across a restart,
/// and is resumed when a person asks for it.
#[tokio::test]
async fn an_import_waits_for_a_rate_limit_and_resumes_after_a_restart() {
    let keyring: Arc<ScriptedKeyring> = Arc::default();
    let harness = Harness::start_with(TempDir::new().unwrap(), keyring.clone()).await;
    let core = harness.core.clone();
    let provider = Provider::start(Vec::new()).await;
    let workspace = connected(&core, &provider).await;
    let last = || WorkspaceId { workspace: workspace.clone() };
    let folder = harness.folder.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    let files = ["a.json", "b.json", "c.json", "d.json"];
    for file in files {
        write(&folder, file, &template(&file[..1], "Good day to you."));
    }
    assert_eq!(core.template_files.last_import(last()).await.unwrap(), None);
    let plan = planned(&core, &workspace, &folder, &[WABA]).await;
    provider.answers(|before| match before {
        0 => Reply::Limited,
        1 => Reply::Done,
        2 => Reply::Refused,
        _ => Reply::Unauthorized,
    });
    let outcomes = pushed(&core, &plan, &files).await;
    assert_eq!(
        outcomes.iter().map(|outcome| outcome.state).collect::<Vec<_>>(),
        [ImportState::Done, ImportState::Failed, ImportState::Failed, ImportState::NotSent]
    );
    let known = core.template_files.last_import(last()).await.unwrap().unwrap();
    assert_eq!((known.id.as_str(), known.state, known.resumable), (plan.id.as_str(), RunState::Interrupted, 3));
    assert_eq!((known.done, known.total), (3, 4));
    assert!(matches!(known.error, Some(DeskError::Unauthorized { .. })));
    assert_eq!(known.outcomes, outcomes);
    drop(core);

    let harness = Harness::start_with(harness.close().await, keyring).await;
    let core = harness.core.clone();
    let known = core.template_files.last_import(last()).await.unwrap().unwrap();
    assert_eq!(known.outcomes, outcomes, "it is known after a restart");
    // One was modified in the meantime: it is not sent.
    write(&folder, "c.json", &template("c", "Good evening to you."));
    provider.answers(|_| Reply::Done);
    let resumed = core.template_files.resume_import(ImportId { id: plan.id.clone() }).await.unwrap();
    assert_eq!(resumed.state, RunState::Done);
    let states: Vec<_> = resumed.outcomes.iter().map(|outcome| outcome.state).collect();
    assert_eq!(states, [ImportState::Done, ImportState::Done, ImportState::Failed, ImportState::Done]);
    let changed = resumed.outcomes[2].error.as_ref().unwrap();
    assert!(matches!(changed, DeskError::File { name, .. } if name == "c.json"), "{changed:?}");
    let names: Vec<Value> = provider
        .requests()
        .iter()
        .map(|request| serde_json::from_slice::<Value>(&request.body).unwrap()["name"].clone())
        .collect();
    assert_eq!(names, ["a", "a", "b", "c", "b", "d"], "a completed item is not sent again");
    core.template_files.forget_import(ImportId { id: plan.id.clone() }).await.unwrap();
    assert_eq!(core.template_files.last_import(last()).await.unwrap(), None);
    let gone = core.template_files.resume_import(ImportId { id: plan.id.clone() }).await.unwrap_err();
    assert!(matches!(gone, DeskError::NotFound { .. }));
    harness.close().await;
}
