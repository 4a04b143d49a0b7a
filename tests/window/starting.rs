//! What a person sees at a start on a small screen, and when the app cannot start.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use super::desktop::{Desktop, Keyring};

/// A file system in memory, unmounted when it is dropped.
struct Mounted(TempDir);

impl Mounted {
    /// `None` where this process may not mount.
    fn new(options: &str) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder.path()).output().unwrap();
        if !mounted.status.success() {
            println!("no file system can be mounted here: {}", String::from_utf8_lossy(&mounted.stderr));
        }
        mounted.status.success().then_some(Self(folder))
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _unmounted = Command::new("umount").arg(self.0.path()).status();
    }
}

#[tokio::test]
async fn a_start_without_a_usable_data_folder_says_why_and_what_to_do() {
    let desktop = Desktop::start("start-in-vain", Keyring::Absent);
    let check = |folder: &Path, expected: &[&str]| {
        let dialog = desktop.start_in_vain(folder);
        assert!(dialog.contains("Template Desk cannot start"), "{dialog}");
        for words in expected {
            assert!(dialog.contains(words), "{words} is not in {dialog}");
        }
    };
    let file = desktop.file("taken");
    std::fs::write(&file, "").unwrap();
    check(&file, &["TEMPLATE_DESK_HOME", file.to_str().unwrap(), "a file has the name of a folder"]);
    if let Some(disk) = Mounted::new("ro") {
        let folder = disk.folder().join("desk");
        check(&folder, &["TEMPLATE_DESK_HOME", folder.to_str().unwrap(), "the disk is read-only"]);
    }
    if let Some(disk) = Mounted::new("size=64k") {
        check(&disk.folder().join("desk"), &["free some space on the disk"]);
    }
}

/// A laptop of 1366 × 768 pixels at 150 %, without the taskbar.
#[tokio::test]
async fn the_first_window_fits_a_small_screen() {
    let mut desktop = Desktop::start_on_screen("small-screen", (910, 472));
    let page = desktop.open_app().await;
    let size = page.run("return [innerWidth, innerHeight]", vec![]).await;
    assert_eq!(size, json!([910, 472]));
}
