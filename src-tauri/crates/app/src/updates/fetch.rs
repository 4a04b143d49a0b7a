//! Requests for the announcement and the file of a version.

use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Method, Response, StatusCode};
use url::Url;

use command_types::updates::UpdateProblem;
use provider_client::{PublicError, PublicHttp, Reach, Timeouts, build_http, is_this_machine};

/// Longest time without any byte.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// Files are often behind a redirect to where they are stored.
const MAX_REDIRECTS: usize = 5;

/// Fetches `url`, which `address` names, with GET requests that name nobody. `progress` gets the bytes received, and the bytes in
/// all if the server names them.
pub(super) async fn fetch(
    address: &Url,
    mut url: Url,
    max_bytes: u64,
    mut progress: impl FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, UpdateProblem> {
    let mut redirects = 0;
    let mut answer = loop {
        let answer = in_time(request(address, &url)).await??;
        let target = redirect_target(&url, &answer);
        match target {
            Some(target) if redirects < MAX_REDIRECTS => url = target,
            _ if answer.status() == StatusCode::OK => break answer,
            _ => return Err(UpdateProblem::Status { status: answer.status().as_u16() }),
        }
        redirects += 1;
    };
    let total = answer.content_length();
    let too_large = || UpdateProblem::TooLarge { limit: max_bytes };
    if total.is_some_and(|total| total > max_bytes) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    while let Some(chunk) = in_time(answer.chunk()).await?.map_err(|_| UpdateProblem::Incomplete {})? {
        let received = body.len() as u64 + chunk.len() as u64;
        if received > max_bytes {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
        progress(received, total);
    }
    Ok(body)
}

async fn in_time<T>(work: impl Future<Output = T>) -> Result<T, UpdateProblem> {
    tokio::time::timeout(IDLE_TIMEOUT, work).await.map_err(|_| UpdateProblem::Unreachable {})
}

/// The host of the address that a person entered may be in a private network; what its answers name must be public, or on the
/// same host.
async fn request(address: &Url, url: &Url) -> Result<Response, UpdateProblem> {
    let is_local = is_this_machine(address) && is_this_machine(url);
    if !(url.scheme() == "https" || url.scheme() == "http" && is_local) {
        return Err(UpdateProblem::AddressRefused {});
    }
    if url.host() != address.host() {
        let http = PublicHttp::new(&Timeouts::default(), Reach::Internet).map_err(|error| {
            tracing::warn!(%error, "no request for a newer version can be sent");
            UpdateProblem::Unreachable {}
        })?;
        return http.request(Method::GET, url, HeaderMap::new()).await.map_err(|error| match error {
            PublicError::Private => UpdateProblem::AddressRefused {},
            PublicError::Http(error) => unreachable(error),
        });
    }
    let builder = || {
        let builder =
            reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).retry(reqwest::retry::never());
        if is_local { builder.no_proxy() } else { builder }
    };
    build_http(builder).map_err(unreachable)?.get(url.clone()).send().await.map_err(unreachable)
}

fn unreachable(error: reqwest::Error) -> UpdateProblem {
    tracing::debug!(error = %error.without_url(), "a request for a newer version failed");
    UpdateProblem::Unreachable {}
}

fn redirect_target(url: &Url, answer: &Response) -> Option<Url> {
    use StatusCode as S;
    let redirects = [S::MOVED_PERMANENTLY, S::FOUND, S::SEE_OTHER, S::TEMPORARY_REDIRECT, S::PERMANENT_REDIRECT];
    let location = answer.headers().get(LOCATION).filter(|_| redirects.contains(&answer.status()))?;
    url.join(location.to_str().ok()?).ok()
}
