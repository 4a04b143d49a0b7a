//! A log that desks read: in PostgreSQL or in the inbox file.

use std::time::Duration;

use feed::Delivery;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::cursor::Cursor;
use crate::error::LogError;
use crate::stream::{Positions, Stream};
use crate::{file, postgres};

/// Bytes of bodies after which a page ends, regardless of the requested number of deliveries.
const PAGE_BYTES: usize = 4 << 20;
/// After this time a page ends, even if it is empty because the deliveries read are those of other endpoints.
const PAGE_TIME: Duration = Duration::from_secs(2);
/// One reading of the log takes at most this long; the connection is not used again then.
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
    /// The streams now.
    pub async fn positions(&self) -> Result<Positions, LogError> {
        in_time(async {
            match self {
                Self::Postgres(log) => log.positions().await,
                Self::File(log) => log.positions().await,
            }
        })
        .await
    }

    /// The streams, updated when a delivery is stored. Values are missing while the log cannot be read.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Option<Positions>> {
        match self {
            Self::Postgres(log) => log.watch(),
            Self::File(log) => log.watch(),
        }
    }

    /// The deliveries after a cursor, at most `limit`, and the cursor after them. Only those of the given endpoints, or
    /// all if there are none given.
    pub async fn page(
        &self,
        mut cursor: Cursor,
        limit: u32,
        endpoints: &[String],
        positions: &[Stream],
    ) -> Result<(Vec<Delivery>, Cursor), LogError> {
        let (mut page, mut bytes) = (Vec::new(), 0);
        let started = Instant::now();
        loop {
            let next = cursor.next(positions);
            // Nodes take turns, so that none waits for the past of another.
            let share = u32::try_from(next.len()).unwrap_or(u32::MAX);
            for part in &next {
                let left = limit.saturating_sub(u32::try_from(page.len()).unwrap_or(u32::MAX));
                if left == 0 || bytes >= PAGE_BYTES || started.elapsed() >= PAGE_TIME {
                    return Ok((page, cursor));
                }
                let wanted = (limit / share).clamp(1, left);
                let (deliveries, to) = self.read(part.stream, part.after, wanted, endpoints).await?;
                bytes += deliveries.iter().map(|delivery| delivery.body.len()).sum::<usize>();
                page.extend(deliveries);
                cursor.read_to(part.stream, to);
            }
            if next.is_empty() {
                return Ok((page, cursor));
            }
        }
    }

    /// When the newest delivery of a receiver was received, in Unix milliseconds; `None` if it has stored none.
    pub async fn newest(&self, node: &str) -> Result<Option<i64>, LogError> {
        let positions = self.positions().await?;
        let of_node = |stream: &&Stream| stream.node == node && stream.last_seq >= stream.first_seq;
        let Some(stream) = positions.iter().rfind(of_node) else { return Ok(None) };
        let (deliveries, _) = self.read(stream, stream.last_seq - 1, 1, &[]).await?;
        Ok(deliveries.last().map(|delivery| delivery.received_at))
    }

    async fn read(
        &self,
        stream: &Stream,
        after: i64,
        limit: u32,
        endpoints: &[String],
    ) -> Result<(Vec<Delivery>, i64), LogError> {
        in_time(async {
            match self {
                Self::Postgres(log) => log.read(stream, after, limit, endpoints).await,
                Self::File(log) => log.read(stream, after, limit, endpoints).await,
            }
        })
        .await
    }
}

async fn in_time<T>(reading: impl Future<Output = Result<T, LogError>>) -> Result<T, LogError> {
    timeout(READ_TIMEOUT, reading).await.unwrap_or(Err(LogError::Slow))
}
