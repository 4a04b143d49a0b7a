//! Ids of texts that many rows have: each text is stored once, and rows refer to it.

use std::collections::HashMap;

use rusqlite::{CachedStatement, Connection, OptionalExtension as _};

use crate::StoreError;

/// A table of texts with their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextTable {
    /// Recipients and authors.
    Person,
    /// Routes, pricings, and parts of conversations of messages.
    Shared,
}

impl TextTable {
    /// The statements that find and that add a text.
    fn statements(self) -> (&'static str, &'static str) {
        match self {
            Self::Person => ("SELECT id FROM person WHERE name = ?1", "INSERT INTO person (name) VALUES (?1)"),
            Self::Shared => {
                ("SELECT id FROM shared_text WHERE value = ?1", "INSERT INTO shared_text (value) VALUES (?1)")
            }
        }
    }
}

/// The texts of one table, within one transaction.
pub(super) struct Interner<'a> {
    c: &'a Connection,
    find: CachedStatement<'a>,
    add: CachedStatement<'a>,
    known: HashMap<String, i64>,
}

impl<'a> Interner<'a> {
    pub(super) fn new(c: &'a Connection, table: TextTable) -> Result<Self, StoreError> {
        let (find, add) = table.statements();
        Ok(Self { c, find: c.prepare_cached(find)?, add: c.prepare_cached(add)?, known: HashMap::new() })
    }

    /// The id of a text, which is added if it is new.
    pub(super) fn id(&mut self, text: &str) -> Result<i64, StoreError> {
        if let Some(id) = self.known.get(text) {
            return Ok(*id);
        }
        let found: Option<i64> = self.find.query_row([text], |row| row.get(0)).optional()?;
        let id = match found {
            Some(id) => id,
            None => {
                self.add.execute([text])?;
                self.c.last_insert_rowid()
            }
        };
        self.known.insert(text.to_owned(), id);
        Ok(id)
    }

    /// The id of a text that may be absent.
    pub(super) fn maybe_id(&mut self, text: Option<&str>) -> Result<Option<i64>, StoreError> {
        text.map(|text| self.id(text)).transpose()
    }
}

/// Removes a person to whom no item and no message refers.
pub(super) fn remove_unused_person(c: &Connection, name: &str) -> Result<(), StoreError> {
    c.prepare_cached(
        "DELETE FROM person WHERE name = ?1
           AND NOT EXISTS (SELECT 1 FROM item_row WHERE contact = person.id)
           AND NOT EXISTS (SELECT 1 FROM message_row WHERE recipient = person.id)",
    )?
    .execute([name])?;
    Ok(())
}
