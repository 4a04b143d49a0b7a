//! View models: what screens ask for and are shown. They exist for the window and live nowhere else.

pub mod activity;
pub mod batch;
pub mod composer;
pub mod edit;
pub mod history;
pub mod inbox;
pub mod insights;
pub mod order;
pub mod phone;
pub mod receiver;
pub mod recipients;
pub mod send;
pub mod storage;
pub mod submission;
pub mod template;
pub mod transfer;
pub mod workspace;

/// A request or a response without content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, ts_rs::TS)]
#[ts(export_to = "app.ts")]
pub struct Nothing {}
