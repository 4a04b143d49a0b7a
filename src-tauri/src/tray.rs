//! The tray icon: shows the state of the receiver and reopens the window.

#[cfg(any(target_os = "macos", windows))]
mod native;
#[cfg(not(any(target_os = "macos", windows)))]
mod status_notifier;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use app::Core;
use command_types::receiver::ReceiverState;
use tauri::AppHandle;
use tauri::image::Image;
use tokio::sync::Notify;

#[cfg(any(target_os = "macos", windows))]
use self::native::ShownIcon;
#[cfg(not(any(target_os = "macos", windows)))]
use self::status_notifier::ShownIcon;
use crate::i18n::{Language, Sentence};
use crate::notify::Response;

/// How often a desktop without a tray is checked again: panels start late and restart.
const RETRY_DELAY: Duration = Duration::from_secs(30);
const TITLE: &str = "Template Desk";
const ICON: Image<'static> = tauri::include_image!("icons/32x32.png");
/// Radius of the status mark, and its distance from the corner, in pixels.
const MARK_RADIUS: i32 = 7;

/// Callback for clicks.
type Listener = Arc<dyn Fn(Response) + Send + Sync>;

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

    /// What the icon says when it is pointed at.
    fn sentences(&self) -> Vec<String> {
        let attention = self.attention.then(|| Sentence::Attention.translate(self.language, &[]));
        [self.sentence()].into_iter().chain(attention).collect()
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

/// Shows, updates or hides the icon according to the preferences and the state, each time `changed` reports a change.
pub(crate) async fn run(
    app: AppHandle,
    core: Core,
    changed: Arc<Notify>,
    is_available: Arc<AtomicBool>,
    listener: impl Fn(Response) + Send + Sync + 'static,
) {
    let listener: Listener = Arc::new(listener);
    let mut icon: Option<ShownIcon> = None;
    loop {
        let preferences = core.workspaces.preferences();
        if preferences.tray
            && let Ok((receiver, attention)) = core.webhooks.receiver_and_attention().await
        {
            let state = TrayState { language: core.workspaces.language(), receiver, attention };
            let updated = match &icon {
                Some(icon) => icon.update(state.clone()).await,
                None => false,
            };
            if !updated {
                icon = ShownIcon::show(&app, state, is_available.clone(), listener.clone()).await;
                is_available.store(icon.is_some(), Ordering::SeqCst);
            }
        } else if let Some(icon) = icon.take() {
            icon.remove().await;
            is_available.store(false, Ordering::SeqCst);
        }
        let again = async {
            if preferences.tray && icon.is_none() {
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

/// The app's icon with a coloured mark in its corner.
fn icon_with_mark([red, green, blue]: [u8; 3]) -> Image<'static> {
    let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
    let (width, height) = (side(ICON.width()), side(ICON.height()));
    let mut rgba = ICON.rgba().to_vec();
    for (place, pixel) in (0_i32..).zip(rgba.chunks_exact_mut(4)) {
        let (across, down) = (place % width - (width - MARK_RADIUS), place / width - (height - MARK_RADIUS));
        if across * across + down * down < MARK_RADIUS * MARK_RADIUS {
            pixel.copy_from_slice(&[red, green, blue, 255]);
        }
    }
    Image::new_owned(rgba, ICON.width(), ICON.height())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_differs_by_state() {
        let state = |receiver, attention| TrayState { language: Language::English, receiver, attention };
        let listening = || ReceiverState::Listening { address: "127.0.0.1:1".to_owned(), failed_move: None };
        let failed = ReceiverState::Failed { address: String::new(), reason: "taken".to_owned(), suggestion: None };
        let pictures = [state(listening(), false), state(failed.clone(), false), state(listening(), true)]
            .map(|state| icon_with_mark(state.mark()).rgba().to_vec());
        assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[0] != pictures[2]);
        assert_eq!(state(failed, false).sentence(), "Not receiving: taken");
        // The icon itself is the app's: its first pixel is that of the file.
        assert_eq!(pictures[0][..4], ICON.rgba()[..4]);
    }
}
