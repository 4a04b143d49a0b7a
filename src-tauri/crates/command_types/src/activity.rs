//! Webhook events for the Activity screen.

use crate::error::{DeskError, Result};
use model::item::account_notice::NoticeSeverity;
use model::item::meaning::EventMeaning;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::conversations::MessageFact;

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct EventQuery {
    /// Workspace; absent for all.
    pub workspace: Option<String>,
    /// Kind such as `status`.
    pub kind: Option<String>,
    pub number: Option<String>,
    pub template: Option<String>,
    pub contact: Option<String>,
    /// The reported status or event, such as `failed` or `APPROVED`.
    pub status: Option<String>,
    /// Prefixes of words in texts, reasons and template names; or a contact; or a message identifier.
    pub search: Option<String>,
    /// First delivered at this instant or later, in Unix milliseconds.
    pub from: Option<i64>,
    /// First delivered before this instant, in Unix milliseconds.
    pub to: Option<i64>,
    /// `next` of the previous page.
    pub after: Option<String>,
    /// Maximum number of rows, 1–500.
    pub limit: u32,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventPage {
    /// Newest first.
    pub rows: Vec<EventRow>,
    /// Cursor of the next page. There may be one even if this page is not full, or empty: see `searched_to`.
    pub next: Option<String>,
    /// Set if a search stopped before the page was full because few events match: everything delivered after this
    /// instant, in Unix milliseconds, has been searched. `next` continues from there.
    pub searched_to: Option<i64>,
    /// Deliveries that are stored but not projected yet.
    pub behind: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventRow {
    pub id: String,
    /// Sequence number of its first delivery in the delivery log.
    pub seq: u64,
    /// When it was first delivered, in Unix milliseconds.
    pub received_at: i64,
    /// When it happened, as it says itself, in Unix milliseconds.
    pub at: i64,
    /// `status`, `message`, `template_status`, ….
    pub kind: String,
    /// The envelope's `field`.
    pub field: String,
    /// Workspace of the path that received it.
    pub workspace: String,
    /// Subject: contact, template or number.
    pub subject: String,
    /// Summary: a status, an event, the start of a text.
    pub summary: String,
    /// The reported status or event.
    pub status: Option<String>,
    pub number: Option<String>,
    pub contact: Option<String>,
    /// The message that it is, or is about.
    pub message: Option<String>,
    /// Name of the contact, in the address book, in the newest batch, or as they call themselves.
    pub contact_name: Option<String>,
    pub template: Option<String>,
    /// The template that it is about, or whose message it is about.
    pub of_template: Option<EventTemplate>,
    /// How many times it was delivered.
    pub deliveries: u64,
    /// Set if it edits or deletes an earlier message.
    pub revision: Option<EventRevision>,
    /// The WABA that it names.
    pub account: Option<String>,
    /// What an event about an account or a number means, if that is known.
    pub meaning: Option<EventMeaning>,
}

/// The template of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventTemplate {
    pub name: String,
    /// Language; empty if unknown.
    pub language: String,
    /// The provider's reference; absent if no listed template is known to be meant.
    pub reference: Option<String>,
}

/// What an edit or a deletion does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct EventRevision {
    /// Whether it deletes the message.
    pub deletion: bool,
    /// Whether it is known to change nothing, because its author did not write the message to this number.
    pub ignored: bool,
}

/// An event about an account or a number that needs attention.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct AccountNotice {
    /// The event.
    pub id: String,
    /// When it was first delivered, in Unix milliseconds.
    pub at: i64,
    /// The business account (WABA) that it is about.
    pub account: Option<String>,
    pub meaning: EventMeaning,
    pub severity: NoticeSeverity,
    pub facts: Vec<MessageFact>,
    /// When it or a part of it ends next, in Unix milliseconds, if it says so.
    pub ends_at: Option<i64>,
}

/// The notices that concern what is sent from a number.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendingNotices {
    pub workspace: String,
    /// Identifier of our number.
    pub number: String,
    /// Whether a free text is sent, as an answer within the reply window.
    pub is_reply: bool,
}

/// A notice that a person has read.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct NoticeId {
    pub workspace: String,
    /// [`AccountNotice::id`].
    pub id: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct EventId {
    pub event: String,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventDetail {
    pub row: EventRow,
    /// Its meaning, if its kind alone does not show it.
    pub meaning: Option<EventMeaning>,
    /// The facts for `meaning`.
    pub facts: Vec<MessageFact>,
    /// The item's value as JSON, with original numbers and unknown keys; absent after retention removed the delivery.
    pub value: Option<String>,
    /// The body of the first delivery, unchanged where it is UTF-8; absent after retention removed it.
    pub raw: Option<String>,
    pub headers: Vec<(String, String)>,
    /// SHA-256 of that body in hex.
    pub raw_digest: Option<String>,
    /// Its deliveries in order, the first 50; `row.deliveries` is their total number.
    pub arrivals: Vec<Arrival>,
}

/// One delivery of an event.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Arrival {
    /// Sequence number of the delivery in the delivery log.
    pub seq: u64,
    pub received_at: i64,
    /// Position of the event in the delivery, from 0.
    pub ordinal: u64,
}

