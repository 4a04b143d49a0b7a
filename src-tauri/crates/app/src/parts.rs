//! Small steps that several use cases take.

use serde::Serialize;
use store::cache::Opened;

use crate::error::{DeskError, Result};

/// Now, in Unix milliseconds.
pub(crate) fn now() -> i64 {
    chrono::Utc::now().timestamp_millis()
}

/// JSON of a value that has nothing which cannot be written.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| DeskError::Internal { message: error.to_string() })
}

/// The start of a text on one line, for lists.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 140;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// What a person should know about how the cache was opened.
pub(crate) fn cache_notice(opened: &Opened) -> Option<String> {
    match opened {
        Opened::Kept | Opened::New => None,
        Opened::Rebuilt { reason, .. } => Some(format!(
            "The cache of templates and webhooks could not be used and is being built anew ({reason}). Nothing you made is lost."
        )),
        Opened::InMemory { reason } => Some(format!(
            "No cache can be written ({reason}). The app works, but starts empty each time until that is mended."
        )),
    }
}
