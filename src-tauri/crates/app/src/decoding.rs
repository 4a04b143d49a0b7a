//! What deliveries mean, item by item, as the store takes it.

mod batch;
mod effect;

pub(crate) use self::batch::Batch;
