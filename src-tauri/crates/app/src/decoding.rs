//! Decodes deliveries into items for the store.

mod batch;
mod effect;

pub(crate) use self::batch::DecodedBatch;
