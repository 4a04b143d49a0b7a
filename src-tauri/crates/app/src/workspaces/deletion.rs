//! Deletes workspaces, and says before what is deleted with them.

use store::desk::{JobKind, RunningJob};

use super::{SANDBOX_ID, Workspaces, webhook_endpoints};
use crate::context::lock;
use command_types::Nothing;
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::event::DeskEvent;
use command_types::workspace::{WorkspaceContents, WorkspaceId};

impl Workspaces {
    pub async fn get_workspace_contents(&self, request: WorkspaceId) -> Result<WorkspaceContents> {
        Ok(self.0.context.desk.workspace_contents(&request.workspace).await?)
    }

    /// Deletes a workspace with its drafts, sends, cached templates and secrets. Sends no request to the provider.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] for the sandbox, and while something runs in it that would be cut;
    /// [`DeskError::KeyringUnavailable`] when a secret cannot be removed.
    pub async fn delete_workspace(&self, request: WorkspaceId) -> Result<Nothing> {
        let id = request.workspace;
        if id == SANDBOX_ID {
            return Err(DeskError::conflict(ConflictFault::BuiltIn {}));
        }
        let Some(row) = self.0.context.desk.workspace(&id).await? else {
            return Err(DeskError::not_found(Missing::Workspace));
        };
        self.check_idle(&id).await?;
        let forgotten = self.forget_secrets(&webhook_endpoints::endpoint_keys(&row)).await;
        self.save_stale_entries().await?;
        lock(&self.0.clients).remove(&id);
        forgotten?;
        if !self.0.context.desk.delete_workspace(&id).await? {
            return Err(DeskError::not_found(Missing::Workspace));
        }
        self.0.deleted.run(id.clone()).await?;
        self.0.context.cache.remove_workspace(&id).await?;
        lock(&self.0.clients).remove(&id);
        self.0.secrets_changed.run(()).await?;
        self.0.context.emit(DeskEvent::WorkspacesChanged {});
        Ok(Nothing {})
    }

    /// Refuses while requests are sent that would leave no trace.
    async fn check_idle(&self, workspace: &str) -> Result<()> {
        let desk = &self.0.context.desk;
        let fault = match desk.running_job(workspace).await? {
            Some(RunningJob { kind: JobKind::Batch, done, total }) => ConflictFault::BatchRunning { done, total },
            Some(RunningJob { kind: JobKind::BulkAction, done, total }) => {
                ConflictFault::BulkActionRunning { done, total }
            }
            Some(RunningJob { kind: JobKind::Import, .. }) => ConflictFault::ImportRunning {},
            None if desk.is_submitting(workspace).await? => ConflictFault::ImportRunning {},
            None => return Ok(()),
        };
        Err(DeskError::conflict(fault))
    }
}
