//! Downloads the media of inbound messages: from the provider's public address, or with the token from the channel's
//! temporary address (contract §5, §6.2). The body is streamed.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::BytesMut;
use memchr::memmem;
use model::redact::MIN_SECRET_LENGTH;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Method, Response};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::endpoint::{Credentials, Route, bearer, origin};
use crate::error::{Error, MAX_STORED_BODY};
use crate::public::{PublicError, PublicHttp, Reach};
use crate::transport::{Answer, Timeouts, Transport, check_status, fault};

/// Maximum size of a download, in bytes: the channel's limit for documents (upstream §4.2).
pub const MAX_DOWNLOAD: u64 = 100 * 1024 * 1024;
/// Timeout for a whole download.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(60);
/// Redirects that are followed without a token.
const MAX_REDIRECTS: usize = 5;

/// Target of a download.
pub type Sink<'a> = dyn AsyncWrite + Send + Unpin + 'a;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// Size in bytes.
    pub bytes: u64,
    /// Media type that the server states.
    pub content_type: Option<String>,
}

/// Downloads from public addresses, without credentials.
#[derive(Clone, Debug)]
pub struct PublicFiles {
    http: PublicHttp,
    timeouts: Timeouts,
}

impl PublicFiles {
    pub fn new(timeouts: Timeouts, reach: Reach) -> Result<Self, Error> {
        Ok(Self { http: PublicHttp::new(&timeouts, reach)?, timeouts })
    }

    /// Downloads into `sink`: at most `limit` bytes, and never more than [`MAX_DOWNLOAD`].
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an address that is neither http nor https, [`Error::PrivateAddress`] for one that
    /// may not be requested, also after a redirect; [`Error::TooLarge`], [`Error::Unstored`], or any other [`Error`].
    /// Discard the content of `sink` on error.
    pub async fn download(
        &self,
        url: &str,
        limit: u64,
        cancel: &CancellationToken,
        sink: &mut Sink<'_>,
    ) -> Result<Download, Error> {
        let route = route(address(url)?);
        let http = Http::Public { http: &self.http, redirects: MAX_REDIRECTS };
        let request = Request { http, timeouts: &self.timeouts, route, headers: HeaderMap::new(), secret: None };
        request.download(limit, cancel, sink, &str::to_owned).await
    }
}

/// Hosts that may receive the token, besides the provider's own address.
#[derive(Clone, Copy, Debug)]
pub struct TokenHosts<'a> {
    /// Their origins, such as `https://media.example.com`.
    pub origins: &'a BTreeSet<String>,
    /// Client for these hosts.
    pub public: &'a PublicFiles,
}

pub(crate) async fn with_token(
    transport: &Transport,
    url: &str,
    hosts: TokenHosts<'_>,
    limit: u64,
    cancel: &CancellationToken,
    sink: &mut Sink<'_>,
) -> Result<Download, Error> {
    let url = address(url)?;
    let own = origin(&url) == origin(&transport.endpoint.base_url);
    if !own && url.scheme() != "https" {
        return Err(Error::invalid(
            "url",
            "The address of the media is not https, so the token would be sent unencrypted. The media was not downloaded.",
        ));
    }
    if !own && !hosts.origins.contains(&origin(&url)) {
        return Err(Error::UnconfirmedHost { host: origin(&url) });
    }
    let Credentials::Bearer(token) = &transport.endpoint.credentials else {
        return Err(Error::invalid(
            "credentials",
            "Downloading this media needs a bearer token; the workspace has client credentials. Use the s3_url of the message.",
        ));
    };
    let headers = HeaderMap::from_iter([(AUTHORIZATION, bearer(token)?)]);
    let (provider, timeouts) = transport.http();
    // The provider's address was configured by the person; any other host must be public.
    let http = if own { Http::Provider(provider) } else { Http::Public { http: &hosts.public.http, redirects: 0 } };
    let request = Request { http, timeouts, route: route(url), headers, secret: Some(token) };
    request.download(limit, cancel, sink, &|text| transport.redact(text)).await
}

fn address(url: &str) -> Result<Url, Error> {
    let url = Url::parse(url.trim()).map_err(|_| Error::invalid("url", "The address of the media is not valid."))?;
    let has_host = url.host_str().is_some_and(|host| !host.is_empty());
    if !matches!(url.scheme(), "http" | "https") || !has_host || !url.username().is_empty() || url.password().is_some()
    {
        return Err(Error::invalid(
            "url",
            "The address of the media is neither http nor https, or contains a password.",
        ));
    }
    Ok(url)
}

/// The target of a redirect, if it may be requested and doesn't downgrade the encryption.
fn redirect(from: &Url, response: &Response) -> Option<Url> {
    let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection())?;
    let next = address(from.join(location.to_str().ok()?).ok()?.as_str()).ok()?;
    (from.scheme() != "https" || next.scheme() == "https").then_some(next)
}

/// The address itself can contain a key, so errors name its host only.
fn route(url: Url) -> Route {
    let name = format!("GET {} (media)", origin(&url));
    Route { url, name }
}

/// Searches a response for the token, also across chunk boundaries: a file that contains it is not a person's file.
struct TokenSearch<'a> {
    secret: Option<&'a SecretString>,
    /// The end of the previous chunk.
    tail: Vec<u8>,
}

impl TokenSearch<'_> {
    fn is_in(&mut self, chunk: &[u8]) -> bool {
        let Some(secret) = self.secret.map(|secret| secret.expose_secret().trim().as_bytes()) else { return false };
        if secret.len() < MIN_SECRET_LENGTH {
            return false;
        }
        let seam = secret.len() - 1;
        self.tail.extend_from_slice(&chunk[..chunk.len().min(seam)]);
        let found = memmem::find(&self.tail, secret).is_some() || memmem::find(chunk, secret).is_some();
        if chunk.len() >= seam {
            self.tail.clear();
            self.tail.extend_from_slice(&chunk[chunk.len() - seam..]);
        } else {
            self.tail.drain(..self.tail.len().saturating_sub(seam));
        }
        found
    }
}

