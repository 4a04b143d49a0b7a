//! The sandbox: its settings, the phones of its recipients, and what happens to the messages they get.

use model::render::Bubble;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How the sandbox reviews and delivers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SandboxSettings {
    /// How much it says: all that the channel does, or only what the contract names.
    #[ts(type = "\"whatsapp\" | \"minimal\"")]
    pub profile: String,
    /// The forms of the profile `minimal`.
    pub minimal: SandboxMinimal,
    /// `auto`, `approve`, `reject`, `reject_once` or `manual`.
    pub review: String,
    /// Time in review, in milliseconds.
    pub review_delay_ms: u64,
    /// Time between statuses, in milliseconds.
    pub status_delay_ms: u64,
    /// How events are delivered.
    pub webhooks: SandboxWebhooks,
    /// How the tap on a quick reply comes back.
    #[ts(type = "\"button\" | \"interactive\"")]
    pub tap_form: String,
    /// Where a failed status carries its error: as the profile does, `errors` as an array, or `error` as an object or as
    /// an array.
    #[ts(type = "\"profile\" | \"array\" | \"object\" | \"error_array\"")]
    pub error_form: String,
    /// Whether delivered messages are read by themselves.
    pub auto_read: bool,
    /// Which links the media of inbound messages carry: both, the channel's own alone, or that one expired already.
    #[ts(type = "\"both\" | \"url\" | \"expired\"")]
    pub media_links: String,
    /// Whether sends above the channel's limits are refused.
    pub throttle: bool,
    /// What the next requests meet after they were carried out; nothing where absent.
    pub fault: Option<SandboxFault>,
}

/// Requests of the sandbox that are carried out and whose answer is lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SandboxFault {
    /// `send`, `create`, `edit`, `archive`, `unarchive`, `delete`; at least one.
    #[ts(type = "(\"send\" | \"create\" | \"edit\" | \"archive\" | \"unarchive\" | \"delete\")[]")]
    pub operations: Vec<String>,
    /// HTTP status that comes without a body, 400–599; the connection is cut where absent.
    pub status: Option<u16>,
    /// Seconds in `Retry-After`; not where the connection is cut.
    pub retry_after: Option<u32>,
    /// How many requests meet it, 1–1 000 000; all of them where absent.
    pub times: Option<u32>,
}

/// The forms of the sandbox's profile `minimal` where the contract leaves a choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SandboxMinimal {
    /// Where the records of a listing stand.
    #[ts(
        type = "\"data\" | \"array\" | \"data_items\" | \"data_templates\" | \"templates\" | \"results\" | \"items\""
    )]
    pub listing: String,
    /// Whether a listing holds archived templates.
    pub archived: bool,
    /// Whether records have a category.
    pub category: bool,
    /// Where the uuid stands in the answer of a creation.
    #[ts(type = "\"uuid\" | \"data_uuid\" | \"id\"")]
    pub creation: String,
    /// Whether the answer of a send names the message.
    pub message_id: bool,
    /// Whether archiving, unarchiving and deleting answer no body.
    pub empty_answers: bool,
}

/// How the sandbox delivers events. What is out of the ordinary here is there to try a receiver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SandboxWebhooks {
    /// Holds everything back; what happens meanwhile is delivered after the pause.
    pub paused: bool,
    /// Time between an event and its delivery, in milliseconds.
    pub delay_ms: u64,
    /// Further deliveries of every body: 0–100.
    pub duplicates: u32,
    /// Collects events for `window_ms` and delivers them in reverse order.
    pub reorder: bool,
    /// Most events in one delivery: 1–1000. Above 1, events are collected for `window_ms`.
    pub batch: u32,
    /// For how long events are collected, in milliseconds.
    pub window_ms: u64,
    /// What stands in the signature's header.
    #[ts(type = "\"right\" | \"wrong\" | \"missing\"")]
    pub signature: String,
}

/// A phone of the sandbox.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneRow {
    /// Its number.
    pub recipient: String,
    /// The name in its profile, where somebody gave it one.
    pub name: Option<String>,
    /// Messages on it.
    pub messages: u64,
    /// Last message, or when it was first heard of, in Unix milliseconds.
    pub last_at: i64,
    /// Beginning of what was last said; empty while nothing was.
    pub excerpt: String,
    /// What happens to its next messages; absent while they take their ordinary course, or that of every phone.
    pub script: Option<PhoneScript>,
}

/// Names a phone of the sandbox.
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
    /// Its number: digits with country code. Spaces, `+`, dashes, dots and brackets between them are left out.
    pub recipient: String,
    /// The name in its profile, at most 100 characters; the name it has stays where this is absent.
    pub name: Option<String>,
}

