//! Sends: the form, the preview, preflight checks, the list and the page.

use std::collections::BTreeMap;

use model::closed_enum;
use model::error_code::Explanation;
use model::rate_card::Cost;
use model::render::Bubble;
use model::send::{SendPart, SendProblem};
use serde::{Deserialize, Serialize};
pub use store::desk::{SendKind, SendState};
use ts_rs::TS;

use crate::error::DeskError;

mod status;

pub use status::{StatusConversation, StatusEntry, StatusPricing};

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendForm {
    pub name: String,
    pub language: String,
    /// Why it cannot be sent, if it cannot.
    pub blocked: Option<SendProblem>,
    /// In the order of the message.
    pub parts: Vec<SendPart>,
    pub numbers: Vec<FormNumber>,
    /// The number to start with: one whose WABA has the template, else one that may have it. Empty without numbers.
    pub number: String,
    /// When the provider last reported the template, in Unix milliseconds.
    pub cached_at: Option<i64>,
    /// Its status then.
    pub status: String,
    /// Whether it was archived then.
    pub archived: bool,
    /// `marketing`, `utility` or `authentication`, as the provider spells it.
    pub category: String,
}

/// A sending number in the form of a send.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FormNumber {
    pub id: String,
    pub label: String,
    /// Why it cannot send the template; absent if it can or if its WABA or those of the template are unknown.
    pub problem: Option<SendProblem>,
}

/// A person of recent messages, to be sent to again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RecentContact {
    /// Digits with country code; the user id of a person who hides the number, where the provider takes it.
    pub number: String,
    /// The number in the notation of its country, with country code.
    pub formatted: String,
    /// Name in the address book, else the profile name.
    pub name: Option<String>,
}

