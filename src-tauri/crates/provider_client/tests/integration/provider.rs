//! A server that records the exact bytes of requests and answers from a script.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use provider_client::{Client, Credentials, Endpoint, TemplateFiles, Timeouts, Upload, WabaField, parse_base_url};
use secrecy::SecretString;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// The token of all tests: a canary that must not appear anywhere else.
pub(crate) const TOKEN: &str = "canary-token-4f1d9c";
pub(crate) const WORKSPACE: &str = "0b1f6c1e-7f5e-4d8a-9a55-0d1f3f3f2b10";

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) target: String,
    /// In order, with names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Path and decoded query.
    pub(crate) fn query(&self) -> Vec<(String, String)> {
        let url = url::Url::parse(&format!("http://x{}", self.target)).unwrap();
        url.query_pairs().into_owned().collect()
    }

    /// The parts of a form, in order.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let content_type = self.header("content-type").unwrap();
        let boundary = content_type.strip_prefix("multipart/form-data; boundary=").unwrap();
        let body = String::from_utf8_lossy(&self.body).into_owned();
        let (start, end) = (format!("--{boundary}\r\n"), format!("\r\n--{boundary}--\r\n"));
        let inner = body.strip_prefix(&start).unwrap().strip_suffix(&end).unwrap();
        inner
            .split(&format!("\r\n{start}"))
            .map(|part| {
                let (head, body) = part.split_once("\r\n\r\n").unwrap();
                Part { head: head.split("\r\n").map(str::to_owned).collect(), body: body.to_owned() }
            })
            .collect()
    }
}

/// One part of a form: its header lines and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) head: Vec<String>,
    pub(crate) body: String,
}

/// An expected part of a form.
pub(crate) fn part(head: &[&str], body: &str) -> Part {
    Part { head: head.iter().map(|line| (*line).to_owned()).collect(), body: body.to_owned() }
}

/// A text part of a form.
pub(crate) fn text(name: &str, body: &str) -> Part {
    part(&[&format!("Content-Disposition: form-data; name=\"{name}\"")], body)
}

/// The server's reaction to a request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    /// Reads the request and never answers.
    Silence,
    /// Reads the request and closes the connection.
    Hangup,
    /// Announces more than it sends, then closes.
    Cut,
    /// Announces more than it sends, then waits.
    Stall,
    /// Announces an answer of this many bytes.
    Announce(u64),
    /// Sends endlessly without announcing a length.
    Flood,
}

pub(crate) fn json(status: u16, body: &Value) -> Reply {
    Reply::Answer { status, headers: vec![("content-type", "application/json".into())], body: body.to_string() }
}

pub(crate) fn raw(status: u16, content_type: &str, body: &str) -> Reply {
    Reply::Answer { status, headers: vec![("content-type", content_type.into())], body: body.to_owned() }
}

impl Reply {
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Self::Answer { headers, .. } = &mut self {
            headers.push((name, value.to_owned()));
        }
        self
    }
}

/// The server; stops when dropped.
pub(crate) struct Provider {
    pub(crate) port: u16,
    requests: watch::Sender<Vec<Request>>,
    task: AbortHandle,
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Provider {
    /// Answers requests with the replies in order; any further request is answered with 599.
    pub(crate) async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = watch::Sender::new(Vec::new());
        let replies = Arc::new(Mutex::new(replies.into_iter().collect::<VecDeque<_>>()));
        let recorded = requests.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve_connection(stream, recorded.clone(), Arc::clone(&replies)));
            }
        });
        Self { port, requests, task: task.abort_handle() }
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.borrow().clone()
    }

    /// Waits for the first request.
    pub(crate) async fn wait_for_request(&self) {
        self.requests.subscribe().wait_for(|requests| !requests.is_empty()).await.unwrap();
    }

    /// The only request.
    pub(crate) fn request(&self) -> Request {
        let requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:#?}");
        requests[0].clone()
    }

    pub(crate) fn base(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(endpoint(&self.base()), quick()).unwrap()
    }
}

pub(crate) fn endpoint(base: &str) -> Endpoint {
    Endpoint {
        base_url: parse_base_url(base).unwrap(),
        channel: "messaging".into(),
        workspace_uuid: WORKSPACE.into(),
        credentials: Credentials::Bearer(SecretString::from(TOKEN)),
        allow_unencrypted: false,
        waba_field: WabaField::WabaIds,
    }
}

/// The form files with a header file only.
pub(crate) fn with_header(file: Upload) -> TemplateFiles {
    TemplateFiles { header_file: Some(file), ..TemplateFiles::default() }
}

/// Short timeouts for tests.
pub(crate) fn quick() -> Timeouts {
    Timeouts {
        connect: Duration::from_secs(2),
        idle: Duration::from_secs(5),
        total: Duration::from_secs(10),
        retries: 2,
        first_retry_delay: Duration::from_millis(1),
        retry_budget: Duration::from_secs(5),
    }
}

async fn serve_connection(
    mut stream: TcpStream,
    recorded: watch::Sender<Vec<Request>>,
    replies: Arc<Mutex<VecDeque<Reply>>>,
) {
    while let Some(request) = receive(&mut stream).await {
        recorded.send_modify(|requests| requests.push(request));
        let reply = replies.lock().unwrap().pop_front();
        let reply = reply.unwrap_or_else(|| raw(599, "text/plain", "one request too many"));
        if !answer(&mut stream, reply).await {
            return;
        }
    }
}

/// Returns whether the connection stays open.
async fn answer(stream: &mut TcpStream, reply: Reply) -> bool {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    let sent = match reply {
        Reply::Answer { status, headers, body } => {
            let mut text = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n", body.len());
            for (name, value) in headers {
                text.push_str(&format!("{name}: {value}\r\n"));
            }
            return stream.write_all(format!("{text}\r\n{body}").as_bytes()).await.is_ok();
        }
        Reply::Hangup => return false,
        Reply::Silence => Ok(()),
        Reply::Cut => {
            drop(stream.write_all(format!("{head}content-length: 500\r\n\r\n{{\"data\":").as_bytes()).await);
            return false;
        }
        Reply::Stall => stream.write_all(format!("{head}content-length: 500\r\n\r\n{{\"data\":").as_bytes()).await,
        Reply::Announce(length) => stream.write_all(format!("{head}content-length: {length}\r\n\r\n").as_bytes()).await,
        Reply::Flood => {
            drop(stream.write_all(format!("{head}connection: close\r\n\r\n[").as_bytes()).await);
            while stream.write_all(&[b' '; 65_536]).await.is_ok() {}
            return false;
        }
    };
    sent.unwrap();
    // Waits until the client closes the connection.
    stream.read_u8().await.is_ok()
}

async fn receive(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        let mut piece = [0; 4096];
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut body = bytes.split_off(end + 4);
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap().split(' ');
    let (method, target) = (first.next().unwrap().to_owned(), first.next().unwrap().to_owned());
    let headers: Vec<(String, String)> = lines
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let request = Request { method, target, headers, body: Vec::new() };
    assert_eq!(request.header("transfer-encoding"), None, "every length is known beforehand");
    let length: usize = request.header("content-length").map_or(0, |length| length.parse().unwrap());
    while body.len() < length {
        let mut piece = vec![0; 65_536];
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => body.extend_from_slice(&piece[..count]),
        }
    }
    Some(Request { body, ..request })
}
