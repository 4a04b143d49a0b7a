//! The tables, and their migrations.

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

use crate::error::LogError;

/// The steps from an empty schema; step `n` makes format `n`.
const STEPS: [&str; 1] = [include_str!("../../schema/log-1.sql")];
/// How often creating what another process creates at the same time is tried again.
const ATTEMPTS: u32 = 5;

/// Creates or migrates the tables, also while other processes do the same. Writes nothing if they are there.
pub(super) async fn migrate(client: &Client) -> Result<(), LogError> {
    let known = i32::try_from(STEPS.len()).unwrap_or(i32::MAX);
    match format(client, "").await {
        Ok(found) if found >= known => {
            return if found == known { Ok(()) } else { Err(LogError::Newer { found, known }) };
        }
        _ => {}
    }
    // A standby that is away does not stop it: whatever is appended waits for the standby to have the tables, too.
    create(
        client,
        "SET LOCAL synchronous_commit = local;
         CREATE SCHEMA IF NOT EXISTS template_desk;
         CREATE TABLE IF NOT EXISTS template_desk.meta (id int PRIMARY KEY, format int NOT NULL);
         INSERT INTO template_desk.meta (id, format) VALUES (1, 0) ON CONFLICT DO NOTHING;",
    )
    .await?;
    client.batch_execute("BEGIN; SET LOCAL synchronous_commit = local; SET LOCAL lock_timeout = '30s'").await?;
    let migrated = steps(client, known).await;
    client.batch_execute(if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
    migrated
}

async fn steps(client: &Client, known: i32) -> Result<(), LogError> {
    // The lock on the row lets one process migrate at a time.
    let found = format(client, "FOR UPDATE").await?;
    if found > known {
        return Err(LogError::Newer { found, known });
    }
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        client.batch_execute(step).await?;
    }
    let sql = "UPDATE template_desk.meta SET format = $1 WHERE id = 1";
    client.execute_typed(sql, &[(&known, Type::INT4)]).await?;
    Ok(())
}

/// The format of the tables.
async fn format(client: &Client, lock: &str) -> Result<i32, LogError> {
    let sql = format!("SELECT format FROM template_desk.meta WHERE id = 1 {lock}");
    Ok(client.query_typed_one(&sql, &[]).await?.get(0))
}

/// Checks that the tables have the format of this version.
pub(super) async fn check(client: &Client) -> Result<(), LogError> {
    let known = i32::try_from(STEPS.len()).unwrap_or(i32::MAX);
    match format(client, "").await {
        Err(LogError::Postgres(error))
            if matches!(error.code(), Some(&SqlState::UNDEFINED_TABLE | &SqlState::INVALID_SCHEMA_NAME)) =>
        {
            Err(LogError::NoTables)
        }
        Ok(0) => Err(LogError::NoTables),
        Ok(found) if found < known => Err(LogError::Older { found, known }),
        Ok(found) if found > known => Err(LogError::Newer { found, known }),
        checked => checked.map(drop),
    }
}

/// Runs statements that create what may exist already. `IF NOT EXISTS` fails if another process creates it at the same
/// time.
pub(super) async fn create(client: &Client, statements: &str) -> Result<(), LogError> {
    let mut attempt = 1;
    loop {
        match client.batch_execute(statements).await {
            Err(error) if attempt < ATTEMPTS && is_race(&error) => attempt += 1,
            done => return Ok(done?),
        }
    }
}

fn is_race(error: &tokio_postgres::Error) -> bool {
    let races =
        [SqlState::UNIQUE_VIOLATION, SqlState::DUPLICATE_SCHEMA, SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT];
    error.code().is_some_and(|code| races.contains(code))
}
