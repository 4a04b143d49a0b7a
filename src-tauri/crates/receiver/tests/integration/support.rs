//! A running receiver with an in-memory delivery log, and a client that writes raw bytes.

use std::{
    future::Future,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use receiver::{AllowedHosts, Delivery, DeliveryLog, Event, Limits, Reason, Refusal, RefusedDelivery, Route, Routes};
use ring::hmac;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::{Notify, oneshot},
    task::JoinHandle,
    time::timeout,
};

/// Longer than any test takes, even on a slow machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);
pub(crate) const SECRET: &str = "current";
pub(crate) const PREVIOUS_SECRET: &str = "previous";
pub(crate) const VERIFY_TOKEN: &str = "v3rify";

/// Behaviour of the delivery log for the next deliveries.
#[derive(Clone, Copy, Default)]
pub(crate) enum DeliveryLogMode {
    #[default]
    Stores,
    Refuses(Refusal),
    Hangs,
    /// Stores after blocking the whole thread for this long, like a suspended process.
    Stalls(Duration),
}

#[derive(Clone, Default)]
pub(crate) struct MemoryLog(Arc<Shared>);

#[derive(Default)]
struct Shared {
    mode: Mutex<DeliveryLogMode>,
    mode_changed: Notify,
    stored: Mutex<Vec<Delivery>>,
    append_calls: Mutex<usize>,
}

impl MemoryLog {
    pub(crate) fn set_mode(&self, mode: DeliveryLogMode) {
        *self.0.mode.lock().unwrap() = mode;
        self.0.mode_changed.notify_waiters();
    }

    pub(crate) fn stored(&self) -> Vec<Delivery> {
        self.0.stored.lock().unwrap().clone()
    }

    pub(crate) fn append_calls(&self) -> usize {
        *self.0.append_calls.lock().unwrap()
    }
}

impl DeliveryLog for MemoryLog {
    async fn append(&self, delivery: Delivery) -> Result<(), Refusal> {
        *self.0.append_calls.lock().unwrap() += 1;
        loop {
            let changed = self.0.mode_changed.notified();
            let mode = *self.0.mode.lock().unwrap();
            match mode {
                DeliveryLogMode::Stores => {
                    self.0.stored.lock().unwrap().push(delivery);
                    return Ok(());
                }
                DeliveryLogMode::Refuses(refusal) => return Err(refusal),
                DeliveryLogMode::Stalls(time) => {
                    std::thread::sleep(time);
                    self.0.stored.lock().unwrap().push(delivery);
                    return Ok(());
                }
                DeliveryLogMode::Hangs => changed.await,
            }
        }
    }
}

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) delivery_log: MemoryLog,
    pub(crate) routes: Routes,
    events: Arc<Mutex<Vec<Event>>>,
    stop: Option<oneshot::Sender<()>>,
    pub(crate) task: JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start() -> Self {
        Self::with(Limits::default()).await
    }

    pub(crate) async fn with(limits: Limits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let delivery_log = MemoryLog::default();
        let events: Arc<Mutex<Vec<Event>>> = Arc::default();
        let observer = {
            let events = Arc::clone(&events);
            move |event: Event| events.lock().unwrap().push(event)
        };
        let routes = Routes::new(routes(), AllowedHosts::Names(vec!["hooks.example.org".to_owned()])).unwrap();
        let (stop, stopped) = oneshot::channel();
        let serving = receiver::serve(listener, delivery_log.clone(), routes.clone(), limits, observer, async {
            stopped.await.ok();
        });
        Self { address, delivery_log, routes, events, stop: Some(stop), task: tokio::spawn(serving) }
    }

    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    pub(crate) async fn connect(&self) -> Client {
        Client(TcpStream::connect(self.address).await.unwrap())
    }

    /// Sends one request on a new connection.
    pub(crate) async fn send(&self, request: impl AsRef<[u8]>) -> Answer {
        self.connect().await.exchange(request).await
    }

    pub(crate) async fn deliver(&self, body: impl AsRef<[u8]>) -> Answer {
        self.send(signed(SECRET, body.as_ref())).await
    }

    pub(crate) fn refused(&self) -> Vec<RefusedDelivery> {
        let events = self.events.lock().unwrap();
        events
            .iter()
            .filter_map(|event| if let Event::Refused(refused) = event { Some(*refused.clone()) } else { None })
            .collect()
    }

    pub(crate) fn last_reason(&self) -> Option<Reason> {
        self.refused().last().map(|refused| refused.reason)
    }

    pub(crate) fn count(&self, what: impl Fn(&Event) -> bool) -> usize {
        self.events.lock().unwrap().iter().filter(|event| what(event)).count()
    }
}

