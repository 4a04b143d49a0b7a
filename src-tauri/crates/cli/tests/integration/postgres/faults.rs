//! Faults of all kinds, mixed: nothing acknowledged is lost, nothing comes twice, and no gap is silent.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use delivery_log::postgres::Database;
use delivery_log::{Access, Desks, TokenHash, new_token};
use feed::{Client, Page};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::cluster::{Cluster, STANDBY};
use super::receive_command;
use crate::receiving::{Receiver, SECRET, deliver};

const NODES: [&str; 2] = ["eu-1", "eu-2"];
const SENDERS: u64 = 6;
const DESKS: usize = 4;
/// Deliveries that are acknowledged between two faults.
const STEP: u64 = 20;
/// Deliveries that retention leaves to desks that have read them: a desk may go back after a failover.
const READ: i64 = 2_000;
const RECEIVERS: &str = "FROM pg_stat_activity WHERE application_name LIKE 'tdesk%'";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// A desk is restarted, and goes on after the page that it stored last.
    DeskRestarts,
    SenderIsCut,
    ReceiverStalls,
    SessionsEnd,
    StatementsAreCancelled,
    TokenIsRevoked,
    OldIsRemoved,
    ClockJumps,
    ReceiverIsRestarted,
    ReceiverIsKilled,
    StandbyIsAway,
    DatabaseIsKilled,
    FailOver,
    /// For longer than a write may take.
    StandbyStaysAway,
}

use Fault::{
    ClockJumps, DatabaseIsKilled, DeskRestarts, FailOver, OldIsRemoved, ReceiverIsKilled, ReceiverIsRestarted,
    ReceiverStalls, SenderIsCut, SessionsEnd, StandbyIsAway, StandbyStaysAway, StatementsAreCancelled, TokenIsRevoked,
};

/// How often each comes. Each comes once in this order before they are mixed.
const WEIGHTS: [(Fault, u32); 14] = [
    (DeskRestarts, 250),
    (SenderIsCut, 220),
    (ReceiverStalls, 100),
    (SessionsEnd, 120),
    (StatementsAreCancelled, 120),
    (TokenIsRevoked, 60),
    (OldIsRemoved, 20),
    (ClockJumps, 20),
    (ReceiverIsRestarted, 20),
    (ReceiverIsKilled, 40),
    (StandbyIsAway, 15),
    (DatabaseIsKilled, 10),
    (FailOver, 4),
    (StandbyStaysAway, 1),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_and_desks_go_on_after_faults_of_all_kinds() {
    // Each but the longest.
    mixed_faults(WEIGHTS.len() - 1, 1).await;
}

/// R18.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; make faults runs it"]
async fn full_mixed_faults_lose_and_double_nothing() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().expect("this is a number"));
    mixed_faults(usize::try_from(number("FAULT_ROUNDS", 400)).unwrap(), number("FAULT_SEED", 1)).await;
}

/// Two servers, of which one is the synchronous standby of the other.
pub(super) struct Pair {
    pub(super) primary: Cluster,
    standby: Cluster,
}

