//! Failpoints: places where a test ends the process or makes a step fail.
//!
//! Without the feature `failpoints` none of this is compiled. With it, a process calls [`arm`] once, and an environment
//! variable configures the failpoints, in the notation of the crate `fail`:
//!
//! - `FAILPOINTS="cache.applied=return"` ends the process (as `kill -9` would) at the first pass,
//! - `FAILPOINTS="cache.applied=3*off->return"` at the fourth pass,
//! - `FAILPOINTS="backup.copied=return(error)"` makes the step fail, if it can.
//!
//! [`ALL`] lists the points and what has happened when each is passed.

#[cfg(feature = "failpoints")]
pub use armed::arm;

/// Every point with what has happened when it is passed, in the order in which an operation passes them.
pub const ALL: &[(&str, &str)] = &[
    ("inbox.inserted", "a group of deliveries is inserted and not yet committed"),
    ("inbox.committed", "a group of deliveries is committed and none of its senders is answered yet"),
    ("projector.read", "a batch was read from the inbox and nothing of it is written"),
    ("projector.outcomes", "the send outcomes of the batch are in the desk, its template events are not"),
    ("projector.desk", "everything that must outlive the inbox is in the desk, nothing of the batch is in the cache"),
    ("cache.applied", "the effects of the batch are in the cache's transaction, the cursor has not moved"),
    ("cache.moved", "effects and cursor are in the transaction, which is not committed"),
    ("projector.applied", "the batch is committed to the cache and no event is emitted yet"),
    ("migration.statement", "one statement of a step is done; passed once before the first and once after each"),
    ("migration.stamped", "all steps and the new format number are in the transaction, which is not committed"),
    ("migration.committed", "the file is in the newest format"),
    ("retention.chosen", "the deliveries of a step are chosen and nothing is removed"),
    ("retention.cache", "they are removed from the cache and still in the inbox"),
    ("retention.deleted", "they are deleted in the inbox's transaction, which is not committed"),
    ("retention.inbox", "they are removed from the inbox, its free pages are not returned yet"),
    ("retention.vacuumed", "some of its free pages are returned"),
    ("backup.started", "the backup's folder exists under its temporary name and is empty"),
    ("backup.pages", "some pages of a file are copied; passed often"),
    ("backup.copied", "one file is copied and synced, not yet checked"),
    ("backup.manifest", "everything is in the temporary folder, which does not have its name yet"),
    ("backup.named", "the backup has its name and is not in the run journal yet"),
    ("restore.staged", "the backup's files are copied next to the current ones and not in the run journal yet"),
    ("restore.marked", "they are in the run journal: the next start swaps them in"),
    ("restore.moved", "one current file is moved aside and its successor is not in place; passed for every file"),
    ("restore.placed", "one file is in place; passed for every file"),
    ("salvage.started", "the damaged file is still in place"),
    ("salvage.copied", "some rows are in the new file, which still has its temporary name"),
    ("salvage.aside", "the damaged file is moved aside and its successor is not in place"),
    ("salvage.placed", "the successor is in place, the swap is still in the run journal"),
];

/// Passes a point: nothing happens, or the process ends.
#[inline]
pub fn pass(name: &str) {
    #[cfg(feature = "failpoints")]
    armed::pass(name);
    let _ = name;
}

/// Passes a point at which the step may also fail.
///
/// # Errors
/// [`StoreError::Io`](crate::StoreError::Io) when the environment configures it; never without the feature.
#[inline]
pub fn step(name: &str) -> Result<(), crate::StoreError> {
    #[cfg(feature = "failpoints")]
    armed::step(name)?;
    let _ = name;
    Ok(())
}

#[cfg(feature = "failpoints")]
mod armed {
    use std::sync::Once;

    use crate::StoreError;

    /// Reads the environment variable `FAILPOINTS`, once for the process.
    pub fn arm() {
        static ARMED: Once = Once::new();
        // A scenario ends when it is dropped; this one must last as long as the process.
        ARMED.call_once(|| std::mem::forget(fail::FailScenario::setup()));
    }

    pub(super) fn pass(name: &str) {
        debug_assert!(super::ALL.iter().any(|(known, _)| *known == name), "{name} is not in the list");
        fail::eval(name, |_| std::process::abort());
    }

    pub(super) fn step(name: &str) -> Result<(), StoreError> {
        debug_assert!(super::ALL.iter().any(|(known, _)| *known == name), "{name} is not in the list");
        let failed = fail::eval(name, |argument| match argument.as_deref() {
            Some("error") => (),
            _ => std::process::abort(),
        });
        match failed {
            Some(()) => Err(StoreError::Io { path: name.into(), source: std::io::Error::other("a failpoint") }),
            None => Ok(()),
        }
    }
}
