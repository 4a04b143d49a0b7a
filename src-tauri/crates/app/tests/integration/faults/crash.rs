//! R1 and R2: the process is killed, the power is cut.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use app::webhook_path;

use super::Form;
use super::check::{self, Verdict};
use super::desk::{Desk, TestFolder, WORKSPACE, with_timeout};
use super::disk::Disk;
use super::load::{Ledger, Senders};

/// Rounds on one data folder, so that checking does not take longer than the faults.
const ROUNDS_PER_FOLDER: u64 = 20;
const CONNECTIONS: usize = 32;

/// Sends until this many more deliveries are acknowledged; then `stop` ends the desk while others are in flight.
async fn sent_until_killed(ledger: &std::sync::Arc<Ledger>, desk: Desk, acknowledged: u64) {
    let senders = Senders::start(ledger, desk.address, &webhook_path(WORKSPACE), CONNECTIONS);
    with_timeout("sending", ledger.wait_for_more(acknowledged)).await;
    desk.kill().await;
    senders.stop().await;
}

/// Restarts the desk, waits until it has caught up, and checks everything.
pub(super) async fn inspect(place: &TestFolder, ledger: &Ledger) -> Verdict {
    inspect_all(place, &ledger.acknowledged()).await
}

/// [`inspect`] for the acknowledged deliveries of several senders.
pub(super) async fn inspect_all(place: &TestFolder, acknowledged: &[u64]) -> Verdict {
    let mut desk = Desk::start(&place.folder(), None).await;
    desk.wait_for_projection().await;
    desk.close().await;
    check::all(&place.folder(), acknowledged)
}

/// R1: `kill -9` at random. Unacknowledged deliveries are sent again, as the provider does.
pub(super) async fn kill(form: Form) {
    let rounds = form.rounds(5, 200);
    let mut random = StdRng::seed_from_u64(1);
    let (mut kills, mut acknowledged, mut verdict) = (0, 0, Verdict::default());
    while kills < rounds {
        let place = TestFolder::new().await;
        let ledger = Ledger::from(0);
        for _ in 0..ROUNDS_PER_FOLDER.min(rounds - kills) {
            let desk = Desk::start(&place.folder(), None).await;
            let count = random.random_range(form.pick(50..400, 3_000..8_000));
            sent_until_killed(&ledger, desk, count).await;
            kills += 1;
        }
        verdict.add(inspect(&place, &ledger).await);
        acknowledged += ledger.count();
    }
    println!("R1 kills={kills} acknowledged={acknowledged} lost={} double={}", verdict.lost, verdict.double);
    verdict.assert_clean("R1");
}

/// R2: power failure, with none, some or all of the unsynced writes on the disk. The control is less durable than the
/// delivery log, and loses deliveries.
pub(super) async fn power_cut(form: Form) {
    let rounds = form.rounds(8, 200);
    let mut random = StdRng::seed_from_u64(2);
    let (mut cuts, mut acknowledged, mut verdict) = (0, 0, Verdict::default());
    while cuts < rounds {
        let place = TestFolder::new().await;
        let ledger = Ledger::from(0);
        let mut disk = Disk::new(&place.folder(), true);
        for _ in 0..ROUNDS_PER_FOLDER.min(rounds - cuts) {
            (disk.tear, disk.seed) = ([0, 25, 50, 100][(cuts % 4) as usize], cuts);
            let desk = Desk::start(&place.folder(), Some(&disk)).await;
            let count = random.random_range(form.pick(50..300, 3_000..8_000));
            sent_until_killed(&ledger, desk, count).await;
            disk.cut();
            cuts += 1;
        }
        verdict.add(inspect(&place, &ledger).await);
        acknowledged += ledger.count();
    }

    let (mut control_acknowledged, mut control_lost, mut control_damaged) = (0, 0, 0);
    for cut in 0..form.rounds(2, 20) {
        let place = TestFolder::new().await;
        let ledger = Ledger::from(0);
        let mut disk = Disk::new(&place.folder(), true);
        disk.seed = cut;
        let control = Desk::start_with_profile("control", &place.folder(), Some(&disk)).await.unwrap();
        sent_until_killed(&ledger, control, random.random_range(form.pick(300..600, 3_000..8_000))).await;
        disk.cut();
        let found = check::delivery_log(&place.folder(), &ledger.acknowledged());
        control_acknowledged += ledger.count();
        control_lost += found.lost;
        control_damaged += u64::from(!found.findings.is_empty());
    }
    println!(
        "R2 cuts={cuts} acknowledged={acknowledged} lost={} double={} control_acknowledged={control_acknowledged} \
         control_lost={control_lost}",
        verdict.lost, verdict.double
    );
    verdict.assert_clean("R2");
    assert!(control_lost > 0, "a control that keeps everything shows that the test sees nothing");
    assert_eq!(control_damaged, 0, "NORMAL loses the last commits and tears none");
}
