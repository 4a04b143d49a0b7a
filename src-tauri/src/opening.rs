//! Opens the core while the window opens. What needs the core waits for it, or does without it.

use tauri::AppHandle;

use crate::ipc::{Host, Opened};

/// Opens the parts with `open`. If that fails, the app exits and returns the error to the caller of its event loop.
pub(crate) async fn run(
    open: impl Future<Output = anyhow::Result<Host>>,
    opened: Opened,
    handle: AppHandle,
) -> anyhow::Result<Host> {
    // A panic must not leave a window that never answers.
    let exit = ExitUnlessOpened { opened: opened.clone(), handle };
    let host = open.await?;
    let _only_set_here = opened.set(host.clone());
    drop(exit);
    Ok(host)
}

struct ExitUnlessOpened {
    opened: Opened,
    handle: AppHandle,
}

impl Drop for ExitUnlessOpened {
    fn drop(&mut self) {
        if self.opened.get().is_none() {
            self.handle.exit(1);
        }
    }
}
