//! Contacts, conversations and their media for the Inbox screen.

use model::error_code::Explanation;
use model::event::reading::Fact;
use model::render::Bubble;
use serde::{Deserialize, Serialize};
use store::desk::SendState;
use ts_rs::TS;

use super::error::DeskError;
use super::opt_outs::{MarketingStop, OtherStop};
use super::send::ServiceWindow;
use super::workspace::SendingNumber;

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct ContactQuery {
    pub workspace: String,
    /// Part of a name, a note or a number, as typed. The first rows are people of the address book and recipients of sends.
    pub search: Option<String>,
    /// The channel's identifier of one of our numbers: only messages to and from it.
    pub number: Option<String>,
    /// Only contacts with unread messages, or only those without.
    pub unread: Option<bool>,
    pub people: ListedPeople,
    /// `next` of the previous page.
    pub after: Option<String>,
    /// Maximum number of rows, 1–500.
    pub limit: u32,
}

/// Which people a list of contacts shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ListedPeople {
    /// Also those to whom this app only sent.
    #[default]
    Everyone,
    /// Those who wrote. A search finds the others too.
    Wrote,
    /// Those with a message that is later than what was sent to them from the same number, without batches, what failed, and
    /// messages that need no answer. The rows are about that message, the newest of several.
    Unanswered,
    /// Those of them whom that number may still answer with free text, the one whose service window ends first in front. Who
    /// wrote to several numbers has the place of their last message.
    Ending,
}

impl ListedPeople {
    /// Whether only people who wait for an answer are listed.
    #[must_use]
    pub const fn is_unanswered(self) -> bool {
        matches!(self, Self::Unanswered | Self::Ending)
    }
}

/// A page of contacts, those with the newest messages first: people who wrote, and people to whom this app sent unless
/// they are left out.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ContactPage {
    pub rows: Vec<ContactRow>,
    /// Cursor of the next page. There may be one even if this page is not full, or empty: a search for one or two
    /// letters checks some thousand contacts at a time.
    pub next: Option<String>,
    /// Our numbers that received messages, and those of the workspace: identifier and name.
    pub numbers: Vec<BusinessNumber>,
}

/// What waits to be read in a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct UnreadCount {
    pub contacts: u64,
}

/// One of our numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BusinessNumber {
    /// The channel's identifier.
    pub id: String,
    /// Its name in the workspace; the identifier if it has none.
    pub name: String,
}

impl From<SendingNumber> for BusinessNumber {
    fn from(number: SendingNumber) -> Self {
        let name = number.name().to_owned();
        Self { id: number.id, name }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ContactRow {
    /// The contact's identifier on the channel.
    pub contact: String,
    /// The number in the notation of its country, with country code; the identifier of a contact who hides the number.
    pub formatted: String,
    /// Name in the address book, else the profile name; may be empty.
    pub name: String,
    /// Start of the last message, as in [`ConversationMessage::text`].
    pub excerpt: String,
    /// Kind of the last message, as in [`ConversationMessage::kind`].
    pub last_kind: String,
    /// Whether we sent the last message.
    pub outgoing: bool,
    /// State of the last message if we sent it.
    pub state: Option<SendState>,
    /// Last message, in Unix milliseconds.
    pub last_at: i64,
    pub unread: u64,
    /// Name of our number that received or sent the last message.
    pub number: Option<String>,
    /// Until when that number may answer with free text. Only of people who wait for an answer.
    pub window: Option<ServiceWindow>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConversationQuery {
    pub workspace: String,
    pub contact: String,
    /// Our number whose conversations are looked at; marketing is about its business. Absent, or not a number of the
    /// workspace: [`ConversationPage::number`].
    pub number: Option<String>,
    /// `next` of the previous page.
    pub after: Option<String>,
    /// Maximum number of messages, 1–500.
    pub limit: u32,
}

/// Reading is an act of a person: only a window that they look at requests this.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct MarkRead {
    pub workspace: String,
    pub contact: String,
    /// [`ConversationPage::read_until`] of the page that was shown. Messages that arrived later stay unread.
    pub until: i64,
}

/// The newest message of a contact becomes unread again, as a reminder.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct MarkUnread {
    pub workspace: String,
    pub contact: String,
}

/// Until an instant, the messages of a contact need no answer: they are not listed as unanswered until the person writes
/// again.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct NoAnswerUntil {
    pub workspace: String,
    pub contact: String,
    /// [`UnansweredMessage::at`] of the newest message that was shown, or [`ConversationPage::no_answer_until`] from before
    /// to take it back. Absent: all messages may need an answer.
    pub until: Option<i64>,
}

