//! Search in messages that were sent from here.

use std::collections::{BTreeSet, HashMap};

use super::sent_content::SentContent;
use crate::contact_names::names;
use crate::conversations::Conversations;
use crate::page_cursor::{page_cursor, parse_page_cursor};
use crate::templates::queries::MAX_ROWS;
use crate::text::excerpt_with;
use command_types::conversations::{FoundMessage, FoundMessagePage, FoundMessageQuery};
use command_types::error::Result;
use outgoing::recipient::formatted;

/// So many characters has the longest word of a search, or more, before it is looked for.
const MIN_SEARCHED: usize = 3;

impl Conversations {
    /// A page of messages sent from here, newest first, whose text, or the values of whose variables, have all words of a
    /// search.
    pub async fn find_sent_messages(&self, query: FoundMessageQuery) -> Result<FoundMessagePage> {
        let FoundMessageQuery { workspace, search, after, limit } = query;
        let words: Vec<String> = search.split_whitespace().map(str::to_owned).collect();
        if words.iter().all(|word| word.chars().count() < MIN_SEARCHED) {
            return Ok(FoundMessagePage { rows: Vec::new(), next: None });
        }
        let before = parse_page_cursor(after.as_deref())?;
        let limit = limit.clamp(1, MAX_ROWS);
        let context = &self.0.context;
        let found = context.desk.sends_with_words(&workspace, words, before, limit).await?;
        let contents = self.sent_contents(&workspace, &found.rows).await?;
        let recipients: BTreeSet<&String> = found.rows.iter().map(|send| &send.recipient).collect();
        let mut contacts: HashMap<String, String> = HashMap::new();
        for recipient in recipients {
            contacts.insert(recipient.clone(), context.cache.person(&workspace, recipient).await?);
        }
        let people: Vec<String> = contacts.values().cloned().collect();
        let names = names(context, &workspace, &people).await?;
        let rows = found.rows.into_iter().map(|send| {
            let contact = contacts.get(&send.recipient).unwrap_or(&send.recipient).clone();
            let text = contents.get(&send.id).map(SentContent::plain_text).unwrap_or_default();
            FoundMessage {
                excerpt: excerpt_with(&text, &search),
                name: names.get(&contact).cloned().unwrap_or_default(),
                formatted: formatted(&contact),
                contact,
                send: send.id,
                at: send.created_at,
            }
        });
        let rows = rows.collect();
        Ok(FoundMessagePage { rows, next: found.next.map(|(at, id)| page_cursor(at, &id)) })
    }
}
