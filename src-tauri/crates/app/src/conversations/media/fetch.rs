//! Fetches a file: from the provider's address, which does not expire; else from the channel's, with the token.

use std::collections::BTreeSet;

use outgoing::sandbox_address::moved;
use provider_client::{Download, Error, MAX_DOWNLOAD, TokenHosts};
use url::Url;

use super::media_files::StoredMedia;
use super::{MessageFile, TokenUse};
use crate::context::secrets::{Audience, origin};
use crate::conversations::Conversations;
use crate::workspaces::SANDBOX_ID;
use command_types::conversations::MediaFileState;
use command_types::error::{DeskError, Result};

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
enum MediaAddress {
    Provider,
    Channel,
}

impl Conversations {
    /// # Errors
    /// [`DeskError::Storage`] when it cannot be stored; [`DeskError::MediaHostUnconfirmed`] when the token may not be
    /// sent to its host. The inner error is the reason why it cannot be fetched.
    pub(super) async fn fetch(
        &self,
        message_file: &MessageFile,
        token: TokenUse<'_>,
    ) -> Result<std::result::Result<StoredMedia, Failed>> {
        let address = |url: &Option<String>| url.clone().filter(|url| !url.trim().is_empty());
        let permits = [
            (MediaAddress::Provider, address(&message_file.media.s3_url)),
            (MediaAddress::Channel, address(&message_file.media.url)),
        ];
        let sandbox = self.0.workspaces.sandbox(&message_file.workspace);
        let permits = permits.map(|(source, url)| match (url, sandbox) {
            (Some(url), Some(sandbox)) => (source, Some(moved(&url, &sandbox.settings.base_url).unwrap_or(url))),
            (url, _) => (source, url),
        });
        let _permit = self.0.media.acquire_permit().await;
        let mut failures: Vec<Failed> = Vec::new();
        for (source, url) in permits {
            let Some(url) = url else { continue };
            if source == MediaAddress::Channel && !token.requested {
                let token_host = Url::parse(url.trim()).ok().map(|url| origin(&url));
                failures.push(Failed { token_host, ..Failed::new(MediaFileState::NeedsToken, "") });
                continue;
            }
            match self.fetch_from(message_file, source, &url, token).await? {
                Ok(stored) => return Ok(Ok(stored)),
                Err(failed) => failures.push(failed),
            }
        }
        let Some(last) = failures.last() else {
            return Ok(Err(Failed::new(MediaFileState::Refused, "The message has no address for its file.")));
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
        let stored = match confirmed {
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
        origins.extend(stored.audience.map(|audience| audience.media).unwrap_or_default());
        Ok(origins)
    }

    async fn fetch_from(
        &self,
        message_file: &MessageFile,
        source: MediaAddress,
        url: &str,
        token: TokenUse<'_>,
    ) -> Result<std::result::Result<StoredMedia, Failed>> {
        let mut partial = self.0.media.create_partial().await?;
        let cancel = &self.0.context.cancel;
        let public = match self.0.media.public(self.0.workspaces.reach(&message_file.workspace)) {
            Ok(public) => public,
            Err(error) => return Ok(Err(failed(source, &error))),
        };
        let fetched = match source {
            MediaAddress::Provider => public.download(url, MAX_DOWNLOAD, cancel, partial.sink()).await,
            MediaAddress::Channel => match self.0.workspaces.client(&message_file.workspace).await {
                Ok(client) => {
                    // Only exactly the host that the person confirmed.
                    let host = Url::parse(url.trim()).ok().map(|url| origin(&url)).filter(|host| is_encrypted(host));
                    let confirmed = token.confirmed.filter(|confirmed| host.as_deref() == Some(*confirmed));
                    let origins = self.token_origins(&message_file.workspace, confirmed).await?;
                    let hosts = TokenHosts { origins: &origins, public };
                    client.cancelled_by(cancel.clone()).download(url, hosts, MAX_DOWNLOAD, partial.sink()).await
                }
                Err(error) => return Ok(Err(Failed::new(MediaFileState::Refused, error.to_string()))),
            },
        };
        match fetched {
            Ok(Download { content_type, .. }) => {
                let mime = content_type.filter(|mime| mime.len() <= 200);
                Ok(Ok(self.0.media.store(partial, &message_file.key, mime).await?))
            }
            Err(Error::Unstored(reason)) => Err(DeskError::Storage { reason }),
            Err(Error::Cancelled { .. }) => Err(DeskError::Cancelled {}),
            Err(error @ Error::UnconfirmedHost { .. }) => Err(error.into()),
            Err(error) => Ok(Err(failed(source, &error))),
        }
    }
}

fn is_encrypted(origin: &str) -> bool {
    origin.starts_with("https://")
}

/// Converts an error to a message about the file: the client's messages are about the whole provider.
fn failed(source: MediaAddress, error: &Error) -> Failed {
    let whose = match source {
        MediaAddress::Provider => "The provider's address of the file",
        MediaAddress::Channel => "The channel's address of the file",
    };
    let status = error.refusal().map(|refusal| refusal.status);
    let detail = error.refusal().map(|refusal| refusal.message.trim()).filter(|detail| !detail.is_empty());
    let detail = detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
    match (error, status) {
        (Error::Unauthorized(_) | Error::Forbidden(_) | Error::NotFound(_), Some(status)) => {
            Failed::new(MediaFileState::Expired, format!("{whose} answered {status}{detail}."))
        }
        (Error::Server(_) | Error::RateLimited(_), Some(status)) => {
            Failed::new(MediaFileState::Unreachable, format!("{whose} answered {status}{detail}."))
        }
        (Error::Offline { .. } | Error::TimedOut { .. }, _) => {
            Failed::new(MediaFileState::Unreachable, error.to_string())
        }
        (Error::PrivateAddress { .. }, _) => Failed::new(MediaFileState::Private, error.to_string()),
        (Error::Redirected { host, .. }, _) => Failed::new(
            MediaFileState::Refused,
            format!(
                "{whose} redirects to another host ({}), which is not followed{}.",
                host.as_deref().unwrap_or("an unnamed one"),
                if source == MediaAddress::Channel { ", because the token is not sent to other hosts" } else { "" }
            ),
        ),
        (Error::TooLarge { limit, .. }, _) => Failed::new(
            MediaFileState::Refused,
            format!("The file is larger than {} MiB, the channel's largest.", limit / 1024 / 1024),
        ),
        (_, Some(status)) => Failed::new(MediaFileState::Refused, format!("{whose} answered {status}{detail}.")),
        _ => Failed::new(MediaFileState::Refused, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn only_sandbox_urls_are_moved_to_the_current_port() {
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
