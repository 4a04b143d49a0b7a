//! R11 and R12: bytes of the cache or the delivery log are flipped, zeroed or truncated.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::Duration;

use app::webhook_path;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;
use tempfile::TempDir;

use super::check::Verdict;
use super::desk::{Desk, TestFolder, WORKSPACE, with_timeout};
use super::disk::{copy_files, files};
use super::load::{Ledger, Senders};
use super::{Form, check, orders};

/// Damages a file at random and returns a description.
pub(super) fn damage(file: &Path, random: &mut StdRng) -> String {
    let opened = File::options().read(true).write(true).open(file).unwrap();
    let length = opened.metadata().unwrap().len();
    let at = random.random_range(0..length);
    match random.random_range(0..4) {
        0 => {
            opened.set_len(at).unwrap();
            format!("cut at {at} of {length}")
        }
        1 => {
            let page = at / 4_096 * 4_096;
            let until = (page + 4_096).min(length);
            opened.write_all_at(&vec![0; usize::try_from(until - page).unwrap()], page).unwrap();
            format!("page at {page} zeroed")
        }
        kind => {
            let flips = if kind == 2 { 1 } else { 64 };
            for _ in 0..flips {
                let at = random.random_range(0..length);
                let mut byte = [0];
                opened.read_exact_at(&mut byte, at).unwrap();
                opened.write_all_at(&[byte[0] ^ (1 << random.random_range(0..8))], at).unwrap();
            }
            format!("{flips} bits flipped, the first near {at}")
        }
    }
}

/// A data folder with this many deliveries, projected and closed cleanly.
pub(super) async fn filled(deliveries: u64) -> (TestFolder, Vec<u64>) {
    let place = TestFolder::new().await;
    let ledger = Ledger::from(0);
    let mut desk = Desk::start(&place.folder(), None).await;
    let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), 32);
    with_timeout("sending", ledger.wait_for_more(deliveries)).await;
    senders.stop().await;
    desk.wait_for_projection().await;
    desk.close().await;
    (place, ledger.acknowledged())
}

/// A copy of a closed data folder.
async fn copy_of(place: &TestFolder) -> TestFolder {
    let copy = TestFolder::new().await;
    for file in files(&copy.folder()) {
        std::fs::remove_file(file).unwrap();
    }
    copy_files(&place.folder(), &copy.folder());
    copy
}

/// R11: any damage to the closed cache is detected at the next start, and the state is as before.
pub(super) async fn cache(form: Form) {
    let rounds = form.rounds(8, 200);
    let (place, acknowledged) = filled(form.pick(300, 3_000)).await;
    let expected = orders::state(&place.folder());
    let mut random = StdRng::seed_from_u64(11);
    let mut noticed = 0;
    for _ in 0..rounds {
        let damaged = copy_of(&place).await;
        let how = damage(&damaged.folder().join("cache.sqlite"), &mut random);
        let mut desk = Desk::start(&damaged.folder(), None).await;
        desk.wait_for_projection().await;
        let notices = desk.ask("bootstrap").await["notices"].clone();
        noticed += u64::from(notices.as_array().is_some_and(|notices| notices.iter().any(says_cache)));
        desk.close().await;
        assert_eq!(orders::difference(&orders::state(&damaged.folder()), &expected), None, "R11: {how}, {notices}");
        check::all(&damaged.folder(), &acknowledged).assert_clean(&format!("R11: {how}"));
    }
    println!("R11 damages={rounds} noticed={noticed} deliveries={} different=0", acknowledged.len());
    assert_eq!(noticed, rounds, "every damage is reported");
}

fn says_cache(notice: &Value) -> bool {
    notice.as_str().is_some_and(|notice| notice.contains("cache"))
}

