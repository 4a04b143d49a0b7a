//! Context for editing an existing template: fixed fields, the channel's edit quota, guidance for a rejection.

use model::rejection::answer_paths;
use model::vocabulary::TemplateStatus;

use crate::authoring::Authoring;
use command_types::composer::DraftId;
use command_types::edit::{EditContext, LockedField};
use command_types::error::{DeskError, Result};
use outgoing::submission::accepted_content;
use outgoing::template_text::content_of;

impl Authoring {
    /// # Errors
    /// [`DeskError::NotFound`] when the draft or template does not exist; [`DeskError::InvalidInput`] for a draft of a
    /// new template.
    pub async fn get_edit_context(&self, request: DraftId) -> Result<EditContext> {
        let draft = self.get_draft(request).await?;
        let reference = draft.edits.ok_or_else(|| DeskError::invalid("draft", "This draft is a new template."))?;
        let cached = self.0.templates.cached(&draft.workspace, &reference).await?;
        let record = crate::templates::read(&cached)?;
        let status = TemplateStatus::from(cached.row.status.as_str());
        // The limits of the most limited WABA apply: the edit reaches all of them.
        let statuses = self.0.templates.waba_statuses(&draft.workspace, &reference).await?;
        let in_some = statuses.iter().any(|of| TemplateStatus::from(of.status.as_str()).is_sendable());
        let counted = status.is_sendable() || in_some;
        let quota = if counted {
            Some(self.0.templates.edit_quota(&draft.workspace, &reference, in_some).await?)
        } else {
            None
        };
        let original = content_of(record.template.clone());
        let guidance = self.0.templates.guidance(&cached, &record).await?;
        Ok(EditContext {
            // A listing may have a row for each account: the record names that of one.
            waba_ids: cached.row.wabas.clone(),
            editable: crate::templates::is_editable(&cached.row),
            approved_in_some: in_some && !status.is_sendable(),
            archived: cached.row.archived == Some(true),
            answer_paths: guidance.first().map(answer_paths).unwrap_or_default(),
            guidance,
            rejected_reason: cached.row.rejected_reason,
            status: cached.row.status,
            accepted: accepted_content(&record).is_some(),
            files: self.known_files(&draft.workspace, &reference, &original).await?,
            original,
            locks: vec![LockedField::Name, LockedField::Language, LockedField::WabaIds],
            category_usually_fixed: counted,
            quota,
            reference,
        })
    }
}
