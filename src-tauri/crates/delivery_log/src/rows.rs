//! What is read of a log.

use std::time::Duration;

use feed::Delivery;
use uuid::Uuid;

/// How long readers wait for more after a delivery, so that they read several at a time.
pub(crate) const GATHER_TIME: Duration = Duration::from_millis(15);

/// The numbers of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Head {
    /// What is before it was removed.
    pub first: i64,
    /// One less than the first if the log is empty.
    pub last: i64,
    /// Changes with the desks that may read the log; `None` if it is not known whether they changed.
    pub desks: Option<Uuid>,
}

/// A delivery, as much as is read of it.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) seq: i64,
    pub(crate) mark: Uuid,
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    Delivery(Delivery),
    /// It was altered after it was stored.
    Altered,
    /// It was not asked for.
    Other,
    /// It, and what follows, is for the next reading.
    Later,
}

/// What to read of a range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// Empty for all.
    pub(crate) endpoints: &'a [String],
    pub(crate) limit: i64,
    /// Bytes of bodies.
    pub(crate) bytes: usize,
    /// Whether the first delivery is read whatever its size.
    pub(crate) first: bool,
}

impl Wanted<'_> {
    /// Whether the next delivery is read that makes so many deliveries and bytes.
    pub(crate) fn fits(&self, deliveries: i64, bytes: usize) -> bool {
        deliveries <= self.limit && (bytes <= self.bytes || (self.first && deliveries == 1))
    }
}
