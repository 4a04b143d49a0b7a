//! Place and size of the window, stored when they change and restored at the next start.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::private;
use serde::{Deserialize, Serialize};
use tauri::{Monitor, WebviewWindow};
use tokio::sync::Notify;

/// Size of the window at the first start.
const FIRST_SIZE: (i32, i32) = (1280, 820);
/// Minimum size of the window: what 1366 × 768 pixels at 150 % leave beside the taskbar and the title.
pub(crate) const MIN_SIZE: (i32, i32) = (800, 420);
/// Time after the last change of the window before it is stored.
const DEBOUNCE: Duration = Duration::from_millis(400);
/// Height of the strip at the top by which a window is moved.
const TITLE_HEIGHT: i32 = 40;
/// Width of that strip that must be on a monitor.
const MIN_VISIBLE_WIDTH: i32 = 120;

/// A rectangle in logical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Area {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

impl Area {
    /// Width and height that two areas share.
    fn overlap(&self, other: &Self) -> (i32, i32) {
        let shared = |from: i32, length: i32, other_from: i32, other_length: i32| {
            let end = from.saturating_add(length).min(other_from.saturating_add(other_length));
            end.saturating_sub(from.max(other_from)).max(0)
        };
        (shared(self.x, self.width, other.x, other.width), shared(self.y, self.height, other.y, other.height))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StoredWindow {
    /// Where it is while it is not maximised.
    #[serde(flatten)]
    area: Area,
    #[serde(default)]
    maximized: bool,
}

/// Where to open the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// Top left corner; without one, where the window manager puts it, or the middle of the screen.
    pub(crate) position: Option<(i32, i32)>,
    /// Inner width and height.
    pub(crate) size: (i32, i32),
    pub(crate) maximized: bool,
}

/// Stores the place of the window while the app runs. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct WindowPlace(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: PathBuf,
    /// The last known place. Locked for an instant only: the thread of the window waits for it.
    place: Mutex<Option<StoredWindow>>,
    /// The place in the file; locked while it is written.
    written: Mutex<Option<StoredWindow>>,
    changed: Notify,
}

impl WindowPlace {
    /// Reads the stored place from the data folder; one that cannot be read counts as missing.
    pub(crate) fn read(data_folder: &Path) -> Self {
        let file = data_folder.join("window.json");
        let stored = std::fs::read(&file).ok().and_then(|json| serde_json::from_slice(&json).ok());
        Self(Arc::new(Inner { file, place: Mutex::new(stored), written: Mutex::new(stored), changed: Notify::new() }))
    }

    /// Where to open the window on these monitors.
    pub(crate) fn placement(&self, monitors: &[Monitor]) -> Placement {
        let areas: Vec<Area> = monitors.iter().map(area_of).collect();
        place(self.place(), &areas)
    }

    /// Reports that the window was moved or resized.
    pub(crate) fn changed(&self) {
        self.0.changed.notify_one();
    }

    /// Stores the place a moment after each change.
    pub(crate) async fn store_changes(self, window: WebviewWindow) {
        loop {
            self.0.changed.notified().await;
            while tokio::time::timeout(DEBOUNCE, self.0.changed.notified()).await.is_ok() {}
            let (this, window) = (self.clone(), window.clone());
            // Asks the thread of the window, waits for it, and writes.
            let stored = tokio::task::spawn_blocking(move || {
                this.capture(&window);
                this.write();
            });
            if stored.await.is_err() {
                return;
            }
        }
    }

    /// Records where the window is now, without writing it.
    pub(crate) fn capture(&self, window: &WebviewWindow) {
        if let Err(error) = self.try_capture(window) {
            tracing::debug!(%error, "the place of the window is not known");
        }
    }

    fn try_capture(&self, window: &WebviewWindow) -> tauri::Result<()> {
        // A hidden, minimised or full window says nothing about where it is otherwise.
        if !window.is_visible()? || window.is_minimized()? || window.is_fullscreen()? {
            return Ok(());
        }
        let scale = window.scale_factor()?;
        let (position, size) = (window.outer_position()?, window.inner_size()?);
        let (position, size) = (position.to_logical::<i32>(scale), size.to_logical::<i32>(scale));
        let maximized = window.is_maximized()?;
        let area = Area { x: position.x, y: position.y, width: size.width, height: size.height };
        // Everything was read before: the thread of the window answers only while it does not wait for the lock.
        let mut place = self.0.place.lock().unwrap_or_else(PoisonError::into_inner);
        *place = Some(match *place {
            Some(before) if maximized => StoredWindow { maximized, ..before },
            _ => StoredWindow { area, maximized },
        });
        Ok(())
    }

