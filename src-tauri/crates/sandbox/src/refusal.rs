//! Refusals: every error response, as JSON with a reason and a remedy.
//!
//! The contract shows one error body, that of the 401, with the strings `message` and `details` (§5, §7). Every other
//! refusal has these strings too and, where applicable, `path` (JSON pointer of the field in the request), `code` (the
//! channel's error code, upstream §7) and `findings`.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::finding::Finding;
use serde_json::{Value, json};

/// An error response.
#[derive(Debug)]
pub struct Refusal {
    pub status: StatusCode,
    /// What happened, in one short sentence.
    pub message: String,
    /// Why, and what to change; names the field.
    pub details: String,
    /// JSON pointer of the field in the request.
    pub path: Option<String>,
    /// The channel's error code.
    pub code: Option<i32>,
    /// Findings of the template rules.
    pub findings: Vec<Finding>,
    /// Seconds until a retry may succeed.
    pub retry_after: Option<u32>,
}

impl Refusal {
    /// A refusal with a status and the two strings.
    pub fn new(status: StatusCode, message: impl Into<String>, details: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            details: details.into(),
            path: None,
            code: None,
            findings: Vec::new(),
            retry_after: None,
        }
    }

    /// 401 as in the contract (§5).
    pub fn unauthorized() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "Authentication required",
            "You must supply a Bearer Token in the Authorization header, \
             or client credentials in the x-client-id and x-client-secret headers",
        )
    }

    /// 400 for a field of the request; `path` is its JSON pointer.
    pub fn field(path: impl Into<String>, details: impl Into<String>) -> Self {
        let path = path.into();
        let name = field_name(&path);
        Self {
            path: Some(path),
            ..Self::new(
                StatusCode::BAD_REQUEST,
                format!("Invalid field `{name}`"),
                format!("`{name}` {}", details.into()),
            )
        }
    }

    /// 404 for an unknown template.
    pub fn no_template(uuid: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "Template not found",
            format!("there is no template with the uuid `{uuid}` in this workspace; list them to see which exist"),
        )
    }

    /// 503 if the state could not be written: the requested change may be lost at a restart.
    pub fn unstored(reason: String) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "The sandbox could not store its state",
            format!("{reason}; free the disk or correct the permissions of the state file, then try again"),
        )
    }

    pub fn with_code(mut self, code: i32) -> Self {
        self.code = Some(code);
        self
    }

    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    pub fn body(&self) -> Value {
        let mut body = json!({ "message": self.message, "details": self.details });
        if let Some(path) = &self.path {
            body["path"] = json!(path);
        }
        if let Some(code) = self.code {
            body["code"] = json!(code);
        }
        if !self.findings.is_empty() {
            body["findings"] = json!(self.findings);
        }
        body
    }
}

/// A field name for people: `components[0].format` for `/components/0/format`.
pub(crate) fn field_name(path: &str) -> String {
    let mut name = String::new();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        let part = part.replace("~1", "/").replace("~0", "~");
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            name.push_str(&format!("[{part}]"));
        } else {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&part);
        }
    }
    if name.is_empty() { "body".to_owned() } else { name }
}

/// The texts of a refusal, attached to its response.
#[derive(Clone)]
pub(crate) struct Said {
    pub(crate) message: String,
    pub(crate) details: String,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(Said { message: self.message, details: self.details });
        response
    }
}

#[cfg(test)]
mod tests {
    use super::field_name;

    #[test]
    fn fields_are_named_by_paths() {
        for (path, name) in [
            ("/name", "name"),
            ("/components/1/text", "components[1].text"),
            ("/template/components/0/parameters/0/image/link", "template.components[0].parameters[0].image.link"),
            ("", "body"),
        ] {
            assert_eq!(field_name(path), name, "for {path:?}");
        }
    }
}
