//! A provider that stores templates, records requests byte for byte, and answers as scripted.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::super::webhooks::{Request, accept, read};

/// The answer to a creation or an edit.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Reply {
    /// It is carried out.
    Done,
    /// It is carried out, and the answer is lost: the connection is closed.
    DoneWithoutAnswer,
    /// It is not carried out, and there is no answer.
    Lost,
    /// It is refused because of its content.
    Refused,
    /// It is refused because of a temporary limit.
    Limited,
    /// The same, and the provider asks for a pause of 20 seconds.
    LimitedForSeconds,
    /// The credentials are refused.
    Unauthorized,
    /// It is carried out once [`Provider::release`] is called.
    Later,
}

type Script = Box<dyn FnMut(usize) -> Reply + Send>;

/// How the listing is answered.
#[derive(Debug, Default)]
struct Listing {
    fails: bool,
    requests: usize,
}

#[derive(Clone)]
pub(in super::super) struct Provider {
    pub(in super::super) url: String,
    templates: Arc<Mutex<Vec<Value>>>,
    requests: Arc<Mutex<Vec<Request>>>,
    script: Arc<Mutex<Script>>,
    listing: Arc<Mutex<Listing>>,
    gate: Arc<watch::Sender<bool>>,
    came: Arc<watch::Sender<usize>>,
}

impl Provider {
    /// Starts one that carries out everything, with these templates.
    pub(in super::super) async fn start(templates: Vec<Value>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            templates: Arc::new(Mutex::new(templates)),
            requests: Arc::default(),
            script: Arc::new(Mutex::new(Box::new(|_| Reply::Done))),
            listing: Arc::default(),
            gate: Arc::new(watch::Sender::new(false)),
            came: Arc::new(watch::Sender::new(0)),
        };
        let serving = provider.clone();
        accept(listener, move |stream| {
            let serving = serving.clone();
            async move { serving.serve(stream).await }
        });
        provider
    }

    /// Sets the answers. The script gets the number of earlier creations and edits.
    pub(in super::super) fn answers(&self, script: impl FnMut(usize) -> Reply + Send + 'static) {
        *self.script.lock().unwrap() = Box::new(script);
    }

    /// From now on, answers listings with the status 500, or correctly again.
    pub(in super::super) fn fail_listings(&self, fails: bool) {
        self.listing.lock().unwrap().fails = fails;
    }

    /// Number of listings requested.
    pub(in super::super) fn listings(&self) -> usize {
        self.listing.lock().unwrap().requests
    }

    /// Carries out and answers the pending requests.
    pub(in super::super) fn release(&self) {
        self.gate.send_replace(true);
    }

    /// Changes its templates directly.
    pub(in super::super) fn change(&self, change: impl FnOnce(&mut Vec<Value>)) {
        change(&mut self.templates.lock().unwrap());
    }

    /// Waits until it has a template of this name.
    #[cfg(unix)]
    pub(in super::super) async fn has(&self, name: &str) {
        while !self.templates.lock().unwrap().iter().any(|template| template["name"] == name) {
            crate::webhooks::next_poll().await;
        }
    }

    /// The received creations and edits, in order.
    pub(in super::super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits for this many creations and edits.
    pub(in super::super) async fn wait_for_count(&self, count: usize) {
        self.came.subscribe().wait_for(|came| *came >= count).await.unwrap();
    }

    async fn serve(&self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        while let Some(request) = read(&mut stream, &mut bytes).await {
            let Some((status, body)) = self.answer(request).await else { return };
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.to_string().len()
            );
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }

    async fn answer(&self, request: Request) -> Option<(&'static str, Value)> {
        let line = request.head[0].clone();
        if line.starts_with("GET") {
            let mut listing = self.listing.lock().unwrap();
            listing.requests += 1;
            if listing.fails {
                return Some(("500 Internal Server Error", json!({"message": "Broken"})));
            }
            return Some(("200 OK", json!({"data": *self.templates.lock().unwrap()})));
        }
        let before = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(request.clone());
            requests.len() - 1
        };
        self.came.send_replace(before + 1);
        let reply = (self.script.lock().unwrap())(before);
        match reply {
            Reply::Lost => return None,
            Reply::Refused => {
                return Some(("400 Bad Request", json!({"message": "Not this one", "code": 2_388_024})));
            }
            Reply::Limited => {
                return Some(("429 Too Many Requests", json!({"message": "Slow down"})));
            }
            Reply::LimitedForSeconds => {
                return Some(("429 Too Many Requests\r\nretry-after: 20", json!({"message": "Slow down"})));
            }
            Reply::Unauthorized => {
                return Some(("401 Unauthorized", json!({"message": "Who are you?", "details": "A token is needed"})));
            }
            Reply::Later => {
                self.gate.subscribe().wait_for(|open| *open).await.ok()?;
            }
            Reply::Done | Reply::DoneWithoutAnswer => {}
        }
        let reference = self.take(&line, &request.body);
        (!matches!(reply, Reply::DoneWithoutAnswer)).then(|| ("200 OK", json!({"data": {"uuid": reference}})))
    }

    /// Carries out a request.
    fn take(&self, line: &str, body: &[u8]) -> String {
        let asked: Value = serde_json::from_slice(body).unwrap_or_else(|_| form(body));
        let mut templates = self.templates.lock().unwrap();
        if line.starts_with("PUT") {
            let reference = line.split(' ').nth(1).unwrap().rsplit('/').next().unwrap().to_owned();
            let known = templates.iter_mut().find(|template| template["uuid"] == reference.as_str()).unwrap();
            known.as_object_mut().unwrap().extend(asked.as_object().cloned().unwrap_or_default());
            known["status"] = json!("PENDING");
            return reference;
        }
        let reference = format!("made-{}", templates.len());
        let mut made = asked;
        made["uuid"] = json!(reference);
        made["status"] = json!("PENDING");
        templates.push(made);
        reference
    }
}

/// The text fields of a multipart form, as the JSON of a creation.
fn form(body: &[u8]) -> Value {
    let text = String::from_utf8_lossy(body);
    let field = |name: &str| {
        let (_, rest) = text.split_once(&format!("name=\"{name}\""))?;
        Some(rest.split_once("\r\n\r\n")?.1.split("\r\n").next()?.to_owned())
    };
    let mut template = json!({});
    for name in ["name", "language", "category"] {
        template[name] = json!(field(name));
    }
    template["components"] = field("components").and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
    let waba = field("waba_ids").and_then(|waba| waba.parse::<u64>().ok());
    template["waba_ids"] = json!(waba.into_iter().collect::<Vec<_>>());
    template
}
