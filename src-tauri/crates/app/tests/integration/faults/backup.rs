//! R14, the control: damaged backups.

use std::fs;

use command_types::Nothing;
use command_types::error::DeskError;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tempfile::TempDir;

use super::damage::damage;
use super::desk::TestFolder;
use super::in_process::open;
use super::{Form, check};

/// A damaged backup is refused, and nothing changes.
pub(super) async fn damaged(form: Form) {
    let rounds = form.rounds(10, 200);
    let place = TestFolder::new().await;
    super::in_process::store(&place.folder(), 0..200, |_| 1_700_000_000_000).await;
    let shelf = TempDir::new().unwrap();
    let core = open(&place.folder()).await;
    let whole = std::path::PathBuf::from(core.data.back_up(shelf.path()).await.unwrap().path);
    let mut random = StdRng::seed_from_u64(14);
    for round in 0..rounds {
        let copy = shelf.path().join(format!("copy {round}"));
        fs::create_dir(&copy).unwrap();
        for entry in fs::read_dir(&whole).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
        }
        let file = ["inbox.sqlite", "desk.sqlite", "manifest.json"][random.random_range(0..3)];
        let before = fs::read(copy.join(file)).unwrap();
        let how = if file == "manifest.json" || round % 5 == 4 {
            fs::remove_file(copy.join(file)).unwrap();
            "removed".to_owned()
        } else {
            damage(&copy.join(file), &mut random)
        };
        if fs::read(copy.join(file)).is_ok_and(|after| after == before) {
            continue;
        }
        let refused = core.data.restore_backup(&copy).await;
        assert!(matches!(refused, Err(DeskError::File { .. })), "R14: {file} {how}: {refused:?}");
        assert_eq!(core.data.get_storage(Nothing {}).await.unwrap().pending_restore, None);
    }
    // A restore that was scheduled and cancelled changes nothing either.
    core.data.restore_backup(&whole).await.unwrap();
    assert!(core.data.get_storage(Nothing {}).await.unwrap().pending_restore.is_some());
    core.data.cancel_restore(Nothing {}).await.unwrap();
    let before = mark(&place.folder());
    core.close().await;
    let core = open(&place.folder()).await;
    assert_eq!(mark(&place.folder()), before);
    core.close().await;
    println!("R14 damaged_backups={rounds} restored=0");
}

fn mark(folder: &std::path::Path) -> (String, u64) {
    check::open(&folder.join("inbox.sqlite"))
        .query_row("SELECT log_id, (SELECT count(*) FROM delivery) FROM meta", [], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
}
