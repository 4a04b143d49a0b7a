//! Bulk actions on existing templates: planned with all their items, each recorded before its request is sent.

use rusqlite::{Connection, Row, params};

use super::job::{self, JobKind, RunStep};
use super::{BulkActionKind, Desk, ItemState, RunState};
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, scalar};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkAction {
    pub id: String,
    pub workspace_id: String,
    pub action: BulkActionKind,
    pub state: RunState,
    /// Why it was interrupted, as JSON.
    pub error: Option<String>,
    /// The bulk action that it reverts.
    pub undo_of: Option<String>,
    /// Facts shown to the person before it starts, as JSON.
    pub facts: String,
    /// How many items it has.
    pub total: u32,
    /// When it was planned.
    pub created_at: i64,
    /// When it was started or its items were retried.
    pub started_at: Option<i64>,
    /// When it ended; absent if the process exited first.
    pub ended_at: Option<i64>,
    /// Whether another bulk action reverts it. Ignored when written.
    pub undone: bool,
    /// Item counts by state. Ignored when written.
    pub counts: Vec<(ItemState, u32)>,
}

/// A template in a bulk action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BulkActionItem {
    /// Position, from 0; unique in a bulk action.
    pub position: u32,
    /// The provider's reference.
    pub template_ref: String,
    /// The channel's identifier, where it is known.
    pub channel_id: Option<String>,
    pub name: String,
    pub language: String,
    /// Status when the bulk action was planned; absent if it was unknown.
    pub status_before: Option<String>,
    /// Whether it was archived then.
    pub archived_before: bool,
    pub state: ItemState,
    /// Why it failed, is unknown, or was skipped, as JSON.
    pub error: Option<String>,
    /// How many times it was sent.
    pub attempts: u32,
    /// When it was last sent.
    pub sent_at: Option<i64>,
    /// When that request was answered, abandoned, or reconciled with a listing.
    pub answered_at: Option<i64>,
}

/// An item with an unknown outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenItem {
    pub bulk_action_id: String,
    /// The requested action.
    pub action: BulkActionKind,
    pub item: BulkActionItem,
}

const KIND: JobKind = JobKind::BulkAction;

const SELECT: &str = "SELECT template_order.*,
    EXISTS (SELECT 1 FROM template_order u WHERE u.undo_of = template_order.id) AS undone FROM template_order";

