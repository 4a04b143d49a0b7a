//! The templates of a workspace: the cached listing, its refresh, queries, the review board, history and versions.

pub(crate) mod backfill;
pub(crate) mod category_change;
mod contradiction;
mod detail;
mod differing_statuses;
pub(crate) mod edit_guidance;
mod flagged;
pub(crate) mod history;
mod list_views;
pub(crate) mod listed_record;
pub(crate) mod queries;
mod removed;
mod review_board;
pub(crate) mod review_times;
mod status_cause;
pub(crate) mod sync;
pub(crate) mod template_events;
pub(crate) mod versions;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use model::lifecycle::UsualReview;
use tokio_util::sync::CancellationToken;

pub(crate) use self::detail::{is_editable, pretty, read};
use crate::context::{Context, Hooks};
use crate::workspaces::Workspaces;

/// Templates of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct Templates(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    /// Workspaces whose listing is being fetched.
    syncing: Mutex<HashMap<String, Fetch>>,
    /// When the listing of a workspace was last fetched in the background.
    tried: Mutex<HashMap<String, i64>>,
    /// The usual review time of a workspace, and when it was computed.
    usual_reviews: Mutex<HashMap<String, (i64, UsualReview)>>,
    changing: Hooks<String>,
    listed: Hooks<ListingDone>,
}

#[derive(Clone, Debug)]
struct Fetch {
    /// Stops it.
    cancel: CancellationToken,
    /// Cancelled when it has ended.
    ended: CancellationToken,
}

/// A completed fetch of a listing.
#[derive(Clone, Debug)]
pub(crate) struct ListingDone {
    pub(crate) workspace: String,
    /// Whether templates missing from it no longer exist.
    pub(crate) is_whole: bool,
}

impl Templates {
    pub(crate) fn new(context: Arc<Context>, workspaces: Workspaces) -> Self {
        let templates = Self(Arc::new(Inner {
            context,
            workspaces,
            syncing: Mutex::default(),
            tried: Mutex::default(),
            usual_reviews: Mutex::default(),
            changing: Hooks::default(),
            listed: Hooks::default(),
        }));
        let weak = Arc::downgrade(&templates.0);
        templates.0.workspaces.deleted().add(move |workspace: String| {
            let templates = weak.upgrade().map(Self);
            async move {
                let Some(templates) = templates else { return Ok(()) };
                templates.delete_list_views(&workspace).await?;
                templates.delete_differing_statuses(&workspace).await?;
                templates.delete_first_listing(&workspace).await
            }
        });
        templates
    }

    /// Hooks that run before the changes in a listing are recorded, with the workspace.
    pub(crate) fn changing(&self) -> &Hooks<String> {
        &self.0.changing
    }

    /// Hooks that run after a listing was fetched.
    pub(crate) fn listed(&self) -> &Hooks<ListingDone> {
        &self.0.listed
    }
}
