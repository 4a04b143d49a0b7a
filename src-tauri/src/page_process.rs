//! WebKitGTK's process that draws the page: reloads the page when the process crashes, which is not reported to the window
//! system, and limits what it caches.

use tauri::WebviewWindow;

use crate::ipc::Opened;
use crate::pending::PendingForPage;

/// Reloads the page once after a crash and has the page say so. If it crashes again soon after, a native dialog says so
/// and the page is reloaded when it is closed, so that a page that always crashes does not do it in a loop.
pub(crate) fn reload_after_crash(window: &WebviewWindow, pending: PendingForPage, opened: Opened) {
    use std::cell::Cell;
    use std::time::{Duration, Instant};

    use webkit2gtk::WebViewExt as _;

    use crate::dialogs;
    use crate::i18n::Sentence;

    /// Time after a crash within which another one counts as a repetition.
    const REPEATED: Duration = Duration::from_secs(60);

    let reloaded = window.clone();
    let watched = window.with_webview(move |webview| {
        let last_crash = Cell::new(None::<Instant>);
        webview.inner().connect_web_process_terminated(move |view, reason| {
            tracing::error!(?reason, "the page's process crashed");
            pending.page_crashed();
            if last_crash.replace(Some(Instant::now())).is_none_or(|at| at.elapsed() > REPEATED) {
                view.reload();
                return;
            }
            let language = opened.get().map(|host| host.core.workspaces.language()).unwrap_or_default();
            let [title, body] =
                [Sentence::PageCrashed, Sentence::PageCrashedBody].map(|text| text.translate(language, &[]));
            let window = reloaded.clone();
            // The dialog blocks its thread, and this is the thread of the window.
            std::thread::spawn(move || {
                dialogs::show_error(&title, &body);
                if let Err(error) = window.reload() {
                    tracing::error!(%error, "the page cannot be reloaded");
                }
            });
        });
    });
    if let Err(error) = watched {
        tracing::warn!(%error, "a crash of the page will not be noticed");
    }
}

/// Limits the cache of the page, which is loaded once and fetches nothing from a network.
pub(crate) fn limit_cache(window: &WebviewWindow) {
    use webkit2gtk::{CacheModel, WebContextExt as _, WebViewExt as _};

    let limited = window.with_webview(|webview| {
        if let Some(context) = webview.inner().context() {
            context.set_cache_model(CacheModel::DocumentViewer);
        }
    });
    if let Err(error) = limited {
        tracing::debug!(%error, "the page has the cache of a browser");
    }
}
