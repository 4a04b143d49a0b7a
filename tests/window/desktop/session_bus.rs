//! The session bus of a desktop, and the keyring on it.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{Desktop, START_TIMEOUT, first_line};

impl Desktop {
    pub(super) fn start_bus(&mut self) {
        let mut bus = self
            .command("dbus-daemon")
            .arg(format!("--config-file={}", self.bus_configuration().display()))
            .args(["--nofork", "--print-address=1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon is installed (package dbus)");
        self.bus = Some(first_line(&mut bus));
        self.keep(bus);
    }

    /// A bus that starts no services: no portal and no accessibility bus of this machine joins the test.
    fn bus_configuration(&self) -> PathBuf {
        let file = self.home.path().join("bus.conf");
        let configuration = format!(
            r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"#,
            self.home.path().join("runtime/bus").display()
        );
        std::fs::write(&file, configuration).unwrap();
        file
    }

    pub(super) fn start_keyring(&mut self) {
        let mut daemon = self
            .command("gnome-keyring-daemon")
            .args(["--foreground", "--unlock", "--components=secrets"])
            .stdin(Stdio::piped())
            .stdout(self.log("keyring.out"))
            .stderr(self.log("keyring.err"))
            .spawn()
            .expect("gnome-keyring-daemon is installed (package gnome-keyring)");
        // The password of a new keyring: an empty line, then the end of the input.
        daemon.stdin.take().unwrap().write_all(b"\n").unwrap();
        self.keep(daemon);
        let started = Instant::now();
        while !self.owns_secrets() {
            assert!(started.elapsed() < START_TIMEOUT, "the keyring daemon does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Whether a service on the bus owns the name of the Secret Service.
    fn owns_secrets(&self) -> bool {
        let answer = self
            .command("dbus-send")
            .args(["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"])
            .args(["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"])
            .output()
            .expect("dbus-send is installed (package dbus-bin)");
        String::from_utf8_lossy(&answer.stdout).contains("boolean true")
    }
}
