//! Fetches media samples from the addresses that the provider gives.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use model::component::Header;
use model::media;
use provider_client::{Download, Error, PublicFiles, Reach, Timeouts};
use tokio::io::AsyncReadExt as _;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::disk::create_new;
use outgoing::lock;
use outgoing::media_name::extension;

/// Failed connections and timeouts after which a host is skipped; it may serve hundreds of samples.
const MAX_FAILURES: u32 = 3;
/// Bytes of a file that are read to detect its type.
const HEAD: u64 = 4_096;

/// Fetches samples without credentials, each at most as large as the channel accepts.
#[derive(Debug)]
pub struct Samples {
    http: PublicFiles,
    cancel: CancellationToken,
    /// Base URL of the running sandbox, for sample addresses with the port of an earlier run.
    sandbox: Option<Url>,
    /// Number of failed connections and timeouts per host.
    silent: Mutex<HashMap<String, u32>>,
}

impl Samples {
    /// Fetches from addresses within `reach`; `cancel` stops it.
    pub fn new(cancel: CancellationToken, reach: Reach) -> Result<Self, Error> {
        let http = PublicFiles::new(Timeouts::default(), reach)?;
        Ok(Self { http, cancel, sandbox: None, silent: Mutex::default() })
    }

    /// Redirects sample addresses of the sandbox to its current port, which changes at every start.
    #[must_use]
    pub fn with_sandbox_address(mut self, base_url: &str) -> Self {
        self.sandbox = Url::parse(base_url).ok();
        self
    }

    /// Fetches the sample of a header into `path`, and returns the matching extension with its dot. On failure no file
    /// remains at `path`.
    ///
    /// # Errors
    /// The reason of a failure, as text.
    pub(super) async fn fetch(&self, header: &Header, url: &str, path: &Path) -> Result<&'static str, String> {
        let fetched = self.fetch_into(header, url, path).await;
        if fetched.is_err() {
            // Ignore the error: the file may not exist.
            let _ = tokio::fs::remove_file(path).await;
        }
        fetched
    }

    async fn fetch_into(&self, header: &Header, url: &str, path: &Path) -> Result<&'static str, String> {
        let moved = self.sandbox.as_ref().and_then(|base| outgoing::sandbox_address::moved(url, base.as_str()));
        let url = moved.as_deref().unwrap_or(url);
        let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        if lock(&self.silent).get(&host).is_some_and(|times| *times >= MAX_FAILURES) {
            return Err(format!("{host} did not respond {MAX_FAILURES} times, so we stopped trying"));
        }
        let (limit, wanted) = media::limit_of(&header.format);
        let mut file = create_new(path).await.map_err(|error| format!("it cannot be written: {error}"))?;
        let Download { bytes, content_type } =
            self.http.download(url, limit, &self.cancel, &mut file).await.map_err(|error| {
                if matches!(error, Error::Offline { .. } | Error::TimedOut { .. }) {
                    *lock(&self.silent).entry(host).or_default() += 1;
                }
                error_text(&error)
            })?;
        drop(file);
        if bytes == 0 {
            return Err("the file at its address is empty".to_owned());
        }
        let mut head = Vec::new();
        let read = async { tokio::fs::File::open(path).await?.take(HEAD).read_to_end(&mut head).await };
        read.await.map_err(|error| format!("it cannot be read again: {error}"))?;
        let declared = content_type.as_deref().map(|mime| mime.split(';').next().unwrap_or_default().trim());
        // Office documents are ZIP archives; only the server knows which format.
        let mime = match media::of_file(&head, None) {
            Some(mime) => mime.to_owned(),
            None => declared.unwrap_or_default().to_ascii_lowercase(),
        };
        if !media::fits(&header.format, &mime) {
            let found = if mime.is_empty() { "of an unknown type" } else { &mime };
            return Err(format!("the file at its address is {found}, not {wanted}"));
        }
        Ok(match extension(&mime, "") {
            "" => ".bin",
            extension => extension,
        })
    }
}

/// The text of an error about a sample; the client's own texts mention the provider.
fn error_text(error: &Error) -> String {
    match (error, error.refusal()) {
        (_, Some(refusal)) => format!("its address responded with {}", refusal.status),
        (Error::PrivateAddress { host }, _) => format!("{host} is in a private network or on this computer"),
        (other, None) => other.to_string(),
    }
}
