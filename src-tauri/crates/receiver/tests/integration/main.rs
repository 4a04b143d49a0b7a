//! The endpoint over real sockets, with a delivery log in memory.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod framing;
mod hosts;
mod load;
mod requests;
mod shutdown;
mod signatures;
mod slow;
mod support;
