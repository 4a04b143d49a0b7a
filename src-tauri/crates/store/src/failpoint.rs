//! Failpoints: places where a test ends the process or makes a step fail.
//!
//! Only builds with debug assertions have them: no release does. A process calls [`arm`] once, and the environment
//! variable
//! `FAILPOINTS` configures the failpoints, separated by `;`:
//!
//! - `cache.applied=return` ends the process (as `kill -9` would) at the first pass,
//! - `cache.applied=3*off->return` at the fourth pass,
//! - `backup.copied=return(error)` makes the step fail, if it can.
//!
//! [`ALL`] lists the points and what has happened when each is passed.

#[cfg(debug_assertions)]
pub use armed::arm;

/// Every point with what has happened when it is passed, in the order in which an operation passes them.
pub const ALL: &[(&str, &str)] = &[
    ("delivery_log.inserted", "a group of deliveries is inserted and not yet committed"),
    ("delivery_log.committed", "a group of deliveries is committed and none of its senders is answered yet"),
    ("delivery_log.page_inserted", "a page of a feed and its cursor are in the transaction, which is not committed"),
    ("delivery_log.page_committed", "a page of a feed is committed and its desk does not know yet"),
    ("projector.read", "a batch was read from the delivery log and nothing of it is written"),
    ("projector.outcomes", "the send outcomes of the batch are in the desk, its template events are not"),
    (
        "projector.desk",
        "everything that must outlive the delivery log is in the desk, nothing of the batch is in the cache",
    ),
    ("cache.applied", "the effects of the batch are in the cache's transaction, the cursor has not moved"),
    ("cache.moved", "effects and cursor are in the transaction, which is not committed"),
    ("projector.applied", "the batch is committed to the cache and no event is emitted yet"),
    ("migration.statement", "one statement of a step is done; passed once before the first and once after each"),
    ("migration.stamped", "all steps and the new format number are in the transaction, which is not committed"),
    ("migration.committed", "the file is in the newest format"),
    ("retention.chosen", "the deliveries of a step are chosen and nothing is removed"),
    ("retention.cache", "they are removed from the cache and still in the delivery log"),
    ("retention.deleted", "they are deleted in the delivery log's transaction, which is not committed"),
    ("retention.delivery_log", "they are removed from the delivery log, its free pages are not returned yet"),
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
    #[cfg(debug_assertions)]
    if armed::action(name).is_some() {
        std::process::abort();
    }
    let _ = name;
}

/// Passes a point at which the step may also fail.
///
/// # Errors
/// [`StoreError::Io`](crate::StoreError::Io) when the environment configures it; never in a release.
#[inline]
pub fn step(name: &str) -> Result<(), crate::StoreError> {
    #[cfg(debug_assertions)]
    match armed::action(name) {
        Some(armed::Action::Error) => {
            let source = std::io::Error::other("a failpoint");
            return Err(crate::StoreError::Io { path: name.into(), source });
        }
        Some(armed::Action::Abort) => std::process::abort(),
        None => {}
    }
    let _ = name;
    Ok(())
}

#[cfg(debug_assertions)]
mod armed {
    use std::collections::HashMap;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static FAILPOINTS: OnceLock<HashMap<String, Failpoint>> = OnceLock::new();

    /// What happens at a point.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Action {
        /// The process ends.
        Abort,
        /// The step fails.
        Error,
    }

    #[derive(Debug)]
    struct Failpoint {
        /// Passes at which nothing happens yet.
        off: AtomicU32,
        action: Action,
    }

    /// Reads the environment variable `FAILPOINTS`, once for the process.
    ///
    /// # Panics
    /// When it is malformed or names an unknown point.
    pub fn arm() {
        FAILPOINTS.get_or_init(|| parse(&std::env::var("FAILPOINTS").unwrap_or_default()));
    }

    /// What happens at this pass of a point.
    pub(super) fn action(name: &str) -> Option<Action> {
        assert!(is_known(name), "the failpoint {name} is not in the list");
        FAILPOINTS.get()?.get(name)?.next()
    }

    impl Failpoint {
        fn next(&self) -> Option<Action> {
            let left = self.off.try_update(Ordering::Relaxed, Ordering::Relaxed, |off| off.checked_sub(1));
            left.is_err().then_some(self.action)
        }
    }

    fn is_known(name: &str) -> bool {
        super::ALL.iter().any(|(known, _)| *known == name)
    }

    fn parse(text: &str) -> HashMap<String, Failpoint> {
        let configured = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        configured
            .map(|part| {
                let failpoint = part.split_once('=').filter(|(name, _)| is_known(name)).and_then(|(name, value)| {
                    let (off, action) = match value.split_once("*off->") {
                        Some((off, action)) => (off.parse().ok()?, action),
                        None => (0, value),
                    };
                    let action = match action {
                        "return" => Action::Abort,
                        "return(error)" => Action::Error,
                        _ => return None,
                    };
                    Some((name.to_owned(), Failpoint { off: AtomicU32::new(off), action }))
                });
                failpoint.unwrap_or_else(|| panic!("FAILPOINTS: {part} is not an action of a known point"))
            })
            .collect()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn actions(text: &str, name: &str) -> [Option<Action>; 4] {
            let failpoints = parse(text);
            std::array::from_fn(|_| failpoints.get(name)?.next())
        }

        #[test]
        fn a_point_acts_from_its_pass_on() {
            assert_eq!(actions("", "cache.applied"), [None; 4]);
            assert_eq!(actions("cache.applied=return", "cache.moved"), [None; 4]);
            assert_eq!(actions("cache.applied=return", "cache.applied"), [Some(Action::Abort); 4]);
            let text = "cache.applied=2*off->return(error);cache.moved=0*off->return";
            assert_eq!(actions(text, "cache.applied"), [None, None, Some(Action::Error), Some(Action::Error)]);
            assert_eq!(actions(text, "cache.moved"), [Some(Action::Abort); 4]);
        }

        #[test]
        #[should_panic(expected = "cache.aplied=return is not an action of a known point")]
        fn a_misspelt_point_is_reported() {
            parse("cache.aplied=return");
        }

        #[test]
        #[should_panic(expected = "cache.applied=panic is not an action of a known point")]
        fn an_unknown_action_is_reported() {
            parse("cache.applied=panic");
        }
    }
}
