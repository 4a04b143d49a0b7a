//! Timestamps as the state file stores them: milliseconds since 1970, UTC.

/// Milliseconds since 1970.
pub(crate) type Instant = i64;

pub(crate) fn now() -> Instant {
    chrono::Utc::now().timestamp_millis()
}

/// A timestamp as RFC 3339 text with milliseconds.
pub(crate) fn rfc3339(instant: Instant) -> String {
    chrono::DateTime::from_timestamp_millis(instant)
        .map(|at| at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true))
        .unwrap_or_default()
}

/// A timestamp as the value of `Date`; `None` for one that is out of range.
pub(crate) fn http_date(instant: Instant) -> Option<String> {
    let at = chrono::DateTime::from_timestamp_millis(instant)?;
    Some(at.format("%a, %d %b %Y %H:%M:%S GMT").to_string())
}
