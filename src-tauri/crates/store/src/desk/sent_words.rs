//! Search for words in what was written from here.

use model::send::{SendMessage, written_texts};
use rusqlite::Connection;

use super::Desk;
use super::send::{SendRecord, send};
use crate::StoreError;
use crate::fold::{fold, fold_into};
use crate::rows::first;

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

const PAYLOADS: &str = "SELECT created_at, id, payload FROM send
    WHERE workspace_id = ?1 AND (created_at, id) < (?2, ?3) AND NOT is_superseded
    ORDER BY created_at DESC, id DESC LIMIT ?4";

impl Desk {
    /// Sends whose text, or the values of whose variables, have all of these words, without superseded attempts. `before` is
    /// `next` of the previous page.
    pub async fn sends_with_words(
        &self,
        workspace_id: &str,
        words: Vec<String>,
        before: Option<(i64, String)>,
        limit: u32,
    ) -> Result<FoundSends, StoreError> {
        let workspace_id = workspace_id.to_owned();
        let before = before.unwrap_or((i64::MAX, String::new()));
        self.database.read(move |c| find(c, &workspace_id, &words, &before, limit as usize)).await
    }
}

/// Compares texts while they are read, and only those are parsed whose request has the words anywhere.
fn find(
    c: &Connection,
    workspace_id: &str,
    words: &[String],
    before: &(i64, String),
    limit: usize,
) -> Result<FoundSends, StoreError> {
    let words: Vec<String> = words.iter().map(|word| fold(word)).collect();
    // Digits are the same in every notation of a text: most requests need not be folded.
    let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
    let digits: Vec<&String> = words.iter().filter(is_number).collect();
    // In JSON, these are written with a backslash.
    let plain: Vec<&String> = words.iter().filter(|word| !is_number(word) && !word.contains(['"', '\\'])).collect();
    let has_all = |text: &str, words: &[&String]| words.iter().all(|word| text.contains(word.as_str()));
    let all: Vec<&String> = words.iter().collect();
    let (mut found, mut folded, mut examined, mut last) = (FoundSends::default(), String::new(), 0, before.clone());
    let mut statement = c.prepare_cached(PAYLOADS)?;
    let mut rows = statement.query((workspace_id, before.0, &before.1, MAX_EXAMINED))?;
    while let Some(row) = rows.next()? {
        examined += 1;
        let position = (row.get(0)?, row.get(1)?);
        let payload = row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?;
        let is_likely = has_all(payload, &digits)
            && (plain.is_empty() || {
                fold_into(&mut folded, payload);
                has_all(&folded, &plain)
            });
        let is_found = is_likely && has_written(payload, &all, &mut folded);
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

/// Whether what was written for the recipient has all words.
fn has_written(payload: &str, words: &[&String], folded: &mut String) -> bool {
    let Ok(message) = serde_json::from_str::<SendMessage>(payload) else { return false };
    fold_into(folded, &written_texts(&message).join("\n"));
    words.iter().all(|word| folded.contains(word.as_str()))
}
