//! Small helpers shared by several use cases.

use store::cache::Opened;
use store::desk::{Answer, CallState};

use api::error::{DeskError, Result};

pub(crate) use requests::{now, to_json};

/// The start of a text on one line, for lists.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_EXCERPT_LENGTH: usize = 140;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_EXCERPT_LENGTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A notice about how the cache was opened, if the person should know.
pub(crate) fn cache_notice(opened: &Opened) -> Option<String> {
    match opened {
        Opened::Existing | Opened::New => None,
        Opened::Rebuilt { reason, .. } => Some(format!(
            "The cache of templates and webhooks could not be used and is being rebuilt ({reason}). Nothing you made is lost."
        )),
        Opened::InMemory { reason } => Some(format!(
            "The cache cannot be written ({reason}). The app works, but starts with an empty list each time until this is fixed."
        )),
    }
}

/// The cursor of a page whose last row is identified by an instant and an identifier.
pub(crate) fn page_cursor(at: i64, id: &str) -> String {
    format!("{at} {id}")
}

/// Parses a [`page_cursor`]; `None` for the first page.
///
/// # Errors
/// [`DeskError::InvalidInput`] for an invalid cursor.
pub(crate) fn parse_page_cursor(after: Option<&str>) -> Result<Option<(i64, String)>> {
    let Some(after) = after.filter(|after| !after.is_empty()) else { return Ok(None) };
    let mark = after.split_once(' ').and_then(|(at, id)| Some((at.parse().ok()?, id.to_owned())));
    mark.map(Some).ok_or_else(|| DeskError::invalid("after", "This page does not exist. Reload the list."))
}

/// The record of a request that succeeded.
pub(crate) fn accepted(status: u16, body: String) -> Answer {
    Answer { state: CallState::Accepted, status: Some(status), body: Some(body), error: None, at: now() }
}

/// The record of a request that failed, and the error for the person. If the request may have been carried out, its
/// state is unknown, never refused.
pub(crate) fn failed(error: service::Error) -> Result<(Answer, DeskError)> {
    let state = if error.maybe_received() { CallState::Unknown } else { CallState::Refused };
    let refusal = error.refusal();
    let (status, body) = (refusal.map(|refusal| refusal.status), refusal.map(|refusal| refusal.body.clone()));
    let error = DeskError::from(error);
    Ok((Answer { state, status, body, error: Some(to_json(&error)?), at: now() }, error))
}

/// An instant in the format of file names.
pub(crate) fn file_timestamp(at: i64) -> String {
    chrono::DateTime::from_timestamp_millis(at)
        .map_or_else(|| at.to_string(), |at| at.format("%Y-%m-%dT%H-%M-%SZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_in_names_can_be_read_and_sorted() {
        assert_eq!(file_timestamp(1_763_711_400_000), "2025-11-21T07-50-00Z");
    }
}
