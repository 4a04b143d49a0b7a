//! Drafts: saved automatically, so that no typed text is lost.

use std::collections::HashSet;

use model::component::{Component, UPLOAD_PENDING};
use model::known_fields::with_known_fields;
use model::language::normalise;
use model::starter::{self, StarterName, starter};
use model::template::Template;
use model::vocabulary::Category;

use crate::authoring::Authoring;
use crate::authoring::submission::reconcile::MAX_UNKNOWN_AGE;
use crate::context::lock;
use crate::draft_document::{read, row};
use command_types::Nothing;
use command_types::composer::{CreateDraft, Draft, DraftId, DraftRow, Starter};
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::event::DeskEvent;
use command_types::workspace::WorkspaceId;
use outgoing::compute;
use outgoing::starters::starters;
use outgoing::template_text::content_of;
use outgoing::{now, to_json};

/// Maximum number of submissions with an unknown outcome that are looked for.
const MAX_UNKNOWN: u32 = 200;

impl Authoring {
    /// The drafts of a workspace, last changed first.
    pub async fn list_drafts(&self, request: WorkspaceId) -> Result<Vec<DraftRow>> {
        let rows = self.0.context.desk.drafts(&request.workspace).await?;
        let unknown =
            self.0.context.desk.unknown_submissions(&request.workspace, now() - MAX_UNKNOWN_AGE, MAX_UNKNOWN).await?;
        let unknown: HashSet<String> = unknown.into_iter().filter_map(|submission| submission.draft_id).collect();
        let listed = rows.iter().map(|stored| {
            let is_unknown = unknown.contains(&stored.id);
            DraftRow { is_unknown, ..row(stored, &read(stored)) }
        });
        Ok(listed.collect())
    }

    /// A draft as it was last stored.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] with the template if it was submitted since the start of the app; [`DeskError::NotFound`].
    pub async fn get_draft(&self, request: DraftId) -> Result<Draft> {
        if let Some(row) = self.0.context.desk.draft(&request.draft).await? {
            return Ok(read(&row));
        }
        Err(match lock(&self.0.submitted).get(&request.draft) {
            Some(template) => DeskError::conflict(ConflictFault::Accepted { template: template.clone() }),
            None => DeskError::not_found(Missing::Draft),
        })
    }

    /// Begins a draft: empty, from a starter, as a copy of a template, of another draft or of a version, or as an edit of
    /// a template.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the source does not exist.
    pub async fn create_draft(&self, request: CreateDraft) -> Result<Draft> {
        let mut draft = Draft {
            id: uuid::Uuid::new_v4().to_string(),
            workspace: request.workspace.clone(),
            // The category with the fewest privileges: a template becomes utility only by an explicit choice.
            template: Template { category: Category::Marketing, components: vec![empty_body()], ..Template::default() },
            waba_ids: self.accounts_for_new(&request.workspace, &request.waba_ids).await?,
            ..Draft::default()
        };
        let is_copy = request.from_template.is_some();
        if let Some(id) = request.from_draft {
            let source = self.get_draft(DraftId { draft: id }).await?;
            draft = Draft { id: draft.id, workspace: draft.workspace, edits: None, administration: None, ..source };
        } else if let Some(name) = request.from_starter {
            draft.template = self.starter(&draft.workspace, name, request.language.as_deref()).await?;
        } else if request.from_template.is_some() || request.from_version.is_some() {
            self.draft_from(&mut draft, request.from_template, request.from_version, request.edit).await?;
        }
        if request.as_utility && draft.edits.is_none() {
            draft.template.category = Category::Utility;
            self.rename_unused(&draft.workspace, &mut draft.template).await?;
        }
        if let Some(language) = request.language.filter(|_| draft.edits.is_none()) {
            if is_copy && language != draft.template.language {
                draft.translates = Some(draft.template.clone());
                draft.waba_ids = self.wabas_without(&draft, &language).await?;
            }
            draft.template.language = language;
        }
        self.save_draft(draft).await
    }

    /// All starter templates in all their languages.
    pub async fn list_starters(&self, _request: Nothing) -> Result<Vec<Starter>> {
        compute::run(starters).await
    }

    /// A starter in a language, under a name that is not in use in this language.
    async fn starter(&self, workspace: &str, name: StarterName, language: Option<&str>) -> Result<Template> {
        let template = language.and_then(|language| starter(name, language));
        let mut template = template
            .or_else(|| starter(name, starter::LANGUAGES[0]))
            .ok_or_else(|| DeskError::not_found(Missing::Starter))?;
        self.rename_unused(workspace, &mut template).await?;
        Ok(template)
    }

    /// Numbers the name of a template until it is not in use in its language.
    async fn rename_unused(&self, workspace: &str, template: &mut Template) -> Result<()> {
        let plain = template.name.clone();
        let mut number = 1;
        while self.is_used(workspace, &template.name, &template.language).await? {
            number += 1;
            template.name = format!("{plain}_{number}");
        }
        Ok(())
    }

