//! One writer thread and a small pool of readers per file; the async interface of desk and cache.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, mpsc};
use std::thread::JoinHandle;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::{Semaphore, oneshot, watch};

use crate::StoreError;
use crate::connection;
use crate::schema::Schema;

/// Maximum number of concurrent reads. More would only compete for the same disk.
const READERS: usize = 4;

/// A job for the writer thread. Returns whether the connection can still be trusted.
type Job = Box<dyn FnOnce(Result<&mut Connection, StoreError>) -> bool + Send>;

/// Health of a file while it was open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// The last damage found, in SQLite's words.
    pub damage: Option<String>,
    /// How many times an empty file replaced a damaged one.
    pub resets: u64,
}

/// Returns a connection to an empty file that replaces a damaged one, which is not open at that moment.
pub(crate) type Reset = fn(&Path, &str) -> Result<Connection, StoreError>;

/// An open file.
pub(crate) struct Database {
    jobs: mpsc::Sender<Job>,
    writer: Mutex<Option<JoinHandle<()>>>,
    readers: Option<Arc<Readers>>,
    state: Arc<State>,
}

/// State shared by readers, writer and owner.
struct State {
    health: watch::Sender<Health>,
    /// Damage was found, and the file is not replaced yet.
    damaged: AtomicBool,
    ended: AtomicBool,
    /// Number of committed transactions that changed rows.
    changes: AtomicU64,
}

struct Readers {
    path: PathBuf,
    schema: &'static Schema,
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
    /// Held shared by readers, and exclusively while the file is replaced.
    gate: RwLock<()>,
}

impl Database {
    /// Takes a connection from [`connection::open`] for this file. With `reset`, a file that a statement reports as
    /// damaged is replaced with an empty one.
    pub(crate) fn start(
        path: PathBuf,
        schema: &'static Schema,
        connection: Connection,
        reset: Option<Reset>,
    ) -> Result<Self, StoreError> {
        let readers = Arc::new(Readers {
            path: path.clone(),
            schema,
            idle: Mutex::default(),
            permits: Semaphore::new(READERS),
            gate: RwLock::default(),
        });
        let writer = Writer {
            state: State::new(),
            readers: Some(readers.clone()),
            reopen: Box::new(move || connection::open(&path, schema)),
            reset,
        };
        writer.start(connection, Some(readers))
    }

    /// A database in memory; reads run on the writer thread.
    pub(crate) fn start_in_memory(schema: &'static Schema) -> Result<Self, StoreError> {
        let reopen = move || connection::open_in_memory(schema);
        let connection = reopen()?;
        let writer = Writer { state: State::new(), readers: None, reopen: Box::new(reopen), reset: None };
        writer.start(connection, None)
    }

    /// Current health of the file.
    pub(crate) fn health(&self) -> watch::Receiver<Health> {
        self.state.health.subscribe()
    }

    /// Replaces this file with an empty one, if `reset` is set.
    pub(crate) fn reset(&self, reason: &str) {
        self.state.report(reason);
        self.wake_writer();
    }

    /// Waits for running work and queued writes, and closes the file, even while others still hold it: their later
    /// calls return [`StoreError::Closed`]. Blocks until that is done.
    pub(crate) fn close(&self) {
        self.state.ended.store(true, Ordering::SeqCst);
        if let Some(readers) = &self.readers {
            // The last connection to close checkpoints the WAL: that must be the writer's.
            readers.permits.close();
            let _no_readers = readers.gate.write().unwrap_or_else(PoisonError::into_inner);
            readers.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        self.wake_writer();
        if let Some(writer) = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = writer.join();
        }
    }

    /// Wakes the writer, so that it reads the state.
    fn wake_writer(&self) {
        let _ = self.jobs.send(Box::new(|_| true));
    }

