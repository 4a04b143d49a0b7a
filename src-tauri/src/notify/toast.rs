//! Notifications of Windows, and the responses to them. Windows shows those of senders that it knows: the installer
//! registers this one.

use std::sync::Arc;

use tauri_winrt_notification::{Result, Toast};

use super::{Listener, Notification, Response};

/// The sender: the identifier of `tauri.conf.json`, as in `packaging/windows/installer.nsi`.
const SENDER: &str = "app.template-desk";

/// The notification service of Windows.
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

    /// Whether Windows shows notifications at all. Whether this person switched them off, is not known.
    #[expect(clippy::unused_async, reason = "the same on every system")]
    pub(crate) async fn is_available(&self) -> bool {
        true
    }

    /// Shows a notification. Errors are ignored: they may be switched off.
    pub(crate) async fn show(&self, notification: Notification) {
        let listener = self.listener.clone();
        let shown = tokio::task::spawn_blocking(move || show(notification, listener)).await;
        match shown {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "Windows shows no notifications"),
            Err(error) => tracing::warn!(%error, "a notification was not shown"),
        }
    }
}

fn show(notification: Notification, listener: Listener) -> Result<()> {
    let mut toast = Toast::new(SENDER).title(&notification.title).text1(&notification.body);
    for (response, label) in &notification.buttons {
        toast = toast.add_button(label, response.action());
    }
    toast
        .on_activated(move |action| {
            let pressed = |(response, _): &&(Response, String)| Some(response.action()) == action.as_deref();
            let response = notification.buttons.iter().find(pressed).map_or(Response::Open, |(response, _)| *response);
            listener(response, notification.clone());
            Ok(())
        })
        .show()
}
