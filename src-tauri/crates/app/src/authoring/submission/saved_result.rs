//! Stores the result of an accepted request: the template as the provider will list it, and its versions.

use model::Id;
use model::component::Component;
use model::template::{Template, TemplateRecord};
use model::vocabulary::{Category, TemplateStatus};
use provider_client::ListedTemplate;
use serde_json::Value;
use store::cache::{Change, RequestMark, Since};
use store::desk::{Version, VersionOrigin};

use crate::authoring::Authoring;
use crate::templates::listed_record::cached;
use command_types::composer::Draft;
use command_types::error::Result;
use outgoing::submission::answer;
use outgoing::template_text::{content_of, is_provider_field};
use outgoing::to_json;

impl Authoring {
    /// Caches the template as the provider will list it. `before` is the record of the edited template.
    pub(super) async fn cache_result(
        &self,
        draft: &Draft,
        before: Option<&TemplateRecord>,
        reference: &str,
        wabas: &[String],
        body: Option<&str>,
        asked: RequestMark,
    ) -> Result<()> {
        let mut record = match before {
            Some(before) => edited_record(before, &draft.template, body),
            None => created_record(&draft.template, body),
        };
        record.uuid = Some(reference.to_owned());
        if record.status.is_none() {
            record.status = Some(status_after(before));
        }
        if before.is_none() {
            // One reference may denote the template in several WABAs, created one after the other.
            let known = self.0.context.cache.template(&draft.workspace, reference).await?;
            let mut all = known.map(|known| known.row.wabas).unwrap_or_default();
            for waba in record.wabas().into_iter().chain(wabas.iter().cloned()) {
                if !all.contains(&waba) {
                    all.push(waba);
                }
            }
            record.waba_ids = all.iter().map(|waba| Id::number(waba).unwrap_or_else(|| Id::text(waba))).collect();
        }
        let raw = to_json(&record)?;
        let listed = ListedTemplate { record, raw, unreadable: Vec::new(), is_damaged: false };
        if let Some(mut template) = cached(&draft.workspace, listed, asked) {
            let requested = draft.template.category.as_str();
            template.row.asked_category = Some(requested.to_owned()).filter(|requested| !requested.is_empty());
            if template.row.status == TemplateStatus::Pending.as_str() {
                template.row.status_since = Some(Since { at: asked.at, exact: true });
            }
            let answered = template.row.status.clone();
            self.0.context.cache.upsert_template(template).await?;
            if let Some(before) = before.and_then(|before| before.status.as_ref()) {
                self.emit_early_review(&draft.workspace, reference, before, answered).await?;
            }
        }
        Ok(())
    }

    /// Emits the result of a review that was received before the answer to the edit and left the template unchanged:
    /// the projector found no difference then.
    async fn emit_early_review(
        &self,
        workspace: &str,
        reference: &str,
        before: &TemplateStatus,
        answered: String,
    ) -> Result<()> {
        let Some(now) = self.0.context.cache.template(workspace, reference).await? else { return Ok(()) };
        if now.row.status == answered || now.row.status != before.as_str() {
            return Ok(());
        }
        let change = Change {
            reference: reference.to_owned(),
            field: "status".to_owned(),
            before: Some(answered),
            ..Change::default()
        };
        self.0.templates.emit_differences(workspace, &[change]).await
    }

    /// Stores the submitted content as a version.
    pub(super) async fn store_versions(
        &self,
        draft: &Draft,
        before: Option<&TemplateRecord>,
        reference: &str,
        left_at: i64,
    ) -> Result<()> {
        let version = |at: i64, origin: VersionOrigin, document: String| Version {
            id: uuid::Uuid::new_v4().to_string(),
            workspace_id: draft.workspace.clone(),
            template_ref: reference.to_owned(),
            at,
            origin,
            document,
        };
        let known = self.0.context.desk.versions(&draft.workspace, reference).await?;
        if let (true, Some(before)) = (known.is_empty(), before) {
            // Created elsewhere: without this version the first diff would be empty.
            self.0
                .context
                .desk
                .add_version(version(
                    left_at - 1,
                    VersionOrigin::Observed,
                    to_json(&content_of(before.template.clone()))?,
                ))
                .await?;
        }
        let document = to_json(&draft.template)?;
        // Created in another WABA under the same reference: the same version.
        if before.is_none() && known.first().is_some_and(|newest| newest.document == document) {
            return Ok(());
        }
        let origin = if before.is_some() { VersionOrigin::Edited } else { VersionOrigin::Submitted };
        Ok(self.0.context.desk.add_version(version(left_at, origin, document)).await?)
    }
}

/// The record from the answer to a creation if it has one; else from the submitted content.
fn created_record(sent: &Template, body: Option<&str>) -> TemplateRecord {
    let answer = answer(body).unwrap_or_default();
    let mut record = model::json::read::<TemplateRecord>(&answer).unwrap_or_default();
    if record.template.category.is_absent() {
        record.template.category = sent.category.clone();
    }
    if !record.template.name.is_empty() && !record.template.components.is_empty() {
        return record;
    }
    let mut template = sent.clone();
    // The channel may change the category (upstream §5.4).
    if let Some(category) = answer.get("category").and_then(Value::as_str) {
        template.category = Category::from(category);
    }
    TemplateRecord { id: record.id, status: record.status, template, ..TemplateRecord::default() }
}

