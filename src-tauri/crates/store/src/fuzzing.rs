//! Access to private functions for `tests/fuzz`.

/// The current status of a message, from its reports in any order: status and instant.
#[must_use]
pub fn current_status(reports: Vec<(String, i64)>) -> Option<(String, i64)> {
    crate::status::current(reports)
}
