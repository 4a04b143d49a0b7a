//! `tdesk desk` as root beside a service that another user runs: nothing that this user planted is followed.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::PathBuf;
use std::process::Output;

use serde_json::json;
use tokio::task::JoinSet;

use crate::receiving::{Folder, run, stderr};

/// The user and group of the service.
const SERVICE: u32 = 65534;
const LIST: &str = "inbox.sqlite.desks.json";

/// A folder of the service, and a file of root beside it; `None` where the test cannot be root.
fn service_folder() -> Option<(Folder, PathBuf)> {
    let folder = Folder::new();
    if fs::metadata(folder.path()).unwrap().uid() != 0 {
        eprintln!("skipped: only root can give a folder to another user");
        return None;
    }
    let (service, target) = (folder.delivery_log(), folder.path().join("of-root"));
    fs::create_dir(service.parent().unwrap().join("service")).unwrap();
    chown(folder.path().join("service"), Some(SERVICE), Some(SERVICE)).unwrap();
    fs::write(&target, "[]").unwrap();
    fs::set_permissions(&target, Permissions::from_mode(0o640)).unwrap();
    Some((folder, target))
}

fn path(folder: &Folder, name: &str) -> PathBuf {
    folder.path().join("service").join(name)
}

async fn desk(folder: &Folder, arguments: &[&str]) -> Output {
    let delivery_log = path(folder, "inbox.sqlite");
    run(&[&["desk"], arguments, &["--database", delivery_log.to_str().unwrap()]].concat()).await
}

fn assert_untouched(target: &PathBuf) {
    let metadata = fs::metadata(target).unwrap();
    let found = (fs::read_to_string(target).unwrap(), metadata.uid(), metadata.mode() & 0o777);
    assert_eq!(found, ("[]".to_owned(), 0, 0o640));
}

#[tokio::test]
async fn a_list_that_root_makes_belongs_to_the_service() {
    let Some((folder, _)) = service_folder() else { return };
    // Before the first start there is no delivery log whose owner would be known.
    for command in [&["add", "ana"], &["add", "bob"], &["revoke", "ana"]] {
        let output = desk(&folder, command).await;
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
        let list = fs::metadata(path(&folder, LIST)).unwrap();
        assert_eq!((list.uid(), list.gid(), list.mode() & 0o777), (SERVICE, SERVICE, 0o600));
    }
    let names: Vec<_> = fs::read_dir(folder.path().join("service")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, [LIST], "nothing else remains");
}

#[tokio::test]
async fn a_list_belongs_to_the_owner_of_the_delivery_log_in_a_folder_of_root() {
    let Some((folder, _)) = service_folder() else { return };
    chown(folder.path().join("service"), Some(0), Some(SERVICE)).unwrap();
    fs::write(path(&folder, "inbox.sqlite"), "").unwrap();
    chown(path(&folder, "inbox.sqlite"), Some(SERVICE), Some(SERVICE)).unwrap();
    assert_eq!(desk(&folder, &["add", "ana"]).await.status.code(), Some(0));
    assert_eq!(fs::metadata(path(&folder, LIST)).unwrap().uid(), SERVICE);
}

#[tokio::test]
async fn planted_links_for_temporary_files_are_not_followed() {
    for planted in ["inbox.sqlite.desks.json.lock", "inbox.sqlite.desks.json.tmp"] {
        let Some((folder, target)) = service_folder() else { return };
        symlink(&target, path(&folder, planted)).unwrap();
        for command in [["add", "ana"], ["revoke", "ana"]] {
            let output = desk(&folder, &command).await;
            assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{planted}");
            assert_untouched(&target);
        }
    }
}

#[tokio::test]
async fn a_list_that_is_a_link_is_refused() {
    let Some((folder, target)) = service_folder() else { return };
    symlink(&target, path(&folder, LIST)).unwrap();
    for command in [&["add", "ana"][..], &["revoke", "ana"], &["list"]] {
        let output = desk(&folder, command).await;
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), &b""[..]), "{command:?}");
        let said = stderr(&output);
        assert!(said.contains(LIST) && said.contains("is a link") && said.contains("remove it"), "{said}");
        assert_untouched(&target);
    }
    // What is no file keeps the command from waiting.
    fs::remove_file(path(&folder, LIST)).unwrap();
    let made = std::process::Command::new("mkfifo").arg(path(&folder, LIST)).status().unwrap();
    assert!(made.success());
    let output = desk(&folder, &["list"]).await;
    assert!(stderr(&output).contains("is not a file"), "{}", stderr(&output));
}

/// The owner of a planted delivery log gets no file of root.
#[tokio::test]
async fn a_delivery_log_that_is_a_link_decides_nothing() {
    let Some((folder, target)) = service_folder() else { return };
    symlink(&target, path(&folder, "inbox.sqlite")).unwrap();
    assert_eq!(desk(&folder, &["add", "ana"]).await.status.code(), Some(0));
    assert_eq!(fs::metadata(path(&folder, LIST)).unwrap().uid(), SERVICE);
    assert_untouched(&target);
}

#[tokio::test]
async fn commands_at_the_same_time_lose_no_desk() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("service")).unwrap();
    let names: Vec<String> = (0..8).map(|number| format!("desk {number}")).collect();
    let delivery_log = path(&folder, "inbox.sqlite");
    let mut adding = JoinSet::new();
    for name in names.clone() {
        let delivery_log = delivery_log.clone();
        adding.spawn(async move { run(&["desk", "add", &name, "--database", delivery_log.to_str().unwrap()]).await });
    }
    for output in adding.join_all().await {
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    }
    let output = desk(&folder, &["list"]).await;
    let listed: Vec<_> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["name"].clone())
        .collect();
    assert_eq!(listed, names.iter().map(|name| json!(name)).collect::<Vec<_>>());
}
