//! What jobs of many requests share: the loop that carries them out, what an answer means, how fast requests leave, why a
//! job stops.

pub(crate) mod answer;
mod backoff;
pub(crate) mod engine;
pub(crate) mod rate_limiter;
pub(crate) mod running;
mod stop_reason;
