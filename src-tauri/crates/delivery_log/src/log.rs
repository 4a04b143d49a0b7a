//! A log that desks read: in PostgreSQL or in the inbox file.

use std::time::Duration;

use feed::{Delivery, Gap, Line};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::cursor::{Checkpoint, Cursor};
use crate::error::LogError;
use crate::rows::{Content, Head, Row, Wanted};
use crate::{file, postgres};

/// Bytes of bodies in a page at most, but for a larger body alone.
const PAGE_BYTES: usize = 4 << 20;
/// After this time a page ends, even if it is empty because the deliveries read are those of other endpoints.
const PAGE_TIME: Duration = Duration::from_secs(2);
/// Numbers in one reading.
const MAX_RANGE: i64 = 5_000;
/// One reading of the log takes at most this long.
const READ_TIMEOUT: Duration = Duration::from_secs(15);

/// A log to read. Clones share its connections.
#[derive(Clone, Debug)]
pub enum Log {
    /// Tables in PostgreSQL.
    Postgres(postgres::Reader),
    /// The inbox file of one receiver.
    File(file::Reader),
}

impl Log {
    /// Its numbers now.
    pub async fn head(&self) -> Result<Head, LogError> {
        in_time(async {
            match self {
                Self::Postgres(log) => log.head().await,
                Self::File(log) => log.head().await,
            }
        })
        .await
    }

    /// Its numbers, updated soon after a delivery is stored. Values are missing while the log cannot be read.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Option<Head>> {
        match self {
            Self::Postgres(log) => log.watch(),
            Self::File(log) => log.watch(),
        }
    }

    /// The position after everything stored.
    pub async fn end(&self) -> Result<Cursor, LogError> {
        let seq = self.head().await?.last;
        let mut cursor = Cursor::default();
        cursor.advance(Checkpoint { seq, mark: self.mark(seq).await? });
        Ok(cursor)
    }

    /// When the newest delivery was received, in Unix milliseconds; `None` if the log is empty.
    pub async fn newest(&self) -> Result<Option<i64>, LogError> {
        let last = self.head().await?.last;
        let wanted = Wanted { endpoints: &[], limit: 1, bytes: 0, first: true };
        let newest = self.read(last - 1, last, wanted).await?.pop();
        Ok(newest.and_then(|row| match row.content {
            Content::Delivery(delivery) => Some(delivery.received_at),
            _ => None,
        }))
    }

    /// Records for retention up to where a desk has read.
    pub(crate) async fn record_position(&self, desk: &str, seq: i64) -> Result<(), LogError> {
        match self {
            Self::Postgres(log) => log.record_position(desk, seq).await,
            // Nothing is removed from the file.
            Self::File(_) => Ok(()),
        }
    }

    /// Moves a cursor back to the newest of its checkpoints that the log has.
    pub(crate) async fn go_back(&self, cursor: &mut Cursor) -> Result<(), LogError> {
        let head = self.head().await?;
        let mut found = None;
        for checkpoint in cursor.checkpoints() {
            let is_removed = checkpoint.seq < head.first;
            if is_removed || (checkpoint.seq <= head.last && self.mark(checkpoint.seq).await? == checkpoint.mark) {
                found = Some(checkpoint.seq);
                break;
            }
        }
        cursor.go_back(found);
        Ok(())
    }

    /// The page after a position (at the beginning without one), with at most `limit` deliveries of these endpoints, or
    /// of all if none are given. `None` if the log does not have this position: it was restored from a backup.
    pub(crate) async fn page(
        &self,
        position: Option<Checkpoint>,
        limit: i64,
        endpoints: &[String],
        head: Head,
    ) -> Result<Option<Page>, LogError> {
        let started = Instant::now();
        let before_first = Checkpoint { seq: head.first - 1, mark: Uuid::nil() };
        let mut page = Page::at(position.unwrap_or(before_first));
        if page.to.seq < before_first.seq {
            page.pass(page.to.seq + 1, before_first.seq, "removed")?;
            page.to = before_first;
        }
        loop {
            let wanted = Wanted {
                endpoints,
                limit: limit - page.deliveries,
                bytes: PAGE_BYTES.saturating_sub(page.bytes),
                first: page.deliveries == 0,
            };
            let range = if endpoints.is_empty() { wanted.limit.min(MAX_RANGE) } else { MAX_RANGE };
            let after = page.to;
            let end = head.last.min(after.seq + range);
            let rows = self.read(after.seq, end, wanted).await?;
            let mark = rows.iter().find(|row| row.seq == after.seq).map_or(Uuid::nil(), |row| row.mark);
            if after.seq > head.last || (after.seq >= head.first && mark != after.mark) {
                return Ok(None);
            }
            let is_cut = self.add(&mut page, rows, end).await?;
            let is_full = page.deliveries >= limit || page.bytes >= PAGE_BYTES;
            if is_cut || is_full || page.to.seq >= head.last || started.elapsed() >= PAGE_TIME {
                page.write_gap()?;
                return Ok(Some(page));
            }
        }
    }

    /// Adds what was read up to `end`. Returns whether the page ends before.
    async fn add(&self, page: &mut Page, rows: Vec<Row>, end: i64) -> Result<bool, LogError> {
        let after = page.to.seq;
        for row in rows.into_iter().filter(|row| row.seq > after) {
            self.pass_missing(page, row.seq - 1).await?;
            match row.content {
                Content::Delivery(delivery) => page.push(delivery)?,
                Content::Altered => page.pass(row.seq, row.seq, "altered")?,
                Content::Other => {}
                Content::Later => return Ok(true),
            }
            page.to = Checkpoint { seq: row.seq, mark: row.mark };
        }
        self.pass_missing(page, end).await?;
        Ok(false)
    }

    /// Passes the numbers up to `end`, for which there is no delivery.
    async fn pass_missing(&self, page: &mut Page, end: i64) -> Result<(), LogError> {
        let from = page.to.seq + 1;
        if from > end {
            return Ok(());
        }
        let now = self.head().await?;
        if now.last < end {
            return Err(LogError::Restored);
        }
        // Retention may have removed them since the page was begun.
        let removed = end.min(now.first - 1);
        page.pass(from, removed, "removed")?;
        page.pass(from.max(removed + 1), end, "missing")?;
        page.to = Checkpoint { seq: end, mark: Uuid::nil() };
        Ok(())
    }

    /// The mark of a delivery; nil if there is none.
    async fn mark(&self, seq: i64) -> Result<Uuid, LogError> {
        let wanted = Wanted { endpoints: &[], limit: 0, bytes: 0, first: false };
        let rows = self.read(seq, seq, wanted).await?;
        Ok(rows.first().map_or(Uuid::nil(), |row| row.mark))
    }

    /// The deliveries from `after`, of which only the mark is read, to `end`, in order.
    async fn read(&self, after: i64, end: i64, wanted: Wanted<'_>) -> Result<Vec<Row>, LogError> {
        in_time(async {
            match self {
                Self::Postgres(log) => log.read(after, end, wanted).await,
                Self::File(log) => log.read(after, end, wanted).await,
            }
        })
        .await
    }
}

