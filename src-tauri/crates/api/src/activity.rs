//! Webhooks as Activity shows them.

use crate::error::{DeskError, Result};
use model::item::meaning::EventMeaning;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::inbox::MessageFact;

/// A list of events is asked for.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct EventQuery {
    /// Workspace; absent for all.
    pub workspace: Option<String>,
    /// Kind such as `status`.
    pub kind: Option<String>,
    /// The channel's identifier of the number it came over.
    pub number: Option<String>,
    /// Name of the template it is about.
    pub template: Option<String>,
    /// The contact it is about.
    pub contact: Option<String>,
    /// The status or event it reports, such as `failed` or `APPROVED`.
    pub status: Option<String>,
    /// Beginnings of words of texts, reasons and template names; or a contact; or a message's identifier.
    pub search: Option<String>,
    /// Delivered first at this instant or later, in Unix milliseconds.
    pub from: Option<i64>,
    /// Delivered first before this instant, in Unix milliseconds.
    pub to: Option<i64>,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many rows, 1–500.
    pub limit: u32,
}

/// A page of events, newest first.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventPage {
    /// Newest first.
    pub rows: Vec<EventRow>,
    /// Gives the next page. There may be one although this page is not full, even empty: see `searched_to`.
    pub next: Option<String>,
    /// Where a search ended before the page was full because few events match: it has looked at everything that was
    /// delivered after this instant, in Unix milliseconds. `next` goes on from there.
    pub searched_to: Option<i64>,
    /// Deliveries that are stored but not yet shown here.
    pub behind: u64,
}

/// An event in a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventRow {
    /// Identifier of the item.
    pub id: String,
    /// Place of its first delivery in the inbox.
    pub seq: u64,
    /// When it was first delivered, in Unix milliseconds.
    pub received_at: i64,
    /// `status`, `message`, `template_status`, ….
    pub kind: String,
    /// The envelope's `field`.
    pub field: String,
    /// Workspace whose path it came in by.
    pub workspace: String,
    /// What it is about: contact, template or number.
    pub subject: String,
    /// What it says: a status, an event, the start of a text.
    pub summary: String,
    /// The status or event it reports.
    pub status: Option<String>,
    /// The channel's identifier of the number it came over.
    pub number: Option<String>,
    /// The contact it is about.
    pub contact: Option<String>,
    /// Name of the template it is about.
    pub template: Option<String>,
    /// How often it was delivered.
    pub deliveries: u64,
}

/// Names an event.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct EventId {
    /// Identifier of the item.
    pub event: String,
}

/// An event's page.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventDetail {
    /// As in the list.
    pub row: EventRow,
    /// What it means, where its kind alone does not say it.
    pub meaning: Option<EventMeaning>,
    /// The facts that belong to `meaning`.
    pub facts: Vec<MessageFact>,
    /// The item's value as JSON, numbers and unknown keys as they came; absent once retention removed the delivery.
    pub value: Option<String>,
    /// The body of the first delivery, byte for byte where it is UTF-8; absent once retention removed it.
    pub raw: Option<String>,
    /// Headers kept with that delivery.
    pub headers: Vec<(String, String)>,
    /// SHA-256 of that body in hex.
    pub raw_digest: Option<String>,
    /// Its deliveries in order, the first 50; `row.deliveries` says how many there are.
    pub arrivals: Vec<Arrival>,
}

/// One delivery of an event.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Arrival {
    /// Place of the delivery in the inbox.
    pub seq: u64,
    /// When it came, in Unix milliseconds.
    pub received_at: i64,
    /// Place of the event in the delivery, from 0.
    pub ordinal: u64,
}

/// Names a delivery.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DeliveryId {
    /// Its place in the inbox.
    pub seq: u64,
}

/// A delivery's page.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DeliveryDetail {
    /// Its place in the inbox.
    pub seq: u64,
    /// When it came, in Unix milliseconds.
    pub received_at: i64,
    /// Workspace whose path it came in by.
    pub workspace: String,
    /// Headers kept with it.
    pub headers: Vec<(String, String)>,
    /// The body as text; what is not UTF-8 in it is replaced.
    pub raw: String,
    /// The body, byte for byte, in base64.
    pub raw_base64: String,
    /// SHA-256 of the body in hex.
    pub digest: String,
    /// Its events in their order, the first 500 of those that are projected.
    pub items: Vec<EventRow>,
    /// Whether its signature still holds.
    pub signature: SignatureVerdict,
}

