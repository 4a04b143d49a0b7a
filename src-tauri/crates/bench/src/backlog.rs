//! Folders with a delivery log that is not projected yet.

use std::collections::VecDeque;
use std::path::Path;

use store::{DataFolder, DeliveryLog};

use crate::ingest::delivery;
use crate::signed::Bodies;

/// Maximum number of deliveries that wait for the disk at once.
const MAX_PENDING: usize = 1_024;

/// Stores this many statuses in the delivery log of a data folder, each for a different message.
pub(crate) fn fill(folder: &Path, deliveries: u64) -> anyhow::Result<()> {
    let bodies = Bodies::new(700);
    store(folder, 0..deliveries, |number, body| bodies.write(number, body)).map(drop)
}

/// Stores deliveries in the delivery log of a data folder, and returns the ID of the delivery log.
pub(crate) fn store(
    folder: &Path,
    numbers: std::ops::Range<u64>,
    write: impl Fn(u64, &mut String),
) -> anyhow::Result<String> {
    let folder = DataFolder::lock(folder)?;
    let delivery_log = DeliveryLog::open(&folder.delivery_log())?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut body = String::new();
    let mut waiting = VecDeque::with_capacity(MAX_PENDING);
    for number in numbers {
        write(number, &mut body);
        waiting.push_back(delivery_log.append(delivery(body.clone())));
        if waiting.len() == MAX_PENDING
            && let Some(first) = waiting.pop_front()
        {
            runtime.block_on(first)?;
        }
    }
    for append in waiting {
        runtime.block_on(append)?;
    }
    Ok(delivery_log.log_id().to_owned())
}

pub(crate) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let (from, to) = (DataFolder::delivery_log_in(from), DataFolder::delivery_log_in(to));
    std::fs::copy(from, to)?;
    Ok(())
}
