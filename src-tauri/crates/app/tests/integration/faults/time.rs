//! R8: the process is stopped, the clock jumps, the disk hangs.

use std::time::Duration;

use app::webhook_path;

use super::Form;
use super::desk::{Desk, TestFolder, WORKSPACE, with_timeout};
use super::disk::Disk;
use super::load::{Ledger, Senders};

const CONNECTIONS: usize = 16;
const DAY: i64 = 86_400;

/// All three on one desk, one after the other.
pub(super) async fn stopped(form: Form) {
    let place = TestFolder::new().await;
    let disk = Disk::new(&place.folder(), false);
    let ledger = Ledger::from(0);
    let enough = form.pick(200, 5_000);
    let desk = Desk::start_in(form, &place.folder(), Some(&disk)).await;
    let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), CONNECTIONS);
    with_timeout("sending", ledger.wait_for_more(enough)).await;

    // The duration is the fault here, not a wait for something.
    let stopped = form.pick(&[1][..], &[3, 60]);
    for seconds in stopped {
        desk.signal("STOP");
        tokio::time::sleep(Duration::from_secs(*seconds)).await;
        desk.signal("CONT");
        with_timeout("sending after a stop", ledger.wait_for_more(enough)).await;
    }

    let jumps = [DAY, -DAY, 0, -DAY, DAY, 0];
    for seconds in jumps {
        disk.set_clock(seconds);
        with_timeout("sending after a jump", ledger.wait_for_more(enough)).await;
    }

    // Flushes that do not return: requests that waited too long are answered with 503.
    let before = ledger.answered(503);
    disk.set_stalled(true);
    with_timeout("refusals", ledger.wait_for_answers(503, before + CONNECTIONS as u64)).await;
    disk.set_stalled(false);
    with_timeout("sending after a stall", ledger.wait_for_more(enough)).await;

    senders.stop().await;
    desk.kill().await;
    ledger.assert_only_200_and_503("R8");
    let verdict = super::crash::inspect(&place, &ledger).await;
    println!(
        "R8 stops={} jumps={} acknowledged={} refused={} lost={} double={}",
        stopped.len(),
        jumps.len(),
        ledger.count(),
        ledger.answered(503),
        verdict.lost,
        verdict.double
    );
    verdict.assert_clean("R8");
}
