//! When the messages of a batch were sent, and when people got, read and answered them.

use super::Desk;
use crate::StoreError;
use crate::rows::{all, from_row};

/// What is known about the message of a row, in Unix milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowTimes {
    pub row: u32,
    /// Absent unless the provider accepted it.
    pub sent_at: Option<i64>,
    /// When it was first reported as delivered, read or played.
    pub delivered_at: Option<i64>,
    /// When it was first reported as read or played.
    pub read_at: Option<i64>,
    /// When the first message arrived that answers it.
    pub replied_at: Option<i64>,
    /// When one of its buttons was first tapped.
    pub tapped_at: Option<i64>,
}

/// A clock of this machine that is ahead does not make a message sent after it was delivered.
const TIMES: &str = "SELECT batch_row.row,
      CASE WHEN send.state = 'accepted' OR send.status IS NOT NULL THEN coalesce(
        (SELECT min(at) FROM send_outcome WHERE send_id = send.id AND status = 'sent'),
        min(send.created_at, coalesce((SELECT min(at) FROM send_outcome WHERE send_id = send.id), send.created_at)))
      END AS sent_at,
      (SELECT min(at) FROM send_outcome WHERE send_id = send.id AND status IN ('delivered', 'read', 'played'))
        AS delivered_at,
      (SELECT min(at) FROM send_outcome WHERE send_id = send.id AND status IN ('read', 'played')) AS read_at,
      send.replied_at, send.tapped_at
    FROM batch_row JOIN send ON send.id = batch_row.send_id
    WHERE batch_row.batch_id = ?1 AND batch_row.row BETWEEN ?2 AND ?3";

impl Desk {
    /// The times of the rows from the first to the last given one that have a send.
    pub async fn batch_times(&self, id: &str, rows: (u32, u32)) -> Result<Vec<RowTimes>, StoreError> {
        let key = (id.to_owned(), rows.0, rows.1);
        let times = |row: &rusqlite::Row<'_>| from_row!(row => RowTimes { row, sent_at, delivered_at, read_at, replied_at, tapped_at });
        self.database.read(move |c| all(c, TIMES, key, times)).await
    }
}
