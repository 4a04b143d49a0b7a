//! Authoring within the contract: exact numbers, every edit, and a plan that shows the requests.

use command_types::composer::{CreateDraft, Draft, DraftId};
use command_types::error::{ConflictFault, DeskError};
use command_types::submission::{BeyondContract, PlannedPart, StepOutcome, SubmissionReport, SubmitDraft};
use command_types::template::{TemplateQuery, TemplateTarget};
use command_types::transfer::{ExportTemplates, ImportAction, PlanImport, RunImport};
use command_types::workspace::WorkspaceId;
use model::component::Component;
use model::template::Template;
use serde_json::{Value, json};

use super::connection::workspace;
use super::harness::{Harness, picture};
use super::transfers::provider::{Provider, Reply};
use super::webhooks::Request;

const WABA: u64 = 200_000_000_000_001;

/// Numbers that neither a double nor 64 bits can represent exactly.
const NUMBERS: &str = "[1e+400,0.1000000000000000055,12345678901234567890123,1.0,-0]";

fn raw(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

fn listed(reference: &str, status: &str) -> Value {
    json!({"uuid": reference, "status": status, "name": "receipt", "language": "en_US", "category": "utility",
        "waba_ids": [WABA], "components": [{"type": "BODY", "text": "Thank you for the order."}]})
}

async fn connected(harness: &Harness, provider: &Provider) -> String {
    let id = harness.core.workspaces.save_workspace(workspace(&provider.url, "a-token")).await.unwrap().id;
    harness.core.templates.refresh_templates(WorkspaceId { workspace: id.clone() }).await.unwrap();
    id
}

async fn edit_of(harness: &Harness, workspace: &str, reference: &str) -> Draft {
    let request = CreateDraft {
        workspace: workspace.to_owned(),
        from_template: Some(reference.to_owned()),
        edit: true,
        ..CreateDraft::default()
    };
    harness.core.authoring.create_draft(request).await.unwrap()
}

/// The draft after a round trip through the window.
fn through_the_window(draft: &Draft) -> Draft {
    let sent: Value = serde_json::from_str(&serde_json::to_string(draft).unwrap()).unwrap();
    model::json::read(&sent).unwrap()
}

fn of(draft: &Draft) -> DraftId {
    DraftId { draft: draft.id.clone() }
}

#[tokio::test]
async fn numbers_keep_every_digit_from_the_listing_to_the_request() {
    let harness = Harness::start().await;
    let mut record = listed("u-1", "REJECTED");
    record["pix_data"] = raw(&format!("{{\"amounts\":{NUMBERS}}}"));
    record["later"] = raw(NUMBERS);
    record["components"][0]["later"] = raw(NUMBERS);
    let provider = Provider::start(vec![record]).await;
    let workspace = connected(&harness, &provider).await;

    let mut draft = through_the_window(&edit_of(&harness, &workspace, "u-1").await);
    draft.template.order_data = Some(raw(&format!("{{\"totals\":{NUMBERS}}}")));
    let Component::Body(body) = &mut draft.template.components[0] else { panic!("{draft:?}") };
    body.text = Some("Thank you for the order, and see you soon.".to_owned());
    let draft = through_the_window(&harness.core.authoring.save_draft(draft).await.unwrap());
    let plan = harness.core.authoring.plan_submission(of(&draft)).await.unwrap();
    let report = harness
        .core
        .authoring
        .submit_draft(SubmitDraft {
            draft: draft.id,
            despite_findings: true,
            overrides: Vec::new(),
            resend_unknown: false,
        })
        .await
        .unwrap();
    assert!(report.complete, "{report:?}");
    let left = String::from_utf8(provider.requests()[0].body.clone()).unwrap();
    assert_eq!(
        left,
        format!(
            "{{\"components\":[{{\"type\":\"BODY\",\"text\":\"Thank you for the order, and see you soon.\",\"later\":{NUMBERS}}}],\
             \"order_data\":{{\"totals\":{NUMBERS}}}}}"
        )
    );
    assert_eq!(plan.requests[0].json.as_deref(), Some(left.as_str()));

    // Export and import: nothing differs, and a creation elsewhere preserves every digit.
    let folder = tempfile::tempdir().unwrap();
    let export = ExportTemplates {
        workspace: workspace.clone(),
        target: TemplateTarget::References { references: vec!["u-1".to_owned()] },
    };
    harness.core.template_files.export_templates_to(folder.path(), export).await.unwrap();
    let import = |folder: &tempfile::TempDir| PlanImport {
        workspace: workspace.clone(),
        folder: folder.path().display().to_string(),
        wabas: Vec::new(),
    };
    let same = harness.core.template_files.plan_import(import(&folder)).await.unwrap();
    assert_eq!(same.steps[0].action, ImportAction::Unchanged, "{same:?}");
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"receipt\"", "\"receipt_2\"")).unwrap();
    let new = harness.core.template_files.plan_import(import(&folder)).await.unwrap();
    let run = RunImport { id: new.id, files: vec![new.steps[0].file.clone()], overrides: Vec::new() };
    harness.core.template_files.run_import(run).await.unwrap();
    let created = String::from_utf8(provider.requests()[1].body.clone()).unwrap();
    assert_eq!(created.matches(NUMBERS).count(), 4, "{created}");
    let rows =
        harness.core.templates.list_templates(TemplateQuery { workspace, limit: 10, ..TemplateQuery::default() }).await;
    assert_eq!(rows.unwrap().rows.len(), 2);
}

