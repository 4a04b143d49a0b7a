//! Row F2: how long after its arrival at the receiver a delivery is at the desks that wait for it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use feed::Client;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::follower::Follower;
use super::{now, with_database};
use crate::cluster::Cluster;
use crate::options::Options;
use crate::process;
use crate::receive::{Receiver, Store, add_desk};
use crate::table::{Goal, Table, median};

/// Deliveries a second.
const RATE: f64 = 200.0;
/// The shortest load: a percentile needs enough deliveries.
const MIN_LOAD: Duration = Duration::from_secs(10);
/// As the app.
const PAGE_SIZE: u32 = 2_000;
/// As the app.
const WAIT: Duration = Duration::from_secs(25);
/// The longest list of events.
const LIST_SIZE: u32 = 500;

/// Milliseconds from the arrival at the receiver, for each delivery at each desk.
type Delays = Arc<Mutex<Vec<i64>>>;

/// What was measured in each round.
#[derive(Debug, Default)]
struct Rounds {
    clients: [Vec<f64>; 2],
    app: [Vec<f64>; 2],
    receiver: Vec<f64>,
    database: Vec<f64>,
}

pub(super) fn measure(options: &Options, folder: &Path, cluster: &Cluster, table: &mut Table) -> anyhow::Result<()> {
    let sizes: &[(usize, Goal)] =
        if options.full { &[(10, Goal::AtMost(100.0)), (100, Goal::Baseline)] } else { &[(10, Goal::AtMost(100.0))] };
    for &(desks, goal) in sizes {
        let mut rounds = Rounds::default();
        for _ in 0..options.rounds {
            with_database(cluster, "latency", |address| round(options, folder, cluster, address, desks, &mut rounds))?;
        }
        let note = format!(
            "processor {:.0} % of the receiver and {:.0} % of PostgreSQL",
            median(&rounds.receiver),
            median(&rounds.database)
        );
        let clients = desks - 1;
        let [p50, p99] = rounds.clients;
        table.add("F2", format!("200 events/s: at {clients} feed clients, p50"), Goal::Baseline, "ms", p50, note);
        table.add("F2", format!("200 events/s: at {clients} feed clients, p99"), goal, "ms", p99, "");
        let [p50, p99] = rounds.app;
        let note = "delivery log, projection and list, in this process";
        table.add("F2", format!("the app beside {clients} clients: listed, p50"), Goal::Baseline, "ms", p50, note);
        table.add("F2", format!("the app beside {clients} clients: listed, p99"), goal, "ms", p99, note);
    }
    Ok(())
}

fn round(
    options: &Options,
    folder: &Path,
    cluster: &Cluster,
    address: &str,
    desks: usize,
    rounds: &mut Rounds,
) -> anyhow::Result<()> {
    let folder = tempfile::tempdir_in(folder)?;
    let receiver = Receiver::start(Store::Postgres(address), "eu-1")?;
    let token = add_desk(Store::Postgres(address))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let follower = Arc::new(runtime.block_on(async {
        let follower = Follower::open(folder.path()).await?;
        follower.follow(receiver.feed(), &token).await?;
        follower.wait_until_fetched().await?;
        anyhow::Ok(follower)
    })?);
    let (clients, app, stop, tasks) =
        (Delays::default(), Delays::default(), CancellationToken::new(), TaskTracker::new());
    for _ in 1..desks {
        let client = receiver.client(&token)?;
        tasks.spawn_on(stop.clone().run_until_cancelled_owned(fetch(client, clients.clone())), runtime.handle());
    }
    let listing = list(follower.clone(), app.clone());
    tasks.spawn_on(stop.clone().run_until_cancelled_owned(listing), runtime.handle());
    let mut load = receiver.load(options.load.max(MIN_LOAD));
    load.requests_per_second = Some(RATE);
    let (of_receiver, of_database) = (receiver.processor(), cluster.processor());
    let answers = load.run()?.all_accepted()?;
    let time = load.warm_up + load.time;
    rounds.receiver.push(process::per_cent(of_receiver, receiver.processor(), time));
    rounds.database.push(process::per_cent(of_database, cluster.processor(), time));
    // What arrives late counts, too.
    let count = |delays: &Delays| delays.lock().unwrap_or_else(PoisonError::into_inner).len() as u64;
    let (of_clients, of_app) = (answers.sent * (desks as u64 - 1), answers.sent);
    for _ in 0..1_000 {
        if count(&clients) >= of_clients && count(&app) >= of_app {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    anyhow::ensure!(
        (count(&clients), count(&app)) == (of_clients, of_app),
        "{} of {of_clients} deliveries came to the clients, and {} of {of_app} to the app",
        count(&clients),
        count(&app)
    );
    stop.cancel();
    tasks.close();
    runtime.block_on(async {
        tasks.wait().await;
        if let Ok(follower) = Arc::try_unwrap(follower) {
            follower.close().await;
        }
    });
    receiver.stop()?;
    for (delays, rounds) in [(clients, &mut rounds.clients), (app, &mut rounds.app)] {
        let mut delays = std::mem::take(&mut *delays.lock().unwrap_or_else(PoisonError::into_inner));
        delays.sort_unstable();
        for (values, part) in rounds.iter_mut().zip([0.5, 0.99]) {
            values.push(delays[((delays.len() - 1) as f64 * part).round() as usize] as f64);
        }
    }
    Ok(())
}

/// Fetches page after page, as a program that follows the feed.
async fn fetch(client: Client, delays: Delays) {
    let mut cursor: Option<String> = None;
    loop {
        match client.page(cursor.as_deref(), PAGE_SIZE, WAIT).await {
            Ok(page) => {
                let at = now();
                let mut delays = delays.lock().unwrap_or_else(PoisonError::into_inner);
                delays.extend(page.deliveries.iter().map(|delivery| at - delivery.received_at));
                cursor = Some(page.end.cursor);
            }
            Err(error) => {
                eprintln!("a page was not fetched: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Lists the newest events whenever some were projected, as the screen.
async fn list(follower: Arc<Follower>, delays: Delays) {
    let mut newest = 0;
    loop {
        follower.projected.notified().await;
        let Ok((rows, _)) = follower.page(LIST_SIZE).await else { continue };
        let at = now();
        let new = rows.iter().filter(|row| row.seq > newest).map(|row| at - row.received_at);
        delays.lock().unwrap_or_else(PoisonError::into_inner).extend(new);
        newest = rows.iter().map(|row| row.seq).fold(newest, u64::max);
    }
}
