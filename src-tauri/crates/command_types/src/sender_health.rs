//! What is known about the numbers that send: limits, throughput, quality, name, and what holds now.

use model::messaging_limit::MessagingLimit;
use serde::Serialize;
use ts_rs::TS;

use crate::activity::AccountNotice;

/// A number of a workspace, as far as events and sends show it here. What no event said is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SenderHealth {
    /// Identifier of the number.
    pub number: String,
    /// Whether a message to it arrived, or the provider accepted one from it: its identifier is right.
    pub is_proven: bool,
    /// If it is not proven: identifiers that webhooks name and that are not among the numbers of the workspace.
    pub unlisted: Vec<String>,
    pub limit: Option<MessagingLimit>,
    /// When the limit was said, in Unix milliseconds.
    pub limit_at: Option<i64>,
    /// People who count towards the limit now, as far as seen here, with those of the other numbers of the business.
    pub used: u32,
    /// When the first of them leaves the last 24 hours, in Unix milliseconds.
    pub next_leaves_at: Option<i64>,
    /// The level of messages a second, in the channel's words.
    pub throughput: Option<SaidOfNumber>,
    /// Reported quality, the newest first: `FLAGGED` is low, `UNFLAGGED` is no longer low.
    pub quality: Vec<SaidOfNumber>,
    /// The display name, and the channel's decision about it.
    pub name: Option<SaidOfNumber>,
    pub name_decision: Option<String>,
    /// Restrictions, alerts and violations that hold now, the most urgent first.
    pub notices: Vec<AccountNotice>,
}

/// What an event said about a number, in the channel's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SaidOfNumber {
    pub value: String,
    /// When, in Unix milliseconds.
    pub at: i64,
}
