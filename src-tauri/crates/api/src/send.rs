//! Sends: the form, the preview, preflight checks, the list and the page.

use std::collections::BTreeMap;

use model::closed_enum;
use model::error_code::Explanation;
use model::render::Bubble;
use model::send::{SendPart, SendProblem};
use serde::{Deserialize, Serialize};
pub use store::desk::{SendKind, SendState};
use ts_rs::TS;

use super::workspace::SendingNumber;
use crate::error::DeskError;

mod status;

pub use status::{StatusConversation, StatusEntry, StatusPricing};

/// The form for a test send.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendForm {
    /// Name.
    pub name: String,
    /// Language.
    pub language: String,
    /// Why it cannot be sent, if it cannot.
    pub blocked: Option<SendProblem>,
    /// In the order of the message.
    pub parts: Vec<SendPart>,
    /// Sending numbers of the workspace.
    pub numbers: Vec<SendingNumber>,
    /// When the provider last reported the template, in Unix milliseconds.
    pub cached_at: Option<i64>,
    /// Its status then.
    pub status: String,
    /// Whether it was archived then.
    pub archived: bool,
    /// `marketing`, `utility` or `authentication`, as the provider spells it.
    pub category: String,
}

/// A person of recent messages, to be sent to again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RecentContact {
    /// Digits with country code.
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

/// Request to send a template.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendRequest {
    /// Workspace.
    pub workspace: String,
    /// The template.
    pub reference: String,
    /// Identifier of the sending number.
    pub number: String,
    /// Recipient as typed.
    pub to: String,
    /// Values by part.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Options, and overridden warnings.
    #[serde(flatten)]
    pub options: SendOptions,
}

/// Request to send a free text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendText {
    /// Workspace.
    pub workspace: String,
    /// Identifier of the sending number.
    pub number: String,
    /// Recipient as typed.
    pub to: String,
    /// The message.
    pub text: String,
    /// Whether the phone shows a preview of the first link.
    #[serde(default)]
    pub preview_url: bool,
    /// Options, and overridden warnings.
    #[serde(flatten)]
    pub options: SendOptions,
}

fn yes() -> bool {
    true
}

/// Preview of a send.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendPreview {
    /// The JSON body, formatted.
    pub payload: String,
    /// The request as a `curl` command; secrets are replaced by placeholders.
    pub curl: String,
    /// The phone preview.
    pub bubble: Bubble,
    /// Problems that prevent the send, by field (`to`, `number`, `callbackData`, `text`, or a part). Media links are
    /// not fetched for this: see [`Preflight`].
    pub problems: Vec<SendProblem>,
    /// The callback data to send, if any.
    pub callback: Option<String>,
    /// Maximum length of a free text in characters; absent for templates.
    pub text_limit: Option<u32>,
}

/// Result of the preflight checks.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Preflight {
    /// All problems: errors prevent the send, warnings until they are overridden.
    pub problems: Vec<SendProblem>,
    /// Results of the media link checks.
    pub media: Vec<MediaCheck>,
    /// The cached state of the template.
    pub template: TemplateStanding,
    /// Facts about the recipient's number.
    pub recipient: RecipientFacts,
    /// When the checks were made, in Unix milliseconds.
    pub checked_at: i64,
}

/// Last reported state of a template.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateStanding {
    /// Status.
    pub status: String,
    /// Whether it was archived.
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
    /// `+` and the digits.
    pub e164: Option<String>,
    /// The number in international notation.
    pub formatted: Option<String>,
    /// ISO 3166 two-letter code of the country; absent for numbers of no country.
    pub country: Option<String>,
    /// Kind of number in the numbering plan.
    pub kind: Option<NumberKind>,
}

closed_enum! {
    /// Kinds of numbers, according to the numbering plans.
    NumberKind in "app.ts" {
        /// A mobile phone.
        Mobile = "mobile",
        /// A fixed line.
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
        /// A personal number.
        Personal = "personal",
        /// A pager.
        Pager = "pager",
        /// A universal access number.
        Uan = "uan",
        /// A voice mailbox.
        Voicemail = "voicemail",
        /// In no known range.
        Unknown = "unknown",
    }
}

/// Result of checking a media link.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MediaCheck {
    /// Part of the form, such as `card.0.header.link`.
    pub part: String,
    /// The link.
    pub url: String,
    /// The result.
    pub state: MediaState,
    /// Size, if the server states it.
    pub bytes: Option<u64>,
    /// Media type, from the server or the first bytes.
    pub mime: Option<String>,
    /// The error of the server or the network, if the link leads to no file.
    pub detail: Option<String>,
}

