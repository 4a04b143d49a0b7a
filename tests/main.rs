//! Tests of the whole: the house's own rules, and the built app in a real window.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod house;
mod licences;
mod security;
mod start;

/// Drives the built app; it needs the UI inside the binary.
#[cfg(feature = "custom-protocol")]
mod window;
