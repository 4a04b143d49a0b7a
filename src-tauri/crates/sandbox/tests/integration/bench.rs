//! A sandbox under test, a webhook that records its requests, and waiting with a deadline.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use reqwest::{Method, RequestBuilder};
use sandbox::{Options, Sandbox, Webhook};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

pub(crate) const TOKEN: &str = "test-token";
pub(crate) const WORKSPACE: &str = "3f2a9c1e-6d1b-4a53-9a1e-0c6a1d6f7b10";
pub(crate) const SECRET: &str = "webhook-secret";
pub(crate) const NUMBER: &str = "10987654321";

/// One POST as received.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Received {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    /// Whether the signature is the HMAC of these exact bytes.
    pub(crate) fn is_signed(&self) -> bool {
        let Some(header) = self.headers.get("x-hub-signature-256") else { return false };
        let Some(hex) = header.to_str().unwrap().strip_prefix("sha256=") else { return false };
        assert_eq!(hex, hex.to_lowercase());
        let tag: Vec<u8> =
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, SECRET.as_bytes());
        ring::hmac::verify(&key, &self.bytes, &tag).is_ok()
    }
}

type Shelf = Arc<Mutex<Vec<Received>>>;
type Answers = Arc<Mutex<VecDeque<u16>>>;

/// A webhook that records requests and returns configured answers.
#[derive(Clone, Default)]
pub(crate) struct Recorder {
    received: Shelf,
    /// Answers to return first; afterwards every answer is 200.
    answers: Answers,
    pub(crate) url: String,
    _stop: Option<Arc<DropGuard>>,
}

impl Recorder {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stop = CancellationToken::new();
        let recorder = Self {
            url: format!("http://{}/hook", listener.local_addr().unwrap()),
            _stop: Some(Arc::new(stop.clone().drop_guard())),
            ..Self::default()
        };
        let state = (Arc::clone(&recorder.received), Arc::clone(&recorder.answers));
        let router = Router::new().fallback(record).with_state(state);
        tokio::spawn(async move { axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await });
        recorder
    }

    pub(crate) fn answer(&self, answers: &[u16]) {
        self.answers.lock().unwrap().extend(answers);
    }

    pub(crate) fn all(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// Every received `(field, value)`, in order.
    pub(crate) fn changes(&self) -> Vec<(String, Value)> {
        let mut changes = Vec::new();
        for received in self.all() {
            for entry in received.json()["entry"].as_array().unwrap() {
                for change in entry["changes"].as_array().unwrap() {
                    changes.push((change["field"].as_str().unwrap().to_owned(), change["value"].clone()));
                }
            }
        }
        changes
    }

    /// The reported statuses of a message, in order of arrival.
    pub(crate) fn statuses(&self, id: &str) -> Vec<Value> {
        let statuses = self.changes().into_iter().filter_map(|(_, value)| value["statuses"][0].as_object().cloned());
        statuses.map(Value::Object).filter(|status| status["id"] == id).collect()
    }

    /// The inbound messages, in order of arrival.
    pub(crate) fn inbound(&self) -> Vec<Value> {
        self.changes().into_iter().map(|(_, value)| value).filter(|value| value["messages"].is_array()).collect()
    }
}

async fn record(State((received, answers)): State<(Shelf, Answers)>, headers: HeaderMap, bytes: Bytes) -> StatusCode {
    received.lock().unwrap().push(Received { headers, bytes: bytes.to_vec() });
    let answer = answers.lock().unwrap().pop_front().unwrap_or(200);
    StatusCode::from_u16(answer).unwrap()
}

/// A served sandbox.
pub(crate) struct Bench {
    pub(crate) base: String,
    pub(crate) sandbox: Sandbox,
    pub(crate) client: reqwest::Client,
    stop: CancellationToken,
    served: Option<tokio::task::JoinHandle<std::io::Result<()>>>,
}

/// Options without delays.
pub(crate) fn options() -> Options {
    Options { review_delay: Duration::ZERO, status_delay: Duration::ZERO, ..Options::new(TOKEN.into(), WORKSPACE) }
}

pub(crate) fn hook(recorder: &Recorder) -> Option<Webhook> {
    Some(Webhook::new(&recorder.url, SECRET.into()).unwrap())
}

impl Bench {
    pub(crate) async fn start(options: Options) -> Self {
        let sandbox = Sandbox::open(options).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let stop = CancellationToken::new();
        let served = tokio::spawn({
            let sandbox = sandbox.clone();
            let stop = stop.clone();
            async move { sandbox.serve(listener, stop.cancelled_owned()).await }
        });
        // Opening the sandbox has installed the TLS provider, which the client needs too.
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { base, sandbox, client, stop, served: Some(served) }
    }