impl Desk {
    /// Stores a bulk action with all its items, and deletes all but the newest `kept` plans of the workspace that were
    /// never started. One that is stored as running must not share a template with another running one.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn add_bulk_action(
        &self,
        bulk_action: BulkAction,
        items: Vec<BulkActionItem>,
        kept: u32,
    ) -> Result<RunStep, StoreError> {
        self.database
            .write(move |c| {
                insert_row!(c, "template_order" => bulk_action {
                    id, workspace_id, action, state, error, undo_of, facts, total, created_at, started_at, ended_at,
                }, "")?;
                for item in items {
                    insert_row!(c, "template_order_item" => item {
                        order_id: bulk_action.id, position, workspace_id: bulk_action.workspace_id, template_ref,
                        channel_id, name, language, status_before, archived_before, state, error, attempts,
                        left_at: item.sent_at, answered_at,
                    }, "")?;
                }
                if bulk_action.state == RunState::Running
                    && let Some(other) = busy(c, &bulk_action.id)?
                {
                    c.execute("DELETE FROM template_order WHERE id = ?1", [&bulk_action.id])?;
                    return Ok(RunStep::Busy(other));
                }
                c.prepare_cached(
                    "DELETE FROM template_order WHERE id IN (SELECT id FROM template_order
                       WHERE workspace_id = ?1 AND state = 'planned' ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?2)",
                )?
                .execute((&bulk_action.workspace_id, kept))?;
                Ok(RunStep::Done)
            })
            .await
    }

    pub async fn bulk_action(&self, id: &str) -> Result<Option<BulkAction>, StoreError> {
        let id = id.to_owned();
        self.database
            .read(move |c| {
                let found = first(c, &format!("{SELECT} WHERE id = ?1"), [id], bulk_action)?;
                found.map(|bulk_action| counted(c, bulk_action)).transpose()
            })
            .await
    }

    /// The bulk actions of a workspace, newest first.
    pub async fn bulk_actions(&self, workspace_id: &str, limit: u32) -> Result<Vec<BulkAction>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let sql = format!("{SELECT} WHERE workspace_id = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2");
                let bulk_actions = all(c, &sql, (workspace_id, limit), bulk_action)?;
                bulk_actions.into_iter().map(|bulk_action| counted(c, bulk_action)).collect()
            })
            .await
    }

    /// Items of a bulk action in order: those in `state`, or all, from the position `from`.
    pub async fn bulk_action_items(
        &self,
        id: &str,
        state: Option<ItemState>,
        from: u32,
        limit: u32,
    ) -> Result<Vec<BulkActionItem>, StoreError> {
        let id = id.to_owned();
        self.database
            .read(move |c| match state {
                Some(state) => {
                    let sql = "SELECT * FROM template_order_item WHERE order_id = ?1 AND position >= ?2 AND state = ?4
                               ORDER BY position LIMIT ?3";
                    all(c, sql, (id, from, limit, state), item)
                }
                None => {
                    let sql = "SELECT * FROM template_order_item WHERE order_id = ?1 AND position >= ?2
                               ORDER BY position LIMIT ?3";
                    all(c, sql, (id, from, limit), item)
                }
            })
            .await
    }

    /// Starts a bulk action in one of the states `from`, unless another running one is about to process one of its
    /// templates. Its items in one of the states `again` are planned again.
    pub async fn start_bulk_action(
        &self,
        id: &str,
        from: Vec<RunState>,
        again: Vec<ItemState>,
        at: i64,
    ) -> Result<RunStep, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                if let Some(reason) = job::unstartable(c, KIND, &id, &from)? {
                    return Ok(reason);
                }
                if let Some(other) = busy(c, &id)? {
                    return Ok(RunStep::Busy(other));
                }
                for state in again {
                    c.execute(
                        "UPDATE template_order_item SET state = 'planned' WHERE order_id = ?1 AND state = ?2",
                        (&id, state),
                    )?;
                }
                job::set_running(c, KIND, &id, at)
            })
            .await
    }

    /// Deletes a bulk action that was never started.
    pub async fn discard_bulk_action(&self, id: &str) -> Result<RunStep, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| match job::state(c, KIND, &id)? {
                None => Ok(RunStep::Missing),
                Some(RunState::Planned) => {
                    c.execute("DELETE FROM template_order WHERE id = ?1", [&id])?;
                    Ok(RunStep::Done)
                }
                Some(state) => Ok(RunStep::State(state)),
            })
            .await
    }

    /// Records that a planned item is sent. Send it only if this returns `true`; otherwise it was already sent or its
    /// bulk action is no longer running.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then it must not be sent.
    pub async fn begin_item(&self, id: &str, position: u32, at: i64) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let changed = c
                    .prepare_cached(
                        "UPDATE template_order_item
                         SET state = 'leaving', attempts = attempts + 1, error = NULL, left_at = ?3, answered_at = NULL
                         WHERE order_id = ?1 AND position = ?2 AND state = 'planned'
                           AND (SELECT state FROM template_order WHERE id = ?1) = 'running'",
                    )?
                    .execute((id, position, at))?;
                Ok(changed > 0)
            })
            .await
    }

    /// Records the outcome of an item in the state `from`. Returns whether it was in that state.
    pub async fn move_item(
        &self,
        id: &str,
        position: u32,
        (from, to): (ItemState, ItemState),
        error: Option<String>,
        at: i64,
    ) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let changed = c
                    .prepare_cached(
                        "UPDATE template_order_item SET state = ?4, error = ?5, answered_at = ?6
                         WHERE order_id = ?1 AND position = ?2 AND state = ?3",
                    )?
                    .execute(params![id, position, from, to, error, at])?;
                Ok(changed > 0)
            })
            .await
    }

    /// Items of a workspace with an unknown outcome.
    pub async fn unknown_items(&self, workspace_id: &str) -> Result<Vec<OpenItem>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                // Written exactly as in the index.
                let sql = "SELECT i.*, o.action FROM template_order_item i JOIN template_order o ON o.id = i.order_id
                           WHERE i.workspace_id = ?1 AND i.state IN ('leaving', 'unknown') AND i.state = 'unknown'";
                all(c, sql, [workspace_id], |row| {
                    Ok(OpenItem { bulk_action_id: row.get("order_id")?, action: row.get("action")?, item: item(row)? })
                })
            })
            .await
    }

    /// Workspaces that have items with an unknown outcome.
    pub async fn workspaces_with_unknown_items(&self) -> Result<Vec<String>, StoreError> {
        self.database
            .read(|c| {
                let sql = "SELECT DISTINCT workspace_id FROM template_order_item
                           WHERE state IN ('leaving', 'unknown') AND state = 'unknown'";
                all(c, sql, [], scalar)
            })
            .await
    }

    /// Number of sends of these templates (name and language) recorded since an instant.
    pub async fn sends_since(
        &self,
        workspace_id: &str,
        templates: Vec<(String, String)>,
        since: i64,
    ) -> Result<u64, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let mut count = c.prepare_cached(
                    "SELECT count(*) FROM send
                     WHERE workspace_id = ?1 AND template_name = ?2 AND created_at >= ?4 AND language = ?3
                       AND NOT is_superseded",
                )?;
                let mut sends = 0;
                for (name, language) in templates {
                    sends += count.query_row((&workspace_id, name, language, since), scalar::<u64>)?;
                }
                Ok(sends)
            })
            .await
    }
}

