//! Contacts, conversations and their media as Inbox shows them.

use model::error_code::Explanation;
use model::event::reading::Fact;
use serde::{Deserialize, Serialize};
use store::desk::SendState;
use ts_rs::TS;

use super::send::ServiceWindow;
use super::workspace::SendingNumber;

/// A list of contacts is asked for.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct ContactQuery {
    /// Workspace.
    pub workspace: String,
    /// A part of a name or of a number, as a person types it.
    pub search: Option<String>,
    /// The channel's identifier of one of our numbers: only contacts who wrote to it.
    pub number: Option<String>,
    /// Only contacts with messages not yet looked at, or only those without.
    pub unread: Option<bool>,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many rows, 1–500.
    pub limit: u32,
}

/// A page of contacts, who wrote last first.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ContactPage {
    /// Who wrote last first.
    pub rows: Vec<ContactRow>,
    /// Gives the next page. There may be one although this page is not full, even empty: a search for one or two
    /// letters looks at some thousand contacts at a time.
    pub next: Option<String>,
    /// Our numbers that somebody wrote to, and those of the workspace: identifier and name.
    pub numbers: Vec<InboxNumber>,
}

/// One of our numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct InboxNumber {
    /// The channel's identifier.
    pub id: String,
    /// What the workspace calls it; the identifier where it has no name for it.
    pub name: String,
}

impl From<SendingNumber> for InboxNumber {
    fn from(number: SendingNumber) -> Self {
        let name = if number.label.is_empty() { number.id.clone() } else { number.label };
        Self { id: number.id, name }
    }
}

/// A contact in the inbox.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ContactRow {
    /// The contact's identifier on the channel.
    pub contact: String,
    /// Profile name; may be empty.
    pub name: String,
    /// Start of the last message.
    pub excerpt: String,
    /// What the last message is: `text`, `image`, …; unknown words as they came.
    pub last_kind: String,
    /// Last message, in Unix milliseconds.
    pub last_at: i64,
    /// Messages not yet looked at.
    pub unread: u64,
    /// Name of our number that the last message came to.
    pub number: Option<String>,
}

/// Names a conversation.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConversationQuery {
    /// Workspace.
    pub workspace: String,
    /// The contact.
    pub contact: String,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many messages, 1–500.
    pub limit: u32,
}

/// A page of a conversation, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConversationPage {
    /// Newest first. Reactions stand with the message they are about.
    pub messages: Vec<ConversationMessage>,
    /// Gives the next page.
    pub next: Option<String>,
    /// Until when free text may be sent.
    pub window: ServiceWindow,
}

/// A message of a conversation: theirs, or one of ours.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConversationMessage {
    /// Message identifier; the send's, where the channel has given none.
    pub id: String,
    /// Whether we sent it.
    pub outgoing: bool,
    /// When, in Unix milliseconds.
    pub at: i64,
    /// `text`, `image`, `button`, `template`, …; unknown words as they came. Empty for one of ours of which only
    /// statuses are known.
    pub kind: String,
    /// Text, caption, button label or template name.
    pub text: String,
    /// What else it says, in order.
    pub facts: Vec<MessageFact>,
    /// Its file.
    pub media: Option<InboxMedia>,
    /// The message it answers.
    pub reply_to: Option<RepliedMessage>,
    /// Reactions to it that were not taken back.
    pub reactions: Vec<Reaction>,
    /// State of our own message.
    pub state: Option<SendState>,
    /// Our send.
    pub send: Option<String>,
    /// The event it came by.
    pub event: Option<String>,
    /// Why it failed, or could not be handed over.
    pub error: Option<Explanation>,
    /// Its JSON as it came, for a type that this version cannot read.
    pub raw: Option<String>,
    /// Name of our number that it came to or went out from.
    pub number: Option<String>,
}

