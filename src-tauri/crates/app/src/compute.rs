//! Work for the processor, away from the threads that answer webhooks and commands: rules, rendering, comparing,
//! decoding.
//!
//! No such work is known to take long, but its input comes from outside. Whatever it takes, few threads do it at once,
//! whoever waits for it gets an answer in time, and neither the others nor the end of the program wait for it.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::error::{DeskError, Result};

/// How long a command waits for work that a person sees the result of.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the decoding of one batch of deliveries may take. A batch is bounded, and takes a fraction of a second.
const DECODING_TIMEOUT: Duration = Duration::from_secs(20);

/// Threads of a kind that work at once. Work that hangs keeps its thread.
struct Pool {
    threads: LazyLock<Arc<Semaphore>>,
    timeout: Duration,
}

/// For commands.
static COMMANDS: Pool = Pool { threads: LazyLock::new(|| Arc::new(Semaphore::new(4))), timeout: COMMAND_TIMEOUT };

/// For what webhooks bring.
static DECODING: Pool = Pool { threads: LazyLock::new(|| Arc::new(Semaphore::new(3))), timeout: DECODING_TIMEOUT };

/// Runs work that a command asks for.
///
/// # Errors
/// [`DeskError::TookTooLong`] when it is not done in time; [`DeskError::Internal`] when it panics.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    COMMANDS.run(work).await
}

/// Runs work on deliveries.
///
/// # Errors
/// As [`run`].
pub(crate) async fn decode<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    DECODING.run(work).await
}

impl Pool {
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let working = async {
            let Ok(permit) = self.threads.clone().acquire_owned().await else { return Err(DeskError::Cancelled {}) };
            let working = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                work()
            });
            working.await.map_err(|error| DeskError::Internal { message: error.to_string() })
        };
        let too_long = DeskError::TookTooLong { seconds: self.timeout.as_secs() };
        tokio::time::timeout(self.timeout, working).await.unwrap_or(Err(too_long))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test whose own parts fail should fail")]

    use super::*;

    #[tokio::test]
    async fn work_that_hangs_is_answered_for() {
        let timeout = Duration::from_millis(20);
        let pool = Pool { threads: LazyLock::new(|| Arc::new(Semaphore::new(1))), timeout };
        let (release, hung) = std::sync::mpsc::channel::<()>();
        let too_long = Err(DeskError::TookTooLong { seconds: 0 });
        assert_eq!(pool.run(move || hung.recv().is_err()).await, too_long);
        assert_eq!(pool.run(|| true).await, too_long, "no thread is left while one hangs");
        drop(release);
        // The thread is free again as soon as the work ends.
        let freed = pool.threads.clone().acquire_owned().await.unwrap();
        drop(freed);
        let pool = Pool { timeout: COMMAND_TIMEOUT, ..pool };
        assert_eq!(pool.run(|| 1).await, Ok(1));
        assert!(matches!(pool.run(|| -> u8 { panic!("a fault of a rule") }).await, Err(DeskError::Internal { .. })));
    }
}
