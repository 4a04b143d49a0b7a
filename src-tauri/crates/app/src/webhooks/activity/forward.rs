//! Forwards deliveries to a program on this machine: the original bytes and headers, including the signature.
//!
//! Only to this machine: deliveries are confidential, and a mistyped URL must not send them elsewhere.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Mutex;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use store::delivery_log::Delivery;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::context::lock;
use crate::webhooks::Webhooks;
use crate::workspaces::SANDBOX_ID;
use command_types::Nothing;
use command_types::activity::{DeliveryScope, ForwardReport, ForwardStored, ForwardingState, SetForwarding};
use command_types::error::{DeskError, Missing, Result};

/// Timeout of the program's answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum lag of live forwarding behind the delivery log, in deliveries. Older ones are skipped.
const MAX_BACKLOG: i64 = 1_000;
/// Deliveries read at once.
const PAGE_SIZE: u32 = 50;
/// Consecutive deliveries without an answer after which forwarding a range is aborted.
const MAX_CONSECUTIVE_FAILURES: u32 = 20;

/// Why a delivery is not forwarded to the app's own receiver.
const OWN_ADDRESS: &str = "This is the address of Template Desk's own receiver: it would receive its own deliveries in \
                           an endless loop. Enter the address of the program you want to test.";

/// State of live forwarding while the app is open.
#[derive(Debug, Default)]
pub(crate) struct Forwarding {
    state: Mutex<ForwardingState>,
    running: Mutex<CancellationToken>,
}

#[derive(Debug)]
pub(crate) enum Outcome {
    /// The program answered with this status.
    Answered(u16),
    /// There was no answer, for this reason.
    Failed(String),
}

impl Webhooks {
    pub async fn get_forwarding(&self, _request: Nothing) -> Result<ForwardingState> {
        Ok(lock(&self.0.forwarding.state).clone())
    }

    /// Starts or stops live forwarding. Resets the counts. The setting is not stored across restarts.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for a URL that is not of this machine, or of the receiver itself.
    pub async fn set_forwarding(&self, request: SetForwarding) -> Result<ForwardingState> {
        let url = match request.url.as_deref().map(str::trim).filter(|url| !url.is_empty()) {
            Some(url) => Some(self.local_url(url)?),
            None => None,
        };
        let workspace = request.workspace.filter(|workspace| !workspace.is_empty());
        let state = ForwardingState {
            url: url.as_ref().map(Url::to_string),
            workspace: workspace.clone().filter(|_| url.is_some()),
            ..ForwardingState::default()
        };
        let stop = self.0.context.cancel.child_token();
        let target = url.map(Target::new).transpose()?;
        // Sequential, so that the counts of one setting are never added to the next.
        std::mem::replace(&mut *lock(&self.0.forwarding.running), stop.clone()).cancel();
        *lock(&self.0.forwarding.state) = state.clone();
        if let Some(target) = target {
            let webhooks = self.clone();
            let from = *self.0.context.delivery_log.stored().borrow();
            self.0.context.spawn(async move {
                let forwarding = webhooks.forward_live(target, workspace, from, &stop);
                if let Some(Err(error)) = stop.run_until_cancelled(forwarding).await {
                    tracing::error!(%error, "forwarding ended");
                    webhooks.record_end(&stop, error.to_string());
                }
            });
        }
        Ok(state)
    }

    /// Forwards stored deliveries, oldest first, each once.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for a URL that is not of this machine; [`DeskError::NotFound`] when a single
    /// delivery does not exist; [`DeskError::Cancelled`] when the app closes meanwhile.
    pub async fn forward_stored(&self, request: ForwardStored) -> Result<ForwardReport> {
        let target = Target::new(self.local_url(request.url.trim())?)?;
        let (first, last) = request.scope.ends()?;
        let last = last.min(self.0.context.reader.last_seq().await?);
        let mut stored_deliveries = self.stored_deliveries(first, last).await?;
        let mut report = ForwardReport::default();
        let mut consecutive_failures = 0;
        loop {
            let page = stored_deliveries.page().await?;
            if page.is_empty() {
                break;
            }
            for delivery in page {
                // The receiver may have been moved there since the start.
                if self.is_own(&target.url) {
                    report.last_error = Some(OWN_ADDRESS.to_owned());
                    return Ok(report);
                }
                match target.post(delivery).await {
                    Outcome::Answered(status @ 200..300) => {
                        tracing::debug!(status, "a stored delivery was forwarded");
                        report.sent += 1;
                        consecutive_failures = 0;
                    }
                    Outcome::Answered(status) => {
                        report.failed += 1;
                        report.last_error = Some(refused(status));
                        consecutive_failures = 0;
                    }
                    Outcome::Failed(reason) => {
                        report.failed += 1;
                        report.last_error = Some(reason);
                        consecutive_failures += 1;
                    }
                }
                if consecutive_failures == MAX_CONSECUTIVE_FAILURES {
                    let reason = report.last_error.take().unwrap_or_default();
                    report.last_error =
                        Some(format!("{reason}; given up after {MAX_CONSECUTIVE_FAILURES} deliveries in a row"));
                    return Ok(report);
                }
            }
        }
        if report.sent + report.failed == 0 && matches!(request.scope, DeliveryScope::One { .. }) {
            return Err(DeskError::not_found(Missing::Delivery));
        }
        Ok(report)
    }

