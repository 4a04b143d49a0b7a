//! Notifications for messages of contacts.

use app::Core;
use command_types::conversations::{ContactQuery, ContactRow, ConversationPage, ConversationQuery, ListedPeople};
use tokio::time::Instant;

use super::{COLLECT_TIME, EventNotification, Kind, Notification, Pending};
use crate::deep_link::encoded;

/// A message that is older than this, in milliseconds, is not news: it belongs to a history, or arrived late.
const MAX_AGE: i64 = 60 * 60 * 1_000;

/// Maximum number of messages that are looked up within [`COLLECT_TIME`]: of more at once, each is not news.
const MAX_LOOKUPS: usize = 20;

/// Maximum number of contacts that are counted after many wrote at once.
const MAX_UNREAD: u32 = 99;

/// How many messages were looked up lately.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    since: Option<Instant>,
    count: usize,
}

impl Lookups {
    /// Counts a lookup. Returns whether it may be made.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        if self.since.is_none_or(|since| now.duration_since(since) >= COLLECT_TIME) {
            *self = Self { since: Some(now), count: 0 };
        }
        self.count += 1;
        self.count <= MAX_LOOKUPS
    }
}

async fn newest(core: &Core, workspace: &str, contact: &str) -> Option<ConversationPage> {
    let (workspace, contact) = (workspace.to_owned(), contact.to_owned());
    let query = ConversationQuery { workspace, contact, number: None, after: None, limit: 1 };
    core.conversations.list_conversation(query).await.ok()
}

/// The notification for the last message of a contact; `None` if it is read, ours or not new.
pub(super) async fn notification_for(core: &Core, workspace: String, contact: String) -> Option<EventNotification> {
    let page = newest(core, &workspace, &contact).await?;
    let message = page.messages.first().filter(|message| !message.outgoing)?;
    let now = outgoing::now().saturating_add(page.window.clock_offset);
    if page.read_until.is_none() || now.saturating_sub(message.at) > MAX_AGE {
        return None;
    }
    let name = if page.name.is_empty() { &page.formatted } else { &page.name };
    let notification = Notification {
        title: name.clone(),
        body: message.text.clone(),
        place: format!("/inbox?contact={}", encoded(&contact)),
        workspace,
        contact: Some(contact),
        ..Notification::default()
    };
    Some(EventNotification { kind: Kind::Messages, notification })
}

/// The notifications for the contacts with unread new messages, after more wrote at once than have an event each.
pub(super) async fn unread(core: &Core, workspace: &str) -> Vec<EventNotification> {
    let query = ContactQuery {
        workspace: workspace.to_owned(),
        search: None,
        number: None,
        unread: Some(true),
        people: ListedPeople::Wrote,
        after: None,
        limit: MAX_UNREAD,
    };
    let rows = core.conversations.list_contacts(query).await.map_or_else(|_| Vec::new(), |page| page.rows);
    of_contacts(rows, workspace, outgoing::now())
}

/// The notifications for those of the contacts whose last message is theirs and new.
pub(super) fn of_contacts(rows: Vec<ContactRow>, workspace: &str, now: i64) -> Vec<EventNotification> {
    let is_new = |row: &ContactRow| !row.outgoing && now.saturating_sub(row.last_at) <= MAX_AGE;
    let notification = |row: ContactRow| Notification {
        title: if row.name.is_empty() { row.formatted } else { row.name },
        body: row.excerpt,
        place: format!("/inbox?contact={}", encoded(&row.contact)),
        workspace: workspace.to_owned(),
        contact: Some(row.contact),
        ..Notification::default()
    };
    let new = rows.into_iter().filter(is_new).map(notification);
    new.map(|notification| EventNotification { kind: Kind::Messages, notification }).collect()
}

/// Removes collected notifications whose messages were read meanwhile, as in a conversation that is on the screen.
pub(super) async fn remove_read(pending: &mut Pending, now: Instant, core: &Core) {
    for ((kind, workspace), (due, collected)) in pending.iter_mut() {
        if *kind != Kind::Messages || *due > now {
            continue;
        }
        let mut unread = Vec::with_capacity(collected.len());
        for notification in std::mem::take(collected) {
            let contact = notification.contact.as_deref().unwrap_or_default();
            if newest(core, workspace, contact).await.is_some_and(|page| page.read_until.is_some()) {
                unread.push(notification);
            }
        }
        *collected = unread;
    }
}
