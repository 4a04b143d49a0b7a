//! A provider that lists in small pages, in a configurable format, and may hold one back.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use super::super::batches::provider::response;
use super::super::webhooks::{accept, read};

/// Templates of a page.
pub(super) const PAGE: usize = 2;

/// How it indicates that there are more pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paging {
    /// Page numbers, with the number of pages.
    Numbers,
    /// The URL of the next page, and the number of templates.
    Links,
    /// A cursor on every page but the last, and nothing else.
    Cursors,
    /// Only whether there are more: pages are counted.
    Flag,
}

#[derive(Clone)]
pub(super) struct Provider {
    pub(super) url: String,
    listing: Arc<Mutex<Listing>>,
}

struct Listing {
    templates: Vec<Value>,
    paging: Paging,
    /// The page that is never answered, from 0.
    held: Option<usize>,
}

impl Provider {
    pub(super) async fn start(templates: Vec<Value>, paging: Paging) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let listing = Arc::new(Mutex::new(Listing { templates, paging, held: None }));
        let provider = Self { url: format!("http://{}", listener.local_addr().unwrap()), listing };
        let serving = provider.clone();
        accept(listener, move |stream| {
            let serving = serving.clone();
            async move { serving.serve(stream).await }
        });
        provider
    }

    /// Sets the listed templates, and the page that is held back.
    pub(super) fn lists(&self, templates: Vec<Value>, held: Option<usize>) {
        let mut listing = self.listing.lock().unwrap();
        (listing.templates, listing.held) = (templates, held);
    }

    async fn serve(&self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        while let Some(request) = read(&mut stream, &mut bytes).await {
            let Some(answer) = self.page(&request.head[0]) else {
                // Until the client gives up.
                read(&mut stream, &mut bytes).await;
                return;
            };
            if stream.write_all(response("200 OK", "", &answer.to_string()).as_bytes()).await.is_err() {
                return;
            }
        }
    }

    fn page(&self, line: &str) -> Option<Value> {
        let query = line.split_once('?').map_or("", |(_, query)| query.trim_end_matches(" HTTP/1.1"));
        let parameter = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.find_map(|(key, value)| (key == name).then(|| value.parse::<usize>().unwrap()))
        };
        let listing = self.listing.lock().unwrap();
        let page = match listing.paging {
            Paging::Numbers | Paging::Flag => parameter("page").map_or(0, |page| page - 1),
            Paging::Links => parameter("from").unwrap_or(0) / PAGE,
            Paging::Cursors => parameter("after").unwrap_or(0),
        };
        if listing.held == Some(page) {
            return None;
        }
        let total = listing.templates.len();
        let records: Vec<&Value> = listing.templates.iter().skip(page * PAGE).take(PAGE).collect();
        let more = (page + 1) * PAGE < total;
        Some(match listing.paging {
            Paging::Numbers => json!({"items": records, "page": page + 1, "total_pages": total.div_ceil(PAGE)}),
            Paging::Links => {
                let next = more.then(|| format!("?from={}", (page + 1) * PAGE));
                json!({"results": records, "next": next, "total": total})
            }
            Paging::Cursors if more => {
                json!({"data": records, "paging": {"cursors": {"after": (page + 1).to_string()}}})
            }
            Paging::Cursors => json!({"data": records}),
            Paging::Flag => json!({"templates": records, "has_more": more}),
        })
    }
}

/// The URL of a provider whose listing never ends: one record per page, each with its own reference.
pub(in super::super) async fn endless(record: Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    accept(listener, move |mut stream| {
        let record = record.clone();
        async move {
            let mut bytes = Vec::new();
            while let Some(request) = read(&mut stream, &mut bytes).await {
                let cursor = request.head[0].split_once("cursor=").map_or("0", |(_, rest)| rest);
                let number: usize = cursor.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap();
                let mut record = record.clone();
                record["uuid"] = json!(format!("endless-{number}"));
                let answer = json!({"data": [record], "next_cursor": (number + 1).to_string()});
                if stream.write_all(response("200 OK", "", &answer.to_string()).as_bytes()).await.is_err() {
                    return;
                }
            }
        }
    });
    url
}