    /// Whether a template or a draft has this name and language.
    async fn is_used(&self, workspace: &str, name: &str, language: &str) -> Result<bool> {
        let listed = self.0.context.cache.languages_of(workspace, name).await?;
        if listed.iter().any(|row| row.language == language) {
            return Ok(true);
        }
        let drafts = self.0.context.desk.drafts(workspace).await?;
        Ok(drafts.iter().any(|draft| draft.name == name && draft.language == language))
    }

    /// Fills a new draft from a template or one of its versions, or with an edit of the template back to a version.
    async fn draft_from(
        &self,
        draft: &mut Draft,
        template: Option<String>,
        version: Option<String>,
        edit: bool,
    ) -> Result<()> {
        let version = match version {
            Some(id) => Some(self.0.templates.version_content(&draft.workspace, &id).await?),
            None => None,
        };
        let Some(reference) = template else {
            draft.template = with_known_fields(version.unwrap_or_default());
            return Ok(());
        };
        let cached = self.0.templates.cached(&draft.workspace, &reference).await?;
        let record = crate::templates::read(&cached)?;
        if !cached.row.wabas.is_empty() {
            draft.waba_ids = cached.row.wabas;
        }
        let status = record.status.clone();
        let present = content_of(record.template);
        draft.template = match version {
            None => present,
            Some(version) if edit => to_edit(version, &present, status.is_some_and(|status| status.is_sendable())),
            Some(version) => version,
        };
        // An edit gets no file by itself: the picture may have been changed elsewhere since it was submitted from here.
        if !edit {
            draft.template = with_known_fields(std::mem::take(&mut draft.template));
            let files = self.known_files(&draft.workspace, &reference, &draft.template).await?;
            (draft.header_file, draft.card_files) = (files.header, files.cards);
        }
        draft.edits = edit.then_some(reference);
        Ok(())
    }

    /// The WABAs that have the name of a draft in its language, the draft's own first, without those that have it in
    /// another language already. The draft's own if there are no others.
    async fn wabas_without(&self, draft: &Draft, language: &str) -> Result<Vec<String>> {
        let rows = self.0.context.cache.languages_of(&draft.workspace, &draft.template.name).await?;
        let of = |language: &str| {
            let rows = rows.iter().filter(|row| normalise(&row.language) == normalise(language));
            rows.flat_map(|row| row.wabas.clone()).collect::<Vec<_>>()
        };
        let present = of(language);
        let mut wabas = Vec::new();
        for waba in draft.waba_ids.iter().cloned().chain(of(&draft.template.language)) {
            if !present.contains(&waba) && !wabas.contains(&waba) {
                wabas.push(waba);
            }
        }
        Ok(if wabas.is_empty() { draft.waba_ids.clone() } else { wabas })
    }

    /// Stores a draft.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when it was deleted in the meantime: a save that was late does not bring it back.
    pub async fn save_draft(&self, draft: Draft) -> Result<Draft> {
        let deleted = self.0.deleted.lock().await;
        if deleted.contains(&draft.id) {
            return Err(DeskError::not_found(Missing::Draft));
        }
        let draft = self.store_draft(draft).await?;
        drop(deleted);
        self.0.context.emit(DeskEvent::DraftSaved { workspace: draft.workspace.clone(), id: draft.id.clone() });
        Ok(draft)
    }

    /// Writes a draft. The caller holds the lock of the deleted drafts.
    async fn store_draft(&self, mut draft: Draft) -> Result<Draft> {
        if draft.edits.is_none() {
            draft.edits = self.template_created_from(&draft.id).await?;
        }
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
        self.0.context.desk.upsert_draft(row).await?;
        Ok(draft)
    }

    /// The template that was created from this draft in the meantime. The draft now edits it, but the window does not
    /// know yet.
    async fn template_created_from(&self, draft: &str) -> Result<Option<String>> {
        if let Some(stored) = self.0.context.desk.draft(draft).await? {
            return Ok(stored.template_ref);
        }
        Ok(lock(&self.0.submitted).get(draft).cloned())
    }

    /// Removes a draft. Templates that it submitted are kept.
    pub async fn delete_draft(&self, request: DraftId) -> Result<Draft> {
        let draft = self.get_draft(DraftId { draft: request.draft.clone() }).await?;
        let mut deleted = self.0.deleted.lock().await;
        self.0.context.desk.delete_draft(&request.draft).await?;
        deleted.insert(request.draft);
        drop(deleted);
        self.0.context.emit(DeskEvent::DraftSaved { workspace: draft.workspace.clone(), id: draft.id.clone() });
        Ok(draft)
    }

