//! Prepares requests to the provider without a database: creations and edits with their files, and sends with their
//! checks. The app and `tdesk` share this code.

pub mod attachment;
pub mod classify_response;
pub mod compute;
pub mod curl;
pub mod file_digest;
pub mod file_name;
pub mod inspection;
pub mod media_links;
pub mod media_name;
pub mod message;
mod plain_text;
pub mod recipient;
pub mod sandbox_address;
pub mod starters;
pub mod submission;
pub mod template_list;
pub mod template_text;

use std::sync::{Mutex, MutexGuard, PoisonError};

use command_types::error::{DeskError, Result};
use serde::Serialize;

/// Now, in Unix milliseconds.
#[must_use]
pub fn now() -> i64 {
    chrono::Utc::now().timestamp_millis()
}

/// Whether an instant of this computer is later than another. Both were taken before, so one in the future is from a
/// clock that was ahead, and is not later than one that is not.
#[must_use]
pub fn is_later(instant: i64, than: i64) -> bool {
    let now = now();
    match (instant > now, than > now) {
        (true, false) => false,
        (false, true) => true,
        _ => instant > than,
    }
}

pub fn to_json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| DeskError::Internal { message: error.to_string() })
}

/// Locks a mutex and ignores poisoning: the protected data is valid at every step.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{is_later, now};

    #[test]
    fn instants_of_a_clock_that_was_ahead_are_not_later() {
        let (now, day) = (now(), 86_400_000);
        let cases = [
            (now - 1, now - 2, true),
            (now - 2, now - 1, false),
            (now - 2, now - 2, false),
            (now + day, now - 2, false),
            (now - 2, now + day, true),
            (now + day, now + day - 1, true),
        ];
        for (instant, than, expected) in cases {
            assert_eq!(is_later(instant, than), expected, "{instant} {than}");
        }
    }
}
