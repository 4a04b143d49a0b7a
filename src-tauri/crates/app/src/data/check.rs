//! Checks the files while the app is running.

use std::sync::atomic::Ordering;
use std::time::Duration;

use store::StoreError;
use store::StoreFile;
use store::check::{self, Stopper};
use store::run_journal::{CheckRecord, LastStop};

use super::blocking;
use crate::context::lock;
use crate::data::Data;
use command_types::Nothing;
use command_types::error::Result;
use command_types::event::DeskEvent;
use command_types::storage::StorageState;
use outgoing::now;

/// A check is due when the last one is older than this, in milliseconds.
const CHECK_INTERVAL: i64 = 7 * 24 * 60 * 60 * 1_000;
/// Polling interval for due work.
const POLL_INTERVAL: Duration = Duration::from_secs(60 * 60);
const RETENTION_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
/// How long background work waits for a window to request its first page.
const FIRST_PAGE_TIMEOUT: Duration = Duration::from_secs(60);

pub(super) struct Finding {
    pub(super) file: StoreFile,
    pub(super) words: String,
}

impl Data {
    /// Starts a check of the files in the background; a running check continues.
    pub async fn check_files(&self, _request: Nothing) -> Result<StorageState> {
        self.start_check();
        self.get_storage(Nothing {}).await
    }

