//! An import and `kill -9`: requests in flight are unknown until the listing shows them, and none is sent twice.

use std::path::Path;

use command_types::workspace::WorkspaceId;
use serde_json::{Value, json};
use store::desk::{CallState, Submission};
use tempfile::TempDir;

use super::super::transfers::provider::{Provider, Reply};
use super::Form;
use super::desk::{Desk, WORKSPACE, seed_folder, with_timeout};
use super::in_process::open;

const WABA: &str = "102290129340398";

/// Submissions recorded in the desk, oldest first.
async fn written(folder: &Path) -> Vec<Submission> {
    let folder = store::DataFolder::lock(folder).unwrap();
    let desk = store::Desk::open(&folder.desk()).unwrap();
    let mut submissions = desk.submissions(WORKSPACE, 1_000).await.unwrap();
    submissions.reverse();
    submissions
}

fn states(submissions: &[Submission]) -> Vec<CallState> {
    submissions.iter().map(|submission| submission.state).collect()
}

/// The plan of a folder, and its files that would be sent.
async fn planned(desk: &mut Desk, files: &Path) -> (String, Vec<String>) {
    let request = json!({"workspace": WORKSPACE, "folder": files.display().to_string(), "wabas": [WABA]});
    let plan: Value = desk.ask(&format!("plan-import {request}")).await;
    let open = plan["steps"].as_array().unwrap_or_else(|| panic!("{plan}")).iter();
    let open = open.filter(|step| step["action"] == "create").map(|step| step["file"].as_str().unwrap().to_owned());
    (plan["id"].as_str().unwrap().to_owned(), open.collect())
}

/// Killed with a creation in flight, at any file of the folder: before and after the provider carried it out.
pub(super) async fn killed(form: Form) {
    const FILES: usize = 6;
    for (arrives, at) in (0..form.pick(1, 4)).flat_map(|at| [(true, at), (false, at)]) {
        let temp = TempDir::new().unwrap();
        let (folder, files) = (temp.path().join("desk"), temp.path().join("templates"));
        let provider = Provider::start(Vec::new()).await;
        seed_folder(&folder, &provider.url).await;
        std::fs::create_dir(&files).unwrap();
        for file in 0..FILES {
            let content = json!({"name": format!("n{file}"), "language": "en_US", "category": "utility",
                "components": [{"type": "BODY", "text": "Good day to you."}]});
            std::fs::write(files.join(format!("n{file}.json")), content.to_string()).unwrap();
        }
        provider.answers(move |before| if before < at { Reply::Done } else { Reply::Later });
        let mut desk = Desk::start(&folder, None).await;
        let (id, open) = planned(&mut desk, &files).await;
        assert_eq!(open.len(), FILES);
        desk.ask(&format!("run-import {}", json!({"id": id, "files": open}))).await;
        with_timeout("the creations", provider.wait_for_count(at + 1)).await;
        desk.kill().await;
        if arrives {
            provider.release();
            with_timeout("the template", provider.has(&format!("n{at}"))).await;
        }

        let mut expected = vec![CallState::Accepted; at];
        expected.push(CallState::Unknown);
        assert_eq!(states(&written(&folder).await), expected, "each was written down before it left");

        // The listing reconciles it if it was carried out.
        let core = open_and_list(&folder).await;
        core.close().await;
        if arrives {
            *expected.last_mut().unwrap() = CallState::Accepted;
        }
        let stored_state = written(&folder).await;
        assert_eq!(states(&stored_state), expected);
        assert_eq!(stored_state[at].template_ref.is_some(), arrives);

        // The remaining files are sent; unknown ones are reported, and a person decides.
        let mut desk = Desk::start(&folder, None).await;
        let (_, open) = planned(&mut desk, &files).await;
        assert_eq!(open.len(), FILES - at - usize::from(arrives));
        assert_eq!(provider.requests().len(), at + 1, "nothing was sent automatically");

        // It may be carried out late: the listing of a resumed import shows that.
        provider.release();
        with_timeout("the template", provider.has(&format!("n{at}"))).await;

        // The import itself is stored, too. Resumed, it sends only files that were not sent before.
        let last: Value = desk.ask(&format!("last-import {}", json!({"workspace": WORKSPACE}))).await;
        let left = (FILES - at - 1) as u64;
        assert_eq!((last["state"].as_str(), last["resumable"].as_u64()), (Some("interrupted"), Some(left)), "{last}");
        let resumed: Value = desk.ask(&format!("resume-import {}", json!({"id": id}))).await;
        let states: Vec<_> = resumed["outcomes"].as_array().unwrap().iter().map(|file| &file["state"]).collect();
        let expected = vec![json!("done"); FILES];
        assert_eq!(states, expected.iter().collect::<Vec<_>>(), "{resumed}");
        desk.close().await;
        let names: Vec<Value> = provider
            .requests()
            .iter()
            .map(|request| serde_json::from_slice::<Value>(&request.body).unwrap()["name"].clone())
            .collect();
        let once: Vec<Value> = (0..FILES).map(|file| json!(format!("n{file}"))).collect();
        assert_eq!(names, once, "each was asked for once");
    }
}

async fn open_and_list(folder: &Path) -> app::Core {
    let core = open(folder).await;
    core.templates.refresh_templates(WorkspaceId { workspace: WORKSPACE.to_owned() }).await.unwrap();
    core
}
