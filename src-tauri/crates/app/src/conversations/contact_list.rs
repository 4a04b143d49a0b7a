//! The list of contacts, and the search in it.

use std::collections::{HashMap, HashSet};

use store::cache::{Contact, ContactFilter, searched_digits};
use store::desk::SendState;

use super::Numbers;
use super::sent_content::SentContent;
use crate::chats::{self, Chat, Chats, Position};
use crate::contact_names::{MAX_NAMED, names, people_noted};
use crate::conversations::Conversations;
use crate::page_cursor::{page_cursor, parse_page_cursor};
use crate::templates::queries::MAX_ROWS;
use crate::text::{excerpt, message_excerpt};
use command_types::conversations::{ContactPage, ContactQuery, ContactRow, ListedPeople};
use command_types::error::Result;
use command_types::send::ServiceWindow;
use command_types::workspace::WorkspaceSettings;
use outgoing::recipient::{NumberCountry, formatted, spellings};

/// Prefix of the cursor of a page that begins as [`SearchStart::People`].
const PEOPLE: &str = "people ";

/// Where a page of a search begins.
enum SearchStart {
    /// Among people of the address book and recipients of sends, after a position.
    People(Option<Position>),
    /// Among the contacts that only the cache finds, after a position.
    Others(Position),
}

impl SearchStart {
    fn parse(after: Option<&str>) -> Result<Self> {
        let Some(after) = after else { return Ok(Self::People(None)) };
        match after.strip_prefix(PEOPLE) {
            Some(people) => parse_page_cursor(Some(people)).map(Self::People),
            None => Ok(parse_page_cursor(Some(after))?.map_or(Self::People(None), Self::Others)),
        }
    }
}

impl Conversations {
    /// A page of contacts, those with the newest messages first, unless those are asked for whose window ends first.
    pub async fn list_contacts(&self, query: ContactQuery) -> Result<ContactPage> {
        let non_empty = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let mut filter = ContactFilter {
            after: None,
            route: query.workspace.clone(),
            search: non_empty(query.search),
            number: non_empty(query.number),
            unread: query.unread,
            since: (query.people == ListedPeople::Ending).then(|| self.open_since(&query.workspace)),
            limit: query.limit.clamp(1, MAX_ROWS),
        };
        let after = query.after.as_deref().filter(|after| !after.is_empty());
        let numbers = self.numbers(&query.workspace).await?;
        let settings = self.0.workspaces.settings(&query.workspace).await?;
        let ours: Vec<String> = settings.numbers.iter().map(|number| number.id.clone()).collect();
        let since = filter.since;
        let (mut chats, next) = if filter.search.is_some() {
            self.found(&ours, &filter, query.people, after).await?
        } else {
            filter.after = parse_page_cursor(after)?;
            let (chats, next) = match filter.unread {
                Some(_) => self.of_cache(&ours, &filter, query.people).await?,
                None => chats::recent(&self.0.context, &ours, filter, query.people).await?,
            };
            (chats, next.map(|(at, contact)| page_cursor(at, &contact)))
        };
        chats.sort_by_key(|chat| std::cmp::Reverse(chat.position()));
        if let Some(since) = since {
            // Of two questions of a person, one may be older.
            chats.retain(|chat| chat.position().0 >= since);
            chats.reverse();
        }
        let mut windows = if query.people.is_unanswered() {
            self.windows(&settings, &query.workspace, &chats).await?
        } else {
            HashMap::new()
        };
        let mut rows = self.rows(&query.workspace, chats, &numbers).await?;
        for row in &mut rows {
            row.window = windows.remove(&row.contact);
        }
        Ok(ContactPage { rows, next, numbers: numbers.listed })
    }

    /// The first instant whose messages may still be answered with free text, by the provider's clock.
    fn open_since(&self, workspace: &str) -> i64 {
        let offset = self.0.workspaces.clock_offset(workspace);
        (self.0.context.timing.clock)().saturating_add(offset).saturating_sub(ServiceWindow::LENGTH)
    }

