//! The delivery log of receivers on servers, and its feed for desks.
//!
//! A log is a table in PostgreSQL that several receivers append to ([`postgres`]), or the inbox file of one receiver
//! ([`file`]). Both are numbered in the order of their commits, without gaps. Desks follow a log with a [`cursor`].

mod access;
pub mod cursor;
mod desks;
mod error;
pub mod file;
mod log;
mod metrics;
mod pages;
pub mod postgres;
mod rows;
pub mod server;

pub use self::access::{Access, TokenHash, new_token};
pub use self::desks::Desks;
pub use self::error::LogError;
pub use self::log::Log;
pub use self::metrics::Metrics;
pub use self::rows::Head;
