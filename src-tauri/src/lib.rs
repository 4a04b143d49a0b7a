//! The shell: the only crate that uses Tauri, the keyring and native dialogs. It connects the parts and shuts them down
//! in order.

#[cfg(target_os = "macos")]
mod app_nap;
mod arguments;
mod background;
mod bindings;
mod deep_link;
mod dialogs;
mod display;
mod events;
mod exact_numbers;
mod granted_paths;
mod home;
mod i18n;
mod logging;
mod login_start;
mod notify;
mod opener;
mod opening;
#[cfg(target_os = "linux")]
mod page_environment;
#[cfg(target_os = "linux")]
mod page_process;
mod pending;
mod request_patches;
mod sandbox_host;
mod secrets;
#[cfg(all(test, not(any(target_os = "macos", windows))))]
mod session_bus;
mod support;
mod tray;
mod updater;
mod window;
mod window_place;

pub mod ipc;

use std::cell::Cell;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use app::exit::{EXIT_TIMEOUT, TerminationSignals, exit_in_time_after_signals};
use app::ports::EventSink;
use app::{Core, DataFolder, SANDBOX_ID};
use command_types::error::DeskError;
use command_types::event::{DeskEvent, FileDrag};
use command_types::language::WindowLanguage;
use tauri::webview::NewWindowResponse;
use tauri::{
    App, AppHandle, DragDropEvent, Manager as _, RunEvent, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    WindowEvent,
};
use tokio::task::JoinHandle;

use crate::arguments::{Arguments, HIDDEN};
use crate::background::{Background, EventForwarder, ForwardedEvents};
use crate::events::EventHub;
use crate::granted_paths::GrantedPaths;
use crate::ipc::{Host, Opened};
use crate::logging::Log;
use crate::pending::PendingForPage;
use crate::request_patches::PatchBases;
use crate::sandbox_host::SandboxHost;
use crate::secrets::SystemKeyring;
use crate::support::Support;
use crate::updater::{AfterExit, AppInstaller};
use crate::window::Window;
use crate::window_place::{MIN_SIZE, WindowPlace};

/// Maximum time for the shutdown. Work that is not finished by then is repaired at the next start.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

/// Exit code if there is no display for a window.
const NO_DISPLAY: u8 = 3;