/// HTTP client of a request.
enum Http<'a> {
    /// For the provider's own addresses.
    Provider(&'a reqwest::Client),
    /// For public addresses.
    Public { http: &'a PublicHttp, redirects: usize },
}

struct Request<'a> {
    http: Http<'a>,
    timeouts: &'a Timeouts,
    route: Route,
    headers: HeaderMap,
    /// The secret in the headers.
    secret: Option<&'a SecretString>,
}

impl Request<'_> {
    async fn download(
        &self,
        limit: u64,
        cancel: &CancellationToken,
        sink: &mut Sink<'_>,
        redact: &(dyn Fn(&str) -> String + Sync),
    ) -> Result<Download, Error> {
        let limit = limit.min(MAX_DOWNLOAD);
        let whole = async {
            let response = self.send(redact).await?;
            if !response.status().is_success() {
                let answer = check_status(&self.route, self.refusal(response, redact).await?, false, redact)?;
                return Err(Error::Unreadable {
                    endpoint: answer.endpoint,
                    status: answer.status,
                    reason: "it contains no file".to_owned(),
                    body: String::new(),
                    maybe_received: false,
                });
            }
            self.copy(response, limit, sink, redact).await
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Error::Cancelled { maybe_received: false }),
            outcome = timeout(DOWNLOAD_TIMEOUT, whole) => outcome.unwrap_or_else(|_| Err(self.timed_out(DOWNLOAD_TIMEOUT))),
        }
    }

    async fn copy(
        &self,
        mut response: Response,
        limit: u64,
        sink: &mut Sink<'_>,
        redact: &(dyn Fn(&str) -> String + Sync),
    ) -> Result<Download, Error> {
        let too_large = || Error::TooLarge { endpoint: self.route.name.clone(), limit, maybe_received: false };
        let unstored = |error: std::io::Error| Error::Unstored(error.to_string());
        let announced = response.content_length();
        if announced.is_some_and(|length| length > limit) {
            return Err(too_large());
        }
        let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content_type = content_type.map(redact);
        let mut bytes = 0;
        let mut token_search = TokenSearch { secret: self.secret, tail: Vec::new() };
        while let Some(chunk) = self.chunk(&mut response, redact).await? {
            if token_search.is_in(&chunk) {
                return Err(Error::Unreadable {
                    endpoint: self.route.name.clone(),
                    status: response.status().as_u16(),
                    reason: "it contains the access token, so it is not stored".to_owned(),
                    body: String::new(),
                    maybe_received: false,
                });
            }
            bytes += chunk.len() as u64;
            if bytes > limit {
                return Err(too_large());
            }
            sink.write_all(&chunk).await.map_err(unstored)?;
        }
        sink.flush().await.map_err(unstored)?;
        Ok(Download { bytes, content_type })
    }

    /// Sends the request and follows permitted redirects.
    async fn send(&self, redact: &(dyn Fn(&str) -> String + Sync)) -> Result<Response, Error> {
        let mut url = self.route.url.clone();
        let mut remaining = match &self.http {
            Http::Provider(_) => 0,
            Http::Public { redirects, .. } => *redirects,
        };
        loop {
            let sending = async {
                match &self.http {
                    Http::Provider(http) => http
                        .request(Method::GET, url.clone())
                        .headers(self.headers.clone())
                        .send()
                        .await
                        .map_err(|error| self.fault(&error, redact)),
                    Http::Public { http, .. } => {
                        let response = http.request(Method::GET, &url, self.headers.clone()).await;
                        response.map_err(|error| match error {
                            PublicError::Private => Error::PrivateAddress { host: origin(&url) },
                            PublicError::Http(error) => self.fault(&error, redact),
                        })
                    }
                }
            };
            let response =
                timeout(self.timeouts.idle, sending).await.map_err(|_| self.timed_out(self.timeouts.idle))??;
            match redirect(&url, &response).filter(|_| remaining > 0) {
                Some(next) => (url, remaining) = (next, remaining - 1),
                None => return Ok(response),
            }
        }
    }

    /// The error of an answer without a file, with a truncated body.
    async fn refusal(&self, mut response: Response, redact: &(dyn Fn(&str) -> String + Sync)) -> Result<Answer, Error> {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut body = BytesMut::new();
        while body.len() < MAX_STORED_BODY
            && let Some(chunk) = self.chunk(&mut response, redact).await?
        {
            body.extend_from_slice(&chunk);
        }
        body.truncate(MAX_STORED_BODY);
        Ok(Answer { endpoint: self.route.name.clone(), status, headers, body: body.freeze() })
    }

    async fn chunk(
        &self,
        response: &mut Response,
        redact: &(dyn Fn(&str) -> String + Sync),
    ) -> Result<Option<bytes::Bytes>, Error> {
        timeout(self.timeouts.idle, response.chunk())
            .await
            .map_err(|_| self.timed_out(self.timeouts.idle))?
            .map_err(|error| self.fault(&error, redact))
    }

    fn timed_out(&self, after: Duration) -> Error {
        Error::TimedOut { endpoint: self.route.name.clone(), after, maybe_received: false }
    }

    fn fault(&self, error: &reqwest::Error, redact: &(dyn Fn(&str) -> String + Sync)) -> Error {
        fault(&self.route, error, false, self.timeouts, redact)
    }
}
