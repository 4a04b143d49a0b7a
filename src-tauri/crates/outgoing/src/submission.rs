//! Creations and edits: the requests for a draft, their content, and the call that sends them.

mod businesses;
mod call;
mod content;
mod file_facts;
mod request;
mod same_name;

pub use self::businesses::Businesses;
pub use self::call::{Accepted, answer, answered, call, change_of_file, uploads};
pub use self::content::{
    accepted_content, content_to_send, edit_findings, edit_of, file_changes, file_finding, files, state_findings,
    with_files,
};
pub use self::file_facts::{context, facts};
pub use self::request::{Request, beyond_contract, requests, show};
pub use self::same_name::{name_drafted, name_taken};
