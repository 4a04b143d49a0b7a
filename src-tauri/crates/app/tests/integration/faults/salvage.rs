//! R12: bytes of the inbox are flipped, zeroed or cut off.

use std::fs;
use std::path::Path;

use app::view::Nothing;
use app::view::storage::CheckState;
use rand::SeedableRng as _;
use rand::rngs::StdRng;

use super::damage::damage;
use super::desk::Place;
use super::disk::{copy_files, files};
use super::inside::{caught_up, checked, open, store};
use super::{Form, check, events};

/// R12: whatever happens to the inbox while nobody has it open, no delivery is missing or altered without being told:
/// the damaged file is kept, what is whole moves into a new one with another identity, the rest is counted.
pub(super) async fn inbox(form: Form) {
    let rounds = form.rounds(12, 200);
    let deliveries = form.pick(400, 4_000);
    let place = Place::new().await;
    let core = open(&place.folder()).await;
    core.close().await;
    store(&place.folder(), 0..deliveries, |_| 1_700_000_000_000).await;
    let core = open(&place.folder()).await;
    caught_up(&core).await;
    core.close().await;
    let (first_id, _) = identity(&place.folder());

    let mut random = StdRng::seed_from_u64(12);
    let (mut salvaged, mut recovered, mut lost, mut harmless, mut naive) = (0_u64, 0, 0, 0, 0);
    for _ in 0..rounds {
        let damaged = Place::new().await;
        let folder = damaged.folder();
        for file in files(&folder) {
            fs::remove_file(file).unwrap();
        }
        copy_files(&place.folder(), &folder);
        let inbox = folder.join("inbox.sqlite");
        let how = damage(&inbox, &mut random);
        let wreck = fs::read(&inbox).unwrap();
        naive += u64::from(read_naively(&inbox) != Some(deliveries));

        // What the start does not see, a check does; then the next start salvages.
        let mut core = open(&folder).await;
        let mut state = core.get_storage(Nothing {}).await.unwrap();
        if state.set_aside.is_empty() {
            state = checked(&core).await;
            if state.check.state == CheckState::Damaged {
                let notices = core.get_bootstrap(Nothing {}).await.unwrap().notices;
                assert!(notices.iter().any(|notice| notice.contains("inbox.sqlite")), "R12: {how}: {notices:?}");
                core.close().await;
                core = open(&folder).await;
                state = core.get_storage(Nothing {}).await.unwrap();
            }
        }
        caught_up(&core).await;
        let notices = core.get_bootstrap(Nothing {}).await.unwrap().notices;
        core.close().await;
        let (id, kept) = identity(&folder);
        if let [aside] = state.set_aside.as_slice() {
            let (aside_recovered, aside_lost) = (aside.recovered.unwrap(), aside.lost.unwrap());
            assert_eq!(aside_recovered + aside_lost, deliveries, "R12: {how}: every delivery is accounted for");
            assert_eq!(kept, aside_recovered, "R12: {how}: what is said to be there is there");
            assert_ne!(id, first_id, "R12: {how}: cursors into the old file do not fit");
            assert!(notices.iter().any(|notice| notice.contains("inbox.sqlite")), "R12: {how}: {notices:?}");
            // A start may have opened the file before it was found damaged: opening adds nothing and takes nothing.
            let path = Path::new(&aside.path);
            assert_eq!(fs::metadata(path).unwrap().len(), wreck.len() as u64, "R12: {how}");
            salvaged += 1;
            recovered += aside_recovered;
            lost += aside_lost;
        } else {
            assert!(state.set_aside.is_empty(), "R12: {how}: {:?}", state.set_aside);
            assert_eq!((id, kept), (first_id.clone(), deliveries), "R12: {how}");
            harmless += 1;
        }
        // Nothing that is there is other than it was sent, and the projection is that of what is there.
        check::left(&folder, &[]).assert_clean(&format!("R12: {how}"));
        let numbers = check::stored(&folder, &mut check::Verdict::default());
        assert!(numbers.values().all(|copies| *copies == 1), "R12: {how}: nothing is there twice");
    }
    println!(
        "R12 damages={rounds} salvaged={salvaged} harmless={harmless} recovered={recovered} lost_and_told={lost} \
         silent=0 control_not_whole={naive}"
    );
    assert!(naive > 0, "R12: the damages harm nothing");
    assert!(recovered > salvaged * deliveries / 2, "R12: most of a damaged file can be read");
}

/// The identity of an inbox and how many deliveries are in it.
fn identity(folder: &Path) -> (String, u64) {
    let inbox = check::open(&folder.join("inbox.sqlite"));
    inbox
        .query_row("SELECT inbox_id, (SELECT count(*) FROM delivery) FROM meta", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap()
}

/// The control: how many deliveries a plain read of the file finds as they were sent, if it can be read at all.
fn read_naively(path: &Path) -> Option<u64> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let inbox = rusqlite::Connection::open_with_flags(path, flags).ok()?;
    let mut statement = inbox.prepare("SELECT body FROM delivery ORDER BY seq").ok()?;
    let mut rows = statement.query([]).ok()?;
    let mut found = 0;
    while let Some(row) = rows.next().ok()? {
        found += u64::from(events::number(row.get_ref(0).ok()?.as_blob().ok()?).is_some());
    }
    Some(found)
}
