//! The process ends between the steps of retention, backup, restore and salvage: the next start continues, and nothing
//! is left incomplete.

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use command_types::Nothing;
use serde_json::json;
use tempfile::TempDir;

use super::desk::{Desk, TestFolder};
use super::disk::{copy_files, files};
use super::in_process::{open, store, wait_for_projection};
use super::{Form, check, retention as keeping};

const DELIVERIES: u64 = 3_000;
const DAY: i64 = 86_400_000;

/// A folder with deliveries of many days, projected and closed cleanly.
async fn prepared() -> TestFolder {
    let place = TestFolder::new().await;
    let now = app_now();
    store(&place.folder(), 0..DELIVERIES, |number| {
        now - 90 * DAY + i64::try_from(number * 80 / DELIVERIES).unwrap() * DAY
    })
    .await;
    let core = open(&place.folder()).await;
    wait_for_projection(&core).await;
    core.close().await;
    place
}

fn app_now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(now.as_millis()).unwrap()
}

async fn copy_of(place: &TestFolder) -> TestFolder {
    let copy = TestFolder::new().await;
    for file in files(&copy.folder()) {
        fs::remove_file(file).unwrap();
    }
    copy_files(&place.folder(), &copy.folder());
    copy
}

/// Action of a failpoint: the process ends at the given pass, from 0.
fn at(point: &str, pass: u32) -> String {
    assert!(store::failpoint::ALL.iter().any(|(stored_state, _)| *stored_state == point), "{point} is gone");
    format!("{point}={pass}*off->return")
}

/// Starts a desk that ends at a failpoint during `command`.
async fn wait_until_ended(folder: &Path, action: &str, command: &str) {
    let mut desk = Desk::start_with(&[("FAILPOINTS", action)], folder, None).await.unwrap();
    desk.wait_for_projection().await;
    desk.send_command(command).await;
    desk.wait_for_crash().await;
}

fn deliveries(delivery_log: &Path) -> u64 {
    check::open(delivery_log).query_row("SELECT count(*) FROM delivery", [], |row| row.get(0)).unwrap()
}

/// Retention ends at every step; the next run continues, and the rest equals that of an undisturbed run.
pub(super) async fn retention(form: Form) {
    let place = prepared().await;
    let command = format!(
        "retain {}",
        json!({"rules": [{"kind": "status", "days": 40}, {"kind": "message", "days": 60}, {"kind": "template", "days": 30}]})
    );
    let undisturbed = copy_of(&place).await;
    let mut desk = Desk::start(&undisturbed.folder(), None).await;
    let report = desk.ask(&command).await;
    assert!(report["deliveries"].as_u64().is_some_and(|removed| removed > DELIVERIES / 4), "{report}");
    desk.close().await;
    let expected = keeping::projection(&undisturbed.folder());
    let left = deliveries(&undisturbed.folder().join("inbox.sqlite"));
    let mut kills = 0;
    let points =
        ["retention.chosen", "retention.cache", "retention.deleted", "retention.delivery_log", "retention.vacuumed"];
    for point in points {
        for pass in 0..form.pick(1, 2) {
            // Pages are freed once, at the end.
            if point == "retention.vacuumed" && pass > 0 {
                continue;
            }
            let killed = copy_of(&place).await;
            wait_until_ended(&killed.folder(), &at(point, pass), &command).await;
            kills += 1;
            let core = open(&killed.folder()).await;
            wait_for_projection(&core).await;
            core.data.apply_retention(Nothing {}).await.unwrap();
            core.close().await;
            check::projected(&killed.folder(), &[]).assert_clean(point);
            assert_eq!(deliveries(&killed.folder().join("inbox.sqlite")), left, "{point}");
            assert!(keeping::projection(&killed.folder()) == expected, "{point}: the projection differs");
        }
    }
    println!("steps retention kills={kills} different=0");
}

