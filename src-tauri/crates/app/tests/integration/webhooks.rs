//! The provider's side of webhooks: signed deliveries over real HTTP; and a program that records its requests.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::Core;
use app::webhook_path;
use command_types::Nothing;
use command_types::receiver::ReceiverState;
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, WorkspaceSettings};
use ring::hmac;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// Timeout for waits on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Waits between two looks at a state that no event announces; without a pause they would take the processor from what
/// changes it.
pub(super) async fn next_poll() {
    tokio::time::sleep(Duration::from_millis(2)).await;
}

/// Polls until `ready` returns `true`.
pub(super) async fn wait_until<F: Future<Output = bool>>(what: &str, mut ready: impl FnMut() -> F) {
    let waiting = async {
        while !ready().await {
            next_poll().await;
        }
    };
    tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("timed out waiting until {what}"));
}

/// A provider that sends to one workspace.
pub(super) struct Provider {
    pub(super) workspace: String,
    url: String,
    http: reqwest::Client,
}

impl Provider {
    /// Adds a workspace whose webhooks are signed with `secret`.
    pub(super) async fn for_new_workspace(core: &Core, secret: &str) -> Self {
        let settings = WorkspaceSettings {
            name: "Real".to_owned(),
            base_url: "http://127.0.0.1:1".to_owned(),
            workspace_uuid: "5a9db0c5-0000-4000-8000-0000000000ff".to_owned(),
            default_country: "BR".to_owned(),
            ..WorkspaceSettings::default()
        };
        let secrets =
            vec![SecretInput { kind: SecretKind::WebhookSecret, number: None, value: SecretString::from(secret) }];
        let request = SaveWorkspace { workspace: None, settings, secrets, session_only: false };
        let workspace = core.workspaces.save_workspace(request).await.unwrap().id;
        Self::for_workspace(core, workspace).await
    }

    /// Sends to an existing workspace.
    pub(super) async fn for_workspace(core: &Core, workspace: String) -> Self {
        let listening = Mutex::new(None);
        wait_until("the receiver listens", async || {
            let state = core.startup.get_bootstrap(Nothing {}).await.unwrap().receiver;
            if let ReceiverState::Listening { address, .. } = state {
                *listening.lock().unwrap() = Some(address);
            }
            listening.lock().unwrap().is_some()
        })
        .await;
        let address = listening.into_inner().unwrap().unwrap();
        let url = format!("http://{address}{}", webhook_path(&workspace));
        provider_client::install_crypto();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { workspace, url, http }
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Sends a delivery and returns the status of the answer.
    pub(super) async fn deliver(&self, secret: &str, body: &str) -> u16 {
        let request = self
            .http
            .post(&self.url)
            .header("content-type", "application/json; charset=utf-8")
            .header("user-agent", "provider/1.0")
            .header("x-hub-signature-256", signature(secret, body))
            .body(body.to_owned());
        request.send().await.unwrap().status().as_u16()
    }
}

pub(super) fn signature(secret: &str, body: &str) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body.as_bytes());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

/// A delivery with this value of the field `messages`.
pub(super) fn envelope(value: Value) -> String {
    let mut value = value;
    value["messaging_product"] = json!("messaging");
    value["metadata"] = json!({"display_phone_number": "551130000000", "phone_number_id": "n1"});
    json!({"object": "messaging_business_account",
           "entry": [{"id": "waba-1", "changes": [{"field": "messages", "value": value}]}]})
    .to_string()
}

pub(super) fn status(message: &str, word: &str, recipient: &str, seconds: u64) -> Value {
    let mut status =
        json!({"id": message, "status": word, "timestamp": seconds.to_string(), "recipient_id": recipient});
    if word == "failed" {
        status["errors"] = json!([{"code": 131053, "title": "Media upload error"}]);
    }
    status
}

/// One received request, byte for byte.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// Request line and headers, in lines.
    pub(super) head: Vec<String>,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn header(&self, name: &str) -> Vec<&str> {
        let named = |line: &&String| line.split(':').next().is_some_and(|found| found.eq_ignore_ascii_case(name));
        self.head.iter().skip(1).filter(named).map(|line| line.split_once(':').unwrap().1.trim()).collect()
    }
}

/// Answers by the start of the request, such as `GET /`.
type Answers = Vec<(String, Vec<u8>)>;

/// A program on this machine that records its requests.
pub(super) struct Recorder {
    pub(super) url: String,
    requests: Arc<Mutex<Vec<Request>>>,
    answers: Arc<Mutex<Answers>>,
}

impl Recorder {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook?x=1", listener.local_addr().unwrap());
        let recorder = Self { url, requests: Arc::default(), answers: Arc::default() };
        recorder.answer("200 OK", "");
        let (requests, answers) = (recorder.requests.clone(), recorder.answers.clone());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (requests, answers) = (requests.clone(), answers.clone());
                tokio::spawn(async move {
                    let mut bytes = Vec::new();
                    while let Some(request) = read(&mut stream, &mut bytes).await {
                        let line = request.head[0].clone();
                        requests.lock().unwrap().push(request);
                        let answer = {
                            let answers = answers.lock().unwrap();
                            let fitting = answers.iter().rev().find(|(start, _)| line.starts_with(start));
                            fitting.map(|(_, answer)| answer.clone()).unwrap_or_default()
                        };
                        if answer.is_empty() || stream.write_all(&answer).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        recorder
    }

    /// Sets the answer: a status line, and headers each with its line end.
    pub(super) fn answer(&self, status: &str, headers: &str) {
        self.answer_to("", &format!("{status}\r\n{headers}content-length: 0"), b"");
    }

    /// Sets the answer to requests that start like that: status line and headers, then a body.
    pub(super) fn answer_to(&self, start: &str, head: &str, body: &[u8]) {
        let answer = [format!("HTTP/1.1 {head}\r\n\r\n").as_bytes(), body].concat();
        self.answers.lock().unwrap().push((start.to_owned(), answer));
    }

    pub(super) fn answer_json(&self, start: &str, status: &str, json: &Value) {
        let body = json.to_string();
        let head = format!("{status}\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
        self.answer_to(start, &head, body.as_bytes());
    }

    /// Closes the connection instead of answering from now on.
    pub(super) fn hang_up_on(&self, start: &str) {
        self.answers.lock().unwrap().push((start.to_owned(), Vec::new()));
    }

    /// Scheme, host and port.
    pub(super) fn origin(&self) -> &str {
        self.url.trim_end_matches("/hook?x=1")
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

/// Passes each connection to `serve`, in a separate task.
pub(super) fn accept<F: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    serve: impl Fn(tokio::net::TcpStream) -> F + Send + 'static,
) {
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
}

pub(super) async fn read(stream: &mut tokio::net::TcpStream, bytes: &mut Vec<u8>) -> Option<Request> {
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
            let mut request = Request { head: head.split("\r\n").map(str::to_owned).collect(), body: Vec::new() };
            let length: usize = request.header("content-length").first().map_or(0, |length| length.parse().unwrap());
            if bytes.len() >= end + 4 + length {
                let rest = bytes.split_off(end + 4 + length);
                request.body = bytes.split_off(end + 4);
                *bytes = rest;
                return Some(request);
            }
        }
        if stream.read_buf(bytes).await.ok()? == 0 {
            return None;
        }
    }
}
