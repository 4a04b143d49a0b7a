//! Inspects the target of a media link: a `HEAD` request, and the first bytes of the body if the headers say too
//! little.
//!
//! The provider fetches the file, not this machine. The result is advice only, so the check is cheap for the server.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use provider_client::{PublicError, PublicHttp, Reach, Timeouts};
use reqwest::header::{CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RANGE};
use reqwest::{Method, Response, StatusCode};
use tokio::sync::OnceCell;
use url::Url;

use crate::lock;

/// Redirects that are followed.
const MAX_REDIRECTS: usize = 5;
/// Timeout for all requests about one link.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of body bytes that are read.
const MAX_BODY_BYTES: usize = 64 * 1024;
/// Bytes to request; enough to detect the type.
const PROBE_BYTES: usize = 1024;
/// The range header for [`PROBE_BYTES`] bytes.
const PROBE_RANGE: HeaderValue = HeaderValue::from_static("bytes=0-1023");
/// How long a result is cached.
const CACHE_TTL: Duration = Duration::from_secs(60);
/// Maximum number of cached links.
const MAX_CACHED: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    File {
        /// Size, if the server states it.
        bytes: Option<u64>,
        /// Type, as the server states it or as detected from the first bytes.
        mime: Option<String>,
    },
    /// An answer without a file.
    Status(u16),
    /// No answer.
    Nothing(Fault),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Key of the window's text: `address`, `scheme`, `password`, `private` (of this machine or a private network),
    /// `timeout`, `noConnection`, `broken`, `redirect` (to an address that may not be fetched) or `redirects` (too
    /// many).
    pub word: &'static str,
    /// The text in English.
    pub detail: String,
}

impl Fault {
    fn new(word: &'static str, detail: impl Into<String>) -> Self {
        Self { word, detail: detail.into() }
    }
}

/// Checks links, with a short-lived cache.
#[derive(Debug)]
pub struct Links {
    internet: OnceCell<Http>,
    with_loopback: OnceCell<Http>,
    timeout: Duration,
    seen: Mutex<HashMap<(String, Reach), (Instant, LinkTarget)>>,
}

impl Default for Links {
    fn default() -> Self {
        Self::with_timeout(TIMEOUT)
    }
}

impl Links {
    fn with_timeout(timeout: Duration) -> Self {
        Self { internet: OnceCell::new(), with_loopback: OnceCell::new(), timeout, seen: Mutex::default() }
    }

    /// The target of a link, from the cache if it is at most a minute old.
    pub async fn check(&self, link: &str, reach: Reach) -> LinkTarget {
        let key = (link.to_owned(), reach);
        let known = lock(&self.seen).get(&key).filter(|(at, _)| at.elapsed() < CACHE_TTL).cloned();
        if let Some((_, found)) = known {
            return found;
        }
        let found = match self.http(reach).await {
            Ok(http) => self.check_uncached(http, link).await,
            Err(error) => LinkTarget::Nothing(Fault::new("noConnection", error.to_string())),
        };
        let mut seen = lock(&self.seen);
        seen.retain(|_, (at, _)| at.elapsed() < CACHE_TTL);
        if seen.len() < MAX_CACHED {
            seen.insert(key, (Instant::now(), found.clone()));
        }
        found
    }

    /// A picture to display; `None` if the link doesn't lead to a picture that the channel accepts.
    pub async fn picture(&self, link: &str, reach: Reach) -> Option<Vec<u8>> {
        let url = allowed(link.trim()).ok()?;
        let http = self.http(reach).await.ok()?;
        tokio::time::timeout(self.timeout, http.picture(url)).await.ok()?.ok()?
    }

    async fn http(&self, reach: Reach) -> Result<&Http, provider_client::Error> {
        let cell = match reach {
            Reach::Internet => &self.internet,
            Reach::InternetAndLoopback => &self.with_loopback,
        };
        cell.get_or_try_init(async || Ok(Http(PublicHttp::new(&Timeouts::default(), reach)?))).await
    }

    async fn check_uncached(&self, http: &Http, link: &str) -> LinkTarget {
        let url = match allowed(link.trim()) {
            Ok(url) => url,
            Err(fault) => return LinkTarget::Nothing(fault),
        };
        match tokio::time::timeout(self.timeout, http.fetch(url)).await {
            Ok(Ok(found)) => found,
            Ok(Err(fault)) => LinkTarget::Nothing(fault),
            Err(_) => {
                let detail = format!("the server did not answer within {} s", self.timeout.as_secs());
                LinkTarget::Nothing(Fault::new("timeout", detail))
            }
        }
    }
}

/// HTTP without cookies, credentials and automatic redirects.
#[derive(Debug)]
struct Http(PublicHttp);

