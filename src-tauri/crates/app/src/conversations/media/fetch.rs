//! Fetches a file: from the provider's address, which does not expire; else from the channel's, with the token.

use std::collections::BTreeSet;

use requests::sandbox_address::moved;
use service::{Download, Error, MAX_DOWNLOAD, TokenHosts};
use url::Url;

use super::held::Held;
use super::{TokenUse, Wanted};
use crate::context::secrets::{Audience, origin};
use crate::conversations::Conversations;
use crate::workspaces::SANDBOX_ID;
use api::error::{DeskError, Result};
use api::inbox::MediaFileState;

/// Why a file cannot be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failed {
    pub(super) state: MediaFileState,
    /// As text; empty if the state is sufficient.
    pub(super) detail: String,
    /// The host that needs the token, in state [`MediaFileState::NeedsToken`].
    pub(super) token_host: Option<String>,
}

impl Failed {
    fn new(state: MediaFileState, detail: impl Into<String>) -> Self {
        Self { state, detail: detail.into(), token_host: None }
    }
}

/// The address from which a file is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Provider,
    Channel,
}

impl Conversations {
    /// Fetches and stores a file.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when it cannot be stored; [`DeskError::MediaHostUnconfirmed`] when the token may not be
    /// sent to its host. The inner error is the reason why it cannot be fetched.
    pub(super) async fn fetch(
        &self,
        wanted: &Wanted,
        token: TokenUse<'_>,
    ) -> Result<std::result::Result<Held, Failed>> {
        let address = |url: &Option<String>| url.clone().filter(|url| !url.trim().is_empty());
        let places = [(Place::Provider, address(&wanted.media.s3_url)), (Place::Channel, address(&wanted.media.url))];
        let sandbox = self.0.workspaces.sandbox(&wanted.workspace);
        let places = places.map(|(place, url)| match (url, sandbox) {
            (Some(url), Some(sandbox)) => (place, Some(moved(&url, &sandbox.settings.base_url).unwrap_or(url))),
            (url, _) => (place, url),
        });
        let _place = self.0.media.place().await;
        let mut failures: Vec<Failed> = Vec::new();
        for (place, url) in places {
            let Some(url) = url else { continue };
            if place == Place::Channel && !token.asked {
                let token_host = Url::parse(url.trim()).ok().map(|url| origin(&url));
                failures.push(Failed { token_host, ..Failed::new(MediaFileState::NeedsToken, "") });
                continue;
            }
            match self.fetch_from(wanted, place, &url, token).await? {
                Ok(held) => return Ok(Ok(held)),
                Err(failed) => failures.push(failed),
            }
        }
        let Some(last) = failures.last() else {
            return Ok(Err(Failed::new(MediaFileState::Refused, "The message names no address of its file.")));
        };
        let (state, token_host) = (last.state, last.token_host.clone());
        let details = failures.into_iter().map(|failed| failed.detail).filter(|detail| !detail.is_empty());
        let detail = details.collect::<Vec<_>>().join(" ");
        Ok(Err(Failed { state, detail, token_host }))
    }

    /// The origins besides the provider's that may receive the token of a workspace. Adds an origin that the person
    /// confirms.
    async fn token_origins(&self, workspace: &str, confirmed: Option<&str>) -> Result<BTreeSet<String>> {
        let settings = self.0.workspaces.settings(workspace).await?;
        let channel = model::media::hosts(&settings.channel).iter().map(|host| format!("https://{host}"));
        let mut origins: BTreeSet<String> = channel.collect();
        if workspace == SANDBOX_ID {
            return Ok(origins);
        }
        let kind = settings.credential_kind.secret();
        let own = settings.origin()?;
        let held = match confirmed {
            Some(host) => {
                let confirm = |known: Option<Audience>| {
                    let mut audience = known.unwrap_or_else(|| Audience::of(own.clone()));
                    audience.media.insert(host.to_owned());
                    audience
                };
                self.0.context.secrets.change_audience(workspace, kind, confirm).await
            }
            None => self.0.context.secrets.credential(workspace, kind, &own).await,
        };
        origins.extend(held.audience.map(|audience| audience.media).unwrap_or_default());
        Ok(origins)
    }

    async fn fetch_from(
        &self,
        wanted: &Wanted,
        place: Place,
        url: &str,
        token: TokenUse<'_>,
    ) -> Result<std::result::Result<Held, Failed>> {
        let mut part = self.0.media.begin().await?;
        let cancel = &self.0.context.cancel;
        let public = match self.0.media.public(self.0.workspaces.reach(&wanted.workspace)) {
            Ok(public) => public,
            Err(error) => return Ok(Err(failed(place, &error))),
        };
        let fetched = match place {
            Place::Provider => public.download(url, MAX_DOWNLOAD, cancel, part.sink()).await,
            Place::Channel => match self.0.workspaces.client(&wanted.workspace).await {
                Ok(client) => {
                    // Only exactly the host that the person confirmed.
                    let host = Url::parse(url.trim()).ok().map(|url| origin(&url)).filter(|host| is_encrypted(host));
                    let confirmed = token.confirmed.filter(|confirmed| host.as_deref() == Some(*confirmed));
                    let origins = self.token_origins(&wanted.workspace, confirmed).await?;
                    let hosts = TokenHosts { origins: &origins, public };
                    client.cancelled_by(cancel.clone()).download(url, hosts, MAX_DOWNLOAD, part.sink()).await
                }
                Err(error) => return Ok(Err(Failed::new(MediaFileState::Refused, error.to_string()))),
            },
        };
        match fetched {
            Ok(Download { content_type, .. }) => {
                let mime = content_type.filter(|mime| mime.len() <= 200);
                Ok(Ok(self.0.media.keep(part, &wanted.key, mime).await?))
            }
            Err(Error::Unstored(reason)) => Err(DeskError::Storage { reason }),
            Err(Error::Cancelled { .. }) => Err(DeskError::Cancelled {}),
            Err(error @ Error::UnconfirmedHost { .. }) => Err(error.into()),
            Err(error) => Ok(Err(failed(place, &error))),
        }
    }
}

fn is_encrypted(origin: &str) -> bool {
    origin.starts_with("https://")
}

/// Converts an error to a message about the file: the client's messages are about the whole provider.
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
            Failed::new(MediaFileState::Expired, format!("{whose} answered {status}{said}."))
        }
        (Error::Server(_) | Error::RateLimited(_), Some(status)) => {
            Failed::new(MediaFileState::Unreachable, format!("{whose} answered {status}{said}."))
        }
        (Error::Offline { .. } | Error::TimedOut { .. }, _) => {
            Failed::new(MediaFileState::Unreachable, error.to_string())
        }
        (Error::Redirected { host, .. }, _) => Failed::new(
            MediaFileState::Refused,
            format!(
                "{whose} points to another place ({}), which is not followed{}.",
                host.as_deref().unwrap_or("an unnamed one"),
                if place == Place::Channel { ", because the token goes nowhere else" } else { "" }
            ),
        ),
        (Error::TooLarge { limit, .. }, _) => Failed::new(
            MediaFileState::Refused,
            format!("The file is larger than {} MiB, the channel's largest.", limit / 1024 / 1024),
        ),
        (_, Some(status)) => Failed::new(MediaFileState::Refused, format!("{whose} answered {status}{said}.")),
        _ => Failed::new(MediaFileState::Refused, error.to_string()),
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
