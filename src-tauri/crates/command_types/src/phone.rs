//! The sandbox: its settings, phones and messages.

use model::render::Bubble;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SandboxSettings {
    /// Profile: the behaviour of the channel, only what the contract specifies, or the channel with several accounts.
    #[ts(type = "\"whatsapp\" | \"minimal\" | \"agency\"")]
    pub profile: String,
    /// Variants for the profile `minimal`.
    pub minimal: SandboxMinimal,
    /// `auto`, `approve`, `reject`, `reject_once` or `manual`.
    pub review: String,
    /// Time in review, in milliseconds.
    pub review_delay_ms: u64,
    /// Time between statuses, in milliseconds.
    pub status_delay_ms: u64,
    pub webhooks: SandboxWebhooks,
    /// Type of the message that reports a tap on a quick reply.
    #[ts(type = "\"button\" | \"interactive\"")]
    pub tap_form: String,
    /// Where a failed status contains its error: as in the profile, `errors` as an array, or `error` as an object or an
    /// array.
    #[ts(type = "\"profile\" | \"array\" | \"object\" | \"error_array\"")]
    pub error_form: String,
    pub auto_read: bool,
    /// URLs in the media of inbound messages: both, only the channel's, or only an expired one of the channel.
    #[ts(type = "\"both\" | \"url\" | \"expired\"")]
    pub media_links: String,
    /// Whether sends above the channel's limits are refused.
    pub throttle: bool,
    /// A fault of the next requests; absent for none.
    pub fault: Option<SandboxFault>,
    /// Whether a setting for developers differs from its default. Ignored in requests.
    #[serde(default)]
    pub customized: bool,
}

/// What the sandbox starts with after a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ResetSandbox {
    /// Whether it gets the sample templates and the history of a business; otherwise no templates.
    pub history: bool,
}

/// Requests of the sandbox that do not get the answer that they should.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SandboxFault {
    /// `send`, `create`, `edit`, `archive`, `unarchive`, `delete`, `list`; at least one.
    #[ts(type = "(\"send\" | \"create\" | \"edit\" | \"archive\" | \"unarchive\" | \"delete\" | \"list\")[]")]
    pub operations: Vec<String>,
    /// What the app receives: nothing, because the connection is closed; an answer with `status`; one whose `Date` is
    /// `offset` ahead or behind; a list without `template`.
    #[ts(type = "\"cut\" | \"status\" | \"ahead\" | \"behind\" | \"omit\"")]
    pub answer: String,
    /// HTTP status, 400–599. A request that is answered 401 is not carried out.
    pub status: Option<u16>,
    /// Seconds in `Retry-After`, with a status.
    pub retry_after: Option<u32>,
    /// Difference of `Date`, in seconds.
    pub offset: Option<u32>,
    /// Name of the template.
    pub template: Option<String>,
    /// The first affected request, 1–1 000 000; absent for the next one.
    pub from: Option<u32>,
    /// Number of affected requests, 1–1 000 000; absent for all.
    pub times: Option<u32>,
}

/// Variants of the sandbox's profile `minimal` where the contract leaves a choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SandboxMinimal {
    /// Position of the records in a listing.
    #[ts(
        type = "\"data\" | \"array\" | \"data_items\" | \"data_templates\" | \"templates\" | \"results\" | \"items\""
    )]
    pub listing: String,
    pub archived: bool,
    pub category: bool,
    /// Position of the uuid in the answer to a creation.
    #[ts(type = "\"uuid\" | \"data_uuid\" | \"id\"")]
    pub creation: String,
    /// Whether the answer to a send contains the message identifier.
    pub message_id: bool,
    /// Whether archiving, unarchiving and deleting answer without a body.
    pub empty_answers: bool,
}

/// How the sandbox delivers webhooks. Unusual settings are for testing a receiver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SandboxWebhooks {
    /// Whether delivery is paused; events are delivered after the pause.
    pub paused: bool,
    /// Time between an event and its delivery, in milliseconds.
    pub delay_ms: u64,
    /// Number of additional deliveries of every body: 0–100.
    pub duplicates: u32,
    /// Collects events for `window_ms` and delivers them in reverse order.
    pub reorder: bool,
    /// Maximum number of events in one delivery: 1–1000. Above 1, events are collected for `window_ms`.
    pub batch: u32,
    /// How long events are collected, in milliseconds.
    pub window_ms: u64,
    #[ts(type = "\"right\" | \"wrong\" | \"missing\"")]
    pub signature: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneRow {
    /// Its number.
    pub recipient: String,
    /// The number in the notation of its country, with country code.
    pub formatted: String,
    /// Its profile name, if one was set.
    pub name: Option<String>,
    pub messages: u64,
    /// Last message, or when it was added, in Unix milliseconds.
    pub last_at: i64,
    /// Type of the last message; empty if there is none.
    pub last_kind: String,
    /// Start of the text of the last message; empty if it has none.
    pub excerpt: String,
    /// Script for its next messages; absent for the default or the script of all phones.
    pub script: Option<PhoneScript>,
    /// Sending numbers whose marketing messages its owner stopped.
    pub marketing_stopped: Vec<String>,
}

