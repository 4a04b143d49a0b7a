//! Batches: sources, plans and progress of sends to many recipients.

use std::collections::BTreeMap;

use model::error_code::Explanation;
use model::rate_card::Cost;
use model::render::Bubble;
use model::send::SendProblem;
pub use model::send::{DateOrder, DecimalMark, ValueTransform};
use serde::{Deserialize, Serialize};
pub use store::desk::{LocalRowState, RowState, RunState};
use ts_rs::TS;

use super::batch_ending::BatchEnding;
use super::batch_problem::{ProblemCount, RowProblem};
use super::batch_round::{BatchOrigin, OutcomeGroup};
use super::send::{MediaCheck, NumberReading, SendOptions};
use crate::error::DeskError;

/// A chosen file of recipients and values. Its rows are kept until the app closes or several other files are chosen.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CsvFile {
    pub id: String,
    /// Name without its folder.
    pub name: String,
    /// The header row; `Column 1`, … if there is none. Names are unique.
    pub columns: Vec<String>,
    pub has_header: bool,
    /// Whether the first row could be a header: it is a recipient until the person decides.
    pub header_uncertain: bool,
    /// The first row of the file, header or not.
    pub first_row: Vec<String>,
    /// Rows without the header.
    pub rows: u32,
    /// The first rows, at most five.
    pub sample: Vec<Vec<String>>,
    /// Their lines in the file, from 1.
    pub sample_lines: Vec<u32>,
    /// `,`, `;`, a tab or `|`.
    pub delimiter: String,
    /// Name of the encoding, such as `UTF-8` or `windows-1252`.
    pub encoding: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CsvFileId {
    /// Identifier of the file.
    pub file: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SetCsvHeader {
    /// Identifier of the file.
    pub file: String,
    /// Whether the first row contains the names of the columns.
    pub has_header: bool,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchPlanRequest {
    pub workspace: String,
    pub reference: String,
    pub number: String,
    #[serde(flatten)]
    pub options: SendOptions,
    /// Country of the file's numbers without country code, as in
    /// [`SendRequest::country`](crate::send::SendRequest::country).
    pub country: Option<String>,
    pub source: BatchSource,
}

/// Source of recipients and values.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BatchSource {
    /// The address book.
    Recipients {
        /// Identifiers, in sending order.
        ids: Vec<String>,
        /// Source of the value of each part. Its columns are the keys of
        /// [`RecipientList::fields`](crate::recipients::RecipientList::fields).
        #[serde(default)]
        values: BTreeMap<String, ValueSource>,
    },
    Csv {
        /// Identifier of the file.
        file: String,
        to: String,
        name: Option<String>,
        /// Source of the value of each part.
        #[serde(default)]
        values: BTreeMap<String, ValueSource>,
    },
}

impl BatchSource {
    /// Source of the value of each part.
    #[must_use]
    pub fn values(&self) -> &BTreeMap<String, ValueSource> {
        match self {
            Self::Recipients { values, .. } | Self::Csv { values, .. } => values,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ValueSource {
    /// A column of the file, or a field of the address book.
    Column {
        column: String,
        /// The value of rows where it is blank; absent or blank if they have none.
        #[serde(default)]
        fallback: Option<String>,
        /// How texts are rewritten, fallbacks excepted.
        #[serde(default)]
        transform: Option<ValueTransform>,
    },
    /// The same value for all rows.
    Fixed { value: String },
}

/// A checked and stored batch before it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchPlan {
    pub id: String,
    pub total: u32,
    pub good: u32,
    /// Rows that cannot be sent: an error, or a warning that is not overridden.
    pub bad: u32,
    /// Of these, the rows without an error: they are sent if the person overrides their warnings.
    #[ts(optional, as = "Option<u32>")]
    pub left_out: u32,
    /// Those of the whole batch, in row 0; then the first 200 errors, and the first 50 of each warning of rows without an
    /// error, in the order of the rows.
    pub problems: Vec<RowProblem>,
    /// How many rows have each problem: an error, or a warning and no error.
    pub counts: Vec<ProblemCount>,
    /// Rows that can be sent: the first, the longest, and up to three others.
    pub sample: Vec<PlannedRow>,
    /// Rows whose recipient is in an earlier row.
    pub duplicates: u32,
    /// Minimum duration of the sends with the channel's rate limits, in milliseconds.
    pub estimate_ms: u64,
    /// Results of the media link checks, each link once.
    pub media: Vec<MediaCheck>,
    pub numbers: NumbersRead,
    /// Parts that were filled with their fallback in some rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<FallbackUse>>")]
    pub fallbacks: Vec<FallbackUse>,
    /// Whether the file is too large for its columns to be kept with the batch.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub is_file_too_large: bool,
    /// What the rows that can be sent cost today; absent without a rate card.
    pub cost: Option<Cost>,
    /// People who were sent the template a short time ago, by what they got it with; the most people first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<RepeatedSend>>")]
    pub repeated: Vec<RepeatedSend>,
    /// People of a marketing batch whom the channel held back a short time ago, without those of rows with an error.
    pub held_back: Option<HeldBackPeople>,
    /// Texts of the template's review that every recipient gets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<SampleUse>>")]
    pub samples: Vec<SampleUse>,
    /// People of a marketing batch whose last message may be a wish to stop marketing, on which nobody has decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<WishToStop>>")]
    pub wishes_to_stop: Vec<WishToStop>,
}

/// A person whose last message may be a wish to stop marketing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct WishToStop {
    /// The identifier of the conversation.
    pub contact: String,
    pub formatted: String,
    pub name: Option<String>,
    pub text: String,
}

/// People of a batch who were sent its template a short time ago.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RepeatedSend {
    /// The batch that they got it with; absent for single messages.
    pub batch: Option<String>,
    /// Name of its file, or `recipients`.
    pub source: Option<String>,
    /// When the last of them was sent it, in Unix milliseconds.
    pub at: i64,
    pub people: u32,
}

/// People whom the channel held back, and from when it lets marketing messages through, in Unix milliseconds of this
/// machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct HeldBackPeople {
    pub people: u32,
    /// From when for the first of them.
    pub from: i64,
    /// From when for all of them.
    pub all_from: i64,
}

