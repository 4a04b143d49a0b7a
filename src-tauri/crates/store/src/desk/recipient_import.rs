//! Imports into the address book, and what takes them back.

use rusqlite::Connection;

use super::Desk;
use super::recipient::{REPLACE, Recipient, STORED, insert, read};
use crate::StoreError;
use crate::rows::{first, to_json};

/// A recipient whom an import adds or changes. Number and identifier stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientChange {
    /// `None` if the import adds them.
    pub before: Option<Recipient>,
    pub after: Recipient,
}

impl Desk {
    /// Stores an import, all or nothing. Returns `false`, and nothing is stored, if one of the recipients is no longer as
    /// the import found them.
    pub async fn import_recipients(
        &self,
        changes: impl AsRef<[RecipientChange]> + Send + 'static,
    ) -> Result<bool, StoreError> {
        self.database
            .write(move |c| {
                for RecipientChange { before, after } in changes.as_ref() {
                    let found = match before {
                        Some(before) => by_id(c, before)?.is_some_and(|found| has_same_content(&found, before)),
                        None => !has_number(c, after)?,
                    };
                    if !found {
                        return Ok(false);
                    }
                }
                for change in changes.as_ref() {
                    insert(c, &change.after, REPLACE)?;
                }
                Ok(true)
            })
            .await
    }

    /// Takes back what an import stored, all or nothing. What was changed since stays: each of name, note and labels for
    /// itself, and a new recipient who was changed. Returns how many recipients were changed or deleted since.
    pub async fn undo_recipient_import(
        &self,
        changes: impl AsRef<[RecipientChange]> + Send + 'static,
    ) -> Result<u32, StoreError> {
        self.database
            .write(move |c| {
                let mut kept = 0;
                for RecipientChange { before, after } in changes.as_ref() {
                    let Some(now) = by_id(c, after)? else {
                        kept += 1;
                        continue;
                    };
                    let is_unchanged = has_same_content(&now, after);
                    kept += u32::from(!is_unchanged);
                    match before {
                        None if is_unchanged => {
                            c.prepare_cached("DELETE FROM recipient WHERE id = ?1")?.execute([&after.id])?;
                        }
                        None => {}
                        Some(before) => {
                            let restored =
                                if is_unchanged { before.clone() } else { without_change(&now, before, after)? };
                            if !has_same_content(&restored, &now) {
                                insert(c, &restored, REPLACE)?;
                            }
                        }
                    }
                }
                Ok(kept)
            })
            .await
    }
}

fn by_id(c: &Connection, recipient: &Recipient) -> Result<Option<Recipient>, StoreError> {
    first(c, &format!("{STORED} WHERE id = ?1 AND workspace_id = ?2"), (&recipient.id, &recipient.workspace_id), read)
}

fn has_number(c: &Connection, recipient: &Recipient) -> Result<bool, StoreError> {
    let sql = format!("{STORED} WHERE workspace_id = ?1 AND number = ?2");
    Ok(first(c, &sql, (&recipient.workspace_id, &recipient.number), read)?.is_some())
}

fn has_same_content(a: &Recipient, b: &Recipient) -> bool {
    (&a.name, &a.number, &a.labels, &a.note) == (&b.name, &b.number, &b.labels, &b.note)
}

/// A recipient as they are now, without what an import changed and nobody else since.
fn without_change(now: &Recipient, before: &Recipient, after: &Recipient) -> Result<Recipient, StoreError> {
    let restored = |now: &String, before: &String, after: &String| if now == after { before } else { now }.clone();
    Ok(Recipient {
        name: restored(&now.name, &before.name, &after.name),
        note: restored(&now.note, &before.note, &after.note),
        labels: labels_without(now, before, after)?,
        ..now.clone()
    })
}

fn labels_without(now: &Recipient, before: &Recipient, after: &Recipient) -> Result<String, StoreError> {
    let read = |recipient: &Recipient| serde_json::from_str::<Vec<String>>(&recipient.labels);
    let (Ok(labels), Ok(before), Ok(after)) = (read(now), read(before), read(after)) else {
        return Ok(now.labels.clone());
    };
    let is_added = |label: &String| after.contains(label) && !before.contains(label);
    to_json(&labels.into_iter().filter(|label| !is_added(label)).collect::<Vec<_>>())
}
