//! Contacts by last message: received ones are in the cache, sent ones in the desk.

use std::collections::{BTreeMap, HashMap};

use store::cache::{Contact, ContactFilter};
use store::desk::SendRecord;

use crate::contact_names::all_spellings;
use crate::context::Context;
use command_types::conversations::ListedPeople;
use command_types::error::Result;
use outgoing::recipient::spellings;

/// Maximum number of pages that are read for one, because they have no rows or too few.
const MAX_PAGES: usize = 5;
/// Maximum number of recipients that are examined for one page of people who wrote.
const MAX_SENDS: u32 = 2_000;

/// A contact with the last messages in both directions.
#[derive(Clone, Debug)]
pub(crate) struct Chat {
    pub(crate) contact: String,
    pub(crate) received: Option<Contact>,
    pub(crate) sent: Option<SendRecord>,
    /// Of all identifiers of the person.
    spellings: Vec<String>,
}

/// A position in the list: when the last message was, and the contact.
pub(crate) type Position = (i64, String);

impl Chat {
    /// A contact with all identifiers of the person, without what was sent to them.
    pub(crate) fn of_received(received: Contact, ids: &[String]) -> Self {
        let contact = received.contact.clone();
        Self { contact, received: Some(received), sent: None, spellings: all_spellings(ids).into_iter().collect() }
    }

    /// All notations of all identifiers of the person.
    pub(crate) fn spellings(&self) -> &[String] {
        &self.spellings
    }

    pub(crate) fn is_outgoing(&self) -> bool {
        match (&self.received, &self.sent) {
            (Some(received), Some(sent)) => sent.created_at > received.last_at,
            (received, _) => received.is_none(),
        }
    }

    pub(crate) fn position(&self) -> Position {
        let received = self.received.as_ref().map(|received| received.last_at);
        let sent = self.sent.as_ref().map(|sent| sent.created_at);
        (received.max(sent).unwrap_or_default(), self.contact.clone())
    }
}

/// A page of chats, and the position after which the next one begins.
pub(crate) type Chats = (Vec<Chat>, Option<Position>);

/// A page of chats, newest first. `ours` as in [`unanswered`].
pub(crate) async fn recent(
    context: &Context,
    ours: &[String],
    mut filter: ContactFilter,
    people: ListedPeople,
) -> Result<Chats> {
    let limit = filter.limit;
    let mut found = Vec::new();
    for _ in 0..MAX_PAGES {
        let (chats, next) = recent_page(context, ours, &filter, people).await?;
        found.extend(chats);
        // After a batch to many, those who answered are few among those who did not.
        let is_full = if people == ListedPeople::Everyone { !found.is_empty() } else { found.len() >= limit as usize };
        filter.after = next;
        if is_full || filter.after.is_none() {
            break;
        }
        filter.limit = limit - found.len() as u32;
    }
    Ok((found, filter.after))
}

