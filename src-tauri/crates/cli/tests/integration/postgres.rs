//! `tdesk receive --store`: receivers that share a PostgreSQL database, and the desks that follow them.

mod cluster;
mod dump;
mod faults;
mod load;
mod operation;
mod pg_bouncer;
mod pooler;
mod refused;
mod retention;
mod revocation;
mod stalls;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use feed::{Client, FeedError, Page};
use ring::rand::{SecureRandom as _, SystemRandom};
use tokio::process::Command;
use tokio::task::JoinSet;

use self::cluster::Cluster;
use crate::receiving::{Receiver, Running, SECRET, deliver, envelope, run, status, stderr, tdesk};

/// Starts a receiver of this name on the cluster.
async fn receive(cluster: &Cluster, node: &str, more: &[&str]) -> Receiver {
    receive_at(cluster, &cluster.address(), node, more).await
}

/// Starts a receiver of this name on the database at an address.
async fn receive_at(cluster: &Cluster, address: &str, node: &str, more: &[&str]) -> Receiver {
    let mut command = receive_command(address, node);
    command.args(more).env("RUST_LOG", "trace");
    Receiver::spawn(command, &cluster.path().join(format!("{node}.log"))).await
}

fn receive_command(address: &str, node: &str) -> Command {
    let mut arguments = vec!["receive", "--listen", "127.0.0.1:0", "--store", address, "--node", node];
    arguments.extend(["--secret-env", "CURRENT", "--feed-listen", "127.0.0.1:0"]);
    tdesk(&arguments)
}

