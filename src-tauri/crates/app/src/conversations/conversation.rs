//! A conversation: inbound and outbound messages, and which message answers which.
//!
//! Outbound messages come from two sources: sends of this app, and messages that statuses report. A message in both is
//! shown once, at the place of its statuses.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::error_code::{Explanation, explain};
use model::event::message::InboundMedia as Media;
use model::event::reading::{MessageReading, read_message};
use model::event::revision::read_edited;
use model::failure::Failure;
use model::render::{plain_text, render_text};
use model::visible::visible;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use store::cache::{self, ConversationPosition, KnownMessage, Response, marks};
use store::desk::{ReadMark, SendRecord, SendState};

use super::Numbers;
use super::sent_content::SentContent;
use crate::contact_names::{all_spellings, names};
use crate::conversations::Conversations;
use crate::opt_outs::{may_want_to_stop, opt_outs};
use crate::page_cursor::{page_cursor, page_is_missing, parse_page_cursor};
use crate::recorded_answer::{explain_refusal, not_sent, refusal, send_error};
use crate::templates::queries::MAX_ROWS;
use crate::text::excerpt;
use command_types::Nothing;
use command_types::conversations::{
    ConversationMessage, ConversationPage, ConversationQuery, MarkRead, MarkUnread, MediaSource, MessageFact,
    MessageMedia, Reaction, RepliedMessage,
};
use command_types::error::{DeskError, Result};
use outgoing::media_name;
use outgoing::recipient::formatted;

/// Kind of messages that are shown with the message they react to.
const REACTION: &str = "reaction";
/// Kind of free texts.
const TEXT: &str = "text";
/// Maximum number of pages without visible messages that are skipped in one call.
const MAX_EMPTY_PAGES: usize = 20;

/// A position in a conversation. Sends without a status come after reported messages of the same instant.
type PageCursor = Option<ConversationPosition>;

enum Entry {
    /// Inbound, or reported by statuses.
    Reported(Box<cache::ConversationMessage>),
    /// Sent from here; no status reported yet.
    Sent(Box<SendRecord>),
}

impl Entry {
    fn position(&self) -> ConversationPosition {
        match self {
            Self::Reported(message) => message.position(),
            Self::Sent(send) => (send.created_at, i64::MAX, send.id.clone()),
        }
    }

    /// The item of an inbound message.
    fn item(&self) -> Option<i64> {
        match self {
            Self::Reported(message) => message.item,
            Self::Sent(_) => None,
        }
    }

    /// The channel's identifier.
    fn message_id(&self) -> Option<&str> {
        match self {
            Self::Reported(message) => Some(&message.message_id),
            Self::Sent(send) => send.message_id.as_deref(),
        }
    }
}

/// Data about the messages that those of a page refer to.
#[derive(Default)]
struct Related {
    known: HashMap<String, KnownMessage>,
    sends: HashMap<String, SendRecord>,
    responses: Vec<Response>,
    /// By the identifier of the send.
    contents: HashMap<String, SentContent>,
}

