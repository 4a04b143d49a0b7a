//! The feed over HTTP; the contract is `docs/feed.md`.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use feed::{End, Line, MAX_WAIT, Start};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use receiver::{ConnectionPermit, Connections};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::access::{Access, TokenHash};
use crate::cursor::Cursor;
use crate::desks::Desks;
use crate::error::LogError;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::pages::{self, Pages};
use crate::rows::{GATHER_TIME, Head};

/// Deliveries in a page unless `limit` says otherwise …
const DEFAULT_LIMIT: u32 = 500;
/// … and at most.
const MAX_LIMIT: u32 = 5_000;
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Buffer of a connection: what a desk does not take stays in the page, which counts.
const BUFFER_BYTES: usize = 128 << 10;
/// Open connections at most.
const MAX_CONNECTIONS: usize = 1_024;
/// While others wait for a connection, an idle one may be open for this long.
const EVICTION_DELAY: Duration = Duration::from_millis(250);
/// How often it is stored up to where a desk has read.
const RECORD_INTERVAL: Duration = Duration::from_secs(60);
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(200);
const MAX_WAIT_SECONDS: u32 = MAX_WAIT.as_secs() as u32;
const NOT_STORED: (HeaderName, HeaderValue) = (CACHE_CONTROL, HeaderValue::from_static("no-store"));
const JSON_LINES: HeaderValue = HeaderValue::from_static("application/x-ndjson");
/// What Prometheus expects.
const OPEN_METRICS: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

/// How long desks are waited for.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// A desk that takes nothing of its answer for this long is disconnected.
    pub write: Duration,
    /// Answers that are under way have this long once the feed is stopped.
    pub grace: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { write: Duration::from_secs(30), grace: Duration::from_secs(2) }
    }
}

/// A log and the desks that may read it.
#[derive(Debug)]
pub struct Feed {
    log: Log,
    desks: Desks,
    metrics: Arc<Metrics>,
    /// Ends the requests that wait.
    stop: CancellationToken,
    pages: Pages,
    known: Mutex<Known>,
    /// When it was stored up to where each desk has read.
    recorded: Mutex<HashMap<String, Instant>>,
}

/// The desks of some tokens, as long as [`Head::desks`] is this: a token is then valid without another query.
#[derive(Debug, Default)]
struct Known {
    desks: Option<Uuid>,
    by_token: HashMap<TokenHash, Access>,
}

impl Feed {
    /// A feed of this log for these desks, until `stop`.
    #[must_use]
    pub fn new(log: Log, desks: Desks, metrics: Arc<Metrics>, stop: CancellationToken) -> Self {
        Self { log, desks, metrics, stop, pages: Pages::new(), known: Mutex::default(), recorded: Mutex::default() }
    }
}

type Shared = Arc<Feed>;

/// A connection of a desk.
#[derive(Debug)]
struct Connection {
    permit: ConnectionPermit,
    /// Closes it at once: it keeps others waiting.
    evicted: CancellationToken,
}

/// Serves the feed until it is stopped.
pub async fn serve(listener: TcpListener, feed: Feed, timeouts: Timeouts) {
    let stop = feed.stop.clone();
    let router = router(Arc::new(feed));
    let connections = Connections::new(MAX_CONNECTIONS, EVICTION_DELAY);
    let tasks = TaskTracker::new();
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "could not accept a connection of a desk");
                sleep(PAUSE_AFTER_FAILURE).await;
                continue;
            }
        };
        let evicted = CancellationToken::new();
        let Some(permit) = stop.run_until_cancelled(connections.acquire(evicted.clone())).await else { break };
        let connection = Arc::new(Connection { permit, evicted: evicted.clone() });
        let (router, stop) = (router.clone().layer(Extension(connection)), stop.clone());
        let mut stream = Box::pin(TimeoutStream::new(stream));
        stream.as_mut().set_write_timeout_pinned(Some(timeouts.write));
        tasks.spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIMEOUT)
                .max_buf_size(BUFFER_BYTES)
                .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
            let mut connection = std::pin::pin!(connection);
            let served = tokio::select! {
                served = &mut connection => served,
                () = evicted.cancelled() => {
                    tracing::debug!("a connection of a desk was evicted");
                    return;
                }
                () = stop.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = served {
                tracing::debug!(%error, "a connection of a desk ended early");
            }
        });
    }
    tasks.close();
    if timeout(timeouts.grace, tasks.wait()).await.is_err() {
        tracing::info!("connections of desks were closed while they were served");
    }
}

fn router(feed: Shared) -> Router {
    Router::new()
        .route("/v1/deliveries", get(deliveries))
        .route("/v1/cursor", get(start))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .fallback(|| async { Refused::Path })
        .method_not_allowed_fallback(|| async { Refused::Method })
        .with_state(feed)
}

/// Why a request is refused.
#[derive(Debug)]
enum Refused {
    Token,
    Parameter(String),
    Path,
    Method,
    /// Too many pages are being sent.
    Busy,
    Log(LogError),
}

