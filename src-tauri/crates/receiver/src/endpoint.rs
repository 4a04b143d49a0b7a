//! Handles one request: finds its route, checks it, and answers it.

use std::{net::SocketAddr, sync::Arc, time::SystemTime};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode,
    body::Incoming,
    header::{
        ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, EXPECT, HOST, HeaderName, HeaderValue,
        ORIGIN, RETRY_AFTER, TRANSFER_ENCODING, USER_AGENT, X_CONTENT_TYPE_OPTIONS,
    },
    http::request::Parts,
};
use tokio::{
    sync::Semaphore,
    time::{Instant, timeout},
};

use crate::{
    Delivery, DeliveryLog, Event, HIDDEN, Limits, Observer, Reason, Refusal, RefusedDelivery, Routes, body,
    connections::ConnectionPermit,
    route::{Entry, Table},
    signature,
};

type Answer = Response<Full<Bytes>>;

/// Headers stored with a body.
const STORED_HEADERS: [HeaderName; 5] =
    [CONTENT_TYPE, CONTENT_ENCODING, USER_AGENT, signature::HEADER, HeaderName::from_static("x-forwarded-for")];
const MAX_VALUE_BYTES: usize = 1024;
/// Limits for the body and the headers of a refused request that the observer gets.
const MAX_REPORTED_BODY_BYTES: usize = 256 * 1024;
const MAX_REPORTED_HEADERS: usize = 64;
const MAX_REPORTED_HEADER_BYTES: usize = 16 * 1024;
/// Headers with one of these words in their names may carry credentials.
const CREDENTIAL_WORDS: [&str; 9] =
    ["auth", "cookie", "token", "secret", "password", "credential", "session", "jwt", "key"];

pub(crate) struct Endpoint<I, O> {
    delivery_log: I,
    routes: Routes,
    limits: Limits,
    observer: O,
    body_memory: Arc<Semaphore>,
}

/// A refusal, with the data known at that point.
struct Refused {
    reason: Reason,
    route: Option<Arc<Entry>>,
    received: Bytes,
}