/// A part that has its sample for everyone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SampleUse {
    /// Key of the part.
    pub part: String,
    pub sample: String,
}

/// In how many rows a fallback is the value of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FallbackUse {
    /// Key of the part.
    pub part: String,
    pub column: String,
    pub fallback: String,
    pub rows: u32,
}

/// What a batch costs; absent parts are unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchCost {
    /// What the check said.
    pub planned: Option<Cost>,
    /// What its delivered messages cost by the rate card that the workspace has now.
    pub actual: Option<Cost>,
}

/// Asks what rows of a batch cost if they are sent now.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct EstimateRows {
    pub batch: String,
    /// The states of the rows.
    pub states: Vec<RowState>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RowsEstimate {
    /// How many rows are in these states.
    pub rows: u32,
    /// Absent without a rate card.
    pub cost: Option<Cost>,
}

/// How the numbers of a batch were read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct NumbersRead {
    /// The choice that was used for numbers without country code, as in [`BatchPlanRequest::country`]; empty if there
    /// is none.
    pub country: String,
    /// Rows without country code that wait for a choice of the country.
    pub unknown: u32,
    /// Rows without country code that were read as numbers of the country.
    pub assumed: u32,
    /// Those of them that are a number of another country in another reading.
    pub ambiguous: u32,
    /// The first numbers without country code, at most five; those with two readings first.
    pub examples: Vec<NumberExample>,
    /// Rows without `+` or `00` whose first digits were read as the code of another country than [`Self::country`].
    pub foreign: u32,
    /// The first of these numbers, at most five.
    pub foreign_examples: Vec<NumberExample>,
}

/// A number as written, and what it became.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct NumberExample {
    pub row: u32,
    pub written: String,
    /// What it was read as; absent while the country is unknown.
    pub read: Option<NumberReading>,
    /// What it is in another reading; while the country is unknown, with its first digits as the country code.
    pub other: Option<NumberReading>,
}

