//! Shared by jobs of many requests: the job loop, answer classification, backoff, rate limits, stop reasons,
//! conflicts.

pub(crate) mod answer;
pub(crate) mod backoff;
pub(crate) mod engine;
pub(crate) mod rate_limiter;
pub(crate) mod running;
pub(crate) mod step_conflict;
mod stop_reason;