    /// Follows the delivery log, which is the queue: receiving and projecting never wait for the target program.
    async fn forward_live(
        &self,
        target: Target,
        workspace: Option<String>,
        from: i64,
        stop: &CancellationToken,
    ) -> Result<()> {
        let mut stored = self.0.context.delivery_log.stored();
        let reader = self.separate_reader().await?;
        let mut at = from;
        loop {
            let page = reader.after(at, PAGE_SIZE).await?;
            let Some(last) = page.last().map(|delivery| delivery.seq) else {
                if stored.changed().await.is_err() {
                    return Ok(());
                }
                continue;
            };
            at = last;
            for delivery in page {
                if workspace.as_ref().is_some_and(|workspace| *workspace != delivery.route) {
                    continue;
                }
                // The receiver may have been moved there since the start.
                if self.is_own(&target.url) {
                    return Err(DeskError::invalid("url", OWN_ADDRESS));
                }
                let outcome = if *stored.borrow() - delivery.seq > MAX_BACKLOG {
                    Err(format!(
                        "more than {MAX_BACKLOG} deliveries were waiting for the program there; it is too slow"
                    ))
                } else {
                    match target.post(delivery).await {
                        Outcome::Answered(status) => Ok(status),
                        Outcome::Failed(reason) => Err(reason),
                    }
                };
                self.record_forwarded(stop, outcome);
            }
        }
    }

    /// Counts a delivery, unless its setting has been replaced.
    fn record_forwarded(&self, stop: &CancellationToken, outcome: std::result::Result<u16, String>) {
        let mut state = lock(&self.0.forwarding.state);
        if stop.is_cancelled() {
            return;
        }
        match outcome {
            Ok(status @ 200..300) => {
                state.forwarded += 1;
                state.last_status = Some(status);
            }
            Ok(status) => {
                state.failed += 1;
                state.last_status = Some(status);
                state.last_error = Some(refused(status));
            }
            Err(reason) => {
                state.failed += 1;
                state.last_error = Some(reason);
            }
        }
    }

    /// Records that forwarding ended by itself, unless its setting has been replaced.
    fn record_end(&self, stop: &CancellationToken, reason: String) {
        let mut state = lock(&self.0.forwarding.state);
        if !stop.is_cancelled() {
            state.last_error = Some(reason);
            state.ended = true;
        }
    }

    /// Checks that a URL is of this machine and not of the receiver itself.
    fn local_url(&self, typed: &str) -> Result<Url> {
        let url = loopback_url(typed)?;
        if self.is_own(&url) { Err(DeskError::invalid("url", OWN_ADDRESS)) } else { Ok(url) }
    }

    /// Whether a URL of this machine leads to one of the app's own receivers.
    fn is_own(&self, url: &Url) -> bool {
        let sandbox = self.0.workspaces.sandbox(SANDBOX_ID).and_then(|sandbox| sandbox.webhooks);
        url.port_or_known_default()
            .is_some_and(|port| self.0.servers.uses_port(port) || sandbox.is_some_and(|own| own.port() == port))
    }

    /// Whether live forwarding is on and leads to this port.
    pub(crate) fn forwards_to_port(&self, port: u16) -> bool {
        let state = lock(&self.0.forwarding.state);
        let url = state.url.as_deref().filter(|_| !state.ended).and_then(|url| Url::parse(url).ok());
        url.is_some_and(|url| url.port_or_known_default() == Some(port))
    }
}