/// The lines of a page, without its end.
#[derive(Debug)]
pub(crate) struct Page {
    lines: Vec<u8>,
    pub(crate) deliveries: i64,
    /// Of bodies.
    bytes: usize,
    /// Not written yet, because it may grow.
    gap: Option<Gap>,
    /// The position after it.
    pub(crate) to: Checkpoint,
}

impl Page {
    fn at(to: Checkpoint) -> Self {
        Self { lines: Vec::new(), deliveries: 0, bytes: 0, gap: None, to }
    }

    pub(crate) fn lines(&self) -> &[u8] {
        &self.lines
    }

    fn push(&mut self, delivery: Delivery) -> Result<(), LogError> {
        self.write_gap()?;
        self.deliveries += 1;
        self.bytes += delivery.body.len();
        Ok(Line::Delivery(delivery).write(&mut self.lines)?)
    }

    fn pass(&mut self, from: i64, to: i64, why: &str) -> Result<(), LogError> {
        if from > to {
            return Ok(());
        }
        match &mut self.gap {
            Some(gap) if gap.to + 1 == from && gap.why == why => gap.to = to,
            _ => {
                self.write_gap()?;
                self.gap = Some(Gap { from, to, why: why.to_owned() });
            }
        }
        Ok(())
    }

    fn write_gap(&mut self) -> Result<(), LogError> {
        let Some(gap) = self.gap.take() else { return Ok(()) };
        tracing::warn!(from = gap.from, to = gap.to, why = gap.why, "a desk cannot get deliveries of the log");
        Ok(Line::Gap(gap).write(&mut self.lines)?)
    }
}

async fn in_time<T>(reading: impl Future<Output = Result<T, LogError>>) -> Result<T, LogError> {
    timeout(READ_TIMEOUT, reading).await.unwrap_or(Err(LogError::Slow))
}
