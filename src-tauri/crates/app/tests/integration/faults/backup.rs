//! R14: a backup while deliveries pour in, and its way back.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use app::error::DeskError;
use app::view::Nothing;
use app::workspace::webhook_path;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tempfile::TempDir;

use super::damage::damage;
use super::desk::{Place, WORKSPACE};
use super::inside::{caught_up, open};
use super::load::{Ledger, Senders};
use super::{Form, check};

/// R14: backups are made while senders never stop; each is whole and holds everything that was acknowledged before it
/// began. The last one is restored, and found again as it was.
pub(super) async fn under_load(form: Form) {
    let backups = form.rounds(2, 20);
    let place = Place::new().await;
    let shelf = TempDir::new().unwrap();
    let core = open(&place.folder()).await;
    let address = loop {
        match core.get_bootstrap(Nothing {}).await.unwrap().receiver {
            app::view::receiver::ReceiverState::Listening { address } => break address.parse().unwrap(),
            _ => tokio::task::yield_now().await,
        }
    };
    let ledger = Ledger::from(0);
    let senders = Senders::start(&ledger, address, &webhook_path(WORKSPACE), 32);
    ledger.grows_by(form.pick(500, 10_000)).await;
    let (mut during, mut held) = (0, 0);
    let mut last = None;
    for _ in 0..backups {
        let before = ledger.acknowledged();
        // The sending goes on until the copy is done, whatever the machine has to do besides.
        let copied = Arc::new(AtomicBool::new(false));
        let sent = Arc::new(AtomicU64::new(0));
        let report = core.back_up(shelf.path()).await.unwrap();
        copied.store(true, Ordering::SeqCst);
        sent.store(ledger.count() - before.len() as u64, Ordering::SeqCst);
        during += sent.load(Ordering::SeqCst);
        let folder = std::path::PathBuf::from(&report.path);
        check::inbox(&folder, &before).assert_clean("R14");
        assert!(report.deliveries >= before.len() as u64);
        assert_eq!(core.check_backup(&folder).await.unwrap(), report);
        held += before.len();
        last = Some((folder, report, before));
        ledger.grows_by(form.pick(200, 2_000)).await;
    }
    senders.stop().await;
    let acknowledged = ledger.acknowledged();
    caught_up(&core).await;
    let names: Vec<_> = fs::read_dir(shelf.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len() as u64, backups, "nothing unfinished is left: {names:?}");

    let (folder, report, before) = last.unwrap();
    let state = core.get_storage(Nothing {}).await.unwrap();
    assert_eq!(state.last_backup.as_ref().map(|backup| backup.path.as_str()), Some(report.path.as_str()));
    let restore = core.restore_backup(&folder).await.unwrap();
    assert_eq!(restore.newer_deliveries, state.inbox.deliveries - report.deliveries);
    let (old_id, _) = mark(&place.folder());
    core.close().await;
    let core = open(&place.folder()).await;
    caught_up(&core).await;
    let state = core.get_storage(Nothing {}).await.unwrap();
    assert_eq!((state.inbox.deliveries, state.pending_restore), (report.deliveries, None));
    assert_eq!(state.set_aside.len(), 2, "inbox and desk of before are kept: {:?}", state.set_aside);
    let notices = core.get_bootstrap(Nothing {}).await.unwrap().notices;
    assert!(notices.iter().any(|notice| notice.contains("was restored")), "{notices:?}");
    core.close().await;
    let (new_id, _) = mark(&place.folder());
    assert_ne!(old_id, new_id, "cursors into the inbox of before do not fit");
    check::all(&place.folder(), &before).assert_clean("R14");
    // What came after the backup is in the file that is kept.
    let kept = state.set_aside.iter().find(|aside| aside.path.contains("inbox")).unwrap();
    let kept = check::open(std::path::Path::new(&kept.path));
    let count: u64 = kept.query_row("SELECT count(*) FROM delivery", [], |row| row.get(0)).unwrap();
    assert!(count >= acknowledged.len() as u64);
    println!(
        "R14 backups={backups} acknowledged={} before_a_backup={held} during_backups={during} missing=0",
        acknowledged.len()
    );
}

/// R14, the control: a backup that is not what was written is refused, and nothing changes.
pub(super) async fn damaged(form: Form) {
    let rounds = form.rounds(10, 200);
    let place = Place::new().await;
    super::inside::store(&place.folder(), 0..200, |_| 1_700_000_000_000).await;
    let shelf = TempDir::new().unwrap();
    let core = open(&place.folder()).await;
    let whole = std::path::PathBuf::from(core.back_up(shelf.path()).await.unwrap().path);
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
        let refused = core.restore_backup(&copy).await;
        assert!(matches!(refused, Err(DeskError::File { .. })), "R14: {file} {how}: {refused:?}");
        assert_eq!(core.get_storage(Nothing {}).await.unwrap().pending_restore, None);
    }
    // One that was chosen and given up changes nothing either.
    core.restore_backup(&whole).await.unwrap();
    assert!(core.get_storage(Nothing {}).await.unwrap().pending_restore.is_some());
    core.cancel_restore(Nothing {}).await.unwrap();
    let before = mark(&place.folder());
    core.close().await;
    let core = open(&place.folder()).await;
    assert_eq!(mark(&place.folder()), before);
    core.close().await;
    println!("R14 damaged_backups={rounds} restored=0");
}

fn mark(folder: &std::path::Path) -> (String, u64) {
    check::open(&folder.join("inbox.sqlite"))
        .query_row("SELECT inbox_id, (SELECT count(*) FROM delivery) FROM meta", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap()
}
