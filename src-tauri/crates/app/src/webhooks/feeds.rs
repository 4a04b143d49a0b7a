//! Receivers on servers that this desk follows: their deliveries are fetched into the delivery log.

mod follow;

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use ::feed::{Client, FeedError};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::context::lock;
use crate::context::secrets::{Audience, Owner, origin};
use crate::webhooks::Webhooks;
use crate::workspaces::SANDBOX_ID;
use command_types::Nothing;
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::event::DeskEvent;
use command_types::feeds::{
    DismissFeedGap, FeedGap, FeedGapReason, FeedId, FeedReport, FeedSource, FeedSources, FeedState, SaveFeed,
};
use command_types::workspace::SecretKind;
use outgoing::to_json;

/// Desk settings key of the feeds.
const FEEDS_KEY: &str = "receiver.feeds";
const MAX_FEEDS: usize = 20;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A feed as the desk stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    id: String,
    workspace: String,
    address: String,
    endpoint: Option<String>,
}

impl Stored {
    /// The owner of its token in the keyring.
    fn owner(&self) -> String {
        format!("feed/{}", self.id)
    }
}

/// The feeds and the tasks that follow them.
#[derive(Debug, Default)]
pub(super) struct Feeds {
    /// Serializes changes of the list.
    changing: tokio::sync::Mutex<()>,
    followed: Mutex<HashMap<String, Followed>>,
}

/// A feed that is followed.
#[derive(Debug)]
struct Followed {
    stop: CancellationToken,
    /// Cancelled once its task has ended and stores nothing any more.
    ended: CancellationToken,
    workspace: String,
    state: FeedState,
    last_event_at: Option<i64>,
}

impl Webhooks {
    pub async fn list_feeds(&self, _request: Nothing) -> Result<FeedSources> {
        let stored = self.stored_feeds().await?;
        let gaps = self.0.context.reader.feed_gaps().await?;
        let followed = lock(&self.0.feeds.followed);
        let row = |feed: Stored| {
            let known = followed.get(&feed.id);
            FeedSource {
                state: known.map_or(FeedState::Connecting {}, |followed| followed.state.clone()),
                last_event_at: known.and_then(|followed| followed.last_event_at),
                gaps: gaps.iter().filter(|gap| gap.source == feed.id).map(shown_gap).collect(),
                id: feed.id,
                workspace: feed.workspace,
                address: feed.address,
                endpoint: feed.endpoint,
            }
        };
        Ok(FeedSources { rows: stored.into_iter().map(row).collect() })
    }

    /// Adds or changes a feed, and follows it. What was fetched before is kept; a feed whose address or path has
    /// changed is fetched from its beginning.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at the invalid field; [`DeskError::NotFound`] when the feed or workspace does not
    /// exist; [`DeskError::KeyringUnavailable`] when the token cannot be stored.
    pub async fn save_feed(&self, request: SaveFeed) -> Result<FeedSources> {
        let _changing = self.0.feeds.changing.lock().await;
        let mut all = self.stored_feeds().await?;
        let (feed, before) = self.checked(&request, &all).await?;
        if before.is_none() && all.len() >= MAX_FEEDS {
            return Err(DeskError::conflict(ConflictFault::TooManyServers { limit: MAX_FEEDS as u32 }));
        }
        if let Some(token) = request.token.filter(is_entered) {
            let audience = Audience::of(origin(&address(&feed.address)?));
            let owner = feed.owner();
            let owner = Owner::from(owner.as_str());
            self.0.context.secrets.set(owner, SecretKind::Token, token, Some(audience), request.session_only).await?;
        }
        match all.iter_mut().find(|other| other.id == feed.id) {
            Some(other) => *other = feed.clone(),
            None => all.push(feed.clone()),
        }
        // The task that follows it must not store a page, and with it a position, after the changes below.
        self.stop_following(&feed.id).await;
        let stored = self.store_feeds(&all, before.as_ref().filter(|before| **before != feed)).await;
        self.follow(if stored.is_ok() { feed } else { before.unwrap_or(feed) });
        stored?;
        self.list_feeds(Nothing {}).await
    }

