//! A session bus for tests, with only the services that a test starts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// The bus; it ends when it is dropped.
pub(crate) struct SessionBus {
    pub(crate) home: tempfile::TempDir,
    pub(crate) address: String,
    daemon: Child,
}

impl SessionBus {
    pub(crate) fn start() -> Self {
        let home = tempfile::TempDir::new().unwrap();
        let configuration = home.path().join("bus.conf");
        let bus = home.path().join("bus");
        let text = format!(
            r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"#,
            bus.display()
        );
        std::fs::write(&configuration, text).unwrap();
        let address = format!("unix:path={}", bus.display());
        let mut daemon = quiet("dbus-daemon", &home, &address)
            .arg(format!("--config-file={}", configuration.display()))
            .args(["--nofork", "--print-address"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("dbus-daemon is installed (package dbus)");
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
        Self { home, address, daemon }
    }

    /// A command without the environment of the surrounding desktop.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        quiet(program, &self.home, &self.address)
    }
}

fn quiet(program: impl AsRef<std::ffi::OsStr>, home: &tempfile::TempDir, address: &str) -> Command {
    let mut command = Command::new(program);
    let home = home.path();
    command.env_clear().env("PATH", std::env::var("PATH").unwrap_or_default()).env("HOME", home);
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
        command.env(name, home);
    }
    command.env("DBUS_SESSION_BUS_ADDRESS", address).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

impl Drop for SessionBus {
    fn drop(&mut self) {
        let _gone = self.daemon.kill();
        let _reaped = self.daemon.wait();
    }
}
