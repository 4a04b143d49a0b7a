//! From the errors of store and service to the one that reaches a person.

use store::StoreError;

use super::DeskError;

impl From<StoreError> for DeskError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Page => Self::invalid("after", error.to_string()),
            other => {
                tracing::error!(error = %other, "a file of the data folder failed");
                Self::Storage { reason: other.to_string() }
            }
        }
    }
}

impl From<service::Error> for DeskError {
    fn from(error: service::Error) -> Self {
        use service::Error;
        match error {
            Error::Unauthorized(refusal) => {
                let details = refusal.details_text();
                Self::Unauthorized { message: refusal.message, details }
            }
            Error::RateLimited(refusal) => {
                Self::RateLimited { retry_after: refusal.retry_after.map(|pause| pause.as_secs()) }
            }
            Error::Forbidden(refusal) | Error::NotFound(refusal) | Error::Refused(refusal) | Error::Server(refusal) => {
                let details = refusal.details_text();
                Self::Service {
                    status: refusal.status,
                    error_code: refusal.code.map(|code| code.to_string()),
                    message: refusal.message,
                    details: (!details.is_empty()).then_some(details),
                    field: refusal.field,
                    retry_after: refusal.retry_after.map(|pause| pause.as_secs()),
                    body: refusal.body,
                }
            }
            Error::Offline { ref host, ref reason, .. } => Self::Offline { reason: format!("{host}: {reason}") },
            Error::Redirected { .. } => Self::Offline { reason: error.to_string() },
            Error::TimedOut { after, .. } => Self::TimedOut { seconds: after.as_secs().max(1) },
            Error::Unreadable { endpoint, status, reason, body, .. } => {
                Self::Unreadable { endpoint, status, reason, body }
            }
            Error::InvalidInput { field, message } => Self::invalid(camel(field), message),
            Error::File { name, message } => Self::File { name, reason: message },
            Error::Cancelled { .. } => Self::Cancelled {},
            other => Self::Internal { message: other.to_string() },
        }
    }
}

/// Fields of the window are written in camel case.
fn camel(field: &str) -> String {
    let mut words = field.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}
