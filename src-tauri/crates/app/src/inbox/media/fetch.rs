//! Fetching a file: from the provider's address, which does not expire; else from the channel's, with the token.

use service::{Download, Error, MAX_DOWNLOAD};
use url::Url;

use super::Wanted;
use super::held::Held;
use crate::core::Core;
use crate::error::{DeskError, Result};
use crate::view::inbox::MediaFileState;
use crate::workspace::SANDBOX_ID;

/// Why a file cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failed {
    pub(super) state: MediaFileState,
    /// In words.
    pub(super) detail: String,
}

/// Where a file is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Provider,
    Channel,
}

impl Core {
    /// Fetches a file and keeps it.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when it cannot be kept. That it cannot be had is the inner error.
    pub(super) async fn fetch(&self, wanted: &Wanted) -> Result<std::result::Result<Held, Failed>> {
        let address = |url: &Option<String>| url.clone().filter(|url| !url.trim().is_empty());
        let places = [(Place::Provider, address(&wanted.media.s3_url)), (Place::Channel, address(&wanted.media.url))];
        let sandbox = self.0.sandbox.as_ref().filter(|_| wanted.workspace == SANDBOX_ID);
        let places = places.map(|(place, url)| match (url, sandbox) {
            (Some(url), Some(sandbox)) => (place, Some(moved(&url, &sandbox.settings.base_url).unwrap_or(url))),
            (url, _) => (place, url),
        });
        let _place = self.0.media.place().await;
        let mut failures: Vec<Failed> = Vec::new();
        for (place, url) in places {
            let Some(url) = url else { continue };
            match self.fetch_from(wanted, place, &url).await? {
                Ok(held) => return Ok(Ok(held)),
                Err(failed) => failures.push(failed),
            }
        }
        let Some(last) = failures.last() else {
            let detail = "The message names no address of its file.".to_owned();
            return Ok(Err(Failed { state: MediaFileState::Refused, detail }));
        };
        let state = last.state;
        let detail = failures.into_iter().map(|failed| failed.detail).collect::<Vec<_>>().join(" ");
        Ok(Err(Failed { state, detail }))
    }

    async fn fetch_from(&self, wanted: &Wanted, place: Place, url: &str) -> Result<std::result::Result<Held, Failed>> {
        let mut part = self.0.media.begin().await?;
        let cancel = &self.0.cancel;
        let fetched = match place {
            Place::Provider => match self.0.media.public() {
                Ok(public) => public.download(url, MAX_DOWNLOAD, cancel, part.sink()).await,
                Err(error) => Err(error),
            },
            Place::Channel => match self.client(&wanted.workspace).await {
                Ok(client) => client.cancelled_by(cancel.clone()).download(url, MAX_DOWNLOAD, part.sink()).await,
                Err(error) => return Ok(Err(Failed { state: MediaFileState::Refused, detail: error.to_string() })),
            },
        };
        match fetched {
            Ok(Download { content_type, .. }) => {
                let mime = content_type.filter(|mime| mime.len() <= 200);
                Ok(Ok(self.0.media.keep(part, &wanted.key, mime).await?))
            }
            Err(Error::Unstored(reason)) => Err(DeskError::Storage { reason }),
            Err(Error::Cancelled { .. }) => Err(DeskError::Cancelled {}),
            Err(error) => Ok(Err(failed(place, &error))),
        }
    }
}

/// The sandbox has another port at every start, and keeps its files: where one of an earlier run is now.
pub(crate) fn moved(url: &str, base_url: &str) -> Option<String> {
    let (mut url, base_url) = (Url::parse(url).ok()?, Url::parse(base_url).ok()?);
    let is_its_own = url.scheme() == base_url.scheme() && url.host() == base_url.host();
    if !is_its_own || !url.path().starts_with("/sandbox/") {
        return None;
    }
    url.set_port(base_url.port()).ok()?;
    Some(url.into())
}

/// What an error means for a file, in words that fit it: those of the client speak of the whole provider.
fn failed(place: Place, error: &Error) -> Failed {
    let whose = match place {
        Place::Provider => "The provider's address of the file",
        Place::Channel => "The channel's address of the file",
    };
    let status = error.refusal().map(|refusal| refusal.status);
    let said = error.refusal().map(|refusal| refusal.message.trim()).filter(|said| !said.is_empty());
    let said = said.map(|said| format!(" ({said})")).unwrap_or_default();
    match (error, status) {
        (Error::Unauthorized(_) | Error::Forbidden(_) | Error::NotFound(_), Some(status)) => {
            Failed { state: MediaFileState::Expired, detail: format!("{whose} answered {status}{said}.") }
        }
        (Error::Server(_) | Error::RateLimited(_), Some(status)) => {
            Failed { state: MediaFileState::Unreachable, detail: format!("{whose} answered {status}{said}.") }
        }
        (Error::Offline { .. } | Error::TimedOut { .. }, _) => {
            Failed { state: MediaFileState::Unreachable, detail: error.to_string() }
        }
        (Error::Redirected { host, .. }, _) => Failed {
            state: MediaFileState::Refused,
            detail: format!(
                "{whose} points to another place ({}), which is not followed{}.",
                host.as_deref().unwrap_or("an unnamed one"),
                if place == Place::Channel { ", because the token goes nowhere else" } else { "" }
            ),
        },
        (Error::TooLarge { limit, .. }, _) => Failed {
            state: MediaFileState::Refused,
            detail: format!("The file is larger than {} MiB, the channel's largest.", limit / 1024 / 1024),
        },
        (_, Some(status)) => {
            Failed { state: MediaFileState::Refused, detail: format!("{whose} answered {status}{said}.") }
        }
        _ => Failed { state: MediaFileState::Refused, detail: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn only_files_of_the_sandbox_are_looked_for_at_its_new_port() {
        let base = "http://127.0.0.1:4000";
        for (url, expected) in [
            ("http://127.0.0.1:3999/sandbox/public/a?b=c", Some("http://127.0.0.1:4000/sandbox/public/a?b=c")),
            ("http://127.0.0.1:3999/other", None),
            ("http://10.0.0.1:3999/sandbox/public/a", None),
            ("https://127.0.0.1:3999/sandbox/public/a", None),
            ("nonsense", None),
        ] {
            assert_eq!(moved(url, base).as_deref(), expected, "{url}");
        }
    }
}
