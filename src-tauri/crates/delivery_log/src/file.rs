//! A log in the inbox file of one receiver. The desks that may read it are in a file beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use feed::Delivery;
use store::delivery_log::Stream;
use store::{DeliveryLogReader, StoreError, private};
use tokio::sync::watch;
use uuid::Uuid;

use crate::access::Access;
use crate::error::LogError;
use crate::rows::{Content, GATHER_TIME, Head, Row, Wanted};

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

/// The file with the desks that may read an inbox file.
#[derive(Clone, Debug)]
pub struct DesksFile {
    path: PathBuf,
    delivery_log: PathBuf,
}

impl DesksFile {
    /// The desks of the inbox file at `path`.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let mut name = path.as_os_str().to_owned();
        name.push(".desks.json");
        Self { path: name.into(), delivery_log: path.to_owned() }
    }

    pub(crate) async fn list(&self) -> Result<Vec<Access>, LogError> {
        let path = self.path.clone();
        blocking(move || read(&path)).await
    }

    /// Changes the list, while no other process changes it.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Vec<Access>) -> T + Send + 'static,
    ) -> Result<T, LogError> {
        let (path, delivery_log) = (self.path.clone(), self.delivery_log.clone());
        blocking(move || {
            let mut lock = path.as_os_str().to_owned();
            lock.push(".lock");
            let lock = private::create(Path::new(&lock)).map_err(|error| unusable(&error))?;
            lock.lock().map_err(|error| unusable(&error))?;
            let mut desks = read(&path)?;
            let result = change(&mut desks);
            desks.sort_by(|one, other| one.name.cmp(&other.name));
            let json = serde_json::to_vec_pretty(&desks).map_err(|error| unusable(&error))?;
            store::replace_file(&path, &json)?;
            same_owner(&path, &delivery_log);
            Ok(result)
        })
        .await
    }
}

/// Gives the file to the owner of the delivery log: an administrator changes the list, and the user of the service
/// reads it.
fn same_owner(path: &Path, delivery_log: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let Ok(owner) = std::fs::metadata(delivery_log) else { return };
        if std::fs::metadata(path).is_ok_and(|own| own.uid() == owner.uid()) {
            return;
        }
        if let Err(error) = std::os::unix::fs::chown(path, Some(owner.uid()), Some(owner.gid())) {
            tracing::warn!(%error, "the receiver may not be able to read the list of desks");
        }
    }
    #[cfg(not(unix))]
    let _ = (path, delivery_log);
}

/// The desks in the file; none without a file.
fn read(path: &Path) -> Result<Vec<Access>, LogError> {
    match std::fs::read(path) {
        Ok(json) => serde_json::from_slice(&json).map_err(|error| unusable(&error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(unusable(&error)),
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LogError> + Send + 'static,
) -> Result<T, LogError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(unusable(&error)))
}

fn unusable(error: &dyn std::fmt::Display) -> LogError {
    LogError::Access(error.to_string())
}