/// A backup ends at every step; a completed one is intact, and the next one succeeds.
pub(super) async fn backup(_form: Form) {
    let place = prepared().await;
    let mut kills = 0;
    for (point, pass) in [
        ("backup.started", 0),
        ("backup.pages", 0),
        ("backup.pages", 1),
        ("backup.copied", 0),
        ("backup.copied", 1),
        ("backup.manifest", 0),
        ("backup.named", 0),
    ] {
        let shelf = TempDir::new().unwrap();
        wait_until_ended(&place.folder(), &at(point, pass), &format!("back-up {}", shelf.path().display())).await;
        kills += 1;
        let names: Vec<_> = fs::read_dir(shelf.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        let [name] = names.as_slice() else { panic!("{point}: {names:?}") };
        let unfinished = name.extension().is_some_and(|extension| extension == "tmp");
        assert_eq!(unfinished, point != "backup.named", "{point}: {name:?}");
        let core = open(&place.folder()).await;
        if !unfinished {
            assert_eq!(core.data.check_backup(name).await.unwrap().deliveries, DELIVERIES);
        }
        assert_eq!(core.data.back_up(shelf.path()).await.unwrap().deliveries, DELIVERIES, "{point}");
        core.close().await;
        check::projected(&place.folder(), &[]).assert_clean(point);
    }
    println!("steps backup kills={kills} half=0");
}

/// A restore ends at every step: the files are either the previous ones or those of the backup, never mixed.
pub(super) async fn restore(_form: Form) {
    let place = prepared().await;
    let shelf = TempDir::new().unwrap();
    let core = open(&place.folder()).await;
    let backup = core.data.back_up(shelf.path()).await.unwrap().path;
    core.close().await;
    // Afterwards more deliveries are received, and a setting changes.
    store(&place.folder(), DELIVERIES..DELIVERIES + 100, |_| app_now()).await;
    let desk = store::Desk::open(&place.folder().join("desk.sqlite")).unwrap();
    desk.set_setting("since", "1".to_owned()).await.unwrap();
    drop(desk);
    let mut kills = 0;
    for (point, pass, by_start) in [
        ("restore.staged", 0, false),
        ("restore.marked", 0, false),
        ("restore.moved", 0, true),
        ("restore.placed", 0, true),
        ("restore.moved", 1, true),
        ("restore.placed", 1, true),
    ] {
        let killed = copy_of(&place).await;
        if by_start {
            let mut desk = Desk::start(&killed.folder(), None).await;
            assert!(desk.ask(&format!("restore {backup}")).await.get("failed").is_none());
            desk.close().await;
            let action = at(point, pass);
            assert!(Desk::start_with(&[("FAILPOINTS", &action)], &killed.folder(), None).await.is_err(), "{point}");
        } else {
            wait_until_ended(&killed.folder(), &at(point, pass), &format!("restore {backup}")).await;
        }
        kills += 1;
        let core = open(&killed.folder()).await;
        wait_for_projection(&core).await;
        let state = core.data.get_storage(Nothing {}).await.unwrap();
        core.close().await;
        let desk = store::Desk::open(&killed.folder().join("desk.sqlite")).unwrap();
        let since = desk.setting("since").await.unwrap().is_some();
        drop(desk);
        let restored = point != "restore.staged";
        let expected = if restored { (DELIVERIES, false, 2) } else { (DELIVERIES + 100, true, 0) };
        assert_eq!((state.delivery_log.deliveries, since, state.set_aside.len()), expected, "{point} {pass}");
        assert_eq!(state.pending_restore, None, "{point}");
        for aside in &state.set_aside {
            assert!(Path::new(&aside.path).exists(), "{point}: {aside:?}");
        }
        assert!(!killed.folder().join("restore").exists(), "{point}: nothing is left over");
        check::projected(&killed.folder(), &[]).assert_clean(point);
    }
    println!("steps restore kills={kills} mixed=0");
}

/// A salvage ends at every step; the next start salvages the same rows.
pub(super) async fn salvage(_form: Form) {
    let place = prepared().await;
    let delivery_log = fs::File::options().write(true).open(place.folder().join("inbox.sqlite")).unwrap();
    let pages = delivery_log.metadata().unwrap().len() / 4_096;
    for page in [pages / 3, pages / 2] {
        delivery_log.write_all_at(&[0; 4_096], page * 4_096).unwrap();
    }
    // The root page: this file can no longer be opened.
    delivery_log.write_all_at(&[0xff; 64], 0).unwrap();
    drop(delivery_log);
    let mut kills = 0;
    let mut outcome = None;
    for (point, pass) in [
        ("salvage.started", 0),
        ("salvage.copied", 0),
        ("salvage.copied", 2),
        ("salvage.aside", 0),
        ("salvage.placed", 0),
    ] {
        let killed = copy_of(&place).await;
        let action = at(point, pass);
        assert!(Desk::start_with(&[("FAILPOINTS", &action)], &killed.folder(), None).await.is_err(), "{point}");
        kills += 1;
        let core = open(&killed.folder()).await;
        wait_for_projection(&core).await;
        let state = core.data.get_storage(Nothing {}).await.unwrap();
        core.close().await;
        let [aside] = state.set_aside.as_slice() else { panic!("{point}: {:?}", state.set_aside) };
        let (recovered, lost) = (aside.recovered.unwrap(), aside.lost.unwrap());
        assert_eq!((recovered, recovered + lost), (state.delivery_log.deliveries, DELIVERIES), "{point}");
        assert!(Path::new(&aside.path).exists() && lost > 0, "{point}: {aside:?}");
        assert_eq!(*outcome.get_or_insert((recovered, lost)), (recovered, lost), "{point}");
        check::projected(&killed.folder(), &[]).assert_clean(point);
    }
    println!("steps salvage kills={kills} outcome={outcome:?}");
}