    /// Runs `work` in a transaction on the writer and commits it if it succeeds.
    ///
    /// Once called, the work is done even if the future is dropped.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + 'static {
        let state = self.state.clone();
        self.submit(move |connection| {
            let before = connection.total_changes();
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            if connection.total_changes() != before {
                state.changes.fetch_add(1, Ordering::SeqCst);
            }
            Ok(value)
        })
    }

    /// Number of committed transactions that changed rows since the file was opened.
    pub(crate) fn changes(&self) -> u64 {
        self.state.changes.load(Ordering::SeqCst)
    }

    /// Runs `work` on one state of the file, independent of concurrent writes.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(readers) = self.readers.clone() else {
            return self.submit(move |connection| work(connection)).await;
        };
        let reading = readers.clone();
        let _permit = readers.permits.acquire().await.map_err(|_| StoreError::Closed)?;
        let result = tokio::task::spawn_blocking(move || reading.run(work)).await.map_err(|_| StoreError::Closed)?;
        if let Err(error) = &result
            && error.is_damage()
        {
            self.reset(&error.to_string());
        }
        result
    }

    fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + 'static {
        let (answer, answered) = oneshot::channel();
        let state = self.state.clone();
        let job: Job = Box::new(move |connection| {
            let result = connection.and_then(work);
            if let Err(error) = &result
                && error.is_damage()
            {
                state.report(&error.to_string());
            }
            let trusted = !result.as_ref().err().is_some_and(StoreError::breaks_connection);
            // The receiver may be gone; the work is done anyway.
            let _ = answer.send(result);
            trusted
        });
        let sent = !self.state.ended.load(Ordering::SeqCst) && self.jobs.send(job).is_ok();
        async move {
            if !sent {
                return Err(StoreError::Closed);
            }
            answered.await.unwrap_or(Err(StoreError::Closed))
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.close();
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").finish_non_exhaustive()
    }
}

impl Readers {
    fn run<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let _file = self.gate.read().unwrap_or_else(PoisonError::into_inner);
        if self.permits.is_closed() {
            return Err(StoreError::Closed);
        }
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connection::open_reader(&self.path, self.schema)?,
        };
        // A transaction, so that several statements see one state. Dropping it suffices, since nothing was written.
        let transaction = connection.unchecked_transaction()?;
        let value = work(&transaction)?;
        drop(transaction);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(value)
    }
}

impl State {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            health: watch::Sender::new(Health::default()),
            damaged: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            changes: AtomicU64::new(0),
        })
    }

    fn report(&self, reason: &str) {
        self.damaged.store(true, Ordering::SeqCst);
        self.health.send_modify(|health| health.damage = Some(reason.to_owned()));
    }
}

/// The writer thread, before it runs.
struct Writer {
    state: Arc<State>,
    readers: Option<Arc<Readers>>,
    reopen: Box<dyn Fn() -> Result<Connection, StoreError> + Send>,
    reset: Option<Reset>,
}

