//! Result types of the endpoints, and the empty success response.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

use crate::profile::Minimal;
use crate::refusal::Refusal;

/// A JSON body or a refusal.
pub(crate) type Answer = Result<Json<Value>, Refusal>;
/// A response, possibly without a body, or a refusal.
pub(crate) type BareAnswer = Result<Response, Refusal>;

/// The success response of endpoints for which the contract shows no body (§4.1, §4.4–§4.6).
pub(crate) fn no_content(forms: &Minimal) -> Response {
    if forms.empty_answers { StatusCode::OK.into_response() } else { Json(json!({})).into_response() }
}
