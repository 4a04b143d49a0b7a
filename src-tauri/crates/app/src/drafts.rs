//! Drafts: they save themselves, and nothing typed is ever lost.

use model::template::Template;

use crate::core::Core;
use crate::error::{DeskError, Result};
use crate::event::DeskEvent;
use crate::parts::{excerpt, now, to_json};
use crate::view::Nothing;
use crate::view::composer::{CreateDraft, Draft, DraftId, DraftRow};
use crate::view::workspace::WorkspaceId;

impl Core {
    /// The drafts of a workspace, last changed first.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when they cannot be read.
    pub async fn list_drafts(&self, request: WorkspaceId) -> Result<Vec<DraftRow>> {
        let rows = self.0.desk.drafts(&request.workspace).await?;
        rows.into_iter()
            .map(|row| {
                let draft = read(&row)?;
                Ok(DraftRow {
                    excerpt: excerpt(body_text(&draft.template)),
                    id: row.id,
                    name: row.name,
                    language: row.language,
                    edits: row.template_ref,
                    updated_at: row.updated_at,
                })
            })
            .collect()
    }

    /// A draft as it was last stored.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such draft.
    pub async fn get_draft(&self, request: DraftId) -> Result<Draft> {
        let row = self.0.desk.draft(&request.draft).await?;
        read(&row.ok_or_else(|| DeskError::not_found("The draft"))?)
    }

    /// Begins a draft: empty, as a copy of a template or of another draft, or as an edit of a template.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when what it begins from is not there.
    pub async fn create_draft(&self, request: CreateDraft) -> Result<Draft> {
        let settings = self.settings(&request.workspace).await?;
        let mut draft = Draft {
            id: uuid::Uuid::new_v4().to_string(),
            workspace: request.workspace.clone(),
            template: Template { components: vec![empty_body()], ..Template::default() },
            // One WABA to begin with: a template in every WABA is a choice to be made, not to be undone.
            waba_ids: settings.waba_ids.iter().take(1).cloned().collect(),
            header_file: None,
            edits: None,
            updated_at: 0,
        };
        if let Some(id) = request.from_draft {
            let source = self.get_draft(DraftId { draft: id }).await?;
            draft.template = source.template;
            draft.waba_ids = source.waba_ids;
            draft.header_file = source.header_file;
        } else if let Some(reference) = request.from_template {
            let record = self.record(&request.workspace, &reference).await?;
            let wabas = record.wabas();
            if !wabas.is_empty() {
                draft.waba_ids = wabas;
            }
            draft.template = content_of(record.template);
            draft.edits = request.edit.then_some(reference);
        }
        self.save_draft(draft).await
    }

    /// Stores a draft as it stands.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when its workspace is gone; [`DeskError::Storage`] when it cannot be written.
    pub async fn save_draft(&self, mut draft: Draft) -> Result<Draft> {
        let at = now();
        draft.updated_at = at;
        let row = store::desk::Draft {
            id: draft.id.clone(),
            workspace_id: draft.workspace.clone(),
            name: draft.template.name.clone(),
            language: draft.template.language.clone(),
            document: to_json(&draft)?,
            template_ref: draft.edits.clone(),
            created_at: at,
            updated_at: at,
        };
        self.0.desk.put_draft(row).await?;
        self.tell(DeskEvent::DraftSaved { workspace: draft.workspace.clone(), id: draft.id.clone() });
        Ok(draft)
    }

    /// Removes a draft. What it submitted stays.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such draft.
    pub async fn delete_draft(&self, request: DraftId) -> Result<Nothing> {
        let draft = self.get_draft(DraftId { draft: request.draft.clone() }).await?;
        self.0.desk.delete_draft(&request.draft).await?;
        self.tell(DeskEvent::DraftSaved { workspace: draft.workspace, id: draft.id });
        Ok(Nothing {})
    }
}

/// What a new template needs of an existing one: not the provider's own fields, which a creation does not have.
fn content_of(mut template: Template) -> Template {
    const OF_THE_PROVIDER: [&str; 12] = [
        "created_at",
        "updated_at",
        "quality_score",
        "previous_category",
        "correct_category",
        "rejected_reason",
        "rejection_info",
        "archived_at",
        "workspace_uuid",
        "message_template_id",
        "data",
        "id",
    ];
    template.extra.retain(|key, _| !OF_THE_PROVIDER.contains(&key.as_str()));
    template
}

fn empty_body() -> model::component::Component {
    model::component::Component::Body(model::component::Body {
        text: Some(String::new()),
        ..model::component::Body::default()
    })
}

/// The text of a template's body; empty where it has none.
pub(crate) fn body_text(template: &Template) -> &str {
    template
        .find(|component| match component {
            model::component::Component::Body(body) => body.text.as_deref(),
            _ => None,
        })
        .unwrap_or_default()
}

fn read(row: &store::desk::Draft) -> Result<Draft> {
    let mut draft: Draft = serde_json::from_str(&row.document)
        .map_err(|error| DeskError::Storage { reason: format!("the draft cannot be read: {error}") })?;
    draft.updated_at = row.updated_at;
    Ok(draft)
}
