//! Schema of a database file: what identifies it, its formats, and what its commits promise.

/// When a commit counts as durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Synchronous {
    /// At the next checkpoint: a power cut may undo the last commits, never tear one.
    Normal = 1,
    /// When `COMMIT` returns.
    Full = 2,
}

/// What a file is and what it holds.
#[derive(Debug)]
pub(crate) struct Schema {
    /// Written into the header, so that no other database is taken for ours.
    pub(crate) application_id: i32,
    /// What a commit promises.
    pub(crate) synchronous: Synchronous,
    /// Pages in the WAL after which the writer moves them into the file.
    pub(crate) checkpoint_pages: i32,
    /// The format that the first step leads to.
    pub(crate) first: i32,
    /// Steps to the newest format, each from the one before; never changed once released.
    pub(crate) steps: &'static [&'static str],
}

impl Schema {
    /// The newest format.
    pub(crate) fn newest(&self) -> i32 {
        let steps = i32::try_from(self.steps.len()).expect("there are few steps");
        self.first + steps - 1
    }
}
