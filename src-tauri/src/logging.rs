//! Logs go to standard error; `TEMPLATE_DESK_LOG` sets what is shown. Tokens, numbers and bodies are never logged.

use tracing_subscriber::EnvFilter;

/// Starts logging. A second call in the same process has no effect.
pub(crate) fn start() {
    let filter = EnvFilter::try_from_env("TEMPLATE_DESK_LOG").unwrap_or_else(|_| EnvFilter::new("info,tao=error"));
    let started = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
    if started.is_err() {
        tracing::debug!("logging was started before");
    }
}
