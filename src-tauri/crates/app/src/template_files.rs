//! Templates to folders and back, and from one workspace to another: the code of [`template_files`] on the cache, with
//! every request recorded before it leaves.

mod export;
mod job;
mod plan;
mod run;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use store::desk;

use crate::authoring::Authoring;
use crate::context::Context;
use crate::context::lock;
use crate::jobs::running::RunningJobs;
use crate::templates::Templates;
use crate::workspaces::Workspaces;
use ::template_files::Step;
use api::error::{DeskError, Result};

/// Plans that are kept: newer ones displace older ones.
const MAX_PLANS: usize = 8;
/// Folder of what is being copied, in the data folder.
const FOLDER: &str = "transfer";

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
    pub(crate) fn new(
        context: Arc<Context>,
        workspaces: Workspaces,
        templates: Templates,
        authoring: Authoring,
    ) -> Self {
        let (plans, running) = (Plans::default(), RunningJobs::default());
        let template_files = Self(Arc::new(Inner { context, workspaces, templates, authoring, plans, running }));
        let weak = Arc::downgrade(&template_files.0);
        template_files.0.templates.listed().add(move |listing| {
            let template_files = weak.upgrade().map(Self);
            async move {
                match template_files {
                    Some(template_files) => template_files.settle_import(&listing.workspace).await,
                    None => Ok(()),
                }
            }
        });
        template_files
    }

    /// Removes the folders of copies that nobody needs any more.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when the desk cannot be read.
    pub(crate) async fn remove_unneeded_copies(&self) -> Result<()> {
        let needed = self.0.context.desk.copy_folders().await?;
        let Ok(folders) = std::fs::read_dir(self.0.context.folder.root().join(FOLDER)) else { return Ok(()) };
        for folder in folders.flatten().map(|entry| entry.path()) {
            if needed.iter().all(|needed| Path::new(needed) != folder) {
                remove_folder(&folder);
            }
        }
        // Where nothing is left in it.
        let _ = std::fs::remove_dir(self.0.context.folder.root().join(FOLDER));
        Ok(())
    }
}

/// What an import or a copy would do, with what it was made of.
#[derive(Debug)]
struct Plan {
    id: String,
    workspace: String,
    source: String,
    folder: PathBuf,
    wabas: Vec<String>,
    steps: Vec<Step>,
    /// Goes with the plan, unless an import needs it.
    copy: Option<Temporary>,
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
        found.ok_or_else(|| DeskError::not_found("The preview"))
    }
}

/// A folder that goes when nobody needs it any more.
#[derive(Debug)]
struct Temporary {
    folder: PathBuf,
    is_kept: AtomicBool,
}

impl Temporary {
    /// A new folder in the data folder, which nobody else on the machine reads.
    fn new(data_folder: &Path) -> Result<Self> {
        let folder = data_folder.join(FOLDER).join(uuid::Uuid::new_v4().to_string());
        store::private::create_folder(&folder)
            .map_err(|error| DeskError::Storage { reason: format!("{} cannot be made: {error}", folder.display()) })?;
        Ok(Self { folder, is_kept: AtomicBool::new(false) })
    }

    /// Leaves the folder where it is: an import that is recorded needs it.
    fn keep(&self) {
        self.is_kept.store(true, Ordering::Relaxed);
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_kept.load(Ordering::Relaxed) {
            remove_folder(&self.folder);
        }
    }
}

/// Removes the files of an import that has been forgotten, where they are the app's own. Blocks for a moment.
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
