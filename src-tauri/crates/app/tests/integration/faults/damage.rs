//! R11: bytes of the cache are flipped, zeroed or cut off.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use app::workspace::webhook_path;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;

use super::desk::{Desk, Place, WORKSPACE, in_time};
use super::disk::{copy_files, files};
use super::load::{Ledger, Senders};
use super::{Form, check, orders};

/// Damages a file at random and says how.
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

/// A data folder with so many deliveries, projected, closed in order.
pub(super) async fn filled(deliveries: u64) -> (Place, Vec<u64>) {
    let place = Place::new().await;
    let ledger = Ledger::from(0);
    let mut desk = Desk::start(&place.folder(), None).await;
    let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), 32);
    in_time("sending", ledger.grows_by(deliveries)).await;
    senders.stop().await;
    desk.caught_up().await;
    desk.close().await;
    (place, ledger.acknowledged())
}

/// R11: whatever happens to the cache while nobody has it open, the next start notices, and the state is as before.
pub(super) async fn cache(form: Form) {
    let rounds = form.rounds(8, 200);
    let (place, acknowledged) = filled(form.pick(300, 3_000)).await;
    let expected = orders::state(&place.folder());
    let mut random = StdRng::seed_from_u64(11);
    let mut noticed = 0;
    for _ in 0..rounds {
        let damaged = Place::new().await;
        for file in files(&damaged.folder()) {
            std::fs::remove_file(file).unwrap();
        }
        copy_files(&place.folder(), &damaged.folder());
        let how = damage(&damaged.folder().join("cache.sqlite"), &mut random);
        let mut desk = Desk::start(&damaged.folder(), None).await;
        desk.caught_up().await;
        let notices = desk.ask("bootstrap").await["notices"].clone();
        noticed += u64::from(notices.as_array().is_some_and(|notices| notices.iter().any(|n| says_cache(n))));
        desk.close().await;
        assert_eq!(orders::difference(&orders::state(&damaged.folder()), &expected), None, "R11: {how}, {notices}");
        check::all(&damaged.folder(), &acknowledged).assert_clean(&format!("R11: {how}"));
    }
    println!("R11 damages={rounds} noticed={noticed} deliveries={} different=0", acknowledged.len());
    assert_eq!(noticed, rounds, "every damage is told");
}

fn says_cache(notice: &Value) -> bool {
    notice.as_str().is_some_and(|notice| notice.contains("cache"))
}
