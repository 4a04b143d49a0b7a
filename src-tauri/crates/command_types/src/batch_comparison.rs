//! Comparison of two batches.

use model::closed_enum;
pub use model::comparison::VerdictKind;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::batch::{Batch, BatchPlanRequest};

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CompareBatches {
    pub workspace: String,
    pub first: String,
    pub second: String,
}

/// One side of a list that is divided between two templates.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PlanBatchSide {
    /// The template of the side, and the whole list.
    pub plan: BatchPlanRequest,
    /// Identifier of the comparison, created by the client.
    pub comparison: String,
    pub is_first: bool,
    /// Percentage of the list for the first side, 10 to 90.
    pub share: u32,
}

/// The batches of a comparison, as far as they are planned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonPair {
    pub first: Option<String>,
    pub second: Option<String>,
}

closed_enum! {
    /// What is compared.
    ComparedOutcome in "app.ts" {
        Delivered = "delivered",
        Read = "read",
        /// Wrote to the number of the batch after the message was sent.
        Replied = "replied",
        /// Tapped a button of which a tap comes back as a message.
        Clicked = "clicked",
    }
}

closed_enum! {
    /// What a comparison does not prove, and why.
    ComparisonLimit in "app.ts" {
        /// The people were not divided by chance.
        NotDivided = "notDivided",
        /// Sent more than an hour apart.
        OtherTime = "otherTime",
        OtherNumber = "otherNumber",
        /// Both sent the same template, which may have been edited between them.
        SameTemplate = "sameTemplate",
        /// Some people got both.
        SamePeople = "samePeople",
        /// One of them is not finished, or ended so recently that people still read and reply.
        Early = "early",
    }
}

/// Two batches side by side. Shares are of the messages that the provider took.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchComparison {
    pub first: ComparedBatch,
    pub second: ComparedBatch,
    pub rates: Vec<ComparedRate>,
    pub limits: Vec<ComparisonLimit>,
    /// People who are in both.
    pub shared_people: u32,
    /// Fewest messages of each side for a verdict.
    pub min_messages: u32,
    /// Percentage of the list for the first one, if a list was divided between them.
    pub share: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ComparedBatch {
    pub batch: Batch,
    /// Messages that the provider took.
    pub sent: u32,
    /// Of these, without a status so far.
    pub waiting: u32,
    /// Messages of which it is not known whether they left. They are not compared.
    pub unknown: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ComparedRate {
    pub outcome: ComparedOutcome,
    /// Absent if nothing can be known of it, such as clicks without a button that reports them.
    pub first: Option<Rate>,
    pub second: Option<Rate>,
    /// The share of the first minus that of the second.
    pub difference: Option<RateInterval>,
    pub verdict: VerdictKind,
    /// Messages that each side needs to find the difference that is seen.
    pub needed: Option<u32>,
    /// More messages that the smaller side would need.
    pub more: Option<u32>,
}

/// A part of the messages that the provider took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Rate {
    pub count: u32,
    pub share: RateInterval,
}

/// A share, or a difference of shares, with its interval of 95 %. In hundredths of a percent: a number with a fraction may
/// reach the window as a text (`exact_numbers`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RateInterval {
    pub value: i32,
    pub low: i32,
    pub high: i32,
}