    /// Asks a server what a token sees, without storing anything.
    pub async fn check_feed(&self, request: SaveFeed) -> Result<FeedReport> {
        let all = self.stored_feeds().await?;
        let (feed, _) = self.checked(&request, &all).await?;
        let token = match request.token.filter(is_entered) {
            Some(token) => token,
            None => self.token(&feed).await.map_err(|reason| DeskError::invalid("token", reason))?,
        };
        let client = client(&feed, token).map_err(at_field)?;
        let start = client.start().await.map_err(at_field)?;
        if let Some(endpoint) = &feed.endpoint
            && !start.endpoints.is_empty()
            && !start.endpoints.contains(endpoint)
        {
            let seen = start.endpoints.join(", ");
            let message = format!("The token does not see {endpoint}. It sees {seen}; enter one of these paths.");
            return Err(DeskError::invalid("endpoint", message));
        }
        let first = client.page(None, 1, Duration::ZERO).await.map_err(at_field)?;
        let fetched = u64::try_from(first.deliveries.len()).unwrap_or(0);
        Ok(FeedReport { desk: start.desk, endpoints: start.endpoints, waiting: first.end.behind + fetched })
    }

    /// Stops following a feed and forgets its token. What was fetched is kept.
    pub async fn delete_feed(&self, request: FeedId) -> Result<FeedSources> {
        let _changing = self.0.feeds.changing.lock().await;
        self.remove_feeds(|feed| feed.id == request.id).await?;
        self.list_feeds(Nothing {}).await
    }

    /// Removes what a server passed over from what needs attention.
    pub async fn dismiss_feed_gap(&self, request: DismissFeedGap) -> Result<FeedSources> {
        let DismissFeedGap { feed, why, deliveries } = request;
        self.0.context.delivery_log.dismiss_feed_gap(&feed, &why, deliveries).await?;
        self.0.context.emit(DeskEvent::FeedsChanged {});
        self.list_feeds(Nothing {}).await
    }

    pub(crate) async fn start_feeds(&self) {
        let this = std::sync::Arc::downgrade(&self.0);
        self.0.workspaces.deleted().add(move |workspace: String| {
            let webhooks = this.upgrade().map(Self);
            async move {
                let Some(webhooks) = webhooks else { return Ok(()) };
                let _changing = webhooks.0.feeds.changing.lock().await;
                webhooks.remove_feeds(|feed| feed.workspace == workspace).await
            }
        });
        match self.stored_feeds().await {
            Ok(feeds) => feeds.into_iter().for_each(|feed| self.follow(feed)),
            // The rest of the app works without them, and the settings show the error.
            Err(error) => tracing::error!(%error, "the servers to follow cannot be read"),
        }
    }

    async fn remove_feeds(&self, is_removed: impl Fn(&Stored) -> bool) -> Result<()> {
        let (removed, kept): (Vec<_>, Vec<_>) = self.stored_feeds().await?.into_iter().partition(is_removed);
        if removed.is_empty() {
            return Ok(());
        }
        self.0.context.desk.set_setting(FEEDS_KEY, to_json(&kept)?).await?;
        for feed in removed {
            self.stop_following(&feed.id).await;
            self.0.context.delivery_log.forget_feed(&feed.id).await?;
            self.0.context.secrets.forget(Owner::from(feed.owner().as_str())).await?;
        }
        self.0.context.emit(DeskEvent::FeedsChanged {});
        Ok(())
    }

    /// Ends the task that follows a feed, and waits for its end.
    async fn stop_following(&self, id: &str) {
        let followed = lock(&self.0.feeds.followed).remove(id);
        if let Some(followed) = followed {
            followed.stop.cancel();
            followed.ended.cancelled().await;
            self.0.workspaces.feed_seen(&followed.workspace, id, None);
        }
    }

    /// Stores the list; `changed` is a feed that is fetched from its beginning.
    async fn store_feeds(&self, all: &[Stored], changed: Option<&Stored>) -> Result<()> {
        if let Some(changed) = changed {
            self.0.context.delivery_log.forget_feed(&changed.id).await?;
        }
        self.0.context.desk.set_setting(FEEDS_KEY, to_json(&all)?).await?;
        Ok(())
    }

    async fn stored_feeds(&self) -> Result<Vec<Stored>> {
        let json = self.0.context.desk.setting(FEEDS_KEY).await?;
        Ok(json
            .map(|json| serde_json::from_str(&json))
            .transpose()
            .map_err(super::server::internal)?
            .unwrap_or_default())
    }

