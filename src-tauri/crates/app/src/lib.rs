//! Use cases and ports: workspaces, sync, drafts, submit, send, projection of events.

mod activity;
mod composer;
mod core;
mod drafts;
mod editing;
mod insights;
mod parts;
mod projector;
mod receivers;
mod recent;
mod refusals;
mod secrets;
mod sending;
mod storage;
mod submit;
mod sync;
mod template_text;
mod templates;
mod unlocking;
mod versions;

pub mod attachment;
pub mod error;
pub mod event;
pub mod events_stream;
pub mod files;
pub mod ports;
pub mod view;
pub mod webhooks;
pub mod workspace;

pub use core::{Core, Options, SandboxLink};
