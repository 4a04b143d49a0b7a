//! R6 and R7: the disk is full, and the disk fails.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use app::webhook_path;
use tempfile::TempDir;

use super::Form;
use super::check::{self, Verdict};
use super::desk::{Desk, TestFolder, WORKSPACE, seed_folder, with_timeout};
use super::disk::{Call, Disk, files};
use super::load::{Ledger, Senders};

const CONNECTIONS: usize = 16;

/// Storage with limited space.
enum Space {
    /// A separate file system, with a file that takes up the free space.
    Mounted { temp: TempDir },
    /// A disk that reports that it is full.
    Shim { place: TestFolder, disk: Disk },
}

impl Space {
    async fn new(megabytes: u32) -> Self {
        let temp = TempDir::new().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={megabytes}m,mode=700"), "tmpfs"])
            .arg(temp.path())
            .output();
        let refusal = match mounted {
            Ok(mounted) if mounted.status.success() => {
                seed_folder(&temp.path().join("desk"), "http://127.0.0.1:9").await;
                return Self::Mounted { temp };
            }
            Ok(mounted) => String::from_utf8_lossy(&mounted.stderr).trim().to_owned(),
            Err(error) => error.to_string(),
        };
        println!("R6 NO FILE SYSTEM CAN BE MOUNTED HERE ({refusal}): a disk that claims to be full takes its place");
        Self::shim().await
    }

    async fn shim() -> Self {
        let place = TestFolder::new().await;
        let disk = Disk::new(&place.folder(), false);
        Self::Shim { place, disk }
    }

    fn folder(&self) -> PathBuf {
        match self {
            Self::Mounted { temp } => temp.path().join("desk"),
            Self::Shim { place, .. } => place.folder(),
        }
    }

    fn disk(&self) -> Option<&Disk> {
        match self {
            Self::Mounted { .. } => None,
            Self::Shim { disk, .. } => Some(disk),
        }
    }

    /// Uses up all space.
    fn fill(&self) {
        match self {
            Self::Mounted { temp } => {
                let mut ballast = File::options().create(true).append(true).open(temp.path().join("ballast")).unwrap();
                for size in [1 << 20, 1 << 12] {
                    let zeros = vec![0; size];
                    while ballast.write_all(&zeros).is_ok() {}
                }
            }
            Self::Shim { disk, .. } => disk.set_full(true),
        }
    }

    fn clear(&self) {
        match self {
            Self::Mounted { temp } => std::fs::remove_file(temp.path().join("ballast")).unwrap(),
            Self::Shim { disk, .. } => disk.set_full(false),
        }
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        if let Self::Mounted { temp } = self {
            let _it_goes_with_the_machine_at_the_latest = Command::new("umount").arg("-l").arg(temp.path()).status();
        }
    }
}

/// R6: no space is left for any of the files, and later there is space again.
pub(super) async fn full(form: Form) {
    const ROUNDS_PER_FOLDER: u64 = 5;
    let rounds = form.rounds(2, 20);
    let (mut filled, mut acknowledged, mut refused) = (0, 0, 0);
    let (mut slowest, mut verdict) = (Duration::ZERO, Verdict::default());
    while filled < rounds {
        // Both kinds in turn: a real file system, and a disk that refuses every write.
        let space = if filled == 0 || form == Form::Full { Space::new(96).await } else { Space::shim().await };
        let ledger = Ledger::from(0);
        for _ in 0..form.pick(1, ROUNDS_PER_FOLDER).min(rounds - filled) {
            let mut desk = Desk::start(&space.folder(), space.disk()).await;
            let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), CONNECTIONS);
            with_timeout("sending", ledger.wait_for_more(form.pick(100, 1_000))).await;
            let before = ledger.answered(503);
            space.fill();
            with_timeout("a full disk", ledger.wait_for_answers(503, before + 100)).await;
            // The window still gets its first data.
            assert!(desk.ask("bootstrap").await.get("workspaces").is_some());
            space.clear();
            let cleared = Instant::now();
            with_timeout("room on the disk", ledger.wait_for_more(1)).await;
            slowest = slowest.max(cleared.elapsed());
            with_timeout("sending", ledger.wait_for_more(form.pick(100, 1_000))).await;
            senders.stop().await;
            desk.kill().await;
            filled += 1;

            // It starts on a full disk, or reports why it cannot.
            space.fill();
            match Desk::start_with_profile("desk", &space.folder(), space.disk()).await {
                Ok(desk) => desk.kill().await,
                Err(output) => assert_eq!(output["failed"]["code"], "storage", "{output}"),
            }
            space.clear();
        }
        let mut desk = Desk::start(&space.folder(), space.disk()).await;
        desk.wait_for_projection().await;
        desk.close().await;
        verdict.add(check::all(&space.folder(), &ledger.acknowledged()));
        ledger.assert_only_200_and_503("R6");
        acknowledged += ledger.count();
        refused += ledger.answered(503);
    }
    println!(
        "R6 filled={filled} acknowledged={acknowledged} refused={refused} lost={} double={} recovered_in_ms={}",
        verdict.lost,
        verdict.double,
        slowest.as_millis()
    );
    verdict.assert_clean("R6");
}

