//! What the contract lets people write: every digit, every edit, and a plan that shows what leaves.

use app::view::composer::{CreateDraft, Draft, DraftId};
use app::view::submission::SubmitDraft;
use app::view::template::{TemplateQuery, TemplateTarget};
use app::view::transfer::{ExportTemplates, ImportAction, PlanImport, RunImport};
use app::view::workspace::WorkspaceId;
use serde_json::{Value, json};

use super::bench::Bench;
use super::connection::workspace;
use super::transfers::provider::Provider;

const WABA: u64 = 200_000_000_000_001;

/// Numbers that neither a double nor 64 bits hold as they are written.
const NUMBERS: &str = "[1e+400,0.1000000000000000055,12345678901234567890123,1.0,-0]";

fn raw(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

fn listed(reference: &str, status: &str) -> Value {
    json!({"uuid": reference, "status": status, "name": "receipt", "language": "en_US", "category": "utility",
        "waba_ids": [WABA], "components": [{"type": "BODY", "text": "Thank you for the order."}]})
}

async fn connected(bench: &Bench, provider: &Provider) -> String {
    let id = bench.core.save_workspace(workspace(&provider.url, "a-token")).await.unwrap().id;
    bench.core.refresh_templates(WorkspaceId { workspace: id.clone() }).await.unwrap();
    id
}

async fn edit_of(bench: &Bench, workspace: &str, reference: &str) -> Draft {
    let request = CreateDraft {
        workspace: workspace.to_owned(),
        from_template: Some(reference.to_owned()),
        edit: true,
        ..CreateDraft::default()
    };
    bench.core.create_draft(request).await.unwrap()
}

/// The draft as the window has it and sends it back.
fn through_the_window(draft: &Draft) -> Draft {
    let sent: Value = serde_json::from_str(&serde_json::to_string(draft).unwrap()).unwrap();
    model::json::read(&sent).unwrap()
}

fn of(draft: &Draft) -> DraftId {
    DraftId { draft: draft.id.clone() }
}

#[tokio::test]
async fn every_digit_comes_from_the_listing_through_drafts_and_files_and_leaves() {
    let bench = Bench::start().await;
    let mut record = listed("u-1", "REJECTED");
    record["pix_data"] = raw(&format!("{{\"amounts\":{NUMBERS}}}"));
    record["later"] = raw(NUMBERS);
    record["components"][0]["later"] = raw(NUMBERS);
    let provider = Provider::start(vec![record]).await;
    let workspace = connected(&bench, &provider).await;

    let mut draft = through_the_window(&edit_of(&bench, &workspace, "u-1").await);
    draft.template.order_data = Some(raw(&format!("{{\"totals\":{NUMBERS}}}")));
    let model::component::Component::Body(body) = &mut draft.template.components[0] else { panic!("{draft:?}") };
    body.text = Some("Thank you for the order, and see you soon.".to_owned());
    let draft = through_the_window(&bench.core.save_draft(draft).await.unwrap());
    let plan = bench.core.plan_submission(of(&draft)).await.unwrap();
    let report = bench
        .core
        .submit_draft(SubmitDraft { draft: draft.id, despite_findings: true, resend_unknown: false })
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

    // Into a file and back: nothing differs, and what is new elsewhere is created with every digit.
    let folder = tempfile::tempdir().unwrap();
    let export = ExportTemplates {
        workspace: workspace.clone(),
        target: TemplateTarget::References { references: vec!["u-1".to_owned()] },
    };
    bench.core.export_templates_to(folder.path(), export).await.unwrap();
    let import = |folder: &tempfile::TempDir| PlanImport {
        workspace: workspace.clone(),
        folder: folder.path().display().to_string(),
        wabas: Vec::new(),
    };
    let same = bench.core.plan_import(import(&folder)).await.unwrap();
    assert_eq!(same.steps[0].action, ImportAction::Unchanged, "{same:?}");
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"receipt\"", "\"receipt_2\"")).unwrap();
    let new = bench.core.plan_import(import(&folder)).await.unwrap();
    let run = RunImport { id: new.id, files: vec![new.steps[0].file.clone()] };
    bench.core.run_import(run).await.unwrap();
    let created = String::from_utf8(provider.requests()[1].body.clone()).unwrap();
    assert_eq!(created.matches(NUMBERS).count(), 4, "{created}");
    let rows = bench.core.list_templates(TemplateQuery { workspace, limit: 10, ..TemplateQuery::default() }).await;
    assert_eq!(rows.unwrap().rows.len(), 2);
}
