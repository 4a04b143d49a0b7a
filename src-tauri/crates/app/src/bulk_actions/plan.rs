//! Plans a bulk action: each template with the reason why it is skipped, and the facts shown before the start.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use store::cache::TemplateRow as CachedRow;
use store::desk::{self, BulkActionItem, BulkActionKind, ItemState, RunState, RunStep};

use super::approved_before::ArchivedStatuses;
use super::{END_STATES, conflict, count, step_conflict};
use crate::bulk_actions::BulkActions;
use crate::templates::queries::MAX_ROWS;
use command_types::bulk_action::{BulkAction, BulkActionId, PlanBulkAction};
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::template::{TemplateRow, TemplateTarget};
use outgoing::{now, to_json};

/// Plans of a workspace that are kept without being started.
const MAX_STORED_PLANS: u32 = 5;
const MAX_NAMES: usize = 20;
/// How far back sends are counted, in milliseconds: 30 days.
const RECENT_SENDS_PERIOD: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Facts shown to the person before a bulk action starts, as stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Facts {
    pub(super) names: Vec<String>,
    pub(super) name_count: u32,
    pub(super) approved: u32,
    pub(super) archived: u32,
    pub(super) recent_sends: u64,
    pub(super) confirmation: Option<String>,
    pub(super) approved_before: u32,
    pub(super) may_be_approved: u32,
}

impl Facts {
    /// The facts of a bulk action. Stored JSON that can no longer be read must not hide the bulk action.
    pub(super) fn of(bulk_action: &desk::BulkAction) -> Self {
        serde_json::from_str(&bulk_action.facts).unwrap_or_default()
    }

    /// The facts that can be derived from the items.
    pub(super) fn from_items(action: BulkActionKind, items: &[BulkActionItem]) -> Self {
        let affected = || items.iter().filter(|item| item.state != ItemState::Skipped);
        let mut seen = HashSet::new();
        let distinct: Vec<&str> = affected().map(|item| item.name.as_str()).filter(|name| seen.insert(*name)).collect();
        let approved = affected().filter(|item| item.status_before.as_deref() == Some("APPROVED")).count();
        let archived = affected().filter(|item| item.archived_before).count();
        let all = affected().count();
        let confirmation = (action == BulkActionKind::Delete && all > 0).then(|| match distinct.as_slice() {
            [name] if !name.is_empty() => (*name).to_owned(),
            _ => format!("delete {all}"),
        });
        Self {
            names: distinct.iter().take(MAX_NAMES).map(|name| (*name).to_owned()).collect(),
            name_count: size(distinct.len()),
            approved: size(approved),
            archived: size(archived),
            confirmation,
            ..Self::default()
        }
    }
}

pub(super) fn is_undoable(bulk_action: &desk::BulkAction) -> bool {
    let reversible = bulk_action.action.inverse().is_some() && !bulk_action.undone;
    reversible && END_STATES.contains(&bulk_action.state) && count(bulk_action, ItemState::Done) > 0
}

impl BulkActions {
    /// Plans an action on templates. Templates that are already in the wanted state are skipped.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at `target` when it contains no template; [`DeskError::NotFound`] for the workspace.
    pub async fn plan_bulk_action(&self, request: PlanBulkAction) -> Result<BulkAction> {
        self.0.workspaces.settings(&request.workspace).await?;
        let action = request.action;
        let mut rows = self.0.templates.resolve_target(&request.workspace, &request.target).await?;
        let mut seen_references = HashSet::new();
        rows.retain(|row| seen_references.insert(row.reference.clone()));
        let mut items = self.items(&request.workspace, action, rows).await?;
        if let TemplateTarget::References { references } = &request.target {
            for reference in references.iter().filter(|reference| !reference.is_empty()) {
                if seen_references.insert(reference.clone()) {
                    let gone = DeskError::not_found(Missing::Template);
                    items.push(skipped(
                        BulkActionItem { template_ref: reference.clone(), ..BulkActionItem::default() },
                        &gone,
                    )?);
                }
            }
        }
        if items.is_empty() {
            return Err(DeskError::invalid("target", "Choose at least one template."));
        }
        for (position, item) in (0..).zip(&mut items) {
            item.position = position;
        }
        let facts = self.facts(&request.workspace, action, &items).await?;
        let bulk_action = new_bulk_action(&request.workspace, action, facts, &items)?;
        self.0.context.desk.add_bulk_action(bulk_action.clone(), items, MAX_STORED_PLANS).await?;
        Ok(self.bulk_action_view(self.load_bulk_action(&request.workspace, &bulk_action.id).await?))
    }