/// What a phone's owner says about the marketing messages of a business.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneMarketing {
    pub recipient: String,
    /// A sending number of the business; absent for the one of the last message.
    pub number: Option<String>,
    pub is_stopped: bool,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PhoneId {
    /// Its number.
    pub recipient: String,
}

/// A phone to add, or to rename.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct AddPhone {
    /// Its number: digits with country code. Spaces, `+`, dashes, dots and brackets are removed.
    pub recipient: String,
    /// Its profile name, at most 100 characters; absent to keep the current one.
    pub name: Option<String>,
}

/// A message on a phone of the sandbox, or in flight to it.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneMessage {
    pub id: String,
    /// Whether the phone's owner sent it.
    pub from_phone: bool,
    pub at: i64,
    /// `template` or `text` from the business; from the phone, the type of the message: `text`, `button`,
    /// `interactive`, `image`, `audio`, `video`, `document`, `sticker` or another; `revoke` if it was deleted.
    pub kind: String,
    /// A message from the business as the phone shows it; absent for messages from the phone.
    pub bubble: Option<Bubble>,
    /// Its text: a text, the label of a tapped button, a caption.
    pub text: Option<String>,
    pub media: Option<PhoneMedia>,
    /// The furthest status of a message of the business: `accepted`, `sent`, `delivered`, `read` or `failed`. The phone
    /// shows the message from `delivered` on. `received` for messages of the phone.
    pub status: String,
    pub error: Option<PhoneError>,
    /// Taps on its quick replies, in order.
    pub taps: Vec<TapMade>,
    pub reply_to: Option<String>,
    /// Whether the phone's owner edited it.
    pub edited: bool,
    /// The sending number of the conversation.
    pub number: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneMedia {
    /// `image`, `audio`, `video`, `document` or `sticker`.
    pub kind: String,
    /// Name of the file; empty if it had none.
    pub name: String,
    pub mime: String,
    pub bytes: u64,
    /// Thumbnail as a `data:` URL.
    pub thumbnail: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PhoneError {
    /// The channel's code.
    pub code: i64,
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TapMade {
    /// Position of the card, from 0, for buttons of cards.
    pub card: Option<u32>,
    /// Position of the button, from 0.
    pub button: u32,
    pub at: i64,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneTap {
    pub recipient: String,
    pub message: String,
    /// Position of the button, from 0.
    pub button: u32,
    /// Position of the card, from 0, for buttons of cards.
    pub card: Option<u32>,
    /// Type of the reply message; absent for the one in the settings.
    #[ts(type = "\"button\" | \"interactive\" | null")]
    pub form: Option<String>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneText {
    pub recipient: String,
    pub text: String,
    /// The sending number it is sent to; absent for the one of the last message.
    pub number: Option<String>,
    pub reply_to: Option<String>,
}

/// An edit or a deletion of a text that the phone's owner sent.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneRevision {
    pub recipient: String,
    pub message: String,
    /// The new text; absent to delete the message.
    pub text: Option<String>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneFile {
    pub recipient: String,
    /// Path of the file, if it was dropped on the window; if absent, a file dialog opens.
    pub path: Option<String>,
    /// The sending number it is sent to; absent for the one of the last message.
    pub number: Option<String>,
    /// Caption, for images, videos and documents.
    pub caption: Option<String>,
    pub reply_to: Option<String>,
}

/// Script for the next messages to a phone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneScript {
    /// Behaviour: all statuses, the same slowly, a failure, every status several times, the statuses in reverse order,
    /// or none after `sent`.
    #[ts(type = "\"deliver\" | \"slow\" | \"fail\" | \"duplicate\" | \"reorder\" | \"stop\"")]
    pub next: String,
    /// Time between statuses, in milliseconds, at most a day; if absent for `slow`, ten seconds.
    pub ms: Option<u64>,
    /// For `fail`: a code of `list_failure_codes`.
    pub code: Option<i64>,
    /// For `duplicate`: how many times every status is delivered, 2–20.
    pub times: Option<u32>,
    /// Number of messages that it applies to; absent for all until it is changed.
    pub count: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PhoneScriptRow {
    /// The phone; `*` for every phone without its own script.
    pub recipient: String,
    pub script: PhoneScript,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SavePhoneScript {
    /// The phone; `*` for every phone without its own script.
    pub recipient: String,
    /// Script for its next messages; absent for the default behaviour.
    pub script: Option<PhoneScript>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FailureCode {
    pub code: i64,
    /// Its meaning, in English.
    pub meaning: String,
}

/// A decision of the sandbox's reviewer.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewDecision {
    pub reference: String,
    /// The event, such as `APPROVED`.
    pub event: String,
    /// Why, for a rejection.
    pub reason: Option<String>,
}