impl Conversations {
    /// A page of a conversation, newest first.
    pub async fn list_conversation(&self, query: ConversationQuery) -> Result<ConversationPage> {
        let ConversationQuery { workspace, contact, number: viewed, after, limit } = query;
        let limit = limit.clamp(1, MAX_ROWS);
        let mut before = parse_position(after.as_deref())?;
        let numbers = self.numbers(&workspace).await?;
        let known = self.0.context.cache.contact(&workspace, &contact).await?;
        let has_unread = known.as_ref().is_some_and(|known| known.unread > 0);
        let mut read_until = None;
        let ids = self.identifiers(&workspace, &contact).await?;
        let mut messages = Vec::new();
        for _ in 0..MAX_EMPTY_PAGES {
            let (entries, next) = self.entries(&workspace, &ids, before, limit).await?;
            read_until = entries.iter().filter_map(Entry::item).max().max(read_until).filter(|_| has_unread);
            let related = self.related(&workspace, &entries).await?;
            messages = shown(entries, &related, &numbers);
            for message in &mut messages {
                message.retry_at = message.send.as_deref().and_then(|send| self.0.messaging.retry_at(send));
            }
            before = next;
            if !messages.is_empty() || before.is_none() {
                break;
            }
        }
        // The channel's timestamps are whole seconds: within one second, an answer is sorted after the message it
        // answers.
        messages.sort_by_key(|message| (std::cmp::Reverse(message.at), message.outgoing));
        let name = names(&self.0.context, &workspace, std::slice::from_ref(&contact)).await?.remove(&contact);
        let settings = self.0.workspaces.settings(&workspace).await?;
        let sends = |number: &String| !number.is_empty() && settings.sends_from(number);
        let unanswered = self.unanswered(&settings, &workspace, known.as_ref(), &ids).await?;
        let number = match known.map(|known| known.last_number).filter(sends) {
            Some(number) => Some(number),
            None => self.last_sent_from(&workspace, &ids).await?.filter(sends),
        };
        // A delivery may not say which number it was for.
        let number = number.or_else(|| match (settings.numbers.as_slice(), numbers.listed.as_slice()) {
            ([only], _) => Some(only.id.clone()),
            ([], [only]) => Some(only.id.clone()),
            _ => None,
        });
        let current = self.0.context.cache.person(&workspace, &contact).await?;
        let ours = number.as_deref().unwrap_or_default();
        let contacts = std::slice::from_ref(&contact);
        let window = self.0.messaging.service_window(&settings, &workspace, contacts, &ids, ours).await?;
        let marketing_number = viewed.filter(sends).or_else(|| number.clone());
        let business = marketing_number.as_deref().unwrap_or_default();
        let opt_outs =
            opt_outs(&self.0.context, &workspace, settings.clone(), Some(std::slice::from_ref(&contact))).await?;
        for message in messages.iter_mut().filter(|message| message.may_want_to_stop) {
            // The wish is about the business that they wrote it to.
            let number = message.number_id.as_deref().unwrap_or(ours);
            message.may_want_to_stop = opt_outs.is_undecided(&contact, number, message.at);
        }
        Ok(ConversationPage {
            messages,
            read_until,
            next: before.map(|(at, place, id)| page_cursor(at, &format!("{place} {id}"))),
            window,
            can_reply: settings.can_send_to(&current),
            formatted: formatted(&current),
            contact: current,
            name: name.unwrap_or_default(),
            marketing_stop: opt_outs.stop(&contact, business),
            other_stops: opt_outs.other_stops(&contact, business),
            marketing_accounts: opt_outs.accounts.reach(business),
            marketing_number,
            username: self.0.context.cache.username(&workspace, &contact).await?,
            unanswered,
            no_answer_until: self.no_answer_until(&workspace, &ids).await?,
            number,
        })
    }

    /// Marks the messages of a contact as read up to the last one to arrive that a person has seen. Every identifier
    /// has a mark: a number may belong to another person later.
    pub async fn mark_read(&self, request: MarkRead) -> Result<Nothing> {
        let MarkRead { workspace, contact, until } = request;
        let ids = self.identifiers(&workspace, &contact).await?;
        let mark = |id: &String| ReadMark { workspace_id: workspace.clone(), contact: id.clone(), item_id: until };
        self.0.context.desk.advance_read_marks(ids.iter().map(mark).collect()).await?;
        for id in &ids {
            self.0.context.cache.mark_read(&workspace, id, until).await?;
        }
        Ok(Nothing {})
    }

    /// Marks the newest message of a contact as unread, and what arrived after it.
    pub async fn mark_unread(&self, MarkUnread { workspace, contact }: MarkUnread) -> Result<Nothing> {
        let Some(newest) = self.0.context.cache.newest_item(&workspace, &contact).await? else { return Ok(Nothing {}) };
        let ids = self.identifiers(&workspace, &contact).await?;
        let mark = |id| ReadMark { workspace_id: workspace.clone(), contact: id, item_id: newest - 1 };
        self.0.context.desk.move_read_marks_back(ids.into_iter().map(mark).collect()).await?;
        self.0.context.cache.move_read_marks_back(&workspace, &contact, newest - 1).await?;
        Ok(Nothing {})
    }