/// The last message of a contact to one of our numbers, which has no answer from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct UnansweredMessage {
    /// The channel's identifier of the number; absent if it is not one of the workspace.
    pub number: Option<String>,
    pub at: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConversationPage {
    /// Newest first. Reactions are shown with the message they are about.
    pub messages: Vec<ConversationMessage>,
    /// If messages are unread: the last one of this page to arrive, for [`MarkRead::until`].
    pub read_until: Option<i64>,
    pub next: Option<String>,
    pub window: ServiceWindow,
    /// The identifier to reply to: the person's current number, or their user id if no number is known.
    pub contact: String,
    /// Whether `contact` can be sent to: a number, or a user id where the provider takes it.
    pub can_reply: bool,
    /// As in [`ContactRow::formatted`].
    pub formatted: String,
    /// The contact's name in the address book, else their profile name; may be empty.
    pub name: String,
    /// The contact's username, without `@`.
    pub username: Option<String>,
    /// Identifier of our number that the three fields below are about, as in [`ConversationQuery::number`].
    pub marketing_number: Option<String>,
    /// If the contact has stopped marketing messages from that number.
    pub marketing_stop: Option<MarketingStop>,
    /// What they have stopped of our other businesses, newest first.
    pub other_stops: Vec<OtherStop>,
    /// Names of the accounts that a note about that number concerns; absent if it concerns all of the workspace.
    pub marketing_accounts: Option<String>,
    /// Identifier of our number to reply from: the one of the contact's last message, else of our last send to them.
    pub number: Option<String>,
    /// The messages that wait for an answer, newest first.
    pub unanswered: Vec<UnansweredMessage>,
    /// Until when a person decided that messages need no answer, in Unix milliseconds.
    pub no_answer_until: Option<i64>,
}

/// A search in messages that were sent from here.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FoundMessageQuery {
    pub workspace: String,
    /// Words, as typed.
    pub search: String,
    /// `next` of the previous page.
    pub after: Option<String>,
    /// Maximum number of rows, 1–500.
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FoundMessagePage {
    /// Newest first.
    pub rows: Vec<FoundMessage>,
    /// Cursor of the next page. There may be one even if this page is not full: a search checks some ten thousand sends at a
    /// time.
    pub next: Option<String>,
}

/// A message that was sent from here and has the words of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FoundMessage {
    /// The send, as in [`ConversationMessage::send`].
    pub send: String,
    /// As in [`ContactRow::contact`].
    pub contact: String,
    pub formatted: String,
    /// As in [`ContactRow::name`].
    pub name: String,
    /// The part of its text that has a word of the search.
    pub excerpt: String,
    pub at: i64,
}

/// A message of a conversation, inbound or outbound.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConversationMessage {
    /// Message identifier; the send's, if the channel has assigned none.
    pub id: String,
    /// Whether we sent it.
    pub outgoing: bool,
    pub at: i64,
    /// `text`, `image`, `button`, `template`, …; unknown kinds unchanged. Empty for an outbound message known only from
    /// statuses.
    pub kind: String,
    /// Text, caption or button label; of a template, its body with the values, or its name if its content is not known.
    pub text: String,
    /// The message as the phone shows it: a template with its values, or a text with its formatting.
    pub bubble: Option<Bubble>,
    pub template: Option<SentTemplate>,
    /// Further content, in order.
    pub facts: Vec<MessageFact>,
    pub media: Option<MessageMedia>,
    /// The message it answers.
    pub reply_to: Option<RepliedMessage>,
    pub reactions: Vec<Reaction>,
    pub state: Option<SendState>,
    /// When it got that state, in Unix milliseconds, if a status reported it.
    pub state_at: Option<i64>,
    /// Our send.
    pub send: Option<String>,
    /// When it is sent again because a rate limit refused it, in Unix milliseconds.
    pub retry_at: Option<i64>,
    /// Its event in Activity.
    pub event: Option<String>,
    pub error: Option<Explanation>,
    /// Why it did not leave, where that is no answer of the provider that has an explanation.
    pub not_sent: Option<DeskError>,
    /// Its original JSON, for a type that this version cannot read.
    pub raw: Option<String>,
    /// Whether it may be a wish to stop marketing, on which nobody has decided since.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub may_want_to_stop: bool,
    /// When its author last edited it: the content is that of the edit.
    pub edited_at: Option<i64>,
    /// When its author deleted it: then it has no content, and its kind is `revoke`.
    pub deleted_at: Option<i64>,
    /// Name of our number that received or sent it.
    pub number: Option<String>,
    /// The channel's identifier of that number.
    pub number_id: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SentTemplate {
    pub name: String,
    pub language: String,
    /// The provider's reference of it, if known.
    pub reference: Option<String>,
}

