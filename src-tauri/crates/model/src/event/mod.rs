//! What webhooks report, in types: one module for each family of values (contract §6; upstream §8).
//!
//! Every type keeps the fields it does not know. Fields that only inform are left out when they cannot be read, so
//! that they never hide the effect they stand beside; the raw event still has them.

pub mod account;
pub mod kind;
pub mod message;
pub mod reading;
pub mod status;
pub mod template;
pub mod user_action;
