//! Contacts, their conversations and their files, over all numbers of a workspace.

mod conversation;
mod media;

use std::collections::HashMap;
use std::sync::Arc;

use store::cache::{Contact, ContactFilter};

use self::media::MediaFiles;
use crate::context::Context;
use crate::page_cursor::{page_cursor, parse_page_cursor};
use crate::templates::queries::MAX_ROWS;
use crate::text::excerpt;
use crate::workspaces::Workspaces;
use api::error::Result;
use api::inbox::{ContactPage, ContactQuery, ContactRow, InboxNumber, UnreadCount};
use api::workspace::WorkspaceId;

/// Conversations of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct Conversations(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    media: MediaFiles,
}

impl Conversations {
    pub(crate) fn new(context: Arc<Context>, workspaces: Workspaces) -> Self {
        let media = MediaFiles::new(context.folder.root());
        Self(Arc::new(Inner { context, workspaces, media }))
    }
}

impl Conversations {
    /// Total size of the fetched files in bytes.
    pub(crate) async fn media_size(&self) -> Result<u64> {
        self.0.media.size().await
    }

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
        let page = self.0.context.cache.contacts(filter).await?;
        Ok(ContactPage {
            rows: page.rows.into_iter().map(|contact| row(contact, &numbers)).collect(),
            next: page.next.map(|(at, id)| page_cursor(at, &id)),
            numbers: numbers.listed,
        })
    }

    /// How many contacts have unread messages.
    ///
    /// # Errors
    /// [`DeskError::Storage`](api::error::DeskError::Storage) when the messages cannot be read.
    pub async fn count_unread(&self, WorkspaceId { workspace }: WorkspaceId) -> Result<UnreadCount> {
        Ok(UnreadCount { contacts: self.0.context.cache.unread_contacts(&workspace).await? })
    }

    /// Our numbers: those of the workspace, and those that received messages.
    async fn numbers(&self, workspace: &str) -> Result<Numbers> {
        let mut listed: Vec<InboxNumber> =
            self.0.workspaces.settings(workspace).await?.numbers.into_iter().map(InboxNumber::from).collect();
        for id in self.0.context.cache.numbers_written_to(workspace).await? {
            if !listed.iter().any(|number| number.id == id) {
                listed.push(InboxNumber { name: id.clone(), id });
            }
        }
        let names = listed.iter().map(|number| (number.id.clone(), number.name.clone())).collect();
        Ok(Numbers { listed, names })
    }
}

/// Our numbers and their names.
struct Numbers {
    listed: Vec<InboxNumber>,
    names: HashMap<String, String>,
}

impl Numbers {
    /// The name of a number; its identifier if it has none.
    fn name(&self, id: &str) -> Option<String> {
        (!id.is_empty()).then(|| self.names.get(id).cloned().unwrap_or_else(|| id.to_owned()))
    }
}

fn row(contact: Contact, numbers: &Numbers) -> ContactRow {
    ContactRow {
        number: numbers.name(&contact.last_number),
        contact: contact.contact,
        name: contact.name.unwrap_or_default(),
        excerpt: excerpt(&contact.last_text),
        last_kind: contact.last_kind,
        last_at: contact.last_at,
        unread: contact.unread,
    }
}
