//! The list of contacts, by last message: received ones are in the cache, sent ones in the desk.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::render::{plain_text, render_text};
use requests::recipient::alternative_numbers;
use store::cache::{Contact, ContactFilter};
use store::desk::{SendState, SentMessage};

use super::Numbers;
use super::sent_content::SentContent;
use crate::contact_names::names;
use crate::conversations::Conversations;
use crate::page_cursor::{page_cursor, parse_page_cursor};
use crate::templates::queries::MAX_ROWS;
use crate::text::excerpt;
use api::error::Result;
use api::inbox::{ContactPage, ContactQuery, ContactRow};

/// Maximum number of people of the address book, and of recipients by number, that a search finds.
const MAX_FOUND: usize = 200;
/// Maximum number of pages without rows that are skipped in one call.
const MAX_EMPTY_PAGES: usize = 5;

/// A contact with the last messages in both directions.
#[derive(Clone, Debug)]
struct Chat {
    contact: String,
    received: Option<Contact>,
    sent: Option<SentMessage>,
}

/// A position in the list: when the last message was, and the contact.
type Position = (i64, String);

impl Chat {
    /// The last message is one of ours.
    fn is_outgoing(&self) -> bool {
        match (&self.received, &self.sent) {
            (Some(received), Some(sent)) => sent.created_at > received.last_at,
            (received, _) => received.is_none(),
        }
    }

    fn position(&self) -> Position {
        let received = self.received.as_ref().map(|received| received.last_at);
        let sent = self.sent.as_ref().map(|sent| sent.created_at);
        (received.max(sent).unwrap_or_default(), self.contact.clone())
    }
}

/// A page of chats, and the position after which the next one begins.
type Chats = (Vec<Chat>, Option<Position>);

impl Conversations {
    /// A page of contacts, those with the newest messages first.
    ///
    /// # Errors
    /// [`DeskError::NotFound`](api::error::DeskError::NotFound) when there is no such workspace;
    /// [`DeskError::InvalidInput`](api::error::DeskError::InvalidInput) for an invalid page cursor.
    pub async fn list_contacts(&self, query: ContactQuery) -> Result<ContactPage> {
        let non_empty = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let filter = ContactFilter {
            after: parse_page_cursor(query.after.as_deref())?,
            route: query.workspace.clone(),
            search: non_empty(query.search),
            number: non_empty(query.number),
            unread: query.unread,
            limit: query.limit.clamp(1, MAX_ROWS),
        };
        let numbers = self.numbers(&query.workspace).await?;
        let (mut chats, next) = match (&filter.search, filter.unread) {
            (Some(_), _) => self.found(&filter).await?,
            (None, Some(_)) => self.of_cache(&filter).await?,
            (None, None) => self.recent(filter.clone()).await?,
        };
        chats.sort_by_key(|chat| std::cmp::Reverse(chat.position()));
        Ok(ContactPage {
            rows: self.rows(&query.workspace, chats, &numbers).await?,
            next: next.map(|(at, id)| page_cursor(at, &id)),
            numbers: numbers.listed,
        })
    }

    /// All contacts, by last message in either direction.
    async fn recent(&self, mut filter: ContactFilter) -> Result<Chats> {
        for _ in 0..MAX_EMPTY_PAGES {
            let (chats, next) = self.recent_page(&filter).await?;
            if !chats.is_empty() || next.is_none() {
                return Ok((chats, next));
            }
            filter.after = next;
        }
        Ok((Vec::new(), filter.after))
    }

    /// Merges contacts by last received message with recipients by last send.
    async fn recent_page(&self, filter: &ContactFilter) -> Result<Chats> {
        let before = filter.after.clone().unwrap_or((i64::MAX, String::new()));
        let number = filter.number.as_deref();
        let page = self.0.context.cache.contacts(filter.clone()).await?;
        // Without a contact, nothing of that instant is left.
        let until = if before.1.is_empty() { before.0.saturating_sub(1) } else { before.0 };
        let sends = self.0.context.desk.last_sends(&filter.route, number, until, filter.limit).await?;
        // Each source is complete down to a position; below the higher one, rows of the other source may be missing.
        let complete = page.next.max(sends.complete_from.map(|at| (at, String::new())));
        let recipients = sends.rows.into_iter().map(|send| send.recipient).collect();
        let mut chats = self.chats(filter, page.rows, recipients).await?;
        chats.retain(|chat| {
            let position = chat.position();
            position < before && complete.as_ref().is_none_or(|complete| position >= *complete)
        });
        chats.sort_by_key(|chat| std::cmp::Reverse(chat.position()));
        let more = chats.len() > filter.limit as usize;
        chats.truncate(filter.limit as usize);
        let next = if more { chats.last().map(Chat::position) } else { complete };
        Ok((chats, next))
    }

    /// Contacts that the cache can filter.
    async fn of_cache(&self, filter: &ContactFilter) -> Result<Chats> {
        let page = self.0.context.cache.contacts(filter.clone()).await?;
        Ok((self.chats(filter, page.rows, Vec::new()).await?, page.next))
    }

