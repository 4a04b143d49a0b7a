//! Sends to many: where they come from, the plan, and how they go.

use std::collections::BTreeMap;

use model::error_code::Explanation;
use model::send::SendProblem;
use serde::{Deserialize, Serialize};
pub use store::desk::{LocalRowState, RowState, RunState};
use ts_rs::TS;

use super::send::{MediaCheck, SendOptions};
use crate::error::DeskError;

/// A file of recipients and values that was chosen. Its rows are kept until the app closes or other files are chosen.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CsvFile {
    /// Identifier.
    pub id: String,
    /// Name without its folder.
    pub name: String,
    /// The header row; `Column 1`, … where there is none. Each name stands once.
    pub columns: Vec<String>,
    /// Whether the first row names the columns.
    pub has_header: bool,
    /// Rows without the header.
    pub rows: u32,
    /// The first rows, at most five.
    pub sample: Vec<Vec<String>>,
    /// `,`, `;`, a tab or `|`.
    pub delimiter: String,
    /// Name of the encoding, such as `UTF-8` or `windows-1252`.
    pub encoding: String,
}

/// What is sent to whom.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchPlanRequest {
    /// Workspace.
    pub workspace: String,
    /// The template.
    pub reference: String,
    /// Identifier of the sending number.
    pub number: String,
    /// What goes along with each send, and what is overridden.
    #[serde(flatten)]
    pub options: SendOptions,
    /// Recipients and values.
    pub source: BatchSource,
}

/// Where recipients and values come from.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BatchSource {
    /// The address book; everyone gets the same values.
    Recipients {
        /// Identifiers, in the order in which they are sent to.
        ids: Vec<String>,
        /// Values by part.
        #[serde(default)]
        values: BTreeMap<String, String>,
    },
    /// A file.
    Csv {
        /// Identifier of the file.
        file: String,
        /// Column of the recipient's number.
        to: String,
        /// Column of the recipient's name.
        name: Option<String>,
        /// Where the value of each part comes from.
        #[serde(default)]
        values: BTreeMap<String, ValueSource>,
    },
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ValueSource {
    /// A column of the file.
    Column {
        /// Its name.
        column: String,
    },
    /// The same for all.
    Fixed {
        /// The value.
        value: String,
    },
}

/// A batch that was checked whole and kept, before anything is sent.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchPlan {
    /// Identifier of the batch.
    pub id: String,
    /// Rows.
    pub total: u32,
    /// Rows that can be sent.
    pub good: u32,
    /// Rows that cannot: an error, or a warning that was not overridden.
    pub bad: u32,
    /// The first 200, in the order of the rows; those of row 0 are of the whole batch.
    pub problems: Vec<RowProblem>,
    /// The first three rows that can be sent.
    pub sample: Vec<PlannedRow>,
    /// Rows whose recipient stands in an earlier row.
    pub duplicates: u32,
    /// How long the sends take at least by the channel's limits, in milliseconds.
    pub estimate_ms: u64,
    /// What the links to media lead to, each once.
    pub media: Vec<MediaCheck>,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RowProblem {
    /// Line in the file from 1, or the position among the recipients; 0 for the whole batch.
    pub row: u32,
    /// The recipient as written.
    pub recipient: String,
    /// What is wrong.
    pub problem: SendProblem,
}

/// A row that can be sent.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PlannedRow {
    /// Line in the file from 1, or the position among the recipients.
    pub row: u32,
    /// Digits of the recipient.
    pub to: String,
    /// Values by part.
    pub values: BTreeMap<String, String>,
}

/// A planned batch is started.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct StartBatch {
    /// The batch.
    pub batch: String,
    /// Whether rows that cannot be sent are left out; without it they are in the way.
    #[serde(default)]
    pub skip_bad: bool,
}

/// A batch that has ended runs on.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ResumeBatch {
    /// The batch.
    pub batch: String,
    /// Whether rows leave once more whose outcome is unknown: their messages may arrive a second time.
    #[serde(default)]
    pub resend_unknown: bool,
}

/// Names a batch.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchId {
    /// The batch.
    pub batch: String,
}

/// Rows of a batch are asked for.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchQuery {
    /// The batch.
    pub batch: String,
    /// Only rows in this state.
    pub state: Option<RowState>,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many rows, 1–500.
    pub limit: u32,
}

/// A batch.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    /// Identifier.
    pub id: String,
    /// Workspace.
    pub workspace: String,
    /// Template.
    pub template_name: String,
    /// Its language.
    pub language: String,
    /// Its reference.
    pub reference: String,
    /// Sending number.
    pub number: String,
    /// Where it stands.
    pub state: RunState,
    /// Rows.
    pub total: u32,
    /// Rows by where they stand.
    pub counts: BatchCounts,
    /// When it was planned, in Unix milliseconds.
    pub created_at: i64,
    /// When it was started or resumed, in Unix milliseconds.
    pub started_at: Option<i64>,
    /// When it ended, in Unix milliseconds.
    pub ended_at: Option<i64>,
    /// Until when nothing is sent because the provider asks for it, in Unix milliseconds.
    pub waiting_until: Option<i64>,
    /// Why: the channel's error code, else the HTTP status, else `offline`.
    pub waiting_reason: Option<String>,
    /// Why it was interrupted; absent where the app ended.
    pub error: Option<DeskError>,
    /// Name of the file, or `recipients`.
    pub source: String,
}

/// Rows of a batch by where they stand; each row counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchCounts {
    /// Not sent yet.
    pub planned: u32,
    /// Left out, because they cannot be sent.
    pub skipped: u32,
    /// On their way to the provider.
    pub sending: u32,
    /// Taken by the provider; nothing more is known.
    pub accepted: u32,
    /// Refused by the provider.
    pub refused: u32,
    /// They may have arrived: no answer says. Never sent again by itself.
    pub unknown: u32,
    /// Never left, because the batch was cancelled.
    pub cancelled: u32,
    /// Reported as sent.
    pub sent: u32,
    /// Reported as delivered.
    pub delivered: u32,
    /// Reported as read.
    pub read: u32,
    /// Reported as failed.
    pub failed: u32,
    /// Reported as anything else.
    pub other: u32,
}

/// A batch and some of its rows.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchDetail {
    /// The batch.
    pub batch: Batch,
    /// In the order of the file.
    pub rows: Vec<BatchRow>,
    /// Gives the next page.
    pub next: Option<String>,
}

/// A row of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchRow {
    /// Line in the file from 1, or the position among the recipients.
    pub row: u32,
    /// Digits of the recipient; as written where it is no number.
    pub recipient: String,
    /// Their name, where the source has one.
    pub name: Option<String>,
    /// The send, once it left.
    pub send: Option<String>,
    /// Where it stands.
    pub state: RowState,
    /// Why it cannot be sent.
    pub problem: Option<SendProblem>,
    /// What the provider or the channel said against it.
    pub error: Option<String>,
    /// What that means, where it failed with an error object.
    pub explanation: Option<Explanation>,
}

/// A batch's outcomes were written into a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchExport {
    /// Where.
    pub path: String,
}
