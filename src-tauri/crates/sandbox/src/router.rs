//! The routes of the sandbox and their middleware.

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use serde_json::json;

use crate::refusal::{Refusal, Said};
use crate::{Sandbox, auth, body, control, fault_injection, history_control, phone_control, send, templates};

pub(crate) fn router(sandbox: Sandbox) -> Router {
    let provider = Router::new()
        .route("/workspace-templates", get(templates::list).post(templates::create))
        .route("/workspace-templates/{uuid}", put(templates::edit).delete(templates::delete))
        .route("/workspace-templates/{uuid}/archive", post(templates::archive))
        .route("/workspace-templates/{uuid}/unarchive", post(templates::unarchive))
        .route("/{number}/send-message", post(send::send))
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(from_fn_with_state(sandbox.clone(), auth::require_workspace))
        .layer(from_fn_with_state(sandbox.clone(), trim_refusals));

    let control = Router::new()
        .route("/", get(control::index))
        .route("/settings", get(control::settings).put(control::put_settings))
        .route("/webhook", put(control::put_webhook))
        .route("/webhook/verify", post(control::verify_webhook))
        .route("/templates", post(control::add_templates))
        .route("/templates/{uuid}/decision", post(control::decide))
        .route("/templates/{uuid}/refuse", post(control::refuse).delete(control::let_succeed))
        .route("/faults", get(control::faults).post(control::add_fault).delete(control::clear_faults))
        .route("/counts", get(control::counts).delete(control::clear_counts))
        .route("/events", post(control::emit))
        .route("/deliveries", get(control::deliveries))
        .route("/deliveries/{id}/redeliver", post(control::redeliver))
        .route("/phones", get(phone_control::phones))
        .route("/phones/{recipient}", get(phone_control::phone).put(phone_control::add))
        .route("/phones/{recipient}/read", post(phone_control::read))
        .route("/phones/{recipient}/tap", post(phone_control::tap))
        .route("/phones/{recipient}/text", post(phone_control::text))
        .route("/phones/{recipient}/media", post(phone_control::media))
        .route("/phones/{recipient}/message", post(phone_control::item))
        .route("/phones/{recipient}/marketing", post(phone_control::marketing))
        .route("/phones/{recipient}/script", put(phone_control::put_script).delete(phone_control::delete_script))
        .route("/scripts", get(phone_control::scripts))
        .route("/history", get(history_control::history))
        .route("/history/sends", get(history_control::sends))
        .route("/media/{id}", get(control::download_media))
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(from_fn_with_state(sandbox.clone(), auth::require_credentials))
        // Added after the layer, so that it needs no token.
        .route("/public/{id}", get(control::download_public).fallback(no_such_method));

    Router::new()
        .nest(&format!("/{}/provider", sandbox.runtime.channel), provider)
        .nest("/sandbox", control)
        .fallback(no_such_path)
        .layer(from_fn_with_state(sandbox.clone(), remember_host))
        .layer(from_fn_with_state(sandbox.clone(), save_before_answer))
        .layer(from_fn(fault_injection::cut_connections))
        .layer(DefaultBodyLimit::max(body::MULTIPART_LIMIT))
        .with_state(sandbox)
}

/// The full request path; nested routers see only a suffix of it.
#[derive(Clone)]
struct FullPath(String);

fn full_path(request: &Request) -> &str {
    request.extensions().get::<FullPath>().map_or_else(|| request.uri().path(), |path| &path.0)
}

async fn no_such_path(request: Request) -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "No such endpoint",
        format!(
            "there is nothing at `{}`; the paths begin with /{{channel}}/provider or /sandbox",
            full_path(&request)
        ),
    )
}

async fn no_such_method(request: Request) -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "Method not allowed",
        format!("`{}` is not answered at `{}`; the header `Allow` says what is", request.method(), full_path(&request)),
    )
}

/// Stores the full path for refusals, and sets the base URL from the first request if it is not set.
async fn remember_host(State(sandbox): State<Sandbox>, mut request: Request, next: Next) -> Response {
    let path = FullPath(request.uri().path().to_owned());
    request.extensions_mut().insert(path);
    if sandbox.runtime.base_url.get().is_none()
        && let Some(host) = request.headers().get(header::HOST).and_then(|host| host.to_str().ok())
    {
        sandbox.set_base_url(&format!("http://{host}"));
    }
    next.run(request).await
}

/// Delays the response to a change until the change is on disk, so that acknowledged changes survive a crash.
async fn save_before_answer(State(sandbox): State<Sandbox>, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let response = next.run(request).await;
    if changes && let Err(reason) = sandbox.runtime.saved().await {
        return Refusal::unstored(reason).into_response();
    }
    response
}

/// Under the minimal profile, reduces a refusal to the two members that the contract shows (§5).
pub(crate) async fn trim_refusals(State(sandbox): State<Sandbox>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if !sandbox.runtime.read(|state| state.settings.is_minimal()) {
        return response;
    }
    let Some(Said { message, details }) = response.extensions().get::<Said>().cloned() else { return response };
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    (parts, Json(json!({ "message": message, "details": details }))).into_response()
}
