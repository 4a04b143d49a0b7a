//! Records when webhooks could be received, so that a history can show when they could not.

use std::time::Duration;

use store::desk::Receiver;
use tokio_util::sync::CancellationToken;

use crate::webhooks::Webhooks;
use command_types::error::Result;
use outgoing::now;

/// Interval at which a listening receiver is recorded: after a crash, at most this much time is unknown.
const RECORD_INTERVAL: Duration = Duration::from_secs(60);

impl Webhooks {
    /// Records that a receiver is listening, until it is stopped. A failed write is ignored: it does not affect
    /// receiving.
    pub(crate) async fn record_uptime(&self, receiver: Receiver, stop: CancellationToken) {
        if let Err(error) = self.record_until_stopped(receiver, stop).await {
            tracing::warn!(%error, "the uptime of the receiver cannot be recorded");
        }
    }

    async fn record_until_stopped(&self, receiver: Receiver, stop: CancellationToken) -> Result<()> {
        let row = self.0.context.desk.start_uptime(receiver, now()).await?;
        while stop.run_until_cancelled(tokio::time::sleep(RECORD_INTERVAL)).await.is_some() {
            self.0.context.desk.extend_uptime(row, now()).await?;
        }
        Ok(self.0.context.desk.extend_uptime(row, now()).await?)
    }
}
