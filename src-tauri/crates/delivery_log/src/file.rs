//! A log in the inbox file of one receiver. The desks that may read it are in a file beside it.

mod desks;

use std::path::Path;
use std::sync::Arc;

use feed::Delivery;
use store::delivery_log::Stream;
use store::{DeliveryLogReader, StoreError};
use tokio::sync::watch;
use uuid::Uuid;

use crate::error::LogError;
use crate::rows::{Content, GATHER_TIME, Head, Row, Wanted};

pub use self::desks::DesksFile;

/// The reading end of an inbox file. Clones share its connection.
#[derive(Clone, Debug)]
pub struct Reader {
    delivery_log: DeliveryLogReader,
    node: String,
    /// They change only when the file is opened.
    streams: Arc<[Stream]>,
    head: watch::Receiver<Option<Head>>,
}

impl Reader {
    /// Reads the inbox file at `path`, which the receiver `node` writes. `stored` has its last sequence number.
    pub async fn open(path: &Path, node: &str, mut stored: watch::Receiver<i64>) -> Result<Self, LogError> {
        let owned = path.to_owned();
        let opening = tokio::task::spawn_blocking(move || DeliveryLogReader::open(&owned));
        let delivery_log = opening.await.map_err(|_| StoreError::Closed)??;
        let streams = delivery_log.streams().await?.into();
        let (publish, head) = watch::channel(None);
        let reader = Self { delivery_log, node: node.to_owned(), streams, head };
        let following = reader.clone();
        tokio::spawn(async move {
            while stored.changed().await.is_ok() {
                tokio::time::sleep(GATHER_TIME).await;
                stored.mark_unchanged();
                if publish.send(following.head().await.ok()).is_err() {
                    return;
                }
            }
        });
        Ok(reader)
    }

    pub(crate) async fn head(&self) -> Result<Head, LogError> {
        let last = self.delivery_log.last_seq().await?;
        Ok(Head { first: self.delivery_log.first_seq().await?, last, desks: None })
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Option<Head>> {
        self.head.clone()
    }

    pub(crate) async fn read(&self, after: i64, end: i64, wanted: Wanted<'_>) -> Result<Vec<Row>, LogError> {
        let (found, to) = self.delivery_log.range(after..=end).await?;
        let (mut deliveries, mut bytes) = (0, 0);
        let row = |read: Result<store::delivery_log::Delivery, i64>| {
            let delivery = match read {
                Ok(delivery) => delivery,
                Err(seq) => return Row { seq, mark: self.mark(seq), content: Content::Altered },
            };
            let seq = delivery.seq;
            let is_wanted = wanted.endpoints.is_empty() || wanted.endpoints.contains(&delivery.route);
            let content = if seq == after || !is_wanted {
                Content::Other
            } else {
                deliveries += 1;
                bytes += delivery.body.len();
                let is_read = wanted.fits(deliveries, bytes);
                if is_read { Content::Delivery(self.delivery(delivery)) } else { Content::Later }
            };
            Row { seq, mark: self.mark(seq), content }
        };
        let mut rows: Vec<Row> = found.into_iter().map(row).collect();
        if to < end {
            rows.push(Row { seq: to + 1, mark: Uuid::nil(), content: Content::Later });
        }
        Ok(rows)
    }

    /// The stream of a delivery: what was stored from one start of the receiver on.
    fn mark(&self, seq: i64) -> Uuid {
        let stream = self.streams.iter().rfind(|stream| stream.first_seq <= seq);
        // An identifier that is none would make the position of a desk unknown, which costs repetitions only.
        stream.and_then(|stream| stream.id.parse().ok()).unwrap_or(Uuid::nil())
    }

    fn delivery(&self, delivery: store::delivery_log::Delivery) -> Delivery {
        Delivery {
            node: self.node.clone(),
            seq: delivery.seq,
            endpoint: delivery.route,
            received_at: delivery.received_at,
            headers: delivery.headers,
            body: delivery.body.into(),
        }
    }
}
