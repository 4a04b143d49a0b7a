//! Emits events about templates that changed, whether reported by an event or by a listing.

use std::collections::{BTreeSet, HashMap};

use model::vocabulary::TemplateStatus;
use store::cache::{Change, TemplateRow};
use store::desk::TemplateEvent;

use crate::templates::Templates;
use command_types::error::Result;
use command_types::event::DeskEvent;

/// Maximum number of templates per listing page for which events are emitted. Beyond it, `TemplatesChanged` is
/// sufficient.
const MAX_EMITTED_TEMPLATES: usize = 1_000;

impl Templates {
    /// Emits the differences between a template and its previous state; `before` computes that from the current one.
    /// `account` names the WABA that reported a new value.
    pub(crate) async fn emit_template_changes(
        &self,
        workspace: &str,
        reference: &str,
        account: impl Fn(&str) -> Option<String>,
        before: impl FnOnce(&TemplateRow) -> TemplateRow,
    ) -> Result<()> {
        let Some(template) = self.0.context.cache.template(workspace, reference).await? else { return Ok(()) };
        let before = before(&template.row);
        let row = template.row;
        let status_fields =
            |row: &TemplateRow| (row.status.clone(), row.archived == Some(true), row.rejected_reason.clone());
        let status_changed = status_fields(&row) != status_fields(&before);
        let (workspace, reference) = (workspace.to_owned(), Some(reference.to_owned()));
        let (name, language) = (row.name, row.language);
        // The first known value is not a change.
        if row.category != before.category && !before.category.is_empty() {
            self.0.context.emit(DeskEvent::TemplateCategoryChanged {
                workspace: workspace.clone(),
                reference: reference.clone(),
                name: name.clone(),
                language: language.clone(),
                before: Some(before.category),
                account: account(&row.category),
                after: row.category,
            });
        }
        if row.quality != before.quality {
            self.0.context.emit(DeskEvent::TemplateQualityChanged {
                workspace: workspace.clone(),
                reference: reference.clone(),
                name: name.clone(),
                language: language.clone(),
                before: before.quality,
                account: row.quality.as_deref().and_then(&account),
                after: row.quality.unwrap_or_default(),
            });
        }
        if status_changed {
            let event = if row.archived == Some(true) { "ARCHIVED".to_owned() } else { row.status };
            let reason = row.rejected_reason;
            self.0.context.emit(DeskEvent::TemplateStatusChanged {
                workspace,
                reference,
                name,
                language,
                account: account(&event),
                event,
                reason,
            });
        }
        Ok(())
    }

    /// Emits [`emitted_changes`] that a listing showed before an event did. A later event then finds no difference.
    pub(crate) async fn emit_differences(&self, workspace: &str, changes: &[Change]) -> Result<()> {
        let mut by_template: HashMap<&str, Vec<&Change>> = HashMap::new();
        for change in changes {
            by_template.entry(&change.reference).or_default().push(change);
        }
        for (reference, changes) in by_template.into_iter().take(MAX_EMITTED_TEMPLATES) {
            self.emit_template_changes(workspace, reference, |_| None, |now| before_changes(now, &changes)).await?;
        }
        Ok(())
    }

    /// Announces events that change no row but what lists show, such as that a template will be disabled.
    pub(crate) fn emit_event_workspaces(&self, events: &[TemplateEvent]) {
        for workspace in events.iter().map(|event| &event.workspace_id).collect::<BTreeSet<_>>() {
            self.0.context.emit(DeskEvent::TemplatesChanged { workspace: workspace.clone() });
        }
    }

    /// Emits the result of a review of an unknown template: the answer to its creation may still be in flight.
    pub(crate) fn emit_unknown_template(&self, event: &TemplateEvent) {
        if matches!(TemplateStatus::from(event.event.as_str()), TemplateStatus::Unknown(_)) {
            return;
        }
        self.0.context.emit(DeskEvent::TemplateStatusChanged {
            workspace: event.workspace_id.clone(),
            reference: None,
            name: event.template_name.clone(),
            language: event.language.clone(),
            event: event.event.clone(),
            reason: event.reason.clone(),
            account: event.waba.clone(),
        });
    }
}

/// Names the WABA that events reported a value for: of several of these WABAs, the last one.
pub(crate) fn reporting_account(
    events: &[&TemplateEvent],
    wabas: &[String],
) -> impl Fn(&str) -> Option<String> + use<> {
    let is_known = |waba: &String| wabas.is_empty() || wabas.contains(waba);
    let named =
        events.iter().filter_map(|event| Some((event.value.to_uppercase(), event.waba.clone().filter(is_known)?)));
    let named: Vec<(String, String)> = named.collect();
    move |value| {
        let word = format!("\"{}\"", value.to_uppercase());
        named.iter().rev().find(|(event, _)| event.contains(&word)).map(|(_, waba)| waba.clone())
    }
}

/// The changes that [`Templates::emit_differences`] tells: those of fields that an event of the provider can report.
pub(crate) fn emitted_changes(changes: &[Change]) -> Vec<Change> {
    let is_emitted = |field: &str| matches!(field, "status" | "category" | "quality" | "rejected_reason");
    changes.iter().filter(|change| change.waba.is_none() && is_emitted(&change.field)).cloned().collect()
}

fn before_changes(now: &TemplateRow, changes: &[&Change]) -> TemplateRow {
    let mut row = now.clone();
    for change in changes {
        let before = change.before.clone();
        match change.field.as_str() {
            "status" => row.status = before.unwrap_or_default(),
            "category" => row.category = before.unwrap_or_default(),
            "quality" => row.quality = before,
            _ => row.rejected_reason = before,
        }
    }
    row
}
