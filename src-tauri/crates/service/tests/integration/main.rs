//! The client against a recording server: what leaves as bytes, and what is made of every answer.
#![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

mod answers;
mod faults;
mod files;
mod listing;
mod media;
mod provider;
mod requests;
mod secrets;
