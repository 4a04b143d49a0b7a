//! The last filters of template lists, and saved views. The filters are opaque text: only the window interprets them.

use crate::templates::Templates;
use command_types::error::{DeskError, Missing, Result};
use command_types::template::{ListViews, SaveListViews};
use command_types::workspace::WorkspaceId;
use outgoing::to_json;

const MAX_VIEWS: usize = 100;
/// Maximum length of a view's name, in characters.
const MAX_NAME_LENGTH: usize = 60;
/// Maximum length of a filter, in characters.
const MAX_FILTER_LENGTH: usize = 2_000;
/// Maximum number of screens whose last filter is stored.
const MAX_SCREENS: usize = 20;

impl Templates {
    pub async fn get_list_views(&self, request: WorkspaceId) -> Result<ListViews> {
        let stored = self.0.context.desk.setting(&key(&request.workspace)).await?;
        // Views of another version that cannot be read count as none.
        Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
    }

    /// Stores the views of a workspace, replacing the old ones.
    pub async fn save_list_views(&self, request: SaveListViews) -> Result<ListViews> {
        let SaveListViews { workspace, mut views } = request;
        if self.0.context.desk.workspace(&workspace).await?.is_none() {
            return Err(DeskError::not_found(Missing::Workspace));
        }
        for view in &mut views.saved {
            view.name = view.name.trim().to_owned();
        }
        check(&views)?;
        self.0.context.desk.set_setting(&key(&workspace), to_json(&views)?).await?;
        Ok(views)
    }
}

impl Templates {
    pub(crate) async fn delete_list_views(&self, workspace: &str) -> Result<()> {
        Ok(self.0.context.desk.remove_setting(&key(workspace)).await?)
    }
}

fn key(workspace: &str) -> String {
    format!("views.{workspace}")
}

fn check(views: &ListViews) -> Result<()> {
    let filter_fits = |field: String, filter: &str| {
        let fits = filter.chars().count() <= MAX_FILTER_LENGTH;
        if fits {
            Ok(())
        } else {
            Err(DeskError::invalid(&field, format!("A filter has at most {MAX_FILTER_LENGTH} characters.")))
        }
    };
    if views.last.len() > MAX_SCREENS {
        return Err(DeskError::invalid("last", format!("At most {MAX_SCREENS} screens are stored.")));
    }
    for (screen, filter) in &views.last {
        filter_fits(format!("last.{screen}"), filter)?;
    }
    if views.saved.len() > MAX_VIEWS {
        return Err(DeskError::invalid(
            "saved",
            format!("A workspace has at most {MAX_VIEWS} views. Delete one that is no longer needed."),
        ));
    }
    for (place, view) in views.saved.iter().enumerate() {
        if view.name.is_empty() {
            return Err(DeskError::invalid(format!("saved.{place}.name"), "Give the view a name."));
        }
        if view.name.chars().count() > MAX_NAME_LENGTH {
            return Err(DeskError::invalid(
                format!("saved.{place}.name"),
                format!("The name of a view has at most {MAX_NAME_LENGTH} characters."),
            ));
        }
        let is_taken =
            |other: &command_types::template::SavedView| other.screen == view.screen && other.name == view.name;
        if views.saved[..place].iter().any(is_taken) {
            return Err(DeskError::invalid(format!("saved.{place}.name"), "Another view has this name already."));
        }
        if view.id.is_empty() || views.saved[..place].iter().any(|other| other.id == view.id) {
            return Err(DeskError::invalid(format!("saved.{place}.id"), "Each view needs an identifier of its own."));
        }
        filter_fits(format!("saved.{place}.filter"), &view.filter)?;
    }
    Ok(())
}
