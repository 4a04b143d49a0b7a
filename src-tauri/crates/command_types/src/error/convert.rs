//! Converts the errors of `store` and `provider_client` to [`DeskError`].

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

impl From<provider_client::Error> for DeskError {
    fn from(error: provider_client::Error) -> Self {
        let unknown = error.maybe_received();
        let error = desk_error(error);
        if unknown { Self::outcome_unknown(Some(error)) } else { error }
    }
}

/// The error, ignoring whether the request may have been carried out.
fn desk_error(error: provider_client::Error) -> DeskError {
    use provider_client::Error;
    let code = |refusal: &provider_client::Refusal| refusal.code.map(|code| code.to_string());
    match error {
        Error::Unauthorized(refusal) => {
            let details = refusal.details_text();
            DeskError::Unauthorized { message: refusal.message, details }
        }
        Error::RateLimited(refusal) => DeskError::RateLimited {
            retry_after: refusal.retry_after.map(|pause| pause.as_secs()),
            error_code: code(&refusal),
        },
        Error::Forbidden(refusal) | Error::NotFound(refusal) | Error::Refused(refusal) | Error::Server(refusal) => {
            let details = refusal.details_text();
            DeskError::Service {
                status: refusal.status,
                error_code: code(&refusal),
                message: refusal.message,
                details: (!details.is_empty()).then_some(details),
                field: refusal.field,
                retry_after: refusal.retry_after.map(|pause| pause.as_secs()),
                body: refusal.body,
            }
        }
        Error::Offline { host, reason, .. } => DeskError::Offline { reason: format!("{host}: {}", reason.what()) },
        Error::Redirected { endpoint, status, host, .. } => DeskError::Unreadable {
            endpoint,
            status,
            reason: format!(
                "it redirects to {}, and credentials are not sent there",
                host.as_deref().unwrap_or("an unknown address")
            ),
            body: String::new(),
        },
        Error::TimedOut { after, .. } => DeskError::TimedOut { seconds: after.as_secs().max(1) },
        Error::Unreadable { endpoint, status, reason, body, .. } => {
            DeskError::Unreadable { endpoint, status, reason, body }
        }
        Error::TooLarge { endpoint, limit, .. } => DeskError::Unreadable {
            endpoint,
            status: 200,
            reason: format!("it is longer than {} MiB, the most that is read of one answer", limit >> 20),
            body: String::new(),
        },
        Error::UnconfirmedHost { host } => DeskError::MediaHostUnconfirmed { host },
        Error::InvalidInput { field, message } => DeskError::invalid(camel(field), message),
        Error::File { name, message } => DeskError::file(name, message),
        Error::Cancelled { .. } => DeskError::Cancelled {},
        other => DeskError::Internal { message: other.to_string() },
    }
}

/// Converts a field name to camel case, as the window uses it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_a_reason_is_a_whole_sentence() {
        let error = |message: &str| {
            DeskError::outcome_unknown(Some(DeskError::Service {
                status: 500,
                error_code: None,
                message: message.to_owned(),
                details: None,
                field: None,
                retry_after: None,
                body: String::new(),
            }))
            .to_string()
        };
        let text = error(" ");
        assert!(text.starts_with("The provider answered 500 without a reason. The request may"), "{text}");
        assert!(error("db down").starts_with("The provider answered 500: db down"), "{}", error("db down"));
    }

    #[test]
    fn an_oversized_answer_is_reported_with_endpoint_and_limit() {
        let endpoint = "GET /messaging/provider/workspace-templates".to_owned();
        let error = |maybe_received| provider_client::Error::TooLarge {
            endpoint: endpoint.clone(),
            limit: 32 << 20,
            maybe_received,
        };
        let text = DeskError::from(error(false)).to_string();
        assert!(text.contains(&endpoint) && text.contains("32 MiB"), "{text}");
        assert!(matches!(DeskError::from(error(true)), DeskError::OutcomeUnknown { .. }));
    }
}
