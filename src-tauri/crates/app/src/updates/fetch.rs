//! The request for the announcement.

use std::time::Duration;

use url::Url;

use command_types::updates::UpdateProblem;
use provider_client::{build_http, is_this_machine};

/// Timeout of the whole request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum size of an announcement, in bytes.
pub(super) const MAX_BYTES: usize = 64 * 1024;

/// Fetches the announcement with one GET request that names neither the app nor the person. Redirects are not followed.
pub(super) async fn fetch(address: Url) -> Result<Vec<u8>, UpdateProblem> {
    let builder = || {
        let builder = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .timeout(REQUEST_TIMEOUT);
        if is_this_machine(&address) { builder.no_proxy() } else { builder }
    };
    let unreachable = |error: reqwest::Error| {
        tracing::debug!(error = %error.without_url(), "the announcement of versions cannot be fetched");
        UpdateProblem::Unreachable {}
    };
    let client = build_http(builder).map_err(unreachable)?;
    let mut answer = client.get(address.clone()).send().await.map_err(unreachable)?;
    if answer.status() != reqwest::StatusCode::OK {
        return Err(UpdateProblem::Status { status: answer.status().as_u16() });
    }
    let too_large = || UpdateProblem::TooLarge { limit: MAX_BYTES as u64 };
    let mut body = Vec::new();
    loop {
        match answer.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > MAX_BYTES => return Err(too_large()),
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return Ok(body),
            Err(error) if error.is_timeout() => return Err(unreachable(error)),
            Err(_) => return Err(UpdateProblem::Incomplete {}),
        }
    }
}
