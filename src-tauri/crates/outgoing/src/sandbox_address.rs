//! Addresses of the sandbox, whose port changes at every start.

use url::Url;

/// The current address of a sandbox file from an earlier run: sandbox files are kept, but the port changes. `None` for
/// any other address.
pub fn moved(url: &str, base_url: &str) -> Option<String> {
    let (mut url, base_url) = (Url::parse(url).ok()?, Url::parse(base_url).ok()?);
    let is_its_own = url.scheme() == base_url.scheme() && url.host() == base_url.host();
    if !is_its_own || !url.path().starts_with("/sandbox/") {
        return None;
    }
    url.set_port(base_url.port()).ok()?;
    Some(url.into())
}
