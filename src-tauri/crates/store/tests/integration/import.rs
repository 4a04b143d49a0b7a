//! Imports: a file is sent only after that is recorded, a workspace keeps its newest import, and counts follow the
//! files.

use std::path::Path;

use store::Desk;
use store::desk::{
    Import, ImportFile, ImportFileResult, ItemState, JobKind, RunState, RunStep, SubmissionKind, Workspace,
};

async fn opened(path: &Path) -> Desk {
    let desk = Desk::open(path).unwrap();
    for id in ["w", "v"] {
        let workspace = Workspace { id: id.into(), position: 0, settings: "{}".into(), created_at: 1, updated_at: 1 };
        desk.upsert_workspace(workspace).await.unwrap();
    }
    desk
}

fn import(id: &str, workspace: &str, created_at: i64) -> Import {
    Import {
        id: id.to_owned(),
        workspace_id: workspace.to_owned(),
        source: "Shop".to_owned(),
        folder: format!("/transfer/{id}"),
        is_copy: id.starts_with('c'),
        wabas: "[]".to_owned(),
        overrides: "[]".to_owned(),
        state: RunState::Running,
        error: None,
        created_at,
        started_at: None,
        ended_at: None,
        counts: Vec::new(),
    }
}

fn files(positions: &[u32]) -> Vec<ImportFile> {
    let file = |&position| ImportFile {
        position,
        file: format!("/files/{position}.json"),
        name: format!("n{position}"),
        language: "pt_BR".to_owned(),
        action: SubmissionKind::Create,
        digests: "[]".to_owned(),
        effect: "e".to_owned(),
        ..ImportFile::default()
    };
    positions.iter().map(file).collect()
}

fn result(state: ItemState) -> ImportFileResult {
    ImportFileResult { state, error: None, template_refs: "[]".to_owned(), is_partial: false }
}

async fn states(desk: &Desk, id: &str) -> Vec<(u32, ItemState)> {
    let files = desk.import_files(id, None, 0, 100).await.unwrap();
    files.into_iter().map(|file| (file.position, file.state)).collect()
}

async fn counts(desk: &Desk, id: &str) -> Vec<(ItemState, u32)> {
    desk.import(id).await.unwrap().unwrap().counts
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_file_is_sent_once_and_counts_follow() {
    use ItemState::{Cancelled, Done, Failed, InFlight, Planned, Unknown};
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("desk.sqlite");
    let desk = opened(&path).await;
    assert_eq!(desk.start_import(import("i", "w", 1), files(&[0, 1, 2, 4])).await.unwrap(), RunStep::Done);
    assert_eq!(counts(&desk, "i").await, [(Planned, 4)]);
    let busy = desk.start_import(import("j", "w", 2), files(&[0])).await.unwrap();
    assert_eq!(busy, RunStep::Busy("i".to_owned()), "one at a time in a workspace");
    assert_eq!(desk.start_import(import("x", "v", 2), Vec::new()).await.unwrap(), RunStep::Done, "others are free");
    assert!(matches!(desk.delete_import("i").await.unwrap(), RunStep::State(RunState::Running)));

    assert!(desk.begin_import_file("i", 0, 5).await.unwrap());
    assert!(!desk.begin_import_file("i", 0, 5).await.unwrap(), "it was already sent");
    assert!(desk.end_import_file("i", 0, InFlight, result(Done), 6).await.unwrap());
    assert!(!desk.end_import_file("i", 0, InFlight, result(Failed), 6).await.unwrap(), "it has been answered");
    assert!(desk.begin_import_file("i", 1, 7).await.unwrap());
    assert!(desk.end_import_file("i", 1, InFlight, result(Failed), 8).await.unwrap());
    assert!(desk.begin_import_file("i", 2, 9).await.unwrap());
    assert_eq!(desk.cancel_job(JobKind::Import, "i", 10).await.unwrap(), RunStep::Done);
    assert!(!desk.begin_import_file("i", 4, 11).await.unwrap(), "nothing is sent");
    desk.close();
    drop(desk);

    // Killed with one in flight: its outcome is unknown.
    let desk = Desk::open(&path).unwrap();
    assert_eq!(desk.interrupted().imports.len(), 2);
    assert_eq!(states(&desk, "i").await, [(0, Done), (1, Failed), (2, Unknown), (4, Cancelled)]);
    assert_eq!(desk.import("i").await.unwrap().unwrap().state, RunState::Cancelled);
    assert_eq!(desk.import("x").await.unwrap().unwrap().state, RunState::Done, "it was removed completely");

    // Resumed: files that are done or have an unknown outcome do not change.
    assert_eq!(desk.resume_import("i", 12).await.unwrap(), RunStep::Done);
    assert!(matches!(desk.resume_import("i", 12).await.unwrap(), RunStep::State(RunState::Running)));
    assert_eq!(states(&desk, "i").await, [(0, Done), (1, Planned), (2, Unknown), (4, Planned)]);
    assert_eq!(
        desk.end_job(JobKind::Import, "i", RunState::Interrupted, Some("{}".to_owned()), 13).await.unwrap(),
        RunState::Interrupted
    );
    // Confirmed again: only the chosen files are sent.
    assert_eq!(desk.start_import(import("i", "w", 14), files(&[0, 1, 2, 3])).await.unwrap(), RunStep::Done);
    assert_eq!(
        states(&desk, "i").await,
        [(0, Done), (1, Planned), (2, Unknown), (3, Planned), (4, Cancelled)],
        "failed and new files are sent"
    );
    desk.end_job(JobKind::Import, "i", RunState::Done, None, 15).await.unwrap();
    assert_eq!(desk.last_import("w").await.unwrap().unwrap().started_at, Some(14));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_import_of_a_workspace_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let desk = opened(&dir.path().join("desk.sqlite")).await;
    desk.start_import(import("c1", "w", 1), files(&[0])).await.unwrap();
    assert_eq!(desk.copy_folders().await.unwrap(), ["/transfer/c1"]);
    desk.end_job(JobKind::Import, "c1", RunState::Done, None, 2).await.unwrap();
    desk.start_import(import("d1", "w", 3), files(&[0])).await.unwrap();
    desk.end_job(JobKind::Import, "d1", RunState::Done, None, 4).await.unwrap();
    assert!(desk.import("c1").await.unwrap().is_none(), "older imports are deleted with their files");
    assert!(desk.import_files("c1", None, 0, 9).await.unwrap().is_empty());
    assert!(desk.copy_folders().await.unwrap().is_empty());
    assert_eq!(desk.last_import("w").await.unwrap().unwrap().id, "d1");
    assert_eq!(desk.delete_import("d1").await.unwrap(), RunStep::Done);
    assert_eq!(desk.delete_import("d1").await.unwrap(), RunStep::Missing);
    assert_eq!(desk.last_import("w").await.unwrap(), None);
    assert_eq!(desk.resume_import("d1", 5).await.unwrap(), RunStep::Missing);
}
