//! The cache: the provider's templates, and the projection of the delivery log.
//!
//! It is a pure function of the delivery log, the desk and the provider. Opening it cannot fail: an unusable file is
//! moved aside and replaced with an empty one, which the next sync and the projector fill again.
//!
//! Deliveries are applied exactly once, even if they are repeated, reordered or interrupted: see [`Cache::apply`]. Data
//! that must outlive the delivery log is written to the desk first; both writes are idempotent.

mod account_records;
mod addressee;
mod contact;
mod conversation;
mod differing_statuses;
mod effect;
mod event_query;
mod events_about;
mod identity;
mod identity_links;
mod interner;
mod item;
mod known_records;
mod listing;
mod lookup;
mod merge;
mod message;
mod people_seen;
mod projection;
mod read_marks;
mod record;
mod refresh;
mod retention;
mod revision;
mod row;
mod search;
mod template;
mod template_filter;
mod template_index;
mod template_updates;
mod waba_status;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};

use rusqlite::Connection;
use tokio::sync::watch;

pub use self::contact::{Contact, ContactFilter, ContactPage};
pub use self::conversation::{ConversationMessage, ConversationPosition, KnownMessage, Mark, Response, marks};
pub use self::differing_statuses::DifferingStatuses;
pub use self::effect::{
    Effect, MessageEffect, PersonEffect, ProjectedItem, RevisionEffect, StatusEffect, TemplateEffect,
};
pub use self::event_query::{ItemFilter, ItemPage};
pub use self::item::{
    Counter, Item, ItemRow, Key, Redelivery, StoredKey, item_key, last_item_of, position_id, stored_key,
};
use self::known_records::AllKnownRecords;
pub use self::known_records::KnownRecords;
pub use self::listing::{NamePage, TemplatePage};
pub use self::message::{MessageState, StatusReport};
pub use self::people_seen::PersonSeen;
pub use self::projection::{Applied, ApplyError, Cursor, ProjectionMark, TemplateChange};
pub use self::refresh::{Listing, ListingPage, ListingProgress, ListingResult, Omission};
pub use self::retention::Removal;
pub use self::revision::ItemRevision;
pub use self::row::EventSubject;
pub use self::search::searched_digits;
pub use self::template::{
    CachedTemplate, Change, RequestMark, RequestTimes, Since, TemplateMatch, TemplatePatch, TemplateRow,
};
pub use self::template_filter::{AtRisk, Facet, Facets, NameFilter, TemplateFilter, TemplateSort};
use self::template_index::TemplateIndexes;
pub use self::waba_status::WabaStatus;
use crate::StoreError;
use crate::atomic_file::{companions, move_database, remove_database};
use crate::connection;
use crate::database::Database;
pub use crate::database::Health;
use crate::rows::{all, first, scalar};
use crate::run_journal::FileMark;
use crate::schema::{Schema, Synchronous};

/// Increase `first` with any change of the tables: an older cache is rebuilt, not migrated.
pub(crate) static SCHEMA: Schema = Schema {
    application_id: i32::from_be_bytes(*b"TDca"),
    // A power cut may undo the last commits, and the cursor with them.
    synchronous: Synchronous::Normal,
    // A checkpoint writes a page once, however often it was written since the last one.
    checkpoint_pages: 2_000,
    first: 14,
    steps: &[concat!(include_str!("../schema/cache.sql"), include_str!("../schema/projection.sql"))],
};

/// Maximum size of a cache that is verified by digest at the start, which takes some hundredths of a second.
const MAX_MARKED_BYTES: u64 = 32 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// It exists from an earlier run.
    Existing,
    /// It did not exist.
    New,
    /// It was unusable; an empty one replaced it.
    Rebuilt {
        /// Reason, as text.
        reason: String,
        /// Path of the old file.
        aside: PathBuf,
    },
    /// No file is usable; the cache is in memory and ends with the process.
    InMemory {
        /// Reason, as text.
        reason: String,
    },
}

/// Templates, and the projection of the delivery log.
#[derive(Debug)]
pub struct Cache {
    database: Database,
    opened: Opened,
    opened_at: Option<Cursor>,
    template_indexes: TemplateIndexes,
    known_records: AllKnownRecords,
    /// The number of the last request.
    requests: AtomicI64,
}

impl Cache {
    /// Opens the file, an empty cache in its place, or one in memory. Blocks briefly.
    ///
    /// # Panics
    /// When the system cannot start a thread.
    #[must_use]
    pub fn open(path: &Path) -> Self {
        Self::open_verified(path, None)
    }

    /// As [`Cache::open`]; a file that differs from the one at the last clean stop counts as damaged.
    ///
    /// # Panics
    /// When the system cannot start a thread.
    #[must_use]
    pub fn open_verified(path: &Path, last_mark: Option<&FileMark>) -> Self {
        let existed = path.exists();
        match unchanged(path, last_mark).and_then(|()| Self::open_file(path)) {
            Ok(file) => Self::of(file, if existed { Opened::Existing } else { Opened::New }),
            Err(error) => {
                let reason = error.to_string();
                tracing::warn!(%reason, "the cache cannot be used and is rebuilt");
                // A file that another process has locked is not damaged: it stays.
                let aside = if error.is_busy() { Err(error) } else { move_aside(path) };
                match aside.and_then(|aside| Ok((Self::open_file(path)?, aside))) {
                    Ok((file, aside)) => Self::of(file, Opened::Rebuilt { reason, aside }),
                    Err(error) => {
                        let reason = format!("{reason}; {error}");
                        tracing::warn!(%reason, "the cache is kept in memory");
                        let database = Database::start_in_memory(&SCHEMA).expect("memory and a thread are available");
                        let file = OpenedFile { database, cursor: None, last_request: 0 };
                        Self::of(file, Opened::InMemory { reason })
                    }
                }
            }
        }
    }

