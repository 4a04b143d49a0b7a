//! The files of a whole run are not accessible to other users, even with a umask that removes no permission.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use app::SANDBOX_ID;
use command_types::activity::ExportEvents;
use sandbox::phone::PhoneFile;

use super::conversations::conversation;
use super::harness::Harness;

const ANA: &str = "5511987654321";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nnot much of a picture";

fn readable_by_others(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            found.push(format!("{} {mode:o}", entry.path().display()));
        }
        if entry.file_type().unwrap().is_dir() {
            readable_by_others(&entry.path(), found);
        }
    }
}

#[test]
fn no_file_is_readable_by_other_users() {
    let folder = tempfile::tempdir().unwrap();
    let test = "private::run_with_an_open_umask";
    let ended = Command::new("sh")
        .args(["-c", "umask 000; exec \"$0\" \"$@\"", std::env::current_exe().unwrap().to_str().unwrap()])
        .args(["--ignored", "--exact", test])
        .env("PRIVATE_FOLDER", folder.path())
        .output()
        .unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
    let mut found = Vec::new();
    readable_by_others(folder.path(), &mut found);
    assert_eq!(found, Vec::<String>::new());
    let run = folder.path().join("run");
    for name in ["desk/media/messages", "desk/desk.sqlite", "sandbox.json", "events.jsonl", "saved.png", "backups"] {
        assert!(run.join(name).exists(), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by another test, under a umask of its own"]
async fn run_with_an_open_umask() {
    let folder = std::path::PathBuf::from(std::env::var_os("PRIVATE_FOLDER").unwrap());
    let run = tempfile::Builder::new().prefix("run").rand_bytes(0).tempdir_in(folder).unwrap();
    let folder = run.path().to_owned();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).unwrap();
    // As it was created first.
    std::fs::create_dir(folder.join("desk")).unwrap();
    let mut harness = Harness::start_in(run).await;
    // Its address is stored once it answers.
    harness.ask(reqwest::Method::GET, "/sandbox", &serde_json::Value::Null).await;
    let file = PhoneFile { bytes: PNG.into(), filename: Some("a.png".to_owned()), ..PhoneFile::default() };
    harness.sandbox.send_file(ANA, file, None, None).await.unwrap();
    let event = loop {
        harness.wait_for_projection().await;
        let page = conversation(&harness.core, SANDBOX_ID, ANA, 10).await;
        if let Some(event) = page.messages.into_iter().find_map(|message| message.event) {
            break event;
        }
    };
    let id =
        command_types::conversations::MediaRequest { workspace: SANDBOX_ID.to_owned(), event, ..Default::default() };
    harness.core.conversations.save_media_to(&folder.join("saved.png"), &id).await.unwrap();
    harness.core.webhooks.export_events_to(&folder.join("events.jsonl"), ExportEvents::default()).await.unwrap();
    let backups = folder.join("backups");
    std::fs::create_dir(&backups).unwrap();
    std::fs::set_permissions(&backups, std::fs::Permissions::from_mode(0o700)).unwrap();
    harness.core.data.back_up(&backups).await.unwrap();
    let _kept = harness.close().await.keep();
}
