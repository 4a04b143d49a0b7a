//! Output of the binary before a window opens.

use std::process::{Command, Output};

/// Starts the app without the environment of the surrounding desktop.
fn start(arguments: &[&str], display: Option<&str>) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_template-desk"));
    command.args(arguments).env_clear().env("HOME", home.path()).env("TEMPLATE_DESK_HOME", home.path().join("desk"));
    if let Some(display) = display {
        command.env("DISPLAY", display).env("GDK_BACKEND", "x11");
    }
    let output = command.output().unwrap();
    assert!(!home.path().join("desk").exists(), "a start without a window writes nothing");
    output
}

#[test]
fn a_start_without_a_display_prints_the_reason() {
    for (display, why) in [
        (None, "there is no display (neither WAYLAND_DISPLAY nor DISPLAY is set)"),
        (Some(":4093"), "the display :4093 cannot be opened"),
    ] {
        let output = start(&[], display);
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{printed}");
        let expected = "; start the app in a desktop session, or use tdesk, which needs no display\n";
        assert_eq!(printed, format!("template-desk: {why}{expected}"));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn help_and_version_need_no_display() {
    let version = start(&["--version"], None);
    assert_eq!(version.status.code(), Some(0));
    let expected = format!("template-desk {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(String::from_utf8_lossy(&version.stdout), expected);
    for flag in ["--help", "-h"] {
        let help = start(&[flag], None);
        let printed = String::from_utf8_lossy(&help.stdout).into_owned();
        assert_eq!(help.status.code(), Some(0), "{printed}");
        assert!(printed.contains("Usage: template-desk") && printed.contains("TEMPLATE_DESK_HOME"), "{printed}");
    }
    let wrong = start(&["--verbose"], None);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--verbose"));
}
