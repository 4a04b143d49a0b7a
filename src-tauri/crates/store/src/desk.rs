//! The desk: data that people created here. No other copy exists; a commit survives a power cut.

mod batch;
mod batch_delay;
mod batch_end;
mod batch_file;
mod batch_round;
mod batch_side;
mod batch_times;
mod bulk_action;
mod cost;
mod draft;
mod figure;
mod history;
mod import;
mod job;
mod marketing;
mod no_answer;
mod opt_out_word;
mod outcome;
mod past;
mod rate_card;
mod receiver_uptime;
mod recent;
mod recipient;
mod recipient_import;
mod repeat;
mod review;
mod salvage;
mod saved_reply;
mod send;
mod sent;
mod sent_people;
mod sent_words;
mod states;
mod submission;
mod template_history;
mod unfinished_form;
mod version;
mod workspace;

use std::path::Path;

use rusqlite::Connection;
use tokio::sync::watch;

pub use self::batch::{Batch, BatchRow, PlannedRow};
pub use self::batch_file::BatchFile;
pub use self::batch_round::{Outcome, Round, RoundRow, RoundStep};
pub use self::batch_side::BatchSide;
pub use self::batch_times::RowTimes;
pub use self::bulk_action::{BulkAction, BulkActionItem, OpenItem};
pub use self::cost::CostFigure;
pub use self::draft::Draft;
pub use self::figure::{CodeFigure, FigureFilter, FigureKey, FunnelRow, PricingRow, Reply};
pub use self::history::{Observation, ReadMark, TemplateAction, TemplateEvent};
pub use self::import::{Import, ImportFile, ImportFileResult};
pub use self::job::{JobKind, RunStep, RunningJob};
pub use self::marketing::{ImportedPreference, MarketingPreference};
pub use self::opt_out_word::OptOutWord;
pub use self::outcome::{OutcomeReport, SendOutcome};
pub use self::past::Past;
pub use self::rate_card::StoredRateCard;
pub use self::receiver_uptime::Receiver;
pub use self::recent::RecentFile;
pub use self::recipient::{Recipient, RecipientResult};
pub use self::recipient_import::RecipientChange;
pub use self::repeat::LastSend;
pub use self::review::{ReviewFact, ReviewFacts, ReviewResult, SubmissionFact};
pub use self::salvage::{Salvaged, salvage};
pub use self::saved_reply::{SavedReply, SavedReplyResult};
pub use self::send::{SendFilter, SendPage, SendRecord};
pub use self::sent::LastSends;
pub use self::sent_people::SentPerson;
pub use self::sent_words::{FixedTexts, FoundSends};
pub use self::states::{
    BulkActionKind, CallState, ItemState, LocalRowState, MarketingSource, RowState, RunState, SendKind, SendState,
    SubmissionKind, VersionOrigin,
};
pub use self::submission::Submission;
pub use self::template_history::{StoredHistory, TemplateIds};
pub use self::unfinished_form::UnfinishedForm;
pub use self::version::Version;
pub use self::workspace::{Workspace, WorkspaceContents};
use crate::StoreError;
use crate::connection;
use crate::database::{Database, Health};
use crate::rows::{all, first};
use crate::schema::{Schema, Synchronous};

pub(crate) static SCHEMA: Schema = Schema {
    application_id: i32::from_be_bytes(*b"TDdk"),
    synchronous: Synchronous::Full,
    checkpoint_pages: 1_000,
    first: 1,
    steps: &[include_str!("../schema/desk.sql")],
};

/// Result of a call to the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Never [`CallState::Recorded`].
    pub state: CallState,
    /// HTTP status, if there was a response.
    pub status: Option<u16>,
    /// Response body as received.
    pub body: Option<String>,
    /// The failure as JSON, if it failed.
    pub error: Option<String>,
    /// When the response arrived, or when waiting for it ended.
    pub at: i64,
}

/// Calls that an earlier run recorded and did not finish: their outcome is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interrupted {
    pub sends: Vec<String>,
    pub submissions: Vec<String>,
    /// Identifiers of batches that were running.
    pub batches: Vec<String>,
    /// Identifiers of bulk actions that were running.
    pub bulk_actions: Vec<String>,
    /// Identifiers of imports that were running.
    pub imports: Vec<String>,
}

/// Data that people created here.
#[derive(Debug)]
pub struct Desk {
    database: Database,
    interrupted: Interrupted,
}

impl Desk {
    /// Opens or creates the file, and marks calls that an earlier run did not finish as unknown. Blocks briefly.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be opened safely.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = connection::open(path, &SCHEMA)?;
        let interrupted = mark_interrupted(&mut connection)?;
        Ok(Self { database: Database::start(path.to_owned(), &SCHEMA, connection, None)?, interrupted })
    }

    /// The unfinished calls of the last run.
    #[must_use]
    pub fn interrupted(&self) -> &Interrupted {
        &self.interrupted
    }

    /// Health of the file while it is open; a desk is never replaced.
    #[must_use]
    pub fn health(&self) -> watch::Receiver<Health> {
        self.database.health()
    }

    /// Number of committed transactions that changed rows since the file was opened.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.database.changes()
    }

    /// Waits for running work and queued writes, and closes the file, even while others still hold the desk: their
    /// later calls return [`StoreError::Closed`]. Blocks until that is done.
    pub fn close(&self) {
        self.database.close();
    }

    /// An app-wide setting as JSON.
    pub async fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        let key = key.to_owned();
        self.database.read(move |c| first(c, "SELECT value FROM setting WHERE key = ?1", [key], |row| row.get(0))).await
    }

    /// Removes an app-wide setting.
    pub async fn remove_setting(&self, key: &str) -> Result<(), StoreError> {
        let key = key.to_owned();
        self.database
            .write(move |c| {
                c.prepare_cached("DELETE FROM setting WHERE key = ?1")?.execute([key])?;
                Ok(())
            })
            .await
    }

    /// Sets an app-wide setting.
    ///
    /// # Errors
    /// [`StoreError`] when `json` is not JSON or cannot be written.
    pub async fn set_setting(&self, key: &str, json: String) -> Result<(), StoreError> {
        let key = key.to_owned();
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value",
                )?
                .execute((key, json))?;
                Ok(())
            })
            .await
    }
}

/// Marks requests that were not sent when a backup was made as unknown: they may have been sent since, and none is sent
/// twice.
pub(crate) fn mark_unsent_unknown(connection: &Connection) -> Result<(), StoreError> {
    batch::mark_unsent_unknown(connection)?;
    bulk_action::mark_unsent_unknown(connection)?;
    import::delete_all(connection)
}

fn mark_interrupted(connection: &mut Connection) -> Result<Interrupted, StoreError> {
    let transaction = connection.transaction()?;
    let mut interrupted = Interrupted {
        sends: all(&transaction, "SELECT id FROM send WHERE state = 'recorded'", [], |row| row.get(0))?,
        submissions: all(&transaction, "SELECT id FROM submission WHERE state = 'recorded'", [], |row| row.get(0))?,
        batches: Vec::new(),
        bulk_actions: Vec::new(),
        imports: Vec::new(),
    };
    transaction.execute("UPDATE send SET state = 'unknown' WHERE state = 'recorded'", [])?;
    transaction.execute("UPDATE submission SET state = 'unknown' WHERE state = 'recorded'", [])?;
    interrupted.batches = batch::mark_interrupted(&transaction)?;
    interrupted.bulk_actions = bulk_action::mark_interrupted(&transaction)?;
    interrupted.imports = import::mark_interrupted(&transaction)?;
    transaction.commit()?;
    Ok(interrupted)
}
