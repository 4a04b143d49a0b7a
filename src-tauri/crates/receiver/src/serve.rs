//! Accepts and serves connections until shutdown.

use std::{convert::Infallible, future::Future, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    DeliveryLog, Event, Limits, Observer, Routes,
    connections::{ConnectionPermit, Connections},
    endpoint::Endpoint,
};

/// Buffer size for the head of a request, and for reading bodies.
const BUFFER_BYTES: usize = 128 * 1024;

/// Serves webhooks on `listener` until `shutdown` resolves, then waits for running requests for at most
/// [`Limits::drain_timeout`] and returns. Dropping the future closes all connections at once.
///
/// The caller chooses the address: loopback unless a proxy needs more. It speaks HTTP/1 without TLS; a proxy in front
/// of it terminates TLS.
pub async fn serve<I: DeliveryLog, O: Observer>(
    listener: TcpListener,
    delivery_log: I,
    routes: Routes,
    limits: Limits,
    observer: O,
    shutdown: impl Future<Output = ()>,
) {
    let connections = Connections::new(limits.connections, limits.eviction_delay);
    let endpoint = Arc::new(Endpoint::new(delivery_log, routes, limits, observer));
    let stopping = CancellationToken::new();
    let mut running = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = async {
            let (stream, peer) = accept(&listener, endpoint.observer()).await;
            (stream, peer, connections.acquire(CancellationToken::new()).await)
        };
        let (stream, peer, permit) = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = accepted => accepted,
        };
        running.spawn(connection(stream, peer, permit, Arc::clone(&endpoint), stopping.clone()));
        while running.try_join_next().is_some() {}
    }
    drop(listener);
    stopping.cancel();
    let drained = async { while running.join_next().await.is_some() {} };
    if timeout(endpoint.limits().drain_timeout, drained).await.is_err() {
        tracing::warn!(connections = running.len(), "connections were closed at the drain timeout");
        running.shutdown().await;
    }
}

async fn accept(listener: &TcpListener, observer: &impl Observer) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            // The peer disconnected before it was accepted.
            Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) => {
            }
            Err(error) => {
                // Mostly too many open files: accepting again at once would busy-loop.
                observer.observe(Event::AcceptFailed(error));
                sleep(Duration::from_millis(200)).await;
            }
        }
    }
}

async fn connection<I: DeliveryLog, O: Observer>(
    stream: TcpStream,
    peer: SocketAddr,
    permit: ConnectionPermit,
    endpoint: Arc<Endpoint<I, O>>,
    stopping: CancellationToken,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%peer, %error, "answers may be delayed");
    }
    let header_timeout = endpoint.limits().header_timeout;
    // The peer's timeout starts now, not while this task waited to be scheduled.
    permit.waiting();
    let permit = Arc::new(permit);
    let service = {
        let permit = Arc::clone(&permit);
        service_fn(move |request| {
            let endpoint = Arc::clone(&endpoint);
            let permit = Arc::clone(&permit);
            async move { Ok::<_, Infallible>(endpoint.answer(request, peer, &permit).await) }
        })
    };
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(header_timeout)
            .max_buf_size(BUFFER_BYTES)
            // A sender that has finished sending still gets its answer.
            .half_close(true)
            .serve_connection(TokioIo::new(stream), service)
    );
    let mut draining = false;
    let mut evicted = false;
    loop {
        tokio::select! {
            biased;
            result = connection.as_mut() => {
                if let Err(error) = result {
                    tracing::debug!(%peer, %error, "connection ended early");
                }
                return;
            }
            () = permit.evicted(), if !evicted => {
                // Data received so far has been read above. If it completed a request, its sender must get a response.
                if !permit.is_serving() {
                    tracing::debug!(%peer, "connection was evicted");
                    return;
                }
                evicted = true;
                connection.as_mut().graceful_shutdown();
            }
            () = stopping.cancelled(), if !draining => {
                draining = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
