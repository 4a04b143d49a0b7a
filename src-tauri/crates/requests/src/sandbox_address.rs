//! Addresses of the built-in provider, which has another port at every start.

use url::Url;

/// The sandbox has another port at every start, and keeps its files: where one of an earlier run is now.
pub fn moved(url: &str, base_url: &str) -> Option<String> {
    let (mut url, base_url) = (Url::parse(url).ok()?, Url::parse(base_url).ok()?);
    let is_its_own = url.scheme() == base_url.scheme() && url.host() == base_url.host();
    if !is_its_own || !url.path().starts_with("/sandbox/") {
        return None;
    }
    url.set_port(base_url.port()).ok()?;
    Some(url.into())
}