impl From<LogError> for Refused {
    fn from(error: LogError) -> Self {
        Self::Log(error)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, text) = match &self {
            Self::Token => (StatusCode::UNAUTHORIZED, "the token is missing, unknown or revoked"),
            Self::Parameter(text) => (StatusCode::BAD_REQUEST, text.as_str()),
            Self::Path => (StatusCode::NOT_FOUND, "there is nothing at this path"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "this path takes GET only"),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "other pages are being sent"),
            // Its details are for the log of the server.
            Self::Log(_) => (StatusCode::SERVICE_UNAVAILABLE, "the deliveries cannot be read now"),
        };
        let mut answer = (status, [NOT_STORED], axum::Json(serde_json::json!({ "error": text }))).into_response();
        match status {
            StatusCode::UNAUTHORIZED => {
                answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::SERVICE_UNAVAILABLE => {
                answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
            }
            _ => {}
        }
        answer
    }
}

#[derive(Debug, Deserialize)]
struct Page {
    after: Option<String>,
    limit: Option<String>,
    /// Seconds.
    wait: Option<String>,
}

/// A parameter that is a whole number.
fn number(name: &str, text: Option<&str>, default: u32, range: RangeInclusive<u32>) -> Result<u32, Refused> {
    let Some(text) = text else { return Ok(default) };
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        Refused::Parameter(format!("{name} is a whole number from {} to {}", range.start(), range.end()))
    })
}

async fn deliveries(
    State(feed): State<Shared>,
    Extension(connection): Extension<Arc<Connection>>,
    headers: HeaderMap,
    query: Result<Query<Page>, QueryRejection>,
) -> Result<Response, Refused> {
    // Before the desk is looked up, so that it hears of a revocation after that.
    let mut watch = feed.log.watch();
    watch.mark_unchanged();
    let (desk, head) = feed.desk(&headers).await?;
    let _serving = connection.serving();
    let Ok(Query(query)) = query else {
        return Err(Refused::Parameter("give after, limit and wait once each".to_owned()));
    };
    let cursor = match query.after.as_deref() {
        None | Some("") => Cursor::default(),
        Some(text) => {
            Cursor::decode(text).ok_or_else(|| Refused::Parameter("after is not a cursor of this feed".to_owned()))?
        }
    };
    let limit = number("limit", query.limit.as_deref(), DEFAULT_LIMIT, 1..=MAX_LIMIT)?;
    let wait = Duration::from_secs(number("wait", query.wait.as_deref(), 0, 0..=MAX_WAIT_SECONDS)?.into());
    let connection = connection.clone();
    let page = Request { desk, headers, connection, watch, limit: limit.into(), until: Instant::now() + wait };
    feed.page(page, cursor, head).await.inspect_err(|refused| feed.count(refused))
}

async fn start(
    State(feed): State<Shared>,
    Extension(connection): Extension<Arc<Connection>>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let (desk, _) = feed.desk(&headers).await?;
    let _serving = connection.serving();
    let cursor = feed.log.end().await.map_err(Refused::from).inspect_err(|refused| feed.count(refused))?.encode();
    Ok(([NOT_STORED], axum::Json(Start { cursor, endpoints: desk.endpoints, desk: desk.name })).into_response())
}

/// What a desk asks for.
struct Request {
    desk: Access,
    headers: HeaderMap,
    connection: Arc<Connection>,
    watch: watch::Receiver<Option<Head>>,
    limit: i64,
    /// How long it waits for a delivery.
    until: Instant,
}

/// Runs when it is dropped, also if the desk disconnects.
struct Finally<F: Fn()>(F);

impl<F: Fn()> Drop for Finally<F> {
    fn drop(&mut self) {
        self.0();
    }
}

impl Connection {
    /// Keeps the connection from being evicted while its desk waits for the answer.
    fn serving(&self) -> Finally<impl Fn()> {
        self.permit.serving();
        Finally(|| self.permit.waiting())
    }
}

async fn ready(State(feed): State<Shared>) -> Result<&'static str, Refused> {
    feed.log.head().await.map_err(Refused::from).inspect_err(|refused| feed.count(refused))?;
    Ok("ready\n")
}

async fn metrics(State(feed): State<Shared>) -> Response {
    ([(CONTENT_TYPE, OPEN_METRICS)], feed.metrics.text()).into_response()
}

