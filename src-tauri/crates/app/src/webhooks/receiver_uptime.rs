//! Records when webhooks could be received, so that a history can show when they could not.

use std::time::Duration;

use store::desk::Receiver;
use tokio_util::sync::CancellationToken;

use crate::parts::now;
use crate::webhooks::Webhooks;
use api::error::Result;

/// Interval at which a listening receiver is recorded: after a crash, at most this much time is unknown.
const PACE: Duration = Duration::from_secs(5 * 60);
impl Webhooks {
    /// Records that a receiver is listening, until it is stopped. A failed write is ignored: it does not affect
    /// receiving.
    pub(crate) async fn note_listening(&self, receiver: Receiver, stop: CancellationToken) {
        if let Err(error) = self.keep_listening(receiver, stop).await {
            tracing::warn!(%error, "since when webhooks come in cannot be noted");
        }
    }

    async fn keep_listening(&self, receiver: Receiver, stop: CancellationToken) -> Result<()> {
        let row = self.0.context.desk.start_uptime(receiver, now()).await?;
        while stop.run_until_cancelled(tokio::time::sleep(PACE)).await.is_some() {
            self.0.context.desk.extend_uptime(row, now()).await?;
        }
        Ok(self.0.context.desk.extend_uptime(row, now()).await?)
    }
}
