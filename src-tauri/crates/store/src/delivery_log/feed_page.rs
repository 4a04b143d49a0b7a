//! Pages of deliveries that were fetched from a feed.

use rusqlite::{OptionalExtension as _, params};
use tokio::sync::oneshot;

use super::writer::{Command, Page};
use super::{DeliveryLog, DeliveryLogError, DeliveryLogReader, NewDelivery};
use crate::StoreError;

/// Maximum number of gaps that are read: servers know three reasons.
const MAX_GAPS: u32 = 200;

/// Deliveries fetched from a feed, with the position after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    pub source: String,
    /// The position after this page.
    pub cursor: String,
    /// The deliveries, each with its origin.
    pub deliveries: Vec<(NewDelivery, String)>,
    /// What the server passed over; the sources are this one.
    pub gaps: Vec<FeedGap>,
    /// When the last delivery of the page was received there, in Unix milliseconds, also if it is not among those above.
    pub received_at: Option<i64>,
}

/// Deliveries that the server of a feed passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedGap {
    pub source: String,
    /// Why, in the word of the server.
    pub why: String,
    pub deliveries: u64,
    /// When the delivery before them was received there, in Unix milliseconds; if that is not known, it is that of the
    /// page before.
    pub after: Option<i64>,
    /// When the delivery after them was received there, or when that was found, in Unix milliseconds.
    pub before: i64,
}

impl DeliveryLog {
    /// Stores a page and its cursor in one transaction. Returns the sequence number of the last stored delivery of the
    /// delivery log, of any source. Waits while the queue is full.
    ///
    /// # Errors
    /// [`DeliveryLogError`] when the page could not be stored; its cursor has not changed then, unless the failed
    /// commit has reached the disk as a whole.
    pub async fn append_page(&self, page: FeedPage) -> Result<i64, DeliveryLogError> {
        let (answer, answered) = oneshot::channel();
        let page = Page { page, answer };
        let queue = self.queue.clone();
        let sent = tokio::task::spawn_blocking(move || queue.send(Command::Page(page)).is_ok()).await;
        if !sent.unwrap_or(false) {
            return Err(DeliveryLogError::Closed);
        }
        answered.await.unwrap_or(Err(DeliveryLogError::Closed))
    }

    /// Forgets up to where a feed was fetched, and what was passed over.
    pub async fn forget_feed(&self, source: &str) -> Result<(), StoreError> {
        let source = source.to_owned();
        self.work(move |connection| {
            let transaction = connection.transaction()?;
            transaction.execute("DELETE FROM feed_cursor WHERE source = ?1", [&source])?;
            transaction.execute("DELETE FROM feed_gap WHERE source = ?1", [&source])?;
            Ok(transaction.commit()?)
        })
        .await
    }

    /// Forgets what a feed passed over, unless there is more than these deliveries by now.
    pub async fn dismiss_feed_gap(&self, source: &str, why: &str, deliveries: u64) -> Result<(), StoreError> {
        let (source, why) = (source.to_owned(), why.to_owned());
        self.work(move |connection| {
            let sql = "DELETE FROM feed_gap WHERE source = ?1 AND why = ?2 AND deliveries = ?3";
            connection.execute(sql, params![source, why, deliveries])?;
            Ok(())
        })
        .await
    }
}

impl DeliveryLogReader {
    /// Up to where a feed was fetched; `None` if nothing was.
    pub async fn feed_cursor(&self, source: &str) -> Result<Option<String>, StoreError> {
        let source = source.to_owned();
        self.read(move |connection| {
            let sql = "SELECT cursor FROM feed_cursor WHERE source = ?1";
            Ok(connection.prepare_cached(sql)?.query_row([source], |row| row.get(0)).optional()?)
        })
        .await
    }

    /// What the feeds passed over and nobody dismissed, by source.
    pub async fn feed_gaps(&self) -> Result<Vec<FeedGap>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT source, why, deliveries, after, before FROM feed_gap ORDER BY source, why LIMIT ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([MAX_GAPS], |row| {
                Ok(FeedGap {
                    source: row.get(0)?,
                    why: row.get(1)?,
                    deliveries: row.get(2)?,
                    after: row.get(3)?,
                    before: row.get(4)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}