impl<I: DeliveryLog, O: Observer> Endpoint<I, O> {
    pub(crate) fn new(delivery_log: I, routes: Routes, limits: Limits, observer: O) -> Self {
        let body_memory = Arc::new(Semaphore::new(limits.bodies_in_flight.min(Semaphore::MAX_PERMITS)));
        Self { delivery_log, routes, limits, observer, body_memory }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn observer(&self) -> &O {
        &self.observer
    }

    pub(crate) async fn answer(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
        permit: &ConnectionPermit,
    ) -> Answer {
        let (head, body) = request.into_parts();
        // hyper has removed a `Content-Length` header that was also present. A proxy may have used it and so see the
        // start of another request inside this body, so the connection must not be reused (RFC 9112 §6.1).
        let framing_is_open = head.headers.contains_key(TRANSFER_ENCODING);
        let mut answer = match self.handle(&head, body, permit).await {
            Ok(answer) => answer,
            Err(refused) => {
                let answer = refusal(refused.reason);
                self.observer.observe(Event::Refused(Box::new(report(&head, peer, refused))));
                answer
            }
        };
        if framing_is_open || permit.should_close() {
            answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        permit.waiting();
        answer
    }

    async fn handle(&self, head: &Parts, body: Incoming, permit: &ConnectionPermit) -> Result<Answer, Refused> {
        let table = self.routes.table();
        let entry = table.entry(head.uri.path());
        if let Some(reason) = unacceptable(head, &table, entry.as_deref()) {
            // Reading would send `100 Continue` to a sender that expects it, and so request the body after all.
            if !head.headers.contains_key(EXPECT) {
                body::discard(body, &self.limits).await;
            }
            return Err(Refused { reason, route: entry, received: Bytes::new() });
        }
        let entry = entry.expect("unknown paths are rejected above");
        if head.method == Method::GET {
            return match entry.challenge(head.uri.query().unwrap_or_default()) {
                Ok(challenge) => {
                    self.observer.observe(Event::Subscribed { route: entry.tag.clone() });
                    Ok(text(challenge))
                }
                Err(reason) => {
                    Err(Refused { reason: entry.or_secrets_unread(reason), route: Some(entry), received: Bytes::new() })
                }
            };
        }
        let refuse = |reason, received| Refused { reason, route: Some(Arc::clone(&entry)), received };
        if head.headers.contains_key(EXPECT) && declared_length(head) > self.limits.body_bytes as u64 {
            return Err(refuse(Reason::BodyTooLarge, Bytes::new()));
        }
        let body = body::read(body, &self.limits, &self.body_memory)
            .await
            .map_err(|unreadable| refuse(unreadable.reason, unreadable.received))?;
        let signed_by = signature::verify(&head.headers, &body.bytes, &entry.keys)
            .map_err(|reason| refuse(entry.or_secrets_unread(reason), body.bytes.clone()))?;

        permit.serving();
        let delivery = Delivery {
            route: entry.tag.clone(),
            received_at: SystemTime::now(),
            headers: stored_headers(&head.headers),
            body: body.bytes.clone(),
        };
        let asked = Instant::now();
        let answer = timeout(self.limits.append_timeout, self.delivery_log.append(delivery)).await;
        match answer {
            // After a suspension of the process, timers fire late. The sender has given up by then and retries.
            Ok(Ok(())) if asked.elapsed() >= self.limits.append_timeout => {
                Err(refuse(Reason::StorageTimeout, body.bytes.clone()))
            }
            Ok(Ok(())) => {
                self.observer.observe(Event::Stored {
                    route: entry.tag.clone(),
                    path: head.uri.path().to_owned(),
                    signed_by,
                    generation: entry.generation,
                    body_bytes: body.bytes.len(),
                });
                Ok(Response::new(Full::default()))
            }
            Ok(Err(Refusal::Busy)) => Err(refuse(Reason::Busy, body.bytes.clone())),
            Ok(Err(Refusal::Storage)) => Err(refuse(Reason::Storage, body.bytes.clone())),
            Err(_) => Err(refuse(Reason::StorageTimeout, body.bytes.clone())),
        }
    }
}

/// Why a request is refused before its body is read.
fn unacceptable(head: &Parts, table: &Table, entry: Option<&Entry>) -> Option<Reason> {
    if !host_is_allowed(head, table) {
        return Some(Reason::HostNotAllowed);
    }
    if head.headers.contains_key(ORIGIN) {
        return Some(Reason::BrowserOrigin);
    }
    if entry.is_none() {
        return Some(Reason::UnknownPath);
    }
    (head.method != Method::GET && head.method != Method::POST).then_some(Reason::MethodNotAllowed)
}

/// Every host name in the request must be allowed; two `Host` headers contradict each other.
fn host_is_allowed(head: &Parts, table: &Table) -> bool {
    let mut named = head.headers.get_all(HOST).iter();
    let host = named.next();
    if named.next().is_some() {
        return false;
    }
    let authority = head.uri.authority().map(|authority| authority.as_str());
    if host.is_none() && authority.is_none() {
        return table.allows_no_host();
    }
    host.is_none_or(|host| host.to_str().is_ok_and(|host| table.allows_host(host)))
        && authority.is_none_or(|authority| table.allows_host(authority))
}

fn declared_length(head: &Parts) -> u64 {
    let value = head.headers.get(hyper::header::CONTENT_LENGTH);
    value.and_then(|value| value.to_str().ok()).and_then(|value| value.parse().ok()).unwrap_or(0)
}

fn text(body: String) -> Answer {
    let mut answer = Response::new(Full::from(body));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

fn refusal(reason: Reason) -> Answer {
    #[derive(serde::Serialize)]
    struct Body {
        message: &'static str,
        details: &'static str,
        reason: &'static str,
    }
    let body = Body { message: reason.message(), details: reason.details(), reason: reason.as_str() };
    let body = serde_json::to_vec(&body).expect("three strings are always JSON");
    let mut answer = Response::new(Full::from(body));
    *answer.status_mut() = reason.status_code();
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if reason.status_code() == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(ALLOW, HeaderValue::from_static("GET, POST"));
    }
    if let Some(seconds) = reason.retry_after() {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    if reason.breaks_framing() {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    answer
}

fn report(head: &Parts, peer: SocketAddr, refused: Refused) -> RefusedDelivery {
    let shown = refused.received.len().min(MAX_REPORTED_BODY_BYTES);
    RefusedDelivery {
        reason: refused.reason,
        route: refused.route.map(|entry| entry.tag.clone()),
        refused_at: SystemTime::now(),
        peer,
        method: head.method.to_string(),
        path: shortened(head.uri.path().as_bytes()),
        host: head.headers.get(HOST).map(|host| shortened(host.as_bytes())),
        headers: reported_headers(&head.headers),
        // A copy, so that the observer does not keep the whole body in memory.
        body: Bytes::copy_from_slice(&refused.received[..shown]),
        body_bytes: refused.received.len(),
        whole: shown == refused.received.len() && refused.reason.follows_body(),
    }
}

/// Headers as shown to the observer.
fn reported_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let shown = |(name, value): (&HeaderName, &HeaderValue)| {
        let hidden = CREDENTIAL_WORDS.iter().any(|word| name.as_str().contains(word));
        let value = if hidden { HIDDEN.to_owned() } else { shortened(value.as_bytes()) };
        (shortened(name.as_str().as_bytes()), value)
    };
    let mut remaining = MAX_REPORTED_HEADER_BYTES;
    let mut fits = |(name, value): &(String, String)| {
        let rest = remaining.checked_sub(name.len() + value.len());
        remaining = rest.unwrap_or(0);
        rest.is_some()
    };
    headers.iter().take(MAX_REPORTED_HEADERS).map(shown).take_while(|header| fits(header)).collect()
}

fn stored_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let values = |name: &HeaderName| headers.get_all(name).iter().map(|value| shortened(value.as_bytes()));
    STORED_HEADERS
        .iter()
        .flat_map(|name| values(name).map(|value| (name.to_string(), value)).collect::<Vec<_>>())
        .collect()
}

fn shortened(value: &[u8]) -> String {
    String::from_utf8_lossy(&value[..value.len().min(MAX_VALUE_BYTES)]).into_owned()
}