    /// A page of messages from both sources, newest first, and the cursor of the next page.
    async fn entries(
        &self,
        workspace: &str,
        ids: &[String],
        before: PageCursor,
        limit: u32,
    ) -> Result<(Vec<Entry>, PageCursor)> {
        let Some(contact) = ids.first() else { return Ok((Vec::new(), None)) };
        let limit_and_one = limit.saturating_add(1);
        let reported = self.0.context.cache.conversation(workspace, contact, before.clone(), limit_and_one).await?;
        let oldest = reported.get(limit as usize).map(cache::ConversationMessage::position);
        let sent = self.unreported(workspace, ids, before, oldest, limit_and_one).await?;
        let mut entries: Vec<Entry> = reported.into_iter().map(|row| Entry::Reported(Box::new(row))).collect();
        entries.extend(sent.into_iter().map(|send| Entry::Sent(Box::new(send))));
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.position()));
        let more = entries.len() > limit as usize;
        entries.truncate(limit as usize);
        let next = entries.last().filter(|_| more).map(Entry::position);
        Ok((entries, next))
    }

    /// Sends to a contact without a status in this conversation, down to `oldest`.
    async fn unreported(
        &self,
        workspace: &str,
        ids: &[String],
        before: PageCursor,
        oldest: PageCursor,
        limit: u32,
    ) -> Result<Vec<SendRecord>> {
        // After a reported message, no send of its instant is left.
        let mut before = before.map(|(at, place, id)| (at, if place == i64::MAX { id } else { String::new() }));
        let mut unreported = Vec::new();
        loop {
            let mut sends = Vec::new();
            for recipient in all_spellings(ids) {
                sends.extend(self.0.context.desk.sent_to(workspace, &recipient, before.clone(), limit).await?);
            }
            sends.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
            let full = sends.len() >= limit as usize;
            sends.truncate(limit as usize);
            before = sends.last().map(|send| (send.created_at, send.id.clone()));
            let messages = sends.iter().filter_map(|send| send.message_id.clone()).collect();
            let known = self.0.context.cache.known_messages(workspace, messages).await?;
            for send in sends {
                if oldest.as_ref().is_some_and(|oldest| send.created_at < oldest.0) {
                    return Ok(unreported);
                }
                let reported = send.message_id.as_ref().and_then(|id| known.get(id));
                if !reported.is_some_and(|reported| {
                    reported.outgoing && reported.contact.as_ref().is_some_and(|id| ids.contains(id))
                }) {
                    unreported.push(send);
                }
                if unreported.len() == limit as usize {
                    return Ok(unreported);
                }
            }
            if !full {
                return Ok(unreported);
            }
        }
    }

    /// All identifiers of a contact, with the given one first.
    pub(super) async fn identifiers(&self, workspace: &str, contact: &str) -> Result<Vec<String>> {
        let mut known = self.0.context.cache.identities(workspace, vec![contact.to_owned()]).await?;
        Ok(known.remove(contact).unwrap_or_default())
    }

    /// Identifier of our number that last sent to a contact.
    async fn last_sent_from(&self, workspace: &str, ids: &[String]) -> Result<Option<String>> {
        let mut last: BTreeMap<i64, String> = BTreeMap::new();
        for recipient in all_spellings(ids) {
            let sends = self.0.context.desk.sent_to(workspace, &recipient, None, 1).await?;
            last.extend(sends.into_iter().map(|send| (send.created_at, send.number)));
        }
        Ok(last.pop_last().map(|(_, number)| number))
    }

    async fn related(&self, workspace: &str, entries: &[Entry]) -> Result<Related> {
        let shown: Vec<String> = entries.iter().filter_map(|entry| entry.message_id().map(str::to_owned)).collect();
        let answered_ids: HashSet<String> = entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Reported(message) => message.context_id.clone(),
                Entry::Sent(_) => None,
            })
            .collect();
        let known = self.0.context.cache.known_messages(workspace, answered_ids.iter().cloned().collect()).await?;
        let send_ids: Vec<String> = entries
            .iter()
            .filter(|entry| matches!(entry, Entry::Reported(message) if message.outgoing || !message.is_received))
            .filter_map(|entry| entry.message_id().map(str::to_owned))
            .chain(answered_ids)
            .collect();
        let sends = self.0.context.desk.sends_of(workspace, &send_ids).await?;
        let unreported = entries.iter().filter_map(|entry| match entry {
            Entry::Reported(_) => None,
            Entry::Sent(send) => Some(send.as_ref()),
        });
        let contents = self.sent_contents(workspace, sends.iter().chain(unreported)).await?;
        let sends = sends.into_iter().filter_map(|send| Some((send.message_id.clone()?, send))).collect();
        let responses = self.0.context.cache.responses(workspace, &shown).await?;
        Ok(Related { known, sends, responses, contents })
    }
}

