//! Authentication: the headers of the contract §5.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::refusal::Refusal;
use crate::runtime::Runtime;

/// Requires valid credentials and a workspace that they open; adds the workspace to the request.
pub(crate) async fn require_workspace(
    State(runtime): State<Arc<Runtime>>,
    mut request: Request,
    next: Next,
) -> Response {
    if !has_credentials(&runtime, request.headers()) {
        return Refusal::unauthorized().into_response();
    }
    let refusal = match request.headers().get("x-workspace-uuid").map(|value| value.to_str()) {
        None => "the header `x-workspace-uuid` is missing; it names the workspace the token belongs to".to_owned(),
        Some(Ok(uuid)) => match runtime.workspace_of(uuid) {
            Some(workspace) => {
                request.extensions_mut().insert(workspace);
                return next.run(request).await;
            }
            None => format!("the header `x-workspace-uuid` names `{uuid}`, which this token gives no access to"),
        },
        Some(Err(_)) => "the header `x-workspace-uuid` does not hold a UUID".to_owned(),
    };
    Refusal { details: refusal, path: None, ..Refusal::unauthorized() }.into_response()
}

/// Requires valid credentials, for any workspace.
pub(crate) async fn require_credentials(State(runtime): State<Arc<Runtime>>, request: Request, next: Next) -> Response {
    if has_credentials(&runtime, request.headers()) {
        next.run(request).await
    } else {
        Refusal::unauthorized().into_response()
    }
}

fn has_credentials(runtime: &Runtime, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(authorization) = text(header::AUTHORIZATION.as_str()) {
        let (scheme, token) = authorization.trim().split_once(' ').unwrap_or((authorization, ""));
        return scheme.eq_ignore_ascii_case("bearer") && runtime.is_token(token.trim());
    }
    match (text("x-client-id"), text("x-client-secret")) {
        (Some(id), Some(secret)) => runtime.are_client_credentials(id, secret),
        _ => false,
    }
}
