//! Types of webhook events: one module per family of values (contract §6; upstream §8).
//!
//! All types keep unknown fields. Undecodable fields that are informational only are skipped, so that the event's
//! effect is still applied; the raw event keeps them.

pub mod account;
pub mod identity;
pub mod kind;
pub mod marketing;
pub mod message;
pub mod reading;
pub mod revision;
pub mod status;
pub mod template;
pub mod user_action;
