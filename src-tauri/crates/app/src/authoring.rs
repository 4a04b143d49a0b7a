//! Writing templates: drafts, their files, inspection, submission.

mod drafts;
mod edit_context;
mod first_steps;
pub(crate) mod inspection;
mod known_files;
mod new_accounts;
mod recent_files;
pub(crate) mod submission;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::templates::Templates;
use crate::workspaces::Workspaces;

/// Drafts and submissions of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct Authoring(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    /// Drafts that are being submitted, with the token that stops each.
    submitting: Mutex<HashMap<String, CancellationToken>>,
    /// Drafts submitted and removed since the start, with the templates that they created or edited.
    submitted: Mutex<HashMap<String, String>>,
    /// Drafts deleted since the start. Locked while a draft is stored or deleted.
    deleted: tokio::sync::Mutex<HashSet<String>>,
}

impl Authoring {
    pub(crate) fn new(context: Arc<Context>, workspaces: Workspaces, templates: Templates) -> Self {
        let authoring = Self(Arc::new(Inner {
            context,
            workspaces,
            templates,
            submitting: Mutex::default(),
            submitted: Mutex::default(),
            deleted: tokio::sync::Mutex::default(),
        }));
        let weak = Arc::downgrade(&authoring.0);
        // Submissions from here must not be recorded as changes made elsewhere.
        authoring.0.templates.changing().add({
            let weak = weak.clone();
            move |workspace: String| {
                let authoring = weak.upgrade().map(Self);
                async move {
                    match authoring {
                        Some(authoring) => authoring.reconcile_submissions(&workspace).await,
                        None => Ok(()),
                    }
                }
            }
        });
        authoring.0.templates.listed().add(move |listing| {
            let authoring = weak.upgrade().map(Self);
            async move {
                match authoring {
                    Some(authoring) => authoring.reconcile_submissions(&listing.workspace).await,
                    None => Ok(()),
                }
            }
        });
        authoring
    }
}