/// Merges contacts by last received message with recipients by last send.
async fn recent_page(
    context: &Context,
    ours: &[String],
    filter: &ContactFilter,
    people: ListedPeople,
) -> Result<Chats> {
    if people.is_unanswered() {
        // What was sent since is not shown with what waits for an answer, and does not move it up.
        let page = context.cache.contacts(filter.clone()).await?;
        let chats = chats(context, filter, page.rows, Vec::new()).await?;
        return Ok((listed(context, ours, filter, people, chats).await?, page.next));
    }
    let wrote = people != ListedPeople::Everyone;
    let before = filter.after.clone().unwrap_or((i64::MAX, String::new()));
    let number = filter.number.as_deref();
    let page = context.cache.contacts(filter.clone()).await?;
    // Without a contact, nothing of that instant is left.
    let until = if before.1.is_empty() { before.0.saturating_sub(1) } else { before.0 };
    let sends = if wrote { MAX_SENDS } else { filter.limit };
    let sends = context.desk.last_sends(&filter.route, number, until, sends).await?;
    // Each source is complete down to a position; below the higher one, rows of the other source may be missing.
    let complete = page.next.max(sends.complete_from.map(|at| (at, String::new())));
    let mut recipients: Vec<String> = sends.rows.into_iter().map(|send| send.recipient).collect();
    let mut contacts = page.rows;
    if wrote {
        let recipients = std::mem::take(&mut recipients);
        contacts.extend(context.cache.contacts_of(&filter.route, number, &spellings(&recipients)).await?);
    }
    let mut chats = chats(context, filter, contacts, recipients).await?;
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

/// Those of these chats that a list of such people has; of people who wait for an answer, with the newest message that
/// has none. `ours` as in [`unanswered`].
pub(crate) async fn listed(
    context: &Context,
    ours: &[String],
    filter: &ContactFilter,
    people: ListedPeople,
    chats: Vec<Chat>,
) -> Result<Vec<Chat>> {
    if !people.is_unanswered() {
        return Ok(chats);
    }
    let mut waiting = unanswered(context, ours, &filter.route, filter.number.as_deref(), &chats).await?;
    let waits = |chat: Chat| {
        let newest = waiting.remove(&chat.contact)?.into_iter().next()?;
        let unread = chat.received.as_ref().map_or(0, |received| received.unread);
        Some(Chat { received: Some(Contact { unread, ..newest }), sent: None, ..chat })
    };
    Ok(chats.into_iter().filter_map(waits).collect())
}

/// The last messages of these chats that have no answer and may need one, newest first, by contact. `ours` are the numbers
/// that answers can leave from: each has its own last message, unless only `number` is looked at.
pub(crate) async fn unanswered(
    context: &Context,
    ours: &[String],
    workspace: &str,
    number: Option<&str>,
    chats: &[Chat],
) -> Result<HashMap<String, Vec<Contact>>> {
    let spellings: Vec<String> = chats.iter().flat_map(|chat| chat.spellings.iter().cloned()).collect();
    let needless: HashMap<String, i64> =
        context.desk.no_answer_until(workspace, &spellings).await?.into_iter().collect();
    let waits = |chat: &Chat, at: i64, answered: &HashMap<String, i64>| {
        let last = |of: &HashMap<String, i64>| chat.spellings.iter().filter_map(|id| of.get(id)).max().copied();
        last(answered).is_none_or(|answer| answer <= at) && last(&needless).is_none_or(|until| until < at)
    };
    let mut waiting: HashMap<String, Vec<Contact>> = HashMap::new();
    let mut add = |chat: &Chat, message: &Contact| {
        waiting.entry(chat.contact.clone()).or_default().push(message.clone());
    };
    // What was asked of one number is not answered from another.
    let each: &[String] = if number.is_some() { &[] } else { ours };
    for our in each {
        let wrote = context.cache.contacts_of(workspace, Some(our), &spellings).await?;
        let wrote: HashMap<&String, &Contact> = wrote.iter().map(|one| (&one.contact, one)).collect();
        let answered = context.desk.last_answered(workspace, Some(our), &spellings).await?.into_iter().collect();
        for chat in chats {
            let messages = chat.spellings.iter().filter_map(|id| wrote.get(id).copied());
            if let Some(message) = messages.max_by_key(|message| message.last_at)
                && waits(chat, message.last_at, &answered)
            {
                add(chat, message);
            }
        }
    }
    // What was asked of no number, or of one that is not ours, is answered from any.
    let answered = context.desk.last_answered(workspace, number, &spellings).await?.into_iter().collect();
    for chat in chats {
        if let Some(message) = &chat.received
            && !each.contains(&message.last_number)
            && waits(chat, message.last_at, &answered)
        {
            add(chat, message);
        }
    }
    waiting.values_mut().for_each(|messages| messages.sort_by_key(|message| std::cmp::Reverse(message.last_at)));
    Ok(waiting)
}

/// Contacts and recipients, each once, with their last messages. A number that is written in two ways, and identifiers of
/// one person, are one contact, in the channel's notation. Recipients without any message are left out.
pub(crate) async fn chats(
    context: &Context,
    filter: &ContactFilter,
    contacts: Vec<Contact>,
    recipients: Vec<String>,
) -> Result<Vec<Chat>> {
    let (workspace, number) = (&filter.route, filter.number.as_deref());
    let wrote = context.cache.contacts_of(workspace, number, &spellings(&recipients)).await?;
    let mut received: BTreeMap<String, Option<Contact>> =
        contacts.into_iter().chain(wrote).map(|contact| (contact.contact.clone(), Some(contact))).collect();
    let mut identities = context.cache.identities(workspace, received.keys().cloned().collect()).await?;
    let mut taken = all_spellings(identities.values().flatten());
    let mut of_recipients = context.cache.identities(workspace, recipients.clone()).await?;
    for recipient in recipients {
        let Some(ids) = of_recipients.remove(&recipient) else { continue };
        let known = all_spellings(&ids);
        if known.is_disjoint(&taken) {
            taken.extend(known);
            let contact = context.cache.person(workspace, &recipient).await?;
            received.insert(contact.clone(), None);
            identities.insert(contact, ids);
        }
    }
    let sent: Vec<String> = all_spellings(identities.values().flatten()).into_iter().collect();
    let sent = context.desk.last_sent_to(workspace, number, &sent).await?;
    let sent: HashMap<String, SendRecord> = sent.into_iter().map(|send| (send.recipient.clone(), send)).collect();
    let chats = received.into_iter().map(|(contact, received)| {
        let ids = identities.get(&contact).map(Vec::as_slice).unwrap_or_default();
        let spellings: Vec<String> = all_spellings(ids).into_iter().collect();
        let sends = spellings.iter().filter_map(|spelling| sent.get(spelling).cloned());
        let sent = sends.max_by_key(|send| (send.created_at, send.id.clone()));
        Chat { contact, received, sent, spellings }
    });
    Ok(chats.filter(|chat| chat.received.is_some() || chat.sent.is_some()).collect())
}
