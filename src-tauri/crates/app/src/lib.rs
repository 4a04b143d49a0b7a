//! Use cases and ports: workspaces, templates, authoring, messaging, webhooks.
//!
//! Each area owns its state and exposes one struct. An area knows only the areas below it; [`Core`] builds and closes
//! them.

mod account_notices;
mod authoring;
mod bulk_actions;
mod chats;
mod contact_names;
mod context;
mod conversations;
mod core;
mod costs;
mod csv_header;
mod csv_import;
mod csv_table;
mod data;
mod date_range;
mod decoding;
mod desk_copy;
mod draft_document;
mod imports;
mod insights;
mod jobs;
mod opt_outs;
mod own_numbers;
mod page_cursor;
mod people_columns;
mod recorded_answer;
mod send_events;
mod sender_limits;
mod spreadsheet;
mod startup;
mod stored_item;
mod template_files;
mod templates;
mod text;
mod updates;
mod workspaces;

pub mod exit;
pub mod messaging;
pub mod webhooks;

pub use context::{Timing, ports};
pub use core::{Core, Options};
pub use data::lock_data_folder;
pub use desk_copy::DeskCopy;
pub use store::DataFolder;
pub use store::private;
pub use webhooks::{events_stream, feed_client};
pub use workspaces::{SANDBOX_COUNTRY, SANDBOX_ID, SandboxLink, webhook_path};
