//! Background mode: the app keeps running with its window closed, and the window can be reopened.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::desktop::{Desktop, Keyring, free_port};
use super::page::TIMEOUT;
use super::x_windows::{Windows, wait_until};
use serde_json::json;

/// Script that enables background mode.
const ENABLE_BACKGROUND: &str = r"
const [done] = arguments;
const { invoke } = window.__TAURI_INTERNALS__;
invoke('get_bootstrap', { request: {} })
  .then(({ preferences }) => invoke('save_preferences', { request: { ...preferences, keepRunning: true } }))
  .then(() => done(null), (error) => done(JSON.stringify(error)));
";

/// Script that starts the app at login.
const START_AT_LOGIN: &str = r"
const [done] = arguments;
const { invoke } = window.__TAURI_INTERNALS__;
invoke('set_login_start', { request: { on: true } })
  .then(({ startsAtLogin }) => done(startsAtLogin), (error) => done(JSON.stringify(error)));
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
    let mut desktop =
        Desktop::start("background", Keyring::Unlocked).with_sandbox("TEMPLATE_DESK_SANDBOX_PROFILE", "whatsapp");
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
    let set = page.client.execute_async(START_AT_LOGIN, Vec::new()).await.unwrap();
    assert_eq!(set, json!(true));
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

    // The next login starts it without its window.
    desktop.log_in(&address);
    wait_until("it receives after the login", || is_answering(&address)).await;
    assert!(!windows.is_shown());
    desktop.start_second_instance();
    wait_until("the window of the start at login is shown", || windows.is_shown()).await;
}

/// Who wants nothing to go on without the window sees it at each login.
#[tokio::test]
async fn a_start_at_login_shows_the_window_unless_the_app_keeps_running_without_it() {
    let mut desktop =
        Desktop::start("login", Keyring::Unlocked).with_sandbox("TEMPLATE_DESK_SANDBOX_PROFILE", "whatsapp");
    let address = format!("127.0.0.1:{}", free_port());
    let page = desktop.open_app_at_home(&address).await;
    page.find("heading", "Templates").await;
    assert_eq!(page.client.execute_async(START_AT_LOGIN, Vec::new()).await.unwrap(), json!(true));
    let windows = Windows::of(&desktop);
    windows.close();
    wait_until("the app has ended", || !is_answering(&address)).await;
    desktop.log_in(&address);
    wait_until("the window is shown", || windows.is_shown()).await;
}
