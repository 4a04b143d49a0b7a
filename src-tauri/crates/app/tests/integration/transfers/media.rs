//! Media of templates: copied with them, and reported if they cannot be fetched.

use app::SANDBOX_ID;
use command_types::error::DeskError;
use command_types::template::TemplateTarget;
use command_types::transfer::{ImportAction, ImportId, ImportState, PlanCopy};
use command_types::workspace::WorkspaceId;
use sandbox::seed;
use serde_json::{Value, json};

use super::super::harness::{Harness, picture};
use super::provider::{Provider, Reply};
use super::{WABA, all, bytes, connected, exported, listed, planned, pushed, step, template, write};

/// The same through a folder of the app, which is cleaned up automatically.
#[tokio::test]
async fn templates_are_copied_with_their_media_to_another_workspace() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    core.templates.refresh_templates(WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    let provider = Provider::start(Vec::new()).await;
    let to = connected(&core, &provider).await;
    let folder = harness.folder.path().join("templates");
    exported(&core, SANDBOX_ID, &folder, all(SANDBOX_ID)).await;
    let file = "spring_sale.pt_BR.json";
    let sent: Value = serde_json::from_slice(&std::fs::read(folder.join(file)).unwrap()).unwrap();
    let target: TemplateTarget =
        serde_json::from_value(json!({"kind": "query", "query": {"workspace": SANDBOX_ID, "search": "spring_sale"}}))
            .unwrap();
    let request = PlanCopy { from: SANDBOX_ID.to_owned(), target, to: to.clone(), wabas: Vec::new() };
    let nowhere = core.template_files.plan_copy(request.clone()).await.unwrap_err();
    assert!(matches!(&nowhere, DeskError::InvalidInput { field, .. } if field == "wabas"));
    let plan = core
        .template_files
        .plan_copy(PlanCopy { wabas: vec![WABA.to_owned(), "7".to_owned()], ..request.clone() })
        .await
        .unwrap();
    assert_eq!((plan.workspace.as_str(), plan.source.as_str()), (to.as_str(), "Sandbox"));
    let copied = step(&plan, file);
    assert_eq!((copied.action, copied.wabas.len()), (ImportAction::Create, 2), "{copied:?}");
    let name = copied.media[0].name.clone();
    let temporary = harness.folder.path().join("desk/transfer");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 1);
    let outcomes = pushed(&core, &plan, &[file]).await;
    assert_eq!(outcomes[0].state, ImportState::Done, "{outcomes:?}");
    let requests = provider.requests();
    assert_eq!(requests.len(), 2, "a form has room for one WABA");
    for (request, waba) in requests.iter().zip([WABA, "7"]) {
        let whole = String::from_utf8_lossy(&request.body);
        assert!(whole.contains(&format!("name=\"waba_ids\"\r\n\r\n{waba}\r\n")), "{whole}");
        assert!(whole.contains("UPLOAD_PENDING") && whole.contains(sent["name"].as_str().unwrap()), "{whole}");
        let picture = std::fs::read(folder.join(&name)).unwrap();
        assert!(memchr::memmem::find(&request.body, &picture).is_some(), "the sample is sent");
    }
    // Into other WABAs of the same workspace: existing templates are kept, missing ones are created.
    let here = PlanCopy { to: SANDBOX_ID.to_owned(), wabas: vec![seed::OTHER_WABA.to_string()], ..request };
    let plan = core.template_files.plan_copy(here).await.unwrap();
    assert_eq!(step(&plan, file).action, ImportAction::Create);
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 1, "what was copied is not needed any more");
    drop(core);
    let folder = harness.close().await;
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "plans go with the app");
    // Remains of a crash are removed at the next start.
    std::fs::create_dir_all(temporary.join("left")).unwrap();
    Harness::start_in(folder).await.close().await;
    assert!(!temporary.exists());
}

