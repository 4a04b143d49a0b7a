//! The person's preferences for the whole app.

use store::Desk;

use super::Workspaces;
use crate::context::lock;
use command_types::Nothing;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::language::{Language, WindowLanguage};
use command_types::preferences::Preferences;
use outgoing::to_json;

/// Desk settings key of the preferences.
const PREFERENCES_KEY: &str = "preferences";

/// The stored preferences; the defaults if there are none or they cannot be read.
pub(super) async fn stored(desk: &Desk) -> Result<Preferences> {
    let stored = desk.setting(PREFERENCES_KEY).await?;
    Ok(stored.and_then(|json| read(&json)).unwrap_or_default())
}

/// Tolerates unknown and missing fields.
fn read(json: &str) -> Option<Preferences> {
    serde_json::from_str(json).ok()
}

/// Whether an address, which may lack its scheme, names a user before its host.
fn has_user_info(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '\\', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}

impl Workspaces {
    #[must_use]
    pub fn preferences(&self) -> Preferences {
        lock(&self.0.preferences).clone()
    }

    /// The language of the app: that of the preferences, or else the one of the system.
    #[must_use]
    pub fn language(&self) -> Language {
        let preferences = lock(&self.0.preferences);
        match preferences.language.as_str() {
            "" => *lock(&self.0.system_language),
            chosen => Language::of(chosen),
        }
    }

    /// Takes the language that the window shows as that of the system: only the window knows it on every system. Until
    /// then it is English.
    pub async fn set_window_language(&self, request: WindowLanguage) -> Result<Nothing> {
        *lock(&self.0.system_language) = request.language;
        Ok(Nothing {})
    }

    /// Stores the preferences. A size of text outside its range becomes the nearest one.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for a public address with a user name or password: it is shown, and stored as it is.
    pub async fn save_preferences(&self, mut preferences: Preferences) -> Result<Preferences> {
        if has_user_info(&preferences.public_address) {
            let message = "The address contains a user name or password. Enter it without them.";
            return Err(DeskError::invalid("publicAddress", message));
        }
        let scales = Preferences::TEXT_SCALES;
        preferences.text_scale = preferences.text_scale.clamp(*scales.start(), *scales.end());
        self.0.context.desk.set_setting(PREFERENCES_KEY, to_json(&preferences)?).await?;
        *lock(&self.0.preferences) = preferences.clone();
        self.0.context.emit(DeskEvent::PreferencesChanged {});
        Ok(preferences)
    }
}

#[cfg(test)]
mod tests {
    use command_types::preferences::{ColorScheme, NotificationKinds};

    use super::*;

    #[test]
    fn a_user_before_the_host_of_an_address_is_found() {
        for (address, expected) in [
            ("", false),
            ("hooks.example.com/a@b", false),
            ("https://hooks.example.com:8443/?to=a@b", false),
            ("https://user:pass@hooks.example.com", true),
            (" user@hooks.example.com/x", true),
        ] {
            assert_eq!(has_user_info(address), expected, "{address}");
        }
    }

    /// As stored by version 0.1.0, with the role that the window no longer uses.
    const STORED_BY_0_1: &str = r#"{"workspace":"acme","persona":"support","colorScheme":"dark","language":"es","notify":true,"notifications":{"reviews":true,"pauses":true,"categories":true,"quality":false,"webhooks":true,"tokens":true},"workspaceNotifications":{},"keepRunning":true,"tray":false}"#;

    #[test]
    fn preferences_with_a_dropped_field_are_read() {
        let expected = Preferences {
            workspace: "acme".to_owned(),
            color_scheme: ColorScheme::Dark,
            language: "es".to_owned(),
            notifications: NotificationKinds { quality: false, ..NotificationKinds::default() },
            keep_running: true,
            tray: false,
            ..Preferences::default()
        };
        assert_eq!(read(STORED_BY_0_1), Some(expected));
    }
}
