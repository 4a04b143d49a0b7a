//! The person's preferences for the whole app.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::workspace::SANDBOX_ID;

/// The person's preferences, stored between starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct Preferences {
    pub workspace: String,
    pub color_scheme: ColorScheme,
    /// `en`, `pt-BR`, `es`, or empty for the system's language.
    pub language: String,
    pub notify: bool,
    /// Kinds of notifications in every workspace without its own setting.
    pub notifications: NotificationKinds,
    /// Kinds of notifications in a workspace, by its identifier.
    pub workspace_notifications: BTreeMap<String, NotificationKinds>,
    /// Whether closing the window keeps the receiver running.
    pub keep_running: bool,
    /// Whether a tray icon is shown, if the desktop has a tray.
    pub tray: bool,
    /// Whether the first steps are offered above the templates until they are done.
    pub first_steps: bool,
    pub density: Density,
    pub contrast: Contrast,
    /// Size of text in percent of the normal size, in [`Self::TEXT_SCALES`].
    pub text_scale: u16,
    /// Changed keyboard shortcuts: keys such as `mod+shift+k` by the name of the shortcut. The window knows the others.
    pub shortcuts: BTreeMap<String, String>,
    /// When the tour was started, in Unix milliseconds; absent while it is not shown.
    #[ts(optional = nullable)]
    pub tour_started_at: Option<i64>,
    /// Public address that leads to the receiver of this computer, as entered; empty while nobody entered one.
    pub public_address: String,
    /// Workspaces whose batches also go to people who got a marketing template in the last 24 hours; absent if none.
    #[ts(optional = nullable)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat_marketing: Option<Vec<String>>,
}

impl Preferences {
    /// Sizes of text that the window supports, in percent.
    pub const TEXT_SCALES: RangeInclusive<u16> = 100..=200;

    #[must_use]
    pub fn notified(&self, workspace: &str) -> NotificationKinds {
        if self.notify {
            self.workspace_notifications.get(workspace).copied().unwrap_or(self.notifications)
        } else {
            NotificationKinds::NONE
        }
    }
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            workspace: SANDBOX_ID.to_owned(),
            color_scheme: ColorScheme::System,
            language: String::new(),
            notify: true,
            notifications: NotificationKinds::default(),
            workspace_notifications: BTreeMap::new(),
            keep_running: false,
            tray: true,
            first_steps: true,
            density: Density::Comfortable,
            contrast: Contrast::System,
            text_scale: 100,
            shortcuts: BTreeMap::new(),
            tour_started_at: None,
            public_address: String::new(),
            repeat_marketing: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ColorScheme {
    /// Follows the desktop.
    System,
    Light,
    Dark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum Density {
    /// The normal ones.
    Comfortable,
    /// More rows at a glance.
    Compact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum Contrast {
    /// Follows the desktop.
    System,
    /// High, whatever the desktop says.
    High,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct NotificationKinds {
    pub reviews: bool,
    /// Templates that were paused or disabled, or became usable again.
    pub pauses: bool,
    pub categories: bool,
    pub quality: bool,
    /// Endpoints that refuse deliveries.
    pub webhooks: bool,
    /// Tokens that expire.
    pub tokens: bool,
    /// Messages of contacts.
    pub messages: bool,
    /// Restrictions, limits and alerts of accounts and numbers.
    pub accounts: bool,
}

impl NotificationKinds {
    pub const NONE: Self = Self::all(false);

    const fn all(enabled: bool) -> Self {
        Self {
            reviews: enabled,
            pauses: enabled,
            categories: enabled,
            quality: enabled,
            webhooks: enabled,
            tokens: enabled,
            messages: enabled,
            accounts: enabled,
        }
    }
}

impl Default for NotificationKinds {
    fn default() -> Self {
        Self::all(true)
    }
}
