//! The languages of the app.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A language that the app speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
pub enum Language {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "pt-BR")]
    Portuguese,
    #[serde(rename = "es")]
    Spanish,
}

impl Language {
    pub const ALL: [Self; 3] = [Self::English, Self::Portuguese, Self::Spanish];

    /// The language of a tag such as `pt-BR` or `es_MX.UTF-8`; English for those that the app does not speak.
    #[must_use]
    pub fn of(tag: &str) -> Self {
        match tag.get(..2) {
            Some("pt") => Self::Portuguese,
            Some("es") => Self::Spanish,
            _ => Self::English,
        }
    }
}

/// The language that the window shows while the preferences have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct WindowLanguage {
    pub language: Language,
}
