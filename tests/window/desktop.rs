//! A separate desktop for each test: display, session bus, keyring, data folder and driver, stopped when it is dropped.

mod driver;
mod session_bus;
mod weston;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::page::Page;
use super::screen;
use super::x_windows::{Windows, wait_until};

/// File with the pixels of the display, in the folder of a desktop.
const SCREEN: &str = "screen/Xvfb_screen0";
/// Width and height of a desktop's screen, in pixels of a page.
const SCREEN_SIZE: (u32, u32) = (1280, 900);
/// Timeout for the start of a server on a busy machine.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Drivers, and programs that are run to their end, have no timeout of their own.
const TEST_TIMEOUT: Duration = Duration::from_secs(5 * 60);

/// The keyring of the desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyring {
    /// Unlocked and ready.
    Unlocked,
    /// No daemon and no bus.
    Absent,
}

/// The server that shows windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DisplayServer {
    /// Xvfb.
    X11,
    /// Weston in the window of an Xvfb, with this many pixels for each pixel of a page. Without a screen it would have no
    /// mouse and no keyboard.
    Wayland { scale: u32 },
}

pub(super) struct Desktop {
    name: &'static str,
    server: DisplayServer,
    /// Value of `DISPLAY` or `WAYLAND_DISPLAY`.
    display: String,
    bus: Option<String>,
    /// Whether assistive tools can read the app.
    is_accessible: bool,
    /// The file that the app is said to be in.
    app_image: Option<PathBuf>,
    /// Environment variables about a new sandbox.
    sandbox: Vec<(&'static str, &'static str)>,
    home: TempDir,
    /// In the order of their start; stopped in reverse. Each leads a process group.
    processes: Vec<Child>,
    groups: Arc<Mutex<Vec<u32>>>,
    /// Dropped when the test has ended.
    _watched: mpsc::Sender<()>,
}

impl Desktop {
    /// Starts a desktop with a screen of 1280 × 900. Its sandbox has the samples of an agency with several accounts.
    pub(super) fn start(name: &'static str, keyring: Keyring) -> Self {
        Self::start_on(DisplayServer::X11, name, keyring)
    }

    /// Starts a desktop with a screen of this size.
    pub(super) fn start_on_screen(name: &'static str, screen: (u32, u32)) -> Self {
        let mut desktop = Self::prepare(DisplayServer::X11, name);
        desktop.start_x_server(screen);
        desktop.start_bus();
        desktop.start_keyring();
        desktop
    }

    /// Starts a desktop of Wayland on a screen with `scale` times 1280 × 900 pixels.
    pub(super) fn start_on_wayland(name: &'static str, scale: u32) -> Self {
        Self::start_on(DisplayServer::Wayland { scale }, name, Keyring::Unlocked)
    }

    fn start_on(server: DisplayServer, name: &'static str, keyring: Keyring) -> Self {
        let mut desktop = Self::prepare(server, name);
        match server {
            DisplayServer::X11 => desktop.start_x_server(SCREEN_SIZE),
            DisplayServer::Wayland { scale } => {
                desktop.start_x_server((SCREEN_SIZE.0 * scale, SCREEN_SIZE.1 * scale));
                desktop.start_weston(scale);
            }
        }
        if keyring == Keyring::Unlocked {
            desktop.start_bus();
            desktop.start_keyring();
        }
        desktop
    }