/// Parses the cursor of a page; `None` for the newest one.
fn parse_position(after: Option<&str>) -> Result<PageCursor> {
    let Some((at, rest)) = parse_page_cursor(after)? else { return Ok(None) };
    let position = rest.split_once(' ').and_then(|(place, id)| Some((at, place.parse().ok()?, id.to_owned())));
    position.map(Some).ok_or_else(page_is_missing)
}

/// The messages of a page. A reaction is shown with its message if that is known.
fn shown(entries: Vec<Entry>, related: &Related, numbers: &Numbers) -> Vec<ConversationMessage> {
    let marks = marks(&related.responses);
    let mut messages = Vec::with_capacity(entries.len());
    for entry in entries {
        let reactions = entry
            .message_id()
            .and_then(|id| marks.get(id))
            .map(|marks| marks.iter().map(|mark| Reaction { emoji: mark.emoji.clone(), at: mark.at }).collect());
        let mut message = match entry {
            Entry::Reported(row) if row.outgoing => outgoing(*row, related, numbers),
            Entry::Reported(row) if related.shows_reaction_elsewhere(&row) || related.is_sent(&row) => continue,
            Entry::Reported(row) => inbound(*row, related, numbers),
            Entry::Sent(send) => sent(&send, related, numbers),
        };
        message.reactions = reactions.unwrap_or_default();
        messages.push(message);
    }
    messages
}

impl Related {
    /// Whether it is a reaction that is shown with another message, or a withdrawn one.
    fn shows_reaction_elsewhere(&self, row: &cache::ConversationMessage) -> bool {
        let about = row.context_id.as_ref();
        row.kind == REACTION
            && (row.text.is_empty()
                || about.is_some_and(|id| self.known.contains_key(id) || self.sends.contains_key(id)))
    }

    /// Whether only edits or a deletion report it, and we sent it: people can't change what we sent.
    fn is_sent(&self, row: &cache::ConversationMessage) -> bool {
        !row.is_received && self.sends.contains_key(&row.message_id)
    }

    fn content(&self, send: &SendRecord) -> SentContent {
        self.contents.get(&send.id).cloned().unwrap_or_default()
    }

    fn replied_message(&self, id: &str, by_us: bool) -> RepliedMessage {
        let send = self.sends.get(id);
        let known = self.known.get(id);
        let content = send.map(|send| self.content(send));
        let (text, kind) = match (content, known) {
            (Some(content), _) => (content.plain_text(), content.kind),
            (None, Some(known)) => (plain_text(&render_text(&known.text).body), known.kind.clone()),
            (None, None) => <(String, String)>::default(),
        };
        RepliedMessage {
            message: id.to_owned(),
            send: send.map(|send| send.id.clone()),
            excerpt: excerpt(&text),
            kind,
            outgoing: send.is_some() || known.map_or(by_us, |known| known.outgoing),
        }
    }
}

