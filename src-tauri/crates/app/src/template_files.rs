//! Export and import of templates as folders, and copies between workspaces: applies the crate [`template_files`] to
//! the cache and records every request before it is sent.

mod doubt;
mod export;
mod found;
mod job;
mod plan;
mod run;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use store::desk::{self, JobKind};

use crate::authoring::Authoring;
use crate::context::Context;
use crate::context::lock;
use crate::jobs::running::RunningJobs;
use crate::templates::Templates;
use crate::workspaces::Workspaces;
use ::template_files::Step;
use command_types::error::{DeskError, Missing, Result};
use command_types::transfer::ImportDoubt;

/// Number of plans kept: newer plans evict older ones.
const MAX_PLANS: usize = 8;
/// Folder of copies in progress, in the data folder.
const COPIES_FOLDER: &str = "transfer";

/// The plans of this run of the app.
#[derive(Debug, Default)]
struct Plans(Mutex<VecDeque<Arc<Plan>>>);

/// Imports and exports of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct TemplateFiles(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    authoring: Authoring,
    plans: Plans,
    running: RunningJobs,
}

impl TemplateFiles {
    pub(crate) fn is_running(&self) -> bool {
        !self.0.running.is_empty()
    }

    pub(crate) fn new(
        context: Arc<Context>,
        workspaces: Workspaces,
        templates: Templates,
        authoring: Authoring,
    ) -> Self {
        let (plans, running) = (Plans::default(), RunningJobs::new(JobKind::Import));
        let template_files = Self(Arc::new(Inner { context, workspaces, templates, authoring, plans, running }));
        let weak = Arc::downgrade(&template_files.0);
        template_files.0.templates.listed().add(move |listing| {
            let template_files = weak.upgrade().map(Self);
            async move {
                match template_files {
                    Some(template_files) => template_files.reconcile_import(&listing.workspace).await,
                    None => Ok(()),
                }
            }
        });
        template_files
    }

    /// Removes the folders of copies that are no longer needed.
    pub(crate) async fn remove_unneeded_copies(&self) -> Result<()> {
        let Ok(folders) = std::fs::read_dir(self.0.context.folder.root().join(COPIES_FOLDER)) else { return Ok(()) };
        let needed = self.0.context.desk.copy_folders().await?;
        for folder in folders.flatten().map(|entry| entry.path()) {
            if needed.iter().all(|needed| Path::new(needed) != folder) {
                remove_folder(&folder);
            }
        }
        // Succeeds only if the folder is empty.
        let _ = std::fs::remove_dir(self.0.context.folder.root().join(COPIES_FOLDER));
        Ok(())
    }
}

/// The plan of an import or a copy, with its inputs.
#[derive(Debug)]
struct Plan {
    id: String,
    workspace: String,
    source: String,
    folder: PathBuf,
    wabas: Vec<String>,
    steps: Vec<Step>,
    /// For each step, why it may repeat an earlier submission.
    doubts: Vec<Vec<ImportDoubt>>,
    /// Removed with the plan, unless an import needs it.
    copy: Option<TemporaryFolder>,
}

impl Plans {
    fn add(&self, plan: Plan) {
        let mut plans = lock(&self.0);
        if plans.len() >= MAX_PLANS {
            plans.pop_front();
        }
        plans.push_back(Arc::new(plan));
    }

    fn get(&self, id: &str) -> Result<Arc<Plan>> {
        let found = lock(&self.0).iter().find(|plan| plan.id == id).cloned();
        found.ok_or_else(|| DeskError::not_found(Missing::Preview))
    }
}

/// A folder that is removed when it is dropped, unless it is kept.
#[derive(Debug)]
struct TemporaryFolder {
    folder: PathBuf,
    is_persistent: AtomicBool,
}

impl TemporaryFolder {
    /// Creates a folder in the data folder, not readable by other users of the machine.
    fn new(data_folder: &Path) -> Result<Self> {
        let folder = data_folder.join(COPIES_FOLDER).join(uuid::Uuid::new_v4().to_string());
        store::private::create_folder(&folder)
            .map_err(|error| DeskError::Storage { reason: format!("{} cannot be made: {error}", folder.display()) })?;
        Ok(Self { folder, is_persistent: AtomicBool::new(false) })
    }

    /// Keeps the folder: a recorded import needs it.
    fn persist(&self) {
        self.is_persistent.store(true, Ordering::Relaxed);
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if !self.is_persistent.load(Ordering::Relaxed) {
            remove_folder(&self.folder);
        }
    }
}

/// Removes the files of a deleted import if they belong to the app. Blocks briefly.
fn remove_copy(import: &desk::Import) {
    if import.is_copy {
        remove_folder(Path::new(&import.folder));
    }
}

fn remove_folder(folder: &Path) {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            tracing::info!(%error, "a copy of templates could not be removed; the next start tries again");
        }
        _ => {}
    }
}
