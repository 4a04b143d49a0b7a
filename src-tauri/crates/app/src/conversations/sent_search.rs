//! Search in messages that were sent from here.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use model::render::{Bubble, BubbleHeader, plain_text};
use model::send::fixed_texts;
use model::template::Template;
use model::variable::fill;
use store::desk::FixedTexts;
use store::fold;

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
    /// A page of messages sent from here, newest first, that have all words of a search.
    pub async fn find_sent_messages(&self, query: FoundMessageQuery) -> Result<FoundMessagePage> {
        let FoundMessageQuery { workspace, search, after, limit } = query;
        let words: Vec<String> = search.split_whitespace().map(str::to_owned).collect();
        if words.iter().all(|word| word.chars().count() < MIN_SEARCHED) {
            return Ok(FoundMessagePage { rows: Vec::new(), next: None });
        }
        let before = parse_page_cursor(after.as_deref())?;
        let limit = limit.clamp(1, MAX_ROWS);
        let context = &self.0.context;
        let fixed = self.fixed_texts(&workspace, &words).await?;
        let found = context.desk.sends_with_words(&workspace, words, fixed, before, limit).await?;
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
            FoundMessage {
                excerpt: contents.get(&send.id).map(|content| excerpt_of(content, &search)).unwrap_or_default(),
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

    /// The texts of templates that were sent from here, of those that have a word of the search.
    async fn fixed_texts(&self, workspace: &str, words: &[String]) -> Result<FixedTexts> {
        let words: Vec<String> = words.iter().map(|word| fold(word)).collect();
        // The names of variables were not sent.
        let written = |text: &str| fill(text, |_| Some("\n"));
        let folded = |content: &Arc<Template>| {
            let texts = fixed_texts(&content.components).into_iter().map(written);
            fold(&texts.collect::<Vec<_>>().join("\n"))
        };
        let mut found = FixedTexts::new();
        for reference in self.0.context.desk.sent_templates(workspace).await? {
            let contents = self.0.templates.contents_of(workspace, &reference).await?;
            let texts =
                contents.iter().map(|(since, content)| (*since, content.as_ref().map(folded).unwrap_or_default()));
            let texts: Vec<(i64, String)> = texts.collect();
            if texts.iter().any(|(_, text)| words.iter().any(|word| text.contains(word.as_str()))) {
                found.insert(reference, texts);
            }
        }
        Ok(found)
    }
}

/// The part of a message that has a word of a search, from its body if that has one.
fn excerpt_of(content: &SentContent, search: &str) -> String {
    let searched = fold(search);
    let has_word = |text: &&String| {
        let text = fold(text);
        searched.split_whitespace().any(|word| text.contains(word))
    };
    let body = content.plain_text();
    let others = content.bubble.as_ref().map(texts_around).unwrap_or_default();
    let text = std::iter::once(&body).chain(&others).find(has_word).unwrap_or(&body);
    excerpt_with(text, search)
}

/// The texts of a message other than its body.
fn texts_around(bubble: &Bubble) -> Vec<String> {
    let mut texts = Vec::new();
    if let Some(BubbleHeader::Text { text }) = &bubble.header {
        texts.push(text.clone());
    }
    texts.extend(bubble.footer.clone());
    texts.extend(bubble.buttons.iter().map(|button| button.label.clone()));
    for card in &bubble.cards {
        texts.push(plain_text(&card.body));
        texts.extend(texts_around(card));
    }
    texts
}
