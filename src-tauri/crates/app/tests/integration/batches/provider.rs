//! A provider with three templates and images that records every send and answers as scripted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::super::webhooks::{Request, accept, read};

/// Reference of its template.
pub(in super::super) const TEMPLATE: &str = "8f2b9c1e-0000-4000-8000-000000000001";
/// Reference of a marketing template with the same text.
pub(in super::super) const OFFER: &str = "8f2b9c1e-0000-4000-8000-000000000003";
/// Reference of its template with an image.
pub(in super::super) const WITH_PICTURE: &str = "8f2b9c1e-0000-4000-8000-000000000002";

/// The answer to a request.
#[derive(Clone, Debug)]
pub(in super::super) enum Reply {
    /// The request is carried out.
    Accepted,
    /// Status line, further headers with their line ends, body.
    Status(&'static str, &'static str, &'static str),
    /// No answer until the provider is released; then it is carried out.
    Later,
    /// No answer: the connection is closed.
    Cut,
    /// The request is carried out, and a gateway answers instead: with this status line and no body, or by closing the
    /// connection if it is empty.
    AcceptedWithoutAnswer(&'static str),
}

type Script = Box<dyn FnMut(usize, &str) -> Reply + Send>;

#[derive(Clone)]
pub(in super::super) struct Provider {
    pub(in super::super) url: String,
    sends: Arc<Mutex<Vec<Value>>>,
    taken: Arc<Mutex<Vec<String>>>,
    picture_requests: Arc<Mutex<Vec<String>>>,
    script: Arc<Mutex<Script>>,
    gate: Arc<watch::Sender<bool>>,
}

impl Provider {
    /// Starts one that accepts everything.
    pub(in super::super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            sends: Arc::default(),
            taken: Arc::default(),
            picture_requests: Arc::default(),
            script: Arc::new(Mutex::new(Box::new(|_, _| Reply::Accepted))),
            gate: Arc::new(watch::Sender::new(false)),
        };
        let serving = provider.clone();
        accept(listener, move |stream| {
            let serving = serving.clone();
            async move { serving.serve(stream).await }
        });
        provider
    }

    /// Sets the answers to sends. The script gets the number of earlier sends and the recipient.
    pub(in super::super) fn answers(&self, script: impl FnMut(usize, &str) -> Reply + Send + 'static) {
        *self.script.lock().unwrap() = Box::new(script);
    }

    /// Answers the pending requests.
    pub(in super::super) fn release(&self) {
        self.gate.send_replace(true);
    }

    /// Number of sends received.
    pub(in super::super) fn count(&self) -> usize {
        self.sends.lock().unwrap().len()
    }

    /// The bodies of all sends, in order.
    pub(in super::super) fn sends(&self) -> Vec<Value> {
        self.sends.lock().unwrap().clone()
    }

    /// Number of sends to each recipient.
    pub(in super::super) fn recipients(&self) -> BTreeMap<String, usize> {
        count(self.sends().iter().map(|body| body["to"].as_str().unwrap().to_owned()))
    }

    /// Number of accepted messages to each recipient.
    pub(in super::super) fn accepted_by_recipient(&self) -> BTreeMap<String, usize> {
        count(self.taken.lock().unwrap().iter().cloned())
    }

    /// The URL of an image of this size in bytes. Every name works.
    pub(in super::super) fn picture(&self, bytes: u64, name: &str) -> String {
        format!("{}/picture/{bytes}/{name}.png", self.url)
    }

    /// The images requested, in order.
    pub(in super::super) fn picture_requests(&self) -> Vec<String> {
        self.picture_requests.lock().unwrap().clone()
    }

    async fn serve(&self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        while let Some(request) = read(&mut stream, &mut bytes).await {
            let Some(answer) = self.answer(&request).await else { return };
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }

    async fn answer(&self, request: &Request) -> Option<String> {
        if let Some(picture) = request.head[0].split_once("/picture/").map(|(_, rest)| rest.split(' ').next().unwrap())
        {
            self.picture_requests.lock().unwrap().push(picture.to_owned());
            let bytes = picture.split('/').next().unwrap();
            assert!(request.head[0].starts_with("HEAD"), "{}", request.head[0]);
            return Some(format!("HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: {bytes}\r\n\r\n"));
        }
        if !request.head[0].starts_with("POST") {
            return Some(response("200 OK", "", &listing().to_string()));
        }
        assert!(request.head[0].contains("/send-message"), "{}", request.head[0]);
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let to = body["to"].as_str().unwrap().to_owned();
        let before = {
            let mut sends = self.sends.lock().unwrap();
            sends.push(body);
            sends.len() - 1
        };
        let reply = (self.script.lock().unwrap())(before, &to);
        match reply {
            Reply::Accepted => {}
            Reply::Status(status, headers, body) => return Some(response(status, headers, body)),
            Reply::Later => {
                self.gate.subscribe().wait_for(|open| *open).await.ok()?;
            }
            Reply::Cut => return None,
            Reply::AcceptedWithoutAnswer(status) => {
                self.taken.lock().unwrap().push(to);
                return (!status.is_empty()).then(|| response(status, "", ""));
            }
        }
        self.taken.lock().unwrap().push(to);
        let taken = json!({"messages": [{"id": format!("wamid.{before}")}]});
        Some(response("200 OK", "", &taken.to_string()))
    }
}

pub(in super::super) fn count(words: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

pub(in super::super) fn response(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\n{headers}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Approved templates: two with two variables, one with an image.
fn listing() -> Value {
    let body = json!([{"type": "BODY", "text": "Olá {{1}}, esperamos você no dia {{2}} como combinado.",
                       "example": {"body_text": [["Ana", "12/5"]]}}]);
    json!({"data": [{
        "uuid": TEMPLATE, "name": "visit_reminder", "language": "pt_BR", "category": "UTILITY", "status": "APPROVED",
        "components": body,
    }, {
        "uuid": OFFER, "name": "visit_offer", "language": "pt_BR", "category": "MARKETING", "status": "APPROVED",
        "components": body,
    }, {
        "uuid": WITH_PICTURE, "name": "visit_picture", "language": "pt_BR", "category": "UTILITY", "status": "APPROVED",
        "components": [{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::a"]}},
                       {"type": "BODY", "text": "Esperamos você."}],
    }]})
}
