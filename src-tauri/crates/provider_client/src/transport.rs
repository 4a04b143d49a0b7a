//! Sends one request and reads its answer: timeouts, limits, cancellation, network errors.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Once;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use model::redact;
use rand::RngExt as _;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::multipart::Form;
use reqwest::{Method, Response};
use secrecy::ExposeSecret;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::endpoint::{Endpoint, Route, is_loopback, origin};
use crate::error::{Error, Unreachable};
use crate::observer::Observer;
use crate::refusal;
use crate::upload::FileChanged;

/// Maximum size of an answer, in bytes. A page of a thousand large templates is far smaller.
pub(crate) const MAX_ANSWER: u64 = 32 * 1024 * 1024;

/// Timeouts and retries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// Without any transfer in either direction.
    pub idle: Duration,
    /// For a whole request and answer without files. An upload may take longer while data is transferred.
    pub total: Duration,
    /// Maximum number of retries of a failed read; 0 disables them. Changing requests are never retried.
    pub retries: u32,
    /// Delay before the first retry; doubled for each further one, and reduced at random by up to half.
    pub first_retry_delay: Duration,
    /// Time since the first attempt after which no retry starts.
    pub retry_budget: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            total: Duration::from_secs(90),
            retries: 3,
            first_retry_delay: Duration::from_millis(300),
            retry_budget: Duration::from_secs(20),
        }
    }
}

pub(crate) enum Body {
    None,
    Json(Vec<u8>),
    /// Fields and files.
    Form(Form, Files),
}

/// Upload progress of the files of a form.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// Bytes of all files sent so far; updated with every chunk, closed after the last file.
    pub(crate) sent_bytes: watch::Receiver<u64>,
    /// Bytes of all files.
    pub(crate) total: u64,
}

impl Files {
    /// Whether all files were sent. A request with an incomplete file never counts as received: its length was
    /// announced.
    fn are_sent(&self) -> bool {
        *self.sent_bytes.borrow() >= self.total
    }
}

