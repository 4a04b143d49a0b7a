//! Decodes deliveries into items for the store.

mod batch;
mod effect;
mod marketing;

pub(crate) use self::batch::DecodedBatch;
pub(crate) use self::marketing::{MaybeOptOut, Words};