    /// Until when each person who waits for an answer may get free text from the number that they wrote to, by contact.
    async fn windows(
        &self,
        settings: &WorkspaceSettings,
        workspace: &str,
        chats: &[Chat],
    ) -> Result<HashMap<String, ServiceWindow>> {
        let mut windows = HashMap::new();
        for chat in chats {
            let Some(Contact { last_number, .. }) = &chat.received else { continue };
            // From which number an answer leaves is chosen in the conversation.
            if !settings.numbers.iter().any(|number| number.id == *last_number) {
                continue;
            }
            let (contacts, ids) = (std::slice::from_ref(&chat.contact), chat.spellings());
            let window = self.0.messaging.service_window(settings, workspace, contacts, ids, last_number).await?;
            windows.insert(chat.contact.clone(), window);
        }
        Ok(windows)
    }

    /// Contacts that the cache can filter.
    async fn of_cache(&self, ours: &[String], filter: &ContactFilter, people: ListedPeople) -> Result<Chats> {
        let page = self.0.context.cache.contacts(filter.clone()).await?;
        let chats = chats::chats(&self.0.context, filter, page.rows, Vec::new()).await?;
        Ok((chats::listed(&self.0.context, ours, filter, people, chats).await?, page.next))
    }

    /// A page of a search by name, note, label or number, and the cursor of the next one: people of the address book and of
    /// files, and recipients of sends, come first, by last message, then the contacts that only the cache finds.
    async fn found(
        &self,
        ours: &[String],
        filter: &ContactFilter,
        listed_people: ListedPeople,
        after: Option<&str>,
    ) -> Result<(Vec<Chat>, Option<String>)> {
        let search = filter.search.as_deref().unwrap_or_default();
        let mut numbers = people_noted(&self.0.context, &filter.route, search).await?;
        if let Some(digits) = searched_digits(search) {
            numbers.extend(self.0.context.desk.recipients_with(&filter.route, &digits, MAX_NAMED as u32).await?);
            let settings = self.0.workspaces.settings(&filter.route).await?;
            let whole = outgoing::recipient::digits(search, NumberCountry::of(None, &settings));
            // Without its ninth digit, or with one that the channel leaves out.
            numbers.extend(spellings([&digits, &whole]));
        }
        let mut people = chats::chats(&self.0.context, filter, Vec::new(), numbers).await?;
        let listed: HashSet<String> = people.iter().map(|chat| chat.contact.clone()).collect();
        people = chats::listed(&self.0.context, ours, filter, listed_people, people).await?;
        let others_after = match SearchStart::parse(after)? {
            SearchStart::People(before) => {
                let is_unread = |chat: &Chat| chat.received.as_ref().is_some_and(|received| received.unread > 0);
                people.retain(|chat| {
                    filter.unread.is_none_or(|unread| unread == is_unread(chat))
                        && before.as_ref().is_none_or(|before| chat.position() < *before)
                });
                None
            }
            SearchStart::Others(after) => {
                people.clear();
                Some(after)
            }
        };
        people.sort_by_key(|chat| std::cmp::Reverse(chat.position()));
        people.truncate(filter.limit as usize);
        let rest = filter.limit - people.len() as u32;
        if rest == 0 {
            let next = people.last().map(Chat::position).map(|(at, contact)| page_cursor(at, &contact));
            return Ok((people, next.map(|cursor| format!("{PEOPLE}{cursor}"))));
        }
        let others = ContactFilter { limit: rest, after: others_after, ..filter.clone() };
        let (others, next) = self.of_cache(ours, &others, listed_people).await?;
        people.extend(others.into_iter().filter(|chat| !listed.contains(&chat.contact)));
        Ok((people, next.map(|(at, contact)| page_cursor(at, &contact))))
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
    let common = ContactRow {
        formatted: formatted(&chat.contact),
        contact: chat.contact,
        name,
        unread,
        last_at,
        outgoing,
        ..ContactRow::default()
    };
    match (chat.sent, chat.received) {
        (Some(sent), _) if outgoing => ContactRow {
            excerpt: excerpt(&content.plain_text()),
            last_kind: content.kind,
            state: Some(SendState::of(sent.status.as_deref(), sent.state)),
            number: numbers.name(&sent.number),
            ..common
        },
        (_, Some(received)) => ContactRow {
            excerpt: message_excerpt(&received.last_text),
            last_kind: received.last_kind,
            number: numbers.name(&received.last_number),
            ..common
        },
        _ => common,
    }
}
