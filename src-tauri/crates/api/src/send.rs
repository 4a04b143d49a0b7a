//! Sends: the form, the preview, what is checked before one leaves, the list and the page.

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

/// The form of a test send.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendForm {
    /// Name.
    pub name: String,
    /// Language.
    pub language: String,
    /// Why it cannot be sent, where it cannot.
    pub blocked: Option<SendProblem>,
    /// In the order of the message.
    pub parts: Vec<SendPart>,
    /// Sending numbers of the workspace.
    pub numbers: Vec<SendingNumber>,
    /// Recipients of earlier sends, newest first.
    pub recent_recipients: Vec<String>,
    /// When the provider last told of it, in Unix milliseconds.
    pub cached_at: Option<i64>,
    /// Where it stood then.
    pub status: String,
    /// Whether it was archived then.
    pub archived: bool,
    /// `marketing`, `utility` or `authentication`, as the provider writes it.
    pub category: String,
}

/// What goes along with a send, and what the person overrides.
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
    /// Whether it is sent to the letter as it is written; nothing is merged into it then.
    #[serde(default)]
    pub exact_callback: bool,
    /// Codes of the warnings that the person has seen and overrides.
    #[serde(default)]
    pub overrides: Vec<String>,
}

/// A send of a template as filled in.
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
    /// What goes along, and what is overridden.
    #[serde(flatten)]
    pub options: SendOptions,
}

/// A free text as filled in.
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
    /// Whether the phone shows what the first address in it leads to.
    #[serde(default)]
    pub preview_url: bool,
    /// What goes along, and what is overridden.
    #[serde(flatten)]
    pub options: SendOptions,
}

fn yes() -> bool {
    true
}

/// What a send would be.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendPreview {
    /// The JSON body, for reading.
    pub payload: String,
    /// The request for a shell; secrets are named, not written.
    pub curl: String,
    /// What the phone shows.
    pub bubble: Bubble,
    /// What stands in the way, by field (`to`, `number`, `callbackData`, `text`, or a part). Media links are not
    /// fetched for this: see [`Preflight`].
    pub problems: Vec<SendProblem>,
    /// The callback data that goes, if any does.
    pub callback: Option<String>,
}

/// What was found before a send.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Preflight {
    /// Everything that stands in the way: errors stop the send, warnings until they are overridden.
    pub problems: Vec<SendProblem>,
    /// What the media links lead to.
    pub media: Vec<MediaCheck>,
    /// The template as the cache knows it.
    pub template: TemplateStanding,
    /// Who would get it.
    pub recipient: RecipientFacts,
    /// When this was found, in Unix milliseconds.
    pub checked_at: i64,
}

/// Where a template stood when the provider last told of it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateStanding {
    /// Status.
    pub status: String,
    /// Whether it was archived.
    pub archived: bool,
    /// When that was, in Unix milliseconds.
    pub cached_at: Option<i64>,
}

/// What a recipient's number says by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RecipientFacts {
    /// The digits that are sent; absent when it is no number.
    pub digits: Option<String>,
    /// `+` and the digits.
    pub e164: Option<String>,
    /// As people write it internationally.
    pub formatted: Option<String>,
    /// Country, in two letters of ISO 3166; absent for numbers of none.
    pub country: Option<String>,
    /// What the numbering plan says it is.
    pub kind: Option<NumberKind>,
}

closed_enum! {
    /// Kinds of numbers, by the numbering plans of the world.
    NumberKind in "app.ts" {
        /// A mobile phone.
        Mobile = "mobile",
        /// A fixed line.
        FixedLine = "fixedLine",
        /// Either, where the plan does not tell them apart.
        FixedLineOrMobile = "fixedLineOrMobile",
        /// Free for the caller.
        TollFree = "tollFree",
        /// Charged at a premium rate.
        PremiumRate = "premiumRate",
        /// Paid by caller and recipient.
        SharedCost = "sharedCost",
        /// A phone on the internet.
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

/// What a media link leads to.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MediaCheck {
    /// Part of the form, such as `card.0.header.link`.
    pub part: String,
    /// The link.
    pub url: String,
    /// What was found.
    pub state: MediaState,
    /// Size, where the server says.
    pub bytes: Option<u64>,
    /// Type, by the server's word or by the first bytes.
    pub mime: Option<String>,
    /// What the server or the network said, where the link leads to no file.
    pub detail: Option<String>,
}

/// What a media link is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum MediaState {
    /// A file that the channel takes.
    Ok,
    /// More bytes than the channel takes.
    TooLarge,
    /// Another type than the header's.
    WrongType,
    /// No file, or none that can be fetched.
    Unreachable,
    /// A file whose size nobody says.
    Unknown,
}

/// The service window of a contact is asked for.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct WindowQuery {
    /// Workspace.
    pub workspace: String,
    /// The contact, as typed.
    pub to: String,
}

/// Until when free text reaches a contact: 24 hours after they last wrote (upstream §7, 131047).
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ServiceWindow {
    /// When they last wrote to this workspace, in Unix milliseconds; absent when nothing of them has come in.
    pub last_inbound_at: Option<i64>,
    /// When the window closes or closed.
    pub open_until: Option<i64>,
}

impl ServiceWindow {
    /// How long it stays open, in milliseconds (upstream §7, 131047).
    const LENGTH: i64 = 24 * 60 * 60 * 1_000;