/// Content of a message besides its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MessageFact {
    /// A key that the window translates (`latitude`, `address`, `product`, …), or the sender's own label.
    pub label: String,
    /// The original value. Instants, whose labels end in `At`, are Unix milliseconds.
    pub value: String,
    /// An `https` URL in it.
    pub link: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MessageMedia {
    /// `image`, `audio`, `video`, `document` or `sticker`.
    pub kind: String,
    /// Original media type, such as `audio/ogg; codecs=opus`; may be empty.
    pub mime: String,
    /// Its announced SHA-256, in base64 or hex.
    pub sha256: Option<String>,
    pub file_name: Option<String>,
    /// Whether a file of this name can run code when it is opened: a program, a script or a document with macros.
    pub can_run: bool,
    pub caption: Option<String>,
    /// Where it can be fetched.
    pub source: MediaSource,
    /// Whether audio was recorded as a voice message.
    pub voice: Option<bool>,
    pub animated: Option<bool>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum MediaSource {
    /// From the provider's URL, which does not expire (contract §6.2, `s3_url`).
    Permanent,
    /// Only from the channel's URL, for some minutes and with the token (`url`).
    Temporary,
    /// Not at all: the message contains no URL.
    #[default]
    None,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RepliedMessage {
    pub message: String,
    /// Our send, if it is one.
    pub send: Option<String>,
    /// Start of its text; empty if it has none or is not known.
    pub excerpt: String,
    /// Its kind, as in [`ConversationMessage::kind`].
    pub kind: String,
    /// Whether we sent it.
    pub outgoing: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    pub emoji: String,
    pub at: i64,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MediaRequest {
    pub workspace: String,
    pub event: String,
    /// Whether the person requested the file, so that it may be fetched with the workspace's token. Saving counts as a
    /// request.
    #[serde(default)]
    pub with_token: bool,
    /// Host that the person confirms to receive the token, as in [`MediaFile::token_host`]. It is stored with the
    /// token.
    #[serde(default)]
    pub confirmed_host: Option<String>,
}

/// The file of a message, or why it cannot be fetched.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MediaFile {
    /// Media type: detected from the bytes, else from the message, else from the server.
    pub mime: String,
    pub bytes: u64,
    /// File name for saving it.
    pub file_name: String,
    /// The file itself if it is small enough to be shown: images and stickers up to 8 MiB, audio and video up to 16
    /// MiB.
    pub data_url: Option<String>,
    /// Whether the bytes match the announced digest.
    pub sha256: DigestVerdict,
    pub state: MediaFileState,
    pub detail: Option<String>,
    /// Whether it was stored before.
    pub cached: bool,
    /// Scheme, host and port of the URL that needs the token, in state `needsToken`.
    pub token_host: Option<String>,
}

/// Result of the comparison with the announced SHA-256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum DigestVerdict {
    Matches,
    /// The bytes differ: modified in transit, or announced wrongly.
    Differs,
    /// No digest was announced, or one that is neither base64 nor hex.
    #[default]
    Absent,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum MediaFileState {
    #[default]
    Ok,
    /// Its URL has expired (401, 403, 404, 410).
    Expired,
    /// No answer, or a timeout.
    Unreachable,
    /// Its URL needs the workspace's token, and the person has not requested the file yet.
    NeedsToken,
    /// Not fetched: its URL leads into a private network or to this computer.
    Private,
    /// Not fetched, or not accepted: no URL, one without encryption, a redirect, too large, another answer.
    Refused,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SavedMedia {
    pub path: String,
    /// SHA-256 of the written bytes, in hex.
    pub sha256: String,
}

impl From<Fact> for MessageFact {
    fn from(fact: Fact) -> Self {
        Self { label: fact.label, value: fact.value, link: fact.link }
    }
}
