//! Tests with a real GNOME Keyring on a separate session bus. The bus is found by an environment variable, which a
//! process can't change for itself, so each case runs in a separate process.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use secrecy::ExposeSecret;

use super::*;
use crate::session_bus::SessionBus;

/// Timeout of a daemon on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A session with only the services that a test starts.
struct Session {
    bus: SessionBus,
    processes: Vec<Child>,
}

impl Session {
    fn start() -> Self {
        Self { bus: SessionBus::start(), processes: Vec::new() }
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        self.bus.command(program)
    }

    /// Starts the keyring daemon, with the keyring unlocked or unchanged.
    fn start_keyring(&mut self, unlocked: bool) {
        let mut command = self.command("gnome-keyring-daemon");
        command.args(["--foreground", "--components=secrets"]).stdout(Stdio::null());
        if unlocked {
            command.arg("--unlock").stdin(Stdio::piped());
        }
        let mut daemon = command.spawn().expect("gnome-keyring-daemon is installed (package gnome-keyring)");
        if let Some(mut password) = daemon.stdin.take() {
            password.write_all(b"of a test\n").unwrap();
        }
        self.processes.push(daemon);
        let started = Instant::now();
        while !self.owns_secrets() {
            assert!(started.elapsed() < TIMEOUT, "the keyring's daemon does not answer");
            next_poll();
        }
    }

    fn owns_secrets(&self) -> bool {
        let answer = self
            .command("dbus-send")
            .args(["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"])
            .args(["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"])
            .output()
            .expect("dbus-send is installed (package dbus-bin)");
        String::from_utf8_lossy(&answer.stdout).contains("boolean true")
    }

    /// Stops the daemon that was started last.
    fn end_keyring(&mut self) {
        end(self.processes.pop().unwrap());
        let started = Instant::now();
        while self.owns_secrets() {
            assert!(started.elapsed() < TIMEOUT, "the bus does not notice that the daemon is gone");
            next_poll();
        }
    }

    /// Runs a case of this module in a process in this session.
    fn run(&self, case: &str) {
        let program: PathBuf = std::env::current_exe().unwrap();
        let module = module_path!().split_once("::").unwrap().1;
        let output = self
            .command(program)
            .args(["--exact", "--ignored", "--nocapture", &format!("{module}::{case}")])
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let output_text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && output_text.contains("1 passed"), "{case}: {output_text}");
    }
}

fn end(mut process: Child) {
    let _gone = process.kill();
    let _reaped = process.wait();
}

impl Drop for Session {
    fn drop(&mut self) {
        self.processes.drain(..).rev().for_each(end);
    }
}

fn problem<T>(answer: Answer<T>) -> Option<KeyringProblem> {
    answer.err().map(|failure| failure.problem)
}

fn text(keyring: &SystemKeyring, key: &str) -> Option<String> {
    keyring.get(key).unwrap().map(|secret| secret.expose_secret().to_owned())
}

#[test]
fn a_missing_bus_or_keyring_is_distinguished_from_a_locked_one() {
    let mut session = Session::start();
    session.run("reports_a_missing_service");
    session.start_keyring(false);
    session.run("reports_a_missing_keyring");
    session.end_keyring();
    session.start_keyring(true);
    session.run("stores_reads_and_deletes_entries");
    session.run("uses_the_newest_of_several_entries");
    session.run("reports_a_locked_keyring");
    session.bus.address = "unix:path=/nonexistent/bus".to_owned();
    session.run("reports_a_missing_service");
}

#[test]
fn a_daemon_that_starts_late_or_restarts_is_found() {
    let mut session = Session::start();
    let home = session.bus.home.path().to_owned();
    let program = std::env::current_exe().unwrap();
    let module = module_path!().split_once("::").unwrap().1;
    let mut app = session
        .command(program)
        .args(["--exact", "--ignored", "--nocapture", &format!("{module}::finds_the_daemon_after_each_start")])
        .env("STEPS", &home)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_step(&home, "asked-without-daemon");
    session.start_keyring(true);
    mark_step(&home, "daemon-started");
    wait_for_step(&home, "stored");
    session.end_keyring();
    session.start_keyring(true);
    mark_step(&home, "daemon-restarted");
    assert!(app.wait().unwrap().success());
}

fn mark_step(folder: &std::path::Path, name: &str) {
    std::fs::write(folder.join(name), "").unwrap();
}

fn wait_for_step(folder: &std::path::Path, name: &str) {
    let started = Instant::now();
    while !folder.join(name).exists() {
        assert!(started.elapsed() < TIMEOUT, "{name} did not happen");
        next_poll();
    }
}