#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DeliveryId {
    /// Its sequence number in the delivery log.
    pub seq: u64,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DeliveryDetail {
    pub seq: u64,
    pub received_at: i64,
    /// Workspace of the path that received it.
    pub workspace: String,
    pub headers: Vec<(String, String)>,
    /// The body as text; bytes that are not UTF-8 are replaced.
    pub raw: String,
    /// The body in base64.
    pub raw_base64: String,
    /// SHA-256 of the body in hex.
    pub digest: String,
    /// Its events in order, the first 500 of the projected ones.
    pub items: Vec<EventRow>,
    pub signature: SignatureVerdict,
}

/// The result of verifying the signature of a stored delivery with the current secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum SignatureVerdict {
    Current {},
    Previous {},
    /// Not valid with any secret of the workspace.
    Invalid {},
    Absent {},
    NoSecret {},
    /// The secret no longer exists: the workspace was removed, or the sandbox that signed it has ended.
    Gone {},
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CompareEvents {
    /// The earlier one.
    pub left: String,
    /// The later one.
    pub right: String,
}

/// Diff of two values, line by line.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct EventComparison {
    /// Lines of both, as indented JSON, in order.
    pub lines: Vec<model::diff::Line>,
}

#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum DeliveryScope {
    One {
        seq: u64,
    },
    /// All from one sequence number to another, both included.
    Range {
        from: u64,
        to: u64,
    },
}

#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReplayEvents {
    pub scope: DeliveryScope,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReplayReport {
    pub deliveries: u64,
    pub items: u64,
    /// Events and effects that changed.
    pub changed: u64,
}

/// Progress of the projection of the delivery log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ProjectionState {
    /// Sequence number up to which everything is projected.
    pub done: u64,
    /// Sequence number of the last delivery in the delivery log.
    pub total: u64,
    pub rebuilding: bool,
    /// Deliveries that are stored but not projected yet.
    pub behind: u64,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct VerifySignatures {
    /// Workspace; absent for all.
    pub workspace: Option<String>,
    /// Sequence number of the first delivery; absent for the oldest.
    pub from: Option<u64>,
    /// Sequence number of the last delivery; absent for the newest.
    pub to: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SignatureReport {
    pub checked: u64,
    pub current: u64,
    pub previous: u64,
    pub absent: u64,
    /// Not valid with any known secret.
    pub invalid: u64,
    /// Sequence numbers of the first 100 of them.
    pub invalid_seqs: Vec<u64>,
    /// Not verifiable: their workspace has no webhook secret, or was removed with it.
    pub no_secret: u64,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct ExportEvents {
    /// The events; `after` and `limit` are ignored.
    pub query: EventQuery,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ExportReport {
    pub path: String,
    /// Number of lines, one per event.
    pub lines: u64,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SetForwarding {
    /// An `http` or `https` URL on this machine; absent to stop.
    pub url: Option<String>,
    /// Only deliveries of this workspace; absent for all.
    pub workspace: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ForwardingState {
    /// The target; absent while forwarding is off.
    pub url: Option<String>,
    pub workspace: Option<String>,
    /// Deliveries answered with success (2xx).
    pub forwarded: u64,
    /// Deliveries that failed: refused, unreachable, or skipped because the target is too slow.
    pub failed: u64,
    pub last_error: Option<String>,
    pub last_status: Option<u16>,
    /// Whether forwarding ended by itself, for the reason in `last_error`.
    pub ended: bool,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ForwardStored {
    /// An `http` or `https` URL on this machine.
    pub url: String,
    pub scope: DeliveryScope,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ForwardReport {
    /// Answered with success (2xx).
    pub sent: u64,
    /// Not answered, or not with success.
    pub failed: u64,
    pub last_error: Option<String>,
}

const MAX_INVALID_LISTED: usize = 100;

impl SignatureReport {
    pub fn add(&mut self, seq: i64, verdict: SignatureVerdict) {
        self.checked += 1;
        match verdict {
            SignatureVerdict::Current {} => self.current += 1,
            SignatureVerdict::Previous {} => self.previous += 1,
            SignatureVerdict::Absent {} => self.absent += 1,
            SignatureVerdict::NoSecret {} | SignatureVerdict::Gone {} => self.no_secret += 1,
            SignatureVerdict::Invalid {} => {
                self.invalid += 1;
                if self.invalid_seqs.len() < MAX_INVALID_LISTED {
                    self.invalid_seqs.extend(u64::try_from(seq));
                }
            }
        }
    }
}

impl DeliveryScope {
    /// The first and last sequence numbers, both included.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when the first is after the last.
    pub fn ends(self) -> Result<(i64, i64)> {
        let (from, to) = match self {
            Self::One { seq } => (seq, seq),
            Self::Range { from, to } => (from, to),
        };
        if from > to {
            return Err(DeskError::invalid(
                "scope",
                format!("The range begins with delivery {from}, after its end {to}. Exchange the two numbers."),
            ));
        }
        let number = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
        Ok((number(from), number(to)))
    }
}