async fn submitted(harness: &Harness, draft: &Draft, overrides: &[&str]) -> Result<SubmissionReport, DeskError> {
    let overrides = overrides.iter().map(|&code| code.to_owned()).collect();
    let request = SubmitDraft { draft: draft.id.clone(), despite_findings: false, overrides, resend_unknown: false };
    harness.core.authoring.submit_draft(request).await
}

fn write(draft: &mut Draft, text: &str) {
    for component in &mut draft.template.components {
        if let Component::Body(body) = component {
            body.text = Some(text.to_owned());
        }
    }
}

async fn new_draft(harness: &Harness, workspace: &str, template: Value, wabas: &[u64]) -> Draft {
    let request = CreateDraft { workspace: workspace.to_owned(), ..CreateDraft::default() };
    let draft = harness.core.authoring.create_draft(request).await.unwrap();
    let template: Template = serde_json::from_value(template).unwrap();
    let waba_ids = wabas.iter().map(u64::to_string).collect();
    harness.core.authoring.save_draft(Draft { template, waba_ids, ..draft }).await.unwrap()
}

/// The parts of a received form: name, file name, and exact content.
fn parts_of(request: &Request) -> Vec<(String, Option<String>, Vec<u8>)> {
    let kind = request.header("content-type")[0];
    let boundary = format!("--{}", kind.split_once("boundary=").unwrap().1.trim_matches('"'));
    let find = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|window| window == what);
    let mut rest = request.body.as_slice();
    let mut parts = Vec::new();
    while let Some(at) = find(rest, boundary.as_bytes()) {
        rest = &rest[at + boundary.len()..];
        let Some(next) = find(rest, boundary.as_bytes()) else { break };
        let part = &rest[2..next - 2];
        let end = find(part, b"\r\n\r\n").unwrap();
        let head = String::from_utf8(part[..end].to_vec()).unwrap();
        let field = |name: &str| {
            head.split_once(&format!("{name}=\"")).map(|(_, rest)| rest.split('"').next().unwrap().to_owned())
        };
        let name = head.split("; name=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        parts.push((name, field("filename"), part[end + 4..].to_vec()));
    }
    parts
}

/// The planned parts equal the received ones, byte for byte.
fn assert_as_planned(planned: &[PlannedPart], request: &Request) {
    let came = parts_of(request);
    assert_eq!(came.len(), planned.len(), "{came:?}");
    for (part, (name, file, content)) in planned.iter().zip(came) {
        assert_eq!((&part.name, &part.file_name), (&name, &file));
        match &part.value {
            Some(value) => assert_eq!(value.as_bytes(), content),
            None => assert_eq!(part.size, Some(content.len() as u64)),
        }
    }
}

fn with_picture(name: &str) -> Value {
    json!({"name": name, "language": "en_US", "category": "marketing", "type": "cloud_api", "parameter_format": "POSITIONAL",
        "sub_category": "promo", "message_send_ttl_seconds": 43_200, "components": [
            {"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Flowers for every day of the spring."}]})
}