/// R12: no loss by damage to the closed delivery log goes unnoticed. Unreadable deliveries are counted, the damaged
/// file is kept, and its replacement is another delivery log.
pub(super) async fn delivery_log(form: Form) {
    let rounds = form.rounds(8, 200);
    let (place, acknowledged) = filled(form.pick(300, 3_000)).await;
    let before = check::stored(&place.folder(), &mut Verdict::default());
    let id = log_id(&place.folder());
    let mut random = StdRng::seed_from_u64(12);
    let (mut salvaged, mut missing_in_all, mut counted_in_all) = (0, 0, 0);
    for _ in 0..rounds {
        let damaged = copy_of(&place).await;
        let how = damage(&damaged.folder().join("inbox.sqlite"), &mut random);
        let mut desk = Desk::start(&damaged.folder(), None).await;
        // Changed characters are detected when the whole file is read, as it is after a crash and once a week.
        let checked = desk.ask("check").await;
        assert!(checked.get("failed").is_none(), "R12: {how}: {checked}");
        let state = with_timeout("the check", async {
            loop {
                let state = desk.ask("storage").await["check"]["state"].clone();
                if state != "running" {
                    break state;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await;
        if state == "damaged" {
            desk.close().await;
            desk = Desk::start(&damaged.folder(), None).await;
        }
        desk.wait_for_projection().await;
        let storage = desk.ask("storage").await;
        desk.close().await;

        let mut verdict = Verdict::default();
        let after = check::stored(&damaged.folder(), &mut verdict);
        assert_eq!(verdict.findings, Vec::<String>::new(), "R12: {how}: altered bytes are no delivery");
        check::projected(&damaged.folder(), &[]).assert_clean(&format!("R12: {how}"));
        let missing: u64 = before.iter().map(|(number, n)| n - after.get(number).copied().unwrap_or(0)).sum();
        let aside = storage["setAside"].as_array().unwrap();
        let aside = aside.iter().find(|aside| aside["path"].as_str().is_some_and(|path| path.contains("inbox")));
        assert!(missing == 0 || aside.is_some(), "R12: {how}: {missing} deliveries are gone in silence");
        if let Some(aside) = aside {
            salvaged += 1;
            assert!(Path::new(aside["path"].as_str().unwrap()).exists(), "R12: {how}: the damaged file is kept");
            assert_ne!(log_id(&damaged.folder()), id, "R12: {how}: another delivery log has another identity");
            assert_eq!(aside["recovered"], after.values().sum::<u64>(), "R12: {how}: {aside}");
            // If a sequence number in the file was damaged, the count may be too high, but never too low.
            assert!(aside["lost"].as_u64() >= Some(missing), "R12: {how}: {missing} are missing: {aside}");
            counted_in_all += aside["lost"].as_u64().unwrap();
        }
        missing_in_all += missing;
    }
    println!(
        "R12 damages={rounds} salvaged={salvaged} deliveries_each={} missing={missing_in_all} counted={counted_in_all} \
         silent=0",
        acknowledged.len()
    );
    assert!(salvaged > 0);
}

fn log_id(folder: &Path) -> String {
    let delivery_log = check::open(&store::DataFolder::delivery_log_in(folder));
    delivery_log.query_row("SELECT log_id FROM meta", [], |row| row.get(0)).unwrap()
}

/// R14: a backup made under load is intact and contains everything acknowledged before it began.
pub(super) async fn backup(form: Form) {
    let rounds = form.rounds(2, 20);
    let (mut acknowledged, mut held, mut verdict) = (0, 0, Verdict::default());
    for _ in 0..rounds {
        let place = TestFolder::new().await;
        let target = TempDir::new().unwrap();
        let ledger = Ledger::from(0);
        let mut desk = Desk::start(&place.folder(), None).await;
        let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), 32);
        with_timeout("sending", ledger.wait_for_more(form.pick(300, 20_000))).await;
        let before = ledger.acknowledged();
        let report = desk.ask(&format!("back-up {}", target.path().display())).await;
        let made = report["path"].as_str().unwrap_or_else(|| panic!("R14: {report}")).to_owned();
        assert_eq!(report["checked"], true);
        with_timeout("sending on", ledger.wait_for_more(form.pick(100, 2_000))).await;
        senders.stop().await;
        let found = check::delivery_log(Path::new(&made), &before);
        held += before.len() as u64 - found.lost;
        verdict.add(found);

        let id = log_id(&place.folder());
        let restoring = desk.ask(&format!("restore {made}")).await;
        assert!(restoring.get("failed").is_none(), "R14: {restoring}");
        desk.close().await;
        let mut desk = Desk::start(&place.folder(), None).await;
        desk.wait_for_projection().await;
        let storage = desk.ask("storage").await;
        desk.close().await;
        assert_ne!(log_id(&place.folder()), id, "a restored delivery log has another identity");
        verdict.add(check::projected(&place.folder(), &before));
        // Deliveries after the backup are in the file that was kept aside.
        assert!(storage["setAside"].as_array().is_some_and(|aside| !aside.is_empty()), "R14: {storage}");
        acknowledged += ledger.count();
    }
    println!(
        "R14 backups={rounds} acknowledged={acknowledged} acknowledged_before={held} lost={} double={}",
        verdict.lost, verdict.double
    );
    verdict.assert_clean("R14");
}
