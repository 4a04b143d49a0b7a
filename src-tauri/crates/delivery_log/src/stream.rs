//! Streams: what the receivers of a log stored.

use std::sync::Arc;

use uuid::Uuid;

/// What a receiver stored from one start on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Unique, also among logs that were restored from the same backup.
    pub id: Uuid,
    /// Name of the receiver.
    pub node: String,
    pub first_seq: i64,
    /// Its last stored sequence number; one less than the first if it is empty.
    pub last_seq: i64,
}

/// The streams of a log, in the order of their nodes, and those of a node in the order in which they began.
pub type Positions = Arc<Vec<Stream>>;
