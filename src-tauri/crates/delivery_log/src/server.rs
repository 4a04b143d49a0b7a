//! The feed over HTTP; the contract is `docs/feed.md`.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use feed::{End, Line, MAX_WAIT, Start};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::access::Access;
use crate::cursor::Cursor;
use crate::desks::Desks;
use crate::error::LogError;
use crate::log::Log;
use crate::metrics::Metrics;

/// Deliveries in a page unless `limit` says otherwise …
const DEFAULT_LIMIT: u32 = 500;
/// … and at most.
const MAX_LIMIT: u32 = 5_000;
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Open connections at most.
const MAX_CONNECTIONS: usize = 1_024;
/// Pages that are read at the same time.
const MAX_READING: usize = 8;
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
    reading: Semaphore,
}

impl Feed {
    /// A feed of this log for these desks, until `stop`.
    #[must_use]
    pub fn new(log: Log, desks: Desks, metrics: Arc<Metrics>, stop: CancellationToken) -> Self {
        Self { log, desks, metrics, stop, reading: Semaphore::new(MAX_READING) }
    }
}

type Shared = Arc<Feed>;

/// Serves the feed until it is stopped.
pub async fn serve(listener: TcpListener, feed: Feed, timeouts: Timeouts) {
    let stop = feed.stop.clone();
    let router = router(Arc::new(feed));
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let tasks = TaskTracker::new();
    while let Some(permit) = stop.run_until_cancelled(permits.clone().acquire_owned()).await {
        let Some(accepted) = stop.run_until_cancelled(listener.accept()).await else { break };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "could not accept a connection of a desk");
                tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
                continue;
            }
        };
        let (router, stop) = (router.clone(), stop.clone());
        let mut stream = Box::pin(TimeoutStream::new(stream));
        stream.as_mut().set_write_timeout_pinned(Some(timeouts.write));
        tasks.spawn(async move {
            let _permit = permit;
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIMEOUT)
                .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
            let mut connection = std::pin::pin!(connection);
            let served = tokio::select! {
                served = &mut connection => served,
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
    if tokio::time::timeout(timeouts.grace, tasks.wait()).await.is_err() {
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
    headers: HeaderMap,
    query: Result<Query<Page>, QueryRejection>,
) -> Result<Response, Refused> {
    let desk = feed.desk(&headers).await?;
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
    let lines = feed.page(&desk, &headers, cursor, limit, wait).await.inspect_err(|refused| feed.count(refused))?;
    Ok(([(CONTENT_TYPE, JSON_LINES), NOT_STORED], lines).into_response())
}

async fn start(State(feed): State<Shared>, headers: HeaderMap) -> Result<Response, Refused> {
    let desk = feed.desk(&headers).await?;
    let positions = feed.log.positions().await.map_err(Refused::from).inspect_err(|refused| feed.count(refused))?;
    let cursor = Cursor::end_of(&positions).encode(&positions);
    Ok(([NOT_STORED], axum::Json(Start { cursor, endpoints: desk.endpoints, desk: desk.name })).into_response())
}

async fn ready(State(feed): State<Shared>) -> Result<&'static str, Refused> {
    feed.log.positions().await.map_err(Refused::from).inspect_err(|refused| feed.count(refused))?;
    Ok("ready\n")
}

async fn metrics(State(feed): State<Shared>) -> Response {
    ([(CONTENT_TYPE, OPEN_METRICS)], feed.metrics.text()).into_response()
}

impl Feed {
    /// The desk whose token the request has.
    async fn desk(&self, headers: &HeaderMap) -> Result<Access, Refused> {
        let token = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.split_once(' '));
        let desk = match token {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("Bearer") => {
                self.desks.of_token(token.trim()).await.map_err(Refused::from)
            }
            _ => Ok(None),
        };
        desk.and_then(|desk| desk.ok_or(Refused::Token)).inspect_err(|refused| self.count(refused))
    }

    fn count(&self, refused: &Refused) {
        match refused {
            Refused::Token => drop(self.metrics.unauthorized.inc()),
            Refused::Log(error) => {
                tracing::error!(%error, "the log cannot be read for a desk");
                self.metrics.failed_reads.inc();
            }
            Refused::Parameter(_) | Refused::Path | Refused::Method => {}
        }
    }

    /// The lines of a page. If there is no delivery, waits for the next.
    async fn page(
        &self,
        desk: &Access,
        headers: &HeaderMap,
        mut cursor: Cursor,
        limit: u32,
        wait: Duration,
    ) -> Result<Vec<u8>, Refused> {
        let until = Instant::now() + wait;
        // Before the first reading, so that nothing that is stored after it is missed.
        let mut watch = self.log.watch();
        watch.mark_unchanged();
        let mut positions = self.log.positions().await?;
        loop {
            // Pages are read by a few requests at a time, because each is in memory as a whole.
            let reading = self.reading.acquire().await.map_err(|_| LogError::Slow)?;
            let (page, after) = self.log.page(cursor, limit, &desk.endpoints, &positions).await?;
            drop(reading);
            cursor = after;
            let behind = cursor.behind(&positions);
            let is_over = self.stop.is_cancelled() || Instant::now() >= until;
            // A page can be empty although more follows: those of other endpoints were passed over.
            if !page.is_empty() || behind > 0 || is_over {
                self.metrics.pages.inc();
                self.metrics.sent.inc_by(u64::try_from(page.len()).unwrap_or(0));
                let end = End { cursor: cursor.encode(&positions), behind };
                let mut lines = Vec::new();
                for line in page.into_iter().map(Line::Delivery).chain([Line::End(end)]) {
                    line.write(&mut lines).map_err(|error| LogError::Access(error.to_string()))?;
                }
                return Ok(lines);
            }
            let waiting = Waiting::new(&self.metrics);
            let changed = tokio::select! {
                changed = timeout_at(until, watch.changed()) => changed,
                () = self.stop.cancelled() => Ok(Ok(())),
            };
            drop(waiting);
            // Nothing is sent for a token that was revoked in the meantime.
            self.desk(headers).await?;
            let now = watch.borrow_and_update().clone();
            positions = match (changed, now) {
                (Ok(Ok(())), Some(now)) => now,
                _ => self.log.positions().await?,
            };
        }
    }
}

/// Counts a request that waits, also if its desk disconnects.
struct Waiting<'a>(&'a Metrics);

impl<'a> Waiting<'a> {
    fn new(metrics: &'a Metrics) -> Self {
        metrics.waiting.inc();
        Self(metrics)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.dec();
    }
}
