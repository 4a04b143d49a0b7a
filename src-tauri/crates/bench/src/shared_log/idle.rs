//! Row F4: what a hundred desks cost that wait while nothing arrives.

use std::time::{Duration, Instant};

use feed::{Client, FeedError};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::with_database;
use crate::cluster::Cluster;
use crate::options::Options;
use crate::process;
use crate::receive::{Receiver, Store, add_desk};
use crate::table::{Goal, Table};

const DESKS: usize = 100;
/// Longer than the wait of a request, so that every desk asks again.
const TIME: Duration = Duration::from_secs(30);
/// As the app.
const WAIT: Duration = Duration::from_secs(25);
/// After this time all desks wait, and PostgreSQL has added what they did to its statistics.
const SETTLING_TIME: Duration = Duration::from_secs(3);

pub(super) fn measure(options: &Options, cluster: &Cluster, table: &mut Table) -> anyhow::Result<()> {
    let (mut receiver, mut database, mut memory, mut queries) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut growth = Vec::new();
    for _ in 0..options.rounds.min(3) {
        with_database(cluster, "idle", |address| {
            let server = Receiver::start(Store::Postgres(address), "eu-1")?;
            let token = add_desk(Store::Postgres(address))?;
            let alone = server.memory().map_or(f64::NAN, |(now, _)| now);
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let mut desks = JoinSet::new();
            for _ in 0..DESKS {
                let client = server.client(&token)?;
                desks.spawn_on(ask(client), runtime.handle());
            }
            let mut waiting = |time| match runtime.block_on(async { timeout(time, desks.join_next()).await }) {
                Ok(ended) => anyhow::bail!("a desk stopped waiting: {ended:?}"),
                Err(_) => Ok(()),
            };
            waiting(SETTLING_TIME)?;
            let count =
                || cluster.number("postgres", "SELECT xact_commit FROM pg_stat_database WHERE datname = 'idle'");
            let (before, started) = (count()?, Instant::now());
            let (of_receiver, of_database) = (server.processor(), cluster.processor());
            waiting(TIME)?;
            receiver.push(process::per_cent(of_receiver, server.processor(), started.elapsed()));
            database.push(process::per_cent(of_database, cluster.processor(), started.elapsed()));
            queries.push((count()? - before) / started.elapsed().as_secs_f64());
            let now = server.memory().map_or(f64::NAN, |(now, _)| now);
            memory.push(now);
            growth.push((now - alone) * 1_024.0 / DESKS as f64);
            server.stop()
        })?;
    }
    let (goal, note) = (Goal::Baseline, "of one processor");
    table.add("F4", "100 desks wait: processor of the receiver", goal, "%", receiver, note);
    table.add("F4", "100 desks wait: processor of PostgreSQL", goal, "%", database, note);
    table.add("F4", "100 desks wait: transactions of PostgreSQL", goal, "/s", queries, "one for each query");
    table.add("F4", "100 desks wait: memory of the receiver", goal, "MiB", memory, "");
    table.add("F4", "100 desks wait: memory of a desk in the receiver", goal, "KiB", growth, "");
    Ok(())
}

/// Waits for deliveries again and again, as a desk.
async fn ask(client: Client) -> FeedError {
    loop {
        if let Err(error) = client.page(None, 1, WAIT).await {
            return error;
        }
    }
}
