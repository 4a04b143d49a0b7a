//! No tray icon: Windows and macOS have no StatusNotifierItem, and their own trays are not used yet. A second start raises
//! the window of a copy that keeps running without one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use app::Core;
use tokio::sync::Notify;

use crate::notify::Response;

/// Leaves `is_available` unset.
#[expect(clippy::unused_async, reason = "the same on every system")]
pub(crate) async fn run(
    _core: Core,
    _changed: Arc<Notify>,
    _is_available: Arc<AtomicBool>,
    _listener: impl Fn(Response) + Send + Sync + 'static,
) {
    tracing::debug!("this system shows no tray icon");
}
