//! Webhooks: the servers that receive deliveries, rejected deliveries, and the projector that applies stored ones.

mod account_notices;
mod activity;
pub mod endpoint;
mod endpoint_health;
pub mod events_stream;
mod feeds;
pub(crate) mod projector;
mod receiver_uptime;
mod rejected_deliveries;
mod sender_health;
mod server;
mod test_event;

use std::sync::Arc;

use tokio::sync::MutexGuard;

pub use self::feeds::feed_client;

use crate::context::Context;
use crate::messaging::Messaging;
use crate::templates::Templates;
use crate::workspaces::Workspaces;
use command_types::error::Result;
use command_types::receiver::ReceiverState;

/// Deliveries of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct Webhooks(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    messaging: Messaging,
    servers: server::WebhookServers,
    forwarding: activity::Forwarding,
    projection: projector::Projection,
    feeds: feeds::Feeds,
}

impl Webhooks {
    pub(crate) async fn new(
        context: Arc<Context>,
        workspaces: Workspaces,
        templates: Templates,
        messaging: Messaging,
        address: Option<String>,
    ) -> Result<Self> {
        let servers = server::WebhookServers::new(&context.desk, address).await?;
        let webhooks = Self(Arc::new(Inner {
            context,
            workspaces,
            templates,
            messaging,
            servers,
            forwarding: activity::Forwarding::default(),
            projection: projector::Projection::default(),
            feeds: feeds::Feeds::default(),
        }));
        let weak = Arc::downgrade(&webhooks.0);
        webhooks.0.workspaces.secrets_changed().add(move |()| {
            let webhooks = weak.upgrade().map(Self);
            async move {
                match webhooks {
                    Some(webhooks) => webhooks.refresh_routes().await,
                    None => Ok(()),
                }
            }
        });
        Ok(webhooks)
    }

    #[must_use]
    pub fn receiver_state(&self) -> ReceiverState {
        self.0.servers.state()
    }

    /// Pauses the projector between two batches until the guard is dropped.
    pub(crate) async fn pause_projection(&self) -> MutexGuard<'_, u64> {
        self.0.projection.lock_exclusively().await
    }

    pub(crate) fn wake_projector(&self) {
        self.0.projection.wake();
    }
}
