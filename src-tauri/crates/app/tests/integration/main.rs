//! The use cases on real files, against the sandbox and other servers over real HTTP.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod account_notices;
mod activity;
mod agency;
mod archival;
mod audience;
mod authoring;
mod batches;
mod bounded;
mod bulk_actions;
#[cfg(target_os = "linux")]
mod canaries;
mod composing;
mod connection;
mod contract_events;
mod conversations;
mod diagnostics;
mod editing;
mod endpoints;
#[cfg(unix)]
mod exit;
mod faults;
mod feeds;
mod followed_send;
mod forwarding;
mod harness;
mod health;
mod history;
mod identities;
mod insights;
mod keyring;
mod lists;
mod lost_cache;
mod lost_submission;
mod media;
mod new_accounts;
mod people;
#[cfg(unix)]
mod private;
mod profiles;
mod refusals;
mod restart;
mod revisions;
mod sandbox_history;
mod saved_replies;
mod secret_rotation;
mod secrets;
mod sending;
mod sparse_listings;
mod transfers;
mod unreadable_cache;
mod updates;
mod webhooks;

/// As in the app: freed memory is wiped, so that a test can detect what is kept.
#[global_allocator]
static WIPING: zeroizing_alloc::ZeroAlloc<std::alloc::System> = zeroizing_alloc::ZeroAlloc(std::alloc::System);
