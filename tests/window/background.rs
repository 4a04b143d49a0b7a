//! Background mode: the app keeps running with its window closed, and the window can be reopened.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, MapState};
use x11rb::rust_connection::RustConnection;

use super::desktop::{Desktop, Keyring, free_port};
use super::page::{POLL_INTERVAL, TIMEOUT};

/// Script that enables background mode.
const ENABLE_BACKGROUND: &str = r"
const [done] = arguments;
const { invoke } = window.__TAURI_INTERNALS__;
invoke('get_bootstrap', { request: {} })
  .then(({ preferences }) => invoke('save_preferences', { request: { ...preferences, keepRunning: true } }))
  .then(() => done(null), (error) => done(JSON.stringify(error)));
";

/// Calls to a panel and a notification service.
#[derive(Clone, Default)]
struct RecordedCalls {
    items: Arc<Mutex<Vec<String>>>,
    titles: Arc<Mutex<Vec<String>>>,
}

/// A panel that shows icons.
struct Panel(RecordedCalls);

#[zbus::interface(name = "org.kde.StatusNotifierWatcher")]
impl Panel {
    fn register_status_notifier_item(&self, service: String) {
        self.0.items.lock().unwrap().push(service);
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }
}

/// A notification service.
struct Notifications(RecordedCalls);

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Notifications {
    fn get_capabilities(&self) -> Vec<String> {
        vec!["actions".to_owned()]
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        ("test".to_owned(), "test".to_owned(), "1".to_owned(), "1.2".to_owned())
    }

    #[expect(clippy::too_many_arguments, reason = "as the desktop's specification has it")]
    fn notify(
        &self,
        _app: String,
        _replaces: u32,
        _icon: String,
        title: String,
        _body: String,
        _actions: Vec<String>,
        _hints: HashMap<String, zbus::zvariant::OwnedValue>,
        _expires: i32,
    ) -> u32 {
        let mut titles = self.0.titles.lock().unwrap();
        titles.push(title);
        u32::try_from(titles.len()).unwrap()
    }
}

/// Access to the windows of the desktop.
struct Windows {
    connection: RustConnection,
    root: u32,
}

impl Windows {
    fn of(desktop: &Desktop) -> Self {
        let (connection, screen) = RustConnection::connect(Some(desktop.display())).unwrap();
        let root = connection.setup().roots[screen].root;
        Self { connection, root }
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    /// The app's window.
    fn window(&self) -> u32 {
        let (protocols, name) = (self.atom("WM_PROTOCOLS"), u32::from(AtomEnum::WM_NAME));
        let has = |window: u32, property: u32| {
            let request = self.connection.get_property(false, window, property, AtomEnum::ANY, 0, 64).unwrap();
            request.reply().map(|reply| reply.value).unwrap_or_default()
        };
        let all = self.connection.query_tree(self.root).unwrap().reply().unwrap().children;
        let mut windows = all.into_iter().filter(|window| !has(*window, protocols).is_empty());
        windows.find(|window| has(*window, name) == b"Template Desk").expect("the app has a window")
    }

    /// Closes the window as its button does.
    fn close(&self) {
        let (window, protocols, delete) = (self.window(), self.atom("WM_PROTOCOLS"), self.atom("WM_DELETE_WINDOW"));
        let message = ClientMessageEvent::new(32, window, protocols, [delete, 0, 0, 0, 0]);
        self.connection.send_event(false, window, EventMask::NO_EVENT, message).unwrap();
        self.connection.flush().unwrap();
    }

    fn is_shown(&self) -> bool {
        let attributes = self.connection.get_window_attributes(self.window()).unwrap().reply().unwrap();
        attributes.map_state == MapState::VIEWABLE
    }
}

async fn wait_until(what: &str, mut ready: impl FnMut() -> bool) {
    let started = Instant::now();
    while !ready() {
        assert!(started.elapsed() < TIMEOUT, "timed out waiting until {what}");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Whether the receiver responds.
fn is_answering(address: &str) -> bool {
    let Ok(mut stream) = TcpStream::connect(address) else { return false };
    let request = format!("GET /nowhere HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    stream.write_all(request.as_bytes()).is_ok()
        && stream.read_to_string(&mut answer).is_ok()
        && answer.contains(" 404 ")
}

#[tokio::test]
async fn the_app_receives_with_its_window_closed_and_reopens_it() {
    let mut desktop = Desktop::start("background", Keyring::Unlocked);
    let calls = RecordedCalls::default();
    let bus = zbus::connection::Builder::address(desktop.bus())
        .unwrap()
        .serve_at("/StatusNotifierWatcher", Panel(calls.clone()))
        .unwrap()
        .serve_at("/org/freedesktop/Notifications", Notifications(calls.clone()))
        .unwrap()
        .name("org.kde.StatusNotifierWatcher")
        .unwrap()
        .name("org.freedesktop.Notifications")
        .unwrap()
        .build()
        .await
        .unwrap();
    let address = format!("127.0.0.1:{}", free_port());
    let page = desktop.open_app_at_home(&address).await;
    page.find("heading", "Templates").await;
    let failed = page.client.execute_async(ENABLE_BACKGROUND, Vec::new()).await.unwrap();
    assert_eq!(failed, json!(null));
    let windows = Windows::of(&desktop);
    assert!(windows.is_shown());
    wait_until("the icon is in the tray", || !calls.items.lock().unwrap().is_empty()).await;

    windows.close();
    wait_until("the window is hidden", || !windows.is_shown()).await;
    assert!(is_answering(&address), "nothing is received any more");
    wait_until("the notification is shown", || !calls.titles.lock().unwrap().is_empty()).await;
    assert_eq!(*calls.titles.lock().unwrap(), ["Template Desk keeps receiving webhooks"]);

    // A second start reopens it, and so does the icon.
    desktop.start_second_instance();
    wait_until("the second start shows the window", || windows.is_shown()).await;
    windows.close();
    wait_until("the window is hidden again", || !windows.is_shown()).await;
    let item = calls.items.lock().unwrap()[0].clone();
    let call = bus.call_method(
        Some(item.as_str()),
        "/StatusNotifierItem",
        Some("org.kde.StatusNotifierItem"),
        "Activate",
        &(0_i32, 0_i32),
    );
    call.await.unwrap();
    wait_until("the icon shows the window", || windows.is_shown()).await;
    assert_eq!(calls.titles.lock().unwrap().len(), 1, "the notification is shown once");

    // Quit ends the app in order.
    let (path, interface) = ("/org/freedesktop/Notifications", "org.freedesktop.Notifications");
    // Repeated, because on a busy machine the app may not know the notification's ID yet.
    let started = Instant::now();
    while is_answering(&address) {
        assert!(started.elapsed() < TIMEOUT, "the app does not end");
        bus.emit_signal(None::<()>, path, interface, "ActionInvoked", &(1_u32, "quit")).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let record = desktop.file("data/app.template-desk/logbook.json");
    wait_until("the end in order is written down", || {
        let record = std::fs::read_to_string(&record).unwrap_or_default();
        record.contains("\"running\": false")
    })
    .await;
}
