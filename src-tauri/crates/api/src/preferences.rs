//! What the person chose for the whole app.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::workspace::SANDBOX_ID;

/// What the person chose; kept between starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct Preferences {
    /// Identifier of the workspace shown.
    pub workspace: String,
    /// Colours of the window.
    pub color_scheme: ColorScheme,
    /// `en`, `pt-BR`, `es`, or empty for the system's.
    pub language: String,
    /// Whether the desktop is notified of anything.
    pub notify: bool,
    /// Of what it is notified, in every workspace that has no choice of its own.
    pub notifications: NotificationKinds,
    /// Of what it is notified in a workspace, by its identifier.
    pub workspace_notifications: BTreeMap<String, NotificationKinds>,
    /// Whether closing the window keeps the receiver running.
    pub keep_running: bool,
    /// Whether there is an icon in the desktop's tray, where the desktop has one.
    pub tray: bool,
}

impl Preferences {
    /// Of what the desktop is notified in a workspace.
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
        }
    }
}

/// Colours of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ColorScheme {
    /// As the desktop.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Of what the desktop is notified, kind by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct NotificationKinds {
    /// Outcomes of reviews.
    pub reviews: bool,
    /// Templates that were paused or disabled, and that are usable again.
    pub pauses: bool,
    /// Templates whose category changed.
    pub categories: bool,
    /// Templates whose quality score changed.
    pub quality: bool,
    /// Endpoints that refuse what comes in.
    pub webhooks: bool,
    /// Tokens that expire.
    pub tokens: bool,
}

impl NotificationKinds {
    /// Of nothing.
    pub const NONE: Self =
        Self { reviews: false, pauses: false, categories: false, quality: false, webhooks: false, tokens: false };
}

impl Default for NotificationKinds {
    fn default() -> Self {
        Self { reviews: true, pauses: true, categories: true, quality: true, webhooks: true, tokens: true }
    }
}