/// Pauses between two looks at another process, which sends no signal.
fn next_poll() {
    std::thread::sleep(Duration::from_millis(2));
}

#[test]
#[ignore = "run by another test, on its bus"]
fn reports_a_missing_service() {
    let keyring = SystemKeyring::default();
    assert!(matches!(keyring.state(), KeyringState::Missing { .. }), "{:?}", keyring.state());
    assert_eq!(problem(keyring.get("w/token")), Some(KeyringProblem::Missing));
    assert_eq!(problem(keyring.set("w/token", &"secret".into())), Some(KeyringProblem::Missing));
    assert_eq!(problem(keyring.delete("w/token")), Some(KeyringProblem::Missing));
}

/// The daemon runs, but the person never created a keyring.
#[test]
#[ignore = "run by another test, on its bus"]
fn reports_a_missing_keyring() {
    let keyring = SystemKeyring::default();
    assert!(matches!(keyring.state(), KeyringState::Missing { .. }), "{:?}", keyring.state());
    assert_eq!(problem(keyring.set("w/token", &"secret".into())), Some(KeyringProblem::Missing));
}

#[test]
#[ignore = "run by another test, on its bus"]
fn stores_reads_and_deletes_entries() {
    let keyring = SystemKeyring::default();
    assert_eq!(keyring.state(), KeyringState::Available);
    assert_eq!(text(&keyring, "w/token"), None);
    keyring.set("w/token", &"first \u{1f511}".into()).unwrap();
    keyring.set("w/clientSecret", &"another".into()).unwrap();
    keyring.set("w/token", &"second".into()).unwrap();
    assert_eq!(text(&SystemKeyring::default(), "w/token").as_deref(), Some("second"));
    assert_eq!(text(&keyring, "w/clientSecret").as_deref(), Some("another"));
    keyring.delete("w/clientSecret").unwrap();
    keyring.delete("w/clientSecret").unwrap();
    assert_eq!(text(&keyring, "w/clientSecret"), None);
}

/// Entries of the same key that another program created.
#[test]
#[ignore = "run by another test, on its bus"]
fn uses_the_newest_of_several_entries() {
    let keyring = SystemKeyring::default();
    let service = SecretService::connect(EncryptionType::Dh).unwrap();
    let collection = service.get_default_collection().unwrap();
    for secret in ["older", "newer"] {
        let more = HashMap::from([("service", SERVICE), ("username", "w/twice"), ("made", secret)]);
        collection.create_item("another", more, secret.as_bytes(), false, "text/plain").unwrap();
        // Timestamps in the keyring are whole seconds.
        std::thread::sleep(Duration::from_millis(1100));
    }
    assert_eq!(text(&keyring, "w/twice").as_deref(), Some("newer"));
    keyring.set("w/twice", &"own".into()).unwrap();
    assert_eq!(text(&keyring, "w/twice").as_deref(), Some("own"));
    keyring.delete("w/twice").unwrap();
    assert_eq!(text(&keyring, "w/twice"), None);
}

#[test]
#[ignore = "run by another test, on its bus"]
fn reports_a_locked_keyring() {
    let keyring = SystemKeyring::default();
    assert_eq!(text(&keyring, "w/token").as_deref(), Some("second"), "kept between processes");
    let service = SecretService::connect(EncryptionType::Dh).unwrap();
    service.get_default_collection().unwrap().lock().unwrap();
    assert_eq!(keyring.state(), KeyringState::Locked);
    for answer in [
        problem(keyring.get("w/token")),
        problem(keyring.get("w/neverStored")),
        problem(keyring.set("w/token", &"third".into())),
        problem(keyring.set("w/neverStored", &"third".into())),
        problem(keyring.delete("w/token")),
    ] {
        assert_eq!(answer, Some(KeyringProblem::Locked));
    }
    // The prompt is never answered, so the keyring stays locked.
    assert_eq!(keyring.unlock(), KeyringState::Locked);
}

#[test]
#[ignore = "run by another test, on its bus"]
fn finds_the_daemon_after_each_start() {
    let steps = PathBuf::from(std::env::var_os("STEPS").unwrap());
    let keyring = SystemKeyring::default();
    assert_eq!(problem(keyring.get("w/token")), Some(KeyringProblem::Missing));
    mark_step(&steps, "asked-without-daemon");
    wait_for_step(&steps, "daemon-started");
    keyring.set("w/token", &"kept".into()).unwrap();
    mark_step(&steps, "stored");
    wait_for_step(&steps, "daemon-restarted");
    assert_eq!(text(&keyring, "w/token").as_deref(), Some("kept"));
}