async fn add_desk(cluster: &Cluster, name: &str) -> String {
    let output = run(&["desk", "add", name, "--store", &cluster.address()]).await;
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn client(receiver: &Receiver, token: &str) -> Client {
    Client::new(receiver.client.clone(), receiver.feed.as_ref().unwrap(), token.to_owned().into()).unwrap()
}

/// What a desk has fetched.
#[derive(Default)]
struct Desk {
    cursor: Option<String>,
    /// Bodies by their number.
    fetched: BTreeMap<i64, String>,
    bodies: BTreeSet<String>,
    gaps: Vec<(i64, i64, String)>,
}

impl Desk {
    fn take(&mut self, page: Page) {
        for delivery in page.deliveries {
            let body = String::from_utf8(delivery.body.to_vec()).unwrap();
            self.bodies.insert(body.clone());
            let before = self.fetched.insert(delivery.seq, body);
            assert_eq!(before, None, "a page gave a delivery again");
        }
        self.gaps.extend(page.gaps.into_iter().map(|gap| (gap.from, gap.to, gap.why)));
        self.cursor = Some(page.end.cursor);
    }

    /// Fetches everything stored.
    async fn catch_up(&mut self, client: &Client) {
        self.try_catch_up(client).await.unwrap();
    }

    async fn try_catch_up(&mut self, client: &Client) -> Result<(), FeedError> {
        loop {
            let page = client.page(self.cursor.as_deref(), 500, Duration::ZERO).await?;
            let behind = page.end.behind;
            self.take(page);
            if behind == 0 {
                return Ok(());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn desks_get_everything_through_kills_and_restarts() {
    follow_through_faults(3).await;
}

/// The full form of R16 for the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; make faults runs it"]
async fn full_r16_kills_and_restarts_lose_and_double_nothing() {
    let rounds = std::env::var("FAULT_ROUNDS").map_or(60, |rounds| rounds.parse().expect("FAULT_ROUNDS is a number"));
    follow_through_faults(rounds).await;
}

/// Two receivers under load that ten desks follow, while one receiver is killed, and the database is killed and
/// restarted.
async fn follow_through_faults(rounds: usize) {
    const DESKS: usize = 10;
    const SENDERS: usize = 8;
    const REQUESTS: usize = 40;
    let cluster = Arc::new(Cluster::start(&["max_connections = 60"]).await);
    let stays = Arc::new(receive(&cluster, "eu-1", &[]).await);
    let mut killed = receive(&cluster, "eu-2", &[]).await;
    let token = add_desk(&cluster, "team").await;

    // One desk sleeps through everything.
    let mut asleep = Desk::default();
    asleep.catch_up(&client(&stays, &token)).await;
    let finished = Arc::new(AtomicBool::new(false));
    let mut desks = JoinSet::new();
    for _ in 0..DESKS {
        let (client, finished) = (client(&stays, &token), finished.clone());
        desks.spawn(async move {
            let mut desk = Desk::default();
            loop {
                let last = finished.load(Ordering::SeqCst);
                match client.page(desk.cursor.as_deref(), 200, Duration::from_secs(1)).await {
                    Ok(page) => {
                        let behind = page.end.behind;
                        desk.take(page);
                        if last && behind == 0 {
                            return desk;
                        }
                    }
                    // The server restarts, or the database does.
                    Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            }
        });
    }
    let send = |url: String, name: String| {
        let http = stays.client.clone();
        async move {
            let mut senders = JoinSet::new();
            for sender in 0..SENDERS {
                let (http, url, name) = (http.clone(), url.clone(), name.clone());
                senders.spawn(async move {
                    let mut acknowledged = BTreeSet::new();
                    for number in 0..REQUESTS {
                        let body = format!("{name} {sender} {number}");
                        if deliver(&http, &url, SECRET, body.clone().into()).await.is_ok_and(|status| status == 200) {
                            acknowledged.insert(body);
                        }
                    }
                    acknowledged
                });
            }
            senders.join_all().await.into_iter().flatten().collect::<BTreeSet<String>>()
        }
    };

    let mut acknowledged = BTreeSet::new();
    for round in 0..rounds {
        let fault = async {
            match round % 3 {
                0 => killed.signal("KILL").await,
                1 => cluster.crash().await,
                _ => cluster.restart().await,
            }
        };
        let (stays, other) = (stays.url.clone(), killed.url.clone());
        let (one, other, ()) =
            tokio::join!(send(stays, format!("one {round}")), send(other, format!("other {round}")), fault);
        acknowledged.extend(one);
        acknowledged.extend(other);
        if round % 3 == 0 {
            killed = receive(&cluster, "eu-2", &[]).await;
        }
    }
    // A request after the last fault succeeds once both are connected again.
    for receiver in [&*stays, &killed] {
        let body = format!("last {}", receiver.url);
        while receiver.deliver(body.clone()).await != 200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        acknowledged.insert(body);
    }
    finished.store(true, Ordering::SeqCst);
    let mut desks = desks.join_all().await;
    asleep.catch_up(&client(&killed, &token)).await;
    desks.push(asleep);
    println!(
        "R16 rounds={rounds} acknowledged={} fetched={} desks={}",
        acknowledged.len(),
        desks[0].fetched.len(),
        desks.len()
    );
    assert!(acknowledged.len() > rounds * SENDERS * REQUESTS / 4, "{} were acknowledged", acknowledged.len());
    for desk in &desks {
        let missing: Vec<_> = acknowledged.difference(&desk.bodies).collect();
        assert!(missing.is_empty(), "acknowledged but not fetched: {missing:?}");
        assert_eq!(desk.fetched, desks[0].fetched, "every desk has the same");
        assert_eq!(desk.gaps, []);
    }
    let numbers: Vec<i64> = desks[0].fetched.keys().copied().collect();
    assert_eq!(numbers, (1..=i64::try_from(numbers.len()).unwrap()).collect::<Vec<_>>(), "numbers have no gaps");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_desk_that_slept_gets_what_it_missed_once() {
    sleep_through(2_000).await;
}

/// The full form: ten minutes at 200 deliveries a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; make faults runs it"]
async fn full_r16_a_desk_sleeps_through_ten_minutes() {
    sleep_through(10 * 60 * 200).await;
}

/// A desk is stopped like a process on a sleeping laptop, while deliveries arrive.
async fn sleep_through(deliveries: usize) {
    const SENDERS: usize = 16;
    let cluster = Cluster::start(&[]).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    let token = add_desk(&cluster, "ana").await;
    let mut command = tdesk(&["events", "--follow", "--feed", receiver.feed.as_ref().unwrap(), "--token-env", "TOKEN"]);
    command.env("TOKEN", &token);
    let mut desk = Running::spawn(command);
    assert_eq!(receiver.deliver(envelope(&[status("before", "sent")])).await, 200);
    assert_eq!(desk.json_line().await["seq"], 1);

    desk.signal("STOP").await;
    let mut senders = JoinSet::new();
    for sender in 0..SENDERS {
        let (http, url) = (receiver.client.clone(), receiver.url.clone());
        senders.spawn(async move {
            for number in (sender..deliveries).step_by(SENDERS) {
                let body = envelope(&[status(&format!("asleep {number}"), "sent")]);
                while deliver(&http, &url, SECRET, body.clone().into()).await.unwrap() != 200 {}
            }
        });
    }
    senders.join_all().await;
    desk.signal("CONT").await;

    let mut seen = BTreeSet::new();
    for seq in 2..=deliveries + 1 {
        let line = desk.json_line().await;
        assert_eq!(line["seq"], seq);
        assert!(seen.insert(line["value"]["statuses"][0]["id"].as_str().unwrap().to_owned()), "{line} came twice");
    }
    assert_eq!(receiver.deliver(envelope(&[status("after", "sent")])).await, 200);
    assert_eq!(desk.json_line().await["seq"], deliveries + 2, "nothing came besides");
    assert_eq!(desk.stop().await.0, Some(0));
    receiver.stop().await;
}

#[tokio::test]
async fn a_database_restored_from_a_dump_loses_nothing_that_comes_after() {
    let cluster = Cluster::start(&[]).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    let token = add_desk(&cluster, "team").await;
    let client = client(&receiver, &token);
    let mut desk = Desk::default();
    for body in ["1", "2"] {
        assert_eq!(receiver.deliver(body).await, 200);
    }
    let dump = cluster.dump().await;
    for body in ["3", "4"] {
        assert_eq!(receiver.deliver(body).await, 200);
    }
    desk.catch_up(&client).await;
    assert_eq!(desk.bodies, ["1", "2", "3", "4"].map(str::to_owned).into());

    cluster.restore(&dump).await;
    while receiver.deliver("5").await != 200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(receiver.deliver("6").await, 200);
    // The database gives the numbers 3 and 4 again; only the contents count here.
    desk.fetched.clear();
    desk.catch_up(&client).await;
    assert_eq!(desk.bodies, ["1", "2", "3", "4", "5", "6"].map(str::to_owned).into());
    // What the dump has may be repeated.
    assert!(desk.fetched.values().rev().take(2).eq(["6", "5"]), "{:?}", desk.fetched);
    assert_eq!(desk.gaps, []);
    receiver.stop().await;
}

#[tokio::test]
async fn a_full_disk_of_the_database_refuses_and_loses_nothing() {
    let Some(cluster) = Cluster::start_on_disk(96).await else { return };
    let receiver = receive(&cluster, "eu-1", &[]).await;
    let token = add_desk(&cluster, "team").await;
    let mut desk = Desk::default();
    let (mut acknowledged, mut refused) = (BTreeSet::new(), 0);
    cluster.fill_disk(4 << 20).await;
    while refused < 5 {
        let body = incompressible(60_000);
        match receiver.deliver(body.clone()).await {
            200 => drop(acknowledged.insert(body)),
            status => {
                assert_eq!(status, 503);
                refused += 1;
            }
        }
    }
    assert!(!acknowledged.is_empty(), "there was no space from the beginning");
    cluster.empty_disk().await;
    let body = "after the disk was full".to_owned();
    while receiver.deliver(body.clone()).await != 200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    acknowledged.insert(body);
    desk.catch_up(&client(&receiver, &token)).await;
    assert!(acknowledged.is_subset(&desk.bodies));
    let numbers: Vec<i64> = desk.fetched.keys().copied().collect();
    assert_eq!(numbers, (1..=i64::try_from(numbers.len()).unwrap()).collect::<Vec<_>>());
}

/// A text of this length that the database hardly compresses.
fn incompressible(length: usize) -> String {
    let mut bytes = vec![0; length];
    SystemRandom::new().fill(&mut bytes).unwrap();
    bytes.iter().map(|byte| char::from(b'0' + byte % 64)).collect()
}

#[tokio::test]
async fn receivers_of_one_name_store_side_by_side() {
    let cluster = Cluster::start(&[]).await;
    let first = receive(&cluster, "eu-1", &[]).await;
    assert_eq!(first.deliver("1").await, 200);
    let second = receive(&cluster, "eu-1", &[]).await;
    assert_eq!(second.deliver("2").await, 200);
    assert_eq!(first.deliver("3").await, 200);
    let token = add_desk(&cluster, "team").await;
    let mut desk = Desk::default();
    desk.catch_up(&client(&second, &token)).await;
    assert_eq!(desk.fetched.into_values().collect::<Vec<_>>(), ["1", "2", "3"]);
    first.stop().await;
    second.stop().await;
}

#[tokio::test]
async fn databases_that_lose_acknowledged_deliveries_are_refused() {
    let cluster = Cluster::start(&["fsync = off"]).await;
    let address = cluster.address();
    let arguments =
        ["receive", "--listen", "127.0.0.1:0", "--store", &address, "--node", "a", "--secret-env", "CURRENT"];
    let output = run(&arguments).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("in a power cut: fsync is off"), "{}", stderr(&output));
    let accepted = receive(&cluster, "a", &["--accept-data-loss"]).await;
    assert_eq!(accepted.deliver("1").await, 200);
    accepted.stop().await;
}

#[tokio::test]
async fn the_password_is_no_argument_and_in_no_output() {
    let cluster = Cluster::start(&[]).await;
    let with_password = cluster.address().replace("postgres@", "postgres:s3cr3t-pw@");
    let output = run(&["desk", "list", "--store", &with_password]).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--store-password-env") && !stderr(&output).contains("s3cr3t"));
    let address = cluster.address().replace("/postgres", "/missing");
    let mut command = tdesk(&["desk", "list", "--store", &address, "--store-password-env", "DATABASE_PASSWORD"]);
    let output = command.env("DATABASE_PASSWORD", "s3cr3t-pw").env("RUST_LOG", "trace").output().await.unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("missing") && !stderr(&output).contains("s3cr3t"), "{}", stderr(&output));
}

#[tokio::test]
async fn the_database_is_reached_over_tls_with_a_checked_certificate() {
    let cluster = Cluster::start_with_tls().await;
    let address = format!("{}?sslmode=require", cluster.address());
    let authority = cluster.authority();
    let checked = run(&["desk", "add", "ana", "--store", &address, "--store-ca", authority.to_str().unwrap()]).await;
    assert_eq!((checked.status.code(), stderr(&checked).as_str()), (Some(0), ""));
    // The system does not trust this authority.
    let unchecked = run(&["desk", "list", "--store", &address]).await;
    assert_eq!(unchecked.status.code(), Some(3));
    assert!(stderr(&unchecked).contains("certificate"), "{}", stderr(&unchecked));
    // A server without TLS is not used without it.
    let plain = Cluster::start(&[]).await;
    let address = format!("{}?sslmode=require", plain.address());
    let refused = run(&["desk", "list", "--store", &address]).await;
    assert_eq!(refused.status.code(), Some(3));
}
