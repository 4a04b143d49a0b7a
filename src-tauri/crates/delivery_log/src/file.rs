//! A log in the inbox file of one receiver. The desks that may read it are in a file beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use feed::Delivery;
use store::delivery_log::Stream as Part;
use store::{DeliveryLogReader, StoreError, private};
use tokio::sync::watch;
use uuid::Uuid;

use crate::access::Access;
use crate::error::LogError;
use crate::stream::{Positions, Stream};

/// The reading end of an inbox file. Clones share its connection.
#[derive(Clone, Debug)]
pub struct Reader {
    delivery_log: DeliveryLogReader,
    node: String,
    positions: watch::Receiver<Option<Positions>>,
}

impl Reader {
    /// Reads the inbox file at `path`, which the receiver `node` writes. `stored` has its last sequence number.
    pub async fn open(path: &Path, node: &str, mut stored: watch::Receiver<i64>) -> Result<Self, LogError> {
        let owned = path.to_owned();
        let opening = tokio::task::spawn_blocking(move || DeliveryLogReader::open(&owned));
        let delivery_log = opening.await.map_err(|_| StoreError::Closed)??;
        let parts: Arc<[Part]> = delivery_log.streams().await?.into();
        let first = positions(&parts, node, *stored.borrow_and_update());
        let (publish, positions_now) = watch::channel(Some(first));
        let name = node.to_owned();
        tokio::spawn(async move {
            // The streams of a file change only when it is opened.
            while stored.changed().await.is_ok() {
                let last = *stored.borrow_and_update();
                if publish.send(Some(positions(&parts, &name, last))).is_err() {
                    return;
                }
            }
        });
        Ok(Self { delivery_log, node: node.to_owned(), positions: positions_now })
    }

    pub(crate) async fn positions(&self) -> Result<Positions, LogError> {
        let parts = self.delivery_log.streams().await?;
        Ok(positions(&parts, &self.node, self.delivery_log.last_seq().await?))
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Option<Positions>> {
        self.positions.clone()
    }

    /// The deliveries of a stream after `after`, at most `limit`, and the position up to which it was read.
    pub(crate) async fn read(
        &self,
        stream: &Stream,
        after: i64,
        limit: u32,
        endpoints: &[String],
    ) -> Result<(Vec<Delivery>, i64), LogError> {
        let page = self.delivery_log.after(after, limit).await?;
        let to = page.last().map_or(stream.last_seq, |delivery| delivery.seq.min(stream.last_seq));
        let is_wanted = |delivery: &store::delivery_log::Delivery| {
            delivery.seq <= stream.last_seq && (endpoints.is_empty() || endpoints.contains(&delivery.route))
        };
        let delivery = |delivery: store::delivery_log::Delivery| Delivery {
            node: self.node.clone(),
            seq: delivery.seq,
            endpoint: delivery.route,
            received_at: delivery.received_at,
            headers: delivery.headers,
            body: delivery.body.into(),
        };
        Ok((page.into_iter().filter(is_wanted).map(delivery).collect(), to))
    }
}

/// The streams of a file up to `last_seq`.
fn positions(parts: &[Part], node: &str, last_seq: i64) -> Positions {
    let ends = parts.iter().skip(1).map(|next| next.first_seq - 1).chain([last_seq]);
    let stream = |(part, last_seq): (&Part, i64)| Stream {
        // An identifier that is none would make the position of a desk unknown, which costs repetitions only.
        id: part.id.parse().unwrap_or(Uuid::nil()),
        node: node.to_owned(),
        first_seq: part.first_seq,
        last_seq,
    };
    Arc::new(parts.iter().zip(ends).map(stream).collect())
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
