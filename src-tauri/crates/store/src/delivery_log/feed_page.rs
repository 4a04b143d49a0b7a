//! Pages of deliveries that were fetched from a feed.

use rusqlite::OptionalExtension as _;
use tokio::sync::oneshot;

use super::writer::{Command, Page};
use super::{DeliveryLog, DeliveryLogError, DeliveryLogReader, NewDelivery};
use crate::StoreError;

/// Deliveries fetched from a feed, with the position after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    pub source: String,
    /// The position after this page.
    pub cursor: String,
    /// The deliveries, each with its origin.
    pub deliveries: Vec<(NewDelivery, String)>,
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

    /// Forgets up to where a feed was fetched.
    pub async fn forget_feed(&self, source: &str) -> Result<(), StoreError> {
        let source = source.to_owned();
        self.work(move |connection| {
            connection.execute("DELETE FROM feed_cursor WHERE source = ?1", [source])?;
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
}
