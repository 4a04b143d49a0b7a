//! The tray icon of Windows and macOS.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tauri::AppHandle;
use tauri::menu::{Menu, MenuBuilder, MenuItemBuilder};
use tauri::tray::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent};

use super::{Listener, TITLE, TrayState, icon_with_mark};
use crate::i18n::Sentence;
use crate::notify::Response;

/// What a line of the menu does.
const OPEN: &str = "open";
const ATTENTION: &str = "attention";
const QUIT: &str = "quit";

/// An icon that is shown.
pub(super) struct ShownIcon(TrayIcon);

impl ShownIcon {
    /// Shows the icon; `None` if the system refuses it.
    #[expect(clippy::unused_async, reason = "the same on every system")]
    pub(super) async fn show(
        app: &AppHandle,
        state: TrayState,
        _is_available: Arc<AtomicBool>,
        listener: Listener,
    ) -> Option<Self> {
        let chosen = listener.clone();
        let icon = TrayIconBuilder::new()
            .show_menu_on_left_click(cfg!(target_os = "macos"))
            .on_menu_event(move |_, event| match event.id().as_ref() {
                OPEN | ATTENTION => chosen(Response::Open),
                QUIT => chosen(Response::Quit),
                _ => {}
            })
            .on_tray_icon_event(move |_, event| {
                let is_click = matches!(
                    event,
                    TrayIconEvent::Click { button: MouseButton::Left, button_state: MouseButtonState::Up, .. }
                );
                // On macOS a click opens the menu.
                if is_click && !cfg!(target_os = "macos") {
                    listener(Response::Open);
                }
            })
            .build(app)
            .and_then(|icon| set(&icon, app, &state).map(|()| icon));
        icon.inspect_err(|error| tracing::warn!(%error, "the tray icon cannot be shown")).ok().map(Self)
    }

    /// Shows another state; returns whether it could.
    #[expect(clippy::unused_async, reason = "the same on every system")]
    pub(super) async fn update(&self, state: TrayState) -> bool {
        set(&self.0, self.0.app_handle(), &state).is_ok()
    }

    #[expect(clippy::unused_async, reason = "the same on every system")]
    pub(super) async fn remove(self) {
        self.0.app_handle().remove_tray_by_id(self.0.id());
    }
}

fn set(icon: &TrayIcon, app: &AppHandle, state: &TrayState) -> tauri::Result<()> {
    icon.set_icon(Some(icon_with_mark(state.mark())))?;
    icon.set_tooltip(Some([TITLE.to_owned()].into_iter().chain(state.sentences()).collect::<Vec<_>>().join("\n")))?;
    icon.set_menu(Some(menu(app, state)?))
}

fn menu(app: &AppHandle, state: &TrayState) -> tauri::Result<Menu<tauri::Wry>> {
    let translate = |sentence: Sentence| sentence.translate(state.language, &[]);
    // An ampersand would be interpreted as an access key.
    let item = |id: &str, label: &str| MenuItemBuilder::with_id(id, label.replace('&', "&&")).build(app);
    let sentence = MenuItemBuilder::new(state.sentence().replace('&', "&&")).enabled(false).build(app)?;
    let mut menu = MenuBuilder::new(app).item(&item(OPEN, &translate(Sentence::Open))?).separator().item(&sentence);
    if state.attention {
        menu = menu.item(&item(ATTENTION, &translate(Sentence::Attention))?);
    }
    menu.separator().item(&item(QUIT, &translate(Sentence::Quit))?).build()
}