    /// Writes the last known place, if the file has another one. Blocks. A power cut may lose it, which does no harm.
    pub(crate) fn write(&self) {
        let mut written = self.0.written.lock().unwrap_or_else(PoisonError::into_inner);
        let place = self.place();
        if *written == place {
            return;
        }
        let new = self.0.file.with_extension("json.tmp");
        let json = serde_json::to_vec(&place).unwrap_or_default();
        match private::write(&new, &json).and_then(|()| std::fs::rename(&new, &self.0.file)) {
            Ok(()) => *written = place,
            Err(error) => tracing::debug!(%error, "the place of the window is not stored"),
        }
    }

    fn place(&self) -> Option<StoredWindow> {
        *self.0.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn area_of(monitor: &Monitor) -> Area {
    let scale = monitor.scale_factor();
    let (position, size) = (monitor.position().to_logical::<i32>(scale), monitor.size().to_logical::<i32>(scale));
    Area { x: position.x, y: position.y, width: size.width, height: size.height }
}

/// Where to open a window that was stored, on these monitors.
fn place(stored: Option<StoredWindow>, monitors: &[Area]) -> Placement {
    let Some(StoredWindow { area, maximized }) = stored else {
        return Placement { position: None, size: FIRST_SIZE, maximized: false };
    };
    let title = Area { height: TITLE_HEIGHT, ..area };
    let reachable = monitors.iter().filter(|monitor| {
        let (width, height) = title.overlap(monitor);
        width >= MIN_VISIBLE_WIDTH && height >= TITLE_HEIGHT / 2
    });
    let monitor = reachable.max_by_key(|monitor| {
        let (width, height) = area.overlap(monitor);
        i64::from(width) * i64::from(height)
    });
    // A monitor that is gone may have been larger than those that are left.
    let largest = monitor.or(monitors.first());
    let limit = largest.map_or(FIRST_SIZE, |monitor| (monitor.width, monitor.height));
    let fit = |length: i32, min: i32, max: i32| length.clamp(min, max.max(min));
    Placement {
        position: monitor.map(|_| (area.x, area.y)),
        size: (fit(area.width, MIN_SIZE.0, limit.0), fit(area.height, MIN_SIZE.1, limit.1)),
        maximized,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;

    const LEFT: Area = Area { x: 0, y: 0, width: 1920, height: 1080 };
    const RIGHT: Area = Area { x: 1920, y: 0, width: 2560, height: 1440 };

    fn placed(area: (i32, i32, i32, i32), monitors: &[Area]) -> Placement {
        let (x, y, width, height) = area;
        place(Some(StoredWindow { area: Area { x, y, width, height }, maximized: false }), monitors)
    }

    #[test]
    fn a_window_on_a_monitor_is_restored_where_it_was() {
        let at = |position, size| Placement { position, size, maximized: false };
        assert_eq!(place(None, &[LEFT]), at(None, FIRST_SIZE));
        assert_eq!(placed((40, 30, 1000, 700), &[LEFT]), at(Some((40, 30)), (1000, 700)));
        assert_eq!(placed((2000, 30, 2400, 1300), &[LEFT, RIGHT]), at(Some((2000, 30)), (2400, 1300)));
        assert_eq!(placed((-500, 30, 1000, 700), &[LEFT]), at(Some((-500, 30)), (1000, 700)), "partly outside");
        let area = Area { x: 5, y: 5, width: 900, height: 700 };
        let maximized = place(Some(StoredWindow { area, maximized: true }), &[LEFT]);
        assert_eq!(maximized, Placement { position: Some((5, 5)), size: (900, 700), maximized: true });
    }

    #[test]
    fn a_window_that_nobody_could_reach_is_centred_and_fits() {
        for area in [(2000, 30, 2400, 1300), (1900, 30, 1000, 700), (0, -700, 1000, 700), (0, 1075, 1000, 700)] {
            let placement = placed(area, &[LEFT]);
            assert_eq!(placement.position, None, "{area:?}");
            assert!(placement.size.0 <= LEFT.width && placement.size.1 <= LEFT.height, "{placement:?}");
        }
        assert_eq!(placed((0, 0, 10, -4), &[LEFT]).size, MIN_SIZE);
        assert_eq!(placed((i32::MAX, i32::MIN, i32::MAX, i32::MAX), &[LEFT, RIGHT]).position, None);
        assert_eq!(placed((0, 0, 1000, 700), &[]).position, None, "no monitor is known");
    }

    #[test]
    fn an_unreadable_file_counts_as_missing() {
        let folder = tempfile::tempdir().unwrap();
        for content in ["", "{}", "[1]", "{\"x\":1}", "{\"x\":99999999999,\"y\":0,\"width\":1,\"height\":1}"] {
            std::fs::write(folder.path().join("window.json"), content).unwrap();
            assert_eq!(WindowPlace::read(folder.path()).place(), None, "{content}");
        }
        std::fs::write(folder.path().join("window.json"), "{\"x\":1,\"y\":2,\"width\":3,\"height\":4}").unwrap();
        let area = Area { x: 1, y: 2, width: 3, height: 4 };
        assert_eq!(WindowPlace::read(folder.path()).place(), Some(StoredWindow { area, maximized: false }));
    }
}
