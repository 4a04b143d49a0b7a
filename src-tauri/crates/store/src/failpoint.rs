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
    ("projector.read", "a batch was read from the inbox and nothing is written of it"),
    ("projector.outcomes", "what the batch says about sends is in the desk, its template events are not"),
    ("projector.desk", "what must outlive the inbox is in the desk, the cache knows nothing of it"),
    ("cache.applied", "the effects of the batch are in the cache's transaction, the cursor has not moved"),
    ("cache.moved", "effects and cursor are in the transaction, which is not committed"),
    ("projector.applied", "the batch is committed to the cache and nobody is told yet"),
    ("migration.statement", "one statement of a step is done; passed once before the first and once after each"),
    ("migration.stamped", "all steps and the new format number are in the transaction, which is not committed"),
    ("migration.committed", "the file is in the newest format"),
    ("retention.chosen", "the deliveries of a step are chosen and nothing is removed"),
    ("retention.cache", "the cache knows nothing of them any more, they are still in the inbox"),
    ("retention.deleted", "they are deleted in the inbox's transaction, which is not committed"),
    ("retention.inbox", "they are gone from the inbox, its pages are not given back yet"),
    ("retention.vacuumed", "some of its pages are given back"),
    ("backup.started", "the backup's folder exists under its temporary name and is empty"),
    ("backup.pages", "some pages of a file are copied; passed often"),
    ("backup.copied", "one file is copied and synced, not yet checked"),
    ("backup.manifest", "everything is in the temporary folder, which does not have its name yet"),
    ("backup.named", "the backup has its name, the logbook does not know it yet"),
    ("restore.staged", "the backup's files are copied beside the present ones and do not count yet"),
    ("restore.marked", "they count: the next start puts them in place"),
    ("restore.moved", "one present file is kept aside and its successor is not in place; passed for every file"),
    ("restore.placed", "one file is in place; passed for every file"),
    ("salvage.started", "the damaged file is in its place still"),
    ("salvage.copied", "some rows are in the new file, which has no name of its own yet"),
    ("salvage.aside", "the damaged file is kept aside and its successor is not in place"),
    ("salvage.placed", "the successor is in place, the logbook does not know it yet"),
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