fn refused(status: u16) -> String {
    match status {
        300..400 => format!("the program answered {status}; redirects are not followed"),
        _ => format!("the program answered {status}"),
    }
}

/// Parses a URL of this machine.
fn loopback_url(typed: &str) -> Result<Url> {
    let refuse = |why: &str| {
        DeskError::invalid(
            "url",
            format!(
                "Webhooks are forwarded to this machine only, and {why}. Enter an address such as \
                 http://127.0.0.1:3000/webhook."
            ),
        )
    };
    let url = Url::parse(typed).map_err(|_| refuse("this is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refuse("this is neither http nor https"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse("this URL contains a user name"));
    }
    if !provider_client::is_this_machine(&url) {
        return Err(refuse("this URL is of another machine"));
    }
    if url.port() == Some(0) {
        return Err(refuse("no program listens at port 0"));
    }
    Ok(url)
}

#[derive(Debug)]
pub(crate) struct Target {
    url: Url,
    http: reqwest::Client,
}

impl Target {
    pub(crate) fn new(url: Url) -> Result<Self> {
        let builder = || {
            reqwest::Client::builder()
                // A redirect, a proxy, or a name that a hosts file maps elsewhere would send the bytes to another
                // machine.
                .redirect(reqwest::redirect::Policy::none())
                .no_proxy()
                .resolve_to_addrs(
                    "localhost",
                    &[IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)]
                        .map(|ip| SocketAddr::new(ip, 0)),
                )
                .retry(reqwest::retry::never())
                .timeout(REQUEST_TIMEOUT)
        };
        let http =
            provider_client::build_http(builder).map_err(|error| DeskError::Internal { message: error.to_string() })?;
        Ok(Self { url, http })
    }

    pub(crate) async fn post(&self, delivery: Delivery) -> Outcome {
        let mut headers = HeaderMap::new();
        for (name, value) in &delivery.headers {
            // They were received as headers; only a damaged row can contain an invalid one.
            if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
                headers.append(name, value);
            }
        }
        match self.http.post(self.url.clone()).headers(headers).body(delivery.body).send().await {
            Ok(answer) => Outcome::Answered(answer.status().as_u16()),
            Err(error) if error.is_timeout() => {
                Outcome::Failed(format!("the program did not answer within {} s", REQUEST_TIMEOUT.as_secs()))
            }
            Err(error) if error.is_connect() => {
                Outcome::Failed("no program is listening at this address; start it, or check the port".to_owned())
            }
            Err(error) => Outcome::Failed(format!("the connection failed: {}", error.without_url())),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn only_loopback_urls_are_accepted() {
        let local = [
            "http://127.0.0.1:3000/webhook",
            "http://localhost:3000/",
            "https://LOCALHOST/x?y=z",
            "http://[::1]:8080/hook",
            "http://127.9.8.7:1/",
            // Other notations of 127.0.0.1.
            "http://0x7f.1:3000/",
            "http://2130706433:3000/",
        ];
        for url in local {
            loopback_url(url).unwrap();
        }
        let elsewhere = [
            "",
            "127.0.0.1:3000",
            "http://127.0.0.1.evil.example/",
            "http://localhost.evil.example/",
            "http://evil.example/",
            "http://evil.localhost/",
            "http://localhost./",
            "http://localhost@evil.example/",
            "http://127.0.0.1@evil.example/",
            "http://user@127.0.0.1:3000/",
            "http://user:word@127.0.0.1:3000/",
            "http://:word@127.0.0.1:3000/",
            "http://evil.example#@127.0.0.1/",
            "http://evil.example?@127.0.0.1/",
            "http://evil.example\\@127.0.0.1/",
            "http://0.0.0.0:3000/",
            "http://10.0.0.1/",
            "http://169.254.169.254/",
            "http://[::]:3000/",
            "http://[::ffff:10.0.0.1]/",
            "http://127.0.0.1:0/",
            "ftp://127.0.0.1/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "ws://127.0.0.1:3000/",
        ];
        for url in elsewhere {
            assert!(matches!(loopback_url(url), Err(DeskError::InvalidInput { .. })), "{url}");
        }
    }

    #[test]
    fn the_checked_host_is_the_connected_host() {
        // The same parser reads the URL for the check and for the connection.
        let url = loopback_url("http://127.0.0.1:3000\\@evil.example/").unwrap();
        assert_eq!(url.host_str(), Some("127.0.0.1"));
    }
}
