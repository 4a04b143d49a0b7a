//! Diagnostics and failures of the page, for support.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is known about the app without anything that people wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Diagnostics {
    /// The text exactly as it is saved, in English.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SavedDiagnostics {
    pub path: String,
}

/// An error that stopped a screen or the whole page.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct PageFailure {
    /// Name of the error, such as `TypeError`.
    pub name: String,
    /// Its message, which may contain anything.
    pub message: String,
    /// Its stack, with places in the page's files.
    pub stack: String,
    /// The components around it, innermost first, as React lists them.
    pub components: String,
    /// Address of the screen.
    pub screen: String,
}

/// An error of the page without anything that people wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FailureDetails {
    /// The text to copy, in English.
    pub text: String,
}