#[tokio::test]
async fn the_plan_shows_the_requests_that_are_sent() {
    let harness = Harness::start().await;
    let mut record = listed("u-1", "APPROVED");
    record["sub_category"] = json!("promo");
    record["pix_data"] = json!({"key": 1});
    let provider = Provider::start(vec![record]).await;
    let workspace = connected(&harness, &provider).await;
    let file = outgoing::attachment::inspect(&picture(harness.folder.path())).await.unwrap();

    // A creation as JSON.
    let template = json!({"name": "plain", "language": "en_US", "category": "utility", "type": "cloud_api",
        "components": [{"type": "BODY", "text": "Your parcel is here."}]});
    let draft = new_draft(&harness, &workspace, template, &[WABA, WABA + 1]).await;
    let plan = harness.core.authoring.plan_submission(of(&draft)).await.unwrap();
    assert!(submitted(&harness, &draft, &[]).await.unwrap().complete);
    assert_eq!(plan.requests[0].json.as_deref().unwrap().as_bytes(), provider.requests()[0].body);

    // A creation as a form: parts that the contract does not specify are marked, and defaults are left out.
    let draft = new_draft(&harness, &workspace, with_picture("flowers"), &[WABA]).await;
    let draft = harness.core.authoring.save_draft(Draft { header_file: Some(file.clone()), ..draft }).await.unwrap();
    let plan = harness.core.authoring.plan_submission(of(&draft)).await.unwrap();
    let parts: Vec<_> = plan.requests[0].parts.iter().map(|part| (part.name.as_str(), part.beyond)).collect();
    assert_eq!(
        parts,
        [
            ("waba_ids", None),
            ("name", None),
            ("language", None),
            ("category", None),
            ("sub_category", Some(BeyondContract::EditOnly)),
            ("message_send_ttl_seconds", Some(BeyondContract::Unnamed)),
            ("header_file", None),
            ("components", None),
        ]
    );
    let report = submitted(&harness, &draft, &[]).await.unwrap();
    assert!(report.complete);
    assert_as_planned(&plan.requests[0].parts, &provider.requests()[1]);

    // Another language of it begins with the same picture, while the file is the same.
    let translation = CreateDraft {
        workspace: workspace.clone(),
        from_template: report.reference.clone(),
        language: Some("pt_BR".to_owned()),
        ..CreateDraft::default()
    };
    let translated = harness.core.authoring.create_draft(translation.clone()).await.unwrap();
    assert_eq!(translated.header_file.as_ref().map(|known| &known.path), Some(&file.path));
    assert_eq!(translated.translates.as_ref().map(|original| original.language.as_str()), Some("en_US"));
    let kept = std::fs::read(&file.path).unwrap();
    std::fs::write(&file.path, [kept.as_slice(), b"other"].concat()).unwrap();
    assert_eq!(harness.core.authoring.create_draft(translation.clone()).await.unwrap().header_file, None);
    std::fs::write(&file.path, kept).unwrap();
    let copy = CreateDraft { language: None, ..translation };
    assert_eq!(harness.core.authoring.create_draft(copy).await.unwrap().translates, None);

    // An edit attaches none by itself, but offers it.
    let edit = CreateDraft {
        workspace: workspace.clone(),
        from_template: report.reference,
        edit: true,
        ..CreateDraft::default()
    };
    let edit = harness.core.authoring.create_draft(edit).await.unwrap();
    let offered = harness.core.authoring.get_edit_context(of(&edit)).await.unwrap().files;
    assert_eq!((edit.header_file, offered.header.map(|known| known.path)), (None, Some(file.path.clone())));
    harness.core.authoring.delete_draft(DraftId { draft: edit.id }).await.unwrap();

    // An edit as JSON and as a form, each of which clears fields and changes the category of an approved template.
    for header_file in [None, Some(file)] {
        provider.change(|templates| {
            let receipt = templates.iter_mut().find(|template| template["uuid"] == "u-1").unwrap();
            receipt["status"] = json!("APPROVED");
            receipt["category"] = json!("utility");
            receipt["sub_category"] = json!("promo");
            receipt["pix_data"] = json!({"key": 1});
        });
        while harness.core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.is_err() {
            crate::webhooks::next_poll().await;
        }
        let mut draft = edit_of(&harness, &workspace, "u-1").await;
        draft.template.sub_category = None;
        draft.template.pix_data = None;
        draft.template.category = "marketing".into();
        let with_file = header_file.is_some();
        if with_file {
            draft
                .template
                .components
                .insert(0, serde_json::from_value(json!({"type": "HEADER", "format": "IMAGE"})).unwrap());
        }
        let draft = harness.core.authoring.save_draft(Draft { header_file, ..draft }).await.unwrap();
        let plan = harness.core.authoring.plan_submission(of(&draft)).await.unwrap();
        assert_eq!(plan.needs_override, ["edit.category_approved"]);
        let cleared: Vec<_> = plan.findings.iter().filter(|finding| finding.code == "edit.field_cleared").collect();
        assert_eq!(cleared.len(), 2, "{:?}", plan.findings);
        let refused = submitted(&harness, &draft, &[]).await.unwrap_err();
        assert!(matches!(&refused, DeskError::InvalidInput { field, .. } if field == "/category"), "{refused:?}");
        assert!(submitted(&harness, &draft, &["edit.category_approved"]).await.unwrap().complete);
        let came = provider.requests().pop().unwrap();
        if with_file {
            assert_as_planned(&plan.requests[0].parts, &came);
            let text = |name: &str| parts_of(&came).into_iter().find(|part| part.0 == name).unwrap().2;
            assert_eq!((text("sub_category"), text("pix_data")), (Vec::new(), b"null".to_vec()));
        } else {
            assert_eq!(came.body, br#"{"category":"marketing","sub_category":null,"pix_data":null}"#);
            assert_eq!(plan.requests[0].json.as_deref().unwrap().as_bytes(), came.body);
        }
    }
}

#[tokio::test]
async fn warnings_stop_a_submission_until_they_are_overridden() {
    let harness = Harness::start().await;
    let mut archived = listed("u-3", "APPROVED");
    archived["archived"] = json!(true);
    let names = ["pending", "disabled", "archived"];
    let mut records = vec![listed("u-1", "PENDING"), listed("u-2", "DISABLED"), archived];
    for (record, name) in records.iter_mut().zip(names) {
        record["name"] = json!(name);
    }
    let provider = Provider::start(records).await;
    let workspace = connected(&harness, &provider).await;
    for (reference, code) in [("u-1", "edit.status"), ("u-2", "edit.status"), ("u-3", "edit.archived")] {
        let before = provider.requests().len();
        let mut draft = edit_of(&harness, &workspace, reference).await;
        write(&mut draft, "Thank you for the order, and see you soon.");
        let draft = harness.core.authoring.save_draft(draft).await.unwrap();
        assert_eq!(
            harness.core.authoring.plan_submission(of(&draft)).await.unwrap().needs_override,
            [code],
            "{reference}"
        );
        let refused = submitted(&harness, &draft, &["edit.category_approved"]).await.unwrap_err();
        assert!(matches!(refused, DeskError::InvalidInput { .. }), "{refused:?}");
        assert_eq!(provider.requests().len(), before);
        assert!(submitted(&harness, &draft, &[code]).await.unwrap().complete);
        assert_eq!(provider.requests().len(), before + 1);
    }

    // A creation whose variable has no sample.
    let template = json!({"name": "no_sample", "language": "en_US", "category": "utility",
        "components": [{"type": "BODY", "text": "Your parcel {{1}} is at our shop and waits for you."}]});
    let draft = new_draft(&harness, &workspace, template.clone(), &[WABA]).await;
    let refused = submitted(&harness, &draft, &[]).await.unwrap_err();
    assert!(matches!(&refused, DeskError::InvalidInput { field, .. } if field.starts_with("/components/0/example")));
    assert!(submitted(&harness, &draft, &["body.sample_missing"]).await.unwrap().complete);

    // The same from a folder.
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| {
        let mut template = template.clone();
        template["name"] = json!(name);
        template["waba_ids"] = json!([WABA]);
        std::fs::write(folder.path().join(format!("{name}.json")), template.to_string()).unwrap();
    };
    named("another");
    let import = PlanImport { workspace, folder: folder.path().display().to_string(), wabas: Vec::new() };
    let plan = harness.core.template_files.plan_import(import).await.unwrap();
    assert_eq!(plan.steps[0].action, ImportAction::Create);
    assert_eq!(plan.steps[0].needs_override, ["body.sample_missing"]);
    let before = provider.requests().len();
    for (overrides, state) in [(vec![], "Failed"), (vec!["body.sample_missing".to_owned()], "Done")] {
        let run = RunImport { id: plan.id.clone(), files: vec!["another.json".to_owned()], overrides };
        let report = harness.core.template_files.run_import(run).await.unwrap();
        assert_eq!(format!("{:?}", report.outcomes[0].state), state, "{report:?}");
    }
    assert_eq!(provider.requests().len(), before + 1);
}

#[tokio::test]
async fn a_draft_changed_during_its_submission_becomes_an_edit() {
    let harness = Harness::start().await;
    let provider = Provider::start(Vec::new()).await;
    provider.answers(|_| Reply::Later);
    let workspace = connected(&harness, &provider).await;
    let template = json!({"name": "changing", "language": "en_US", "category": "utility",
        "components": [{"type": "BODY", "text": "Your parcel is here."}]});
    let draft = new_draft(&harness, &workspace, template, &[WABA]).await;
    let (core, id) = (harness.core.clone(), draft.id.clone());
    let submission = tokio::spawn(async move {
        core.authoring
            .submit_draft(SubmitDraft {
                draft: id,
                despite_findings: false,
                overrides: Vec::new(),
                resend_unknown: false,
            })
            .await
    });
    provider.wait_for_count(1).await;
    let mut changed = draft.clone();
    write(&mut changed, "Your parcel is here and waits for you.");
    harness.core.authoring.save_draft(changed.clone()).await.unwrap();
    provider.release();
    let report = submission.await.unwrap().unwrap();
    assert!(report.complete && report.draft_kept, "{report:?}");
    let kept = harness.core.authoring.get_draft(of(&draft)).await.unwrap();
    assert_eq!((kept.edits.as_deref(), &kept.template), (report.reference.as_deref(), &changed.template));

    // The window still has the draft as a new template; saving it makes it an edit of the template.
    let stored = harness.core.authoring.save_draft(changed).await.unwrap();
    assert_eq!(stored.edits, report.reference);
    let plan = harness.core.authoring.plan_submission(of(&draft)).await.unwrap();
    assert_eq!(plan.requests[0].method, "PUT");
    let report = submitted(&harness, &draft, &["edit.status"]).await.unwrap();
    assert!(report.complete && !report.draft_kept, "{report:?}");
    let gone = harness.core.authoring.get_draft(of(&draft)).await.unwrap_err();
    let template = report.reference.clone().unwrap();
    assert_eq!(gone, DeskError::conflict(ConflictFault::Accepted { template }));

    // Typed after it was removed: does not create a second template.
    let late = harness.core.authoring.save_draft(Draft { edits: None, ..draft }).await.unwrap();
    assert_eq!(late.edits, report.reference);
}

#[tokio::test]
async fn a_draft_corrected_between_two_wabas_shows_the_differences() {
    let harness = Harness::start().await;
    let provider = Provider::start(Vec::new()).await;
    provider.answers(|before| if before == 1 { Reply::Refused } else { Reply::Done });
    let workspace = connected(&harness, &provider).await;
    let draft = new_draft(&harness, &workspace, with_picture("flowers"), &[WABA, WABA + 1]).await;
    let file = outgoing::attachment::inspect(&picture(harness.folder.path())).await.unwrap();
    let mut draft = harness.core.authoring.save_draft(Draft { header_file: Some(file), ..draft }).await.unwrap();
    let report = submitted(&harness, &draft, &[]).await.unwrap();
    assert!(!report.complete, "{report:?}");

    write(&mut draft, "Flowers for every single day of the spring.");
    let draft = harness.core.authoring.save_draft(draft).await.unwrap();
    let plan = harness.core.authoring.plan_submission(of(&draft)).await.unwrap();
    let outcomes: Vec<_> =
        plan.requests.iter().map(|request| (&request.waba_ids[0], request.outcome.as_ref())).collect();
    let (waba, Some(StepOutcome::Accepted { changes, .. })) = &outcomes[0] else { panic!("{outcomes:?}") };
    assert_eq!((waba.as_str(), changes.len()), (WABA.to_string().as_str(), 1));
    assert_eq!(changes[0].before.as_deref(), Some("Flowers for every day of the spring."));
    assert_eq!(changes[0].after.as_deref(), Some("Flowers for every single day of the spring."));
    assert!(matches!(outcomes[1].1, Some(StepOutcome::Refused { .. })), "{outcomes:?}");

    // Without the file it is one request for all WABAs except those that have the template.
    let without = Draft { header_file: None, ..draft.clone() };
    let without = harness.core.authoring.save_draft(without).await.unwrap();
    let plan = harness.core.authoring.plan_submission(of(&without)).await.unwrap();
    let wabas: Vec<_> = plan.requests.iter().map(|request| request.waba_ids.join(",")).collect();
    assert_eq!(wabas, [WABA.to_string(), (WABA + 1).to_string()]);

    harness.core.authoring.save_draft(draft.clone()).await.unwrap();
    let report = submitted(&harness, &draft, &[]).await.unwrap();
    assert!(report.complete, "{report:?}");
    assert_eq!(provider.requests().len(), 3);
    assert!(matches!(&report.steps[0].outcome, StepOutcome::Accepted { changes, .. } if changes.len() == 1));
    assert!(matches!(&report.steps[1].outcome, StepOutcome::Accepted { changes, .. } if changes.is_empty()));
}
