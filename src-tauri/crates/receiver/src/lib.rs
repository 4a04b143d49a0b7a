//! The webhook endpoint: handshake, signature, limits. It stores deliveries through a port and knows no database.
//!
//! A delivery is answered `200` only after the [`DeliveryLog`] has stored it. A body with a valid signature is always
//! accepted, whatever its content: it is decoded later, from the stored bytes. A refused request gets a response with a
//! reason, and is reported to the [`Observer`].

mod body;
mod connections;
mod delivery_log;
pub mod doctor;
mod endpoint;
mod limits;
mod listen;
mod observer;
mod reason;
mod route;
mod serve;
mod signature;

pub use connections::{ConnectionPermit, Connections};
pub use delivery_log::{Delivery, DeliveryLog, Refusal};
pub use limits::Limits;
pub use listen::listen;
pub use observer::{Event, HIDDEN, Observer, RefusedDelivery};
pub use reason::Reason;
pub use route::{AllowedHosts, Route, RouteError, Routes};
pub use serve::serve;
pub use signature::signed_by;