    /// Stores a draft again that was deleted since the start.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when it was not.
    pub async fn restore_draft(&self, draft: Draft) -> Result<Nothing> {
        let mut deleted = self.0.deleted.lock().await;
        if !deleted.contains(&draft.id) {
            return Err(DeskError::not_found(Missing::Draft));
        }
        let draft = self.store_draft(draft).await?;
        // Only now, so that it can be tried again after an error.
        deleted.remove(&draft.id);
        drop(deleted);
        self.0.context.emit(DeskEvent::DraftSaved { workspace: draft.workspace, id: draft.id });
        Ok(Nothing {})
    }
}

fn empty_body() -> Component {
    Component::Body(model::component::Body { text: Some(String::new()), ..model::component::Body::default() })
}

/// An earlier version as an edit of the current template. Keeps the fields that an edit cannot change, and the media
/// samples, which a version does not store.
fn to_edit(version: Template, present: &Template, category_fixed: bool) -> Template {
    let mut template = Template {
        name: present.name.clone(),
        language: present.language.clone(),
        kind: present.kind.clone(),
        message_send_ttl_seconds: present.message_send_ttl_seconds,
        display_format: present.display_format.clone(),
        // Fields that the version does not state are kept: the provider may have set them.
        sub_category: version.sub_category.or_else(|| present.sub_category.clone()),
        parameter_format: version.parameter_format.or_else(|| present.parameter_format.clone()),
        pix_data: version.pix_data.or_else(|| present.pix_data.clone()),
        order_data: version.order_data.or_else(|| present.order_data.clone()),
        ..version
    };
    // A version that was read from a listing may lack it.
    if category_fixed || template.category.is_absent() {
        template.category = present.category.clone();
    }
    copy_samples(&mut template.components, &present.components);
    template
}

/// Copies missing samples of media headers from the headers at the same position.
fn copy_samples(components: &mut [Component], present: &[Component]) {
    for component in components {
        match component {
            Component::Header(header) if header.format.is_media() => {
                let known = present.iter().find_map(|other| match other {
                    Component::Header(other) if other.format == header.format => other.example.as_ref(),
                    _ => None,
                });
                let handles = header.example.iter().flat_map(|example| &example.header_handle);
                let waits = handles.into_iter().all(|handle| handle.is_empty() || handle == UPLOAD_PENDING);
                if let (true, Some(known)) = (waits, known) {
                    header.example.get_or_insert_default().header_handle.clone_from(&known.header_handle);
                }
            }
            Component::Carousel(carousel) => {
                let cards = present.iter().find_map(|other| match other {
                    Component::Carousel(other) => Some(&other.cards),
                    _ => None,
                });
                for (card, other) in carousel.cards.iter_mut().zip(cards.into_iter().flatten()) {
                    copy_samples(&mut card.components, &other.components);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use outgoing::template_text::body_text;
    use serde_json::{Value, json};

    fn template(json: Value) -> Template {
        serde_json::from_value(json).unwrap()
    }

    fn media(handle: Option<&str>) -> Value {
        match handle {
            Some(handle) => json!({"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [handle]}}),
            None => json!({"type": "HEADER", "format": "IMAGE"}),
        }
    }

    fn whole(name: &str, category: &str, header: Value, cards: &[Value]) -> Template {
        let cards: Vec<_> = cards.iter().map(|header| json!({"components": [header]})).collect();
        template(json!({"name": name, "language": "en", "category": category, "components": [
            header, {"type": "BODY", "text": name}, {"type": "CAROUSEL", "cards": cards}]}))
    }

    #[test]
    fn an_earlier_version_becomes_an_edit_of_the_current_template() {
        let present = whole(
            "now",
            "marketing",
            media(Some("https://cdn/h")),
            &[media(Some("https://cdn/1")), media(Some("4::2"))],
        );
        let earlier =
            whole("then", "utility", media(None), &[media(Some("UPLOAD_PENDING")), media(Some("4::own")), media(None)]);
        let edit = to_edit(earlier.clone(), &present, true);
        let handles: Vec<_> = serde_json::to_value(&edit).unwrap()["components"][2]["cards"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| card["components"][0]["example"]["header_handle"][0].clone())
            .collect();
        // Known samples are kept, uploaded ones are taken from the current template; a third card has none.
        assert_eq!(handles, [json!("https://cdn/1"), json!("4::own"), Value::Null]);
        assert_eq!(serde_json::to_value(&edit.components[0]).unwrap(), media(Some("https://cdn/h")));
        assert_eq!((edit.name.as_str(), edit.category.as_str(), body_text(&edit)), ("now", "marketing", "then"));
        assert_eq!(to_edit(earlier, &present, false).category.as_str(), "utility");
    }

    #[test]
    fn a_copy_has_no_fields_of_the_provider() {
        let listed = template(json!({"name": "n", "language": "en", "category": "utility", "components": [],
            "uuid": "u", "status": "APPROVED", "quality_score": {"score": "GREEN"}, "unknown_to_all": [1]}));
        let copy = serde_json::to_value(content_of(listed)).unwrap();
        assert_eq!(
            copy,
            json!({"name": "n", "language": "en", "category": "utility", "components": [], "unknown_to_all": [1]})
        );
    }
}
