//! A sender with many connections that records acknowledged deliveries and resends the others.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ring::hmac;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::events;

/// Signs the webhooks of the desk under test.
pub(super) const SECRET: &str = "fault-webhook-secret";
/// Delay before a sender retries after a refusal or a lost connection.
const PAUSE: Duration = Duration::from_millis(5);

/// Deliveries sent so far, over all starts of the desk.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    next: AtomicU64,
    /// Whether only the planned deliveries are sent.
    planned: bool,
    /// Whether unacknowledged deliveries are never resent.
    once: bool,
    acknowledged: AtomicU64,
    progress: Notify,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Sent, but not acknowledged: they may be stored or not.
    again: VecDeque<u64>,
    acknowledged: Vec<u64>,
    answers: BTreeMap<u16, u64>,
    /// Latency of each acknowledgement.
    waits: Vec<Duration>,
    /// Connections that ended before the answer.
    cut: u64,
}

impl Ledger {
    /// One that starts with that number.
    pub(super) fn from(first: u64) -> Arc<Self> {
        Arc::new(Self { next: first.into(), ..Self::default() })
    }

    /// One that starts with that number and sends nothing twice.
    pub(super) fn once(first: u64) -> Arc<Self> {
        Arc::new(Self { next: first.into(), once: true, ..Self::default() })
    }

    /// One that sends exactly these, in this order, with repetitions.
    pub(super) fn of(plan: Vec<u64>) -> Arc<Self> {
        let state = State { again: plan.into(), ..State::default() };
        Arc::new(Self { planned: true, state: state.into(), ..Self::default() })
    }

    /// Numbers answered with 200.
    pub(super) fn acknowledged(&self) -> Vec<u64> {
        self.state.lock().unwrap().acknowledged.clone()
    }

    pub(super) fn count(&self) -> u64 {
        self.acknowledged.load(Ordering::Relaxed)
    }

    /// Number of answers by status.
    pub(super) fn answers(&self) -> BTreeMap<u16, u64> {
        self.state.lock().unwrap().answers.clone()
    }

    pub(super) fn answered(&self, status: u16) -> u64 {
        self.answers().get(&status).copied().unwrap_or(0)
    }

    /// Fails the test for any answer other than 200 and 503.
    pub(super) fn assert_only_200_and_503(&self, row: &str) {
        let answers = self.answers();
        assert!(answers.keys().all(|status| [200, 503].contains(status)), "{row}: {answers:?}");
    }

    /// Latency quantile of the acknowledgements for `share`.
    pub(super) fn latency_quantile(&self, share: f64) -> Duration {
        let mut waits = self.state.lock().unwrap().waits.clone();
        waits.sort_unstable();
        let last = waits.len().saturating_sub(1) as f64;
        waits.get((last * share).round() as usize).copied().unwrap_or_default()
    }

    /// Waits until this many more are acknowledged.
    pub(super) async fn wait_for_more(&self, more: u64) {
        self.wait_for_acknowledged(self.count() + more).await;
    }

    /// Waits until this many are acknowledged.
    pub(super) async fn wait_for_acknowledged(&self, count: u64) {
        self.until(|| self.count() >= count).await;
    }

    /// Waits until a status was answered this many times.
    pub(super) async fn wait_for_answers(&self, status: u16, times: u64) {
        self.until(|| self.answered(status) >= times).await;
    }

    async fn until(&self, reached: impl Fn() -> bool) {
        loop {
            let progress = self.progress.notified();
            if reached() {
                return;
            }
            progress.await;
        }
    }

    /// The next to send; `None` if there is none.
    fn take(&self) -> Option<u64> {
        let again = self.state.lock().unwrap().again.pop_front();
        again.or_else(|| (!self.planned).then(|| self.next.fetch_add(1, Ordering::Relaxed)))
    }

    fn note(&self, number: u64, wait: Duration, answer: Option<u16>) {
        {
            let mut state = self.state.lock().unwrap();
            match answer {
                Some(status) => *state.answers.entry(status).or_default() += 1,
                None => state.cut += 1,
            }
            if answer == Some(200) {
                state.acknowledged.push(number);
                state.waits.push(wait);
                self.acknowledged.fetch_add(1, Ordering::Relaxed);
            } else if !self.once {
                state.again.push_back(number);
            }
        }
        self.progress.notify_waiters();
    }
}