/// A completely received answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) endpoint: String,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    /// The body as text; invalid UTF-8 is replaced.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body))
    }

    pub(crate) fn content_type(&self) -> Option<&str> {
        self.headers.get(CONTENT_TYPE)?.to_str().ok()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Transport {
    http: reqwest::Client,
    pub(crate) endpoint: Endpoint,
    headers: HeaderMap,
    timeouts: Timeouts,
    pub(crate) observer: Observer,
}

impl Transport {
    pub(crate) fn new(endpoint: Endpoint, timeouts: Timeouts) -> Result<Self, Error> {
        endpoint.check()?;
        endpoint.route("GET", &[])?;
        let headers = endpoint.headers()?;
        // A redirect could send credentials to another host. No proxy is used for this machine.
        let http = http_client(&timeouts, is_loopback(&endpoint.base_url), |builder| {
            match endpoint.base_url.host() {
                // A name of this machine always resolves to it, whatever the resolver says.
                Some(url::Host::Domain(name)) if is_loopback(&endpoint.base_url) => builder.resolve_to_addrs(
                    name,
                    &[IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)].map(|ip| (ip, 0).into()),
                ),
                _ => builder,
            }
        })?;
        Ok(Self { http, endpoint, headers, timeouts, observer: Observer::default() })
    }

    /// Sends a changing request once. Its outcome is reported after decoding: a page that a network answers in the
    /// provider's place is no success.
    pub(crate) async fn change<T>(
        &self,
        method: Method,
        route: &Route,
        body: Body,
        cancel: &CancellationToken,
        decode: impl FnOnce(&Self, &Answer) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let answer = self.send_request(method, route, self.headers.clone(), body, MAX_ANSWER, cancel).await;
        let answer = answer.and_then(|answer| self.check_answer(route, answer, true));
        let outcome = answer.and_then(|answer| decode(self, &answer));
        self.observer.finished(&outcome);
        outcome
    }

    /// Sends a read request; retries a failure that may be temporary, but not one of decoding.
    pub(crate) async fn read<T>(
        &self,
        route: &Route,
        retries: bool,
        cancel: &CancellationToken,
        decode: impl FnOnce(Answer) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let outcome = self.read_with_retries(route, retries, cancel).await.and_then(decode);
        self.observer.finished(&outcome);
        outcome
    }

    async fn read_with_retries(
        &self,
        route: &Route,
        retries: bool,
        cancel: &CancellationToken,
    ) -> Result<Answer, Error> {
        let started = Instant::now();
        let mut attempt = 0;
        loop {
            let outcome = self
                .send_request(Method::GET, route, self.headers.clone(), Body::None, MAX_ANSWER, cancel)
                .await
                .and_then(|answer| self.check_answer(route, answer, false));
            let error = match outcome {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let Some(retry_delay) =
                self.retry_delay(&error, attempt).filter(|_| retries && attempt < self.timeouts.retries)
            else {
                return Err(error);
            };
            if started.elapsed() + retry_delay > self.timeouts.retry_budget {
                return Err(error);
            }
            tracing::debug!(endpoint = %route.name, attempt, ?retry_delay, "reading again");
            tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(Error::Cancelled { maybe_received: false }),
                () = sleep(retry_delay) => attempt += 1,
            }
        }
    }

    /// The client and timeouts for requests to other addresses than the provider's.
    pub(crate) fn http(&self) -> (&reqwest::Client, &Timeouts) {
        (&self.http, &self.timeouts)
    }

    /// Delay before the next retry; `None` if a retry wouldn't help.
    fn retry_delay(&self, error: &Error, attempt: u32) -> Option<Duration> {
        let asked = match error {
            Error::Offline { reason: Unreachable::NameNotFound | Unreachable::Tls(_), .. } => return None,
            Error::Offline { .. } => Duration::ZERO,
            Error::Server(refusal) if matches!(refusal.status, 502..=504) => refusal.retry_after.unwrap_or_default(),
            Error::RateLimited(refusal) => refusal.retry_after?,
            _ => return None,
        };
        let full = self.timeouts.first_retry_delay.saturating_mul(2_u32.saturating_pow(attempt));
        let jittered = full.mul_f64(rand::rng().random_range(0.5..=1.0));
        Some(asked.max(jittered))
    }

    async fn send_request(
        &self,
        method: Method,
        route: &Route,
        headers: HeaderMap,
        body: Body,
        limit: u64,
        cancel: &CancellationToken,
    ) -> Result<Answer, Error> {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled { maybe_received: false });
        }
        let changes = method != Method::GET;
        let request = self.http.request(method, route.url.clone()).headers(headers);
        let (request, files) = match body {
            Body::None => (request, None),
            Body::Json(bytes) => (request.header(CONTENT_TYPE, "application/json").body(bytes), None),
            Body::Form(form, files) => (request.multipart(form), Some(files)),
        };
        let maybe_received = || changes && files.as_ref().is_none_or(Files::are_sent);
        let timed_out =
            |after| Error::TimedOut { endpoint: route.name.clone(), after, maybe_received: maybe_received() };
        let total = self.timeouts.total;
        // An upload is limited by the idle timeout; otherwise a total timeout stops a server that sends slowly.
        let deadline = if files.is_some() { Duration::MAX } else { total };
        let progress_signal = files.as_ref().map(|files| files.sent_bytes.clone());
        let call = async {
            let response = tokio::select! {
                response = request.send() => response.map_err(|error| self.fault(route, &error, maybe_received()))?,
                () = stalled(progress_signal, self.timeouts.idle) => return Err(timed_out(self.timeouts.idle)),
            };
            match timeout(total, self.read_body(route, response, limit, changes)).await {
                Ok(answer) => answer,
                Err(_) => Err(timed_out(total)),
            }
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Error::Cancelled { maybe_received: maybe_received() }),
            outcome = timeout(deadline, call) => outcome.unwrap_or_else(|_| Err(timed_out(deadline))),
        }
    }

    async fn read_body(
        &self,
        route: &Route,
        mut response: Response,
        limit: u64,
        changes: bool,
    ) -> Result<Answer, Error> {
        let too_large = || Error::TooLarge { endpoint: route.name.clone(), limit, maybe_received: changes };
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        self.observer.answered(&headers);
        if response.content_length().is_some_and(|length| length > limit) {
            return Err(too_large());
        }
        let mut body = BytesMut::new();
        loop {
            let idle = self.timeouts.idle;
            let chunk = timeout(idle, response.chunk())
                .await
                .map_err(|_| Error::TimedOut { endpoint: route.name.clone(), after: idle, maybe_received: changes })?
                .map_err(|error| self.fault(route, &error, changes))?;
            let Some(chunk) = chunk else { break };
            if (body.len() + chunk.len()) as u64 > limit {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer { endpoint: route.name.clone(), status, headers, body: body.freeze() })
    }

    /// The result of an answer to a request with credentials; `changes` as in [`check_status`].
    pub(crate) fn check_answer(&self, route: &Route, answer: Answer, changes: bool) -> Result<Answer, Error> {
        check_status(route, self.without_secret(answer), changes, &|text| self.redact(text))
    }

    pub(crate) fn redact(&self, text: &str) -> String {
        redact::redacted(text, self.endpoint.credentials.secret().expose_secret()).into_owned()
    }

    /// Redacts the secret in the answer: answers are stored, shown and exported, also successful ones.
    fn without_secret(&self, mut answer: Answer) -> Answer {
        let clean = match redact::redacted(&answer.text(), self.endpoint.credentials.secret().expose_secret()) {
            Cow::Owned(clean) => Some(clean),
            Cow::Borrowed(_) => None,
        };
        if let Some(clean) = clean {
            answer.body = clean.into();
        }
        answer
    }

    fn fault(&self, route: &Route, error: &reqwest::Error, maybe_received: bool) -> Error {
        fault(route, error, maybe_received, &self.timeouts, &|text| self.redact(text))
    }
}