    /// Undoes a bulk action: runs the reverse action on every template for which it succeeded.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] when it cannot be undone, was undone already, has not ended, or changed nothing; as
    /// [`Self::start_bulk_action`].
    pub async fn undo_bulk_action(&self, request: BulkActionId) -> Result<BulkAction> {
        let undone = self.load_bulk_action(&request.workspace, &request.id).await?;
        let Some(action) = undone.action.inverse() else {
            return conflict(ConflictFault::DeletionStays {});
        };
        if !is_undoable(&undone) {
            return conflict(match undone.state {
                RunState::Running | RunState::Cancelling => ConflictFault::StillRunning {},
                _ if undone.undone => ConflictFault::Undone {},
                _ => ConflictFault::NothingChanged {},
            });
        }
        let (mut rows, mut from) = (Vec::new(), 0);
        loop {
            let done = self.0.context.desk.bulk_action_items(&undone.id, Some(ItemState::Done), from, MAX_ROWS).await?;
            let Some(last) = done.last() else { break };
            from = last.position + 1;
            rows.extend(done);
        }
        let mut known =
            self.known(&request.workspace, rows.iter().map(|done| done.template_ref.clone()).collect()).await?;
        let mut items = Vec::with_capacity(rows.len());
        for (position, done) in (0..).zip(rows) {
            let now = known.remove(&done.template_ref);
            let item = BulkActionItem {
                position,
                template_ref: done.template_ref,
                channel_id: done.channel_id,
                name: done.name,
                language: done.language,
                status_before: now.as_ref().map(|row| row.status.clone()),
                archived_before: now.as_ref().is_some_and(|row| row.archived == Some(true)),
                ..BulkActionItem::default()
            };
            items.push(match now {
                Some(now) => skip_if_done(action, now.archived, item)?,
                None => skipped(item, &DeskError::not_found(Missing::Template))?,
            });
        }
        let facts = self.facts(&request.workspace, action, &items).await?;
        if facts.name_count == 0 {
            return conflict(ConflictFault::NothingToUndo {});
        }
        let client = self.0.workspaces.client(&request.workspace).await?;
        let planned = new_bulk_action(&request.workspace, action, facts, &items)?;
        let bulk_action = desk::BulkAction {
            state: RunState::Running,
            undo_of: Some(undone.id),
            started_at: Some(planned.created_at),
            ..planned
        };
        match self.0.context.desk.add_bulk_action(bulk_action.clone(), items, MAX_STORED_PLANS).await? {
            RunStep::Done => {}
            step => return Err(step_conflict(&step)),
        }
        self.run_bulk_action(&bulk_action, client);
        self.report_and_load(&request.workspace, &bulk_action.id).await
    }

    /// Items for the cached templates. Templates that need no action are skipped.
    async fn items(
        &self,
        workspace: &str,
        action: BulkActionKind,
        rows: Vec<TemplateRow>,
    ) -> Result<Vec<BulkActionItem>> {
        let mut channel_ids = self.known(workspace, rows.iter().map(|row| row.reference.clone()).collect()).await?;
        let mut items = Vec::with_capacity(rows.len());
        for row in rows {
            let item = BulkActionItem {
                channel_id: channel_ids.remove(&row.reference).and_then(|known| known.channel_id),
                template_ref: row.reference,
                name: row.name,
                language: row.language,
                status_before: Some(row.status),
                archived_before: row.archived == Some(true),
                ..BulkActionItem::default()
            };
            items.push(skip_if_done(action, row.archived, item)?);
        }
        Ok(items)
    }

    /// The cached templates by their references.
    pub(super) async fn known(&self, workspace: &str, references: Vec<String>) -> Result<HashMap<String, CachedRow>> {
        let rows = self.0.context.cache.templates_by_reference(workspace, references).await?;
        Ok(rows.into_iter().map(|row| (row.reference.clone(), row)).collect())
    }

    async fn facts(&self, workspace: &str, action: BulkActionKind, items: &[BulkActionItem]) -> Result<Facts> {
        let affected = items.iter().filter(|item| item.state != ItemState::Skipped);
        let templates: HashSet<_> = affected.map(|item| (item.name.clone(), item.language.clone())).collect();
        let since = now().saturating_sub(RECENT_SENDS_PERIOD);
        let recent_sends = self.0.context.desk.sends_since(workspace, templates.into_iter().collect(), since).await?;
        let before = match action {
            BulkActionKind::Delete => self.statuses_before_archive(workspace, items).await?,
            BulkActionKind::Archive | BulkActionKind::Unarchive => ArchivedStatuses::default(),
        };
        Ok(Facts {
            recent_sends,
            approved_before: before.approved,
            may_be_approved: before.unknown,
            ..Facts::from_items(action, items)
        })
    }
}

