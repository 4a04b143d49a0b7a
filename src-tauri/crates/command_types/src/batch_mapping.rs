//! Which column fills which part of a batch: guesses, what a row becomes, and what was chosen.

use std::collections::BTreeMap;

pub use model::send::ColumnGuess;
use model::send::SendProblem;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::batch::{BatchPlanRequest, ValueSource};
use super::send::SendPreview;

/// Asks which columns of a file fit the recipient and the parts of a template, by their names.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct GuessColumns {
    pub workspace: String,
    pub reference: String,
    /// Identifier of the file.
    pub file: String,
}

/// Asks what the recipient of one row would get.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PreviewBatch {
    /// The batch as far as it is filled in.
    pub batch: BatchPlanRequest,
    /// Place of the row among those of the source, from 0.
    pub row: u32,
}

/// The message of one row, with the values that the plan would have.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchPreview {
    /// Values of the message by part.
    pub values: BTreeMap<String, String>,
    pub preview: SendPreview,
    /// What columns with a format become.
    pub columns: Vec<ValuePreview>,
}

/// What the first cell of a column with a transform becomes.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ValuePreview {
    /// Key of the part.
    pub part: String,
    /// Line in the file from 1, or the position among the recipients.
    pub row: u32,
    /// The first cell that is not blank.
    pub written: String,
    /// What it becomes; absent if it cannot be read.
    pub value: Option<String>,
    /// The first problem of the column.
    pub problem: Option<SendProblem>,
    /// Rows whose cell cannot be read.
    pub unread: u32,
}

/// What fills the messages of a planned batch, as it was chosen. Further rounds of the batch have the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchMapping {
    /// Absent for the address book.
    pub file: Option<FileColumns>,
    /// As in [`BatchPlanRequest::country`].
    pub country: Option<String>,
    /// Source of the value of each part. Without a file, its columns are the keys of
    /// [`RecipientList::fields`](crate::recipients::RecipientList::fields).
    pub values: BTreeMap<String, ValueSource>,
}

/// The columns of a file that say who gets a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FileColumns {
    /// Whether the columns have names. Those of a file without a header are `Column 1`, ….
    pub has_header: bool,
    pub to: String,
    pub name: Option<String>,
}
