//! The end of the program when the system asks for it, whatever hangs.

use std::time::Duration;

/// How long the program may take to end by itself after a signal. Systems wait five seconds and more before they kill.
const EXIT_TIMEOUT: Duration = Duration::from_millis(4_500);
/// How long what runs at the exit of a process may take.
const EXIT_HANDLERS_TIMEOUT: Duration = Duration::from_millis(300);

/// Ends the process when it has not ended by itself in time after SIGTERM, SIGINT or SIGHUP. Needs neither the threads
/// that answer nor the window's: any of them may be what hangs. What was under way is repaired at the next start.
///
/// Hears the signals from the call on, and does nothing else about them.
pub fn end_in_time_after_signals() {
    let (ready, heard) = std::sync::mpsc::channel();
    let watching = move || {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                tracing::warn!(%error, "the end of the program is not watched");
                return;
            }
        };
        runtime.block_on(async {
            let signalled = signalled();
            let _nobody_waits = ready.send(());
            signalled.await;
            tokio::time::sleep(EXIT_TIMEOUT).await;
        });
        tracing::warn!("something hangs; the program ends without waiting for it");
        std::thread::spawn(|| {
            std::thread::sleep(EXIT_HANDLERS_TIMEOUT);
            std::process::abort();
        });
        std::process::exit(1);
    };
    match std::thread::Builder::new().name("exit".to_owned()).spawn(watching) {
        // An error means that the thread ended without watching, which was said.
        Ok(_) => drop(heard.recv()),
        Err(error) => tracing::warn!(%error, "the end of the program is not watched"),
    }
}

#[cfg(unix)]
fn signalled() -> impl Future<Output = ()> {
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
async fn signalled() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
