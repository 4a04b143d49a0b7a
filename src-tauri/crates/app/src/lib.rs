//! Use cases and ports: workspaces, sync, drafts, submit, send, projection of events.

pub mod error;
pub mod event;
pub mod view;
pub mod workspace;
