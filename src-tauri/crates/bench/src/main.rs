//! Measures, each as a ratio against a baseline of the same run or as a bound, in one table.
//!
//! ```text
//! bench [ROW…] [--rounds N] [--seconds N] [--full]
//! ```
//!
//! Without rows, all are measured. Files are written to a temporary folder, so `TMPDIR` decides which disk is measured.
//! A measure says how fast this machine does something now; only ratios within one run mean anything elsewhere. That is
//! why baselines and what is compared with them take turns, and why every server runs in a process of its own while the
//! load comes from this one.

mod backlog;
mod child;
mod desk;
mod events;
mod floor;
mod ingest;
mod keystroke;
mod limits;
mod lists;
mod load;
mod options;
mod serve;
mod signed;
mod sync;
mod table;

use anyhow::Context as _;

use self::options::Options;
use self::table::Table;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [serve, mode, folder] = &arguments[..]
        && serve == "serve"
    {
        return serve::run(mode, folder.as_ref());
    }
    let options = Options::parse(arguments)?;
    let folder = tempfile::tempdir()?;
    let mut table = Table::default();
    let floor = floor::measure(folder.path()).context("the disk cannot be measured")?;
    println!("{floor}");
    keystroke::measure(&options, &mut table)?;
    ingest::measure(&options, folder.path(), &mut table)?;
    desk::measure(&options, folder.path(), &floor, &mut table)?;
    lists::measure(&options, folder.path(), &mut table)?;
    sync::measure(&options, folder.path(), &mut table)?;
    events::measure(&options, folder.path(), &mut table)?;
    limits::measure(&options, folder.path(), &mut table)?;
    println!("\n{table}");
    Ok(())
}
