//! Files of `tdesk` with message content: not accessible to other users, and with a single writer.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::receiving::{Folder, Running, envelope, run, status, stderr, tdesk};

/// `tdesk` with a umask that masks no permission.
fn open_umask(arguments: &[&str]) -> tokio::process::Command {
    let mut command = tdesk(&[]);
    let mut shell = tokio::process::Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tdesk")]).args(arguments);
    shell.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).kill_on_drop(true);
    shell.envs(command.as_std_mut().get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    shell
}

/// Files and folders below `folder` that other users can access.
fn readable_by_others(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            found.push(format!("{} {mode:o}", entry.path().display()));
        }
        if entry.file_type().unwrap().is_dir() {
            found.extend(readable_by_others(&entry.path()));
        }
    }
    found
}

#[tokio::test]
async fn an_delivery_log_is_private_with_any_umask() {
    let folder = Folder::new();
    let delivery_log = folder.delivery_log();
    let arguments = ["receive", "--listen", "127.0.0.1:0", "--secret-env", "CURRENT", "--database"];
    let arguments = [&arguments[..], &[delivery_log.to_str().unwrap()]].concat();
    let mut receiver = Running::spawn(open_umask(&arguments));
    receiver.json_line().await;
    assert!(folder.path().join("inbox.sqlite-wal").exists());
    assert_eq!(readable_by_others(folder.path()), [""; 0]);
    assert_eq!(receiver.stop().await.0, Some(0));
    // Permissions left by an earlier version or another program are restricted.
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        std::fs::set_permissions(entry.unwrap().path(), std::fs::Permissions::from_mode(0o666)).unwrap();
    }
    let mut receiver = Running::spawn(open_umask(&arguments));
    receiver.json_line().await;
    assert_eq!(readable_by_others(folder.path()), [""; 0]);
    receiver.stop().await;
}

#[tokio::test]
async fn the_state_of_a_sandbox_is_private_with_any_umask() {
    let folder = Folder::new();
    let state = folder.path().join("state.json");
    let arguments = ["sandbox", "--listen", "127.0.0.1:0", "--token", "T", "--seed", "--workspace"];
    let more = ["9c1f5a52-0a52-4f6e-9d3e-0c1f8f2b7a11", "--state", state.to_str().unwrap()];
    let arguments = [&arguments[..], &more].concat();
    for _ in 0..2 {
        let mut sandbox = Running::spawn(open_umask(&arguments));
        sandbox.json_line().await;
        assert!(folder.path().join("state.json.media").is_dir());
        assert_eq!(readable_by_others(folder.path()), [""; 0]);
        sandbox.stop().await;
        for name in ["state.json", "state.json.media"] {
            std::fs::set_permissions(folder.path().join(name), std::fs::Permissions::from_mode(0o777)).unwrap();
        }
    }
}

#[tokio::test]
async fn a_second_receiver_of_a_file_is_refused() {
    let folder = Folder::new();
    let first = folder.receive(&[]).await;
    let delivery_log = folder.delivery_log();
    let arguments = ["receive", "--listen", "127.0.0.1:0", "--secret-env", "CURRENT", "--database"];
    let link = delivery_log.with_file_name("link.sqlite");
    std::os::unix::fs::symlink(&delivery_log, &link).unwrap();
    for path in [&delivery_log, &link] {
        let second = run(&[&arguments[..], &[path.to_str().unwrap()]].concat()).await;
        assert_eq!((second.status.code(), second.stdout.as_slice()), (Some(3), &b""[..]), "{path:?}");
        let printed = stderr(&second);
        assert!(printed.contains("is in use by another program") && printed.trim().lines().count() == 1, "{printed}");
    }
    for number in 0..20 {
        assert_eq!(first.deliver(envelope(&[status(&format!("m{number}"), "sent")])).await, 200);
    }
    assert_eq!(folder.events(&[]).await.len(), 20);
    // A killed receiver leaves no lock behind.
    first.signal("KILL").await;
    first.end().await;
    let third = folder.receive(&[]).await;
    assert_eq!(third.deliver(envelope(&[status("last", "sent")])).await, 200);
}