fn inbound(row: cache::ConversationMessage, related: &Related, numbers: &Numbers) -> ConversationMessage {
    if let Some(deleted_at) = row.deleted_at {
        return ConversationMessage {
            id: row.message_id,
            at: row.at,
            kind: row.kind,
            deleted_at: Some(deleted_at),
            event: row.item.map(|id| id.to_string()),
            number: numbers.name(&row.number_id),
            ..ConversationMessage::default()
        };
    }
    let value = row.value.as_deref().unwrap_or_default();
    let received: Value = serde_json::from_str(value).unwrap_or(Value::Null);
    let edit = row.edit.as_deref().and_then(|edit| serde_json::from_str::<Value>(edit).ok());
    let reading = match &edit {
        Some(edit) => read_edited(row.is_received.then_some(&received), edit),
        None => read_message(&received),
    };
    let MessageReading { text, facts, media, answers, answers_ours, failures, is_raw, .. } = reading;
    // Other texts, such as the label of a button, have no formatting.
    let formatted = !text.is_empty() && (row.kind == TEXT || media.is_some());
    ConversationMessage {
        id: row.message_id,
        outgoing: false,
        at: row.at,
        kind: row.kind.clone(),
        bubble: formatted.then(|| render_text(&text)),
        may_want_to_stop: may_want_to_stop(&row.kind, &text),
        text,
        facts: facts.into_iter().map(MessageFact::from).collect(),
        media: media.map(|media| message_media(row.kind, media)),
        reply_to: answers.map(|id| related.replied_message(&id, answers_ours)),
        event: row.item.map(|id| id.to_string()),
        error: failures.first().map(explain),
        raw: is_raw.then(|| raw_message(row.edit.as_deref().unwrap_or(value))),
        edited_at: row.edited_at,
        number: numbers.name(&row.number_id),
        number_id: Some(row.number_id).filter(|id| !id.is_empty()),
        ..ConversationMessage::default()
    }
}

/// An outbound message that statuses reported.
fn outgoing(row: cache::ConversationMessage, related: &Related, numbers: &Numbers) -> ConversationMessage {
    let failure = row.error.as_deref().and_then(|json| serde_json::from_str::<Failure>(json).ok());
    let error = failure.as_ref().map(explain);
    let message = match related.sends.get(&row.message_id) {
        Some(send) => sent(send, related, numbers),
        None => ConversationMessage { outgoing: true, ..ConversationMessage::default() },
    };
    ConversationMessage {
        id: row.message_id,
        at: row.at,
        state: message.state.or(row.status.map(|status| SendState::Reported(status.as_str().into()))),
        error: error.or(message.error),
        ..message
    }
}

/// A message that was sent from here.
fn sent(send: &SendRecord, related: &Related, numbers: &Numbers) -> ConversationMessage {
    let content = related.content(send);
    let not_sent = not_sent(send);
    ConversationMessage {
        id: send.id.clone(),
        outgoing: true,
        at: send.created_at,
        kind: content.kind,
        text: content.text,
        bubble: content.bubble,
        template: content.template,
        state: Some(SendState::of(send.status.as_deref(), send.state)),
        state_at: send.status_at,
        send: Some(send.id.clone()),
        error: send_error(send).filter(|_| not_sent.is_none()).as_ref().map(explain_any),
        not_sent,
        number: numbers.name(&send.number),
        ..ConversationMessage::default()
    }
}

fn explain_any(error: &DeskError) -> Explanation {
    let failure = || refusal(error).map(|(_, failure)| failure);
    let own_words = || Failure { message: Some(error.to_string()), ..Failure::default() };
    explain_refusal(error).unwrap_or_else(|| explain(&failure().unwrap_or_else(own_words)))
}

fn message_media(kind: String, media: Media) -> MessageMedia {
    let some = |address: &Option<String>| address.as_ref().is_some_and(|address| !address.trim().is_empty());
    let source = if some(&media.s3_url) {
        MediaSource::Permanent
    } else if some(&media.url) {
        MediaSource::Temporary
    } else {
        MediaSource::None
    };
    MessageMedia {
        can_run: media.filename.as_deref().is_some_and(media_name::can_run),
        kind,
        mime: media.mime_type.unwrap_or_default(),
        sha256: media.sha256,
        file_name: media.filename.map(|name| visible(&name).into_owned()),
        caption: media.caption,
        source,
        voice: media.voice,
        animated: media.animated,
    }
}

/// The raw message in a value of the field `messages`: numbers and unknown keys are unchanged.
fn raw_message(value: &str) -> String {
    #[derive(Deserialize)]
    struct Messages {
        messages: Vec<Box<RawValue>>,
    }
    match serde_json::from_str::<Messages>(value) {
        Ok(Messages { messages }) if !messages.is_empty() => messages[0].get().to_owned(),
        _ => value.to_owned(),
    }
}
