//! Row F3: how fast a new desk fetches a log.

use std::path::Path;
use std::time::{Duration, Instant};

use store::DataFolder;

use super::follower::Follower;
use super::with_database;
use crate::cluster::Cluster;
use crate::options::Options;
use crate::receive::{Receiver, Store, add_desk};
use crate::table::{Goal, Table};

/// As the app.
const PAGE_SIZE: u32 = 2_000;

pub(super) fn measure(options: &Options, folder: &Path, cluster: &Cluster, table: &mut Table) -> anyhow::Result<()> {
    let deliveries: u64 = if options.full { 1_000_000 } else { 100_000 };
    let rounds = options.rounds.min(3);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    with_database(cluster, "catch_up", |address| {
        let receiver = Receiver::start(Store::Postgres(address), "eu-1")?;
        let token = add_desk(Store::Postgres(address))?;
        let mut load = receiver.load(Duration::from_secs(3_600));
        load.warm_up = Duration::ZERO;
        load.requests = deliveries;
        load.run()?.all_accepted()?;
        let (mut client, mut delivery_log, mut projected) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let started = Instant::now();
            let fetched = runtime.block_on(fetch_all(&receiver, &token))?;
            anyhow::ensure!(fetched == deliveries, "{fetched} of {deliveries} deliveries were fetched");
            client.push(deliveries as f64 / started.elapsed().as_secs_f64());

            let folder = tempfile::tempdir_in(folder)?;
            let follower = runtime.block_on(Follower::open(folder.path()))?;
            let started = Instant::now();
            runtime.block_on(async {
                follower.follow(receiver.feed(), &token).await?;
                follower.wait_until_fetched().await
            })?;
            delivery_log.push(deliveries as f64 / started.elapsed().as_secs_f64());
            runtime.block_on(follower.wait_until_projected())?;
            projected.push(deliveries as f64 / started.elapsed().as_secs_f64());
            runtime.block_on(follower.close());
            let stored = stored(folder.path())?;
            anyhow::ensure!(stored == deliveries, "{stored} of {deliveries} deliveries are in the delivery log");
        }
        receiver.stop()?;
        let note = format!("{deliveries} deliveries of 700 B from PostgreSQL");
        let goal = Goal::AtLeast(20_000.0);
        table.add("F3", "catch-up: feed client alone", Goal::Baseline, "/s", client, note);
        let note = "the app, which projects at the same time; one machine for all";
        table.add("F3", "catch-up: feed to the delivery log of the app, on disk", goal, "/s", delivery_log, note);
        table.add("F3", "catch-up: feed to the projection of the app", Goal::Baseline, "/s", projected, "");
        Ok(())
    })
}

/// Fetches everything without storing it. Returns the number of deliveries.
async fn fetch_all(receiver: &Receiver, token: &str) -> anyhow::Result<u64> {
    let client = receiver.client(token)?;
    let (mut cursor, mut fetched) = (None, 0);
    loop {
        let page = client.page(cursor.as_deref(), PAGE_SIZE, Duration::ZERO).await?;
        fetched += page.deliveries.len() as u64;
        if page.end.behind == 0 {
            return Ok(fetched);
        }
        cursor = Some(page.end.cursor);
    }
}

/// Number of deliveries in the delivery log of a closed desk.
fn stored(folder: &Path) -> anyhow::Result<u64> {
    let connection = rusqlite::Connection::open(DataFolder::delivery_log_in(folder))?;
    Ok(connection.query_row("SELECT count(*) FROM delivery", [], |row| row.get(0))?)
}
