//! R5 and R13: the process ends at failpoints, between a commit of the inbox and its effects, and between the
//! statements of a migration.

use app::webhook_path;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::check::Verdict;
use super::desk::{Desk, TestFolder, WORKSPACE, with_timeout};
use super::load::{Ledger, Senders};
use super::{Form, migration};

/// Points where a delivery is stored but its effect is not yet stored or emitted. The first is before the commit: its
/// delivery was not acknowledged.
const POINTS: [&str; 8] = [
    "inbox.inserted",
    "inbox.committed",
    "projector.read",
    "projector.outcomes",
    "projector.desk",
    "cache.applied",
    "cache.moved",
    "projector.applied",
];

/// The variable with the failpoint actions.
const FAILPOINTS: &str = "FAILPOINTS";

/// R5: killed at every point, at different passes. Nothing is sent again: the next start alone applies the effects of
/// stored deliveries.
pub(super) async fn projecting(form: Form) {
    let rounds = form.rounds(2, 20);
    let mut random = StdRng::seed_from_u64(5);
    let (mut kills, mut acknowledged, mut verdict) = (0, 0, Verdict::default());
    for point in POINTS {
        assert!(store::failpoint::ALL.iter().any(|(stored_state, _)| *stored_state == point), "{point} is gone");
        let place = TestFolder::new().await;
        let ledger = Ledger::once(0);
        for _ in 0..rounds {
            let action = format!("{point}={}*off->return", random.random_range(0..12));
            kills += 1;
            // The previous round's deliveries are projected at the start: the point may be reached before the receiver
            // listens.
            let Ok(desk) = Desk::start_with(&[(FAILPOINTS, &action)], &place.folder(), None).await else { continue };
            let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), 8);
            desk.wait_for_crash().await;
            senders.stop().await;
        }
        let found = super::crash::inspect(&place, &ledger).await;
        found.assert_clean(&format!("R5 {point}"));
        verdict.add(found);
        assert!(ledger.count() > 0, "nothing was acknowledged before {point}");
        println!("R5 {point} acknowledged={}", ledger.count());
        acknowledged += ledger.count();
    }
    println!(
        "R5 points={} kills={kills} acknowledged={acknowledged} lost={} without_effect={} double={}",
        POINTS.len(),
        verdict.lost,
        verdict.missing,
        verdict.double
    );
}

/// R13: killed before the first, between any two and after the last statement of the migrations of all files.
pub(super) async fn migrating(form: Form) {
    let mut kills = 0;
    for old in migration::formats() {
        // The short form tests the first statements of each, one in the middle, and after the last.
        for pass in (0..).filter(|pass| form == Form::Full || *pass < 2 || pass % 16 == 5) {
            let place = migration::old_folder(old);
            let before = migration::rows(&place.path().join("desk"));
            let action = format!("migration.statement={pass}*off->return");
            let started = Desk::start_with(&[(FAILPOINTS, &action)], &place.path().join("desk"), None).await;
            let came_up = started.is_ok();
            if let Ok(desk) = started {
                desk.close().await;
            } else {
                kills += 1;
                migration::assert_old_or_new(&place.path().join("desk"), old, &before);
            }
            with_timeout("the next start", migration::assert_migrated(&place.path().join("desk"), &before)).await;
            if came_up {
                break;
            }
        }
    }
    for point in ["migration.stamped", "migration.committed"] {
        for old in migration::formats() {
            let place = migration::old_folder(old);
            let before = migration::rows(&place.path().join("desk"));
            let action = format!("{point}=return");
            assert!(Desk::start_with(&[(FAILPOINTS, &action)], &place.path().join("desk"), None).await.is_err());
            kills += 1;
            migration::assert_old_or_new(&place.path().join("desk"), old, &before);
            migration::assert_migrated(&place.path().join("desk"), &before).await;
        }
    }
    assert!(kills > 4, "{kills}");
    println!("R13 formats={} kills_at_statements={kills} between=0 different=0", migration::formats().len());
}