/// State of a media link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum MediaState {
    /// A file that the channel accepts.
    Ok,
    /// The file is larger than the channel accepts.
    TooLarge,
    /// The type does not match the header.
    WrongType,
    /// Not a file, or it cannot be fetched.
    Unreachable,
    /// A file of unknown size.
    Unknown,
}

/// Request for the reply window of a contact.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct WindowQuery {
    /// Workspace.
    pub workspace: String,
    /// The contact, as typed.
    pub to: String,
}

/// The reply window of a contact: free text can be sent for 24 hours after their last message (upstream §7, 131047).
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ServiceWindow {
    /// When they last wrote to this workspace, in Unix milliseconds; absent if no message was received.
    pub last_inbound_at: Option<i64>,
    /// When the window closes or closed, in Unix milliseconds.
    pub open_until: Option<i64>,
}

impl ServiceWindow {
    /// Length of the window in milliseconds (upstream §7, 131047).
    const LENGTH: i64 = 24 * 60 * 60 * 1_000;

    /// The window after the last message.
    #[must_use]
    pub fn after(last_inbound_at: Option<i64>) -> Self {
        Self { last_inbound_at, open_until: last_inbound_at.map(|at| at.saturating_add(Self::LENGTH)) }
    }
}

/// Filters of a list of sends. Absent filters accept everything.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendQuery {
    /// Workspace.
    pub workspace: String,
    /// Name of the template.
    pub template: Option<String>,
    /// The template.
    pub reference: Option<String>,
    /// Recipient as typed.
    pub recipient: Option<String>,
    /// State.
    pub state: Option<SendState>,
    /// The batch.
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
    /// Newest first.
    pub rows: Vec<SendRow>,
    /// Cursor of the next page.
    pub next: Option<String>,
}

/// A send in a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendRow {
    /// Identifier.
    pub id: String,
    /// Kind of message.
    pub kind: SendKind,
    /// Sending number.
    pub number: String,
    /// Recipient.
    pub recipient: String,
    /// The recipient's number in the notation of its country, with country code.
    pub formatted: String,
    /// Their name, if known.
    pub recipient_name: Option<String>,
    /// The template's reference, if known.
    pub reference: Option<String>,
    /// Name of the template; empty for a text.
    pub template_name: String,
    /// Language of the template; empty for a text.
    pub language: String,
    /// The text of a free text.
    pub text: Option<String>,
    /// Its state.
    pub state: SendState,
    /// The channel's error code, if it failed.
    pub error_code: Option<String>,
    /// Title of the error, if it failed.
    pub error_title: Option<String>,
    /// When it was sent, in Unix milliseconds.
    pub created_at: i64,
    /// The batch it belongs to.
    pub batch: Option<String>,
}

/// Identifies a send.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendId {
    /// Identifier.
    pub send: String,
}

/// The page of a send.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendDetail {
    /// As in the list.
    pub row: SendRow,
    /// The message as the phone shows it, with the template's content at that time; absent if that is not known.
    pub bubble: Option<Bubble>,
    /// The JSON body as it was sent.
    pub payload: String,
    /// The request as a `curl` command; secrets are replaced by placeholders.
    pub curl: String,
    /// Method and URL of the request.
    pub request: SentRequest,
    /// The provider's answer, unchanged.
    pub response: Option<String>,
    /// HTTP status of the answer.
    pub response_status: Option<u16>,
    /// Message identifier, once known.
    pub message_id: Option<String>,
    /// Our tracking identifier, if one was included.
    pub tracking_id: Option<String>,
    /// The callback data that was sent.
    pub callback_data: Option<String>,
    /// Statuses, oldest first.
    pub timeline: Vec<StatusEntry>,
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

/// Method and URL of a request.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SentRequest {
    /// Method.
    pub method: String,
    /// URL. Contains no secret.
    pub url: String,
}

/// An inbound message that replies to a send.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendReply {
    /// Its event in Activity.
    pub event: String,
    /// When it was written, in Unix milliseconds.
    pub at: i64,
    /// Its text; its kind if it has no text.
    pub text: String,
}

/// Request for a thumbnail of a linked image.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LinkPicture {
    /// The workspace of the message or template.
    pub workspace: String,
    /// An http or https URL.
    pub url: String,
    /// Whether only files of the built-in sandbox are fetched: for templates that a person only reads or edits, because
    /// a request to another server would show it that the link is looked at.
    pub sandbox_only: bool,
}

/// A thumbnail of a linked image.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct LinkedPicture {
    /// The thumbnail as a `data:` URL; absent if there is none.
    pub thumbnail: Option<String>,
}