    /// The window that their last message opened.
    #[must_use]
    pub fn after(last_inbound_at: Option<i64>) -> Self {
        Self { last_inbound_at, open_until: last_inbound_at.map(|at| at.saturating_add(Self::LENGTH)) }
    }
}

/// A list of sends is asked for. Absent filters accept everything.
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
    /// Where it stands.
    pub state: Option<SendState>,
    /// The batch.
    pub batch: Option<String>,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many rows, 1–500.
    pub limit: u32,
}

/// A page of sends, newest first.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendPage {
    /// Newest first.
    pub rows: Vec<SendRow>,
    /// Gives the next page.
    pub next: Option<String>,
}

/// A send in a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendRow {
    /// Identifier.
    pub id: String,
    /// What was sent.
    pub kind: SendKind,
    /// Sending number.
    pub number: String,
    /// Recipient.
    pub recipient: String,
    /// Their name, where they are known.
    pub recipient_name: Option<String>,
    /// The template's reference, where it is known.
    pub reference: Option<String>,
    /// Name of the template; empty for a text.
    pub template_name: String,
    /// Language of the template; empty for a text.
    pub language: String,
    /// The text, for a text.
    pub text: Option<String>,
    /// Where it stands.
    pub state: SendState,
    /// The channel's error code, where it failed.
    pub error_code: Option<String>,
    /// What the error says, where it failed.
    pub error_title: Option<String>,
    /// When it left, in Unix milliseconds.
    pub created_at: i64,
    /// The batch it belongs to.
    pub batch: Option<String>,
}

/// Names a send.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendId {
    /// Identifier.
    pub send: String,
}

/// A send's page.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendDetail {
    /// As in the list.
    pub row: SendRow,
    /// The JSON body as it was sent.
    pub payload: String,
    /// The request for a shell; secrets are named, not written.
    pub curl: String,
    /// Where it went.
    pub request: SentRequest,
    /// The provider's answer, as it came.
    pub response: Option<String>,
    /// HTTP status of the answer.
    pub response_status: Option<u16>,
    /// Message identifier, once known.
    pub message_id: Option<String>,
    /// Our tracking identifier, where one went along.
    pub tracking_id: Option<String>,
    /// The callback data that went along.
    pub callback_data: Option<String>,
    /// Statuses, oldest first.
    pub timeline: Vec<StatusEntry>,
    /// Why the provider refused it.
    pub error: Option<DeskError>,
    /// What that means, where the channel's code is known.
    pub explanation: Option<Explanation>,
    /// The same once more; absent for texts and where the values are not known.
    pub again: Option<SendRequest>,
    /// The same text once more; absent for templates.
    pub again_text: Option<SendText>,
    /// What the recipient wrote in answer to it, oldest first.
    pub replies: Vec<SendReply>,
}

/// Method and address of a request.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SentRequest {
    /// Method.
    pub method: String,
    /// Address. Holds no secret.
    pub url: String,
}

/// An inbound message that answers a send.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendReply {
    /// Its event in Activity.
    pub event: String,
    /// When it was written, in Unix milliseconds.
    pub at: i64,
    /// What it says; its kind where it has no words.
    pub text: String,
}

/// A status of a message.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StatusEntry {
    /// `sent`, `delivered`, `read`, `failed`, ….
    pub status: String,
    /// The channel's instant in Unix milliseconds.
    pub at: i64,
    /// When it came in first.
    pub received_at: Option<i64>,
    /// How often it came, as far as the inbox still holds it; 1 at least.
    pub deliveries: u64,
    /// Its event in Activity, while the inbox holds it.
    pub event: Option<String>,
    /// The error object as JSON, where it failed.
    pub error: Option<String>,
    /// What the error means and what to do.
    pub explanation: Option<Explanation>,
    /// What it costs, where the status says.
    pub pricing: Option<StatusPricing>,
    /// The conversation it was billed in, where the status says.
    pub conversation: Option<StatusConversation>,
    /// The callback data as it came back.
    pub callback_data: Option<String>,
    /// Whether a status that says more had come before it.
    pub late: Option<bool>,
}

/// What a message costs (contract §6.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StatusPricing {
    /// Whether it is charged, by [`model::event::status::Pricing::is_charged`].
    pub charged: Option<bool>,
    /// `PMP` for a price per message, `CBP` for a price per conversation.
    pub model: Option<String>,
    /// `regular`, `free_customer_service`, `free_group_customer_service` or `free_entry_point`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// `paid_exempt` where the message is exempt from payment.
    pub subtype: Option<String>,
    /// Which rate applies.
    pub category: Option<String>,
}

/// The conversation a message belongs to (contract §6.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StatusConversation {
    /// Identifier.
    pub id: Option<String>,
    /// What opened it.
    pub origin: Option<String>,
    /// When it closes, in Unix milliseconds.
    pub expires_at: Option<i64>,
}

/// Asks for the picture that a link leads to.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LinkPicture {
    /// The workspace of the send.
    pub workspace: String,
    /// An http or https address.
    pub url: String,
}

/// The picture that a link leads to.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct LinkedPicture {
    /// A small form of it as a `data:` address; absent where there is none to show.
    pub thumbnail: Option<String>,
}