    /// Contacts found by name or number: those of the address book and recipients of sends are on the first page.
    async fn found(&self, filter: &ContactFilter) -> Result<Chats> {
        let search = filter.search.as_deref().unwrap_or_default();
        let mut numbers = self.found_in_address_book(&filter.route, search).await?;
        if let Some(digits) = digits_of(search) {
            numbers.extend(self.0.context.desk.recipients_from(&filter.route, &digits, MAX_FOUND as u32).await?);
        }
        let first = filter.after.is_none();
        let people = self.chats(filter, Vec::new(), numbers).await?;
        let listed: HashSet<String> = people.iter().map(|chat| chat.contact.clone()).collect();
        let (mut chats, next) = self.of_cache(filter).await?;
        chats.retain(|chat| !listed.contains(&chat.contact));
        if first {
            let wanted = |chat: &Chat| {
                filter
                    .unread
                    .is_none_or(|unread| unread == chat.received.as_ref().is_some_and(|received| received.unread > 0))
            };
            chats.extend(people.into_iter().filter(wanted));
        }
        Ok((chats, next))
    }

    async fn found_in_address_book(&self, workspace: &str, search: &str) -> Result<Vec<String>> {
        let pieces: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        let people = self.0.context.desk.recipients(workspace).await?;
        let found = people.into_iter().filter(|person| {
            let name = person.name.to_lowercase();
            pieces.iter().all(|piece| name.contains(piece))
        });
        Ok(found.map(|person| person.number).take(MAX_FOUND).collect())
    }

    /// Contacts and recipients, each once, with their last messages. A number that is written in two ways is one
    /// contact, in the channel's notation. Recipients without any message are left out.
    async fn chats(
        &self,
        filter: &ContactFilter,
        contacts: Vec<Contact>,
        recipients: Vec<String>,
    ) -> Result<Vec<Chat>> {
        let (workspace, number) = (&filter.route, filter.number.as_deref());
        let spellings: Vec<String> = recipients.iter().flat_map(|recipient| alternative_numbers(recipient)).collect();
        let wrote = self.0.context.cache.contacts_of(workspace, number, &spellings).await?;
        let mut received: BTreeMap<String, Option<Contact>> =
            contacts.into_iter().chain(wrote).map(|contact| (contact.contact.clone(), Some(contact))).collect();
        for recipient in recipients {
            if !alternative_numbers(&recipient).iter().any(|spelling| received.contains_key(spelling)) {
                received.insert(recipient, None);
            }
        }
        let spellings: Vec<String> = received.keys().flat_map(|contact| alternative_numbers(contact)).collect();
        let sent = self.0.context.desk.last_sent_to(workspace, number, &spellings).await?;
        let sent: HashMap<String, SentMessage> = sent.into_iter().map(|send| (send.recipient.clone(), send)).collect();
        let chats = received.into_iter().map(|(contact, received)| {
            let sends = alternative_numbers(&contact).into_iter().filter_map(|spelling| sent.get(&spelling).cloned());
            let sent = sends.max_by_key(|send| (send.created_at, send.id.clone()));
            Chat { contact, received, sent }
        });
        Ok(chats.filter(|chat| chat.received.is_some() || chat.sent.is_some()).collect())
    }

    async fn rows(&self, workspace: &str, chats: Vec<Chat>, numbers: &Numbers) -> Result<Vec<ContactRow>> {
        let ours = chats.iter().filter(|chat| chat.is_outgoing()).filter_map(|chat| chat.sent.as_ref());
        let mut contents = self.sent_contents(workspace, ours).await?;
        let contacts: Vec<String> = chats.iter().map(|chat| chat.contact.clone()).collect();
        let mut names = names(&self.0.context, workspace, &contacts).await?;
        let row = |chat: Chat| {
            let content = chat.sent.as_ref().and_then(|send| contents.remove(&send.id)).unwrap_or_default();
            row(chat, content, &mut names, numbers)
        };
        Ok(chats.into_iter().map(row).collect())
    }
}

fn row(chat: Chat, content: SentContent, names: &mut HashMap<String, String>, numbers: &Numbers) -> ContactRow {
    let (outgoing, (last_at, _)) = (chat.is_outgoing(), chat.position());
    let name = names.remove(&chat.contact).unwrap_or_default();
    let unread = chat.received.as_ref().map_or(0, |received| received.unread);
    let common = ContactRow { contact: chat.contact, name, unread, last_at, outgoing, ..ContactRow::default() };
    match (chat.sent, chat.received) {
        (Some(sent), _) if outgoing => ContactRow {
            excerpt: excerpt(&content.plain_text()),
            last_kind: content.kind,
            state: Some(SendState::of(sent.status.as_deref(), sent.state)),
            number: numbers.name(&sent.number),
            ..common
        },
        (_, Some(received)) => ContactRow {
            excerpt: excerpt(&plain_text(&render_text(&received.last_text).body)),
            last_kind: received.last_kind,
            number: numbers.name(&received.last_number),
            ..common
        },
        _ => common,
    }
}

/// The digits of a search for a number in any notation.
fn digits_of(search: &str) -> Option<String> {
    let digits: String = search.chars().filter(char::is_ascii_digit).collect();
    let is_number = search.chars().all(|letter| letter.is_ascii_digit() || " +-.()/\u{a0}".contains(letter));
    (is_number && !digits.is_empty()).then_some(digits)
}