    fn of(file: OpenedFile, opened: Opened) -> Self {
        Self {
            database: file.database,
            opened,
            opened_at: file.cursor,
            template_indexes: TemplateIndexes::default(),
            known_records: AllKnownRecords::default(),
            requests: AtomicI64::new(file.last_request),
        }
    }

    #[must_use]
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The projection's cursor when the cache was opened.
    #[must_use]
    pub fn opened_at(&self) -> Option<&Cursor> {
        self.opened_at.as_ref()
    }

    /// Health of the file. When a statement reports damage, that statement fails, and the file is moved aside and
    /// replaced with an empty one, as at the start; [`Health::resets`] counts this.
    #[must_use]
    pub fn health(&self) -> watch::Receiver<Health> {
        self.database.health()
    }

    /// Replaces this cache, which a check found damaged, with an empty one.
    pub fn reset(&self, reason: &str) {
        self.database.reset(reason);
    }

    /// Waits for running work and queued writes, and closes the file, even while others still hold the cache: their
    /// later calls return [`StoreError::Closed`]. Blocks until that is done.
    pub fn close(&self) {
        self.database.close();
    }

    /// Size and digest of a closed cache, for the next [`Cache::open_verified`]. `None` if it is so large that reading
    /// it would delay a start.
    pub fn mark(path: &Path) -> Result<Option<FileMark>, StoreError> {
        FileMark::of(path, MAX_MARKED_BYTES)
    }

    /// Removes a cache that is not open, so that the next [`Cache::open`] starts with an empty one.
    ///
    /// # Errors
    /// [`StoreError::Io`] when a file cannot be removed.
    pub fn discard(path: &Path) -> Result<(), StoreError> {
        remove_database(path)
    }

    /// Reads the whole file and returns whether it is sound. Takes seconds for a large file: not for the start.
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

    /// The mark of a request that is sent now. `last_seq` is the sequence number of the last delivery in the delivery log.
    pub fn request_mark(&self, last_seq: i64, at: i64) -> RequestMark {
        RequestMark { number: self.requests.fetch_add(1, Ordering::Relaxed) + 1, last_seq, at }
    }

    fn open_file(path: &Path) -> Result<OpenedFile, StoreError> {
        let connection = connect(path)?;
        let found = |error: StoreError| error.at(path);
        let cursor = projection::cursor(&connection).map_err(found)?;
        // The in-memory index starts empty, so it needs no removals of an earlier run.
        connection.execute("DELETE FROM template_gone", []).map_err(|error| found(error.into()))?;
        let sql = "SELECT max(coalesce((SELECT max(asked_number) FROM template), 0),
                     coalesce((SELECT max(left_out_by) FROM template INDEXED BY template_left_out
                               WHERE left_out_by IS NOT NULL), 0),
                     coalesce((SELECT max(asked_number) FROM listing), 0))";
        let last_request: Option<i64> = first(&connection, sql, [], scalar).map_err(found)?;
        let database = Database::start(path.to_owned(), &SCHEMA, connection, Some(reset))?;
        Ok(OpenedFile { database, cursor, last_request: last_request.unwrap_or(0) })
    }
}

struct OpenedFile {
    database: Database,
    cursor: Option<Cursor>,
    /// The greatest number of a request in it.
    last_request: i64,
}

/// SQLite finds malformed pages; only the digest finds changed content.
fn unchanged(path: &Path, last_mark: Option<&FileMark>) -> Result<(), StoreError> {
    let Some(last_mark) = last_mark else { return Ok(()) };
    // With a write-ahead log, the file alone is inconclusive.
    if companions(path)[1].metadata().is_ok_and(|log| log.len() > 0) {
        return Ok(());
    }
    match FileMark::of(path, MAX_MARKED_BYTES)? {
        Some(found) if found == *last_mark => Ok(()),
        _ if !path.exists() => Ok(()),
        _ => Err(StoreError::Damaged { path: path.to_owned(), reason: "it changed after the last run".to_owned() }),
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = connection::open(path, &SCHEMA)?;
    probe(&connection).map_err(|error| error.at(path))?;
    Ok(connection)
}

/// Replaces a damaged file with an empty one.
fn reset(path: &Path, reason: &str) -> Result<Connection, StoreError> {
    tracing::warn!(reason, "the cache is damaged and is rebuilt");
    move_aside(path)?;
    connect(path)
}

/// Reads the root page of every table. Damage deeper down is found when it is read.
fn probe(connection: &Connection) -> Result<(), StoreError> {
    let tables: Vec<String> =
        all(connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", [], |row| row.get(0))?;
    for table in tables {
        connection.prepare(&format!("SELECT 1 FROM \"{table}\" LIMIT 1"))?.exists([])?;
    }
    Ok(())
}

/// Keeps the last unusable file for analysis.
fn move_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = path.with_extension("sqlite.aside");
    Cache::discard(&aside)?;
    move_database(path, &aside)?;
    Ok(aside)
}
