//! The reports of a message, as its row holds them: a JSON array of `[status, at, seq, error]` with a number for a known
//! status, instants and deliveries relative to those of the message, and without zeros and nulls at the end.

use std::borrow::Cow;
use std::fmt::Write as _;

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::StoreError;
use crate::rows::to_json;

/// Statuses by their number in rows. The view `message` has them too. A number cannot be given to another status without
/// another format of the file.
const KNOWN_STATUSES: [&str; 4] = ["read", "delivered", "sent", "failed"];

/// A reported status, with texts that it may share with the item it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Report<'a> {
    pub(super) status: StatusWord<'a>,
    pub(super) at: i64,
    pub(super) seq: i64,
    pub(super) error: Option<Cow<'a, str>>,
}

/// A status; in rows, its number if it has one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StatusWord<'a>(pub(super) Cow<'a, str>);

impl StatusWord<'_> {
    fn number(&self) -> Option<u8> {
        (0..).zip(KNOWN_STATUSES).find(|(_, known)| *known == self.0).map(|(number, _)| number)
    }

    fn of_number(number: i64) -> Option<Self> {
        Some(Self(Cow::Borrowed(KNOWN_STATUSES.get(usize::try_from(number).ok()?)?)))
    }
}

impl AsRef<str> for StatusWord<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToSql for StatusWord<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.number() {
            Some(number) => ToSqlOutput::from(number),
            None => ToSqlOutput::from(self.as_ref()),
        })
    }
}

impl FromSql for StatusWord<'_> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Integer(number) => Self::of_number(number).ok_or(FromSqlError::OutOfRange(number)),
            _ => Ok(Self(Cow::Owned(value.as_str()?.to_owned()))),
        }
    }
}

/// What the numbers of reports are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) at: i64,
    pub(super) seq: i64,
}

/// Replaces `json` with the reports.
pub(super) fn write(reports: &[Report<'_>], origin: Origin, json: &mut String) -> Result<(), StoreError> {
    json.clear();
    json.push('[');
    for (index, report) in reports.iter().enumerate() {
        json.push_str(if index == 0 { "[" } else { ",[" });
        match report.status.number() {
            Some(number) => json.push(char::from(b'0' + number)),
            None => json.push_str(&to_json(report.status.as_ref())?),
        }
        // Wrapping, because an instant may be any number that a delivery names.
        let (at, seq) = (report.at.wrapping_sub(origin.at), report.seq.wrapping_sub(origin.seq));
        let written = match (at, seq, &report.error) {
            (_, _, Some(error)) => write!(json, ",{at},{seq},{}", to_json(error)?),
            (0, 0, None) => Ok(()),
            (_, 0, None) => write!(json, ",{at}"),
            (_, _, None) => write!(json, ",{at},{seq}"),
        };
        written.map_err(|error| StoreError::Value(error.to_string()))?;
        json.push(']');
    }
    json.push(']');
    Ok(())
}

#[derive(Deserialize)]
struct Stored<'a>(
    #[serde(borrow)] &'a RawValue,
    #[serde(default)] i64,
    #[serde(default)] i64,
    #[serde(default)] Option<String>,
);

pub(super) fn read(json: &str, origin: Origin) -> Result<Vec<Report<'static>>, serde_json::Error> {
    let stored: Vec<Stored<'_>> = serde_json::from_str(json)?;
    let report = |Stored(status, at, seq, error): Stored<'_>| {
        let known = status.get().parse().ok().and_then(StatusWord::of_number);
        let status = match known {
            Some(status) => status,
            None => StatusWord(Cow::Owned(serde_json::from_str(status.get())?)),
        };
        let (at, seq) = (origin.at.wrapping_add(at), origin.seq.wrapping_add(seq));
        Ok(Report { status, at, seq, error: error.map(Cow::Owned) })
    };
    stored.into_iter().map(report).collect()
}
