//! Black-box tests of the sandbox: raw HTTP in, raw bytes out, asserted as JSON without the crate's own types.
#![expect(clippy::unwrap_used, reason = "what fails to unwrap fails the test")]

mod access;
mod agency;
mod agreement;
mod bench;
mod composed;
mod deliveries;
mod edit;
mod faults;
mod history;
mod inbound;
mod minimal;
mod minimal_messages;
mod obstacles;
mod phones;
mod restart;
mod reviews;
mod scripts;
mod send_shapes;
mod sends;
mod templates;
mod workspaces;
