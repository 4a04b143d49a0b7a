//! The types of the window's commands: requests, responses, errors and events. `tdesk` prints some of them, and the
//! desk stores some (`stored_json.rs`).
//!
//! Their TypeScript types are generated from here.
//!
//! Unless a comment says otherwise, instants (`at`, `…_at`) are Unix milliseconds, a `reference` is the provider's
//! identifier of a template, a `number` the channel's identifier of a sending number, and `next` of a page the `after`
//! of the query for the next one.

pub mod activity;
pub mod batch;
pub mod batch_comparison;
pub mod batch_ending;
pub mod batch_mapping;
pub mod batch_problem;
pub mod batch_round;
pub mod batch_row;
pub mod bulk_action;
pub mod composer;
pub mod conversations;
pub mod edit;
pub mod error;
pub mod event;
pub mod feeds;
pub mod health;
pub mod history;
pub mod insights;
pub mod keyring;
pub mod language;
pub mod opt_outs;
pub mod phone;
pub mod preferences;
pub mod receiver;
pub mod recipient_files;
pub mod recipients;
pub mod retarget;
pub mod saved_replies;
pub mod send;
pub mod sender_health;
pub mod startup;
pub mod storage;
#[cfg(test)]
mod stored_json;
pub mod submission;
pub mod support;
pub mod template;
pub mod transfer;
pub mod unfinished_forms;
pub mod updates;
pub mod workspace;

/// A request or a response without content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, ts_rs::TS)]
#[ts(export_to = "app.ts")]
pub struct Nothing {}
