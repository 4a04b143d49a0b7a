//! The reading end of the delivery log.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension as _};
use tokio::sync::watch;

use super::row::{COLUMNS, delivery};
use super::{Delivery, SCHEMA};
use crate::StoreError;
use crate::connection;
use crate::run_journal::DeliveryLogMark;

/// Maximum bytes of bodies in a page, regardless of the requested number of rows.
pub(super) const PAGE_BYTES: usize = 16 << 20;

/// Reads the delivery log through its own connection, even while another process writes to it. Clones share the
/// connection.
#[derive(Clone, Debug)]
pub struct DeliveryLogReader {
    connection: Arc<Mutex<Connection>>,
    damage: Arc<watch::Sender<Option<String>>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Number of deliveries, computed from sequence numbers.
    pub deliveries: u64,
    /// When the oldest arrived, in Unix milliseconds.
    pub first_at: Option<i64>,
    /// When the newest arrived, in Unix milliseconds.
    pub last_at: Option<i64>,
}

impl DeliveryLogReader {
    /// Opens an existing delivery log. Blocks briefly.
    ///
    /// # Errors
    /// [`StoreError`] when there is no delivery log at `path`, or not one that this version can read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            let source = std::io::Error::new(std::io::ErrorKind::NotFound, "the delivery log does not exist");
            return Err(StoreError::Io { path: path.to_owned(), source });
        }
        let connection = connection::open_reader(path, &SCHEMA)?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)), damage: Arc::new(watch::Sender::new(None)) })
    }

    /// As [`DeliveryLogReader::open`], without leaving companions beside a file that no process has open.
    ///
    /// # Errors
    /// As [`DeliveryLogReader::open`].
    pub fn open_unchanged(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() || crate::atomic_file::has_write_ahead_log(path) {
            return Self::open(path);
        }
        let connection = connection::open_immutable(path, &SCHEMA)?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)), damage: Arc::new(watch::Sender::new(None)) })
    }

    /// [`DeliveryLogReader::open`], or `None` while the delivery log does not exist: the file is missing, or the
    /// process that creates it has not set it up.
    ///
    /// # Errors
    /// [`StoreError`] when the file can never become a delivery log that this version can read.
    pub fn open_if_created(path: &Path) -> Result<Option<Self>, StoreError> {
        match path.metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Ok(file) if file.is_file() && file.len() == 0 => return Ok(None),
            _ => {}
        }
        match Self::open(path) {
            Ok(reader) => Ok(Some(reader)),
            // Format 0 is a database without tables.
            Err(StoreError::Older { found: 0, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Deliveries after `seq` in order of arrival: at most `limit`, and fewer if they are large. Empty only if there
    /// are none.
    ///
    /// Rows altered on the disk are left out, and reported by [`DeliveryLogReader::damage`].
    pub async fn after(&self, seq: i64, limit: u32) -> Result<Vec<Delivery>, StoreError> {
        let damage = self.damage.clone();
        self.read(move |connection| {
            let sql = format!("SELECT {COLUMNS} FROM delivery WHERE seq > ?1 ORDER BY seq LIMIT ?2");
            let mut statement = connection.prepare_cached(&sql)?;
            let mut from = seq;
            loop {
                let mut rows = statement.query((from, limit))?;
                let (mut page, mut altered, mut bytes) = (Vec::new(), Vec::new(), 0);
                while bytes < PAGE_BYTES
                    && let Some(row) = rows.next()?
                {
                    match delivery(row)? {
                        Ok(delivery) => {
                            bytes += delivery.body.len();
                            page.push(delivery);
                        }
                        Err(seq) => altered.push(seq),
                    }
                }
                // A page of altered rows only is not the end.
                match altered.last() {
                    Some(&last) if page.is_empty() => from = last,
                    _ => return Ok((page, altered)),
                }
                damage.send_replace(Some(damage_text(&altered)));
            }
        })
        .await
        .map(|(page, altered)| {
            self.report(&altered);
            page
        })
    }

    /// The deliveries of these numbers in order, and the numbers of altered ones; fewer if they are large. Also returns the
    /// number up to which it has read.
    pub async fn range(&self, range: RangeInclusive<i64>) -> Result<(Vec<Result<Delivery, i64>>, i64), StoreError> {
        self.read(move |connection| {
            let sql = format!("SELECT {COLUMNS} FROM delivery WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq");
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query((range.start(), range.end()))?;
            let (mut found, mut bytes) = (Vec::new(), 0);
            while let Some(row) = rows.next()? {
                let read = delivery(row)?;
                let seq = read.as_ref().map_or_else(|seq| *seq, |delivery| delivery.seq);
                bytes += read.as_ref().map_or(0, |delivery| delivery.body.len());
                found.push(read);
                if bytes >= PAGE_BYTES {
                    return Ok((found, seq));
                }
            }
            Ok((found, *range.end()))
        })
        .await
    }

    /// Sequence number of the oldest delivery, or of the next one if there is none.
    pub async fn first_seq(&self) -> Result<i64, StoreError> {
        self.read(|connection| {
            let first =
                connection.query_row("SELECT min(seq) FROM delivery", [], |row| row.get::<_, Option<i64>>(0))?;
            first.map_or_else(|| Ok(last_seq(connection)? + 1), Ok)
        })
        .await
    }

    /// The delivery with that sequence number.
    pub async fn get(&self, seq: i64) -> Result<Option<Delivery>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM delivery WHERE seq = ?1"))?;
            match statement.query_row([seq], delivery).optional()? {
                Some(Err(seq)) => Err(StoreError::Damaged {
                    path: connection.path().unwrap_or_default().into(),
                    reason: damage_text(&[seq]),
                }),
                found => Ok(found.and_then(Result::ok)),
            }
        })
        .await
    }

    /// Sequence number of the last delivery; 0 if there is none.
    pub async fn last_seq(&self) -> Result<i64, StoreError> {
        self.read(last_seq).await
    }

    /// Identity of the delivery log; see [`DeliveryLog::log_id`](super::DeliveryLog::log_id).
    pub async fn log_id(&self) -> Result<String, StoreError> {
        self.read(log_id).await
    }

    /// Number of deliveries, and the first and last arrival. Does not count rows: the number of removed ones is stored.
    pub async fn extent(&self) -> Result<Extent, StoreError> {
        self.read(|connection| {
            let at = |order: &str| {
                let sql = format!("SELECT received_at FROM delivery ORDER BY seq {order} LIMIT 1");
                connection.prepare_cached(&sql)?.query_row([], |row| row.get(0)).optional()
            };
            let mark = mark(connection)?;
            let (first_at, last_at) = (at("ASC")?, at("DESC")?);
            let deliveries = if first_at.is_none() { 0 } else { mark.last_seq - mark.removed };
            Ok(Extent { deliveries: u64::try_from(deliveries).unwrap_or(0), first_at, last_at })
        })
        .await
    }

    /// Content of the file, for the run journal.
    pub async fn mark(&self) -> Result<DeliveryLogMark, StoreError> {
        self.read(mark).await
    }

    /// As [`DeliveryLogReader::mark`], but blocks.
    pub fn mark_now(&self) -> Result<DeliveryLogMark, StoreError> {
        mark(&self.connection.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The damage found while reading, as text; `None` if there is none.
    #[must_use]
    pub fn damage(&self) -> watch::Receiver<Option<String>> {
        self.damage.subscribe()
    }

    pub(super) fn report(&self, altered: &[i64]) {
        if !altered.is_empty() {
            tracing::error!(?altered, "deliveries were altered after they were stored");
            self.damage.send_replace(Some(damage_text(altered)));
        }
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let connection = self.connection.clone();
        let result =
            tokio::task::spawn_blocking(move || work(&connection.lock().unwrap_or_else(PoisonError::into_inner)))
                .await
                .map_err(|_| StoreError::Closed)?;
        if let Err(error) = &result
            && error.is_damage()
        {
            self.damage.send_replace(Some(error.to_string()));
        }
        result
    }
}

fn damage_text(altered: &[i64]) -> String {
    let first = altered.first().copied().unwrap_or_default();
    match altered.len() {
        1 => format!("delivery {first} was altered after it was stored"),
        more => format!("delivery {first} and {} others were altered after they were stored", more - 1),
    }
}

pub(super) fn last_seq(connection: &Connection) -> Result<i64, StoreError> {
    // Sequence numbers up to the floor were assigned by a file that this one replaces.
    Ok(connection.query_row(
        "SELECT max(coalesce((SELECT max(seq) FROM delivery), 0), coalesce((SELECT floor FROM meta), 0))",
        [],
        |row| row.get(0),
    )?)
}

pub(crate) fn mark(connection: &Connection) -> Result<DeliveryLogMark, StoreError> {
    let last_seq = last_seq(connection)?;
    Ok(connection.query_row("SELECT log_id, removed FROM meta", [], |row| {
        Ok(DeliveryLogMark { id: row.get(0)?, last_seq, removed: row.get(1)? })
    })?)
}

pub(super) fn log_id(connection: &Connection) -> Result<String, StoreError> {
    Ok(connection.query_row("SELECT log_id FROM meta", [], |row| row.get(0))?)
}

/// Sequence numbers of altered deliveries, at most `most`. Reads in steps, so that no long transaction prevents a
/// checkpoint.
pub(crate) fn altered(
    connection: &Connection,
    most: usize,
    stopped: impl Fn() -> bool,
) -> Result<Vec<i64>, StoreError> {
    const STEP: u32 = 1_000;
    let mut found = Vec::new();
    let mut from = 0;
    let sql = format!("SELECT {COLUMNS} FROM delivery WHERE seq > ?1 ORDER BY seq LIMIT ?2");
    let mut statement = connection.prepare(&sql)?;
    while found.len() < most {
        if stopped() {
            return Err(StoreError::Closed);
        }
        let mut rows = statement.query((from, STEP))?;
        let before = from;
        while let Some(row) = rows.next()? {
            match delivery(row)? {
                Ok(delivery) => from = delivery.seq,
                Err(seq) => {
                    from = seq;
                    found.push(seq);
                }
            }
        }
        if from == before {
            break;
        }
    }
    Ok(found)
}
