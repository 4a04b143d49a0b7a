//! Announcements of newer versions, at an address that the person enters. Off by default.
//!
//! One request a day, with no header that identifies anybody. Nothing is downloaded or installed.

mod announcement;
mod fetch;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::context::{Context, lock};
use crate::date_range::DAY;
use crate::updates::announcement::{PublicKey, Version};
use command_types::Nothing;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::updates::{Announcement, UpdateProblem, UpdateSettings, UpdateState};
use outgoing::{now, to_json};

/// Desk settings key.
const UPDATES: &str = "updates";
/// Polling interval of the clock: the machine may sleep for days.
const PAUSE: Duration = Duration::from_secs(10 * 60);

/// Stored between starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Stored {
    settings: UpdateSettings,
    /// The newest version that was announced under these settings. An older one is a downgrade.
    newest: Option<Announcement>,
    checked_at: Option<i64>,
    problem: Option<UpdateProblem>,
}

/// Announcements of newer versions. Clones share one state.
#[derive(Clone, Debug)]
pub struct Updates(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    stored: Mutex<Stored>,
    /// Held while settings are saved or an announcement is checked.
    checking: tokio::sync::Mutex<()>,
}

impl Updates {
    pub(crate) async fn new(context: Arc<Context>) -> Result<Self> {
        let stored = context.desk.setting(UPDATES).await?;
        let stored = stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
        Ok(Self(Arc::new(Inner { context, stored: Mutex::new(stored), checking: tokio::sync::Mutex::default() })))
    }

    /// Checks once a day while that is switched on.
    pub(crate) fn watch(&self) {
        let updates = self.clone();
        self.0.context.spawn(async move {
            let mut pauses = tokio::time::interval(PAUSE);
            loop {
                pauses.tick().await;
                if let Err(error) = updates.check_if_due().await {
                    tracing::error!(%error, "the announcement of versions cannot be checked");
                }
            }
        });
    }

    /// The settings, and what the last check found.
    pub async fn get_updates(&self, _request: Nothing) -> Result<UpdateState> {
        Ok(self.state())
    }

    /// Stores the settings, and checks once under new ones. What was announced at another address or under another key
    /// is forgotten.
    pub async fn save_update_settings(&self, request: UpdateSettings) -> Result<UpdateState> {
        let settings = UpdateSettings {
            enabled: request.enabled,
            address: request.address.trim().to_owned(),
            public_key: request.public_key.trim().to_owned(),
        };
        if settings.enabled || !settings.address.is_empty() {
            checked_address(&settings.address)?;
        }
        if settings.enabled || !settings.public_key.is_empty() {
            PublicKey::parse(&settings.public_key).ok_or_else(|| {
                DeskError::invalid(
                    "publicKey",
                    "This is no Ed25519 key. Enter the public key that your company publishes: 32 bytes in Base64, \
                     which are 44 characters.",
                )
            })?;
        }
        let _checking = self.0.checking.lock().await;
        let mut stored = lock(&self.0.stored).clone();
        if (&stored.settings.address, &stored.settings.public_key) != (&settings.address, &settings.public_key) {
            stored = Stored::default();
        }
        stored.settings = settings;
        let is_first = stored.settings.enabled && stored.checked_at.is_none();
        self.store(stored).await?;
        if is_first {
            self.check(now()).await?;
        }
        Ok(self.state())
    }

    /// Reads the announcement now, if that is switched on.
    ///
    /// # Errors
    /// [`DeskError::Storage`]. A check that fails is a [`UpdateProblem`] of the state.
    pub async fn check_for_updates(&self, _request: Nothing) -> Result<UpdateState> {
        let _checking = self.0.checking.lock().await;
        if lock(&self.0.stored).settings.enabled {
            self.check(now()).await?;
        }
        Ok(self.state())
    }

    async fn check_if_due(&self) -> Result<()> {
        let _checking = self.0.checking.lock().await;
        // Read while nothing else checks: a check that this one waited for would seem to be in the future.
        let now = now();
        let due = {
            let stored = lock(&self.0.stored);
            // A check in the future was recorded by a clock that was wrong.
            stored.settings.enabled && stored.checked_at.is_none_or(|at| at > now || now - at >= DAY)
        };
        if due { self.check(now).await } else { Ok(()) }
    }

    /// The attempt is recorded before it leaves, so that a program that is restarted again and again requests no more.
    async fn check(&self, now: i64) -> Result<()> {
        let mut stored = lock(&self.0.stored).clone();
        stored.checked_at = Some(now);
        self.store(stored.clone()).await?;
        match read_announcement(&stored).await {
            Ok(announcement) => {
                stored.newest = Some(announcement);
                stored.problem = None;
            }
            Err(problem) => {
                tracing::warn!(?problem, "the announcement of versions was not accepted");
                stored.problem = Some(problem);
            }
        }
        self.store(stored).await
    }

    async fn store(&self, stored: Stored) -> Result<()> {
        self.0.context.desk.set_setting(UPDATES, to_json(&stored)?).await?;
        *lock(&self.0.stored) = stored;
        self.0.context.emit(DeskEvent::UpdatesChanged {});
        Ok(())
    }

    fn state(&self) -> UpdateState {
        let Stored { settings, newest, checked_at, problem } = lock(&self.0.stored).clone();
        let is_newer = |announced: &Announcement| Version::parse(&announced.version) > Some(Version::of_this_app());
        let available = newest.filter(is_newer).filter(|_| settings.enabled);
        let version = env!("CARGO_PKG_VERSION").to_owned();
        UpdateState { settings, version, available, checked_at, problem }
    }
}

/// Fetches and verifies the announcement.
async fn read_announcement(stored: &Stored) -> std::result::Result<Announcement, UpdateProblem> {
    let address = checked_address(&stored.settings.address).map_err(|_| UpdateProblem::Unreachable {})?;
    let key = PublicKey::parse(&stored.settings.public_key).ok_or(UpdateProblem::WrongSignature {})?;
    let body = fetch::fetch(address).await?;
    let announced = announcement::verify(&body, &key)?;
    let version = Version::parse(&announced.version).ok_or(UpdateProblem::Malformed {})?;
    let before = stored.newest.as_ref().and_then(|newest| Version::parse(&newest.version));
    if version < Version::of_this_app() || before.is_some_and(|before| version < before) {
        return Err(UpdateProblem::Downgrade { version: announced.version });
    }
    Ok(announced)
}

/// Parses an address that announcements may be read from.
///
/// # Errors
/// [`DeskError::InvalidInput`] for one without encryption to another computer, or with credentials.
fn checked_address(typed: &str) -> Result<Url> {
    let refuse = |why: &str| {
        DeskError::invalid(
            "address",
            format!("{why} Enter the address that your company publishes, such as https://example.com/desk.json."),
        )
    };
    let url = Url::parse(typed).map_err(|_| refuse("This is no address."))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse("An address with a user or password is not accepted."));
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if provider_client::is_this_machine(&url) => Ok(url),
        _ => Err(refuse("Only https addresses are accepted.")),
    }
}

#[cfg(test)]
mod tests;
