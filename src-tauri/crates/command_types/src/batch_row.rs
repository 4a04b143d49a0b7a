//! The message of a row of a batch.

use std::collections::BTreeMap;

use model::render::Bubble;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::batch::BatchRow;

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PreviewBatchRow {
    pub batch: String,
    /// Line in the file from 1, or the position among the recipients.
    pub row: u32,
}

/// The message of a row as it would be sent now.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchRowPreview {
    pub row: BatchRow,
    /// By part.
    #[ts(type = "Record<string, string>")]
    pub values: BTreeMap<String, String>,
    pub bubble: Bubble,
}
