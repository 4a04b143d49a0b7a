//! The delivery log of receivers on servers, and its feed for desks.
//!
//! A log is a table in PostgreSQL that several receivers append to ([`postgres`]), or the inbox file of one receiver
//! ([`file`]). Both consist of *streams*: what one receiver stored from one start on, numbered without gaps. Desks
//! follow all streams with one [`cursor`].

mod access;
pub mod cursor;
mod desks;
mod error;
pub mod file;
mod log;
mod metrics;
pub mod postgres;
pub mod server;
mod stream;

pub use self::access::{Access, TokenHash, new_token};
pub use self::desks::Desks;
pub use self::error::LogError;
pub use self::log::Log;
pub use self::metrics::Metrics;
pub use self::stream::{Positions, Stream};
