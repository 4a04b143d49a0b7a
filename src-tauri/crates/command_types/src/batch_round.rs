//! What became of the people of a batch, and further rounds: batches made of some of them.

pub use model::outcome_group::OutcomeGroup;
use serde::{Deserialize, Serialize};
use store::desk::RunState;
use ts_rs::TS;

/// Where a further round comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchOrigin {
    pub batch: String,
    pub group: OutcomeGroup,
    /// None of its rows is sent before this instant, in Unix milliseconds of this machine.
    pub earliest: Option<i64>,
}

/// The people of a batch by what became of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchGroups {
    /// Those that have people, the best outcome first. Each person is in one.
    pub groups: Vec<BatchGroup>,
    /// Of those reached, who has not read the message as far as it is known, and did not write afterwards.
    pub unread: u32,
    /// Of those reached, who read it and did not write afterwards.
    pub read: u32,
    /// How many wrote to the number of the batch after their message was sent.
    pub replied: u32,
    /// Of these, whose message was not reported as delivered: they are not among those reached.
    pub replied_unreported: u32,
    /// Of those who wrote, who tapped a button of the message, by the button that each tapped last; the most frequent one first.
    pub taps: Vec<ButtonTaps>,
    /// Of those who wrote, whose last message may be a wish to stop marketing, on which nobody has decided.
    pub may_want_to_stop: u32,
    /// Further rounds that were made of them, oldest first.
    pub rounds: Vec<BatchRound>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ButtonTaps {
    /// The text of the button.
    pub button: String,
    pub people: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchGroup {
    pub group: OutcomeGroup,
    pub people: u32,
    /// Of these, who can get the message again.
    pub again: u32,
    /// From when the first of them can, in Unix milliseconds of this machine.
    pub again_from: Option<i64>,
    /// From when all of them can.
    pub again_all_from: Option<i64>,
    /// Of these, who was sent the message as often as it is tolerated.
    pub tried_often: u32,
    /// Of these, who is already in a further round.
    pub in_later_batch: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchRound {
    pub batch: String,
    pub group: OutcomeGroup,
    pub state: RunState,
    /// People who are not left out.
    pub people: u32,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PlanRound {
    /// The earlier batch.
    pub batch: String,
    pub group: OutcomeGroup,
}

/// People who wrote to the number of a batch after their message was sent, in the order of the batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchReplies {
    pub people: Vec<BatchReply>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchReply {
    pub row: u32,
    /// The identifier of the conversation.
    pub contact: String,
    /// Digits of the recipient.
    pub recipient: String,
    /// The number in the notation of its country, with country code.
    pub formatted: String,
    pub name: Option<String>,
    /// When they last wrote to the number, in Unix milliseconds.
    pub at: i64,
    /// Type of that message.
    pub kind: String,
    pub text: String,
    /// The text of the button of the batch's message that they tapped last.
    pub tapped: Option<String>,
    /// Whether the message may be a wish to stop marketing, on which nobody has decided.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub may_want_to_stop: bool,
}