/// Parses an address and checks that it may be requested: no local files, no password. Applies to links and to
/// redirects.
fn allowed(link: &str) -> Result<Url, Fault> {
    let url = Url::parse(link).map_err(|_| Fault::new("address", "it is not a web address"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Fault::new("scheme", "only http and https addresses are fetched"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Fault::new("password", "it contains a user name or a password"));
    }
    Ok(url)
}

impl Http {
    async fn fetch(&self, url: Url) -> Result<LinkTarget, Fault> {
        // Some servers close the connection on an unknown method, so an error is not final.
        if let Ok((head, url)) = self.request(Method::HEAD, url.clone(), None).await
            && head.status().is_success()
        {
            return match (length(head.headers()), mime(head.headers())) {
                (Some(bytes), Some(mime)) => Ok(LinkTarget::File { bytes: Some(bytes), mime: Some(mime) }),
                (bytes, _) => self.body(url, bytes).await,
            };
        }
        // Signed addresses and many servers support GET only.
        self.body(url, None).await
    }

    /// Detects the file from the first bytes of the body.
    async fn body(&self, url: Url, known: Option<u64>) -> Result<LinkTarget, Fault> {
        let (mut answer, _) = self.request(Method::GET, url, Some(PROBE_RANGE)).await?;
        let status = answer.status();
        let of_range = range_total(answer.headers());
        if status == StatusCode::RANGE_NOT_SATISFIABLE && of_range == Some(0) {
            return Ok(LinkTarget::File { bytes: Some(0), mime: None });
        }
        if !status.is_success() {
            return Ok(LinkTarget::Status(status.as_u16()));
        }
        let partial = status == StatusCode::PARTIAL_CONTENT;
        let stated = if partial { of_range } else { length(answer.headers()) }.or(known);
        let mime = mime(answer.headers());
        // The first bytes are enough for the type; an unannounced length is known only at the end of the body.
        let enough = if stated.is_some() || partial { PROBE_BYTES } else { MAX_BODY_BYTES };
        let mut first = Vec::new();
        let whole = loop {
            match answer.chunk().await.map_err(fault)? {
                Some(chunk) => first.extend_from_slice(&chunk[..chunk.len().min(enough - first.len())]),
                None => break true,
            }
            if first.len() == enough {
                break false;
            }
        };
        let counted = (whole && !partial && stated.is_none()).then_some(first.len() as u64);
        let sniffed = || model::media::sniff(&first).map(str::to_owned);
        Ok(LinkTarget::File { bytes: stated.or(counted), mime: mime.or_else(sniffed) })
    }

    /// Downloads a picture, unless it is larger than the channel accepts.
    async fn picture(&self, url: Url) -> Result<Option<Vec<u8>>, Fault> {
        let (mut answer, _) = self.request(Method::GET, url, None).await?;
        if !answer.status().is_success() {
            return Ok(None);
        }
        let mut whole = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(fault)? {
            whole.extend_from_slice(&chunk);
            if whole.len() as u64 > model::media::IMAGE_LIMIT {
                return Ok(None);
            }
        }
        Ok(Some(whole))
    }

    /// Sends a request and follows redirects; each target is checked.
    async fn request(
        &self,
        method: Method,
        mut url: Url,
        range: Option<HeaderValue>,
    ) -> Result<(Response, Url), Fault> {
        for _ in 0..=MAX_REDIRECTS {
            let headers = range.iter().map(|range| (RANGE, range.clone())).collect();
            let answer = self.0.request(method.clone(), &url, headers).await.map_err(|error| match error {
                PublicError::Private => Fault::new("private", "it leads into a private network or to this computer"),
                PublicError::Http(error) => fault(error),
            })?;
            let location = answer.headers().get(LOCATION).filter(|_| answer.status().is_redirection());
            let Some(location) = location else { return Ok((answer, url)) };
            let next = location.to_str().ok().and_then(|location| url.join(location).ok());
            let next = next.ok_or_else(|| Fault::new("redirect", "it redirects to an invalid address"))?;
            url = allowed(next.as_str())
                .map_err(|fault| Fault::new("redirect", format!("it redirects, and {}", fault.detail)))?;
        }
        Err(Fault::new("redirects", format!("it redirects more than {MAX_REDIRECTS} times")))
    }
}

/// The length of a body. 0 is ignored, because some servers state it in every answer to `HEAD`.
fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok().filter(|length| *length > 0)
}

/// The total length from the header of a range: `bytes 0-1023/146515`.
fn range_total(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_RANGE)?.to_str().ok()?.rsplit_once('/')?.1.trim().parse().ok()
}

/// The type without its parameters; absent if the server doesn't know it.
fn mime(headers: &HeaderMap) -> Option<String> {
    let stated = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let mime = stated.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let says_nothing =
        !mime.contains('/') || matches!(mime.as_str(), "application/octet-stream" | "binary/octet-stream");
    (!says_nothing).then_some(mime)
}

/// The reason of a failed request, without the address, which the person already sees.
fn fault(error: reqwest::Error) -> Fault {
    if error.is_timeout() {
        return Fault::new("timeout", "the server did not answer in time");
    }
    let error = error.without_url();
    let mut deepest: &dyn std::error::Error = &error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    if error.is_connect() {
        return Fault::new("noConnection", format!("no connection to the server ({deepest})"));
    }
    Fault::new("broken", format!("the connection was closed ({deepest})"))
}

#[cfg(test)]
mod tests;