impl Writer {
    fn start(self, connection: Connection, readers: Option<Arc<Readers>>) -> Result<Database, StoreError> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let state = self.state.clone();
        let path = readers.as_ref().map_or_else(|| PathBuf::from("memory"), |readers| readers.path.clone());
        let name = path.file_stem().map_or_else(|| "store".into(), |stem| stem.to_string_lossy().into_owned());
        let writer = std::thread::Builder::new()
            .name(name)
            .spawn(move || self.run(connection, &queue))
            .map_err(|source| StoreError::Io { path, source })?;
        Ok(Database { jobs, writer: Mutex::new(Some(writer)), readers, state })
    }

    fn run(self, connection: Connection, queue: &mpsc::Receiver<Job>) {
        let mut connection = Some(connection);
        while let Ok(job) = queue.recv() {
            if self.state.damaged.load(Ordering::SeqCst) && self.reset.is_some() {
                connection = None;
            }
            if connection.is_none() {
                match self.open() {
                    Ok(opened) => connection = Some(opened),
                    Err(error) => {
                        job(Err(error));
                        continue;
                    }
                }
            }
            let current = connection.as_mut().expect("opened above");
            // A panic concerns one caller; the next callers get a fresh connection.
            let trusted = catch_unwind(AssertUnwindSafe(|| job(Ok(current)))).unwrap_or(false);
            if !trusted {
                tracing::warn!("the connection is dropped and reopened");
                connection = None;
            }
            // Jobs requested before the end come earlier in the queue.
            if self.state.ended.load(Ordering::SeqCst) {
                while let Ok(job) = queue.try_recv() {
                    if let Some(connection) = &mut connection {
                        let _ = catch_unwind(AssertUnwindSafe(|| job(Ok(connection))));
                    }
                }
                break;
            }
        }
        if let Some(connection) = connection {
            let _ = connection.execute_batch("PRAGMA optimize");
        }
    }

    /// Reopens the file, or an empty one in its place if it is damaged and can be replaced.
    fn open(&self) -> Result<Connection, StoreError> {
        let (Some(reset), Some(readers)) = (self.reset, &self.readers) else { return (self.reopen)() };
        let damage = if self.state.damaged.load(Ordering::SeqCst) {
            let health = self.state.health.borrow();
            health.damage.clone().unwrap_or_default()
        } else {
            match (self.reopen)() {
                Err(error) if error.is_damage() => error.to_string(),
                other => return other,
            }
        };
        let _no_readers = readers.gate.write().unwrap_or_else(PoisonError::into_inner);
        readers.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let connection = reset(&readers.path, &damage)?;
        self.state.damaged.store(false, Ordering::SeqCst);
        self.state.health.send_modify(|health| {
            health.damage = Some(damage);
            health.resets += 1;
        });
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::schema::Synchronous;

    static SCHEMA: Schema = Schema {
        application_id: 7,
        synchronous: Synchronous::Normal,
        checkpoint_pages: 100,
        first: 1,
        steps: &["CREATE TABLE n (x INTEGER) STRICT"],
    };

    fn database(dir: &tempfile::TempDir) -> Database {
        let path = dir.path().join("n.sqlite");
        let connection = connection::open(&path, &SCHEMA).unwrap();
        Database::start(path, &SCHEMA, connection, None).unwrap()
    }

    fn insert(c: &Connection) -> Result<(), StoreError> {
        c.execute("INSERT INTO n VALUES (1)", [])?;
        Ok(())
    }

    fn count(c: &Connection) -> Result<i64, StoreError> {
        Ok(c.query_row("SELECT count(*) FROM n", [], |row| row.get(0))?)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_failed_write_is_rolled_back_and_the_next_succeeds() {
        let dir = tempfile::tempdir().unwrap();
        for database in [database(&dir), Database::start_in_memory(&SCHEMA).unwrap()] {
            let refused = database.write(|c| insert(c).and(Err::<(), _>(StoreError::Page))).await;
            assert!(matches!(refused, Err(StoreError::Page)));
            assert_eq!(database.read(count).await.unwrap(), 0);
            database.write(|c| insert(c)).await.unwrap();
            assert_eq!(database.read(count).await.unwrap(), 1);
            // A reading connection cannot write; an in-memory database has only one connection, which can.
            let written = database.read(insert).await;
            assert_eq!(written.is_err(), database.readers.is_some());
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_panic_or_a_broken_connection_affects_only_its_caller() {
        let dir = tempfile::tempdir().unwrap();
        let database = database(&dir);
        let broken = database.write(|c| {
            insert(c)?;
            if count(c)? == 1 {
                panic!("a bug")
            }
            Ok(())
        });
        assert!(matches!(broken.await, Err(StoreError::Closed)));
        let broken = database.write(|c| insert(c).and(Err::<(), _>(StoreError::Closed))).await;
        assert!(broken.is_err());
        let read = database.read(|_| -> Result<(), _> { panic!("a bug") }).await;
        assert!(matches!(read, Err(StoreError::Closed)));
        for _ in 0..2 * READERS {
            database.write(|c| insert(c)).await.unwrap();
        }
        assert_eq!(database.read(count).await.unwrap(), 2 * READERS as i64);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_read_sees_a_consistent_snapshot() {
        let dir = tempfile::tempdir().unwrap();
        let database = Arc::new(database(&dir));
        let (reached, inside) = oneshot::channel();
        let (go_on, waiting) = oneshot::channel::<()>();
        let reading = {
            let database = database.clone();
            tokio::spawn(async move {
                database
                    .read(move |c| {
                        let before = count(c)?;
                        reached.send(()).unwrap();
                        waiting.blocking_recv().unwrap();
                        Ok((before, count(c)?))
                    })
                    .await
            })
        };
        inside.await.unwrap();
        database.write(|c| insert(c)).await.unwrap();
        go_on.send(()).unwrap();
        assert_eq!(reading.await.unwrap().unwrap(), (0, 0));
        assert_eq!(database.read(count).await.unwrap(), 1);
    }
}
