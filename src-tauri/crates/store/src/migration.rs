//! Migrates from any released format to the newest, atomically.

use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::{Batch, Connection, TransactionBehavior};

use crate::schema::Schema;
use crate::{StoreError, failpoint};

/// Runs every pending step and updates the format number in one transaction: a file is in the old format or in the
/// newest, never in between.
pub(crate) fn migrate(connection: &mut Connection, schema: &Schema) -> Result<(), StoreError> {
    let found: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found == schema.newest() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read again inside the transaction: another process may have migrated meanwhile.
    let found: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for (version, step) in (schema.first..).zip(schema.steps) {
        if version > found {
            run(&transaction, step)?;
        }
    }
    transaction.pragma_update(None, "application_id", schema.application_id)?;
    transaction.pragma_update(None, "user_version", schema.newest())?;
    failpoint::step("migration.stamped")?;
    transaction.commit()?;
    failpoint::step("migration.committed")?;
    Ok(())
}

/// Runs the statements of a step one by one.
fn run(connection: &Connection, step: &str) -> Result<(), StoreError> {
    failpoint::step("migration.statement")?;
    let mut statements = Batch::new(connection, step);
    while let Some(mut statement) = statements.next()? {
        statement.raw_execute()?;
        failpoint::step("migration.statement")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::connection;
    use crate::schema::Synchronous;

    const FIRST: &str = "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)";
    const SECOND: &str = "ALTER TABLE a ADD COLUMN y TEXT; UPDATE a SET y = 'kept'";
    const THIRD: &str = "CREATE TABLE b AS SELECT * FROM a; DROP TABLE a";

    const fn schema(steps: &'static [&'static str]) -> Schema {
        Schema { application_id: 7, synchronous: Synchronous::Full, checkpoint_pages: 100, first: 1, steps }
    }

    static VERSIONS: [Schema; 3] = [schema(&[FIRST]), schema(&[FIRST, SECOND]), schema(&[FIRST, SECOND, THIRD])];

    fn dump(connection: &Connection) -> Vec<String> {
        let mut statement = connection.prepare("SELECT sql FROM sqlite_schema ORDER BY name").unwrap();
        let mut rows: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        rows.push(connection.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0)).unwrap().to_string());
        rows
    }

    #[test]
    fn every_version_migrates_to_the_newest() {
        let expected = dump(&connection::open_in_memory(&VERSIONS[2]).unwrap());
        for version in &VERSIONS {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("file.sqlite");
            drop(connection::open(&path, version).unwrap());
            let connection = connection::open(&path, &VERSIONS[2]).unwrap();
            assert_eq!(dump(&connection), expected);
            let row: (i64, String) =
                connection.query_row("SELECT * FROM b", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            assert_eq!(row, (1, "kept".to_owned()));
        }
    }

    #[test]
    fn a_failed_step_leaves_the_file_unchanged() {
        // Each fails at another statement, after others have succeeded.
        static BROKEN: [Schema; 3] = [
            schema(&[FIRST, "ALTER TABLE a ADD COLUMN y TEXT; SELECT nonsense FROM a"]),
            schema(&[FIRST, SECOND, "DROP TABLE a; CREATE TABLE"]),
            schema(&[FIRST, SECOND, THIRD, "INSERT INTO b VALUES (2, 'x'); INSERT INTO a VALUES (1)"]),
        ];
        for broken in &BROKEN {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("file.sqlite");
            let before = dump(&connection::open(&path, &VERSIONS[0]).unwrap());
            assert!(connection::open(&path, broken).is_err());
            assert_eq!(dump(&connection::open(&path, &VERSIONS[0]).unwrap()), before);
        }
        // A new file is not created partially either.
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file.sqlite");
        assert!(connection::open(&path, &BROKEN[1]).is_err());
        assert_eq!(dump(&connection::open(&path, &VERSIONS[0]).unwrap()).len(), 2);
    }

    #[test]
    fn an_interrupted_migration_leaves_the_file_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file.sqlite");
        let connection = connection::open(&path, &VERSIONS[0]).unwrap();
        let before = dump(&connection);
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        connection.execute_batch(SECOND).unwrap();
        connection.pragma_update(None, "user_version", 2).unwrap();
        // A copy of the file on the disk, opened separately: the state after a kill.
        let copy = tempfile::tempdir().unwrap();
        for name in ["file.sqlite", "file.sqlite-wal"] {
            std::fs::copy(dir.path().join(name), copy.path().join(name)).unwrap();
        }
        let copied = copy.path().join("file.sqlite");
        assert_eq!(dump(&connection::open(&copied, &VERSIONS[0]).unwrap()), before);
        connection::open(&copied, &VERSIONS[2]).unwrap();
    }

    #[test]
    fn a_reader_does_not_migrate() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file.sqlite");
        drop(connection::open(&path, &VERSIONS[0]).unwrap());
        let refused = connection::open_reader(&path, &VERSIONS[1]);
        assert!(matches!(refused, Err(StoreError::Older { found: 1, known: 2, .. })));
        let reader = connection::open_reader(&path, &VERSIONS[0]).unwrap();
        assert!(reader.execute("INSERT INTO a VALUES (2)", []).is_err());
    }
}