    /// Runs due work, now and periodically, but not before the window's first page.
    pub(crate) fn start_upkeep(&self) {
        let data = self.clone();
        self.0.context.spawn(async move {
            let _shown = tokio::time::timeout(FIRST_PAGE_TIMEOUT, data.0.shown.notified()).await;
            let mut unclean = data.0.journal.last_stop() == LastStop::Unclean;
            let mut retained: Option<std::time::Instant> = None;
            loop {
                let first = data.0.journal.last_stop() == LastStop::First;
                let last = data.0.journal.record().check.map(|check| check.at);
                if check_is_due(unclean, first, last, now()) {
                    data.start_check();
                }
                unclean = false;
                if retained.is_none_or(|last| last.elapsed() >= RETENTION_INTERVAL) {
                    retained = Some(std::time::Instant::now());
                    if let Err(error) = data.apply_retention_automatically().await {
                        tracing::error!(%error, "expired deliveries could not be removed; retrying tomorrow");
                    }
                }
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        });
        self.watch_damage();
    }

    fn start_check(&self) {
        let stopper = Stopper::default();
        {
            let mut checking = lock(&self.0.checking);
            if checking.is_some() {
                return;
            }
            *checking = Some(stopper.clone());
        }
        let data = self.clone();
        self.0.context.tasks.spawn(async move {
            data.0.context.emit(DeskEvent::StorageChanged {});
            let cancelled = data.0.context.cancel.clone();
            let checking = data.check_all(stopper.clone());
            tokio::pin!(checking);
            let outcome = tokio::select! {
                outcome = &mut checking => outcome,
                () = cancelled.cancelled() => {
                    stopper.stop();
                    checking.await
                }
            };
            match outcome {
                Ok(findings) => data.handle_findings(findings).await,
                Err(StoreError::Closed) => {}
                Err(error) => tracing::error!(%error, "the files could not be checked"),
            }
            // Only now: a caller that no longer sees the check running must find its result.
            lock(&data.0.checking).take();
            data.0.context.emit(DeskEvent::StorageChanged {});
        });
    }

    async fn check_all(&self, stopper: Stopper) -> Result<Vec<Finding>, StoreError> {
        let folder = self.0.context.folder.root().to_owned();
        let checking = blocking(move || {
            let mut found = Vec::new();
            for file in StoreFile::ALL {
                let path = folder.join(file.file_name());
                if path.exists() {
                    let words = check::check(&path, file, &stopper)?;
                    found.extend(words.into_iter().map(|words| Finding { file, words }));
                }
            }
            Ok(found)
        });
        checking.await.map_err(|_| StoreError::Closed)?
    }

    /// Records the findings of a check, and handles them.
    async fn handle_findings(&self, findings: Vec<Finding>) {
        let words = findings.iter().map(|finding| format!("{}: {}", finding.file.file_name(), finding.words)).collect();
        let record = CheckRecord { at: now(), findings: words };
        self.update_journal(move |journal| journal.check = Some(record)).await;
        for file in StoreFile::ALL {
            if let Some(finding) = findings.iter().find(|finding| finding.file == file) {
                self.handle_damage(file, &finding.words).await;
            }
        }
    }

    /// Handles damage as far as possible while the file is open: a cache is rebuilt at once, other files are salvaged
    /// at the next start.
    pub(super) async fn handle_damage(&self, file: StoreFile, words: &str) {
        if file == StoreFile::Cache {
            self.0.context.cache.reset(words);
            return;
        }
        let is_new = !self.0.journal.record().damaged.contains(&file);
        if is_new {
            self.update_journal(move |journal| journal.damaged.push(file)).await;
        }
        self.0.context.notice(match file {
            StoreFile::DeliveryLog => format!(
                "The file with the received webhooks (inbox.sqlite) is damaged: {words}. Close Template Desk and \
                 start it again: everything readable is then moved into a new file, and the damaged one is kept."
            ),
            _ => format!(
                "The file with your workspaces, drafts and sends (desk.sqlite) is damaged: {words}. Close Template \
                 Desk and start it again: everything readable is then moved into a new file, and the damaged one is \
                 kept. A backup can be restored under Settings, Storage."
            ),
        });
        self.0.context.emit(DeskEvent::StorageChanged {});
    }

    /// Listens for damage that statements report.
    fn watch_damage(&self) {
        let data = self.clone();
        self.0.context.spawn(async move {
            let mut cache = data.0.context.cache.health();
            let mut desk = data.0.context.desk.health();
            let mut writer = data.0.context.delivery_log.damage();
            let mut reader = data.0.context.reader.damage();
            let mut resets = cache.borrow_and_update().resets;
            loop {
                let changed_file = tokio::select! {
                    changed = cache.changed() => changed,
                    changed = desk.changed() => changed,
                    changed = writer.changed() => changed,
                    changed = reader.changed() => changed,
                };
                if changed_file.is_err() {
                    return;
                }
                let health = cache.borrow_and_update().clone();
                if health.resets > resets {
                    resets = health.resets;
                    data.rebuild_after_damage(health.damage.as_deref().unwrap_or_default());
                }
                let damaged = desk.borrow_and_update().damage.clone();
                if let Some(words) = damaged {
                    data.handle_damage(StoreFile::Desk, &words).await;
                }
                let damaged = writer.borrow_and_update().clone().or_else(|| reader.borrow_and_update().clone());
                if let Some(words) = damaged {
                    data.handle_damage(StoreFile::DeliveryLog, &words).await;
                }
            }
        });
    }

    /// Rebuilds the content of a cache that replaced a damaged one.
    fn rebuild_after_damage(&self, words: &str) {
        if !self.0.is_damage_reported.swap(true, Ordering::SeqCst) {
            self.0.context.notice(format!(
                "The cache of templates and webhooks was damaged and is being rebuilt ({words}). Nothing you made \
                 is lost."
            ));
        }
        self.0.webhooks.wake_projector();
        let data = self.clone();
        self.0.context.spawn(async move {
            match data.0.context.desk.workspaces().await {
                Ok(rows) => rows.iter().for_each(|row| data.0.templates.sync_in_background(&row.id)),
                Err(error) => tracing::error!(%error, "the templates cannot be fetched again"),
            }
        });
        self.0.context.emit(DeskEvent::StorageChanged {});
    }

    /// Changes the run journal. A change that cannot be stored is logged, and applies until this run ends.
    pub(super) async fn update_journal(
        &self,
        change: impl FnOnce(&mut store::run_journal::RunRecord) + Send + 'static,
    ) {
        let data = self.clone();
        match blocking(move || data.0.journal.update(change)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the run journal cannot be written"),
            Err(error) => tracing::error!(%error, "the run journal cannot be written"),
        }
    }
}

/// Whether a check is due: after an unclean stop, and weekly. A new folder is first checked after a week.
fn check_is_due(unclean: bool, first: bool, last: Option<i64>, now: i64) -> bool {
    match last {
        _ if unclean => true,
        None => !first,
        // If the clock was set back, check now rather than never.
        Some(last) => now - last >= CHECK_INTERVAL || last > now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_due_after_an_unclean_stop_and_weekly() {
        let now = 10 * CHECK_INTERVAL;
        let cases = [
            (true, false, Some(now), true),
            (true, false, None, true),
            (false, true, None, false),
            (false, false, None, true),
            (false, false, Some(now - CHECK_INTERVAL), true),
            (false, false, Some(now - CHECK_INTERVAL + 1), false),
            (false, false, Some(now + 1), true),
        ];
        for (unclean, first, last, due) in cases {
            assert_eq!(check_is_due(unclean, first, last, now), due, "{unclean} {first} {last:?}");
        }
    }
}
