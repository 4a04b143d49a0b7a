//! A receiver as people write it with axum and SQLite: one durable transaction for each request.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use ring::hmac;
use rusqlite::Connection;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::plain::digits;
use super::{PATH, PEER_FILE};
use crate::signed;

#[derive(Clone)]
struct Receiver {
    key: hmac::Key,
    connection: Arc<Mutex<Connection>>,
}

pub(super) fn serve(
    listener: TcpListener,
    stop: CancellationToken,
    folder: &Path,
) -> anyhow::Result<impl Future<Output = ()> + Send + use<>> {
    let connection = Connection::open(folder.join(PEER_FILE))?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch(
        "CREATE TABLE delivery (seq INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, body BLOB NOT NULL) STRICT",
    )?;
    let receiver = Receiver { key: signed::key(), connection: Arc::new(Mutex::new(connection)) };
    let router = Router::new().route(PATH, post(receive)).with_state(receiver);
    Ok(async move {
        // Errors of the listener end the load with failed requests.
        let _ = axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await;
    })
}

async fn receive(State(receiver): State<Receiver>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let tag = headers.get(signed::HEADER).and_then(|value| digits(value.as_bytes()));
    if tag.is_none_or(|tag| hmac::verify(&receiver.key, &body, &tag).is_err()) {
        return StatusCode::UNAUTHORIZED;
    }
    let stored = tokio::task::spawn_blocking(move || store(&receiver.connection, &body)).await;
    if matches!(stored, Ok(Ok(()))) { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

fn store(connection: &Mutex<Connection>, body: &[u8]) -> anyhow::Result<()> {
    let at = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?;
    let connection = connection.lock().ok().context("another request panicked")?;
    connection.prepare_cached("INSERT INTO delivery (received_at, body) VALUES (?1, ?2)")?.execute((at, body))?;
    Ok(())
}