    /// A desktop with its folder, of which nothing runs yet.
    fn prepare(server: DisplayServer, name: &'static str) -> Self {
        // What an earlier run left would be taken for this one's.
        let _none = std::fs::remove_dir_all(artifacts().join(name));
        let home = TempDir::with_prefix("template-desk-").unwrap();
        for folder in ["data", "config", "cache", "runtime", "screen", "bin", "desk"] {
            std::fs::create_dir(home.path().join(folder)).unwrap();
        }
        let dialog = home.path().join("bin/zenity");
        std::fs::write(&dialog, "#!/bin/sh\nexec cat \"$HOME/answer\"\n").unwrap();
        std::fs::set_permissions(&dialog, std::fs::Permissions::from_mode(0o755)).unwrap();
        let groups = Arc::new(Mutex::new(Vec::new()));
        // Weston accepts no folder that others can open.
        std::fs::set_permissions(home.path().join("runtime"), std::fs::Permissions::from_mode(0o700)).unwrap();
        Self {
            name,
            server,
            display: String::new(),
            bus: None,
            is_accessible: false,
            app_image: None,
            sandbox: vec![("TEMPLATE_DESK_SANDBOX_SEED", "samples"), ("TEMPLATE_DESK_SANDBOX_PROFILE", "agency")],
            _watched: end_after_timeout(name, home.path().to_owned(), Arc::clone(&groups)),
            home,
            processes: Vec::new(),
            groups,
        }
    }

    /// Sets an environment variable about the new sandbox of this desktop.
    pub(super) fn with_sandbox(mut self, variable: &'static str, value: &'static str) -> Self {
        self.sandbox.push((variable, value));
        self
    }

    /// Starts the app as an AppImage does, and returns its file, which does not exist yet.
    pub(super) fn be_app_image(&mut self, name: &str) -> PathBuf {
        self.app_image.insert(self.home.path().join(name)).clone()
    }

