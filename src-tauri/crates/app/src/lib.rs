//! Use cases and ports: workspaces, sync, drafts, submit, send, projection of events.

mod activity;
mod composer;
mod core;
mod curl;
mod drafts;
mod editing;
mod endpoints;
mod halt;
mod history;
mod inbox;
mod insights;
mod list_views;
mod listening;
mod lists;
mod orders;
mod parts;
mod preflight;
mod projector;
mod receivers;
mod recent;
mod recipients;
mod refusals;
mod secrets;
mod sending;
mod spreadsheet;
mod storage;
mod submit;
mod sync;
mod template_text;
mod templates;
mod tokens;
mod transfer;
mod unlocking;
mod versions;

pub mod attachment;
pub mod batch;
pub mod error;
pub mod event;
pub mod events_stream;
pub mod files;
pub mod ports;
pub mod view;
pub mod webhooks;
pub mod workspace;

pub use core::{Core, Options, SandboxLink};
