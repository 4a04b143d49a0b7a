//! The webhook endpoint: handshake, signature, limits. Appends to a port and knows no database.
//!
//! A delivery is answered `200` only after the [`Inbox`] has said that it is stored. A validly signed body is always
//! accepted, whatever is in it: what it means is decided later, from the stored bytes. What is refused is refused
//! with a reason in words and reported to the [`Observer`].

mod body;
mod connections;
pub mod doctor;
mod endpoint;
mod inbox;
mod limits;
mod listen;
mod observer;
mod reason;
mod route;
mod serve;
mod signature;

pub use inbox::{Delivery, Inbox, Refusal};
pub use limits::Limits;
pub use listen::listen;
pub use observer::{Event, HIDDEN, Observer, RefusedDelivery};
pub use reason::Reason;
pub use route::{AllowedHosts, Route, RouteError, Routes};
pub use serve::serve;
pub use signature::signed_by;
