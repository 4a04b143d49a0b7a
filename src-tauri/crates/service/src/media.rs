//! Downloads the media of an inbound message from the channel's temporary address (contract §5, §6.2).

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::endpoint::{Credentials, Route, bearer, is_loopback, place};
use crate::error::Error;
use crate::transport::Transport;

/// The largest download that is offered, in bytes: the channel's largest documents (upstream §4.2).
pub const MAX_DOWNLOAD: u64 = 100 * 1024 * 1024;

/// A downloaded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// Its bytes.
    pub bytes: Bytes,
    /// Media type that the server declares.
    pub content_type: Option<String>,
}

pub(crate) async fn download(
    transport: &Transport,
    url: &str,
    limit: u64,
    cancel: &CancellationToken,
) -> Result<Download, Error> {
    let url = Url::parse(url.trim()).map_err(|_| Error::invalid("url", "The address of the media is not valid."))?;
    let encrypted = url.scheme() == "https";
    let local = url.scheme() == "http" && (is_loopback(&url) || place(&url) == place(&transport.endpoint.base_url));
    if !encrypted && !local {
        return Err(Error::invalid(
            "url",
            "The address of the media is not https, so the token would travel in the open; it is not downloaded.",
        ));
    }
    let Credentials::Bearer(token) = &transport.endpoint.credentials else {
        return Err(Error::invalid(
            "credentials",
            "Downloading this media needs a bearer token; the workspace has client credentials. Use the s3_url of the message.",
        ));
    };
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, bearer(token)?);
    // The address itself can hold a key, so errors name its host alone.
    let name = format!("GET {} (media)", place(&url));
    let answer = transport.fetch(&Route { url, name }, headers, limit.min(MAX_DOWNLOAD), cancel).await?;
    let content_type = answer.content_type().map(str::to_owned);
    Ok(Download { bytes: answer.body, content_type })
}
