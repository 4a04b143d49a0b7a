//! Notifications of macOS, and the responses to them. macOS shows those of a signed bundle, once the person allowed it.

use std::sync::Arc;
use std::time::Duration;

use mac_usernotifications::{Action, AuthorizationStatus, Error, NotificationResponse};

use super::{Listener, Notification, Response};

/// How long Notification Center keeps a notification. Without a limit, the crate asks macOS twice a second whether one
/// without buttons is still there.
const KEEP_TIME: Duration = Duration::from_hours(7 * 24);

/// The notification service of macOS.
pub(crate) struct Bus {
    listener: Listener,
}

impl std::fmt::Debug for Bus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Bus")
    }
}

impl Bus {
    pub(crate) fn new(
        _address: Option<String>,
        listener: impl Fn(Response, Notification) + Send + Sync + 'static,
    ) -> Self {
        Self { listener: Arc::new(listener) }
    }

    /// Whether the person allows notifications, or has not been asked yet. A binary outside a bundle shows none.
    pub(crate) async fn is_available(&self) -> bool {
        match mac_usernotifications::get_notification_settings().await {
            Ok(settings) => settings.authorization_status != AuthorizationStatus::Denied,
            Err(error) => {
                tracing::debug!(%error, "macOS shows no notifications");
                false
            }
        }
    }

    /// Shows a notification, after macOS asked the person whether it may. Neither that question nor the response is
    /// waited for.
    #[expect(clippy::unused_async, reason = "the same on every system")]
    pub(crate) async fn show(&self, notification: Notification) {
        let listener = self.listener.clone();
        tokio::spawn(async move {
            match response(&notification).await {
                Ok(Some(response)) => listener(response, notification),
                Ok(None) => {}
                Err(error) => tracing::debug!(%error, "macOS shows no notifications"),
            }
        });
    }
}

/// Shows a notification and waits until the person responds to it; `None` if it was dismissed or never shown.
async fn response(notification: &Notification) -> Result<Option<Response>, Error> {
    if !mac_usernotifications::request_auth().await? {
        return Ok(None);
    }
    let mut shown = mac_usernotifications::Notification::new()
        .title(&notification.title)
        .message(&notification.body)
        .timeout(KEEP_TIME);
    for (response, label) in &notification.buttons {
        shown = shown.action(Action::button(response.action(), label));
    }
    Ok(chosen(&shown.send().await?.response().await?, notification))
}

fn chosen(response: &NotificationResponse, notification: &Notification) -> Option<Response> {
    if response.close_reason.is_some() {
        return None;
    }
    let pressed = |(button, _): &&(Response, String)| button.action() == response.action_identifier;
    Some(notification.buttons.iter().find(pressed).map_or(Response::Open, |(button, _)| *button))
}
