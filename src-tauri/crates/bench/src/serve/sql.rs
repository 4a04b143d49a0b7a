//! Delivery logs without durability or group commits, as baselines: a table with one transaction per delivery, or with
//! commits that a power failure may undo. The real delivery log has no option for either.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::UNIX_EPOCH;

use rusqlite::{Connection, TransactionBehavior, params};
use tokio::sync::oneshot;

/// When deliveries are committed, and their durability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Commits {
    /// One commit per delivery, durable.
    Each,
    /// One commit for all that wait, durable at the next checkpoint.
    Deferred,
}

type Append = (receiver::Delivery, oneshot::Sender<bool>);

pub(super) struct Plain {
    appends: SyncSender<Append>,
}

impl Plain {
    pub(super) fn open(folder: &Path, commits: Commits) -> anyhow::Result<Self> {
        let connection = Connection::open(folder.join("plain.sqlite"))?;
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", if commits == Commits::Each { "FULL" } else { "NORMAL" })?;
        // The same value as in the delivery log.
        connection.pragma_update(None, "wal_autocheckpoint", 500)?;
        connection.pragma_update(None, "cache_size", -16_384)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS delivery (
               seq INTEGER PRIMARY KEY,
               received_at INTEGER NOT NULL,
               route TEXT NOT NULL,
               headers TEXT NOT NULL,
               body BLOB NOT NULL
             ) STRICT",
        )?;
        let (appends, queue) = sync_channel(4_096);
        let group = if commits == Commits::Each { 1 } else { 1_024 };
        std::thread::Builder::new().name("plain".to_owned()).spawn(move || run(connection, &queue, group))?;
        Ok(Self { appends })
    }
}

impl receiver::DeliveryLog for Plain {
    async fn append(&self, delivery: receiver::Delivery) -> Result<(), receiver::Refusal> {
        let (answer, answered) = oneshot::channel();
        self.appends.try_send((delivery, answer)).map_err(|_| receiver::Refusal::Busy)?;
        if answered.await.unwrap_or(false) { Ok(()) } else { Err(receiver::Refusal::Storage) }
    }
}

fn run(mut connection: Connection, queue: &Receiver<Append>, most: usize) {
    while let Ok(first) = queue.recv() {
        let group: Vec<Append> = std::iter::once(first).chain(queue.try_iter().take(most - 1)).collect();
        let stored = store(&mut connection, &group).is_ok();
        for (_, answer) in group {
            let _ = answer.send(stored);
        }
    }
}

fn store(connection: &mut Connection, group: &[Append]) -> anyhow::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut insert = transaction
            .prepare_cached("INSERT INTO delivery (received_at, route, headers, body) VALUES (?1, ?2, ?3, ?4)")?;
        for (delivery, _) in group {
            let at = i64::try_from(delivery.received_at.duration_since(UNIX_EPOCH)?.as_millis())?;
            let headers = serde_json::to_string(&delivery.headers)?;
            insert.execute(params![at, delivery.route, headers, delivery.body.as_ref()])?;
        }
    }
    transaction.commit()?;
    Ok(())
}
