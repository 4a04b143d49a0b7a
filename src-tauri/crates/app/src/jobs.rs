//! Shared by jobs of many requests: the job loop, answer classification, backoff, rate limits, stop reasons.

pub(crate) mod answer;
pub(crate) mod backoff;
pub(crate) mod engine;
pub(crate) mod rate_limiter;
pub(crate) mod running;
mod stop_reason;
