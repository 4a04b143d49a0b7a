//! Checks for a display before Tauri starts, because Tauri panics without one.

/// # Errors
/// The reason and the remedy, in one sentence.
#[cfg(target_os = "linux")]
pub(crate) fn open() -> Result<(), String> {
    let named = |name: &str| std::env::var(name).ok().filter(|display| !display.is_empty());
    gtk::init().map_err(|_| {
        let why = match named("WAYLAND_DISPLAY").or_else(|| named("DISPLAY")) {
            Some(display) => format!("the display {display} cannot be opened"),
            None => "there is no display (neither WAYLAND_DISPLAY nor DISPLAY is set)".to_owned(),
        };
        format!("{why}; start the app in a desktop session, or use tdesk, which needs no display")
    })
}

/// Other systems always have a display.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "the same on every system")]
pub(crate) fn open() -> Result<(), String> {
    Ok(())
}
