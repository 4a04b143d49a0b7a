//! The app in a driven window.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::error::NewSessionError;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use serde_json::json;

use super::super::page::{POLL_INTERVAL, Page};
use super::super::x_windows::wait_until;
use super::{Desktop, START_TIMEOUT, artifacts, free_port};

/// What the app prints when it cannot listen for its driver, which then waits without end: the driver finds a free port
/// and releases it before it starts the app, so that another program can take it.
const PORT_TAKEN: &str = "Failed to start remote inspector server";

impl Desktop {
    pub(super) async fn open_app_in(&mut self, data_folder: Option<&Path>, receiver: &str) -> Page {
        let started = Instant::now();
        loop {
            let port = free_port();
            let taken_before = self.ports_taken();
            let mut driver = self.start_driver(port, data_folder, receiver);
            let port_is_taken = async {
                while self.ports_taken() == taken_before {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            };
            tokio::select! {
                client = connect(port, &mut driver) => match client {
                    Ok(client) => {
                        self.keep(driver);
                        return Page::new(client, self.screen(), artifacts().join(self.name));
                    }
                    Err(error) if started.elapsed() > START_TIMEOUT => {
                        self.keep(driver);
                        panic!("the driver opened no window: {error}\n{}", self.logs());
                    }
                    // The driver could not listen either.
                    Err(_) => {}
                },
                () = port_is_taken => end_in_order(driver).await,
            }
        }
    }

    /// Starts the app as the desktop does when a person logs in: by its entry of the account.
    pub(in super::super) fn log_in(&mut self, receiver: &str) {
        let entry = std::fs::read_to_string(self.file(".config/autostart/Template Desk.desktop")).unwrap();
        let program = entry.lines().find_map(|line| line.strip_prefix("Exec=")).unwrap();
        let started = self
            .command("sh")
            .args(["-c", &format!("exec {program}")])
            .env("TEMPLATE_DESK_RECEIVER", receiver)
            .envs(self.sandbox.iter().copied())
            .stderr(self.log("app.err"))
            .spawn()
            .unwrap();
        self.keep(started);
    }

    /// How often the app could not listen for its driver.
    fn ports_taken(&self) -> usize {
        let printed = std::fs::read_to_string(self.home.path().join("app.err")).unwrap_or_default();
        printed.matches(PORT_TAKEN).count()
    }

    fn start_driver(&self, port: u16, data_folder: Option<&Path>, receiver: &str) -> Child {
        let mut driver = self.command("WebKitWebDriver");
        if let Some(folder) = data_folder {
            driver.env("TEMPLATE_DESK_HOME", folder);
        }
        if let Some(file) = &self.app_image {
            let mounted = Path::new(env!("CARGO_BIN_EXE_template-desk")).parent().unwrap();
            driver.env("APPIMAGE", file).env("APPDIR", mounted);
        }
        driver
            .arg(format!("--port={port}"))
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("TEMPLATE_DESK_RECEIVER", receiver)
            .envs(self.sandbox.iter().copied())
            .env("TEMPLATE_DESK_SANDBOX_DELAY", "100")
            .env("TEMPLATE_DESK_LOG", "info,template_desk=debug,app=debug")
            // Pictures look the same with and without a graphics card.
            .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
            .stdout(self.log("driver.out"))
            .stderr(self.log("app.err"))
            .spawn()
            .expect("WebKitWebDriver is installed (package webkit2gtk-driver)")
    }
}

/// Opens a session at a driver that is starting, until the driver ends.
async fn connect(port: u16, driver: &mut Child) -> Result<Client, NewSessionError> {
    let started = Instant::now();
    let mut capabilities = Capabilities::new();
    let binary = env!("CARGO_BIN_EXE_template-desk");
    capabilities.insert("webkitgtk:browserOptions".into(), json!({ "binary": binary }));
    loop {
        let builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(capabilities.clone())
            .clone();
        match builder.connect(&format!("http://127.0.0.1:{port}")).await {
            Err(_) if started.elapsed() < START_TIMEOUT && driver.try_wait().unwrap().is_none() => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            outcome => return outcome,
        }
    }
}

/// Ends a driver and its app so that the next start reports no crash.
async fn end_in_order(mut driver: Child) {
    let group = format!("-{}", driver.id());
    let signal = |signal: &str| {
        let sent = Command::new("kill").args([signal, "--", &group]).stderr(Stdio::null()).status();
        sent.is_ok_and(|status| status.success())
    };
    signal("-TERM");
    driver.wait().unwrap();
    wait_until("driver and app have ended", || !signal("-0")).await;
}
