//! Benchmarks: each result is a ratio to a baseline of the same run, or checked against a limit; printed as one table.
//!
//! ```text
//! bench [ROW…] [--rounds N] [--seconds N] [--full] [--peers FOLDER]
//! ```
//!
//! Without rows, all are measured. Files are written to a temporary folder, so `TMPDIR` decides which disk is measured.
//! Absolute values depend on the machine and its current load; only ratios within one run are comparable. So baselines
//! and the measured code run alternately, and every server runs in a separate process while this process generates the
//! load.

mod backlog;
mod batch;
mod child;
mod cluster;
mod desk;
mod events;
mod floor;
mod ingest;
mod keystroke;
mod limits;
mod lists;
mod load;
mod options;
mod peers;
mod process;
mod receive;
mod serve;
mod shared_log;
mod signed;
mod sync;
mod table;

use std::process::ExitCode;

use anyhow::Context as _;

use self::options::Options;
use self::table::Table;

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|command| receive::COMMANDS.contains(&command.as_str())) {
        return Ok(tdesk::run());
    }
    if let [serve, mode, folder] = &arguments[..]
        && serve == "serve"
    {
        serve::run(mode, folder.as_ref())?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options::parse(arguments)?;
    let folder = tempfile::tempdir()?;
    let mut table = Table::default();
    let floor = floor::measure(folder.path()).context("the disk cannot be measured")?;
    println!("{floor}");
    keystroke::measure(&options, &mut table)?;
    ingest::measure(&options, folder.path(), &mut table)?;
    peers::measure(&options, folder.path(), &mut table)?;
    desk::measure(&options, folder.path(), &floor, &mut table)?;
    lists::measure(&options, folder.path(), &mut table)?;
    sync::measure(&options, folder.path(), &mut table)?;
    batch::measure(&options, folder.path(), &mut table)?;
    events::measure(&options, folder.path(), &mut table)?;
    limits::measure(&options, folder.path(), &mut table)?;
    shared_log::measure(&options, folder.path(), &mut table)?;
    println!("\n{table}");
    Ok(ExitCode::SUCCESS)
}