/// Connections that send until they are stopped.
pub(super) struct Senders {
    stop: CancellationToken,
    connections: JoinSet<()>,
}

impl Senders {
    /// Starts `connections` connections.
    pub(super) fn start(ledger: &Arc<Ledger>, address: SocketAddr, path: &str, connections: usize) -> Self {
        let stop = CancellationToken::new();
        let signer = Arc::new(Signer::new(path));
        let connections =
            (0..connections).map(|_| run_sender(ledger.clone(), address, signer.clone(), stop.clone())).collect();
        Self { stop, connections }
    }

    /// Stops all of them; deliveries in flight count as not acknowledged.
    pub(super) async fn stop(mut self) {
        self.stop.cancel();
        while let Some(ended) = self.connections.join_next().await {
            ended.unwrap();
        }
    }
}

async fn run_sender(ledger: Arc<Ledger>, address: SocketAddr, signer: Arc<Signer>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let Some(Ok(stream)) = stop.run_until_cancelled(TcpStream::connect(address)).await else {
            stop.run_until_cancelled(tokio::time::sleep(PAUSE)).await;
            continue;
        };
        let mut connection = Connection::new(stream);
        while connection.open && !stop.is_cancelled() {
            let Some(number) = ledger.take() else {
                // Deliveries in flight on other connections may have to be resent.
                stop.run_until_cancelled(tokio::time::sleep(PAUSE)).await;
                continue;
            };
            let request = signer.request(events::body(number).as_bytes());
            let start = Instant::now();
            let answer = stop.run_until_cancelled(connection.exchange(&request)).await;
            let answer = answer.and_then(Result::ok);
            ledger.note(number, start.elapsed(), answer);
            match answer {
                Some(200) => {}
                Some(_) => tokio::time::sleep(PAUSE).await,
                None => break,
            }
        }
    }
}

/// Writes signed requests.
#[derive(Debug)]
pub(super) struct Signer {
    key: hmac::Key,
    path: String,
}

impl Signer {
    pub(super) fn new(path: &str) -> Self {
        Self { key: hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes()), path: path.to_owned() }
    }

    /// A whole request.
    pub(super) fn request(&self, body: &[u8]) -> Vec<u8> {
        let tag = hmac::sign(&self.key, body);
        let mut request = format!(
            "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\nX-Hub-Signature-256: sha256=",
            self.path,
            body.len()
        )
        .into_bytes();
        for byte in tag.as_ref() {
            request.extend([byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]));
        }
        request.extend_from_slice(b"\r\n\r\n");
        request.extend_from_slice(body);
        request
    }
}

/// A kept-alive connection.
pub(super) struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
    /// Whether the connection accepts another request.
    pub(super) open: bool,
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        stream.set_nodelay(true).unwrap();
        Self { stream, read: Vec::new(), open: true }
    }

    pub(super) async fn connect(address: SocketAddr) -> Self {
        Self::new(TcpStream::connect(address).await.unwrap())
    }

    /// Sends bytes, not necessarily a whole request.
    pub(super) async fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Sends a request and returns the status of its answer.
    pub(super) async fn exchange(&mut self, request: &[u8]) -> std::io::Result<u16> {
        self.write(request).await?;
        let head = loop {
            if let Some(end) = self.read.windows(4).position(|window| window == b"\r\n\r\n") {
                break self.read.drain(..end + 4).collect::<Vec<u8>>();
            }
            self.more().await?;
        };
        let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap();
        let length = head.split("\r\ncontent-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        let length: usize = length.map_or(0, |length| length.parse().unwrap());
        while self.read.len() < length {
            self.more().await?;
        }
        self.read.drain(..length);
        self.open = !head.contains("\r\nconnection: close");
        Ok(status)
    }

    /// Reads until the peer has closed the connection.
    pub(super) async fn closed(&mut self) {
        while self.more().await.is_ok() {}
    }

    async fn more(&mut self) -> std::io::Result<()> {
        match self.stream.read_buf(&mut self.read).await? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}
