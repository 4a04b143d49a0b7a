//! History of templates beyond the delivery log's retention: events, differences observed by a sync; and read marks.

use model::item::{is_redelivery, key_of_occurrence};
use rusqlite::{Connection, Row};

use super::{BulkActionKind, Desk, ItemState, Version, version};
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, scalar, tuple};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateEvent {
    pub workspace_id: String,
    /// Identity of the event: the same for every delivery of it.
    pub key: String,
    /// Name of the template; empty if the event has none.
    pub template_name: String,
    /// Its language in the app's notation; empty if the event has none.
    pub language: String,
    /// The channel's identifier of the template.
    pub channel_id: Option<String>,
    /// The business account; absent if the event has none, and for events stored by older versions.
    pub waba: Option<String>,
    pub at: i64,
    /// The event's type.
    pub event: String,
    pub reason: Option<String>,
    /// The event as received.
    pub value: String,
}

/// A difference observed by a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    pub workspace_id: String,
    /// The provider's reference.
    pub template_ref: String,
    /// When it was observed.
    pub at: i64,
    /// When the listing was requested that still showed the previous value; absent if unknown.
    pub since: Option<i64>,
    /// The field that differs; `added` and `removed` mean the whole template.
    pub field: String,
    /// The WABA that a status changed in, if its WABAs have or had different ones.
    pub waba: Option<String>,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// An action on an existing template, started here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateAction {
    /// Its bulk action.
    pub order: String,
    /// Its position in the bulk action.
    pub position: u32,
    /// The provider's reference.
    pub template_ref: String,
    pub name: String,
    pub language: String,
    pub action: BulkActionKind,
    pub state: ItemState,
    /// Why it failed or is unknown, as JSON.
    pub error: Option<String>,
    /// When it was last sent.
    pub sent_at: i64,
    /// When it was answered or reconciled.
    pub answered_at: Option<i64>,
}

/// Read position of the messages of an identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadMark {
    pub workspace_id: String,
    pub contact: String,
    /// The last item that was shown: messages that arrived later are unread.
    pub item_id: i64,
}