pub(crate) fn routes() -> Vec<Route> {
    let route = |path: &str, secrets: &[&str], token: Option<&str>| Route {
        path: path.to_owned(),
        tag: path.trim_start_matches('/').to_owned(),
        secrets: secrets.iter().map(|secret| (*secret).into()).collect(),
        verify_token: token.map(Into::into),
        unread: false,
        generation: 0,
    };
    vec![
        route("/webhook", &[SECRET, PREVIOUS_SECRET], Some(VERIFY_TOKEN)),
        route("/other", &["another"], None),
        route("/bare", &[], None),
        route("/empty", &[""], Some("")),
    ]
}

pub(crate) fn signature(secret: &str, body: &[u8]) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body);
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

pub(crate) fn post(path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

pub(crate) fn signed(secret: &str, body: &[u8]) -> Vec<u8> {
    post("/webhook", &format!("X-Hub-Signature-256: {}\r\n", signature(secret, body)), body)
}

/// A response as received over the wire.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn reason(&self) -> String {
        self.json()["reason"].as_str().unwrap().to_owned()
    }
}

pub(crate) struct Client(pub(crate) TcpStream);

impl Client {
    pub(crate) async fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).await.unwrap();
    }

    pub(crate) async fn exchange(&mut self, request: impl AsRef<[u8]>) -> Answer {
        self.write(request).await;
        self.answer().await.expect("the receiver answers")
    }

    /// The next response, or `None` if the receiver closed the connection instead.
    pub(crate) async fn answer(&mut self) -> Option<Answer> {
        timeout(TIMEOUT, self.read_answer()).await.expect("the receiver answers or closes in time")
    }

    async fn read_answer(&mut self) -> Option<Answer> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match self.0.read_u8().await {
                Ok(byte) => head.push(byte),
                Err(_) if head.is_empty() => return None,
                Err(error) => panic!("the answer's head was cut: {error}"),
            }
        }
        let head = String::from_utf8(head).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status: u16 = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        if status == 100 {
            return Box::pin(self.read_answer()).await;
        }
        let headers: Vec<(String, String)> = lines
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let mut answer = Answer { status, headers, body: Vec::new() };
        let length = answer.header("content-length").unwrap_or("0").parse().unwrap();
        answer.body.resize(length, 0);
        self.0.read_exact(&mut answer.body).await.unwrap();
        Some(answer)
    }

    /// Waits until the receiver has closed the connection.
    pub(crate) async fn closed(&mut self) {
        self.rest().await;
    }

    /// Everything received until the receiver closes the connection.
    pub(crate) async fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        // A reset is as acceptable as a clean close.
        timeout(TIMEOUT, self.0.read_to_end(&mut rest)).await.expect("the receiver closes in time").ok();
        String::from_utf8_lossy(&rest).into_owned()
    }
}

/// Polls until the condition holds.
pub(crate) async fn until(mut condition: impl FnMut() -> bool) {
    until_async(|| std::future::ready(condition())).await;
}

/// Polls until the condition holds.
pub(crate) async fn until_async<F: Future<Output = bool>>(mut condition: impl FnMut() -> F) {
    let polling = async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(TIMEOUT, polling).await.expect("the condition holds in time");
}
