//! A log in PostgreSQL, or in a database that speaks its protocol.
//!
//! Uses nothing but tables, indexes and transactions on few rows: no partitions, triggers, sequences, advisory locks or
//! `NOTIFY`, which distributed databases lack; and no named statement, no setting of a session and no startup option,
//! which poolers lack that give a connection to a client for one transaction. See `docs/deployment.md` for what was
//! tried.

mod connection;
mod database;
mod desks;
mod reader;
mod retention;
mod schema;
mod writer;

pub use self::database::Database;
pub use self::reader::Reader;
pub use self::retention::{DeskPosition, Kept};
pub use self::writer::DeliveryLog;
