//! One connection to the database, and the end of a statement on it.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, CancelToken, Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::LogError;

/// From the first packet until statements can be sent.
const OPEN_TIMEOUT: Duration = Duration::from_secs(10);
/// For statements that only tidy up.
pub(super) const TIDY_TIMEOUT: Duration = Duration::from_secs(3);

/// A value of a statement, with its type: statements are not prepared.
pub(super) type Value<'a> = (&'a (dyn ToSql + Sync), Type);

/// A connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) client: Client,
    warned: Arc<AtomicBool>,
}

impl Connection {
    /// Whether the database has said since the last call that a commit may not be on its synchronous standby.
    pub(super) fn has_warned(&self) -> bool {
        self.warned.swap(false, Ordering::SeqCst)
    }
}

/// Asks the database to give up a statement.
pub(super) async fn cancel(statement: &CancelToken, tls: &MakeRustlsConnect) {
    match timeout(TIDY_TIMEOUT, statement.cancel_query(tls.clone())).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a statement was not cancelled"),
        Err(_) => tracing::debug!("a statement was not cancelled in time"),
    }
}

pub(super) async fn open(config: &Config, tls: &MakeRustlsConnect) -> Result<Connection, LogError> {
    let (client, mut connection) =
        timeout(OPEN_TIMEOUT, config.connect(tls.clone())).await.map_err(|_| LogError::Slow)??;
    let warned = Arc::<AtomicBool>::default();
    let hears = warned.clone();
    tokio::spawn(async move {
        while let Some(message) = poll_fn(|cx| connection.poll_message(cx)).await {
            match message {
                Ok(AsyncMessage::Notice(notice)) => {
                    tracing::info!(severity = notice.severity(), "the database says: {}", notice.message());
                    if may_be_lost(&notice) {
                        hears.store(true, Ordering::SeqCst);
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "the connection to the database ended");
                    return;
                }
            }
        }
    });
    Ok(Connection { client, warned })
}

/// Whether this warning can be that a wait for a synchronous standby was given up. The statement then ends with success;
/// texts are translated, and the code is that of any warning without one of its own.
fn may_be_lost(notice: &DbError) -> bool {
    [SqlState::WARNING, SqlState::ADMIN_SHUTDOWN, SqlState::QUERY_CANCELED].contains(notice.code())
}
