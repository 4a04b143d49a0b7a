//! Removes everything about the sandbox workspace, when the sandbox starts again.

use crate::data::Data;
use crate::workspaces::SANDBOX_ID;
use command_types::error::Result;
use command_types::event::DeskEvent;

/// Deliveries that are looked at or removed in one step.
const STEP: u32 = 500;

impl Data {
    /// Removes the sandbox's webhooks and what came of them, and the drafts, sends and templates of its workspace. The
    /// last delivery of the delivery log is removed once another one was received: a sequence number is not given
    /// twice.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::Conflict`] while webhooks are not processed yet;
    /// [`command_types::error::DeskError::Storage`] when a file cannot be read or written. What was removed by then
    /// stays removed.
    pub async fn clear_sandbox(&self) -> Result<()> {
        let _retaining = self.0.retaining.lock().await;
        let (mut from, mut last) = (0, None);
        loop {
            let page = self.0.context.reader.after(from, STEP).await?;
            let Some(end) = page.last().map(|delivery| delivery.seq) else { break };
            let of_sandbox: Vec<i64> =
                page.iter().filter(|delivery| delivery.route == SANDBOX_ID).map(|delivery| delivery.seq).collect();
            if let Some(newest) = of_sandbox.last() {
                last = Some(*newest);
                self.remove(of_sandbox).await?;
            }
            from = end;
        }
        self.0.workspaces.clear_sandbox().await?;
        self.0.context.delivery_log.checkpoint().await?;
        self.0.conversations.remove_orphaned_media().await?;
        self.0.context.emit(DeskEvent::StorageChanged {});
        if let Some(last) = last {
            self.remove_once_followed(last);
        }
        Ok(())
    }

    /// Removes a delivery when it is no longer the last of the delivery log.
    fn remove_once_followed(&self, seq: i64) {
        let this = self.clone();
        self.0.context.spawn(async move {
            let mut stored = this.0.context.delivery_log.stored();
            while *stored.borrow_and_update() <= seq {
                if stored.changed().await.is_err() {
                    return;
                }
            }
            let _retaining = this.0.retaining.lock().await;
            while let Err(error) = this.remove(vec![seq]).await {
                tracing::debug!(%error, "a delivery of the former sandbox is removed later");
                if stored.changed().await.is_err() {
                    return;
                }
            }
        });
    }
}