    /// The feed of a request, and the stored one that it changes.
    async fn checked(&self, request: &SaveFeed, all: &[Stored]) -> Result<(Stored, Option<Stored>)> {
        let before = match &request.id {
            Some(id) => {
                let found = all.iter().find(|feed| feed.id == *id).cloned();
                Some(found.ok_or_else(|| DeskError::not_found(Missing::Feed))?)
            }
            None => None,
        };
        if request.workspace == SANDBOX_ID {
            let message = "The sandbox has a provider of its own. Choose the workspace of a provider.";
            return Err(DeskError::invalid("workspace", message));
        }
        self.0.workspaces.settings(&request.workspace).await?;
        let endpoint = request.endpoint.as_deref().map(str::trim).filter(|endpoint| !endpoint.is_empty());
        if endpoint.is_some_and(|endpoint| !endpoint.starts_with('/')) {
            return Err(DeskError::invalid("endpoint", "Enter a path such as /webhook, or nothing for all."));
        }
        let feed = Stored {
            id: request.id.clone().unwrap_or_else(|| uuid::Uuid::new_v4().to_string()),
            workspace: request.workspace.clone(),
            address: address(&request.address)?.to_string(),
            endpoint: endpoint.map(str::to_owned),
        };
        if all.iter().any(|other| other.id != feed.id && (Stored { id: feed.id.clone(), ..other.clone() }) == feed) {
            return Err(DeskError::invalid("address", "This server is followed for this workspace already."));
        }
        let token = request.token.clone().filter(is_entered);
        // A wrong address or token is found before anything is stored.
        client(&feed, token.clone().unwrap_or_else(|| "stored".into())).map_err(at_field)?;
        let is_moved = before.as_ref().is_none_or(|before| is_other_origin(&before.address, &feed.address));
        if token.is_none() && is_moved {
            let message = "Enter the token. It is made on the server with tdesk desk add.";
            return Err(DeskError::invalid("token", message));
        }
        Ok((feed, before))
    }

    /// The token of a feed, or why there is none.
    async fn token(&self, feed: &Stored) -> std::result::Result<SecretString, String> {
        let state = self.0.context.secrets.look_up(feed.owner().as_str(), SecretKind::Token).await;
        if state.is_unread() {
            return Err(
                "The token cannot be read from the keyring. Unlock the keyring, or enter the token again.".to_owned()
            );
        }
        let Some(token) = state.secret else {
            return Err("The token is missing on this computer. Enter it again.".to_owned());
        };
        let expected = Url::parse(&feed.address).map(|address| origin(&address)).unwrap_or_default();
        match state.audience {
            Some(audience) if audience.origin == expected => Ok(token),
            // A changed database or backup must not decide where the token is sent.
            _ => Err("The token was entered for another address. Enter it again.".to_owned()),
        }
    }
}

fn shown_gap(gap: &store::delivery_log::FeedGap) -> FeedGap {
    let reason = match gap.why.as_str() {
        "removed" => FeedGapReason::Removed,
        "altered" => FeedGapReason::Altered,
        "missing" => FeedGapReason::Missing,
        _ => FeedGapReason::Other,
    };
    FeedGap { why: gap.why.clone(), reason, deliveries: gap.deliveries, after: gap.after, before: gap.before }
}

fn is_entered(token: &SecretString) -> bool {
    !token.expose_secret().is_empty()
}

fn is_other_origin(one: &str, other: &str) -> bool {
    match (Url::parse(one), Url::parse(other)) {
        (Ok(one), Ok(other)) => origin(&one) != origin(&other),
        _ => true,
    }
}

fn address(text: &str) -> Result<Url> {
    let text = text.trim();
    Url::parse(text).map_err(|_| {
        DeskError::invalid("address", "Enter the address of the server's feed, such as https://hooks.example.com/feed.")
    })
}

fn client(feed: &Stored, token: SecretString) -> std::result::Result<Client, FeedError> {
    feed_client(&feed.address, token)
}

pub fn feed_client(address: &str, token: SecretString) -> std::result::Result<Client, FeedError> {
    let url = ::feed::parse_address(address)?;
    let builder = || {
        let builder = reqwest::Client::builder()
            // The token goes nowhere else.
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT_TIMEOUT);
        if provider_client::is_this_machine(&url) { builder.no_proxy() } else { builder }
    };
    let http = provider_client::build_http(builder).map_err(|error| FeedError::Address(error.to_string()))?;
    Client::new(http, address, token)
}

/// The error at the field that is to be corrected.
fn at_field(error: FeedError) -> DeskError {
    let field = match &error {
        FeedError::Token | FeedError::Refused => "token",
        _ => "address",
    };
    DeskError::invalid(field, advice(&error))
}

/// What happened and what to do, as sentences.
fn advice(error: &FeedError) -> String {
    let advice = match error {
        FeedError::Address(_) => "",
        FeedError::Token => " Copy it again, without spaces.",
        FeedError::Refused => " Make a new one on the server with tdesk desk add, and enter it here.",
        FeedError::Unreachable(_) => " Check the address, and that the server runs with --feed-listen.",
        FeedError::Unavailable(_) => " Its log says why.",
        FeedError::Unexpected { .. } => " Enter the address that the server has for --feed-listen, without a path.",
        FeedError::Incomplete(_) => " It is fetched again.",
    };
    let text = error.to_string();
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.{advice}", characters.as_str())
}