/// R7: flushes, writes, opens and renames fail at random. Writes lost in a failed flush are not written by the next one
/// either, so a power failure at the end shows whether anything relied on them.
pub(super) async fn failing(form: Form) {
    let rounds = form.rounds(4, 20);
    let (mut acknowledged, mut refused, mut verdict) = (0, 0, Verdict::default());
    let mut failed = [0; 3];
    for round in 0..rounds {
        let place = TestFolder::new().await;
        let mut disk = Disk::new(&place.folder(), true);
        disk.seed = round + 1;
        let ledger = Ledger::from(0);
        let desk = Desk::start(&place.folder(), Some(&disk)).await;
        // In every other round only flushes fail, and often: the power failure then affects their lost writes.
        let flushes_alone = round % 2 == 1;
        disk.set_failing(Call::Sync, if flushes_alone { 200_000 } else { 20_000 });
        disk.set_failing(Call::Write, if flushes_alone { 0 } else { 5_000 });
        disk.set_failing(Call::Open, if flushes_alone { 0 } else { 50_000 });
        let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), CONNECTIONS);
        with_timeout("sending", ledger.wait_for_more(form.pick(600, 5_000))).await;
        with_timeout("failures", ledger.wait_for_answers(503, 1)).await;
        desk.kill().await;
        senders.stop().await;
        for (sum, call) in failed.iter_mut().zip([Call::Sync, Call::Write, Call::Open]) {
            *sum += disk.failed(call);
        }
        disk.cut();
        verdict.add(super::crash::inspect(&place, &ledger).await);
        ledger.assert_only_200_and_503("R7");
        acknowledged += ledger.count();
        refused += ledger.answered(503);
    }
    println!(
        "R7 rounds={rounds} acknowledged={acknowledged} refused={refused} failed_syncs={} failed_writes={} \
         failed_opens={} lost={} double={}",
        failed[0], failed[1], failed[2], verdict.lost, verdict.double
    );
    assert!(failed[0] > 0 && failed[1] > 0, "the disk never failed: {failed:?}");
    verdict.assert_clean("R7");
}

/// R7, a failed flush, then a kill, then a power failure: the next start must not build on data that exists only in the
/// system's memory, because no flush will write it any more.
pub(super) async fn failed_flush_then_killed(form: Form) {
    let rounds = form.rounds(2, 20);
    let (mut acknowledged, mut failed, mut verdict) = (0, 0, Verdict::default());
    for _ in 0..rounds {
        let place = TestFolder::new().await;
        let disk = Disk::new(&place.folder(), true);
        let ledger = Ledger::from(0);
        for phase in 0..3 {
            let desk = Desk::start(&place.folder(), Some(&disk)).await;
            let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), CONNECTIONS);
            if phase == 1 {
                disk.set_failing(Call::Sync, 1_000_000);
                with_timeout("failures", ledger.wait_for_answers(503, 50)).await;
            } else {
                with_timeout("sending", ledger.wait_for_more(form.pick(200, 2_000))).await;
            }
            // Nothing is in flight at the end: data that is not durable then was lost in a failed flush.
            senders.stop().await;
            if phase == 0 {
                desk.close().await;
            } else {
                desk.kill().await;
            }
            disk.set_failing(Call::Sync, 0);
        }
        failed += disk.failed(Call::Sync);
        disk.cut();
        verdict.add(super::crash::inspect(&place, &ledger).await);
        acknowledged += ledger.count();
    }
    println!(
        "R7 flushes failed={failed} kills={} cuts={rounds} acknowledged={acknowledged} lost={} double={}",
        2 * rounds,
        verdict.lost,
        verdict.double
    );
    assert!(failed > 0);
    verdict.assert_clean("R7");
}

/// R7, renames: a damaged cache that cannot be moved aside does not prevent receiving.
pub(super) async fn failing_renames(_form: Form) {
    let place = TestFolder::new().await;
    let disk = Disk::new(&place.folder(), false);
    std::fs::write(place.folder().join("cache.sqlite"), b"no database at all, but long enough to be looked at")
        .unwrap();
    disk.set_failing(Call::Rename, 1_000_000);
    let ledger = Ledger::from(0);
    let mut desk = Desk::start(&place.folder(), Some(&disk)).await;
    let notices = desk.ask("bootstrap").await["notices"].to_string();
    assert!(notices.contains("cache"), "{notices}");
    let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), CONNECTIONS);
    with_timeout("sending", ledger.wait_for_more(100)).await;
    senders.stop().await;
    desk.wait_for_projection().await;
    desk.close().await;
    assert!(disk.failed(Call::Rename) > 0);
    disk.set_failing(Call::Rename, 0);
    let verdict = super::crash::inspect(&place, &ledger).await;
    println!("R7 renames failed={} acknowledged={} lost={}", disk.failed(Call::Rename), ledger.count(), verdict.lost);
    verdict.assert_clean("R7");
    let aside = files(&place.folder()).into_iter().filter(|file| file.to_string_lossy().contains("aside")).count();
    assert!(aside > 0, "the damaged cache is kept");
}
