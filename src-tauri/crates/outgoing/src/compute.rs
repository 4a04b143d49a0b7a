//! Runs CPU-bound work away from the threads that answer webhooks and commands: rules, rendering, comparing, decoding.
//!
//! No such work is known to be slow, but its input is untrusted. So few threads run it concurrently, every caller gets
//! an answer in time, and neither other work nor the exit of the program waits for it.
//!
//! The timeout covers the work only, not the time in the queue: busy threads say nothing about the input.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::sync::Semaphore;

use command_types::error::{DeskError, Result};

/// Timeout for work whose result a person waits for.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(10);

/// Timeout for decoding one batch of deliveries. A batch is bounded and takes a fraction of a second.
const DECODING_TIMEOUT: Duration = Duration::from_secs(60);

/// A limited set of threads. Work that hangs keeps its thread.
struct Pool {
    threads: LazyLock<Arc<Semaphore>>,
    /// Maximum duration of the work.
    timeout: Duration,
    /// Maximum time in the queue; `None` is unlimited.
    patience: Option<Duration>,
}

/// For commands, where a person waits.
static COMMANDS: Pool = Pool {
    threads: LazyLock::new(|| Arc::new(Semaphore::new(4))),
    timeout: COMMAND_TIMEOUT,
    patience: Some(COMMAND_TIMEOUT),
};

/// For webhook deliveries. A delivery that hangs blocks two threads before it is set aside, so there are enough for
/// several.
static DECODING: Pool =
    Pool { threads: LazyLock::new(|| Arc::new(Semaphore::new(16))), timeout: DECODING_TIMEOUT, patience: None };

/// Runs work for a command.
///
/// # Errors
/// [`DeskError::TookTooLong`] when it is not done in time; [`DeskError::Internal`] when it panics.
pub async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    COMMANDS.run(work).await
}

/// Runs work on deliveries.
pub async fn decode<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    DECODING.run(work).await
}

/// Runs blocking work, without a limit of threads or time.
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
    async fn hanging_work_times_out() {
        let timeout = Duration::from_millis(20);
        let pool = Pool { threads: LazyLock::new(|| Arc::new(Semaphore::new(1))), timeout, patience: Some(timeout) };
        let (release, hung) = std::sync::mpsc::channel::<()>();
        let too_long = Err(DeskError::TookTooLong { seconds: 0 });
        assert_eq!(pool.run(move || hung.recv().is_err()).await, too_long);
        assert_eq!(pool.run(|| true).await, too_long, "all threads are busy while one hangs");
        drop(release);
        // The thread is released as soon as the work ends.
        let freed = pool.threads.clone().acquire_owned().await.unwrap();
        drop(freed);
        let pool = Pool { timeout: COMMAND_TIMEOUT, patience: None, ..pool };
        assert_eq!(pool.run(|| 1).await, Ok(1));
        assert!(matches!(pool.run(|| -> u8 { panic!("a fault of a rule") }).await, Err(DeskError::Internal { .. })));
    }

    #[tokio::test]
    async fn waiting_for_a_thread_does_not_count_as_running_time() {
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
        assert_eq!(done, Ok(1), "the wait for a thread is longer than the timeout");
    }
}
