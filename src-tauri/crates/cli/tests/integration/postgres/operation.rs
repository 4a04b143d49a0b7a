//! Several receivers as `docs/deployment.md` recommends to run them: a synchronous standby, failover, PgBouncer, dump and
//! restore, a receiver that is removed for good. Deliveries come all the time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;

use super::faults::Pair;
use super::pg_bouncer::PgBouncer;
use super::pooler::catch_up;
use super::{Cluster, Desk, add_desk, client, receive_at};
use crate::receiving::{Receiver, SECRET, TIMEOUT, deliver};

/// Senders to each receiver.
const SENDERS: usize = 4;
/// Deliveries that each receiver acknowledges between two steps.
const STEP: usize = 200;

/// Senders that never stop by themselves, and what was acknowledged.
struct Load {
    stop: Arc<AtomicBool>,
    senders: JoinSet<()>,
    /// By receiver.
    acknowledged: Arc<Vec<Mutex<BTreeSet<String>>>>,
}

impl Load {
    fn start(name: &'static str, receivers: &[&Receiver]) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let acknowledged: Vec<Mutex<BTreeSet<_>>> = receivers.iter().map(|_| Mutex::default()).collect();
        let acknowledged = Arc::new(acknowledged);
        let mut senders = JoinSet::new();
        for (place, receiver) in receivers.iter().enumerate() {
            for sender in 0..SENDERS {
                let (http, url) = (receiver.client.clone(), receiver.url.clone());
                let (stop, acknowledged) = (stop.clone(), acknowledged.clone());
                senders.spawn(async move {
                    for number in 0.. {
                        if stop.load(Ordering::SeqCst) {
                            return;
                        }
                        let body = format!("{name} {place} {sender} {number}");
                        match deliver(&http, &url, SECRET, body.clone().into()).await {
                            Ok(200) => drop(acknowledged[place].lock().unwrap().insert(body)),
                            // As a provider does: later, and this one is not sent again, so that nothing is doubled.
                            _ => tokio::time::sleep(Duration::from_millis(20)).await,
                        }
                    }
                });
            }
        }
        Self { stop, senders, acknowledged }
    }

    /// Waits until each receiver has acknowledged some more.
    async fn step(&self, what: &str) {
        let count = |place: usize| self.acknowledged[place].lock().unwrap().len();
        let goals: Vec<_> = (0..self.acknowledged.len()).map(|place| count(place) + STEP).collect();
        let reached = async {
            while goals.iter().enumerate().any(|(place, goal)| count(place) < *goal) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let counts = || (0..goals.len()).map(count).collect::<Vec<_>>();
        assert!(timeout(TIMEOUT, reached).await.is_ok(), "{what}: acknowledged {:?} of {goals:?}", counts());
    }

    async fn stop(self) -> BTreeSet<String> {
        self.stop.store(true, Ordering::SeqCst);
        self.senders.join_all().await;
        self.acknowledged.iter().flat_map(|acknowledged| acknowledged.lock().unwrap().clone()).collect()
    }
}

async fn operate(pool_mode: &'static str) {
    let mut servers = Pair::start().await;
    let logs = Cluster::empty().await;
    let mut bouncer = PgBouncer::start(&servers.primary, pool_mode).await.expect("the package pgbouncer is installed");
    // One receiver knows both servers, and one what PgBouncer leads to.
    let both = servers.address();
    let one = receive_at(&logs, &both, "eu-1", &[]).await;
    let two = receive_at(&logs, &bouncer.address(), "eu-2", &[]).await;
    let token = add_desk(&servers.primary, "team").await;
    let (mut follower, mut asleep) = (Desk::default(), Desk::default());
    catch_up(&mut asleep, &client(&two, &token)).await;

    let load = Load::start("before", &[&one, &two]);
    load.step("with both servers").await;
    catch_up(&mut follower, &client(&one, &token)).await;
    servers.fail_over().await;
    bouncer.point_to(&servers.primary).await;
    load.step("after the failover").await;
    catch_up(&mut follower, &client(&one, &token)).await;
    bouncer.restart(&servers.primary).await;
    load.step("after a restart of PgBouncer").await;
    let acknowledged = load.stop().await;
    for (desk, receiver) in [(&mut follower, &two), (&mut asleep, &one)] {
        catch_up(desk, &client(receiver, &token)).await;
        assert_complete(desk, &acknowledged);
    }
    assert_eq!(follower.fetched, asleep.fetched, "each desk has the same");

    // A dump is made while deliveries come, and restored on another server while no receiver runs.
    let load = Load::start("dumped", &[&one, &two]);
    load.step("before the dump").await;
    let dump = servers.primary.dump().await;
    load.step("after the dump").await;
    let mut acknowledged = load.stop().await;
    catch_up(&mut follower, &client(&one, &token)).await;
    one.stop().await;
    two.stop().await;
    let restored = Cluster::start(&[]).await;
    restored.load(&dump).await;
    bouncer.point_to(&restored).await;
    let one = receive_at(&logs, &restored.address(), "eu-1", &[]).await;
    let two = receive_at(&logs, &bouncer.address(), "eu-2", &[]).await;
    // The database gives the numbers after the dump again.
    follower.fetched.clear();
    let load = Load::start("restored", &[&one, &two]);
    load.step("after the restore").await;
    acknowledged.extend(load.stop().await);
    catch_up(&mut follower, &client(&two, &token)).await;

    two.stop().await;
    let load = Load::start("alone", &[&one]);
    load.step("after a receiver was removed").await;
    acknowledged.extend(load.stop().await);
    catch_up(&mut follower, &client(&one, &token)).await;
    assert_complete(&follower, &acknowledged);
    let mut fresh = Desk::default();
    catch_up(&mut fresh, &client(&one, &token)).await;
    assert!(fresh.bodies.iter().any(|body| body.starts_with("restored 1 ")), "what a removed receiver stored stays");
    println!("operation pool_mode={pool_mode} acknowledged={} fetched={}", acknowledged.len(), follower.bodies.len());
    one.stop().await;
}

fn assert_complete(desk: &Desk, acknowledged: &BTreeSet<String>) {
    let missing: Vec<_> = acknowledged.difference(&desk.bodies).collect();
    assert!(missing.is_empty(), "{} were acknowledged and not fetched: {missing:?}", missing.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes and PgBouncer; make faults runs it"]
async fn full_operation_with_a_pooler_of_sessions_loses_nothing() {
    operate("session").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes and PgBouncer; make faults runs it"]
async fn full_operation_with_a_pooler_of_transactions_loses_nothing() {
    operate("transaction").await;
}
