//! When the receivers were listening: at any other time webhooks may have been missed.

use rusqlite::types::{ToSql, ToSqlOutput};

use super::Desk;
use crate::StoreError;
use crate::rows::{all, tuple};

/// One of the two receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// The public receiver on the configured address.
    World,
    /// The sandbox's receiver.
    Sandbox,
}

impl ToSql for Receiver {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::World => "world",
            Self::Sandbox => "sandbox",
        }
        .into())
    }
}

impl Desk {
    /// Records that a receiver started listening. Returns the row to update with [`Desk::extend_uptime`].
    pub async fn start_uptime(&self, receiver: Receiver, at: i64) -> Result<i64, StoreError> {
        self.database
            .write(move |c| {
                c.prepare_cached("INSERT INTO listening (receiver, since, until) VALUES (?1, ?2, ?2)")?
                    .execute((receiver, at))?;
                Ok(c.last_insert_rowid())
            })
            .await
    }

    /// Records that the receiver was still listening at an instant.
    pub async fn extend_uptime(&self, row: i64, at: i64) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                c.prepare_cached("UPDATE listening SET until = max(until, ?2) WHERE id = ?1")?.execute((row, at))?;
                Ok(())
            })
            .await
    }

    /// The periods in which a receiver listened, as first and last instant, ordered by their end.
    pub async fn uptime(&self, receiver: Receiver) -> Result<Vec<(i64, i64)>, StoreError> {
        self.database
            .read(move |c| {
                let sql = "SELECT since, until FROM listening WHERE receiver = ?1 ORDER BY until, since";
                all(c, sql, [receiver], tuple)
            })
            .await
    }
}
