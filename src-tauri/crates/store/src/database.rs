//! One writer thread and a small pool of readers for a file; the async front of desk and cache.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;

use rusqlite::{Connection, OptionalExtension as _, Params, Row, Transaction, TransactionBehavior};
use tokio::sync::{Semaphore, oneshot};

use crate::StoreError;
use crate::connection::{self, Schema};

/// Reads that run at the same time. More would only compete for the same disk.
const READERS: usize = 4;

/// A unit of work for the writer thread. Says whether the connection is still to be trusted.
type Job = Box<dyn FnOnce(Result<&mut Connection, StoreError>) -> bool + Send>;

/// An open file.
pub(crate) struct Database {
    jobs: Option<mpsc::Sender<Job>>,
    writer: Option<JoinHandle<()>>,
    readers: Option<Arc<Readers>>,
}

struct Readers {
    path: PathBuf,
    schema: &'static Schema,
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
}

impl Database {
    /// Takes a connection that [`connection::open`] gave for this file.
    pub(crate) fn start(path: PathBuf, schema: &'static Schema, connection: Connection) -> Result<Self, StoreError> {
        let reopen = {
            let path = path.clone();
            move || connection::open(&path, schema)
        };
        let (jobs, writer) = spawn_writer(&path, connection, reopen)?;
        let readers = Readers { path, schema, idle: Mutex::default(), permits: Semaphore::new(READERS) };
        Ok(Self { jobs: Some(jobs), writer: Some(writer), readers: Some(Arc::new(readers)) })
    }

    /// A database that ends with the process; reads run on the writer thread.
    pub(crate) fn start_in_memory(schema: &'static Schema) -> Result<Self, StoreError> {
        let path = PathBuf::from("memory");
        let reopen = move || connection::open_in_memory(schema);
        let (jobs, writer) = spawn_writer(&path, reopen()?, reopen)?;
        Ok(Self { jobs: Some(jobs), writer: Some(writer), readers: None })
    }

    /// Runs `work` in a transaction on the writer and commits it if it succeeds.
    ///
    /// Once called, the work is done even if the future is dropped.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + 'static {
        self.submit(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })
    }

    /// Runs `work` on one state of the file, whatever is written meanwhile.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(readers) = self.readers.clone() else {
            return self.submit(move |connection| work(connection)).await;
        };
        let reading = readers.clone();
        let _permit = readers.permits.acquire().await.map_err(|_| StoreError::Closed)?;
        tokio::task::spawn_blocking(move || reading.run(work)).await.map_err(|_| StoreError::Closed)?
    }

    fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + 'static {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let result = connection.and_then(work);
            let trusted = !result.as_ref().err().is_some_and(StoreError::spoils_connection);
            // Nobody may be waiting any more; the work is done all the same.
            let _ = answer.send(result);
            trusted
        });
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
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
        // Readers first: the connection that closes last moves the WAL into the file.
        self.readers = None;
        self.jobs = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").finish_non_exhaustive()
    }
}

impl Readers {
    fn run<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connection::open_reader(&self.path, self.schema)?,
        };
        // A transaction, so that several statements see one state. Dropping it ends it: nothing was written.
        let transaction = connection.unchecked_transaction()?;
        let value = work(&transaction)?;
        drop(transaction);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(value)
    }
}

fn spawn_writer(
    path: &std::path::Path,
    connection: Connection,
    reopen: impl Fn() -> Result<Connection, StoreError> + Send + 'static,
) -> Result<(mpsc::Sender<Job>, JoinHandle<()>), StoreError> {
    let (jobs, queue) = mpsc::channel::<Job>();
    let name = path.file_stem().map_or_else(|| "store".into(), |stem| stem.to_string_lossy().into_owned());
    let writer = std::thread::Builder::new()
        .name(name)
        .spawn(move || {
            let mut connection = Some(connection);
            while let Ok(job) = queue.recv() {
                if connection.is_none() {
                    match reopen() {
                        Ok(opened) => connection = Some(opened),
                        Err(error) => {
                            job(Err(error));
                            continue;
                        }
                    }
                }
                let current = connection.as_mut().expect("opened above");
                // A panic is one caller's; the next ones get a fresh connection.
                let trusted = catch_unwind(AssertUnwindSafe(|| job(Ok(current)))).unwrap_or(false);
                if !trusted {
                    tracing::warn!("the connection is dropped and opened anew");
                    connection = None;
                }
            }
            if let Some(connection) = connection {
                let _ = connection.execute_batch("PRAGMA optimize");
            }
        })
        .map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
    Ok((jobs, writer))
}

/// Every row of a query.
pub(crate) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params, map)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The first row of a query.
pub(crate) fn first<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    map: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    Ok(connection.prepare_cached(sql)?.query_row(params, map).optional()?)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::connection::Synchronous;

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
        Database::start(path, &SCHEMA, connection).unwrap()
    }

    fn insert(c: &Connection) -> Result<(), StoreError> {
        c.execute("INSERT INTO n VALUES (1)", [])?;
        Ok(())
    }

    fn count(c: &Connection) -> Result<i64, StoreError> {
        Ok(c.query_row("SELECT count(*) FROM n", [], |row| row.get(0))?)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_fails_leaves_no_trace_and_the_next_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        for database in [database(&dir), Database::start_in_memory(&SCHEMA).unwrap()] {
            let refused = database.write(|c| insert(c).and(Err::<(), _>(StoreError::Page))).await;
            assert!(matches!(refused, Err(StoreError::Page)));
            assert_eq!(database.read(count).await.unwrap(), 0);
            database.write(|c| insert(c)).await.unwrap();
            assert_eq!(database.read(count).await.unwrap(), 1);
            // A connection for reading cannot write; in memory there is only the one that can.
            let written = database.read(insert).await;
            assert_eq!(written.is_err(), database.readers.is_some());
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_panic_and_a_spoilt_connection_are_one_callers() {
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
        let spoilt = database.write(|c| insert(c).and(Err::<(), _>(StoreError::Closed))).await;
        assert!(spoilt.is_err());
        let read = database.read(|_| -> Result<(), _> { panic!("a bug") }).await;
        assert!(matches!(read, Err(StoreError::Closed)));
        for _ in 0..2 * READERS {
            database.write(|c| insert(c)).await.unwrap();
        }
        assert_eq!(database.read(count).await.unwrap(), 2 * READERS as i64);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_read_sees_one_state_while_others_write() {
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