/// What the signature of a stored delivery says when it is checked again with the secrets of today.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum SignatureVerdict {
    /// The workspace's webhook secret made it.
    Current {},
    /// The workspace's previous webhook secret made it.
    Previous {},
    /// No secret of the workspace made it over these bytes.
    Invalid {},
    /// The delivery came without one.
    Absent {},
    /// The workspace has no webhook secret.
    NoSecret {},
    /// The secret is gone: the workspace was removed, or the sandbox that signed it has ended.
    Gone {},
}

/// Two events to be compared.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CompareEvents {
    /// The one before.
    pub left: String,
    /// The one after.
    pub right: String,
}

/// Two values, line by line.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct EventComparison {
    /// Lines of both, printed as indented JSON, in order.
    pub lines: Vec<model::diff::Line>,
}

/// Which deliveries.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum DeliveryScope {
    /// One.
    One {
        /// Its place in the inbox.
        seq: u64,
    },
    /// All from one to another, both included.
    Range {
        /// The first.
        from: u64,
        /// The last.
        to: u64,
    },
}

/// Deliveries are to be decoded again.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReplayEvents {
    /// Which.
    pub scope: DeliveryScope,
}

/// What a replay did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReplayReport {
    /// Deliveries decoded again.
    pub deliveries: u64,
    /// Events in them.
    pub items: u64,
    /// Events and effects that differ now from what was known.
    pub changed: u64,
}

/// How far the inbox has been projected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ProjectionState {
    /// Place in the inbox up to which everything is shown.
    pub done: u64,
    /// Place of the last delivery in the inbox.
    pub total: u64,
    /// Whether it is being rebuilt.
    pub rebuilding: bool,
    /// Deliveries that are stored but not yet shown.
    pub behind: u64,
}

/// Signatures of stored deliveries are to be checked again.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct VerifySignatures {
    /// Workspace; absent for all.
    pub workspace: Option<String>,
    /// Place of the first delivery; absent for the very first.
    pub from: Option<u64>,
    /// Place of the last delivery; absent for the last there is.
    pub to: Option<u64>,
}

/// What the signatures of stored deliveries say today.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SignatureReport {
    /// Deliveries checked.
    pub checked: u64,
    /// Signed by the webhook secret of today.
    pub current: u64,
    /// Signed by the previous webhook secret.
    pub previous: u64,
    /// Without a signature.
    pub absent: u64,
    /// Signed by no secret that is known.
    pub invalid: u64,
    /// Places of the first 100 of those.
    pub invalid_seqs: Vec<u64>,
    /// Cannot be checked: their workspace has no webhook secret, or the secret is gone with it.
    pub no_secret: u64,
}

/// Events are to be written into a file.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct ExportEvents {
    /// Which; `after` and `limit` mean nothing here.
    pub query: EventQuery,
}

/// A file with events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ExportReport {
    /// Where it is.
    pub path: String,
    /// Lines in it, one an event.
    pub lines: u64,
}

/// Where deliveries shall be forwarded as they come in.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SetForwarding {
    /// An `http` or `https` URL of this machine; absent to stop.
    pub url: Option<String>,
    /// Only deliveries of this workspace; absent for all.
    pub workspace: Option<String>,
}

/// What becomes of deliveries that are forwarded as they come in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ForwardingState {
    /// Where they go; absent while nothing is forwarded.
    pub url: Option<String>,
    /// Only deliveries of this workspace.
    pub workspace: Option<String>,
    /// Deliveries that were answered with success (2xx).
    pub forwarded: u64,
    /// Deliveries that were not: refused, unreachable, or left out because the receiver there is too slow.
    pub failed: u64,
    /// Why the last one failed, in words.
    pub last_error: Option<String>,
    /// HTTP status of the last answer.
    pub last_status: Option<u16>,
}

/// Stored deliveries are to be forwarded.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ForwardStored {
    /// An `http` or `https` URL of this machine.
    pub url: String,
    /// Which.
    pub scope: DeliveryScope,
}

/// What became of stored deliveries that were forwarded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ForwardReport {
    /// Answered with success (2xx).
    pub sent: u64,
    /// Not answered with success.
    pub failed: u64,
    /// Why the last one failed, in words.
    pub last_error: Option<String>,
}

/// Places of invalid deliveries told.
const MAX_INVALID_LISTED: usize = 100;

impl SignatureReport {
    /// Counts what a delivery's signature said.
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
    /// The first and the last, both included.
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