impl Desk {
    /// Stores events; of an event that is already stored, the earliest instant counts. Returns the number of new or
    /// changed events.
    ///
    /// # Errors
    /// [`StoreError`] when they cannot be written; then none is stored.
    pub async fn store_template_events(&self, events: Vec<TemplateEvent>) -> Result<usize, StoreError> {
        self.database
            .write(move |c| {
                let mut added = 0;
                for event in events {
                    if is_repeated_event(c, &event)? {
                        continue;
                    }
                    added += insert_row!(c, "template_event" => event {
                        workspace_id, key, template_name, language, channel_id, at, event, reason, value, waba,
                    }, "ON CONFLICT (workspace_id, key) DO UPDATE SET at = min(at, excluded.at),
                          waba = coalesce(waba, excluded.waba)
                        WHERE excluded.at < at OR waba IS NULL AND excluded.waba IS NOT NULL")?;
                }
                Ok(added)
            })
            .await
    }

    /// The events of a template, newest first: those with its name and language, and those with the channel's
    /// identifier.
    pub async fn template_events(
        &self,
        workspace_id: &str,
        template_name: &str,
        language: &str,
        channel_id: Option<&str>,
        limit: u32,
    ) -> Result<Vec<TemplateEvent>, StoreError> {
        let key = (
            workspace_id.to_owned(),
            template_name.to_owned(),
            language.to_owned(),
            channel_id.map(str::to_owned),
            limit,
        );
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM template_event
                           WHERE workspace_id = ?1 AND template_name = ?2 AND language = ?3
                           UNION SELECT * FROM template_event WHERE workspace_id = ?1 AND channel_id = ?4
                           ORDER BY at DESC, id DESC LIMIT ?5";
                all(c, sql, key, template_event)
            })
            .await
    }

    /// When the last edit of a template up to an instant was sent.
    pub async fn edited_at(
        &self,
        workspace_id: &str,
        template_name: &str,
        language: &str,
        by: i64,
    ) -> Result<Option<i64>, StoreError> {
        let key = (workspace_id.to_owned(), template_name.to_owned(), language.to_owned(), by);
        self.database.read(move |c| edited_at(c, (&key.0, &key.1, &key.2), key.3)).await
    }

    /// Stores the result of a listing: differences, and versions of changed content.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn store_observations(
        &self,
        observations: Vec<Observation>,
        versions: Vec<Version>,
    ) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                for seen in observations {
                    insert_row!(c, "observation" => seen {
                        workspace_id, template_ref, at, field, waba, before, after, since,
                    }, "")?;
                }
                versions.iter().try_for_each(|version| version::insert(c, version, ""))
            })
            .await
    }

    /// The differences observed on a template, newest first.
    pub async fn observations_of(
        &self,
        workspace_id: &str,
        template_ref: &str,
        limit: u32,
    ) -> Result<Vec<Observation>, StoreError> {
        let key = (workspace_id.to_owned(), template_ref.to_owned(), limit);
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM observation WHERE workspace_id = ?1 AND template_ref = ?2
                           ORDER BY at DESC, id DESC LIMIT ?3";
                all(c, sql, key, observation)
            })
            .await
    }

    /// The differences observed in a workspace, newest first.
    pub async fn observations(&self, workspace_id: &str, limit: u32) -> Result<Vec<Observation>, StoreError> {
        let key = (workspace_id.to_owned(), limit);
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM observation WHERE workspace_id = ?1 ORDER BY at DESC, id DESC LIMIT ?2";
                all(c, sql, key, observation)
            })
            .await
    }

    /// The actions on a template started here, newest first, without those that were never sent.
    pub async fn actions_of(
        &self,
        workspace_id: &str,
        template_ref: &str,
        limit: u32,
    ) -> Result<Vec<TemplateAction>, StoreError> {
        let key = (workspace_id.to_owned(), template_ref.to_owned(), limit);
        self.database
            .read(move |c| {
                let sql = "SELECT i.*, o.action FROM template_order_item i JOIN template_order o ON o.id = i.order_id
                           WHERE i.workspace_id = ?1 AND i.template_ref = ?2 AND i.left_at IS NOT NULL
                           ORDER BY i.left_at DESC LIMIT ?3";
                all(c, sql, key, action)
            })
            .await
    }

    /// The templates that an action was last done to, newest first.
    pub async fn last_done(
        &self,
        workspace_id: &str,
        last: BulkActionKind,
        limit: u32,
    ) -> Result<Vec<TemplateAction>, StoreError> {
        let key = (workspace_id.to_owned(), last, limit);
        self.database
            .read(move |c| {
                let sql = "SELECT i.*, o.action FROM template_order o
                           JOIN template_order_item i ON i.order_id = o.id AND i.state = 'done'
                           WHERE o.workspace_id = ?1 AND o.action = ?2 AND i.left_at IS NOT NULL AND NOT EXISTS (
                             SELECT 1 FROM template_order_item l
                             WHERE l.workspace_id = ?1 AND l.template_ref = i.template_ref AND l.state = 'done'
                               AND (l.left_at, l.order_id) > (i.left_at, i.order_id))
                           ORDER BY i.left_at DESC, o.id DESC, i.position LIMIT ?3";
                all(c, sql, key, action)
            })
            .await
    }

    /// The templates that disappeared from listings, newest first.
    pub async fn removals(&self, workspace_id: &str, limit: u32) -> Result<Vec<Observation>, StoreError> {
        let key = (workspace_id.to_owned(), limit);
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM observation WHERE workspace_id = ?1 AND field = 'removed'
                           ORDER BY at DESC, id DESC LIMIT ?2";
                all(c, sql, key, observation)
            })
            .await
    }

    /// The last listed record of a removed template.
    pub async fn removed_record(
        &self,
        workspace_id: &str,
        template_ref: &str,
    ) -> Result<Option<Observation>, StoreError> {
        let key = (workspace_id.to_owned(), template_ref.to_owned());
        self.database
            .read(move |c| {
                let sql =
                    "SELECT * FROM observation WHERE workspace_id = ?1 AND template_ref = ?2 AND field = 'removed'
                           ORDER BY at DESC, id DESC LIMIT 1";
                first(c, sql, key, observation)
            })
            .await
    }

    /// Moves read marks forward; an earlier item changes nothing.
    pub async fn advance_read_marks(&self, marks: Vec<ReadMark>) -> Result<(), StoreError> {
        self.database.write(move |c| marks.iter().try_for_each(|mark| advance(c, mark))).await
    }

    /// Moves read marks back; a later item changes nothing.
    pub async fn move_read_marks_back(&self, marks: Vec<ReadMark>) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                let sql = "UPDATE read_mark SET item_id = min(item_id, ?3) WHERE workspace_id = ?1 AND contact = ?2";
                let mut move_back = c.prepare_cached(sql)?;
                for ReadMark { workspace_id, contact, item_id } in &marks {
                    move_back.execute((workspace_id, contact, item_id))?;
                }
                Ok(())
            })
            .await
    }

    /// Moves read marks back that are beyond an item, such as those of another delivery log, which gave greater
    /// numbers.
    pub async fn limit_read_marks(&self, last: i64) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                c.execute("UPDATE read_mark SET item_id = min(item_id, ?1)", [last])?;
                Ok(())
            })
            .await
    }

    /// All read marks, to restore them in a rebuilt cache.
    pub async fn read_marks(&self) -> Result<Vec<ReadMark>, StoreError> {
        self.database
            .read(|c| {
                all(
                    c,
                    "SELECT * FROM read_mark",
                    [],
                    |row| from_row!(row => ReadMark { workspace_id, contact, item_id }),
                )
            })
            .await
    }
}

