//! The log of receivers on servers and the desks that follow it: `tdesk receive` with PostgreSQL and with the file.

mod catch_up;
mod follower;
mod idle;
mod ingest;
mod latency;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cluster::Cluster;
use crate::options::Options;
use crate::table::Table;

const ROWS: [&str; 5] = ["F1", "F2", "F3", "F4", "F5"];

pub(crate) fn measure(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    if !options.includes_any(&ROWS) {
        return Ok(());
    }
    let Some(cluster) = Cluster::start()? else {
        println!("{} are skipped: PostgreSQL is not installed (the Debian package postgresql).", ROWS.join(" "));
        return Ok(());
    };
    println!("PostgreSQL {} with its default settings", cluster.version()?);
    if options.includes_any(&["F1", "F5"]) {
        ingest::measure(options, folder, &cluster, table)?;
    }
    if options.includes("F2") {
        latency::measure(options, folder, &cluster, table)?;
    }
    if options.includes("F3") {
        catch_up::measure(options, folder, &cluster, table)?;
    }
    if options.includes("F4") {
        idle::measure(options, &cluster, table)?;
    }
    Ok(())
}

/// Runs work on a database of its own, which is removed afterwards.
fn with_database<T>(cluster: &Cluster, name: &str, work: impl FnOnce(&str) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let address = cluster.create_database(name)?;
    let result = work(&address)?;
    cluster.drop_database(name)?;
    Ok(result)
}

/// Now, in Unix milliseconds.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
