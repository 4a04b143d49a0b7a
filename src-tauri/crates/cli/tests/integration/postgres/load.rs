//! Deliveries that come all the time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::receiving::{Receiver, SECRET, TIMEOUT, deliver};

/// Senders to each receiver.
const SENDERS: usize = 4;
/// Deliveries that a receiver acknowledges between two steps.
const STEP: usize = 200;

/// What is sent to a receiver.
struct Target {
    url: Mutex<String>,
    acknowledged: Mutex<BTreeSet<String>>,
    refused: AtomicUsize,
}

impl Target {
    fn acknowledged(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }
}

/// Senders that do not stop by themselves.
pub(super) struct Load {
    stop: Arc<AtomicBool>,
    senders: JoinSet<()>,
    targets: Arc<[Target]>,
}

impl Load {
    /// Sends bodies that begin with a name, each of them once.
    pub(super) fn start(name: &'static str, receivers: &[&Receiver]) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let target = |receiver: &&Receiver| Target {
            url: Mutex::new(receiver.url.clone()),
            acknowledged: Mutex::default(),
            refused: AtomicUsize::new(0),
        };
        let targets: Arc<[Target]> = receivers.iter().map(target).collect();
        let mut senders = JoinSet::new();
        for place in 0..targets.len() {
            for sender in 0..SENDERS {
                let (http, stop, targets) = (receivers[place].client.clone(), stop.clone(), targets.clone());
                senders.spawn(async move {
                    let target = &targets[place];
                    for number in 0.. {
                        if stop.load(Ordering::SeqCst) {
                            return;
                        }
                        let body = format!("{name} {place} {sender} {number}");
                        let url = target.url.lock().unwrap().clone();
                        if let Ok(200) = deliver(&http, &url, SECRET, body.clone().into()).await {
                            target.acknowledged.lock().unwrap().insert(body);
                        } else {
                            // What was refused is not sent again, so that what is stored twice is found.
                            target.refused.fetch_add(1, Ordering::SeqCst);
                            sleep(Duration::from_millis(20)).await;
                        }
                    }
                });
            }
        }
        Self { stop, senders, targets }
    }

    /// Sends to a receiver in the place of another.
    pub(super) fn replace(&self, place: usize, receiver: &Receiver) {
        *self.targets[place].url.lock().unwrap() = receiver.url.clone();
    }

    /// Waits until each receiver has acknowledged some more.
    pub(super) async fn step(&self, what: &str) {
        for place in 0..self.targets.len() {
            self.step_of(place, what).await;
        }
    }

    /// Waits until a receiver has acknowledged some more.
    pub(super) async fn step_of(&self, place: usize, what: &str) {
        let target = &self.targets[place];
        let goal = target.acknowledged() + STEP;
        let reached = async {
            while target.acknowledged() < goal {
                sleep(Duration::from_millis(20)).await;
            }
        };
        let is_reached = timeout(TIMEOUT, reached).await.is_ok();
        assert!(is_reached, "{what}: receiver {place} acknowledged {} of {goal}", target.acknowledged());
    }

    /// Waits until each receiver has refused some.
    pub(super) async fn refusals(&self) {
        for target in &*self.targets {
            let before = target.refused.load(Ordering::SeqCst);
            while target.refused.load(Ordering::SeqCst) < before + SENDERS * 2 {
                sleep(Duration::from_millis(20)).await;
            }
        }
    }

    /// What was acknowledged.
    pub(super) async fn stop(self) -> BTreeSet<String> {
        self.stop.store(true, Ordering::SeqCst);
        self.senders.join_all().await;
        self.targets.iter().flat_map(|target| target.acknowledged.lock().unwrap().clone()).collect()
    }
}
