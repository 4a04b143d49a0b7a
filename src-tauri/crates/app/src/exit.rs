//! Ends the program in time after a signal of the system, even if something hangs.

use std::io;
use std::task::{Context, Poll};
use std::time::Duration;

/// How long the program may take to end normally after a signal. Systems wait five seconds or more before they kill it.
pub const EXIT_TIMEOUT: Duration = Duration::from_millis(4_500);
/// How long the exit handlers of the process may take.
const EXIT_HANDLERS_TIMEOUT: Duration = Duration::from_millis(300);

const _: () = assert!(EXIT_TIMEOUT.as_millis() + EXIT_HANDLERS_TIMEOUT.as_millis() < 5_000);

/// Ends the process if it has not ended within `timeout` after one of [`TerminationSignals`]. Depends on no other thread: any
/// of them may hang. Work in flight is repaired at the next start.
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
            let mut signals = TerminationSignals::listen();
            let _is_closed = ready.send(());
            signals.next().await;
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

/// What asks this program to end: SIGTERM, SIGINT and SIGHUP, unless it is ignored already; on Windows Ctrl+C, Ctrl+Break,
/// closing the console, and the end of the session.
pub struct TerminationSignals(Vec<Source>);

/// Polls one of them.
type Source = Box<dyn FnMut(&mut Context<'_>) -> Poll<Option<()>> + Send>;

impl TerminationSignals {
    /// Installs the handlers of the signals, in a runtime. From then on they do nothing else.
    #[must_use]
    pub fn listen() -> Self {
        let installed = sources().into_iter().filter_map(|source| {
            source.inspect_err(|error| tracing::warn!(%error, "could not register a signal handler")).ok()
        });
        Self(installed.collect())
    }

    /// Completes on the next signal.
    pub async fn next(&mut self) {
        std::future::poll_fn(|context| {
            let came = self.0.iter_mut().any(|source| matches!(source(context), Poll::Ready(Some(()))));
            if came { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

impl std::fmt::Debug for TerminationSignals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("TerminationSignals").field(&self.0.len()).finish()
    }
}

#[cfg(unix)]
fn sources() -> Vec<io::Result<Source>> {
    use tokio::signal::unix::{SignalKind, signal};
    let hangup = (!ignores_hangup()).then(SignalKind::hangup);
    let kinds = [SignalKind::terminate(), SignalKind::interrupt()].into_iter().chain(hangup);
    let source = |kind| {
        let mut signal = signal(kind)?;
        Ok(Box::new(move |context: &mut Context<'_>| signal.poll_recv(context)) as Source)
    };
    kinds.map(source).collect()
}

/// Whether this process was started to go on after its terminal is closed, as by `nohup`. Only Linux tells.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // SIGHUP is the first bit.
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(windows)]
fn sources() -> [io::Result<Source>; 5] {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};
    macro_rules! source {
        ($listen:ident) => {
            $listen().map(|mut signal| Box::new(move |context: &mut Context<'_>| signal.poll_recv(context)) as Source)
        };
    }
    [source!(ctrl_c), source!(ctrl_break), source!(ctrl_close), source!(ctrl_logoff), source!(ctrl_shutdown)]
}
