//! Sending: single messages, preflight checks, recipients, batches.

pub mod batches;
pub(crate) mod preflight;
mod recipients;
mod sandbox_history;
pub(crate) mod sends;

use std::sync::{Arc, Mutex};

use crate::context::Context;
use crate::templates::Templates;
use crate::workspaces::Workspaces;
use outgoing::media_links::Links;

/// Sends and batches of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct Messaging(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    /// Results of media link checks.
    links: Links,
    batches: batches::Batches,
    recipient_imports: recipients::RecipientImports,
    waiting: sends::WaitingSends,
    /// Whether this run has begun to record the history of the sandbox.
    sandbox_history: Mutex<bool>,
}

impl Messaging {
    pub(crate) fn new(context: Arc<Context>, workspaces: Workspaces, templates: Templates) -> Self {
        let (links, batches) = (Links::default(), batches::Batches::default());
        let waiting = sends::WaitingSends::default();
        let sandbox_history = Mutex::default();
        let recipient_imports = recipients::RecipientImports::default();
        let inner = Arc::new(Inner {
            context,
            workspaces,
            templates,
            links,
            batches,
            recipient_imports,
            waiting,
            sandbox_history,
        });
        Self::record_sandbox_history_once_listed(&inner);
        Self(inner)
    }
}