pub(super) fn new_bulk_action(
    workspace: &str,
    action: BulkActionKind,
    facts: Facts,
    items: &[BulkActionItem],
) -> Result<desk::BulkAction> {
    Ok(desk::BulkAction {
        id: uuid::Uuid::new_v4().to_string(),
        workspace_id: workspace.to_owned(),
        action,
        state: RunState::Planned,
        error: None,
        undo_of: None,
        facts: to_json(&facts)?,
        total: size(items.len()),
        created_at: now(),
        started_at: None,
        ended_at: None,
        undone: false,
        counts: Vec::new(),
    })
}

/// Skips an item that needs no action. An item with unknown archive state is sent.
fn skip_if_done(action: BulkActionKind, archived: Option<bool>, item: BulkActionItem) -> Result<BulkActionItem> {
    let already = match action {
        BulkActionKind::Archive if archived == Some(true) => ConflictFault::Archived {},
        BulkActionKind::Unarchive if archived == Some(false) => ConflictFault::NotArchived {},
        _ => return Ok(item),
    };
    skipped(item, &DeskError::conflict(already))
}

fn skipped(item: BulkActionItem, why: &DeskError) -> Result<BulkActionItem> {
    Ok(BulkActionItem { state: ItemState::Skipped, error: Some(to_json(why)?), ..item })
}

fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    fn item(name: &str, status: &str, state: ItemState) -> BulkActionItem {
        BulkActionItem {
            name: name.to_owned(),
            status_before: Some(status.to_owned()),
            state,
            ..BulkActionItem::default()
        }
    }

    #[test]
    fn facts_count_the_affected_templates() {
        let (planned, skipped) = (ItemState::Planned, ItemState::Skipped);
        for (action, items, names, approved, confirmation) in [
            (
                BulkActionKind::Delete,
                vec![item("a", "APPROVED", planned), item("a", "PENDING", planned)],
                vec!["a"],
                1,
                Some("a"),
            ),
            (
                BulkActionKind::Delete,
                vec![item("a", "APPROVED", planned), item("b", "APPROVED", planned), item("c", "APPROVED", skipped)],
                vec!["a", "b"],
                2,
                Some("delete 2"),
            ),
            (BulkActionKind::Delete, vec![item("", "", planned)], vec![""], 0, Some("delete 1")),
            (BulkActionKind::Delete, vec![item("a", "APPROVED", skipped)], vec![], 0, None),
            (BulkActionKind::Archive, vec![item("a", "APPROVED", planned)], vec!["a"], 1, None),
        ] {
            let facts = Facts::from_items(action, &items);
            assert_eq!(facts.names, names);
            assert_eq!((facts.name_count, facts.approved), (size(names.len()), approved), "{names:?}");
            assert_eq!(facts.confirmation.as_deref(), confirmation);
        }
        let archived = BulkActionItem { archived_before: true, ..item("a", "APPROVED", planned) };
        let facts = Facts::from_items(BulkActionKind::Delete, &[archived, item("b", "APPROVED", planned)]);
        assert_eq!(facts.archived, 1);
        let many: Vec<_> = (0..25).map(|n| item(&format!("n{n}"), "PENDING", planned)).collect();
        let facts = Facts::from_items(BulkActionKind::Archive, &many);
        assert_eq!((facts.names.len(), facts.name_count), (20, 25));
    }

    #[test]
    fn the_stored_format_of_facts_is_unchanged() {
        let facts = Facts {
            names: vec!["sale".to_owned()],
            name_count: 1,
            approved: 1,
            archived: 1,
            recent_sends: 7,
            confirmation: Some("sale".to_owned()),
            ..Facts::default()
        };
        let stored =
            r#"{"names":["sale"],"name_count":1,"approved":1,"archived":1,"recent_sends":7,"confirmation":"sale"}"#;
        let now = stored.replace('}', r#","approved_before":0,"may_be_approved":0}"#);
        assert_eq!(to_json(&facts).unwrap(), now);
        assert_eq!(serde_json::from_str::<Facts>(stored).unwrap(), facts, "of an older version");
        assert_eq!(serde_json::from_str::<Facts>("{}").unwrap(), Facts::default());
    }
}
