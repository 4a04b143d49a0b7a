//! The files of the data folder: their state, retention, checks, backups; diagnostics.

mod backup;
mod check;
mod diagnostics;
mod retention;
mod sandbox_reset;
mod start;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use store::StoreFile;
use store::check::Stopper;
use store::desk::Desk;
use store::run_journal::{self, RunJournal};
use tokio::sync::Notify;

pub use start::lock_data_folder;
pub(crate) use start::{Files, open};

use crate::context::{Context, lock};
use crate::conversations::Conversations;
use crate::templates::Templates;
use crate::webhooks::Webhooks;
use crate::workspaces::Workspaces;
use command_types::Nothing;
use command_types::error::{DeskError, Result};
use command_types::storage::{
    BackupMark, CheckState, CrashedRun, DeliveryLogExtent, FileCheck, LastStop, RetentionPolicy, SetAside,
    StorageState, StoredFile,
};
use outgoing::compute::blocking;

/// Desk settings key of the retention policy.
const RETENTION_KEY: &str = "retention";

/// The files of the data folder. Clones share one state.
#[derive(Clone, Debug)]
pub struct Data(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    conversations: Conversations,
    webhooks: Webhooks,
    journal: RunJournal,
    /// Stops the check that is running.
    checking: Mutex<Option<Stopper>>,
    /// Notified when the window has requested its first page: background work may start.
    shown: Notify,
    /// Whether damage found while the files were open has been reported.
    is_damage_reported: AtomicBool,
    /// Held while retention removes deliveries.
    retaining: tokio::sync::Mutex<()>,
    failures: Mutex<diagnostics::Failures>,
}

impl Data {
    pub(crate) fn new(
        context: Arc<Context>,
        journal: RunJournal,
        workspaces: Workspaces,
        templates: Templates,
        conversations: Conversations,
        webhooks: Webhooks,
    ) -> Self {
        Self(Arc::new(Inner {
            context,
            workspaces,
            templates,
            conversations,
            webhooks,
            journal,
            checking: Mutex::default(),
            shown: Notify::new(),
            is_damage_reported: AtomicBool::new(false),
            retaining: tokio::sync::Mutex::default(),
            failures: Mutex::default(),
        }))
    }

    pub(crate) fn last_stop(&self) -> LastStop {
        match self.0.journal.last_stop() {
            run_journal::LastStop::Clean => LastStop::Clean,
            run_journal::LastStop::Unclean => LastStop::Unclean,
            run_journal::LastStop::First => LastStop::First,
        }
    }

    /// The run before, if it did not close normally.
    pub(crate) fn crashed_run(&self) -> Option<CrashedRun> {
        let journal = &self.0.journal;
        let (started_at, ended_before) = journal.previous().started_at.zip(journal.record().started_at)?;
        (self.last_stop() == LastStop::Unclean).then_some(CrashedRun { started_at, ended_before })
    }

    pub(crate) fn first_page_requested(&self) {
        self.0.shown.notify_one();
    }
}

impl Data {
    pub async fn get_storage(&self, _request: Nothing) -> Result<StorageState> {
        let folder = self.0.context.folder.root().to_owned();
        let files = blocking(move || {
            let size = |file: StoreFile| store::check::size(&folder.join(file.file_name()));
            StoreFile::ALL.map(|file| (file, size(file))).into_iter().map(|(file, size)| Ok((file, size?))).collect()
        });
        let files: Result<Vec<(StoreFile, u64)>> = files.await?;
        let media = self.0.conversations.media_size().await?;
        // An unreadable delivery log must not hide the rest of the state.
        let delivery_log = match self.0.context.reader.extent().await {
            Ok(extent) => {
                DeliveryLogExtent { deliveries: extent.deliveries, first_at: extent.first_at, last_at: extent.last_at }
            }
            Err(error) => {
                tracing::error!(%error, "the size of the delivery log cannot be read");
                DeliveryLogExtent::default()
            }
        };
        let record = self.0.journal.record();
        let running = lock(&self.0.checking).is_some();
        let set_aside = record.set_aside.iter().rev().map(|aside| SetAside {
            path: aside.path.display().to_string(),
            at: aside.at,
            reason: aside.reason.clone(),
            recovered: aside.recovered,
            lost: aside.lost,
        });
        Ok(StorageState {
            folder: self.0.context.folder.root().display().to_string(),
            files: files?
                .into_iter()
                .map(|(file, bytes)| StoredFile { name: file.file_name().to_owned(), bytes })
                // Fetched media files.
                .chain((media > 0).then(|| StoredFile { name: "media".to_owned(), bytes: media }))
                .collect(),
            delivery_log,
            retention: retention_policy(&self.0.context.desk).await?,
            last_stop: self.last_stop(),
            check: FileCheck {
                state: match &record.check {
                    _ if running => CheckState::Running,
                    None => CheckState::Never,
                    Some(check) if check.findings.is_empty() => CheckState::Ok,
                    Some(_) => CheckState::Damaged,
                },
                at: record.check.as_ref().map(|check| check.at),
                findings: record.check.map(|check| check.findings).unwrap_or_default(),
            },
            last_backup: record.backup.as_ref().map(|backup| mark(&backup.path, backup.at)),
            pending_restore: record.restore.as_ref().map(|restore| mark(&restore.path, restore.at)),
            set_aside: set_aside.collect(),
        })
    }
}

fn mark(path: &std::path::Path, at: i64) -> BackupMark {
    BackupMark { path: path.display().to_string(), at }
}

async fn retention_policy(desk: &Desk) -> Result<RetentionPolicy> {
    let stored = desk.setting(RETENTION_KEY).await?;
    Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

fn check_policy(policy: &RetentionPolicy) -> Result<()> {
    const MAX_DAYS: u32 = 36_500;
    for (place, rule) in policy.rules.iter().enumerate() {
        if !(1..=MAX_DAYS).contains(&rule.days) {
            return Err(DeskError::invalid("days", format!("Deliveries are kept for 1 to {MAX_DAYS} days.")));
        }
        if policy.rules[..place].iter().any(|earlier| earlier.kind == rule.kind) {
            return Err(DeskError::invalid("kind", "Each kind has one rule at most."));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use command_types::storage::{RetentionKind, RetentionRule};

    #[test]
    fn invalid_policies_are_rejected() {
        let rule = |kind, days| RetentionRule { kind, days };
        let policy = |rules: &[RetentionRule]| check_policy(&RetentionPolicy { rules: rules.to_vec() });
        assert!(policy(&[]).is_ok());
        assert!(policy(&[rule(RetentionKind::Status, 1), rule(RetentionKind::Other, 36_500)]).is_ok());
        assert!(policy(&[rule(RetentionKind::Status, 0)]).is_err());
        assert!(policy(&[rule(RetentionKind::Status, 36_501)]).is_err());
        assert!(policy(&[rule(RetentionKind::Status, 1), rule(RetentionKind::Status, 2)]).is_err());
    }
}