/// Runs the app until its window is closed and background mode is off. Exit codes: 0 success, 1 could not start, 2
/// wrong usage, 3 no display.
#[must_use]
pub fn run() -> ExitCode {
    let arguments = match arguments::read() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    #[cfg(target_os = "linux")]
    page_environment::set();
    if let Err(why) = display::open() {
        eprintln!("template-desk: {why}");
        return NO_DISPLAY.into();
    }
    let log = Log::start();
    match start(&log, &arguments) {
        Ok(next) => {
            // Writes the last lines: another program may take the place of this one.
            drop(log);
            next.run()
        }
        Err(error) => {
            tracing::error!("{error:#}");
            dialogs::show_start_error(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn start(log: &Log, arguments: &Arguments) -> anyhow::Result<AfterExit> {
    exit_in_time_after_signals(EXIT_TIMEOUT);
    #[cfg(target_os = "macos")]
    let _until_the_end = app_nap::prevent();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no async runtime")?;
    tauri::async_runtime::set(runtime.handle().clone());

    let hub = EventHub::default();
    let pending = PendingForPage::default();
    if let Some(link) = &arguments.link {
        pending.open_link(link);
    }
    let mut builder = tauri::Builder::default();
    let second_start = home::may_ask_for_other_instance();
    let opened = Opened::default();
    if second_start {
        let (pending, opened) = (pending.clone(), opened.clone());
        builder = builder.plugin(tauri_plugin_single_instance::init(move |handle, arguments, _| {
            match arguments.get(1) {
                Some(argument) if argument == HIDDEN => return,
                Some(link) => open_link(link, &pending, &opened),
                None => {}
            }
            raise_window(handle);
        }));
    }
    let (commands, called, bases) = (hub.clone(), opened.clone(), PatchBases::default());
    let builder = builder.invoke_handler(move |invoke| ipc::handle(invoke, &called, &bases, &commands));
    let builder = builder.plugin(tauri_plugin_updater::Builder::new().build());

    let mut context = tauri::generate_context!();
    let update_source = updater::configure(context.config_mut());
    let app = builder.build(context).context("the window system is not available")?;
    let handle = app.handle().clone();
    let (forwarder, forwarded_events) = EventForwarder::new();
    let (sink, forward) = hub.sink(move |event| forwarder.forward(event));
    runtime.spawn(forward);
    let drops = sink.clone();
    let granted = GrantedPaths::default();
    // Locked before anything is written: a second copy must not rewrite the sandbox files of the first.
    let data_folder = lock_data_folder(&home::data_folder(&handle)?).map_err(|error| match error {
        DeskError::Storage { reason } => {
            anyhow!("the data folder, which TEMPLATE_DESK_HOME can change, cannot be used: {reason}")
        }
        other => other.into(),
    })?;
    log.write_files(&data_folder.logs());
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "the app starts");
    let place = WindowPlace::read(data_folder.root());
    let last_place = place.clone();
    let parts = (granted.clone(), pending.clone());
    let after_exit = AfterExit::default();
    let installer = AppInstaller::new(handle.clone(), update_source, after_exit.clone());
    let open = open(handle.clone(), data_folder, sink, forwarded_events, second_start, parts, installer);
    let opening = runtime.spawn(opening::run(open, opened.clone(), handle.clone()));
    let is_hidden = arguments.hidden;
    let window = open_window(&app, &place, is_hidden)?;
    // Only now is there a window to show.
    let opening = runtime.spawn(async move {
        let host = opening.await??;
        if is_hidden {
            host.background.show_unless_kept_running();
        }
        Ok(host)
    });
    #[cfg(target_os = "linux")]
    {
        page_process::limit_cache(&window);
        page_process::reload_after_crash(&window, pending, opened.clone());
    }
    runtime.spawn(place.clone().store_changes(window.clone()));
    runtime.spawn(exit_on_signal(handle.clone()));

    let closing = {
        let runtime = runtime.handle().clone();
        move || {
            last_place.write();
            runtime.block_on(close(opening))
        }
    };
    let (ended, mut closing) = (Rc::new(Cell::new(None)), Some(closing));
    let result = ended.clone();
    app.run_return(move |_, event| match event {
        RunEvent::WindowEvent { event: WindowEvent::DragDrop(drag), .. } => {
            if let DragDropEvent::Drop { paths, .. } = &drag {
                paths.iter().for_each(|path| granted.grant(path));
            }
            if let Some(drag) = file_drag(drag) {
                drops.emit(DeskEvent::FilesDragged { drag });
            }
        }
        RunEvent::WindowEvent { event: WindowEvent::CloseRequested { api, .. }, .. } => {
            place.capture(&window);
            place.changed();
            if opened.get().is_some_and(|host| host.background.hide() || host.background.asks_before_closing()) {
                api.prevent_close();
            }
        }
        RunEvent::WindowEvent { event: WindowEvent::Moved(_) | WindowEvent::Resized(_), .. } => place.changed(),
        // macOS opens a link, and the app again, in the running copy.
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => {
            urls.iter().for_each(|link| open_link(link.as_str(), &pending, &opened));
            raise_window(window.app_handle());
        }
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { .. } => raise_window(window.app_handle()),
        // Not after the event loop: macOS ends the process from within it when the app is quit from the menu.
        RunEvent::Exit => {
            // Who opens the app now gets a new copy: this one has no window to show any more.
            tauri_plugin_single_instance::destroy(&handle);
            if let Some(close) = closing.take() {
                result.set(Some(close()));
            }
        }
        _ => {}
    });

    runtime.shutdown_timeout(Duration::from_millis(500));
    ended.take().unwrap_or(Ok(())).map(|()| after_exit)
}

/// Locks the data folder. A copy that is closing has it for some seconds more.
fn lock_data_folder(folder: &Path) -> Result<DataFolder, DeskError> {
    let started = Instant::now();
    loop {
        match app::lock_data_folder(folder) {
            Err(DeskError::Conflict { .. }) if started.elapsed() < EXIT_TIMEOUT => {
                std::thread::sleep(Duration::from_millis(50));
            }
            locked => return locked,
        }
    }
}

/// Shuts the parts down. Clones of them remain in the window system, so that is done explicitly.
async fn close(opening: JoinHandle<anyhow::Result<Host>>) -> anyhow::Result<()> {
    let ended = tokio::time::timeout(CLOSE_TIMEOUT, async {
        let host = opening.await.context("opening the app failed")??;
        host.sandbox.stop().await;
        host.core.close().await;
        Ok(())
    });
    ended.await.unwrap_or_else(|_| {
        tracing::warn!("the parts did not end in time; the next start repairs what was under way");
        Ok(())
    })
}

/// Passes a link of another program to the page. A page that is not there yet asks when it is.
fn open_link(link: &str, pending: &PendingForPage, opened: &Opened) {
    pending.open_link(link);
    if let Some(host) = opened.get() {
        host.window.link_opened();
    }
}

/// Converts a drag event for the page; movements are not reported.
fn file_drag(event: DragDropEvent) -> Option<FileDrag> {
    match event {
        DragDropEvent::Enter { .. } => Some(FileDrag::Over {}),
        DragDropEvent::Leave => Some(FileDrag::Left {}),
        DragDropEvent::Drop { paths, .. } => {
            Some(FileDrag::Dropped { paths: paths.iter().map(|path| path.to_string_lossy().into_owned()).collect() })
        }
        _ => None,
    }
}

/// Opens the core with the built-in sandbox.
async fn open(
    handle: AppHandle,
    data_folder: DataFolder,
    events: EventSink,
    forwarded_events: ForwardedEvents,
    second_start: bool,
    (granted, pending): (GrantedPaths, PendingForPage),
    installer: AppInstaller,
) -> anyhow::Result<Host> {
    let (sandbox, link) = SandboxHost::prepare(&data_folder).await.context("the sandbox could not be set up")?;
    let options = app::Options {
        data_folder,
        keyring: Arc::new(SystemKeyring::default()),
        events: events.clone(),
        sandbox: Some(link),
        receiver_address: home::receiver_address(),
        loopback_media: home::may_fetch_loopback_media(),
        installer: Arc::new(installer),
    };
    let core = Core::open(options).await.context("the data folder could not be opened")?;
    core.workspaces.set_window_language(WindowLanguage { language: i18n::of_environment() }).await?;
    if let Some(notice) = sandbox.notice() {
        core.notice(notice);
    }
    sandbox.start(events.clone());
    if let Err(error) = core.templates.sync_if_not_cached(SANDBOX_ID).await {
        // The page reads the same file, and says why it cannot be read.
        tracing::warn!(%error, "it could not be read whether the sandbox was listed before");
    }
    let window = Window::new(core.clone(), sandbox.clone(), granted, pending, events.clone());
    let support = Support::new(core.clone());
    let background = Background::start(handle, core.clone(), events, forwarded_events, second_start);
    Ok(Host { core, sandbox, window, support, background })
}

/// Opens the window where it was closed.
fn open_window(app: &App, place: &WindowPlace, is_hidden: bool) -> anyhow::Result<WebviewWindow> {
    let monitors = app.available_monitors().unwrap_or_default();
    let placement = place.placement(&monitors);
    let builder = WebviewWindowBuilder::new(app, "main", WebviewUrl::default())
        .title("Template Desk")
        .inner_size(placement.size.0.into(), placement.size.1.into())
        .min_inner_size(MIN_SIZE.0.into(), MIN_SIZE.1.into())
        // A laptop at 150 % has less room than a window has at the first start.
        .prevent_overflow()
        .maximized(placement.maximized)
        .visible(!is_hidden)
        // The app passes drops to the page as paths.
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .devtools(cfg!(debug_assertions));
    let builder = match placement.position {
        Some((x, y)) => builder.position(x.into(), y.into()),
        // The window manager places it.
        None if cfg!(target_os = "linux") => builder,
        None => builder.center(),
    };
    builder.build().context("the window could not be opened")
}

/// Whether an address is the app's own page. Other links are opened in the browser, by a command.
fn is_own_page(url: &Url) -> bool {
    let is_page = match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // The same on Windows, and the server of `npm run dev`.
        "http" | "https" => {
            (cfg!(windows) && url.host_str() == Some("tauri.localhost"))
                || (cfg!(not(feature = "custom-protocol"))
                    && url.host_str() == Some("localhost")
                    && url.port() == Some(5173))
        }
        _ => false,
    };
    if !is_page {
        tracing::warn!(scheme = url.scheme(), "the page tried to open another address");
    }
    is_page
}

/// Raises the window of the running copy.
fn raise_window(handle: &AppHandle) {
    if let Some(window) = handle.get_webview_window("main") {
        for step in [window.unminimize(), window.show(), window.set_focus()] {
            if let Err(error) = step {
                tracing::debug!(%error, "the window could not be raised");
            }
        }
    }
}

/// Quits the app when it is asked to end.
async fn exit_on_signal(handle: AppHandle) {
    TerminationSignals::listen().next().await;
    handle.exit(0);
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;

    #[test]
    fn the_window_stays_on_its_own_page() {
        for (url, own) in [
            ("tauri://localhost", true),
            ("tauri://localhost/index.html#/templates", true),
            ("https://tauri.localhost/", cfg!(windows)),
            ("http://tauri.localhost/", cfg!(windows)),
            ("tauri://elsewhere/", false),
            ("http://127.0.0.1:8080/", false),
            ("https://example.com/tauri://localhost", false),
            ("http://localhost/", false),
            ("file:///etc/passwd", false),
            ("data:text/html,x", false),
            ("about:blank", false),
            ("javascript:1", false),
        ] {
            assert_eq!(is_own_page(&Url::parse(url).unwrap()), own, "{url}");
        }
    }
}
