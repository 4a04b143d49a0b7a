//! Weston, a server of Wayland, in the window of an Xvfb.

use std::time::{Duration, Instant};

use super::{Desktop, START_TIMEOUT};

const SOCKET: &str = "wayland-test";

impl Desktop {
    /// Starts Weston on the display of the desktop, and makes its own the display.
    pub(super) fn start_weston(&mut self, scale: u32) {
        let socket = self.home.path().join("runtime").join(SOCKET);
        let weston = self
            .command("weston")
            .args(["--backend=x11-backend.so", "--use-pixman", "--no-config", "--idle-time=0", "--width=1280"])
            .args(["--height=900", &format!("--scale={scale}"), &format!("--socket={SOCKET}")])
            .env("DISPLAY", &self.display)
            .env_remove("WAYLAND_DISPLAY")
            .stdout(self.log("weston.out"))
            .stderr(self.log("weston.err"))
            .spawn()
            .expect("weston is installed (package weston)");
        self.keep(weston);
        SOCKET.clone_into(&mut self.display);
        let started = Instant::now();
        while !socket.exists() {
            assert!(started.elapsed() < START_TIMEOUT, "weston does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
