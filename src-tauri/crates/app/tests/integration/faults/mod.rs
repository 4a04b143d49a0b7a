//! Faults: every delivery answered with 200 exists exactly once, despite faults of process, power, disk, clock or
//! sender.
//!
//! Every row has a short form, which runs with the other tests, and a full one under `make faults`. The environment
//! variable `FAULT_ROUNDS` limits the rounds of the full forms. Each prints one line with its result.

#![cfg(target_os = "linux")]

mod archiving;
mod backup;
mod batch;
mod check;
mod child;
mod control_log;
mod crash;
mod damage;
mod desk;
mod disk;
mod events;
mod failpoints;
mod follow;
mod formats;
mod import;
mod in_process;
mod keyrings;
mod load;
mod many_connections;
mod orders;
mod retention;
mod steps;
mod storage;
mod time;

/// How much of a row is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// With every test run: seconds.
    Short,
    /// Under `make faults`: minutes.
    Full,
}

impl Form {
    /// One of two values, by form.
    fn pick<T>(self, short: T, full: T) -> T {
        match self {
            Self::Short => short,
            Self::Full => full,
        }
    }

    /// Number of rounds, which the environment can reduce.
    fn rounds(self, short: u64, full: u64) -> u64 {
        let most =
            std::env::var("FAULT_ROUNDS").ok().map_or(full, |rounds| rounds.parse().expect("FAULT_ROUNDS is a number"));
        self.pick(short, full.min(most))
    }
}

/// One test per row and form. The names of full forms have a common prefix, so that one filter finds them.
macro_rules! rows {
    ($($short:ident $full:ident = $run:path;)*) => {
        $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $short() {
                $run(Form::Short).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            #[ignore = "a full fault run; make faults"]
            async fn $full() {
                $run(Form::Full).await;
            }
        )*
    };
}

rows! {
    r1_kill_9 full_r1_kill_9 = crash::kill;
    r2_power_cut full_r2_power_cut = crash::power_cut;
    r3_repeated_and_shuffled full_r3_repeated_and_shuffled = orders::repeated;
    r4_every_order full_r4_every_order = orders::every_order;
    r6_disk_full full_r6_disk_full = storage::full;
    r7_disk_failing full_r7_disk_failing = storage::failing;
    r7_flush_failed_then_killed full_r7_flush_failed_then_killed = storage::failed_flush_then_killed;
    r7_renames_failing full_r7_renames_failing = storage::failing_renames;
    r8_stopped_and_shifted full_r8_stopped_and_shifted = time::stopped;
    r9_slow_peers full_r9_slow_peers = many_connections::slow;
    r10_overload full_r10_overload = many_connections::overload;
    r11_cache_damaged full_r11_cache_damaged = damage::cache;
    r12_delivery_log_damaged full_r12_delivery_log_damaged = damage::delivery_log;
    r14_backup_and_restore full_r14_backup_and_restore = damage::backup;
    r13_killed_at_first_start full_r13_killed_at_first_start = formats::killed_at_first_start;
    r13_released_format full_r13_released_format = formats::released;
    r14_damaged_backups full_r14_damaged_backups = backup::damaged;
    r16_killed_while_following full_r16_killed_while_following = follow::killed;
    retention_behind_young full_retention_behind_young = retention::behind_young;
    retention_under_load full_retention_under_load = retention::under_load;
    r17_every_keyring full_r17_every_keyring = keyrings::every_state;
    r13_newer_files full_r13_newer_files = formats::newer;
    batch_killed full_batch_killed = batch::killed;
    batch_at_fault full_batch_at_fault = batch::faulty;
    bulk_action_killed full_bulk_action_killed = archiving::killed;
    import_killed full_import_killed = import::killed;
    r5_killed_at_every_point full_r5_killed_at_every_point = failpoints::projecting;
    steps_killed_in_retention full_steps_killed_in_retention = steps::retention;
    steps_killed_in_backup full_steps_killed_in_backup = steps::backup;
    steps_killed_in_restore full_steps_killed_in_restore = steps::restore;
    steps_killed_in_salvage full_steps_killed_in_salvage = steps::salvage;
    r13_killed_at_every_statement full_r13_killed_at_every_statement = failpoints::creating;
}
