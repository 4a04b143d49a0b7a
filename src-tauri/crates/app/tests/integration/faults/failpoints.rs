//! R5 and R13: the process ends at failpoints, between a commit of the delivery log and its effects, and between the
//! statements that create the files.

use app::webhook_path;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::check::Verdict;
use super::child::FORM;
use super::desk::{Desk, TestFolder, WORKSPACE, with_timeout};
use super::load::{Ledger, Senders};
use super::{Form, formats};

/// Points where a delivery is stored but its effect is not yet stored or emitted. The first is before the commit: its
/// delivery was not acknowledged.
const POINTS: [&str; 8] = [
    "delivery_log.inserted",
    "delivery_log.committed",
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
            // With short pauses, the point is reached before the senders have sent much.
            let environment = [(FAILPOINTS, action.as_str()), (FORM, form.pick("short", "full"))];
            let Ok(desk) = Desk::start_with(&environment, &place.folder(), None).await else { continue };
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

/// R13: killed at the first start before the first, between any two and after the last statement that creates the
/// files.
pub(super) async fn creating(form: Form) {
    // The short form tests the first statements, some in the middle, and after the last of each file.
    let passes = (0..).filter(|pass| form == Form::Full || *pass < 8 || pass % 16 == 5);
    let statements = passes.map(|pass| format!("migration.statement={pass}*off->return"));
    let mut kills = 0;
    for action in statements {
        if !killed_by(&action).await {
            break;
        }
        kills += 1;
    }
    for point in ["migration.stamped", "migration.committed"] {
        // One for each of the three files.
        for pass in 0..3 {
            assert!(killed_by(&format!("{point}={pass}*off->return")).await, "{point} was not passed");
            kills += 1;
        }
    }
    println!("R13 kills_at_statements={kills} incomplete=0");
}

/// Whether a failpoint killed the first start. No file is incomplete then, and the next start completes.
async fn killed_by(action: &str) -> bool {
    let temp = tempfile::TempDir::new().unwrap();
    let started = Desk::start_with(&[(FAILPOINTS, action)], temp.path(), None).await;
    let was_killed = started.is_err();
    if let Ok(desk) = started {
        desk.close().await;
    }
    formats::assert_empty_or_complete(temp.path());
    with_timeout("the next start", formats::assert_next_start_completes(temp.path())).await;
    was_killed
}
