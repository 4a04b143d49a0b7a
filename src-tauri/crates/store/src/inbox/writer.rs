//! The thread that writes the inbox.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;

use bytes::Bytes;
use rusqlite::{Connection, TransactionBehavior, params};
use tokio::sync::{oneshot, watch};

use super::{InboxError, reader};
use crate::StoreError;

/// A commit takes in at most so many deliveries …
const GROUP_DELIVERIES: usize = 1_024;

/// … or so many bytes: the first in the group must not wait for a disk full of others.
const GROUP_BYTES: usize = 4 << 20;

/// A delivery on its way to the file.
pub(super) struct Append {
    pub(super) received_at: i64,
    pub(super) route: String,
    /// JSON array of pairs.
    pub(super) headers: String,
    pub(super) body: Bytes,
    /// Bytes it counts for in the backlog.
    pub(super) size: usize,
    pub(super) answer: oneshot::Sender<Result<i64, InboxError>>,
}

pub(super) struct Writer {
    pub(super) connection: Option<Connection>,
    pub(super) open: Box<dyn FnMut() -> Result<Connection, StoreError> + Send>,
    pub(super) appends: Receiver<Append>,
    pub(super) waiting_bytes: Arc<AtomicUsize>,
    pub(super) stored: watch::Sender<i64>,
}

impl Writer {
    /// Writes until every sender is gone, then closes the file.
    pub(super) fn run(mut self) {
        while let Some(group) = self.next_group() {
            let outcome = self.store(&group);
            let bytes: usize = group.iter().map(|append| append.size).sum();
            self.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
            match outcome {
                Ok(seqs) => {
                    if let Some(&last) = seqs.last() {
                        self.stored.send_replace(last);
                    }
                    for (append, seq) in group.into_iter().zip(seqs) {
                        let _ = append.answer.send(Ok(seq));
                    }
                }
                Err(error) => {
                    tracing::error!(%error, deliveries = group.len(), "deliveries were not stored");
                    // After a failed fsync only a new connection reads what is really in the file.
                    self.connection = None;
                    let reason = InboxError::Storage(error.to_string());
                    for append in group {
                        let _ = append.answer.send(Err(reason.clone()));
                    }
                }
            }
        }
        if let Some(connection) = self.connection {
            let _ = connection.execute_batch("PRAGMA optimize");
        }
    }

    /// Waits for one delivery and takes along whatever else is there already.
    fn next_group(&self) -> Option<Vec<Append>> {
        let first = self.appends.recv().ok()?;
        let mut bytes = first.size;
        let mut group = vec![first];
        while group.len() < GROUP_DELIVERIES && bytes < GROUP_BYTES {
            let Ok(next) = self.appends.try_recv() else { break };
            bytes += next.size;
            group.push(next);
        }
        Some(group)
    }

    fn store(&mut self, group: &[Append]) -> Result<Vec<i64>, StoreError> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            None => {
                let opened = (self.open)()?;
                // A commit that failed may have reached the disk after all.
                self.stored.send_replace(reader::last_seq(&opened)?);
                self.connection.insert(opened)
            }
        };
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut seqs = Vec::with_capacity(group.len());
        {
            let mut insert = transaction
                .prepare_cached("INSERT INTO delivery (received_at, route, headers, body) VALUES (?1, ?2, ?3, ?4)")?;
            for append in group {
                seqs.push(insert.insert(params![
                    append.received_at,
                    append.route,
                    append.headers,
                    append.body.as_ref()
                ])?);
            }
        }
        transaction.commit()?;
        Ok(seqs)
    }
}
