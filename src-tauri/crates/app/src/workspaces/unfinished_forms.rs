//! Forms that were filled in and neither sent nor saved. The desk stores them, and not the page: message texts and
//! recipients belong in the private data folder, and go with their workspace.

use command_types::Nothing;
use command_types::error::{DeskError, Missing, Result};
use command_types::unfinished_forms::{SaveUnfinishedForm, UnfinishedForm};
use outgoing::now;

use super::Workspaces;

/// Maximum length of a form's identifier, in characters.
const MAX_FORM_LENGTH: usize = 200;
/// Maximum size of a form, in bytes.
const MAX_CONTENT_SIZE: usize = 64 * 1024;

impl Workspaces {
    /// The unfinished forms of all workspaces that were changed in the last 30 days, newest first; at most 50.
    pub async fn list_unfinished_forms(&self, _: Nothing) -> Result<Vec<UnfinishedForm>> {
        let stored = self.0.context.desk.unfinished_forms(now()).await?;
        let shown = |form: store::desk::UnfinishedForm| UnfinishedForm {
            workspace: form.workspace,
            form: form.form,
            content: form.content,
        };
        Ok(stored.into_iter().map(shown).collect())
    }

    /// Stores an unfinished form, replacing what it contained, or deletes it. The oldest forms are dropped.
    pub async fn save_unfinished_form(&self, request: SaveUnfinishedForm) -> Result<Nothing> {
        let SaveUnfinishedForm { workspace, form, content } = request;
        let desk = &self.0.context.desk;
        let Some(content) = content else {
            desk.remove_unfinished_form(&workspace, &form).await?;
            return Ok(Nothing {});
        };
        if form.is_empty() || form.chars().count() > MAX_FORM_LENGTH {
            let message = format!("The name of a form has 1 to {MAX_FORM_LENGTH} characters.");
            return Err(DeskError::invalid("form", message));
        }
        if content.len() > MAX_CONTENT_SIZE {
            let message = format!("A form of more than {} KiB is not kept.", MAX_CONTENT_SIZE / 1024);
            return Err(DeskError::invalid("content", message));
        }
        if desk.workspace(&workspace).await?.is_none() {
            return Err(DeskError::not_found(Missing::Workspace));
        }
        desk.save_unfinished_form(store::desk::UnfinishedForm { workspace, form, content, saved_at: now() }).await?;
        Ok(Nothing {})
    }
}