/// Options of a send, and overridden warnings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendOptions {
    /// The person's own callback data: JSON as text, or any text; empty for none.
    #[serde(default)]
    pub callback_data: String,
    /// Whether our tracking identifier is merged into it.
    #[serde(default = "yes")]
    pub track: bool,
    /// Whether it is sent exactly as typed; nothing is merged into it then.
    #[serde(default)]
    pub exact_callback: bool,
    /// Codes of the warnings that the person overrides.
    #[serde(default)]
    pub overrides: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendRequest {
    pub workspace: String,
    pub reference: String,
    pub number: String,
    /// Recipient as typed.
    pub to: String,
    /// Country of a recipient without country code, as in
    /// [`WorkspaceSettings::default_country`](super::workspace::WorkspaceSettings::default_country), which it overrides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Category of the template, in lower case, when a batch was planned: its rows do not leave once it costs more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_category: Option<String>,
    /// Whether it answers the recipient: it was written from their conversation. Not said of older messages, which count as
    /// answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<bool>,
    /// Values by part.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    #[serde(flatten)]
    pub options: SendOptions,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendText {
    pub workspace: String,
    pub number: String,
    /// Recipient as typed.
    pub to: String,
    /// As in [`SendRequest::country`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    pub text: String,
    /// Whether the phone shows a preview of the first link.
    #[serde(default)]
    pub preview_url: bool,
    /// The unfinished form that has the text, which is dropped with the record of the message.
    #[serde(default, skip_serializing)]
    #[ts(optional, as = "Option<String>")]
    pub form: Option<String>,
    #[serde(flatten)]
    pub options: SendOptions,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendPreview {
    /// The JSON body, formatted.
    pub payload: String,
    /// The request as a `curl` command; secrets are replaced by placeholders.
    pub curl: String,
    pub bubble: Bubble,
    /// Problems that prevent the send, by field (`to`, `number`, `callbackData`, `text`, or a part). Media links are
    /// not fetched for this: see [`Preflight`].
    pub problems: Vec<SendProblem>,
    /// What the recipient was read as.
    pub recipient: RecipientFacts,
    pub callback: Option<String>,
    /// Maximum length of a free text in characters; absent for templates.
    pub text_limit: Option<u32>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Preflight {
    /// All problems: errors prevent the send, warnings until they are overridden.
    pub problems: Vec<SendProblem>,
    pub media: Vec<MediaCheck>,
    pub template: TemplateStanding,
    pub recipient: RecipientFacts,
    /// What it costs today; absent without a rate card, or without a number.
    pub cost: Option<Cost>,
    pub checked_at: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateStanding {
    pub status: String,
    pub archived: bool,
    /// When it was reported, in Unix milliseconds.
    pub cached_at: Option<i64>,
}

/// Facts derived from a recipient's number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RecipientFacts {
    /// The digits to send; absent if it is not a number.
    pub digits: Option<String>,
    /// The number in international notation; absent also where it is not shown.
    pub formatted: Option<String>,
    /// ISO 3166 two-letter code of the country; absent for numbers of no country.
    pub country: Option<String>,
    pub kind: Option<NumberKind>,
    /// Whether the number has no country code, so that the country comes from a choice or the settings.
    pub country_assumed: bool,
    /// The user id to send to in place of a number, where the provider takes it.
    pub user_id: Option<String>,
    /// The number that the same digits are in another reading, if there is one.
    pub other_reading: Option<NumberReading>,
    /// A known person whose number differs only by the ninth digit, which this one lacks.
    pub lacks_ninth: Option<KnownNumber>,
}

/// The number of a person who wrote or is in the address book.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct KnownNumber {
    pub digits: String,
    /// The number in international notation.
    pub formatted: String,
    pub name: Option<String>,
}

/// A number that digits can mean.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct NumberReading {
    pub digits: String,
    /// The number in international notation.
    pub formatted: String,
    /// ISO 3166 two-letter code of the country; absent for numbers of no country.
    pub country: Option<String>,
}

closed_enum! {
    /// Kinds of numbers, according to the numbering plans.
    NumberKind in "app.ts" {
        Mobile = "mobile",
        FixedLine = "fixedLine",
        /// Either of them, if the plan does not distinguish them.
        FixedLineOrMobile = "fixedLineOrMobile",
        /// Free for the caller.
        TollFree = "tollFree",
        /// Charged at a premium rate.
        PremiumRate = "premiumRate",
        /// Cost shared by caller and recipient.
        SharedCost = "sharedCost",
        /// Internet telephony.
        Voip = "voip",
        Personal = "personal",
        Pager = "pager",
        /// A universal access number.
        Uan = "uan",
        Voicemail = "voicemail",
        /// In no known range.
        Unknown = "unknown",
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MediaCheck {
    /// Part of the form, such as `card.0.header.link`.
    pub part: String,
    pub url: String,
    pub state: MediaState,
    pub bytes: Option<u64>,
    /// Media type, from the server or the first bytes.
    pub mime: Option<String>,
    /// The error of the server or the network, if the link leads to no file.
    pub detail: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum MediaState {
    /// A file that the channel accepts.
    Ok,
    TooLarge,
    /// The type does not match the header.
    WrongType,
    /// Not a file, or it cannot be fetched.
    Unreachable,
    /// A file of unknown size.
    Unknown,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct WindowQuery {
    pub workspace: String,
    /// The contact, as typed.
    pub to: String,
    /// As in [`SendRequest::country`].
    pub country: Option<String>,
    /// The channel's identifier of our number; without it, the window is open if it is for any of our numbers.
    pub number: Option<String>,
}

/// The reply window between a contact and one of our numbers: free text can be sent for 24 hours after the contact's
/// last message to it (upstream §7, 131047).
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ServiceWindow {
    /// When they last wrote to the number, in Unix milliseconds; absent if no message was received.
    pub last_inbound_at: Option<i64>,
    /// When the window closes or closed, in Unix milliseconds.
    pub open_until: Option<i64>,
    /// What is to be added to the clock of this machine before it is compared with these, in milliseconds.
    pub clock_offset: i64,
}

impl RecipientFacts {
    /// The number or the user id to send to.
    #[must_use]
    pub fn addressee(&self) -> Option<&str> {
        self.digits.as_deref().or(self.user_id.as_deref())
    }
}

impl ServiceWindow {
    /// Length of the window in milliseconds (upstream §7, 131047).
    pub const LENGTH: i64 = 24 * 60 * 60 * 1_000;

    #[must_use]
    pub fn after(last_inbound_at: Option<i64>, clock_offset: i64) -> Self {
        let open_until = last_inbound_at.map(|at| at.saturating_add(Self::LENGTH));
        Self { last_inbound_at, open_until, clock_offset }
    }

    /// Closed at the latest when the channel refused a free text for that reason (131047), by the provider's clock: what
    /// it says counts more than what we received. A later message of the contact opens it again.
    #[must_use]
    pub fn refused(mut self, at: Option<i64>) -> Self {
        if let Some(at) = at.filter(|at| self.last_inbound_at.is_none_or(|inbound| inbound <= *at)) {
            self.open_until = Some(self.open_until.map_or(at, |until| until.min(at)));
        }
        self
    }

    /// Whether it has closed at an instant of this machine's clock. A window that is not known has not.
    #[must_use]
    pub fn is_closed(&self, now: i64) -> bool {
        self.open_until.is_some_and(|until| until < now.saturating_add(self.clock_offset))
    }
}

/// Filters of a list of sends. Absent filters accept everything.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendQuery {
    pub workspace: String,
    /// Part of the template's name, in any case.
    pub template: Option<String>,
    pub reference: Option<String>,
    /// Part of the recipient's name or number, as typed.
    pub recipient: Option<String>,
    pub state: Option<SendState>,
    pub batch: Option<String>,
    /// `next` of the previous page.
    pub after: Option<String>,
    /// Maximum number of rows, 1–500.
    pub limit: u32,
}

/// A page of sends, newest first.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendPage {
    pub rows: Vec<SendRow>,
    pub next: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendRow {
    pub id: String,
    pub kind: SendKind,
    pub number: String,
    pub recipient: String,
    /// The recipient's number in the notation of its country, with country code.
    pub formatted: String,
    pub recipient_name: Option<String>,
    pub reference: Option<String>,
    /// Name of the template; empty for a text.
    pub template_name: String,
    /// Language of the template; empty for a text.
    pub language: String,
    pub text: Option<String>,
    pub state: SendState,
    /// When it is sent again because a rate limit refused it, in Unix milliseconds.
    pub retry_at: Option<i64>,
    /// The channel's error code, if it failed.
    pub error_code: Option<String>,
    pub error_title: Option<String>,
    /// Why it did not leave, where that is no answer of the provider that has an explanation.
    pub not_sent: Option<DeskError>,
    /// When it was sent, in Unix milliseconds.
    pub created_at: i64,
    pub batch: Option<String>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendId {
    pub send: String,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendDetail {
    pub row: SendRow,
    /// The message as the phone shows it, with the template's content at that time; absent if that is not known.
    pub bubble: Option<Bubble>,
    /// The JSON body as it was sent.
    pub payload: String,
    /// The request as a `curl` command; secrets are replaced by placeholders.
    pub curl: String,
    pub request: SentRequest,
    /// The provider's answer, unchanged.
    pub response: Option<String>,
    pub response_status: Option<u16>,
    /// From when sending it again helps, if the provider refused it for a time, in Unix milliseconds.
    pub retry_helps_at: Option<i64>,
    /// Message identifier, once known.
    pub message_id: Option<String>,
    /// Our tracking identifier, if one was included.
    pub tracking_id: Option<String>,
    pub callback_data: Option<String>,
    /// Statuses, oldest first.
    pub timeline: Vec<StatusEntry>,
    /// What the message costs, as the last status with a price reports it; of a message that failed, as its failure does.
    pub pricing: Option<StatusPricing>,
    /// Whether it is not charged because it was not delivered.
    pub is_undelivered: bool,
    /// Why the provider refused it.
    pub error: Option<DeskError>,
    /// Explanation of the error, if the channel's code is known.
    pub explanation: Option<Explanation>,
    /// Request to repeat it; absent for texts and if the values are not known.
    pub again: Option<SendRequest>,
    /// Request to repeat the text; absent for templates.
    pub again_text: Option<SendText>,
    /// Replies of the recipient to it, oldest first.
    pub replies: Vec<SendReply>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SentRequest {
    pub method: String,
    /// URL. Contains no secret.
    pub url: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendReply {
    /// Its event in Activity.
    pub event: String,
    /// When it was written, in Unix milliseconds.
    pub at: i64,
    /// Its type, such as `image`, as in a conversation.
    pub kind: String,
    /// Its text; empty if it has none.
    pub text: String,
    /// When its author deleted it. Then it has no text, and its type is that of the deletion.
    pub deleted_at: Option<i64>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LinkPicture {
    pub workspace: String,
    /// An http or https URL.
    pub url: String,
    /// Whether only files of the built-in sandbox are fetched: for templates that a person only reads or edits, because
    /// a request to another server would show it that the link is looked at.
    pub sandbox_only: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct LinkedPicture {
    /// The thumbnail as a `data:` URL; absent if there is none.
    pub thumbnail: Option<String>,
}
