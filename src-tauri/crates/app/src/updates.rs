//! Newer versions of the app, announced at an address of the build or one that the person enters. Off by default.
//!
//! One request a day, with no header that identifies anybody. A file is downloaded when the person chooses to install it.

mod announcement;
mod fetch;
mod install;
mod signature;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::context::ports::{Installer, UpdateSource};
use crate::context::{Context, lock};
use crate::date_range::DAY;
use crate::updates::announcement::Version;
use crate::updates::signature::PublicKey;
use command_types::Nothing;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::updates::{Announcement, InstallStep, UpdateProblem, UpdateSettings, UpdateState};
use outgoing::{now, to_json};

/// Desk settings key.
const UPDATES: &str = "updates";
/// Maximum size of an announcement, in bytes.
const MAX_ANNOUNCEMENT: u64 = 64 * 1024;
/// Timeout of a whole check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(30);
/// Polling interval of the clock: the machine may sleep for days.
const PAUSE: Duration = Duration::from_secs(10 * 60);

/// Stored between starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Stored {
    settings: UpdateSettings,
    /// The newest version that was announced under these settings. An older one is a downgrade.
    newest: Option<Known>,
    checked_at: Option<i64>,
    problem: Option<UpdateProblem>,
    /// The version that the app was closed for.
    installing: Option<String>,
}

/// An announcement whose signature is valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    #[serde(flatten)]
    announcement: Announcement,
    /// As it was received.
    document: String,
}

/// Newer versions of the app. Clones share one state.
#[derive(Clone, Debug)]
pub struct Updates(Arc<Inner>);

struct Inner {
    context: Arc<Context>,
    installer: Arc<dyn Installer>,
    stored: Mutex<Stored>,
    step: Mutex<Option<InstallStep>>,
    /// Held while settings are saved or an announcement is checked.
    checking: tokio::sync::Mutex<()>,
    /// Held while a version is installed.
    installing: tokio::sync::Mutex<()>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Updates").field("stored", &self.stored).finish_non_exhaustive()
    }
}

impl Updates {
    pub(crate) async fn new(context: Arc<Context>, installer: Arc<dyn Installer>) -> Result<Self> {
        let stored = context.desk.setting(UPDATES).await?;
        let mut stored: Stored = stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
        let mut step = None;
        if let Some(version) = stored.installing.take() {
            context.desk.set_setting(UPDATES, to_json(&stored)?).await?;
            if Version::parse(&version) > Some(Version::of_this_app()) {
                step = Some(InstallStep::Failed { problem: UpdateProblem::NotInstalled { version } });
            }
        }
        Ok(Self(Arc::new(Inner {
            context,
            installer,
            stored: Mutex::new(stored),
            step: Mutex::new(step),
            checking: tokio::sync::Mutex::default(),
            installing: tokio::sync::Mutex::default(),
        })))
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
        self.check_source(&settings)?;
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

    /// Rejects what cannot work, at its field.
    fn check_source(&self, settings: &UpdateSettings) -> Result<()> {
        let is_own = !settings.address.is_empty() || !settings.public_key.is_empty();
        if !is_own && (!settings.enabled || self.0.installer.built_in_source().is_some()) {
            return Ok(());
        }
        checked_address(&settings.address)?;
        PublicKey::parse(&settings.public_key).map(drop).ok_or_else(|| {
            DeskError::invalid(
                "publicKey",
                "This is no minisign key. Enter the public key that your company publishes: the whole content of the file \
                 whose name ends in .pub.",
            )
        })
    }

    /// Where announcements are read, under the settings.
    fn source(&self, settings: &UpdateSettings) -> UpdateSource {
        let is_own = !settings.address.is_empty() || !settings.public_key.is_empty();
        let own = || UpdateSource { address: settings.address.clone(), public_key: settings.public_key.clone() };
        self.0.installer.built_in_source().filter(|_| !is_own).unwrap_or_else(own)
    }

    /// The attempt is recorded before it leaves, so that a program that is restarted again and again requests no more.
    async fn check(&self, now: i64) -> Result<()> {
        let mut stored = lock(&self.0.stored).clone();
        stored.checked_at = Some(now);
        self.store(stored.clone()).await?;
        match self.read_announcement(&stored).await {
            Ok(known) => {
                stored.newest = Some(known);
                stored.problem = None;
            }
            Err(problem) => {
                tracing::warn!(?problem, "the announcement of versions was not accepted");
                stored.problem = Some(problem);
            }
        }
        self.store(stored).await
    }

    /// Fetches and verifies the announcement.
    async fn read_announcement(&self, stored: &Stored) -> std::result::Result<Known, UpdateProblem> {
        let (address, key) = parsed(&self.source(&stored.settings))?;
        let body = fetch::fetch(&address, address.clone(), MAX_ANNOUNCEMENT, |_, _| {});
        // The address may answer a byte every few seconds.
        let body = tokio::time::timeout(CHECK_TIMEOUT, body).await.map_err(|_| UpdateProblem::Unreachable {})??;
        let verified = announcement::verify(&body, &address, &key, self.0.installer.installation())?;
        let before = stored.newest.as_ref().and_then(|newest| Version::parse(&newest.announcement.version));
        if verified.version < Version::of_this_app() || before.is_some_and(|before| verified.version < before) {
            return Err(UpdateProblem::Downgrade { version: verified.announcement.version });
        }
        let document = String::from_utf8(body).map_err(|_| UpdateProblem::Malformed {})?;
        Ok(Known { announcement: verified.announcement, document })
    }

    async fn store(&self, stored: Stored) -> Result<()> {
        self.0.context.desk.set_setting(UPDATES, to_json(&stored)?).await?;
        *lock(&self.0.stored) = stored;
        self.0.context.emit(DeskEvent::UpdatesChanged {});
        Ok(())
    }

    fn state(&self) -> UpdateState {
        let Stored { settings, checked_at, problem, .. } = lock(&self.0.stored).clone();
        UpdateState {
            settings,
            built_in_address: self.0.installer.built_in_source().map(|source| source.address),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            installation: self.0.installer.installation(),
            available: self.newer().map(|known| known.announcement),
            step: lock(&self.0.step).clone(),
            checked_at,
            problem,
        }
    }

    /// The newest version that was announced, if it is newer than this one.
    fn newer(&self) -> Option<Known> {
        let Stored { settings, newest, .. } = lock(&self.0.stored).clone();
        let is_newer = |known: &Known| Version::parse(&known.announcement.version) > Some(Version::of_this_app());
        newest.filter(is_newer).filter(|_| settings.enabled)
    }
}

/// The address and the key of a source, which was checked when it was saved or built.
fn parsed(source: &UpdateSource) -> std::result::Result<(Url, PublicKey), UpdateProblem> {
    let address = checked_address(&source.address).map_err(|_| UpdateProblem::AddressRefused {})?;
    let key = PublicKey::parse(&source.public_key).ok_or(UpdateProblem::WrongSignature {})?;
    Ok((address, key))
}

/// Parses an address that announcements may be read from.
///
/// # Errors
/// [`DeskError::InvalidInput`] for one without encryption to another computer, or with credentials.
fn checked_address(typed: &str) -> Result<Url> {
    let refuse = |why: &str| {
        DeskError::invalid(
            "address",
            format!("{why} Enter the address that your company publishes, such as https://example.com/latest.json."),
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