/// The record after an edit: the old record with the submitted content and the answer's fields (contract §4.3). The
/// identifying fields are kept: events find the template by them.
fn edited_record(before: &TemplateRecord, sent: &Template, body: Option<&str>) -> TemplateRecord {
    let answer = answer(body).unwrap_or_default();
    let mut record = TemplateRecord { rejected_reason: None, rejection_info: None, accounts: None, ..before.clone() };
    let old = std::mem::replace(&mut record.template, sent.clone());
    // An edit cannot change these.
    record.template.name = old.name;
    record.template.language = old.language;
    record.template.kind = old.kind;
    if record.template.category.is_absent() {
        record.template.category = old.category;
    }
    record.template.extra.extend(old.extra.into_iter().filter(|(field, _)| is_provider_field(field)));
    let field = |key: &str| answer.get(key).filter(|value| !value.is_null());
    if let Some(components) = field("components").and_then(|value| model::json::read::<Vec<Component>>(value).ok()) {
        record.template.components = components;
    }
    if let Some(category) = field("category").and_then(Value::as_str) {
        record.template.category = Category::from(category);
    }
    record.status = field("status").and_then(Value::as_str).map(TemplateStatus::from);
    record
}

/// The status after a request whose answer states none: in review, except for an edit of a template that the channel
/// usually does not allow to be edited. For that one it is unknown whether a review begins, and the status is kept.
fn status_after(before: Option<&TemplateRecord>) -> TemplateStatus {
    let before = before.and_then(|before| before.status.as_ref());
    before.filter(|status| !status.is_editable()).cloned().unwrap_or(TemplateStatus::Pending)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    fn sent() -> Template {
        serde_json::from_value(json!({"name": "n", "language": "en", "category": "utility",
            "components": [{"type": "BODY", "text": "Hello"}]}))
        .unwrap()
    }

    #[test]
    fn a_created_record_uses_the_answer_and_the_sent_content() {
        for (body, category, status, text) in [
            (None, "utility", None, "Hello"),
            (Some("no JSON"), "utility", None, "Hello"),
            (Some(r#"{"data": {"uuid": "u"}}"#), "utility", None, "Hello"),
            // The channel decides these, regardless of the request.
            (
                Some(r#"{"id": "1", "status": "PENDING", "category": "MARKETING"}"#),
                "marketing",
                Some("PENDING"),
                "Hello",
            ),
            (
                Some(
                    r#"{"data": {"name": "n", "category": "UTILITY", "status": "APPROVED", "components": [{"type": "BODY", "text": "Hi"}]}}"#,
                ),
                "utility",
                Some("APPROVED"),
                "Hi",
            ),
        ] {
            let record = created_record(&sent(), body);
            assert_eq!(record.template.name, "n", "{body:?}");
            assert_eq!(record.template.category.as_str(), category, "{body:?}");
            assert_eq!(record.status.as_ref().map(TemplateStatus::as_str), status, "{body:?}");
            assert_eq!(outgoing::template_text::body_text(&record.template), text, "{body:?}");
        }
    }

    #[test]
    fn an_edit_is_pending_if_the_channel_reviews_it() {
        for (before, after) in [
            (Some("APPROVED"), "PENDING"),
            (Some("REJECTED"), "PENDING"),
            (Some("PAUSED"), "PENDING"),
            (Some("DISABLED"), "DISABLED"),
            (Some("ARCHIVED"), "ARCHIVED"),
            (Some("SOMETHING_NEW"), "SOMETHING_NEW"),
            (None, "PENDING"),
        ] {
            let status = before.map(TemplateStatus::from);
            let record = TemplateRecord { status, ..TemplateRecord::default() };
            assert_eq!(status_after(Some(&record)).as_str(), after, "{before:?}");
        }
        assert_eq!(status_after(None), TemplateStatus::Pending);
    }

    #[test]
    fn an_edit_keeps_identifiers_and_provider_fields() {
        let before: TemplateRecord = serde_json::from_value(json!({"uuid": "u", "id": "9", "status": "REJECTED",
            "rejected_reason": "SCAM", "waba_ids": [1], "quality_score": {"score": "GREEN"}, "own": 1,
            "name": "n", "language": "en", "category": "utility", "components": [{"type": "BODY", "text": "Old"}]}))
        .unwrap();
        let mut edited = sent();
        edited.name = "renamed here".to_owned();
        let record = edited_record(&before, &edited, Some(r#"{"data": {"uuid": "u", "category": "MARKETING"}}"#));
        let shown = serde_json::to_value(&record).unwrap();
        assert_eq!(
            shown,
            json!({"uuid": "u", "id": "9", "waba_ids": [1], "name": "n", "language": "en", "category": "marketing",
                "components": [{"type": "BODY", "text": "Hello"}], "quality_score": {"score": "GREEN"}})
        );
    }
}
