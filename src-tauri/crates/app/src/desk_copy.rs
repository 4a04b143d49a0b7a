//! A copy of a desk for checks without a window: the templates, people and prices that the window has. Nothing is
//! received, sent, or written in the folder of the desk, which a window may have open.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use store::{Cache, DataFolder, DeliveryLog, DeliveryLogReader, Desk, StoreFile, private};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::context::ports::{EventSink, NoKeyring};
use crate::context::secrets::Secrets;
use crate::context::{Changing, Context, SaidPhones, Timing};
use crate::messaging::Messaging;
use crate::templates::Templates;
use crate::workspaces::{SANDBOX_ID, Workspaces};
use command_types::error::{DeskError, Result};
use command_types::template::TemplateQuery;
use command_types::workspace::WorkspaceSettings;
use outgoing::compute::blocking;

/// The templates that are read to find one by its name.
const MAX_TEMPLATES: u32 = 500;

const COPY_PREFIX: &str = "template-desk-check-";
/// A folder that changed less than this ago may belong to a process that has not locked it yet.
const LEFTOVER_AGE: Duration = Duration::from_secs(60);

/// A copy of a desk in a folder of its own, which is removed with it.
#[derive(Debug)]
pub struct DeskCopy {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    /// Checks of batches.
    pub messaging: Messaging,
    /// Removed last: the files in it are closed before.
    _copy: CopyFolder,
}

#[derive(Debug)]
struct CopyFolder(PathBuf);

impl Drop for CopyFolder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, folder = %self.0.display(), "the copy of the desk cannot be removed");
        }
    }
}

/// A template of the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTemplate {
    pub reference: String,
    pub language: String,
}

impl DeskCopy {
    /// Copies the desk in a data folder. With `loopback_media`, media are also fetched from this machine.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when there is no desk in the folder, or it cannot be copied.
    pub async fn open(folder: &Path, loopback_media: bool) -> Result<Self> {
        let folder = folder.to_owned();
        let (copy, root, delivery_log, reader, desk, cache) = blocking(move || {
            let temporary = std::env::temp_dir();
            remove_leftovers(&temporary, SystemTime::now());
            let copy = temporary.join(format!("{COPY_PREFIX}{}", uuid::Uuid::new_v4()));
            let unwritable =
                |error: std::io::Error| DeskError::Storage { reason: format!("{}: {error}", copy.display()) };
            private::create_folder(&copy).map_err(unwritable)?;
            let copy = CopyFolder(copy);
            let root = DataFolder::lock(&copy.0)?;
            store::copy_for_reading(&folder, &root)?;
            let delivery_log = DeliveryLog::open(&root.delivery_log())?;
            // Notices about accounts are in it. It can be too large for a copy.
            let log = folder.join(StoreFile::DeliveryLog.file_name());
            let log = if log.exists() { log } else { root.delivery_log() };
            let reader = DeliveryLogReader::open_unchanged(&log)?;
            let (desk, cache) = (Desk::open(&root.desk())?, Cache::open(&root.cache()));
            Ok::<_, DeskError>((copy, root, delivery_log, reader, desk, cache))
        })
        .await??;
        let context = Arc::new(Context {
            folder: root,
            delivery_log: Arc::new(delivery_log),
            reader,
            desk,
            cache,
            secrets: Secrets::new(Arc::new(NoKeyring), BTreeSet::new()),
            events: EventSink::new(|_| {}),
            timing: Timing::default(),
            notices: Mutex::default(),
            restore: None,
            cancel: CancellationToken::new(),
            tasks: TaskTracker::new(),
            changing: Changing::default(),
            said_phones: SaidPhones::default(),
        });
        let workspaces = Workspaces::new(context.clone(), None, loopback_media).await?;
        let templates = Templates::new(context.clone(), workspaces.clone());
        let messaging = Messaging::new(context.clone(), workspaces.clone(), templates.clone());
        Ok(Self { context, workspaces, templates, messaging, _copy: copy })
    }

