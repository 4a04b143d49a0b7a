//! Work for the processor, away from the threads that answer webhooks and commands: rules, rendering, comparing,
//! decoding.
//!
//! No such work is known to take long, but its input comes from outside. Whatever it takes, few threads do it at once,
//! whoever waits for it gets an answer in time, and neither the others nor the end of the program wait for it.
//!
//! Only the time of the work itself counts against what it works on: that all threads are busy says nothing about it.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::sync::Semaphore;

use api::error::{DeskError, Result};

/// How long a command waits for work that a person sees the result of.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the decoding of one batch of deliveries may take. A batch is bounded, and takes a fraction of a second.
const DECODING_TIMEOUT: Duration = Duration::from_secs(60);

/// Threads of a kind that work at once. Work that hangs keeps its thread.
struct Pool {
    threads: LazyLock<Arc<Semaphore>>,
    /// How long work may take.
    timeout: Duration,
    /// How long it may wait for a thread; absent: until there is one.
    patience: Option<Duration>,
}

/// For commands: a person waits for them.
static COMMANDS: Pool = Pool {
    threads: LazyLock::new(|| Arc::new(Semaphore::new(4))),
    timeout: COMMAND_TIMEOUT,
    patience: Some(COMMAND_TIMEOUT),
};

/// For what webhooks bring. A delivery that hangs takes two threads before it is set aside, so that several may.
static DECODING: Pool =
    Pool { threads: LazyLock::new(|| Arc::new(Semaphore::new(16))), timeout: DECODING_TIMEOUT, patience: None };

/// Runs work that a command asks for.
///
/// # Errors
/// [`DeskError::TookTooLong`] when it is not done in time; [`DeskError::Internal`] when it panics.
pub async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    COMMANDS.run(work).await
}

/// Runs work on deliveries.
///
/// # Errors
/// As [`run`].
pub async fn decode<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    DECODING.run(work).await
}

/// Runs what blocks, without a limit of threads or time.
///
/// # Errors
/// [`DeskError::Internal`] when it panics.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| DeskError::Internal { message: error.to_string() })
}

impl Pool {
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let internal = |error: &dyn std::fmt::Display| DeskError::Internal { message: error.to_string() };
        let too_long = |limit: Duration| DeskError::TookTooLong { seconds: limit.as_secs() };
        let free = self.threads.clone().acquire_owned();
        let permit = match self.patience {
            Some(patience) => tokio::time::timeout(patience, free).await.map_err(|_| too_long(patience))?,
            None => free.await,
        };
        let permit = permit.map_err(|error| internal(&error))?;
        let working = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        match tokio::time::timeout(self.timeout, working).await {
            Ok(done) => done.map_err(|error| internal(&error)),
            Err(_) => Err(too_long(self.timeout)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test whose own parts fail should fail")]

    use super::*;

    #[tokio::test]
    async fn work_that_hangs_is_answered_for() {
        let timeout = Duration::from_millis(20);
        let pool = Pool { threads: LazyLock::new(|| Arc::new(Semaphore::new(1))), timeout, patience: Some(timeout) };
        let (release, hung) = std::sync::mpsc::channel::<()>();
        let too_long = Err(DeskError::TookTooLong { seconds: 0 });
        assert_eq!(pool.run(move || hung.recv().is_err()).await, too_long);
        assert_eq!(pool.run(|| true).await, too_long, "no thread is left while one hangs");
        drop(release);
        // The thread is free again as soon as the work ends.
        let freed = pool.threads.clone().acquire_owned().await.unwrap();
        drop(freed);
        let pool = Pool { timeout: COMMAND_TIMEOUT, patience: None, ..pool };
        assert_eq!(pool.run(|| 1).await, Ok(1));
        assert!(matches!(pool.run(|| -> u8 { panic!("a fault of a rule") }).await, Err(DeskError::Internal { .. })));
    }

    #[tokio::test]
    async fn work_that_waits_for_a_thread_is_not_blamed_for_it() {
        let timeout = Duration::from_millis(50);
        let pool = Pool { threads: LazyLock::new(|| Arc::new(Semaphore::new(1))), timeout, patience: None };
        let (release, hung) = std::sync::mpsc::channel::<()>();
        assert!(pool.run(move || hung.recv().is_err()).await.is_err());
        let waiting = pool.run(|| 1);
        let ending = async {
            tokio::time::sleep(3 * timeout).await;
            drop(release);
        };
        let (done, ()) = tokio::join!(waiting, ending);
        assert_eq!(done, Ok(1), "it waited longer than it may take");
    }
}