/// Returns a successful answer; any other one becomes an error. `changes` says whether the request was a changing one;
/// `redact` redacts secrets.
pub(crate) fn check_status(
    route: &Route,
    answer: Answer,
    changes: bool,
    redact: &dyn Fn(&str) -> String,
) -> Result<Answer, Error> {
    match answer.status {
        200..=299 => Ok(answer),
        status @ 300..=399 => {
            let location = answer.headers.get(LOCATION).and_then(|location| location.to_str().ok()).map(redact);
            let location = location.and_then(|location| route.url.join(&location).ok());
            let host = location.as_ref().map(origin);
            // 303 and, on the same server, 302 commonly lead from a completed request to its result page.
            let is_near = location.is_none_or(|url| url.origin() == route.url.origin());
            let maybe_received = changes && (status == 303 || status == 302 && is_near);
            Err(Error::Redirected { endpoint: answer.endpoint, status, host, maybe_received })
        }
        status => {
            let retry_after = refusal::retry_after(&answer.headers);
            Err(refusal::error(&answer.endpoint, status, retry_after, &redact(&answer.text()), changes))
        }
    }
}

/// Converts a network error.
pub(crate) fn fault(
    route: &Route,
    error: &reqwest::Error,
    maybe_received: bool,
    timeouts: &Timeouts,
    redact: &dyn Fn(&str) -> String,
) -> Error {
    if let Some(changed) = find::<FileChanged>(error) {
        return changed.to_error();
    }
    // Nothing is sent before the connection is established.
    let maybe_received = maybe_received && !error.is_connect() && !error.is_builder();
    if error.is_timeout() {
        let after = if error.is_connect() { timeouts.connect } else { timeouts.total };
        return Error::TimedOut { endpoint: route.name.clone(), after, maybe_received };
    }
    Error::Offline { host: origin(&route.url), reason: reason(error, redact), maybe_received }
}

