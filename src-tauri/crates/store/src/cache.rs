//! The cache: the provider's templates, and what the inbox means.
//!
//! It is a pure function of the inbox, the desk and the provider. Opening it cannot fail: a file that cannot be used
//! is moved aside and an empty one takes its place, which the next sync and the projector fill again.
//!
//! What the projector brings here is applied once, whatever is repeated, reordered or interrupted: see
//! [`Cache::apply`]. What must outlive the inbox goes to the desk first; both sides bear repetition.

mod conversation;
mod item;
mod listing;
mod lists;
mod merge;
mod message;
mod projection;
mod row;
mod search;
mod template;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

pub use self::conversation::{Contact, ConversationMessage};
pub use self::item::{Counter, Item, ItemFilter, ItemPage, ItemRow, Repeat};
pub use self::listing::{Facet, Facets, TemplateFilter, TemplatePage, TemplateSort};
pub use self::message::{MessageState, StatusReport};
pub use self::projection::{
    Applied, ApplyError, Cursor, Effect, MessageEffect, ProjectedItem, StatusEffect, TemplateEffect,
};
pub use self::template::{CachedTemplate, Change, HistoryEvent, TemplateMatch, TemplatePatch, TemplateRow};
use crate::StoreError;
use crate::connection::{self, Schema, Synchronous};
use crate::database::{Database, all};

/// Any change of the tables raises `first`: an older cache is not migrated but built anew.
const SCHEMA: Schema = Schema {
    application_id: i32::from_be_bytes(*b"TDca"),
    // A power cut may undo the last commits; the cursor is undone with them.
    synchronous: Synchronous::Normal,
    checkpoint_pages: 1_000,
    first: 2,
    steps: &[include_str!("../schema/cache.sql")],
};

/// How a cache was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// From an earlier run.
    Kept,
    /// There was none.
    New,
    /// There was one that cannot be used; an empty one took its place.
    Rebuilt {
        /// Why, in words.
        reason: String,
        /// Where the old file is now.
        aside: PathBuf,
    },
    /// No file can be used; it ends with the process.
    InMemory {
        /// Why, in words.
        reason: String,
    },
}

/// Templates, and what the inbox means.
#[derive(Debug)]
pub struct Cache {
    database: Database,
    opened: Opened,
}

impl Cache {
    /// Opens the file, or an empty cache in its place, or one in memory. Blocks for a moment.
    ///
    /// # Panics
    /// When the system cannot start a thread.
    #[must_use]
    pub fn open(path: &Path) -> Self {
        let existed = path.exists();
        match Self::open_file(path) {
            Ok(database) => Self { database, opened: if existed { Opened::Kept } else { Opened::New } },
            Err(error) => {
                let reason = error.to_string();
                tracing::warn!(%reason, "the cache cannot be used and is built anew");
                // A file that another process is busy with is no wreck: it stays.
                let aside = if error.is_busy() { Err(error) } else { move_aside(path) };
                match aside.and_then(|aside| Ok((Self::open_file(path)?, aside))) {
                    Ok((database, aside)) => Self { database, opened: Opened::Rebuilt { reason, aside } },
                    Err(error) => {
                        let reason = format!("{reason}; {error}");
                        tracing::warn!(%reason, "the cache is kept in memory");
                        let database = Database::start_in_memory(&SCHEMA).expect("memory and a thread can be had");
                        Self { database, opened: Opened::InMemory { reason } }
                    }
                }
            }
        }
    }

    /// How it was opened.
    #[must_use]
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// Removes a cache that is not open, so that the next [`Cache::open`] begins with an empty one.
    ///
    /// # Errors
    /// [`StoreError::Io`] when a file cannot be removed.
    pub fn discard(path: &Path) -> Result<(), StoreError> {
        for path in files(path) {
            match std::fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(StoreError::Io { path, source });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the whole file and says whether it is sound. Takes seconds for a large one: not for the start.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read at all.
    pub async fn is_sound(&self) -> Result<bool, StoreError> {
        self.database
            .read(|c| {
                let findings: Vec<String> = all(c, "PRAGMA quick_check(1)", [], |row| row.get(0))?;
                Ok(findings == ["ok"])
            })
            .await
    }

    fn open_file(path: &Path) -> Result<Database, StoreError> {
        let connection = connection::open(path, &SCHEMA)?;
        probe(&connection).map_err(|error| error.at(path))?;
        Database::start(path.to_owned(), &SCHEMA, connection)
    }
}

/// Touches the root of every table. Damage deeper down shows when it is read.
fn probe(connection: &Connection) -> Result<(), StoreError> {
    let tables: Vec<String> =
        all(connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", [], |row| row.get(0))?;
    for table in tables {
        connection.prepare(&format!("SELECT 1 FROM \"{table}\" LIMIT 1"))?.exists([])?;
    }
    Ok(())
}

/// The file and what SQLite keeps beside it.
fn files(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|suffix| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// Keeps the last unusable file for whoever wants to look into it.
fn move_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = path.with_extension("sqlite.aside");
    Cache::discard(&aside)?;
    for (from, to) in files(path).into_iter().zip(files(&aside)) {
        match std::fs::rename(&from, &to) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::Io { path: from, source });
            }
            _ => {}
        }
    }
    Ok(aside)
}
