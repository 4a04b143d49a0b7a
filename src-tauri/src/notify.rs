//! Desktop notifications of what happens in a review.

use app::event::DeskEvent;
use tauri::{AppHandle, Manager as _};
use tauri_plugin_notification::NotificationExt as _;

use crate::ipc::Host;

/// Tells the desktop of each template whose status changed, unless the person does not want it.
pub(crate) fn to(handle: AppHandle) -> impl Fn(&DeskEvent) + Send + 'static {
    move |event| {
        let DeskEvent::TemplateStatusChanged { name, language, event, reason, .. } = event else { return };
        if !handle.try_state::<Host>().is_some_and(|host| host.core.preferences().notify) {
            return;
        }
        let title = format!("{name} ({language}): {event}");
        let body = reason.clone().unwrap_or_default();
        let handle = handle.clone();
        // A desktop without a notification daemon answers late.
        tokio::task::spawn_blocking(move || {
            if let Err(error) = handle.notification().builder().title(title).body(body).show() {
                tracing::debug!(%error, "the desktop shows no notifications");
            }
        });
    }
}
