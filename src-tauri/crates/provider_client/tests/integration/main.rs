//! Tests the client against a recording server: the bytes of requests, and the handling of answers.
#![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

mod answers;
mod faults;
mod files;
mod listing;
mod media;
mod provider;
mod requests;
mod secrets;
