//! A log in PostgreSQL, or in a database that speaks its protocol.
//!
//! Uses nothing but tables, indexes and transactions on few rows: no declarative partitions, triggers, sequences,
//! advisory locks or `NOTIFY`, which distributed databases lack. See `docs/deployment.md` for what was tried.

mod database;
mod months;
mod reader;
mod schema;
mod writer;

pub use self::database::Database;
pub use self::reader::Reader;
pub use self::writer::DeliveryLog;
