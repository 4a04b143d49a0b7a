//! An HTTP server without the checks of the receiver, as a baseline.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use ring::hmac;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::signed;

/// Processing of a request before the response.
pub(super) trait Handler: Send + Sync + 'static {
    fn status(&self, request: Request<Incoming>) -> impl Future<Output = StatusCode> + Send;
}

/// No processing.
pub(super) struct Bare;

impl Handler for Bare {
    async fn status(&self, _request: Request<Incoming>) -> StatusCode {
        StatusCode::OK
    }
}

/// Storage of a checked body.
pub(super) trait Storage: Send + Sync + 'static {
    fn store(&self, body: Bytes) -> impl Future<Output = bool> + Send;
}

/// No storage.
pub(super) struct Discard;

impl Storage for Discard {
    async fn store(&self, _body: Bytes) -> bool {
        true
    }
}

/// Reads the body, checks its signature in constant time, and stores it.
pub(super) struct VerifySignature<K> {
    key: hmac::Key,
    keeping: K,
}

impl<K> VerifySignature<K> {
    pub(super) fn new(keeping: K) -> Self {
        Self { key: signed::key(), keeping }
    }
}

impl<K: Storage> Handler for VerifySignature<K> {
    async fn status(&self, request: Request<Incoming>) -> StatusCode {
        let (head, body) = request.into_parts();
        let Ok(body) = body.collect().await else { return StatusCode::BAD_REQUEST };
        let body = body.to_bytes();
        let tag = head.headers.get(signed::HEADER).and_then(|value| digits(value.as_bytes()));
        if tag.is_none_or(|tag| hmac::verify(&self.key, &body, &tag).is_err()) {
            return StatusCode::UNAUTHORIZED;
        }
        if self.keeping.store(body).await { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
    }
}

/// Parses `sha256=` and hexadecimal digits to bytes.
pub(super) fn digits(value: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let digits = value.strip_prefix(b"sha256=")?;
    digits.chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

pub(super) async fn serve(listener: TcpListener, stop: CancellationToken, answering: impl Handler) {
    let answering = Arc::new(answering);
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else { continue };
        // Without it, responses wait for the peer's acknowledgement.
        let _ = stream.set_nodelay(true);
        let answering = answering.clone();
        let stop = stop.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let answering = answering.clone();
                async move {
                    let mut answer = Response::new(Full::<Bytes>::default());
                    *answer.status_mut() = answering.status(request).await;
                    Ok::<_, Infallible>(answer)
                }
            });
            tokio::select! {
                () = stop.cancelled() => {}
                // Errors of a connection are ignored: the peer has closed it.
                _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service) => {}
            }
        });
    }
}
