//! The windows of a desktop, as its window manager handles them.

use std::time::Instant;

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, MapState,
};
use x11rb::rust_connection::RustConnection;

use super::desktop::Desktop;
use super::page::{POLL_INTERVAL, TIMEOUT};

/// Access to the windows of the desktop.
pub(super) struct Windows {
    connection: RustConnection,
    root: u32,
}

impl Windows {
    pub(super) fn of(desktop: &Desktop) -> Self {
        let (connection, screen) = RustConnection::connect(Some(desktop.display())).unwrap();
        let root = connection.setup().roots[screen].root;
        Self { connection, root }
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    fn window(&self) -> u32 {
        self.window_if_made().expect("the app has a window")
    }

    /// The app's window. One that was never shown may not exist.
    fn window_if_made(&self) -> Option<u32> {
        let (protocols, name) = (self.atom("WM_PROTOCOLS"), u32::from(AtomEnum::WM_NAME));
        let has = |window: u32, property: u32| {
            let request = self.connection.get_property(false, window, property, AtomEnum::ANY, 0, 64).unwrap();
            request.reply().map(|reply| reply.value).unwrap_or_default()
        };
        let all = self.connection.query_tree(self.root).unwrap().reply().unwrap().children;
        let mut windows = all.into_iter().filter(|window| !has(*window, protocols).is_empty());
        windows.find(|window| has(*window, name) == b"Template Desk")
    }

    /// Closes the window as its button does.
    pub(super) fn close(&self) {
        let (window, protocols, delete) = (self.window(), self.atom("WM_PROTOCOLS"), self.atom("WM_DELETE_WINDOW"));
        let message = ClientMessageEvent::new(32, window, protocols, [delete, 0, 0, 0, 0]);
        self.connection.send_event(false, window, EventMask::NO_EVENT, message).unwrap();
        // An answer proves that the display has the message; it may discard the last ones of a closed connection.
        self.connection.get_input_focus().unwrap().reply().unwrap();
    }

    pub(super) fn is_shown(&self) -> bool {
        self.window_if_made().is_some_and(|window| {
            let attributes = self.connection.get_window_attributes(window).unwrap().reply().unwrap();
            attributes.map_state == MapState::VIEWABLE
        })
    }

    /// Moves and resizes the window, as a window manager does.
    pub(super) fn place(&self, area: (i32, i32, u32, u32)) {
        let (x, y, width, height) = area;
        let place = ConfigureWindowAux::new().x(x).y(y).width(width).height(height);
        self.connection.configure_window(self.window(), &place).unwrap();
        self.connection.flush().unwrap();
    }

    /// Place and size of the window.
    pub(super) fn area(&self) -> (i32, i32, u32, u32) {
        let area = self.connection.get_geometry(self.window()).unwrap().reply().unwrap();
        (area.x.into(), area.y.into(), area.width.into(), area.height.into())
    }
}

/// Waits until `ready`, for at most [`TIMEOUT`].
pub(super) async fn wait_until(what: &str, mut ready: impl FnMut() -> bool) {
    let started = Instant::now();
    while !ready() {
        assert!(started.elapsed() < TIMEOUT, "timed out waiting until {what}");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
