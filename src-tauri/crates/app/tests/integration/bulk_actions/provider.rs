//! A provider with any number of templates that records every operation and answers as scripted.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::super::batches::provider::{Reply, count, response};
use super::super::webhooks::{accept, read};

type Script = Box<dyn FnMut(usize, &str) -> Reply + Send>;

/// A received operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Operation {
    /// Method and path.
    pub(in super::super) line: String,
    pub(in super::super) uuid: String,
    /// Size of the body in bytes.
    pub(in super::super) body: usize,
}

#[derive(Clone)]
pub(in super::super) struct Provider {
    pub(in super::super) url: String,
    /// Whether each template is archived.
    templates: Arc<Mutex<BTreeMap<String, bool>>>,
    operations: Arc<Mutex<Vec<Operation>>>,
    /// Number of operations in flight, and its maximum.
    at_once: Arc<Mutex<(usize, usize)>>,
    script: Arc<Mutex<Script>>,
    /// An older listing that is still shown.
    stale_listing: Arc<Mutex<Option<Value>>>,
    /// A template that the next listing leaves out by mistake.
    left_out: Arc<Mutex<Option<String>>>,
    /// Whether listings show archived templates by their status.
    is_archived_a_status: Arc<AtomicBool>,
    gate: Arc<watch::Sender<bool>>,
}

/// The reference of a template by its number.
pub(in super::super) fn uuid(number: u32) -> String {
    format!("8f2b9c1e-0000-4000-8000-{number:012}")
}

/// The name of a template by its number: two languages each.
pub(in super::super) fn name(number: u32) -> String {
    format!("promo_{:04}", number / 2)
}

impl Provider {
    /// Starts one with this many templates that carries out everything.
    pub(in super::super) async fn start(templates: u32) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            templates: Arc::new(Mutex::new((0..templates).map(|number| (uuid(number), false)).collect())),
            operations: Arc::default(),
            at_once: Arc::default(),
            script: Arc::new(Mutex::new(Box::new(|_, _| Reply::Accepted))),
            stale_listing: Arc::default(),
            left_out: Arc::default(),
            is_archived_a_status: Arc::default(),
            gate: Arc::new(watch::Sender::new(false)),
        };
        let serving = provider.clone();
        accept(listener, move |stream| {
            let serving = serving.clone();
            async move { serving.serve(stream).await }
        });
        provider
    }

    /// Sets the answers to operations. The script gets the number of earlier operations and the template.
    pub(in super::super) fn answers(&self, script: impl FnMut(usize, &str) -> Reply + Send + 'static) {
        *self.script.lock().unwrap() = Box::new(script);
    }

    /// Answers the pending operations.
    pub(in super::super) fn release(&self) {
        self.gate.send_replace(true);
    }

    /// All operations, in order.
    pub(in super::super) fn operations(&self) -> Vec<Operation> {
        self.operations.lock().unwrap().clone()
    }

    /// Number of operations for each template.
    pub(in super::super) fn asked(&self) -> BTreeMap<String, usize> {
        count(self.operations().into_iter().map(|operation| operation.uuid))
    }

    /// Maximum number of operations in flight at the same time.
    pub(in super::super) fn most_at_once(&self) -> usize {
        self.at_once.lock().unwrap().1
    }

    /// Number of archived templates.
    pub(in super::super) fn archived(&self) -> usize {
        self.templates.lock().unwrap().values().filter(|archived| **archived).count()
    }

    /// Archives a template, regardless of the answer.
    pub(in super::super) fn archive(&self, uuid: &str) {
        self.templates.lock().unwrap().insert(uuid.to_owned(), true);
    }

    /// Keeps showing the listing as it is now, or shows the current one again.
    pub(in super::super) fn freeze_listing(&self, frozen: bool) {
        let listing = frozen.then(|| self.current_listing());
        *self.stale_listing.lock().unwrap() = listing;
    }

    /// Leaves a template out of the next listing by mistake.
    pub(in super::super) fn leave_out_once(&self, uuid: &str) {
        *self.left_out.lock().unwrap() = Some(uuid.to_owned());
    }

    /// Lists archived templates with the status `ARCHIVED`.
    pub(in super::super) fn list_archived_by_status(&self) {
        self.is_archived_a_status.store(true, Ordering::Relaxed);
    }

    async fn serve(&self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        while let Some(request) = read(&mut stream, &mut bytes).await {
            let line = request.head[0].trim_end_matches(" HTTP/1.1").to_owned();
            let answer = if line.starts_with("GET") {
                Some(response("200 OK", "", &self.listing().to_string()))
            } else {
                self.operate(line, request.body.len()).await
            };
            let Some(answer) = answer else { return };
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }

    async fn operate(&self, line: String, body: usize) -> Option<String> {
        let rest = line.split_once("/workspace-templates/").unwrap().1.to_owned();
        let (uuid, action) = rest.split_once('/').unwrap_or((&rest, "delete"));
        let before = {
            let mut operations = self.operations.lock().unwrap();
            operations.push(Operation { line, uuid: uuid.to_owned(), body });
            operations.len() - 1
        };
        {
            let mut at_once = self.at_once.lock().unwrap();
            at_once.0 += 1;
            at_once.1 = at_once.1.max(at_once.0);
        }
        let reply = (self.script.lock().unwrap())(before, uuid);
        if matches!(reply, Reply::Later) {
            self.gate.subscribe().wait_for(|open| *open).await.ok()?;
        }
        self.at_once.lock().unwrap().0 -= 1;
        let unheard = match reply {
            Reply::Accepted | Reply::Later => None,
            Reply::Status(status, headers, body) => return Some(response(status, headers, body)),
            Reply::Cut => return None,
            Reply::AcceptedWithoutAnswer(status) => Some(status),
        };
        let mut templates = self.templates.lock().unwrap();
        match action {
            "delete" => drop(templates.remove(uuid)),
            action => drop(templates.insert(uuid.to_owned(), action == "archive")),
        }
        match unheard {
            None => Some(response("200 OK", "", &json!({"uuid": uuid}).to_string())),
            Some(status) => (!status.is_empty()).then(|| response(status, "", "")),
        }
    }

    fn listing(&self) -> Value {
        let stale = self.stale_listing.lock().unwrap().clone();
        stale.unwrap_or_else(|| self.current_listing())
    }

    fn current_listing(&self) -> Value {
        let templates = self.templates.lock().unwrap();
        let record = |(uuid, archived): (&String, &bool)| {
            let number: u32 = uuid[24..].parse().unwrap();
            let by_status = *archived && self.is_archived_a_status.load(Ordering::Relaxed);
            let status = if by_status { "ARCHIVED" } else { "APPROVED" };
            json!({"uuid": uuid, "id": format!("9{number:05}"), "name": name(number), "status": status,
                "language": if number.is_multiple_of(2) { "pt_BR" } else { "en" }, "category": "UTILITY", "archived": archived,
                "components": [{"type": "BODY", "text": "Esperamos você no dia combinado."}]})
        };
        let left_out = self.left_out.lock().unwrap().take();
        let listed = templates.iter().filter(|(uuid, _)| Some(*uuid) != left_out.as_ref());
        json!({"data": listed.map(record).collect::<Vec<_>>()})
    }
}
