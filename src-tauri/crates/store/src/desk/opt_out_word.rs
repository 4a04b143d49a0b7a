//! Opt-out words of workspaces that have edited them, with the times between which they count.

use rusqlite::{Connection, Row, params};

use super::Desk;
use crate::StoreError;
use crate::rows::{all, from_row, insert_row};

/// A word, and when a message has to be received for it to count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptOutWord {
    pub workspace_id: String,
    pub word: String,
    /// In Unix milliseconds.
    pub counts_from: i64,
    /// `None` if it still counts.
    pub counts_until: Option<i64>,
}

impl Desk {
    /// The words of a workspace; none if it has not edited them.
    pub async fn opt_out_words(&self, workspace_id: &str) -> Result<Vec<OptOutWord>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.read(move |c| of_workspace(c, &workspace_id)).await
    }

    /// Replaces the words that count with `words`, from now on. `first` are the words that counted if the workspace has
    /// not edited them.
    pub async fn set_opt_out_words(
        &self,
        workspace_id: &str,
        words: Vec<String>,
        first: Vec<String>,
        now: i64,
    ) -> Result<(), StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .write(move |c| {
                let new = |word: String, counts_from| OptOutWord {
                    workspace_id: workspace_id.clone(),
                    word,
                    counts_from,
                    counts_until: None,
                };
                let mut stored = of_workspace(c, &workspace_id)?;
                if stored.is_empty() {
                    for word in first {
                        let word = new(word, 0);
                        insert(c, &word)?;
                        stored.push(word);
                    }
                }
                let open: Vec<_> = stored.into_iter().filter(|word| word.counts_until.is_none()).collect();
                for word in open.iter().filter(|word| !words.contains(&word.word)) {
                    c.prepare_cached(
                        "UPDATE opt_out_word SET counts_until = max(?4, counts_from)
                         WHERE workspace_id = ?1 AND word = ?2 AND counts_from = ?3",
                    )?
                    .execute(params![workspace_id, word.word, word.counts_from, now])?;
                }
                for word in words.into_iter().filter(|word| !open.iter().any(|known| known.word == *word)) {
                    insert(c, &new(word, now))?;
                }
                Ok(())
            })
            .await
    }
}

fn insert(c: &Connection, word: &OptOutWord) -> Result<(), StoreError> {
    // A word that was taken out and added in the same millisecond counts on.
    insert_row!(c, "opt_out_word" => word { workspace_id, word, counts_from, counts_until },
        "ON CONFLICT DO UPDATE SET counts_until = NULL")?;
    Ok(())
}

fn of_workspace(c: &Connection, workspace_id: &str) -> Result<Vec<OptOutWord>, StoreError> {
    let sql = "SELECT * FROM opt_out_word WHERE workspace_id = ?1 ORDER BY word, counts_from";
    all(c, sql, [workspace_id], read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<OptOutWord> {
    from_row!(row => OptOutWord { workspace_id, word, counts_from, counts_until })
}
