//! How batches end.

use serde::Serialize;
use ts_rs::TS;

/// How a batch ended, where its state says only that it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum BatchEnding {
    /// A person ended it for good before all rows were sent.
    Ended,
    /// None of its messages was sent or delivered.
    AllFailed,
}
