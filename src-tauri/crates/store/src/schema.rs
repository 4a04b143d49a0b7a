//! Schema of a database file: its identity, its formats, and the durability of its commits.

/// When a commit counts as durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Synchronous {
    /// At the next checkpoint: a power cut may undo the last commits, never tear one.
    Normal = 1,
    /// When `COMMIT` returns.
    Full = 2,
}

/// Identity and content of a file.
#[derive(Debug)]
pub(crate) struct Schema {
    /// Written into the header to distinguish our files from other databases.
    pub(crate) application_id: i32,
    /// Durability of a commit.
    pub(crate) synchronous: Synchronous,
    /// Number of pages in the WAL after which the writer checkpoints.
    pub(crate) checkpoint_pages: i32,
    /// The format after the first step.
    pub(crate) first: i32,
    /// Steps to the newest format, each from the previous one; never changed once released.
    pub(crate) steps: &'static [&'static str],
}

impl Schema {
    /// The newest format.
    pub(crate) fn newest(&self) -> i32 {
        let steps = i32::try_from(self.steps.len()).expect("there are few steps");
        self.first + steps - 1
    }
}
