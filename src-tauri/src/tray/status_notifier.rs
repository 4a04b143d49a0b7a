//! The tray icon over the session bus (StatusNotifierItem). On a desktop without a tray, only the icon is missing.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ksni::menu::StandardItem;
use ksni::{Handle, MenuItem, OfflineReason, Status, ToolTip, Tray, TrayMethods as _};

use super::{Listener, TITLE, TrayState, icon_with_mark};
use crate::home::FLATPAK;
use crate::i18n::Sentence;
use crate::notify::Response;

/// Timeout of a call to the desktop.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// An icon that is shown.
pub(super) struct ShownIcon(Handle<TrayIcon>);

impl ShownIcon {
    /// Shows the icon; `None` if the desktop has no tray.
    pub(super) async fn show(
        _app: &tauri::AppHandle,
        state: TrayState,
        is_available: Arc<AtomicBool>,
        listener: Listener,
    ) -> Option<Self> {
        let icon = TrayIcon { state, is_available, listener };
        // A Flatpak may not own the name of an icon; panels find it by its connection.
        let icon = icon.disable_dbus_name(Path::new(FLATPAK).exists());
        match tokio::time::timeout(REQUEST_TIMEOUT, icon.spawn()).await {
            Ok(Ok(handle)) => Some(Self(handle)),
            Ok(Err(error)) => {
                tracing::debug!(%error, "the desktop has no tray");
                None
            }
            Err(_late) => None,
        }
    }

    /// Shows another state; returns whether the icon is still there.
    pub(super) async fn update(&self, state: TrayState) -> bool {
        self.0.update(|icon| icon.state = state).await.is_some()
    }

    pub(super) async fn remove(self) {
        self.0.shutdown().await;
    }
}

struct TrayIcon {
    state: TrayState,
    /// Whether a panel shows it.
    is_available: Arc<AtomicBool>,
    listener: Listener,
}

impl Tray for TrayIcon {
    fn id(&self) -> String {
        "template-desk".to_owned()
    }

    fn title(&self) -> String {
        TITLE.to_owned()
    }

    fn status(&self) -> Status {
        if self.state.attention { Status::NeedsAttention } else { Status::Active }
    }

    fn icon_pixmap(&self) -> Vec<ksni::Icon> {
        let icon = icon_with_mark(self.state.mark());
        let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        // Alpha, red, green, blue.
        let data = icon.rgba().chunks_exact(4).flat_map(|pixel| [pixel[3], pixel[0], pixel[1], pixel[2]]).collect();
        vec![ksni::Icon { width: side(icon.width()), height: side(icon.height()), data }]
    }

    fn attention_icon_pixmap(&self) -> Vec<ksni::Icon> {
        self.icon_pixmap()
    }

    fn tool_tip(&self) -> ToolTip {
        ToolTip { title: self.title(), description: self.state.sentences().join("\n"), ..ToolTip::default() }
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