/// Something that a message says besides its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MessageFact {
    /// A key that the window has words for (`latitude`, `address`, `product`, …), or a word of the sender's as it came.
    pub label: String,
    /// As it came. Instants, whose labels end in `At`, are Unix milliseconds.
    pub value: String,
    /// An `https` address that it names.
    pub link: Option<String>,
}

/// The file of a message.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct InboxMedia {
    /// `image`, `audio`, `video`, `document` or `sticker`.
    pub kind: String,
    /// Media type as it came, such as `audio/ogg; codecs=opus`; may be empty.
    pub mime: String,
    /// Its SHA-256 as it came, in base64 or hex.
    pub sha256: Option<String>,
    /// Name of a document.
    pub file_name: Option<String>,
    /// Words below it.
    pub caption: Option<String>,
    /// Where it can be had.
    pub source: MediaSource,
    /// Whether a sound was recorded as a voice message.
    pub voice: Option<bool>,
    /// Whether a sticker moves.
    pub animated: Option<bool>,
}

/// Where a file can be had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum MediaSource {
    /// At the provider's address, which does not expire (contract §6.2, `s3_url`).
    Permanent,
    /// At the channel's address only, for some minutes and with the token (`url`).
    Temporary,
    /// Nowhere: the message names no address.
    #[default]
    None,
}

/// The message that another one answers.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RepliedMessage {
    /// Its identifier.
    pub message: String,
    /// Our send, where it is one.
    pub send: Option<String>,
    /// Start of what it says; empty where nothing but its identifier is known.
    pub excerpt: String,
    /// Whether we sent it.
    pub outgoing: bool,
}

/// A reaction to a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    /// The mark.
    pub emoji: String,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// Names the file of a message.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MediaRequest {
    /// Workspace.
    pub workspace: String,
    /// The event that brought the message.
    pub event: String,
    /// Whether the person asked for the file, so that it may be fetched with the workspace's token. Saving is asking.
    #[serde(default)]
    pub with_token: bool,
    /// Host that the person confirms to receive the token, as [`MediaFile::token_host`] says it. It is remembered with the
    /// token.
    #[serde(default)]
    pub confirmed_host: Option<String>,
}

/// The file of a message, or why it cannot be had.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MediaFile {
    /// Media type: as the bytes show, else as the message says, else as the server says.
    pub mime: String,
    /// Size.
    pub bytes: u64,
    /// A name for saving it.
    pub file_name: String,
    /// The file itself, where it is small enough to be shown: pictures and stickers up to 8 MiB, sounds and films up to
    /// 16 MiB.
    pub data_url: Option<String>,
    /// Whether the bytes are those that the message announces.
    pub sha256: DigestVerdict,
    /// Whether it is there.
    pub state: MediaFileState,
    /// Why it is not, in words.
    pub detail: Option<String>,
    /// Whether it was here already.
    pub cached: bool,
    /// Scheme, host and port of the address that needs the token, in state `needsToken`.
    pub token_host: Option<String>,
}

/// What a comparison with the announced SHA-256 says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum DigestVerdict {
    /// The bytes are those announced.
    Matches,
    /// They are others: altered on the way, or announced wrongly.
    Differs,
    /// None was announced, or in a form that is neither base64 nor hex.
    #[default]
    Absent,
}

/// What became of fetching a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum MediaFileState {
    /// It is there.
    #[default]
    Ok,
    /// Its address no longer gives it (401, 403, 404, 410).
    Expired,
    /// No answer, or none in time.
    Unreachable,
    /// It is at an address that needs the workspace's token, and nobody asked for it yet.
    NeedsToken,
    /// It is not fetched, or not taken: no address, one without encryption, a redirect, too large, another answer.
    Refused,
}

/// A file that was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SavedMedia {
    /// Where it is.
    pub path: String,
    /// SHA-256 of what was written, in hex.
    pub sha256: String,
}

impl From<Fact> for MessageFact {
    fn from(fact: Fact) -> Self {
        Self { label: fact.label, value: fact.value, link: fact.link }
    }
}
