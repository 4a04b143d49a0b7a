//! What jobs of many requests share: how answers are classified, how fast requests leave, why a job stops.

pub(crate) mod backoff;
pub(crate) mod rate_limiter;
pub(crate) mod stop_reason;
