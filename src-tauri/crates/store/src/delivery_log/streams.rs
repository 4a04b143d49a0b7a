//! Streams: what was stored from one start of the writer on.

use rusqlite::{Connection, params};

use super::DeliveryLogReader;
use crate::StoreError;

/// What was stored from one start on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Unique, also among copies of the file.
    pub id: String,
    pub first_seq: i64,
}

/// Begins a stream after `last_seq`. The first one also has what was stored before there were streams.
pub(super) fn begin(connection: &mut Connection, last_seq: i64) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    transaction.execute("DELETE FROM stream WHERE first_seq > ?1", [last_seq])?;
    let id = uuid::Uuid::new_v4().to_string();
    transaction.execute(
        "INSERT INTO stream (id, first_seq) SELECT ?1, CASE WHEN EXISTS (SELECT 1 FROM stream) THEN ?2 + 1 ELSE 1 END",
        params![id, last_seq],
    )?;
    transaction.commit()?;
    Ok(())
}

impl DeliveryLogReader {
    /// The streams of the delivery log, in their order.
    pub async fn streams(&self) -> Result<Vec<Stream>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT id, first_seq FROM stream ORDER BY first_seq")?;
            let rows = statement.query_map([], |row| Ok(Stream { id: row.get(0)?, first_seq: row.get(1)? }))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}
