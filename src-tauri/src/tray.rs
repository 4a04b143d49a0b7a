//! The tray icon: shows the state of the receiver and reopens the window.
//!
//! It uses the session bus (StatusNotifierItem). On a desktop without a tray, only the icon is missing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use app::Core;
use command_types::receiver::ReceiverState;
use ksni::menu::StandardItem;
use ksni::{Icon, MenuItem, OfflineReason, Status, ToolTip, Tray, TrayMethods as _};
use tauri::image::Image;
use tokio::sync::Notify;

use crate::i18n::{Language, Sentence};
use crate::notify::Response;

/// How often a desktop without a tray is checked again: panels start late and restart.
const RETRY_DELAY: Duration = Duration::from_secs(30);
/// Timeout of a call to the desktop.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
const ICON: Image<'static> = tauri::include_image!("icons/32x32.png");
/// Radius of the status mark, and its distance from the corner, in pixels.
const MARK_RADIUS: i32 = 7;

/// State that the icon shows.
#[derive(Clone, Debug)]
struct TrayState {
    language: Language,
    receiver: ReceiverState,
    attention: bool,
}

impl TrayState {
    fn sentence(&self) -> String {
        match &self.receiver {
            ReceiverState::Listening { address, .. } => {
                Sentence::Receiving.translate(self.language, &[("address", address)])
            }
            ReceiverState::Failed { reason, .. } => {
                Sentence::NotListening.translate(self.language, &[("reason", reason)])
            }
            ReceiverState::Starting {} => "…".to_owned(),
        }
    }

    /// Colour of the mark: red, green, blue.
    fn mark(&self) -> [u8; 3] {
        match (&self.receiver, self.attention) {
            (_, true) => [0xf0, 0x8c, 0x00],
            (ReceiverState::Listening { .. }, false) => [0x2b, 0x8a, 0x3e],
            (_, false) => [0xc9, 0x2a, 0x2a],
        }
    }
}

struct TrayIcon {
    state: TrayState,
    /// Whether a panel shows it.
    is_available: Arc<AtomicBool>,
    listener: Arc<dyn Fn(Response) + Send + Sync>,
}

impl Tray for TrayIcon {
    fn id(&self) -> String {
        "template-desk".to_owned()
    }

    fn title(&self) -> String {
        "Template Desk".to_owned()
    }

    fn status(&self) -> Status {
        if self.state.attention { Status::NeedsAttention } else { Status::Active }
    }

    fn icon_pixmap(&self) -> Vec<Icon> {
        vec![icon_with_mark(self.state.mark())]
    }

    fn attention_icon_pixmap(&self) -> Vec<Icon> {
        self.icon_pixmap()
    }

    fn tool_tip(&self) -> ToolTip {
        let mut lines = vec![self.state.sentence()];
        if self.state.attention {
            lines.push(Sentence::Attention.translate(self.state.language, &[]));
        }
        ToolTip { title: self.title(), description: lines.join("\n"), ..ToolTip::default() }
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        (self.listener)(Response::Open);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let item = |label: String, enabled: bool, answer: Option<Response>| {
            let activate = move |icon: &mut Self| {
                if let Some(answer) = answer {
                    (icon.listener)(answer);
                }
            };
            // Underscores would be interpreted as access keys.
            let label = label.replace('_', "__");
            MenuItem::from(StandardItem { label, enabled, activate: Box::new(activate), ..StandardItem::default() })
        };
        let translate = |sentence: Sentence| sentence.translate(self.state.language, &[]);
        let mut menu = vec![item(translate(Sentence::Open), true, Some(Response::Open)), MenuItem::Separator];
        menu.push(item(self.state.sentence(), false, None));
        if self.state.attention {
            menu.push(item(translate(Sentence::Attention), true, Some(Response::Open)));
        }
        menu.extend([MenuItem::Separator, item(translate(Sentence::Quit), true, Some(Response::Quit))]);
        menu
    }

    fn watcher_online(&self) {
        self.is_available.store(true, Ordering::SeqCst);
    }

    fn watcher_offline(&self, _reason: OfflineReason) -> bool {
        self.is_available.store(false, Ordering::SeqCst);
        // Panels restart.
        true
    }
}

/// Shows, updates or hides the icon according to the preferences and the state, each time `changed` reports a change.
pub(crate) async fn run(
    core: Core,
    changed: Arc<Notify>,
    is_available: Arc<AtomicBool>,
    listener: impl Fn(Response) + Send + Sync + 'static,
) {
    let listener: Arc<dyn Fn(Response) + Send + Sync> = Arc::new(listener);
    let mut handle: Option<ksni::Handle<TrayIcon>> = None;
    loop {
        let preferences = core.workspaces.preferences();
        if preferences.tray
            && let Ok((receiver, attention)) = core.webhooks.receiver_and_attention().await
        {
            let state = TrayState { language: core.workspaces.language(), receiver, attention };
            let updated = match &handle {
                Some(handle) => handle.update(|icon| icon.state = state.clone()).await.is_some(),
                None => false,
            };
            if !updated {
                let icon = TrayIcon { state, is_available: is_available.clone(), listener: listener.clone() };
                handle = show_icon(icon).await;
                is_available.store(handle.is_some(), Ordering::SeqCst);
            }
        } else if let Some(handle) = handle.take() {
            handle.shutdown().await;
            is_available.store(false, Ordering::SeqCst);
        }
        let again = async {
            if preferences.tray && handle.is_none() {
                tokio::time::sleep(RETRY_DELAY).await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = changed.notified() => {}
            () = again => {}
        }
    }
}

async fn show_icon(icon: TrayIcon) -> Option<ksni::Handle<TrayIcon>> {
    match tokio::time::timeout(REQUEST_TIMEOUT, icon.spawn()).await {
        Ok(Ok(handle)) => Some(handle),
        Ok(Err(error)) => {
            tracing::debug!(%error, "the desktop has no tray");
            None
        }
        Err(_late) => None,
    }
}

/// The app's icon with a coloured mark in its corner, in the tray's format: alpha, red, green, blue.
fn icon_with_mark([red, green, blue]: [u8; 3]) -> Icon {
    let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
    let (width, height) = (side(ICON.width()), side(ICON.height()));
    let mut data = Vec::with_capacity(ICON.rgba().len());
    for (place, pixel) in (0_i32..).zip(ICON.rgba().chunks_exact(4)) {
        let (across, down) = (place % width - (width - MARK_RADIUS), place / width - (height - MARK_RADIUS));
        let is_mark = across * across + down * down < MARK_RADIUS * MARK_RADIUS;
        let shown = if is_mark { [255, red, green, blue] } else { [pixel[3], pixel[0], pixel[1], pixel[2]] };
        data.extend(shown);
    }
    Icon { width, height, data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_differs_by_state() {
        let state = |receiver, attention| TrayState { language: Language::English, receiver, attention };
        let listening = || ReceiverState::Listening { address: "127.0.0.1:1".to_owned(), failed_move: None };
        let failed = ReceiverState::Failed { address: String::new(), reason: "taken".to_owned(), suggestion: None };
        let pictures =
            [state(listening(), false), state(failed.clone(), false), state(listening(), true)].map(|state| {
                let icon = icon_with_mark(state.mark());
                assert_eq!(icon.data.len(), usize::try_from(4 * icon.width * icon.height).unwrap_or_default());
                icon.data
            });
        assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[0] != pictures[2]);
        assert_eq!(state(failed, false).sentence(), "Not receiving: taken");
        // The icon itself is the app's: its first pixel is that of the file.
        assert_eq!(pictures[0][1..4], ICON.rgba()[..3]);
    }
}
