//! Problems of the rows of a batch.

use model::send::{SendProblem, SendProblemCode};
use serde::Serialize;
use ts_rs::TS;

/// A problem of a row, or of the whole batch.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RowProblem {
    /// Line in the file from 1, or the position among the recipients; 0 for the whole batch.
    pub row: u32,
    /// The recipient as written.
    pub recipient: String,
    /// What the source calls the recipient.
    pub name: Option<String>,
    /// The number in the notation of its country, with country code, if it is one.
    pub formatted: Option<String>,
    pub problem: SendProblem,
}

/// How many rows of a batch have a problem, and of how many people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ProblemCount {
    pub code: SendProblemCode,
    pub rows: u32,
    pub people: u32,
}