/// Another running bulk action with a template of this one that is planned or in flight.
fn busy(c: &Connection, id: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT other.id FROM template_order other
               WHERE other.state IN ('running', 'cancelling') AND other.id <> ?1 AND EXISTS
                 (SELECT 1 FROM template_order_item a CROSS JOIN template_order_item b
                    ON b.workspace_id = a.workspace_id AND b.template_ref = a.template_ref AND b.order_id = other.id
                  WHERE a.order_id = ?1 AND a.state <> 'skipped' AND b.state IN ('planned', 'leaving'))";
    first(c, sql, [id], scalar)
}

/// Marks bulk actions that were running when the process exited as interrupted, and their items in flight as unknown.
pub(super) fn mark_interrupted(c: &Connection) -> Result<Vec<String>, StoreError> {
    c.execute(
        "UPDATE template_order_item SET state = 'unknown' WHERE state IN ('leaving', 'unknown') AND state = 'leaving'",
        [],
    )?;
    job::mark_interrupted(c, KIND)
}

/// Marks items that were not sent when a backup was made as unknown, because they may have been sent since. Deletes
/// plans that were never started.
pub(super) fn mark_unsent_unknown(c: &Connection) -> Result<(), StoreError> {
    c.execute("DELETE FROM template_order WHERE state = 'planned'", [])?;
    c.execute(
        "UPDATE template_order_item SET state = 'unknown' WHERE state IN ('planned', 'cancelled')
           AND order_id IN (SELECT id FROM template_order WHERE state <> 'done')",
        [],
    )?;
    c.execute("UPDATE template_order SET state = 'done', error = NULL WHERE state <> 'done'", [])?;
    Ok(())
}

fn counted(c: &Connection, bulk_action: BulkAction) -> Result<BulkAction, StoreError> {
    Ok(BulkAction { counts: job::counts(c, KIND, &bulk_action.id)?, ..bulk_action })
}

fn bulk_action(row: &Row<'_>) -> rusqlite::Result<BulkAction> {
    from_row!(row => BulkAction {
        id, workspace_id, action, state, error, undo_of, facts, total, created_at, started_at, ended_at, undone,
        counts: Vec::new(),
    })
}

fn item(row: &Row<'_>) -> rusqlite::Result<BulkActionItem> {
    from_row!(row => BulkActionItem {
        position, template_ref, channel_id, name, language, status_before, archived_before, state, error, attempts,
        sent_at = "left_at", answered_at,
    })
}