impl Pair {
    pub(super) async fn start() -> Self {
        let names = format!("synchronous_standby_names = '{STANDBY}'");
        let primary = Cluster::start(&[&names, "wal_keep_size = 64MB", "wal_retrieve_retry_interval = 100ms"]).await;
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

/// What senders and desks know of the receivers.
#[derive(Default)]
struct Shared {
    http: reqwest::Client,
    /// Addresses of webhooks and feed, by receiver.
    addresses: [Mutex<(String, String)>; 2],
    token: Mutex<SecretString>,
    /// Up to where each desk has read.
    positions: [AtomicI64; DESKS],
    passes: AtomicU64,
    restart_desk: Notify,
    cut_sender: Notify,
    /// Nothing more is sent.
    finished: AtomicBool,
    /// What was sent is answered: nothing that is acknowledged is stored after this.
    answered: AtomicBool,
}

impl Shared {
    fn replace(&self, place: usize, receiver: &Receiver) {
        *self.addresses[place].lock().unwrap() = (receiver.url.clone(), receiver.feed.clone().unwrap());
    }

    fn client(&self, place: usize) -> Client {
        let feed = self.addresses[place].lock().unwrap().1.clone();
        Client::new(self.http.clone(), &feed, self.token.lock().unwrap().clone()).unwrap()
    }

    /// Each body is sent once, so that what comes twice was stored twice. Returns what was acknowledged.
    async fn send(&self, sender: u64) -> Vec<u64> {
        let mut acknowledged = Vec::new();
        for number in 0.. {
            if self.finished.load(Ordering::SeqCst) {
                break;
            }
            let body = sender << 32 | number;
            let url = self.addresses[usize::try_from(number).unwrap() % 2].lock().unwrap().0.clone();
            let answer = tokio::select! {
                answer = deliver(&self.http, &url, SECRET, body.to_string().into()) => answer.ok(),
                () = self.cut_sender.notified() => None,
            };
            if answer == Some(200) {
                acknowledged.push(body);
                self.passes.fetch_add(1, Ordering::SeqCst);
            } else {
                sleep(Duration::from_millis(5)).await;
            }
        }
        acknowledged
    }

    async fn follow(&self, desk: usize) -> Followed {
        let (mut followed, mut cursor) = (Followed::default(), None::<String>);
        loop {
            let last = self.answered.load(Ordering::SeqCst);
            let client = self.client(desk % 2);
            let page = tokio::select! {
                page = client.page(cursor.as_deref(), 500, Duration::from_secs(1)) => page,
                () = self.restart_desk.notified() => continue,
            };
            let Ok(page) = page else {
                sleep(Duration::from_millis(20)).await;
                continue;
            };
            followed.take(&page);
            self.positions[desk].store(followed.position, Ordering::SeqCst);
            cursor = Some(page.end.cursor);
            if last && page.end.behind == 0 {
                return followed;
            }
        }
    }
}

/// What a desk has read.
#[derive(Default)]
struct Followed {
    /// Of each body.
    numbers: HashMap<u64, i64>,
    position: i64,
    again: usize,
    doubled: usize,
    gaps: usize,
    silent_gaps: usize,
}

impl Followed {
    fn take(&mut self, page: &Page) {
        let mut passed: Vec<_> = page.gaps.iter().map(|gap| (gap.from, gap.to)).collect();
        self.gaps += page.gaps.len();
        for delivery in &page.deliveries {
            passed.push((delivery.seq, delivery.seq));
            let body = std::str::from_utf8(&delivery.body).unwrap().parse().unwrap();
            match self.numbers.insert(body, delivery.seq) {
                Some(before) if before == delivery.seq => self.again += 1,
                Some(_) => self.doubled += 1,
                None => {}
            }
        }
        passed.sort_unstable();
        for (from, to) in passed {
            // A desk goes back when the log no longer has what it read last.
            self.silent_gaps += usize::from(from > self.position + 1);
            self.position = to;
        }
    }

    /// What was acknowledged and not read: the desk, up to where it read, and the body.
    fn lost(&self, desk: usize, acknowledged: &[u64]) -> Vec<(usize, i64, u64)> {
        let missing = acknowledged.iter().filter(|body| !self.numbers.contains_key(body));
        missing.map(|body| (desk, self.position, *body)).collect()
    }
}

/// The servers and receivers.
struct Service {
    pair: Pair,
    database: Database,
    desks: Desks,
    receivers: Vec<Receiver>,
    shared: Arc<Shared>,
    random: StdRng,
}

impl Service {
    async fn start(seed: u64) -> Self {
        let pair = Pair::start().await;
        let database = Database::new(&pair.address().into(), None, None).unwrap();
        database.prepare(false).await.unwrap();
        database.keep(Some(30)).await.unwrap();
        let desks = Desks::Postgres(database.reader().unwrap());
        let shared = Arc::new(Shared { http: crate::receiving::client(), ..Shared::default() });
        let random = StdRng::seed_from_u64(seed);
        let mut service = Self { pair, database, desks, receivers: Vec::new(), shared, random };
        for place in 0..NODES.len() {
            let receiver = service.receive(place).await;
            service.receivers.push(receiver);
        }
        service.add_desk().await;
        service
    }

    async fn receive(&self, place: usize) -> Receiver {
        let log = self.pair.primary.path().join("receivers.log");
        let receiver = Receiver::spawn(receive_command(&self.pair.address(), NODES[place]), &log).await;
        self.shared.replace(place, &receiver);
        receiver
    }

    async fn add_desk(&self) {
        let token = new_token().unwrap();
        let hash = TokenHash::of(token.expose_secret());
        let desk = Access { name: "team".to_owned(), hash, endpoints: Vec::new(), created_at: 0 };
        while self.desks.add(desk.clone()).await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
        *self.shared.token.lock().unwrap() = token;
    }

    fn next_fault(&mut self, round: usize) -> Fault {
        if let Some((fault, _)) = WEIGHTS.get(round) {
            return *fault;
        }
        let mut place = self.random.random_range(0..WEIGHTS.iter().map(|(_, weight)| weight).sum::<u32>());
        let chosen = WEIGHTS.iter().find(|(_, weight)| {
            let is_here = place < *weight;
            place = place.saturating_sub(*weight);
            is_here
        });
        chosen.unwrap().0
    }

    async fn cause(&mut self, fault: Fault) {
        let place = self.random.random_range(0..NODES.len());
        let millis = Duration::from_millis(self.random.random_range(1..300));
        match fault {
            DeskRestarts => self.shared.restart_desk.notify_one(),
            SenderIsCut => self.shared.cut_sender.notify_one(),
            ReceiverStalls => {
                self.receivers[place].signal("STOP").await;
                sleep(millis).await;
                self.receivers[place].signal("CONT").await;
            }
            SessionsEnd => self.sql(&format!("SELECT count(pg_terminate_backend(pid)) {RECEIVERS}")).await,
            StatementsAreCancelled => {
                // Again and again, so that there is something to cancel.
                let cancel = format!("SELECT count(pg_cancel_backend(pid)) {RECEIVERS} AND state = 'active'");
                let pause = "SELECT pg_sleep(0.002)";
                self.sql(&[cancel.as_str(), pause].repeat(10).join("; ")).await;
            }
            TokenIsRevoked => {
                while self.desks.revoke("team").await.is_err() {
                    sleep(Duration::from_millis(20)).await;
                }
                sleep(millis / 3).await;
                self.add_desk().await;
            }
            OldIsRemoved => self.remove_old().await,
            ClockJumps => {
                let jump = "UPDATE template_desk.delivery
                            SET stored_at = stored_at + (seq % 3 - 1) * 400 * 86400000::bigint
                            WHERE seq > (SELECT last_seq - 50 FROM template_desk.log)";
                self.sql(jump).await;
            }
            ReceiverIsRestarted => {
                self.receivers.remove(place).stop().await;
                let receiver = self.receive(place).await;
                self.receivers.insert(place, receiver);
            }
            ReceiverIsKilled => {
                self.receivers[place].kill().await;
                self.receivers[place] = self.receive(place).await;
            }
            StandbyIsAway | StandbyStaysAway => {
                self.pair.set_standby("missing").await;
                sleep(if fault == StandbyIsAway { millis } else { Duration::from_secs(12) }).await;
                self.pair.set_standby(STANDBY).await;
            }
            DatabaseIsKilled => self.pair.primary.crash().await,
            FailOver => self.pair.fail_over().await,
        }
    }

    async fn sql(&self, sql: &str) {
        self.pair.primary.sql(sql).await;
    }

    /// The numbers of these bodies in the log, to tell what was not stored from what was not read.
    async fn stored(&self, lost: &[(usize, i64, u64)]) -> String {
        let bodies: Vec<String> = lost.iter().map(|(.., body)| format!("'{body}'")).collect();
        let bodies = bodies.join(", ");
        let sql = format!(
            "SELECT seq, node, convert_from(body, 'UTF8') FROM template_desk.delivery
             WHERE convert_from(body, 'UTF8') IN ({bodies})"
        );
        self.pair.primary.sql(&sql).await
    }

    /// Lets what all desks have read become old, and removes it.
    async fn remove_old(&self) {
        let read = self.shared.positions.iter().map(|position| position.load(Ordering::SeqCst)).min().unwrap();
        let age = format!(
            "UPDATE template_desk.delivery SET stored_at = stored_at - 400 * 86400000::bigint WHERE seq <= {}",
            read - READ
        );
        self.sql(&age).await;
        while self.database.remove_old().await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    }
}

async fn mixed_faults(rounds: usize, seed: u64) {
    let mut service = Service::start(seed).await;
    let shared = service.shared.clone();
    let (mut desks, mut senders) = (JoinSet::new(), JoinSet::new());
    for desk in 0..DESKS {
        let shared = shared.clone();
        desks.spawn(async move { shared.follow(desk).await });
    }
    for sender in 0..SENDERS {
        let shared = shared.clone();
        senders.spawn(async move { shared.send(sender).await });
    }
    let mut caused = BTreeMap::<Fault, u32>::new();
    for round in 0..rounds {
        let fault = service.next_fault(round);
        service.cause(fault).await;
        *caused.entry(fault).or_default() += 1;
        // The next fault comes once deliveries are stored again.
        let before = shared.passes.load(Ordering::SeqCst);
        while shared.passes.load(Ordering::SeqCst) < before + STEP {
            sleep(Duration::from_millis(5)).await;
        }
        if (round + 1) % 500 == 0 {
            println!("R18 {} faults, {} acknowledged", round + 1, shared.passes.load(Ordering::SeqCst));
        }
    }
    shared.finished.store(true, Ordering::SeqCst);
    let acknowledged: Vec<u64> = senders.join_all().await.into_iter().flatten().collect();
    shared.answered.store(true, Ordering::SeqCst);
    let desks = desks.join_all().await;
    let sum = |count: fn(&Followed) -> usize| desks.iter().map(count).sum::<usize>();
    let lost: Vec<(usize, i64, u64)> =
        desks.iter().enumerate().flat_map(|(place, desk)| desk.lost(place, &acknowledged)).collect();
    let stored = "SELECT count(*) - count(DISTINCT body) || ' ' || min(seq) FROM template_desk.delivery";
    let stored = service.pair.primary.sql(stored).await;
    let (stored_twice, first) = stored.split_once(' ').unwrap();
    let (doubled, silent_gaps) = (sum(|desk| desk.doubled), sum(|desk| desk.silent_gaps));
    println!(
        "R18 seed={seed} faults={rounds} desks={DESKS} acknowledged={} lost={} doubled={doubled} \
         stored_twice={stored_twice} silent_gaps={silent_gaps} gaps={} fetched_again={} removed_to={first} {caused:?}",
        acknowledged.len(),
        lost.len(),
        sum(|desk| desk.gaps),
        sum(|desk| desk.again),
    );
    assert!(lost.is_empty(), "desk, read to, body: {lost:?}; stored: {}", service.stored(&lost).await);
    assert_eq!((doubled, stored_twice, silent_gaps), (0, "0", 0));
    for receiver in service.receivers {
        receiver.stop().await;
    }
}