    /// Folder of the app's databases.
    pub(super) fn data_folder(&self) -> PathBuf {
        self.home.path().join("desk")
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Starts the app in a driven window.
    pub(super) async fn open_app(&mut self) -> Page {
        self.open_app_with_receiver("127.0.0.1:0").await
    }

    /// Starts the app with its receiver at an address.
    pub(super) async fn open_app_with_receiver(&mut self, receiver: &str) -> Page {
        self.open_app_in(Some(&self.data_folder()), receiver).await
    }

    /// Starts the app as users do: with its files in the standard folders.
    pub(super) async fn open_app_at_home(&mut self, receiver: &str) -> Page {
        self.open_app_in(None, receiver).await
    }

    /// Starts the app again while it runs, and waits for the end of the second process.
    pub(super) fn start_second_instance(&self) {
        self.start_again(&[]);
    }

    /// Opens a link while the app runs, as the desktop does.
    pub(super) fn open_link(&self, link: &str) {
        self.start_again(&[link]);
    }

    fn start_again(&self, arguments: &[&str]) {
        let mut command = self.command(env!("CARGO_BIN_EXE_template-desk"));
        let started = command.args(arguments).stderr(self.log("again.err")).status().unwrap();
        assert!(started.success(), "the second start failed");
    }

    /// Starts the bus of assistive tools, and returns its address. An app that is opened afterwards joins it.
    pub(super) async fn start_accessibility_bus(&mut self) -> String {
        let launcher = ["/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher"];
        let launcher = launcher.into_iter().find(|path| Path::new(path).exists());
        let launcher = launcher.expect("at-spi-bus-launcher is installed (package at-spi2-core)");
        let launched = self
            .command(launcher)
            .arg("--launch-immediately")
            .stdout(self.log("accessibility.out"))
            .stderr(self.log("accessibility.err"))
            .spawn()
            .unwrap();
        self.keep(launched);
        self.is_accessible = true;
        let session = zbus::connection::Builder::address(self.bus())
            .unwrap()
            .method_timeout(START_TIMEOUT)
            .build()
            .await
            .unwrap();
        let started = Instant::now();
        loop {
            let call =
                session.call_method(Some("org.a11y.Bus"), "/org/a11y/bus", Some("org.a11y.Bus"), "GetAddress", &());
            match call.await {
                Ok(answer) => return answer.body().deserialize::<String>().unwrap(),
                Err(_) if started.elapsed() < START_TIMEOUT => tokio::time::sleep(Duration::from_millis(50)).await,
                Err(error) => panic!("no bus of assistive tools: {error}"),
            }
        }
    }

    /// Address of the session bus.
    pub(super) fn bus(&self) -> &str {
        self.bus.as_deref().expect("this desktop has a bus")
    }

    pub(super) fn display(&self) -> &str {
        &self.display
    }

    /// Starts a program with a window as users do, without a driver. It is stopped by [`Self::kill_app`].
    pub(super) fn launch(&mut self, program: &Path, data_folder: &str) {
        let launched = self
            .command(program.to_str().unwrap())
            .env("TEMPLATE_DESK_HOME", self.home.path().join(data_folder))
            .env("TEMPLATE_DESK_RECEIVER", "127.0.0.1:0")
            .envs(self.sandbox.iter().copied())
            .stderr(self.log("app.err"))
            .spawn()
            .unwrap();
        self.keep(launched);
    }

    /// File with the pixels of the display.
    pub(super) fn screen(&self) -> PathBuf {
        self.home.path().join(SCREEN)
    }

    /// Closes the window as its button does, and waits until the app has ended in order.
    pub(super) async fn close_app(&self) {
        Windows::of(self).close();
        let record = self.data_folder().join("logbook.json");
        wait_until("the app has ended", || {
            std::fs::read_to_string(&record).unwrap_or_default().contains("\"running\": false")
        })
        .await;
    }

    /// Kills app and driver, as in a crash or a power failure.
    pub(super) fn kill_app(&mut self) {
        let mut driver = self.processes.pop().expect("the app was started last");
        self.groups.lock().unwrap().retain(|group| *group != driver.id());
        assert!(kill(driver.id()), "the app cannot be killed");
        driver.wait().unwrap();
    }

    /// Makes the next file dialog return a path. The app starts the desktop's dialog program; this desktop has one that
    /// returns without input. Everything after its result is the app's code.
    pub(super) fn answer_file_dialog(&self, path: &Path) {
        std::fs::write(self.home.path().join("answer"), path.to_str().unwrap()).unwrap();
    }

    /// Starts the app with a data folder that it cannot use, and returns its dialog, a line for each argument.
    pub(super) fn start_in_vain(&self, data_folder: &Path) -> String {
        let program = self.home.path().join("bin/zenity");
        std::fs::write(&program, "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$HOME/dialog\"\n").unwrap();
        let mut app = self.command(env!("CARGO_BIN_EXE_template-desk"));
        let ended = app.env("TEMPLATE_DESK_HOME", data_folder).stderr(self.log("app.err")).status().unwrap();
        assert_eq!(ended.code(), Some(1), "{ended}");
        std::fs::read_to_string(self.home.path().join("dialog")).unwrap()
    }

    /// Makes the app's calls to open a folder or an address write it to a file, which is returned, and their environment
    /// to another, with the extension `env`.
    pub(super) fn record_opened(&self) -> PathBuf {
        let program = self.home.path().join("bin/xdg-open");
        std::fs::write(&program, "#!/bin/sh\nenv >\"$HOME/opened.env\"\nprintf %s \"$1\" >\"$HOME/opened\"\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        self.home.path().join("opened")
    }

    /// The process group of the app.
    pub(super) fn app_group(&self) -> u32 {
        self.processes.last().expect("the app was started last").id()
    }

    /// The output of app and driver.
    pub(super) fn logs(&self) -> String {
        logs(self.home.path())
    }

    /// The content of the app's log files.
    pub(super) fn log_files(&self) -> String {
        log_files(self.home.path())
    }

    fn keep(&mut self, process: Child) {
        self.groups.lock().unwrap().push(process.id());
        self.processes.push(process);
    }

    fn start_x_server(&mut self, (width, height): (u32, u32)) {
        let screen = format!("{width}x{height}x24");
        // A server that resets after its last client refuses the app that is started next.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen, "-noreset", "-nolisten", "tcp", "-fbdir"])
            .arg(self.home.path().join("screen"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .expect("Xvfb is installed (package xvfb)");
        let number = first_line(&mut server);
        self.display = format!(":{number}");
        self.keep(server);
    }

    /// A command on this desktop, without the environment of the surrounding one.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let home = self.home.path();
        command
            .env_clear()
            .env("PATH", format!("{}:{}", home.join("bin").display(), std::env::var("PATH").unwrap_or_default()))
            .env("HOME", home)
            .env("LANG", "C.UTF-8")
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_RUNTIME_DIR", home.join("runtime"))
            .stdin(Stdio::null())
            // A separate process group, so that its child processes end with it.
            .process_group(0);
        match self.server {
            DisplayServer::X11 => command.env("DISPLAY", &self.display).env("GDK_BACKEND", "x11"),
            DisplayServer::Wayland { .. } => {
                command.env("WAYLAND_DISPLAY", &self.display).env("GDK_BACKEND", "wayland")
            }
        };
        if !self.is_accessible {
            command.env("NO_AT_BRIDGE", "1");
        }
        if let Some(bus) = &self.bus {
            command.env("DBUS_SESSION_BUS_ADDRESS", bus);
        }
        command
    }

    fn log(&self, name: &str) -> Stdio {
        File::options().create(true).append(true).open(self.home.path().join(name)).unwrap().into()
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        if std::thread::panicking() {
            save_evidence(self.name, self.home.path());
        }
        for process in self.processes.iter_mut().rev() {
            kill(process.id());
            let _reaped = process.wait();
        }
    }
}

/// Ends all tests when one hangs, and says which; otherwise nobody would know until the whole run is stopped. Stops
/// watching when the sender is dropped.
fn end_after_timeout(name: &'static str, home: PathBuf, groups: Arc<Mutex<Vec<u32>>>) -> mpsc::Sender<()> {
    let (watched, ended) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        if ended.recv_timeout(TEST_TIMEOUT) == Err(mpsc::RecvTimeoutError::Timeout) {
            save_evidence(name, &home);
            for group in groups.lock().unwrap().iter().rev() {
                kill(*group);
            }
            let message = format!(
                "{name} hangs: it has run for {TEST_TIMEOUT:?}; see artifacts/window/{name}\n{}\n",
                logs(&home)
            );
            // Unlike what is printed, this is not captured with the output of the test.
            let _closed = std::io::stderr().write_all(message.as_bytes());
            std::process::exit(101);
        }
    });
    watched
}

/// Kills a process group. Returns whether it existed.
fn kill(group: u32) -> bool {
    let killed = Command::new("kill").args(["-9", "--", &format!("-{group}")]).stderr(Stdio::null()).status();
    killed.is_ok_and(|status| status.success())
}

/// Saves what shows why a test failed: the screen as it is, and the logs of app, driver and keyring.
fn save_evidence(name: &str, home: &Path) {
    let folder = artifacts().join(name);
    if std::fs::create_dir_all(&folder).is_ok() {
        let _kept = std::fs::write(folder.join("logs.txt"), logs(home));
        if let Ok(pixels) = std::fs::read(home.join(SCREEN)) {
            let _kept = screen::picture(&pixels).save(folder.join("at-the-end.png"));
        }
    }
}

/// The output of app, driver and keyring of the desktop in a folder.
fn logs(home: &Path) -> String {
    let read = |name: &str| std::fs::read_to_string(home.join(name)).unwrap_or_default();
    let keyring = read("keyring.out") + &read("keyring.err");
    format!(
        "--- keyring\n{keyring}--- driver\n{}--- app\n{}--- log files\n{}",
        read("driver.out"),
        read("app.err"),
        log_files(home)
    )
}

fn log_files(home: &Path) -> String {
    let files = std::fs::read_dir(home.join("desk/logs")).into_iter().flatten();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

/// Folder for screenshots and logs of a run.
fn artifacts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts/window")
}

fn first_line(process: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    line.trim().to_owned()
}

/// A port of this machine that is currently free, and that no other test got.
pub(super) fn free_port() -> u16 {
    static GIVEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    loop {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        if GIVEN.lock().unwrap().insert(port) {
            return port;
        }
    }
}
