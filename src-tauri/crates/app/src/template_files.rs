//! Templates to folders and back, and from one workspace to another: the code of [`template_files`] on the cache, with
//! every request written down before it leaves.

mod export;
mod plan;
mod run;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use crate::authoring::Authoring;
use crate::context::Context;
use crate::context::lock;
use crate::templates::Templates;
use crate::workspaces::Workspaces;
use ::template_files::Step;
use api::error::{DeskError, Result};

/// Plans that are kept: newer ones displace older ones.
const MOST_PLANS: usize = 8;
/// Folder of what is being copied, in the data folder.
const FOLDER: &str = "transfer";

/// The plans of this run of the app.
#[derive(Debug, Default)]
pub(crate) struct Transfers {
    plans: Mutex<VecDeque<Arc<Kept>>>,
    /// Plans that are being carried out, by workspace: what one does is a surprise to the other.
    running: Mutex<HashMap<String, (String, CancellationToken)>>,
}

/// Imports and exports of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct TemplateFiles(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    authoring: Authoring,
    transfers: Transfers,
}

impl TemplateFiles {
    pub(crate) fn new(
        context: Arc<Context>,
        workspaces: Workspaces,
        templates: Templates,
        authoring: Authoring,
    ) -> Self {
        let transfers = Transfers::default();
        Self(Arc::new(Inner { context, workspaces, templates, authoring, transfers }))
    }
}

/// A plan with what it was made of.
#[derive(Debug)]
struct Kept {
    id: String,
    workspace: String,
    wabas: Vec<String>,
    steps: Vec<Step>,
    /// Steps that must not be carried out again.
    settled: Mutex<HashMap<PathBuf, Settled>>,
    /// Goes with the plan.
    _copy: Option<Temporary>,
}

/// Why a step is not carried out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Settled {
    Done,
    Unknown,
}

impl Transfers {
    fn keep(&self, kept: Kept) {
        let mut plans = lock(&self.plans);
        if plans.len() >= MOST_PLANS {
            plans.pop_front();
        }
        plans.push_back(Arc::new(kept));
    }

    fn plan(&self, id: &str) -> Result<Arc<Kept>> {
        let found = lock(&self.plans).iter().find(|kept| kept.id == id).cloned();
        found.ok_or_else(|| DeskError::not_found("The preview"))
    }

    /// Takes the turn of a workspace.
    fn begin(&self, kept: &Kept, cancel: CancellationToken) -> Result<()> {
        match lock(&self.running).entry(kept.workspace.clone()) {
            Entry::Vacant(free) => {
                free.insert((kept.id.clone(), cancel));
                Ok(())
            }
            Entry::Occupied(_) => Err(DeskError::Conflict {
                message:
                    "Templates are already being submitted in this workspace. Wait until this is done, or cancel it."
                        .to_owned(),
            }),
        }
    }
}

/// A folder that goes when nobody needs it any more.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Temporary {
    /// A new folder in the data folder, which nobody else on the machine reads.
    fn new(data_folder: &Path) -> Result<Self> {
        let folder = data_folder.join(FOLDER).join(uuid::Uuid::new_v4().to_string());
        store::private::create_folder(&folder)
            .map_err(|error| DeskError::Storage { reason: format!("{} cannot be made: {error}", folder.display()) })?;
        Ok(Self(folder))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::info!(%error, "a copy of templates could not be removed; the next start does it");
        }
    }
}

/// Removes what an earlier run left behind. Blocks.
pub(crate) fn tidy(data_folder: &Path) {
    match std::fs::remove_dir_all(data_folder.join(FOLDER)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            tracing::info!(%error, "copies of templates of an earlier run could not be removed");
        }
        _ => {}
    }
}