/// Why a row is shown as an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ExampleKind {
    First,
    /// Its values have the most characters.
    Longest,
    /// One of those that a hash of the content chooses.
    Other,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PlannedRow {
    pub example: ExampleKind,
    /// Line in the file from 1, or the position among the recipients.
    pub row: u32,
    /// Digits of the recipient.
    pub to: String,
    /// The recipient as written.
    pub written: String,
    /// The number in the notation of its country, with country code.
    pub formatted: String,
    pub name: Option<String>,
    pub bubble: Bubble,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct StartBatch {
    pub batch: String,
    /// Whether rows that cannot be sent are skipped; otherwise they prevent the start.
    #[serde(default)]
    pub skip_bad: bool,
}

/// How the messaging limit divides what is left of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchSpread {
    /// Rows that are sent at once.
    pub now: u32,
    /// Rows that wait until there is room.
    pub waiting: u32,
    /// When the last one is sent, in Unix milliseconds; absent if none waits.
    pub until: Option<i64>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ResumeBatch {
    pub batch: String,
    /// Whether rows with an unknown outcome are sent again: their messages may arrive twice.
    #[serde(default)]
    pub resend_unknown: bool,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchId {
    pub batch: String,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchQuery {
    pub batch: String,
    pub state: Option<RowState>,
    /// Only people of this group.
    pub group: Option<OutcomeGroup>,
    /// `next` of the previous page.
    pub after: Option<String>,
    /// Maximum number of rows, 1–500.
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    pub id: String,
    pub workspace: String,
    pub template_name: String,
    pub language: String,
    pub reference: String,
    pub number: String,
    pub state: RunState,
    pub total: u32,
    pub counts: BatchCounts,
    /// When it was planned, in Unix milliseconds.
    pub created_at: i64,
    /// When it was started or resumed, in Unix milliseconds.
    pub started_at: Option<i64>,
    pub ended_at: Option<i64>,
    pub ending: Option<BatchEnding>,
    /// Until when sending is paused because the provider asks for it, in Unix milliseconds.
    pub waiting_until: Option<i64>,
    /// Reason of the pause: the channel's error code, else the HTTP status, else `offline`.
    pub waiting_reason: Option<String>,
    /// Why it was interrupted; absent if the app was closed.
    pub error: Option<DeskError>,
    /// Whether it was interrupted because its template costs more than when it was planned.
    pub category_raised: bool,
    /// Name of the file, or `recipients`.
    pub source: String,
    /// The earlier batch whose people it has.
    pub origin: Option<BatchOrigin>,
    /// Whether its list is divided with another batch, to compare two templates.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub is_half: bool,
}

/// Rows of a batch by state; each row is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchCounts {
    /// Not sent yet.
    pub planned: u32,
    pub skipped: u32,
    /// Left out by the person who ended the batch for good.
    pub ended: u32,
    /// In flight.
    pub sending: u32,
    /// Accepted by the provider; no status received yet.
    pub accepted: u32,
    pub refused: u32,
    /// Outcome unknown: they may have arrived. Never sent again automatically.
    pub unknown: u32,
    pub cancelled: u32,
    pub sent: u32,
    pub delivered: u32,
    pub read: u32,
    pub failed: u32,
    /// Reported as anything else.
    pub other: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchDetail {
    pub batch: Batch,
    /// Why none of the rows that are left would be sent: the account is restricted, or the workspace does not have the
    /// number any more; absent while the batch is being sent.
    pub restriction: Option<SendProblem>,
    /// In the order of the file.
    pub rows: Vec<BatchRow>,
    pub next: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BatchRow {
    /// Line in the file from 1, or the position among the recipients.
    pub row: u32,
    /// Digits of the recipient; as written if it is not a number.
    pub recipient: String,
    /// The number in the notation of its country, with country code; as written if it is not a number.
    pub formatted: String,
    /// The recipient as written in the file, or the number of the address book.
    pub written: String,
    pub name: Option<String>,
    pub send: Option<String>,
    pub state: RowState,
    pub problem: Option<SendProblem>,
    /// The error of the provider or the channel.
    pub error: Option<String>,
    /// Explanation of the error, if it failed with an error object.
    pub explanation: Option<Explanation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BatchExport {
    pub path: String,
}