impl Feed {
    /// The desk whose token the request has, and the log now.
    async fn desk(&self, headers: &HeaderMap) -> Result<(Access, Head), Refused> {
        let desk = async {
            let value = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.split_once(' '));
            let token =
                value.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("Bearer")).map(|(_, token)| token.trim());
            // What cannot be a token costs no query.
            let (token, hash) =
                token.and_then(|token| Some((token, TokenHash::of_valid(token)?))).ok_or(Refused::Token)?;
            let head = self.log.head().await?;
            let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let is_known = |known: &Known| head.desks.is_some() && known.desks == head.desks;
            if let Some(desk) =
                Some(known()).filter(|known| is_known(known)).and_then(|it| it.by_token.get(&hash).cloned())
            {
                return Ok((desk, head));
            }
            let desk = self.desks.of_token(token).await?.ok_or(Refused::Token)?;
            let mut known = known();
            if !is_known(&known) {
                *known = Known { desks: head.desks, by_token: HashMap::new() };
            }
            known.by_token.insert(hash, desk.clone());
            Ok((desk, head))
        };
        desk.await.inspect_err(|refused| self.count(refused))
    }

    fn count(&self, refused: &Refused) {
        match refused {
            Refused::Token => drop(self.metrics.unauthorized.inc()),
            Refused::Log(error) => {
                tracing::error!(%error, "the log cannot be read for a desk");
                self.metrics.failed_reads.inc();
            }
            Refused::Busy => drop(self.metrics.busy.inc()),
            Refused::Parameter(_) | Refused::Path | Refused::Method => {}
        }
    }

    /// The answer with a page. If there is no delivery, waits for the next.
    async fn page(&self, request: Request, mut cursor: Cursor, mut head: Head) -> Result<Response, Refused> {
        let Request { desk, headers, connection, mut watch, limit, until } = request;
        let mut last = head.last;
        self.record(&desk, &cursor, last);
        // A page that has room for what arrives next is read once for all desks.
        if Instant::now() < until
            && (1..limit).contains(&(last - cursor.seq()))
            && let Some(now) = newer(&mut watch, &cursor, Instant::now() + GATHER_TIME * 2).await
        {
            head = self.with_desk(Some(now), head, &headers).await?;
            last = last.max(head.last);
        }
        loop {
            let key = (cursor.position(), head, limit, desk.endpoints.clone());
            let shared = self.pages.share(key.clone());
            let permit = self.pages.acquire(&desk.name, &connection.evicted).await.ok_or(Refused::Busy)?;
            let Some(page) = pages::read(&shared, &self.log, &key).await? else {
                self.log.go_back(&mut cursor).await?;
                head = self.with_desk(None, head, &headers).await?;
                last = head.last;
                continue;
            };
            cursor.advance(page.to);
            let behind = u64::try_from(last - page.to.seq).unwrap_or(0);
            let is_over = self.stop.is_cancelled() || Instant::now() >= until;
            // A page can be empty although more follows: those of other endpoints were passed over.
            if !page.lines().is_empty() || behind > 0 || is_over {
                self.metrics.pages.inc();
                self.metrics.sent.inc_by(u64::try_from(page.deliveries).unwrap_or(0));
                let mut end = Vec::new();
                Line::End(End { cursor: cursor.encode(), behind }).write(&mut end).map_err(LogError::from)?;
                // A page in flight ends when the list of desks changes: those that may still read ask for it again.
                let may_continue = move || {
                    connection.permit.waiting();
                    !watch.has_changed().unwrap_or(false) || watch.borrow().is_none_or(|now| now.desks == head.desks)
                };
                let (body, length) = pages::body(shared, end, permit, may_continue);
                let headers = [(CONTENT_TYPE, JSON_LINES), (CONTENT_LENGTH, length.into()), NOT_STORED];
                return Ok((headers, body).into_response());
            }
            drop(permit);
            self.metrics.waiting.inc();
            let waiting = Finally(|| {
                self.metrics.waiting.dec();
            });
            let now = tokio::select! {
                now = newer(&mut watch, &cursor, until) => now,
                () = self.stop.cancelled() => None,
            };
            drop(waiting);
            head = self.with_desk(now, head, &headers).await?;
            last = head.last;
        }
    }

    /// The log now, if the token that was valid `before` still is: nothing is sent for one that was revoked since.
    async fn with_desk(&self, now: Option<Head>, before: Head, headers: &HeaderMap) -> Result<Head, Refused> {
        match now {
            Some(now) if now.desks.is_some() && now.desks == before.desks => Ok(now),
            _ => Ok(self.desk(headers).await?.1),
        }
    }

    /// Records now and then up to where a desk has read: retention says which desks it overtakes.
    fn record(&self, desk: &Access, cursor: &Cursor, last: i64) {
        let Some(position) = cursor.position() else { return };
        {
            let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            if recorded.get(&desk.name).is_some_and(|at| now - *at < RECORD_INTERVAL) {
                return;
            }
            recorded.insert(desk.name.clone(), now);
        }
        let (log, name, seq) = (self.log.clone(), desk.name.clone(), position.seq.min(last));
        tokio::spawn(async move {
            if let Err(error) = log.record_position(&name, seq).await {
                tracing::debug!(%error, "it was not recorded up to where a desk has read");
            }
        });
    }
}

/// The log once it has deliveries after a cursor, unless that takes too long.
async fn newer(watch: &mut watch::Receiver<Option<Head>>, cursor: &Cursor, until: Instant) -> Option<Head> {
    let is_newer = |now: &Option<Head>| now.is_some_and(|now| now.last > cursor.seq());
    let newer = timeout_at(until, watch.wait_for(is_newer)).await.ok()?.ok()?;
    *newer
}