    /// A sandbox with a recording webhook whose deliveries arrive one after another.
    pub(crate) async fn with_recorder(options: Options) -> (Self, Recorder) {
        let recorder = Recorder::start().await;
        let bench = Self::start(Options { webhook: hook(&recorder), ..options }).await;
        bench.settings(json!({ "delivery": { "concurrency": 1, "first_retry_ms": 1 } })).await;
        (bench, recorder)
    }

    /// Stops serving and saves.
    pub(crate) async fn stop(mut self) {
        self.stop.cancel();
        self.served.take().unwrap().await.unwrap().unwrap();
    }

    /// A request without credentials.
    pub(crate) fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// A request with token and workspace.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).bearer_auth(TOKEN).header("x-workspace-uuid", WORKSPACE)
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        answer(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        answer(self.request(Method::POST, path).json(&body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> (u16, Value) {
        answer(self.request(Method::PUT, path).json(&body)).await
    }

    pub(crate) async fn settings(&self, changes: Value) {
        let (status, body) = self.put("/sandbox/settings", changes).await;
        assert_eq!(status, 200, "{body}");
    }

    pub(crate) async fn create(&self, body: Value) -> String {
        let (status, body) = self.post(TEMPLATES, body).await;
        assert_eq!(status, 200, "{body}");
        body["uuid"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn record(&self, uuid: &str) -> Option<Value> {
        let (status, body) = self.get(TEMPLATES).await;
        assert_eq!(status, 200, "{body}");
        body["data"].as_array().unwrap().iter().find(|record| record["uuid"] == uuid).cloned()
    }

    pub(crate) async fn until_status(&self, uuid: &str, status: &str) -> Value {
        until(&format!("{uuid} is {status}"), async || {
            self.record(uuid).await.filter(|record| record["status"] == status)
        })
        .await
    }

    /// Creates a template and waits for its approval.
    pub(crate) async fn approved(&self, body: Value) -> String {
        let uuid = self.create(body).await;
        self.until_status(&uuid, "APPROVED").await;
        uuid
    }

    /// Sends a message and returns its identifier.
    pub(crate) async fn send(&self, body: Value) -> String {
        let (status, body) = self.post(&send_path(), body).await;
        assert_eq!(status, 200, "{body}");
        body["messages"][0]["id"].as_str().unwrap().to_owned()
    }
}

pub(crate) const TEMPLATES: &str = "/messaging/provider/workspace-templates";

pub(crate) fn send_path() -> String {
    format!("/messaging/provider/{NUMBER}/send-message")
}

pub(crate) async fn answer(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let body =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("the answer {status} is not JSON ({error}): {text}"));
    (status, body)
}

/// Polls until there is a result, for at most ten seconds.
pub(crate) async fn until<T, F: Future<Output = Option<T>>>(what: &str, ask: impl Fn() -> F) -> T {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < deadline, "not within ten seconds: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Asserts a refusal: its status, both strings, and the name of the field.
pub(crate) fn assert_refused(answer: (u16, Value), status: u16, field: &str) {
    let (got, body) = answer;
    assert_eq!(got, status, "{body}");
    let message = body["message"].as_str().unwrap_or_else(|| panic!("no message: {body}"));
    let details = body["details"].as_str().unwrap_or_else(|| panic!("no details: {body}"));
    assert!(!message.is_empty());
    assert!(details.contains(field), "`{field}` is not named in: {body}");
}

/// A template with a body of two variables.
pub(crate) fn template(name: &str) -> Value {
    json!({
        "waba_ids": [2001],
        "name": name,
        "category": "utility",
        "language": "pt_BR",
        "components": [
            {
                "type": "BODY",
                "text": "Ol\u{e1} {{1}}, o pedido {{2}} saiu para entrega hoje de manh\u{e3}.",
                "example": { "body_text": [["Ana", "860198"]] },
            },
        ],
    })
}

/// A send that matches [`template`].
pub(crate) fn message(name: &str, to: &str) -> Value {
    json!({
        "messaging_product": "messaging",
        "to": to,
        "type": "template",
        "template": {
            "name": name,
            "language": { "code": "pt_BR" },
            "components": [
                { "type": "body", "parameters": [{ "type": "text", "text": "Ana" }, { "type": "text", "text": "42" }] },
            ],
        },
    })
}

/// The minimum of bytes that is detected as a PNG.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\nthe rest is not looked at";
