//! Reports the [`crate::history`]: as signed deliveries, on the phones of its customers, and as what a client of the sandbox
//! had sent.

pub(crate) mod deliveries;
pub(crate) mod phones;
pub(crate) mod records;
