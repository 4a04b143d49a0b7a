//! What is removed while batches of it exist: the sending number, or the whole workspace.

use std::sync::Arc;

use app::ports::EventSink;
use app::{Core, Options};
use command_types::batch::{ResumeBatch, StartBatch};
use command_types::batch_round::OutcomeGroup;
use command_types::error::{ConflictFault, DeskError};
use command_types::workspace::{SaveWorkspace, SendingNumber, WorkspaceContents, WorkspaceId};
use model::send::SendProblemCode;

use super::provider::{Reply, TEMPLATE};
use super::round::plan;
use super::{Desk, NUMBER, ROWS, detail, file, request, short_timing, wait_for_end};
use crate::keyring::ScriptedKeyring;

const OTHER: &str = "551130002000";

impl Desk {
    /// Replaces the only number of the workspace.
    async fn replace_number(&self) {
        let workspaces = &self.core.workspaces;
        let id = WorkspaceId { workspace: self.workspace.clone() };
        let mut settings = workspaces.get_workspace(id).await.unwrap().settings;
        settings.numbers = vec![SendingNumber { id: OTHER.to_owned(), ..SendingNumber::default() }];
        let request = SaveWorkspace {
            workspace: Some(self.workspace.clone()),
            settings,
            secrets: Vec::new(),
            session_only: false,
        };
        workspaces.save_workspace(request).await.unwrap();
    }
}

fn fault(error: DeskError) -> ConflictFault {
    let DeskError::Conflict { fault: Some(fault), .. } = error else { panic!("{error:?}") };
    fault
}

#[tokio::test]
async fn nothing_of_a_batch_is_sent_from_a_number_that_was_removed() {
    let mut desk = Desk::start().await;
    desk.provider
        .answers(|nth, _| if nth < 20 { Reply::Accepted } else { Reply::Status("401 Unauthorized", "", "{}") });
    let id = desk.started().await;
    let stopped = desk.wait_until_ended(&id).await;
    assert_eq!(stopped.state.as_str(), "interrupted");
    let read = desk.core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    let mut again = request(&desk.workspace, TEMPLATE, NUMBER, &read);
    again.options.overrides = vec!["to.repeated".to_owned()];
    let planned = desk.core.messaging.plan_batch(again.clone()).await.unwrap();
    assert!(planned.good > 0);
    desk.provider.answers(|_, _| Reply::Accepted);
    desk.replace_number().await;

    let before = desk.provider.count();
    let resume = |resend_unknown| ResumeBatch { batch: id.clone(), resend_unknown };
    let refused = desk.core.messaging.resume_batch(resume(false)).await.unwrap_err();
    assert_eq!(fault(refused), ConflictFault::NumberGone {});
    let start = StartBatch { batch: planned.id.clone(), skip_bad: true };
    let refused = desk.core.messaging.start_batch(start).await.unwrap_err();
    assert_eq!(fault(refused), ConflictFault::NumberGone {});
    assert_eq!(fault(plan(&desk, &id, OutcomeGroup::Capped).await.unwrap_err()), ConflictFault::NumberGone {});
    let restriction = detail(&desk.core, &id).await.restriction.unwrap();
    assert_eq!(restriction.code, SendProblemCode::NumberUnknown, "the page says it");
    let plan = desk.core.messaging.plan_batch(again.clone()).await.unwrap();
    let found: Vec<_> = plan.problems.iter().map(|found| (found.row, found.problem.code)).collect();
    assert_eq!((plan.good, found[0]), (0, (0, SendProblemCode::NumberUnknown)));
    again.number = OTHER.to_owned();
    let plan = desk.core.messaging.plan_batch(again).await.unwrap();
    assert_eq!(plan.good, ROWS - 3);
    assert_eq!(desk.provider.count(), before);
    desk.close().await;
}