    /// The identifier and settings of the workspace with a name, an identifier or a UUID; without one, of the only
    /// workspace besides the sandbox.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] with the names to choose from.
    pub async fn workspace(&self, wanted: Option<&str>) -> Result<(String, WorkspaceSettings)> {
        let mut known = Vec::new();
        for row in self.context.desk.workspaces().await? {
            let settings = self.workspaces.settings(&row.id).await?;
            known.push((row.id, settings));
        }
        let names = known.iter().map(|(_, settings)| format!("“{}”", settings.name)).collect::<Vec<_>>().join(", ");
        let is_wanted = |(id, settings): &(String, WorkspaceSettings)| match wanted {
            Some(wanted) => [id, &settings.name, &settings.workspace_uuid].into_iter().any(|known| known == wanted),
            None => id != SANDBOX_ID,
        };
        let mut found = known.into_iter().filter(is_wanted);
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only),
            (None, _) if names.is_empty() => Err(DeskError::invalid("workspace", "The desk has no workspace.")),
            _ => Err(DeskError::invalid("workspace", format!("Choose one of the workspaces {names}."))),
        }
    }

    /// The template with a name, and a language unless it has only one.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] without such a template; [`DeskError::InvalidInput`] with the languages to choose from.
    pub async fn template(&self, workspace: &str, name: &str, language: Option<&str>) -> Result<FoundTemplate> {
        let query = TemplateQuery {
            workspace: workspace.to_owned(),
            search: Some(name.to_owned()),
            limit: MAX_TEMPLATES,
            ..TemplateQuery::default()
        };
        let rows = self.templates.list_templates(query).await?.rows;
        let of_name: Vec<_> = rows.into_iter().filter(|row| row.name == name).collect();
        let languages = of_name.iter().map(|row| row.language.as_str()).collect::<Vec<_>>().join(", ");
        let wanted = language.map(model::language::normalise);
        let is_wanted =
            |language: &str| wanted.as_ref().is_none_or(|wanted| model::language::normalise(language) == *wanted);
        let mut found = of_name.iter().filter(|row| is_wanted(&row.language));
        match (found.next(), found.next()) {
            (Some(row), None) => Ok(FoundTemplate { reference: row.reference.clone(), language: row.language.clone() }),
            (Some(_), Some(_)) => {
                Err(DeskError::invalid("template", format!("Choose the language of `{name}`: {languages}.")))
            }
            (None, _) if languages.is_empty() => Err(DeskError::other_not_found(format!("The template `{name}`"))),
            (None, _) => Err(DeskError::other_not_found(format!(
                "The template `{name}` in this language (it exists in {languages})"
            ))),
        }
    }

    /// Closes the files, and removes them.
    pub async fn close(self) {
        self.context.cancel.cancel();
        self.context.tasks.close();
        self.context.tasks.wait().await;
        let context = self.context.clone();
        if let Err(error) = blocking(move || {
            context.desk.close();
            context.cache.close();
            context.delivery_log.close();
        })
        .await
        {
            tracing::warn!(%error, "the copy of the desk cannot be closed");
        }
    }
}

/// Removes the copies of processes that were killed: nobody holds their lock any more.
fn remove_leftovers(temporary: &Path, now: SystemTime) {
    for entry in std::fs::read_dir(temporary).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(COPY_PREFIX) {
            continue;
        }
        let changed = entry.metadata().ok().filter(std::fs::Metadata::is_dir).and_then(|folder| folder.modified().ok());
        let age = changed.and_then(|changed| now.duration_since(changed).ok());
        let lock = File::open(entry.path().join("lock"));
        let is_held = lock.is_ok_and(|lock| lock.try_lock().is_err());
        if age.is_some_and(|age| age >= LEFTOVER_AGE)
            && !is_held
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::debug!(%error, folder = %entry.path().display(), "a copy of a desk cannot be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn copies_of_killed_processes_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = |name: &str| temporary.path().join(name);
        let killed = DataFolder::lock(folder("template-desk-check-1")).unwrap();
        drop(killed);
        let _running = DataFolder::lock(folder("template-desk-check-2")).unwrap();
        std::fs::create_dir(folder("template-desk-check-3")).unwrap();
        std::fs::create_dir(folder("template-desk-4")).unwrap();
        let left = || -> BTreeSet<String> {
            let entries = std::fs::read_dir(temporary.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        };
        let before = left();
        remove_leftovers(temporary.path(), SystemTime::now());
        assert_eq!(left(), before, "a process may be about to lock its folder");
        remove_leftovers(temporary.path(), SystemTime::now() + 2 * LEFTOVER_AGE);
        assert_eq!(left(), ["template-desk-4", "template-desk-check-2"].map(str::to_owned).into());
    }
}
