//! Records of the past: what a provider says that was sent and made from here before this file existed. Only the
//! sandbox does.

use rusqlite::Connection;

use super::{Batch, Desk, Draft, PlannedRow, ReadMark, Recipient, SendRecord, Submission, Version};
use super::{batch, draft, history, recipient, send, submission, version};
use crate::StoreError;

/// A record whose identifier is known already stays as it is.
const KEEP: &str = "ON CONFLICT DO NOTHING";

/// Records of the past, except sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// Batches with their rows. The rows follow their sends, which are recorded afterwards.
    pub batches: Vec<(Batch, Vec<PlannedRow>)>,
    /// Creations and edits of templates.
    pub submissions: Vec<Submission>,
    /// Versions of templates.
    pub versions: Vec<Version>,
    /// Templates that are not submitted yet.
    pub drafts: Vec<Draft>,
    /// Entries of the address book.
    pub recipients: Vec<Recipient>,
    /// How far conversations were read.
    pub read_marks: Vec<ReadMark>,
}

impl Desk {
    /// Records the past in one transaction. A record whose identifier is known already stays as it is; read marks only
    /// move forward.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn record_past(&self, past: Past) -> Result<(), StoreError> {
        self.database.write(move |c| record(c, &past)).await
    }

    /// Records sends of the past in one transaction. A send whose identifier or tracking id is known already stays as
    /// it is. Statuses may have arrived before; pass them to [`Desk::store_outcomes`] afterwards.
    ///
    /// # Errors
    /// [`StoreError`] when they cannot be written; then none is stored.
    pub async fn record_past_sends(&self, sends: Vec<SendRecord>) -> Result<(), StoreError> {
        self.database.write(move |c| sends.iter().try_for_each(|send| send::insert(c, send, KEEP))).await
    }
}

fn record(c: &Connection, past: &Past) -> Result<(), StoreError> {
    for (batch, rows) in &past.batches {
        batch::insert(c, batch, rows, KEEP)?;
    }
    for submission in &past.submissions {
        submission::insert(c, submission, KEEP)?;
    }
    for version in &past.versions {
        version::insert(c, version, KEEP)?;
    }
    for draft in &past.drafts {
        draft::insert(c, draft, KEEP)?;
    }
    for recipient in &past.recipients {
        recipient::insert(c, recipient, KEEP)?;
    }
    for mark in &past.read_marks {
        history::advance(c, mark)?;
    }
    Ok(())
}