#[tokio::test]
async fn a_running_batch_stops_when_its_number_is_removed() {
    let mut desk = Desk::start().await;
    desk.provider.answers(|nth, _| if nth >= 10 { Reply::Later } else { Reply::Accepted });
    let id = desk.started().await;
    desk.replace_number().await;
    desk.provider.release();
    wait_for_end(&mut desk.events, &id).await;
    let stopped = detail(&desk.core, &id).await;
    assert_eq!(stopped.batch.state.as_str(), "interrupted");
    assert_eq!(stopped.restriction.map(|problem| problem.code), Some(SendProblemCode::NumberUnknown));
    assert!(stopped.batch.counts.planned > 0);
    desk.close().await;
}

#[tokio::test]
async fn a_workspace_is_not_deleted_while_its_batch_runs() {
    let mut desk = Desk::start().await;
    desk.provider.answers(|nth, _| if nth >= 10 { Reply::Later } else { Reply::Accepted });
    let id = desk.started().await;
    let workspace = || WorkspaceId { workspace: desk.workspace.clone() };
    let refused = desk.core.workspaces.delete_workspace(workspace()).await.unwrap_err();
    assert!(matches!(fault(refused), ConflictFault::BatchRunning { total: ROWS, .. }));
    assert!(desk.core.workspaces.get_workspace(workspace()).await.is_ok(), "nothing was removed");
    desk.provider.release();
    wait_for_end(&mut desk.events, &id).await;

    let contents = desk.core.workspaces.get_workspace_contents(workspace()).await.unwrap();
    let expected = WorkspaceContents {
        drafts: 0,
        sends: ROWS - 3,
        batches: 1,
        recipients: 0,
        saved_replies: 0,
        has_rate_card: false,
    };
    assert_eq!(contents, expected);
    desk.core.workspaces.delete_workspace(workspace()).await.unwrap();
    desk.close().await;
}

/// Through a real backup: what was only checked was never sent, and does not look as if it was.
#[tokio::test]
async fn a_restored_backup_has_no_batches_that_were_only_checked() {
    let mut desk = Desk::start().await;
    desk.provider
        .answers(|nth, _| if nth < 20 { Reply::Accepted } else { Reply::Status("401 Unauthorized", "", "{}") });
    let id = desk.started().await;
    desk.wait_until_ended(&id).await;
    let read = desk.core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    desk.core.messaging.plan_batch(request(&desk.workspace, TEMPLATE, NUMBER, &read)).await.unwrap();
    let backup = desk.core.data.back_up(desk.folder.path()).await.unwrap();
    desk.core.data.restore_backup(std::path::Path::new(&backup.path)).await.unwrap();
    let workspace = WorkspaceId { workspace: desk.workspace.clone() };
    let folder = desk.close().await;

    let options = Options {
        data_folder: app::lock_data_folder(&folder.path().join("desk")).unwrap(),
        keyring: Arc::new(ScriptedKeyring::default()),
        events: EventSink::new(|_| {}),
        sandbox: None,
        receiver_address: Some("127.0.0.1:0".to_owned()),
        loopback_media: true,
        installer: Arc::new(app::ports::NoInstaller),
    };
    let core = Core::open_with(options, short_timing()).await.unwrap();
    let batches = core.messaging.list_batches(workspace.clone()).await.unwrap();
    let shown: Vec<_> = batches.iter().map(|batch| (batch.id.as_str(), batch.state.as_str())).collect();
    assert_eq!(shown, [(id.as_str(), "done")]);
    let counts = &batches[0].counts;
    assert!(counts.unknown > 0, "what had begun may have been sent since");

    // Nobody of them gets the message again without being asked about.
    let read = core.messaging.read_csv(&file(folder.path(), "numero,nome,dia")).await.unwrap();
    let plan = core.messaging.plan_batch(request(&workspace.workspace, TEMPLATE, NUMBER, &read)).await.unwrap();
    let repeated: Vec<_> = plan.repeated.iter().map(|of| (of.batch.as_deref(), of.people)).collect();
    assert_eq!((plan.good, repeated.as_slice()), (0, &[(Some(id.as_str()), ROWS - 3)][..]));
    let limits = core.webhooks.list_sender_health(workspace).await.unwrap();
    assert_eq!(limits[0].used, ROWS - 3);
    core.close().await;
}
