//! No notifications: macOS has no session bus, and its own service is not used yet.

use super::{Notification, Response};

/// In place of a connection to the desktop's notification service.
#[derive(Debug)]
pub(crate) struct Bus;

impl Bus {
    pub(crate) fn new(
        _address: Option<String>,
        _listener: impl Fn(Response, Notification) + Send + Sync + 'static,
    ) -> Self {
        Self
    }

    #[expect(clippy::unused_async, reason = "the same on every system")]
    pub(crate) async fn is_available(&self) -> bool {
        false
    }

    #[expect(clippy::unused_async, reason = "the same on every system")]
    pub(crate) async fn show(&self, notification: Notification) {
        tracing::debug!(title = notification.title, "this system shows no notifications");
    }
}
