//! Actions of an order and states of its items, as the file stores them.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// What an order does to each of its templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderAction {
    /// Takes it out of use (contract §4.4).
    Archive,
    /// Brings it back (contract §4.5).
    Unarchive,
    /// Removes it for ever (contract §4.6).
    Delete,
}

impl OrderAction {
    const ALL: [Self; 3] = [Self::Archive, Self::Unarchive, Self::Delete];

    /// The word in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Archive => "archive",
            Self::Unarchive => "unarchive",
            Self::Delete => "delete",
        }
    }

    /// The action of a word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == word)
    }

    /// What takes it back; nothing takes a deletion back.
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        match self {
            Self::Archive => Some(Self::Unarchive),
            Self::Unarchive => Some(Self::Archive),
            Self::Delete => None,
        }
    }
}

impl ToSql for OrderAction {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for OrderAction {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::of(word).ok_or_else(|| FromSqlError::Other(format!("{word:?} is no action of an order").into()))
    }
}

/// Where an item stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ItemState {
    /// It has not left, or leaves again.
    #[default]
    Planned,
    /// Written down and about to leave, or on its way.
    Leaving,
    /// The provider did it.
    Done,
    /// The provider refused it, or failed.
    Failed,
    /// It may have been done: the answer is missing.
    Unknown,
    /// It never left, because the order was cancelled.
    Cancelled,
    /// It never leaves: there is nothing to do.
    Skipped,
}

impl ItemState {
    const ALL: [Self; 7] =
        [Self::Planned, Self::Leaving, Self::Done, Self::Failed, Self::Unknown, Self::Cancelled, Self::Skipped];

    /// The word in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Leaving => "leaving",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::Cancelled => "cancelled",
            Self::Skipped => "skipped",
        }
    }

    /// The state of a word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

impl ToSql for ItemState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for ItemState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::of(word).ok_or_else(|| FromSqlError::Other(format!("{word:?} is no state of an item").into()))
    }
}
