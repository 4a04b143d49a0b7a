//! What the person chose for the whole app.

use store::Desk;

use super::Workspaces;
use crate::context::lock;
use crate::parts::to_json;
use api::error::Result;
use api::event::DeskEvent;
use api::preferences::Preferences;

/// Key of the preferences among the settings of the desk.
const PREFERENCES: &str = "preferences";

/// The stored preferences; the defaults where there are none or they cannot be read.
pub(super) async fn stored(desk: &Desk) -> Result<Preferences> {
    let stored = desk.setting(PREFERENCES).await?;
    Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

impl Workspaces {
    /// What the person chose.
    #[must_use]
    pub fn preferences(&self) -> Preferences {
        lock(&self.0.preferences).clone()
    }

    /// Stores what the person chose.
    ///
    /// # Errors
    /// [`DeskError::Storage`](api::error::DeskError::Storage) when it cannot be written.
    pub async fn save_preferences(&self, preferences: Preferences) -> Result<Preferences> {
        self.0.context.desk.put_setting(PREFERENCES, to_json(&preferences)?).await?;
        *lock(&self.0.preferences) = preferences.clone();
        self.0.context.emit(DeskEvent::PreferencesChanged {});
        Ok(preferences)
    }
}
