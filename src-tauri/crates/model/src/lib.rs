//! The channel's types and rules: templates, sends, webhooks, findings, rendering. No I/O, no clock.
//!
//! The types serialise to exactly the contract's JSON and keep unknown fields in `extra`, so a round trip loses nothing.
//! Limits and rules are defined only here.

mod closed;
mod lenient;
mod link;
mod open;
mod rules;

pub mod account_record;
pub mod archival;
pub mod button;
pub mod checksum;
pub mod comparison;
pub mod component;
pub mod diff;
pub mod engagement;
pub mod envelope;
pub mod error_code;
pub mod event;
pub mod failure;
pub mod file;
pub mod finding;
pub mod item;
pub mod json;
pub mod known_fields;
pub mod language;
pub mod lifecycle;
pub mod lint;
pub mod listed;
pub mod listing;
pub mod market;
pub mod media;
pub mod messaging_limit;
pub mod net;
pub mod opt_out_wish;
pub mod opt_out_word;
pub mod outcome_group;
pub mod passcode;
pub mod rate_card;
pub mod redact;
pub mod rejection;
pub mod render;
pub mod rewrite;
pub mod samples;
pub mod saved_reply;
pub mod send;
pub mod starter;
pub mod template;
pub mod translation;
pub mod variable;
pub mod visible;
pub mod vocabulary;

mod id;

pub use id::Id;

/// A JSON object whose keys keep their order.
pub type Object = serde_json::Map<String, serde_json::Value>;