/// Moves a read mark forward.
pub(super) fn advance(c: &Connection, mark: &ReadMark) -> Result<(), StoreError> {
    insert_row!(c, "read_mark" => mark {
        workspace_id, contact, item_id,
    }, "ON CONFLICT DO UPDATE SET item_id = max(item_id, excluded.item_id)")?;
    Ok(())
}

fn edited_at(
    c: &Connection,
    (workspace, name, language): (&str, &str, &str),
    by: i64,
) -> Result<Option<i64>, StoreError> {
    // An edit has the reference; the versions of that reference have name and language.
    let sql = "SELECT s.created_at FROM submission s
               WHERE s.workspace_id = ?1 AND s.kind = 'edit' AND s.created_at <= ?4
                 AND EXISTS (SELECT 1 FROM version v
                   WHERE v.workspace_id = ?1 AND v.template_ref = s.template_ref
                     AND v.document ->> '$.name' = ?2
                     AND lower(replace(v.document ->> '$.language', '-', '_')) = lower(?3))
               ORDER BY s.created_at DESC LIMIT 1";
    first(c, sql, (workspace, name, language, by), scalar)
}

/// Whether an undated event is a redelivery of the previous event about the same template.
fn is_repeated_event(c: &Connection, event: &TemplateEvent) -> Result<bool, StoreError> {
    let base = key_of_occurrence(&event.key);
    if base == event.key {
        return Ok(false);
    }
    let kind = base.split(':').next().unwrap_or_default();
    let sql = "SELECT key, at FROM template_event WHERE workspace_id = ?1 AND template_name = ?2 AND language = ?3
                 AND channel_id IS ?4 AND waba IS ?5 AND at <= ?6 AND key LIKE ?7 || ':%'
               ORDER BY at DESC, id DESC LIMIT 1";
    let (workspace, name, language) = (&event.workspace_id, &event.template_name, &event.language);
    let values = (workspace, name, language, &event.channel_id, &event.waba, event.at, kind);
    let Some((key, at)) = first(c, sql, values, tuple::<(String, i64)>)? else {
        return Ok(false);
    };
    let edited = edited_at(c, (workspace, name, language), event.at)?;
    Ok(key != event.key && key_of_occurrence(&key) == base && is_redelivery(at, event.at, edited))
}

pub(super) fn template_event(row: &Row<'_>) -> rusqlite::Result<TemplateEvent> {
    from_row!(row => TemplateEvent {
        workspace_id, key, template_name, language, channel_id, waba, at, event, reason, value,
    })
}

pub(super) fn action(row: &Row<'_>) -> rusqlite::Result<TemplateAction> {
    from_row!(row => TemplateAction {
        order = "order_id", position, template_ref, name, language, action, state, error, sent_at = "left_at",
        answered_at,
    })
}

pub(super) fn observation(row: &Row<'_>) -> rusqlite::Result<Observation> {
    from_row!(row => Observation { workspace_id, template_ref, at, since, field, waba, before, after })
}
