//! Stored form of drafts.

use model::template::Template;

use crate::text::message_excerpt;
use command_types::composer::{Draft, DraftRow};
use outgoing::template_text::body_text;

/// A draft as lists show it.
pub(crate) fn row(stored: &store::desk::Draft, draft: &Draft) -> DraftRow {
    DraftRow {
        id: stored.id.clone(),
        name: stored.name.clone(),
        language: stored.language.clone(),
        excerpt: message_excerpt(body_text(&draft.template)),
        edits: stored.template_ref.clone(),
        waba_ids: draft.waba_ids.clone(),
        is_unknown: false,
        updated_at: stored.updated_at,
    }
}

/// A draft from its row. A draft that this version cannot read is opened with its text in the JSON tab: no typed text
/// is lost, and one draft must not hide the others.
pub(crate) fn read(row: &store::desk::Draft) -> Draft {
    let draft = serde_json::from_str::<Draft>(&row.document).unwrap_or_else(|error| {
        tracing::warn!(%error, draft = row.id, "a draft cannot be read and is opened as text");
        let document: serde_json::Value = serde_json::from_str(&row.document).unwrap_or_default();
        let content = document.get("template").unwrap_or(&document);
        Draft {
            template: Template { name: row.name.clone(), language: row.language.clone(), ..Template::default() },
            json_text: Some(serde_json::to_string_pretty(content).unwrap_or_else(|_| row.document.clone())),
            ..Draft::default()
        }
    });
    // The row takes precedence: lists and lookups use it.
    Draft {
        id: row.id.clone(),
        workspace: row.workspace_id.clone(),
        edits: row.template_ref.clone(),
        updated_at: row.updated_at,
        ..draft
    }
}
