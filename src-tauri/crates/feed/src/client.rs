//! The client of a feed.

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

use model::redact::redacted;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{Response, StatusCode};
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

use crate::{Delivery, End, FeedError, Gap, Line, Start};

/// How long a server waits at most for new deliveries.
pub const MAX_WAIT: Duration = Duration::from_secs(60);
/// How much longer than the wait a whole page may take.
const PAGE_TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum size of a page in bytes. Servers end pages at 4 MiB of bodies, and base64 makes them a third longer.
const MAX_PAGE_BYTES: usize = 64 << 20;
/// Maximum size of an answer that is not a page, in bytes. More is not read.
const MAX_ANSWER_BYTES: usize = 1 << 20;
/// Why a page is not stored that would store the token.
const REPEATED: &str = "the server repeats the token in it";
/// How much of an unexpected answer is kept, in characters.
const MAX_TEXT: usize = 200;

/// A client of one feed. Clones share its connections. No error and no position contains the token, which servers and
/// proxies may echo.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    address: Url,
    token: SecretString,
}

/// A whole page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its deliveries, in the order of their numbers.
    pub deliveries: Vec<Delivery>,
    /// What the server passed over.
    pub gaps: Vec<Gap>,
    pub end: End,
}

/// The address of a feed, of any scheme.
pub fn parse_address(text: &str) -> Result<Url, FeedError> {
    Url::parse(text)
        .map_err(|error| FeedError::Address(format!("this is not an address ({error}); enter one with https://")))
}

impl Client {
    /// A client of the feed at this address, such as `https://hooks.example.com/feed`.
    ///
    /// # Errors
    /// [`FeedError::Address`] when it is not an `http` or `https` address; `http` only for this machine, because the
    /// token would otherwise be readable on the way. [`FeedError::Token`] when a header cannot carry the token.
    pub fn new(http: reqwest::Client, address: &str, token: SecretString) -> Result<Self, FeedError> {
        let address = parse_address(&if address.ends_with('/') { address.to_owned() } else { format!("{address}/") })?;
        match address.scheme() {
            "https" => {}
            "http" if address.host_str().is_some_and(model::net::is_this_machine) => {}
            "http" => {
                return Err(FeedError::Address(
                    "the token would be readable on the way; use an address with https://".to_owned(),
                ));
            }
            _ => return Err(FeedError::Address("enter an address with https://".to_owned())),
        }
        if !address.username().is_empty() || address.password().is_some() {
            return Err(FeedError::Address("enter the address without a user name and password".to_owned()));
        }
        let header = HeaderValue::try_from(format!("Bearer {}", token.expose_secret()));
        if header.is_err() || token.expose_secret().contains(char::is_whitespace) {
            return Err(FeedError::Token);
        }
        Ok(Self { http, address, token })
    }

    /// The position after everything stored so far, and what the token sees.
    pub async fn start(&self) -> Result<Start, FeedError> {
        let answer = self.get("v1/cursor", &[], Duration::ZERO).await?;
        let status = answer.status().as_u16();
        let text = self.text(answer).await?;
        serde_json::from_str(&text)
            .map_err(|_| FeedError::Unexpected { status, text: text.chars().take(MAX_TEXT).collect() })
    }

    /// The deliveries after `cursor`, at most `limit`; from the beginning of the log without one. If there are none,
    /// waits up to `wait` (at most [`MAX_WAIT`]) for the next.
    pub async fn page(&self, cursor: Option<&str>, limit: u32, wait: Duration) -> Result<Page, FeedError> {
        let limit = limit.to_string();
        let seconds = wait.min(MAX_WAIT).as_secs().to_string();
        let mut query = vec![("limit", limit.as_str()), ("wait", seconds.as_str())];
        query.extend(cursor.map(|cursor| ("after", cursor)));
        let mut answer = self.get("v1/deliveries", &query, wait).await?;
        let mut page = Page::default();
        let (mut rest, mut total) = (Vec::new(), 0);
        let incomplete = |reason: &dyn Display| FeedError::Incomplete(self.without_token(&reason.to_string()));
        loop {
            let part = answer.chunk().await.map_err(|error| incomplete(&error.without_url()))?;
            let Some(part) = part else { return Err(incomplete(&"it ended before its last line")) };
            total += part.len();
            if total > MAX_PAGE_BYTES {
                return Err(incomplete(&format!("it is longer than {} MiB", MAX_PAGE_BYTES >> 20)));
            }
            rest.extend_from_slice(&part);
            let mut begin = 0;
            while let Some(length) = rest[begin..].iter().position(|byte| *byte == b'\n') {
                match Line::parse(&rest[begin..begin + length]).map_err(|error| incomplete(&error))? {
                    Line::Delivery(delivery) if self.has_token(&delivery.node) => return Err(incomplete(&REPEATED)),
                    Line::Delivery(delivery) => page.deliveries.push(delivery),
                    Line::Gap(gap) => page.gaps.push(Gap { why: self.without_token(&gap.why), ..gap }),
                    Line::End(end) if self.has_token(&end.cursor) => return Err(incomplete(&REPEATED)),
                    Line::End(end) => return Ok(Page { end, ..page }),
                    Line::Other => {}
                }
                begin += length + 1;
            }
            rest.drain(..begin);
        }
    }

    async fn get(&self, path: &str, query: &[(&str, &str)], wait: Duration) -> Result<Response, FeedError> {
        let address = self.address.join(path).map_err(|error| FeedError::Address(error.to_string()))?;
        let mut token =
            HeaderValue::try_from(format!("Bearer {}", self.token.expose_secret())).map_err(|_| FeedError::Token)?;
        token.set_sensitive(true);
        let request = self.http.get(address).header(AUTHORIZATION, token).query(query);
        let answer = request.timeout(wait + PAGE_TIMEOUT).send().await.map_err(|error| self.unreachable(error))?;
        match answer.status() {
            StatusCode::OK => Ok(answer),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(FeedError::Refused),
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                Err(FeedError::Unavailable(status.as_u16()))
            }
            status => {
                let text = self.text(answer).await.unwrap_or_default();
                Err(FeedError::Unexpected { status: status.as_u16(), text: text.chars().take(MAX_TEXT).collect() })
            }
        }
    }

    /// The beginning of the body of an answer, without the token.
    async fn text(&self, mut answer: Response) -> Result<String, FeedError> {
        let mut body = Vec::new();
        while body.len() < MAX_ANSWER_BYTES
            && let Some(part) = answer.chunk().await.map_err(|error| self.unreachable(error))?
        {
            body.extend_from_slice(&part[..part.len().min(MAX_ANSWER_BYTES - body.len())]);
        }
        Ok(self.without_token(&String::from_utf8_lossy(&body)))
    }

    fn unreachable(&self, error: reqwest::Error) -> FeedError {
        FeedError::Unreachable(self.without_token(&described(&error.without_url())))
    }

    fn without_token(&self, text: &str) -> String {
        redacted(text, self.token.expose_secret()).into_owned()
    }

    fn has_token(&self, text: &str) -> bool {
        matches!(redacted(text, self.token.expose_secret()), Cow::Owned(_))
    }
}

/// What prevented a request, without the address, which the reader knows.
fn described(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    if error.is_timeout() {
        return "the server did not answer in time".to_owned();
    }
    format!("the server cannot be reached: {cause}")
}
