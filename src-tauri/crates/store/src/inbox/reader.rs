//! The reading end of the inbox.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension as _, Row};

use super::{Delivery, SCHEMA};
use crate::StoreError;
use crate::connection;

/// Bytes of bodies after which a page ends, however many rows were asked for.
const PAGE_BYTES: usize = 16 << 20;

/// Reads the inbox over a connection of its own, also while another process writes it. Clones share the connection.
#[derive(Clone, Debug)]
pub struct InboxReader {
    connection: Arc<Mutex<Connection>>,
}

impl InboxReader {
    /// Opens an inbox that exists. Blocks for a moment.
    ///
    /// # Errors
    /// [`StoreError`] when there is no inbox at `path` or it is none that this version reads.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            let source = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no inbox here");
            return Err(StoreError::Io { path: path.to_owned(), source });
        }
        let connection = connection::open_reader(path, &SCHEMA)?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }

    /// [`InboxReader::open`], or `None` while there is no inbox yet: the file is missing, or the process that creates
    /// it has not set it up.
    ///
    /// # Errors
    /// [`StoreError`] when what is there will never be an inbox that this version reads.
    pub fn open_if_created(path: &Path) -> Result<Option<Self>, StoreError> {
        match path.metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Ok(file) if file.is_file() && file.len() == 0 => return Ok(None),
            _ => {}
        }
        match Self::open(path) {
            Ok(reader) => Ok(Some(reader)),
            // Format 0 is a database without a table.
            Err(StoreError::Older { found: 0, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Deliveries after `seq` in order of arrival: at most `limit`, and fewer when they are large. Empty only when
    /// there are none.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn after(&self, seq: i64, limit: u32) -> Result<Vec<Delivery>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT seq, received_at, route, headers, body FROM delivery WHERE seq > ?1 ORDER BY seq LIMIT ?2",
            )?;
            let mut rows = statement.query((seq, limit))?;
            let mut page = Vec::new();
            let mut bytes = 0;
            while bytes < PAGE_BYTES
                && let Some(row) = rows.next()?
            {
                let delivery = delivery(row)?;
                bytes += delivery.body.len();
                page.push(delivery);
            }
            Ok(page)
        })
        .await
    }

    /// The delivery with that sequence number.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn get(&self, seq: i64) -> Result<Option<Delivery>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection
                .prepare_cached("SELECT seq, received_at, route, headers, body FROM delivery WHERE seq = ?1")?;
            Ok(statement.query_row([seq], delivery).optional()?)
        })
        .await
    }

    /// Sequence number of the last delivery; 0 when there is none.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn last_seq(&self) -> Result<i64, StoreError> {
        self.read(last_seq).await
    }

    /// Identity of the inbox; see [`Inbox::inbox_id`](super::Inbox::inbox_id).
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn inbox_id(&self) -> Result<String, StoreError> {
        self.read(inbox_id).await
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let connection = self.connection.clone();
        tokio::task::spawn_blocking(move || work(&connection.lock().unwrap_or_else(PoisonError::into_inner)))
            .await
            .map_err(|_| StoreError::Closed)?
    }
}

pub(super) fn last_seq(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("SELECT coalesce(max(seq), 0) FROM delivery", [], |row| row.get(0))?)
}

pub(super) fn inbox_id(connection: &Connection) -> Result<String, StoreError> {
    Ok(connection.query_row("SELECT inbox_id FROM meta", [], |row| row.get(0))?)
}

fn delivery(row: &Row<'_>) -> rusqlite::Result<Delivery> {
    let headers: String = row.get(3)?;
    Ok(Delivery {
        seq: row.get(0)?,
        received_at: row.get(1)?,
        route: row.get(2)?,
        headers: serde_json::from_str(&headers).map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(3, rusqlite::types::Type::Text, Box::new(error))
        })?,
        body: row.get(4)?,
    })
}