/// A message on a phone of the sandbox, or on its way there.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneMessage {
    /// Message identifier.
    pub id: String,
    /// Whether the phone's owner sent it.
    pub from_phone: bool,
    /// When, in Unix milliseconds.
    pub at: i64,
    /// `template` or `text` from the business; from the phone the type of the message: `text`, `button`, `interactive`,
    /// `image`, `audio`, `video`, `document`, `sticker` or any other.
    pub kind: String,
    /// A template as rendered; absent for anything else.
    pub bubble: Option<Bubble>,
    /// What it says: a text, the label that was tapped, a caption.
    pub text: Option<String>,
    /// The file it carries.
    pub media: Option<PhoneMedia>,
    /// The furthest status of a message of the business: `accepted`, `sent`, `delivered`, `read` or `failed`. The phone
    /// shows it from `delivered` on. `received` for messages of the phone.
    pub status: String,
    /// Why it failed.
    pub error: Option<PhoneError>,
    /// Taps on its quick replies, in order.
    pub taps: Vec<TapMade>,
    /// The message it answers.
    pub reply_to: Option<String>,
    /// The sending number it is with.
    pub number: String,
}

/// A file that a phone sent.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneMedia {
    /// `image`, `audio`, `video`, `document` or `sticker`.
    pub kind: String,
    /// Name of the file; empty where it had none.
    pub name: String,
    /// Media type.
    pub mime: String,
    /// Size.
    pub bytes: u64,
    /// A small picture of it, as a `data:` URL.
    pub thumbnail: Option<String>,
}

/// Why a message failed.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PhoneError {
    /// The channel's code.
    pub code: i64,
    /// In the channel's words.
    pub title: String,
}

/// A tap on a quick reply, as it was made.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TapMade {
    /// Position of the card, from 0, for buttons of cards.
    pub card: Option<u32>,
    /// Position of the button, from 0.
    pub button: u32,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// A tap on a quick reply.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneTap {
    /// The phone.
    pub recipient: String,
    /// The message.
    pub message: String,
    /// Position of the button, from 0.
    pub button: u32,
    /// Position of the card, from 0, for buttons of cards.
    pub card: Option<u32>,
    /// How it comes back; as the settings say where absent.
    #[ts(type = "\"button\" | \"interactive\" | null")]
    pub form: Option<String>,
}

/// A text typed on the phone.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneText {
    /// The phone.
    pub recipient: String,
    /// The text.
    pub text: String,
    /// The sending number it goes to; the one that wrote last where absent.
    pub number: Option<String>,
    /// The message on the phone that it answers.
    pub reply_to: Option<String>,
}

/// A file sent from the phone.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneFile {
    /// The phone.
    pub recipient: String,
    /// The file, where it was dropped on the window; asked for where absent.
    pub path: Option<String>,
    /// The sending number it goes to; the one that wrote last where absent.
    pub number: Option<String>,
    /// Text below it, for pictures, films and documents.
    pub caption: Option<String>,
    /// The message on the phone that it answers.
    pub reply_to: Option<String>,
}

/// What happens to the next messages to a phone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneScript {
    /// What happens: all statuses, the same slowly, a failure, every status several times, the statuses in reverse order,
    /// or nothing after `sent`.
    #[ts(type = "\"deliver\" | \"slow\" | \"fail\" | \"duplicate\" | \"reorder\" | \"stop\"")]
    pub next: String,
    /// Time between statuses, in milliseconds, at most a day; ten seconds for `slow` where absent.
    pub ms: Option<u64>,
    /// For `fail`: a code of `list_failure_codes`.
    pub code: Option<i64>,
    /// For `duplicate`: how often every status comes, 2–20.
    pub times: Option<u32>,
    /// How many messages it is for; until it is changed, where absent.
    pub count: Option<u32>,
}

/// A script and whose it is.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PhoneScriptRow {
    /// The phone; `*` for every phone that has none of its own.
    pub recipient: String,
    /// What happens to its next messages.
    pub script: PhoneScript,
}

/// A script to set.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SavePhoneScript {
    /// The phone; `*` for every phone that has none of its own.
    pub recipient: String,
    /// What happens to its next messages; their ordinary course where absent.
    pub script: Option<PhoneScript>,
}

/// A code that a message can fail with.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FailureCode {
    /// The channel's code.
    pub code: i64,
    /// What it means, in English.
    pub meaning: String,
}

/// A decision of the sandbox's reviewer.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewDecision {
    /// The template.
    pub reference: String,
    /// Event such as `APPROVED`.
    pub event: String,
    /// Why, for a rejection.
    pub reason: Option<String>,
}
