//! Search for words in what was written from here.

use std::collections::HashMap;

use model::send::{SendMessage, written_texts};
use rusqlite::Connection;

use super::Desk;
use super::send::{SendRecord, send};
use crate::StoreError;
use crate::fold::{fold, fold_into};
use crate::rows::{all, first, scalar};

/// Maximum number of sends examined for one page.
const MAX_EXAMINED: u32 = 50_000;

/// A page of the sends that a search for words finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundSends {
    /// Newest first.
    pub rows: Vec<SendRecord>,
    /// Instant and identifier after which the next page begins; absent when nothing older is left.
    pub next: Option<(i64, String)>,
}

/// The texts that templates had, folded, by reference: each with the instant from which it had them, the newest first.
pub type FixedTexts = HashMap<String, Vec<(i64, String)>>;

const PAYLOADS: &str = "SELECT created_at, id, payload, template_ref FROM send
    WHERE workspace_id = ?1 AND (created_at, id) < (?2, ?3) AND NOT is_superseded
    ORDER BY created_at DESC, id DESC LIMIT ?4";

impl Desk {
    /// Sends that have all of these words in their text, in the values of their variables or in the texts that their
    /// template had then, without superseded attempts. `before` is `next` of the previous page.
    pub async fn sends_with_words(
        &self,
        workspace_id: &str,
        words: Vec<String>,
        fixed: FixedTexts,
        before: Option<(i64, String)>,
        limit: u32,
    ) -> Result<FoundSends, StoreError> {
        let workspace_id = workspace_id.to_owned();
        let before = before.unwrap_or((i64::MAX, String::new()));
        self.database.read(move |c| find(c, &workspace_id, (&words, &fixed), &before, limit as usize)).await
    }

    /// References of the templates that were sent from here.
    pub async fn sent_templates(&self, workspace_id: &str) -> Result<Vec<String>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        let sql = "SELECT DISTINCT template_ref FROM send WHERE workspace_id = ?1 AND template_ref IS NOT NULL";
        self.database.read(move |c| all(c, sql, [workspace_id], scalar)).await
    }
}

/// Folded words.
struct Words<'w> {
    all: Vec<&'w str>,
    /// Digits are the same in every notation of a text: most requests need not be folded.
    numbers: Vec<&'w str>,
    /// The others, except those that are written with a backslash in JSON.
    plain: Vec<&'w str>,
}

impl<'w> Words<'w> {
    fn new(all: Vec<&'w str>) -> Self {
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        let (numbers, others): (Vec<_>, Vec<_>) = all.iter().copied().partition(is_number);
        Self { all, numbers, plain: others.into_iter().filter(|word| !word.contains(['"', '\\'])).collect() }
    }

    /// Whether what was written for the recipient has them. Only requests that have them anywhere are parsed.
    fn are_written_in(&self, payload: &str, folded: &mut String) -> bool {
        if self.all.is_empty() {
            return true;
        }
        let has_all = |text: &str, words: &[&str]| words.iter().all(|word| text.contains(word));
        if !has_all(payload, &self.numbers) {
            return false;
        }
        if !self.plain.is_empty() {
            fold_into(folded, payload);
            if !has_all(folded, &self.plain) {
                return false;
            }
        }
        let Ok(message) = serde_json::from_str::<SendMessage>(payload) else { return false };
        fold_into(folded, &written_texts(&message).join("\n"));
        has_all(folded, &self.all)
    }
}

/// Compares texts while they are read.
fn find(
    c: &Connection,
    workspace_id: &str,
    (words, fixed): (&[String], &FixedTexts),
    before: &(i64, String),
    limit: usize,
) -> Result<FoundSends, StoreError> {
    let words: Vec<String> = words.iter().map(|word| fold(word)).collect();
    let searched = Words::new(words.iter().map(String::as_str).collect());
    let (mut found, mut folded, mut examined, mut last) = (FoundSends::default(), String::new(), 0, before.clone());
    let mut statement = c.prepare_cached(PAYLOADS)?;
    let mut rows = statement.query((workspace_id, before.0, &before.1, MAX_EXAMINED))?;
    while let Some(row) = rows.next()? {
        examined += 1;
        let position: (i64, String) = (row.get(0)?, row.get(1)?);
        let payload = row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?;
        let template = row.get_ref(3)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        let is_found = match template.and_then(|reference| text_at(fixed.get(reference)?, position.0)) {
            Some(text) => {
                let others = searched.all.iter().copied().filter(|word| !text.contains(word)).collect();
                Words::new(others).are_written_in(payload, &mut folded)
            }
            None => searched.are_written_in(payload, &mut folded),
        };
        if is_found {
            if found.rows.len() == limit {
                found.next = Some(last);
                return Ok(found);
            }
            found.rows.extend(first(c, "SELECT * FROM send WHERE id = ?1", [&position.1], send)?);
        }
        last = position;
    }
    if examined == MAX_EXAMINED {
        found.next = Some(last);
    }
    Ok(found)
}

/// The text at an instant: before the oldest one was known, that one.
fn text_at(texts: &[(i64, String)], at: i64) -> Option<&str> {
    let text = texts.iter().find(|(since, _)| *since <= at).or(texts.last());
    text.map(|(_, text)| text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_has_the_text_of_its_last_version_before_the_send() {
        let texts = [(20, "new".to_owned()), (10, "old".to_owned())];
        for (at, expected) in [(5, "old"), (10, "old"), (19, "old"), (20, "new"), (99, "new")] {
            assert_eq!(text_at(&texts, at), Some(expected), "{at}");
        }
        assert_eq!(text_at(&[], 5), None);
    }
}
