//! Faults of all kinds, mixed: nothing acknowledged is lost, nothing comes twice, and no gap is silent.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;

use super::cluster::{Cluster, STANDBY};
use super::{client, receive_at};
use crate::receiving::{Receiver, SECRET, deliver, run};

const SENDERS: usize = 6;
const DESKS: usize = 4;
const OTHERS: &str = "FROM pg_stat_activity WHERE application_name LIKE 'tdesk%'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_and_desks_go_on_after_faults_of_all_kinds() {
    mixed_faults(8).await;
}

/// The full form.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; make faults runs it"]
async fn full_r18_faults_of_all_kinds_lose_and_double_nothing() {
    let rounds = std::env::var("FAULT_ROUNDS").map_or(200, |rounds| rounds.parse().expect("FAULT_ROUNDS is a number"));
    mixed_faults(rounds).await;
}

/// Two servers, of which one is the synchronous standby of the other.
pub(super) struct Pair {
    pub(super) primary: Cluster,
    standby: Cluster,
}

impl Pair {
    pub(super) async fn start() -> Self {
        let names = format!("synchronous_standby_names = '{STANDBY}'");
        let primary = Cluster::start(&[&names, "wal_keep_size = 64MB"]).await;
        let standby = Cluster::empty().await;
        standby.follow(&primary).await;
        Self { primary, standby }
    }

    pub(super) fn address(&self) -> String {
        format!(
            "postgres://postgres@127.0.0.1:{},127.0.0.1:{}/postgres?target_session_attrs=read-write",
            self.primary.port(),
            self.standby.port()
        )
    }

    /// The primary is lost, and the standby takes its place. Then the other server is its standby.
    pub(super) async fn fail_over(&mut self) {
        self.primary.stop_at_once().await;
        self.standby.promote().await;
        std::mem::swap(&mut self.primary, &mut self.standby);
        self.standby.follow(&self.primary).await;
    }

    async fn set_standby(&self, name: &str) {
        self.primary.sql(&format!("ALTER SYSTEM SET synchronous_standby_names = '{name}'")).await;
        self.primary.sql("SELECT pg_reload_conf()").await;
    }
}

#[derive(Default)]
struct Followed {
    /// How often each body came.
    bodies: BTreeMap<String, usize>,
    gaps: usize,
}

async fn mixed_faults(rounds: usize) {
    let mut pair = Pair::start().await;
    let address = pair.address();
    let mut receivers = Vec::new();
    for node in ["eu-1", "eu-2"] {
        receivers.push(receive_at(&pair.primary, &address, node, &[]).await);
    }
    let output = run(&["desk", "add", "team", "--store", &address]).await;
    let token = String::from_utf8(output.stdout).unwrap().trim().to_owned();

    let (finished, passes) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let mut desks = JoinSet::new();
    for _ in 0..DESKS {
        let (client, finished) = (client(&receivers[0], &token), finished.clone());
        desks.spawn(async move {
            let (mut followed, mut cursor) = (Followed::default(), None::<String>);
            loop {
                let last = finished.load(Ordering::SeqCst);
                let Ok(page) = client.page(cursor.as_deref(), 500, Duration::from_secs(1)).await else {
                    sleep(Duration::from_millis(50)).await;
                    continue;
                };
                for delivery in page.deliveries {
                    let body = String::from_utf8(delivery.body.to_vec()).unwrap();
                    *followed.bodies.entry(body).or_default() += 1;
                }
                followed.gaps += page.gaps.len();
                cursor = Some(page.end.cursor);
                if last && page.end.behind == 0 {
                    return followed;
                }
            }
        });
    }
    let mut senders = JoinSet::new();
    for sender in 0..SENDERS {
        let urls = [receivers[0].url.clone(), receivers[1].url.clone()];
        let (http, finished, passes) = (receivers[0].client.clone(), finished.clone(), passes.clone());
        senders.spawn(async move {
            let mut acknowledged = BTreeSet::new();
            for number in 0.. {
                if finished.load(Ordering::SeqCst) {
                    break;
                }
                let body = format!("{sender} {number}");
                match deliver(&http, &urls[number % 2], SECRET, body.clone().into()).await {
                    Ok(200) => {
                        acknowledged.insert(body);
                        passes.fetch_add(1, Ordering::SeqCst);
                    }
                    // Each body is sent once, so that what comes twice was stored twice.
                    _ => sleep(Duration::from_millis(5)).await,
                }
            }
            acknowledged
        });
    }

    let mut failovers = 0;
    for round in 0..rounds {
        match round % 8 {
            0 | 4 => drop(pair.primary.sql(&format!("SELECT count(pg_terminate_backend(pid)) {OTHERS}")).await),
            1 | 5 => {
                // While something waits, so that there is something to cancel.
                for _ in 0..20 {
                    pair.primary
                        .sql(&format!("SELECT count(pg_cancel_backend(pid)) {OTHERS} AND state = 'active'"))
                        .await;
                }
            }
            2 => {
                pair.set_standby("missing").await;
                sleep(Duration::from_millis(if round % 16 == 2 { 500 } else { 12_000 })).await;
                pair.set_standby(STANDBY).await;
            }
            3 => pair.primary.crash().await,
            6 => {
                // A clock that was ahead, then behind: only retention looks at these instants.
                let sql =
                    "UPDATE template_desk.delivery SET stored_at = stored_at + (seq % 3 - 1) * 400 * 86400000::bigint
                           WHERE seq > (SELECT last_seq - 50 FROM template_desk.log)";
                pair.primary.sql(sql).await;
            }
            _ => {
                pair.fail_over().await;
                failovers += 1;
            }
        }
        // The next fault comes once deliveries are stored again.
        let before = passes.load(Ordering::SeqCst);
        while passes.load(Ordering::SeqCst) < before + 50 {
            sleep(Duration::from_millis(10)).await;
        }
    }
    finished.store(true, Ordering::SeqCst);
    let acknowledged: BTreeSet<String> = senders.join_all().await.into_iter().flatten().collect();
    let desks = desks.join_all().await;
    let stored = pair.primary.sql("SELECT count(*) || ' ' || count(DISTINCT body) FROM template_desk.delivery").await;
    let (all, distinct) = stored.split_once(' ').unwrap();
    let again: usize = desks.iter().flat_map(|desk| desk.bodies.values()).map(|times| times - 1).sum();
    println!(
        "R18 rounds={rounds} failovers={failovers} acknowledged={} stored={all} desks={DESKS} fetched_again={again}",
        acknowledged.len()
    );
    assert_eq!(all, distinct, "a delivery is stored twice");
    for desk in &desks {
        let missing: Vec<_> = acknowledged.iter().filter(|body| !desk.bodies.contains_key(*body)).collect();
        assert!(missing.is_empty(), "acknowledged but not fetched: {missing:?}");
        assert_eq!(desk.gaps, 0);
    }
    receivers.into_iter().map(Receiver::stop).collect::<JoinSet<_>>().join_all().await;
}
