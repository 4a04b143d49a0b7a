//! The feed of deliveries: the lines that a receiver sends to the desks that follow it, and a client.
//!
//! The contract is `docs/feed.md`. Desks fetch pages after a cursor; nothing is sent to them.

mod client;
mod error;
mod line;

pub use self::client::{Client, MAX_WAIT, Page, parse_address};
pub use self::error::FeedError;
pub use self::line::{Delivery, End, Gap, Line, LineError, Start};
