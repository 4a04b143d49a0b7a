//! Ends the program in time after a signal of the system, even if something hangs.

use std::time::Duration;

/// How long the program may take to end normally after a signal. Systems wait five seconds or more before they kill it.
pub const EXIT_TIMEOUT: Duration = Duration::from_millis(4_500);
/// How long the exit handlers of the process may take.
const EXIT_HANDLERS_TIMEOUT: Duration = Duration::from_millis(300);

const _: () = assert!(EXIT_TIMEOUT.as_millis() + EXIT_HANDLERS_TIMEOUT.as_millis() < 5_000);

/// Ends the process if it has not ended within `timeout` after SIGTERM, SIGINT or SIGHUP. Depends on no other thread: any of
/// them may hang. Work in flight is repaired at the next start.
///
/// Listens for the signals from this call on, and does nothing else about them.
pub fn exit_in_time_after_signals(timeout: Duration) {
    let (ready, is_ready) = std::sync::mpsc::channel();
    let watch = move || {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                tracing::warn!(%error, "the exit timeout is not active");
                return;
            }
        };
        runtime.block_on(async {
            let termination_signal = termination_signal();
            let _is_closed = ready.send(());
            termination_signal.await;
            tokio::time::sleep(timeout).await;
        });
        tracing::warn!("the program did not exit in time and is aborted");
        std::thread::spawn(|| {
            std::thread::sleep(EXIT_HANDLERS_TIMEOUT);
            std::process::abort();
        });
        std::process::exit(1);
    };
    match std::thread::Builder::new().name("exit".to_owned()).spawn(watch) {
        // On an error the thread ended without watching, which is logged.
        Ok(_) => drop(is_ready.recv()),
        Err(error) => tracing::warn!(%error, "the exit timeout is not active"),
    }
}

#[cfg(unix)]
fn termination_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let signals = kinds.map(|kind| signal(kind).ok());
    async move {
        let [terminate, interrupt, hang_up] = signals.map(|signal| async move {
            match signal {
                Some(mut signal) => drop(signal.recv().await),
                None => std::future::pending().await,
            }
        });
        tokio::select! {
            () = terminate => {}
            () = interrupt => {}
            () = hang_up => {}
        }
    }
}

#[cfg(not(unix))]
async fn termination_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