#[tokio::test]
async fn missing_samples_are_reported_and_leave_no_partial_file() {
    let harness = Harness::start().await;
    let core = harness.core.clone();
    let header = |url: String| {
        let mut whole = listed(&url, "x", "Hello there.", "APPROVED");
        whole["components"] = json!([
            {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [url]}},
            {"type": "BODY", "text": "Hello there."}]);
        whole
    };
    let provider = Provider::start(Vec::new()).await;
    let page = format!("{}/page", provider.url);
    let closed = "http://127.0.0.1:9/x.png".to_owned();
    for (at, url) in
        [page, closed, "ftp://example.com/x.png".to_owned(), "4::opaque".to_owned()].into_iter().enumerate()
    {
        provider.change(|templates| {
            let mut template = header(url);
            template["name"] = json!(format!("n{at}"));
            template["uuid"] = json!(format!("n{at}"));
            templates.push(template);
        });
    }
    let workspace = connected(&core, &provider).await;
    let folder = harness.folder.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    std::fs::copy(picture(harness.folder.path()), folder.join("n1.en_US.header.png")).unwrap();
    let export = exported(&core, &workspace, &folder, all(&workspace)).await;
    assert_eq!((export.files, export.media), (4, 1));
    let reported: Vec<_> =
        export.problems.iter().map(|problem| (problem.name.as_str(), problem.reason.as_str())).collect();
    assert!(
        matches!(reported.as_slice(), [("n0", no_picture), ("n1", unreachable)]
        if no_picture.contains("not a JPEG or PNG picture") && unreachable.starts_with("The sample of its header was not updated")),
        "{reported:?}"
    );
    let files = bytes(&folder);
    assert_eq!(files.len(), 5, "{:?}", files.keys());
    let handle = |name: &str| {
        let file: Value = serde_json::from_slice(&files[name]).unwrap();
        file["components"][0]["example"]["header_handle"][0].as_str().unwrap().to_owned()
    };
    assert_eq!(handle("n1.en_US.json"), "UPLOAD_PENDING");
    assert_eq!(handle("n3.en_US.json"), "4::opaque");
    assert!(handle("n0.en_US.json").starts_with("http://"));
    harness.close().await;
}

/// A form creates a template in one WABA, so a file for two WABAs is two requests. Whatever the answer to the second one,
/// the first is not sent again.
#[tokio::test]
async fn a_partially_imported_file_is_not_sent_again() {
    for second in [Reply::Limited, Reply::Unauthorized, Reply::Refused] {
        for (first, state) in [(Reply::Lost, ImportState::Unknown), (Reply::Done, ImportState::Failed)] {
            let case = format!("{first:?}, then {second:?}");
            let harness = Harness::start().await;
            let core = harness.core.clone();
            let provider = Provider::start(Vec::new()).await;
            let workspace = connected(&core, &provider).await;
            let folder = harness.folder.path().join("templates");
            std::fs::create_dir(&folder).unwrap();
            let mut content = template("poster", "Good day to you.");
            content["components"] = json!([
                {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
                {"type": "BODY", "text": "Good day to you."},
            ]);
            write(&folder, "poster.json", &content);
            std::fs::rename(picture(&folder), folder.join("poster.header.png")).unwrap();
            let plan = planned(&core, &workspace, &folder, &[WABA, "7"]).await;
            assert_eq!(plan.steps[0].action, ImportAction::Create, "{:?}", plan.steps[0].reasons);
            provider.answers(move |before| if before == 0 { first } else { second });
            let outcomes = pushed(&core, &plan, &["poster.json"]).await;
            assert_eq!(outcomes[0].state, state, "{case}: {outcomes:?}");
            assert_eq!(provider.requests().len(), 2, "{case}");

            provider.answers(|_| Reply::Done);
            let resumed = core.template_files.resume_import(ImportId { id: plan.id.clone() }).await.unwrap();
            assert_eq!((resumed.outcomes[0].state, resumed.resumable), (state, 0), "{case}");
            let again = pushed(&core, &plan, &["poster.json"]).await;
            assert_eq!(again[0].state, ImportState::Skipped, "{case}: {again:?}");
            assert_eq!(provider.requests().len(), 2, "{case}: the first WABA gets one request");
            harness.close().await;
        }
    }
}