/// An HTTP client without automatic retries and redirects. With `direct`, the system proxy is not used.
pub(crate) fn http_client(
    timeouts: &Timeouts,
    direct: bool,
    configure: impl Fn(reqwest::ClientBuilder) -> reqwest::ClientBuilder,
) -> Result<reqwest::Client, Error> {
    let builder = || {
        let builder = reqwest::Client::builder()
            .user_agent(concat!("template-desk/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(timeouts.connect)
            .redirect(reqwest::redirect::Policy::none())
            // Only hyper itself may move a request to another connection, if no byte of it was written.
            .retry(reqwest::retry::never())
            .referer(false)
            // Many servers close idle connections after 5 s; a send on a connection that was just closed has an unknown
            // outcome.
            .pool_idle_timeout(Duration::from_secs(4));
        configure(if direct { builder.no_proxy() } else { builder })
    };
    build_http(builder).map_err(|error| Error::Setup(deepest(&error)))
}

/// Builds an HTTP client. Without certificates on the machine, HTTP still works; HTTPS fails with its own error.
pub fn build_http(builder: impl Fn() -> reqwest::ClientBuilder) -> Result<reqwest::Client, reqwest::Error> {
    install_crypto();
    builder().build().or_else(|_| builder().tls_certs_only([]).build())
}

/// Returns after `idle` without any transfer.
async fn stalled(progress_signal: Option<watch::Receiver<u64>>, idle: Duration) {
    if let Some(mut progress_signal) = progress_signal {
        loop {
            match timeout(idle, progress_signal.changed()).await {
                Err(_) => return,
                Ok(Ok(())) => {}
                // The upload is complete; the timeout of the answer applies now.
                Ok(Err(_)) => break,
            }
        }
    }
    sleep(idle).await;
}

/// Installs ring as the process's crypto provider unless one is installed. Required once before TLS is used.
pub fn install_crypto() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error means that another part of the process installed one concurrently, which is fine.
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            drop(rustls::crypto::ring::default_provider().install_default());
        }
    });
}

/// Finds the error of type `T` in the source chain of `error`. An `io::Error` hides its inner error from `source()`.
pub(crate) fn find<'a, T: StdError + 'static>(error: &'a (dyn StdError + 'static)) -> Option<&'a T> {
    let mut current = Some(error);
    while let Some(error) = current {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(found) = wrapped.and_then(|inner| find::<T>(inner)) {
            return Some(found);
        }
        current = error.source();
    }
    None
}

fn deepest(error: &(dyn StdError + 'static)) -> String {
    let mut current = error;
    while let Some(source) = current.source() {
        current = source;
    }
    current.to_string()
}

fn reason(error: &reqwest::Error, redact: &dyn Fn(&str) -> String) -> Unreachable {
    if let Some(tls) = find::<rustls::Error>(error) {
        return Unreachable::Tls(tls_reason(tls));
    }
    if error.is_dns() {
        return Unreachable::NameNotFound;
    }
    let io_kind = find::<io::Error>(error).map(io::Error::kind);
    match io_kind {
        Some(io::ErrorKind::ConnectionRefused) => Unreachable::ConnectionRefused,
        Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable | io::ErrorKind::AddrNotAvailable) => {
            Unreachable::NoRoute
        }
        Some(
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof
            | io::ErrorKind::NotConnected,
        ) => Unreachable::Closed,
        _ => {
            let text = deepest(error);
            // hyper has no public error kind for each of these.
            if text.contains("connection closed") || text.contains("end of file") || text.contains("unexpected EOF") {
                Unreachable::Closed
            } else {
                Unreachable::Other(redact(&text))
            }
        }
    }
}

fn tls_reason(error: &rustls::Error) -> String {
    use rustls::CertificateError as Certificate;
    match error {
        rustls::Error::InvalidCertificate(problem) => match problem {
            Certificate::Expired | Certificate::ExpiredContext { .. } => {
                "the server's certificate has expired; contact its operator, or check this machine's clock".into()
            }
            Certificate::NotValidYet | Certificate::NotValidYetContext { .. } => {
                "the server's certificate is not valid yet; check this machine's clock".into()
            }
            Certificate::NotValidForName | Certificate::NotValidForNameContext { .. } => {
                "the server's certificate is for another name; check the base URL".into()
            }
            Certificate::UnknownIssuer => {
                "the server's certificate is not issued by an authority this machine trusts; install the authority's certificate (package ca-certificates)".into()
            }
            other => format!("the server's certificate is not valid ({other})"),
        },
        rustls::Error::InvalidMessage(_) => {
            "the server does not speak TLS on this port; check the port, or use http:// for a local server".into()
        }
        other => other.to_string(),
    }
}
