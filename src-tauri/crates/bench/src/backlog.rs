//! Folders with an inbox that has never been projected.

use std::collections::VecDeque;
use std::path::Path;

use store::{DataFolder, Inbox};

use crate::ingest::delivery;
use crate::signed::Bodies;

/// Deliveries that wait for the disk at once.
const TOGETHER: usize = 1_024;

/// Stores so many statuses in the inbox of a data folder, each of a message of its own.
pub(crate) fn fill(folder: &Path, deliveries: u64) -> anyhow::Result<()> {
    let bodies = Bodies::new(700);
    store(folder, 0..deliveries, |number, body| bodies.write(number, body)).map(drop)
}

/// Stores deliveries in the inbox of a data folder, and gives the inbox's identity.
pub(crate) fn store(
    folder: &Path,
    numbers: std::ops::Range<u64>,
    write: impl Fn(u64, &mut String),
) -> anyhow::Result<String> {
    let folder = DataFolder::lock(folder)?;
    let inbox = Inbox::open(&folder.inbox())?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut body = String::new();
    let mut waiting = VecDeque::with_capacity(TOGETHER);
    for number in numbers {
        write(number, &mut body);
        waiting.push_back(inbox.append(delivery(body.clone())));
        if waiting.len() == TOGETHER
            && let Some(first) = waiting.pop_front()
        {
            runtime.block_on(first)?;
        }
    }
    for append in waiting {
        runtime.block_on(append)?;
    }
    Ok(inbox.inbox_id().to_owned())
}

/// Copies the inbox of one data folder into another.
pub(crate) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let (from, to) = (DataFolder::inbox_in(from), DataFolder::inbox_in(to));
    std::fs::copy(from, to)?;
    Ok(())
}
