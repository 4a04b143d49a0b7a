//! Queries, and rows as structs: a field has the name of its column, so that the order of columns does not matter.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _, Params, Row};
use serde::Serialize;

use crate::StoreError;

/// Reads a struct from a row: `from_row!(row => Draft { id, order = "order_id", counts: Vec::new() })`.
///
/// A field is read from the column of its name or of the given name, or has the given value.
macro_rules! from_row {
    ($row:expr => $type:ident { $($field:ident $(= $column:literal)? $(: $value:expr)?),* $(,)? }) => {
        Ok::<$type, rusqlite::Error>($type {
            $($field: $crate::rows::from_row!(@ $row, $field $(= $column)? $(: $value)?)),*
        })
    };
    (@ $row:expr, $field:ident) => { $row.get(stringify!($field))? };
    (@ $row:expr, $field:ident = $column:literal) => { $row.get($column)? };
    (@ $row:expr, $field:ident : $value:expr) => { $value };
}

/// Inserts a row: `insert_row!(c, "draft" => draft { id, key: key(&draft.language) }, "ON CONFLICT DO NOTHING")`.
///
/// A column has the value of the field of its name, or the given value. Evaluates to the number of inserted rows.
macro_rules! insert_row {
    ($c:expr, $table:literal => $source:ident { $($columns:tt)* }, $on_conflict:literal) => {
        $c.prepare_cached(concat!($crate::rows::insert_row!(@sql $table $($columns)*), $on_conflict))
            .and_then(|mut insert| insert.execute($crate::rows::insert_row!(@values $source $($columns)*)))
    };
    ($c:expr, $table:literal => $source:ident { $($columns:tt)* }, $on_conflict:expr) => {
        $c.prepare_cached(&format!("{}{}", $crate::rows::insert_row!(@sql $table $($columns)*), $on_conflict))
            .and_then(|mut insert| insert.execute($crate::rows::insert_row!(@values $source $($columns)*)))
    };
    (@sql $table:literal $first:ident $(: $value:expr)? $(, $column:ident $(: $other:expr)?)* $(,)?) => {
        concat!(
            "INSERT INTO ", $table, " (", stringify!($first), $(", ", stringify!($column),)*
            ") VALUES (?", $($crate::rows::insert_row!(@place $column),)* ") "
        )
    };
    (@place $column:ident) => { ", ?" };
    (@values $source:ident $($column:ident $(: $value:expr)?),* $(,)?) => {
        rusqlite::params![$($crate::rows::insert_row!(@value $source $column $(: $value)?)),*]
    };
    (@value $source:ident $column:ident) => { $source.$column };
    (@value $source:ident $column:ident : $value:expr) => { $value };
}

pub(crate) use {from_row, insert_row};

/// All rows of a query.
pub(crate) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params, map)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The first row of a query.
pub(crate) fn first<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    map: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    Ok(connection.prepare_cached(sql)?.query_row(params, map).optional()?)
}

/// A value as JSON, such as a list for `json_each`.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Value(error.to_string()))
}

/// The first column.
pub(crate) fn scalar<T: FromSql>(row: &Row<'_>) -> rusqlite::Result<T> {
    row.get(0)
}

/// All columns, as a tuple in the order of the statement.
pub(crate) fn tuple<T>(row: &Row<'_>) -> rusqlite::Result<T>
where
    T: for<'a> TryFrom<&'a Row<'a>, Error = rusqlite::Error>,
{
    T::try_from(row)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[derive(Debug, PartialEq)]
    struct Person {
        name: String,
        age: u32,
        number: Option<String>,
        is_new: bool,
    }

    fn person(row: &Row<'_>) -> rusqlite::Result<Person> {
        from_row!(row => Person { number = "phone", name, age, is_new: false })
    }

    #[test]
    fn rows_do_not_depend_on_the_order_of_columns() {
        let c = Connection::open_in_memory().unwrap();
        c.execute_batch("CREATE TABLE person (phone TEXT, age INTEGER, name TEXT PRIMARY KEY) STRICT").unwrap();
        let ana = Person { name: "Ana".to_owned(), age: 30, number: Some("55".to_owned()), is_new: true };
        assert_eq!(insert_row!(c, "person" => ana { name, phone: ana.number, age }, ""), Ok(1));
        assert_eq!(insert_row!(c, "person" => ana { name, age }, "ON CONFLICT DO NOTHING"), Ok(0));
        let raise = String::from("ON CONFLICT DO UPDATE SET age = excluded.age + 1");
        assert_eq!(insert_row!(c, "person" => ana { age, name }, raise), Ok(1));
        for sql in ["SELECT * FROM person", "SELECT age, name, phone FROM person"] {
            let read = c.query_row(sql, [], person).unwrap();
            assert_eq!(read, Person { name: "Ana".to_owned(), age: 31, number: Some("55".to_owned()), is_new: false });
        }
        assert!(c.query_row("SELECT name, age FROM person", [], person).is_err());
        assert_eq!(c.query_row("SELECT name, age FROM person", [], tuple), Ok(("Ana".to_owned(), 31)));
        assert_eq!(c.query_row("SELECT age FROM person", [], scalar), Ok(31));
    }
}
