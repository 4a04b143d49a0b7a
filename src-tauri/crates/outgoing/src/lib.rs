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
pub mod recipient;
pub mod sandbox_address;
pub mod starters;
pub mod submission;
pub mod template_text;

use std::sync::{Mutex, MutexGuard, PoisonError};

use command_types::error::{DeskError, Result};
use serde::Serialize;

/// Now, in Unix milliseconds.
#[must_use]
pub fn now() -> i64 {
    chrono::Utc::now().timestamp_millis()
}

pub fn to_json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| DeskError::Internal { message: error.to_string() })
}

/// Locks a mutex and ignores poisoning: the protected data is valid at every step.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
