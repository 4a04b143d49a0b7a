//! Obstacles: operations on a template that are configured to fail, as with an overloaded provider.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::fault::Operation;
use crate::refusal::Refusal;

/// Maximum of `times`.
const MOST_TIMES: u32 = 1_000_000;

/// Operations that fail; the JSON of `POST /sandbox/templates/{uuid}/refuse`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// The failing operations; at least one.
    pub operations: Vec<Operation>,
    /// HTTP status of the response, 400–599.
    pub status: u16,
    /// Number of failures, 1–1 000 000; unlimited if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Seconds in `Retry-After`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
    /// The channel's error code in the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// Error message that replaces the default one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Obstacle {
    pub(crate) fn checked(self) -> Result<Self, Refusal> {
        if self.operations.is_empty() || !self.operations.iter().all(|operation| operation.needs_template()) {
            return Err(Refusal::field(
                "/operations",
                "must name some of edit, archive, unarchive, delete, and no others",
            ));
        }
        if !(400..600).contains(&self.status) {
            return Err(Refusal::field("/status", "must be between 400 and 599"));
        }
        if self.times.is_some_and(|times| !(1..=MOST_TIMES).contains(&times)) {
            return Err(Refusal::field("/times", format!("must be between 1 and {MOST_TIMES}, or absent")));
        }
        Ok(self)
    }

    pub(crate) fn refusal(&self, operation: Operation) -> Refusal {
        let message = self.message.clone().unwrap_or_else(|| "The operation failed".to_owned());
        let details = format!(
            "the sandbox was told to fail this `{}` with status {}; DELETE …/refuse lets it succeed",
            operation.word(),
            self.status
        );
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Refusal { retry_after: self.retry_after, code: self.code, ..Refusal::new(status, message, details) }
    }
}
