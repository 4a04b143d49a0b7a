//! The tables, and their migrations.

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

use crate::error::LogError;

/// The steps from an empty schema; step `n` makes format `n`.
const STEPS: [&str; 1] = [include_str!("../../schema/log-1.sql")];
/// The format of this version.
const KNOWN: i32 = STEPS.len() as i32;
/// How often creating what another process creates at the same time is tried again: `IF NOT EXISTS` fails then.
const ATTEMPTS: u32 = 5;
/// A standby that is away does not stop it: whatever is appended waits for the standby to have the tables, too.
const BEGIN: &str = "
    BEGIN;
    SET LOCAL synchronous_commit = local;
    SET LOCAL lock_timeout = '30s';
    CREATE SCHEMA IF NOT EXISTS template_desk;
    CREATE TABLE IF NOT EXISTS template_desk.meta (id int PRIMARY KEY, format int NOT NULL);
    INSERT INTO template_desk.meta (id, format) VALUES (1, 0) ON CONFLICT DO NOTHING;";

/// Creates or migrates the tables, also while other processes do the same. Writes nothing if they are there.
pub(super) async fn migrate(client: &Client) -> Result<(), LogError> {
    match check(client).await {
        Err(LogError::NoTables) => {}
        Err(LogError::Format { found, known }) if found < known => {}
        checked => return checked,
    }
    let mut attempt = 1;
    loop {
        let migrated = steps(client).await;
        client.batch_execute(if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
        match migrated {
            Err(LogError::Postgres(error)) if attempt < ATTEMPTS && is_race(&error) => attempt += 1,
            migrated => return migrated,
        }
    }
}

async fn steps(client: &Client) -> Result<(), LogError> {
    client.batch_execute(BEGIN).await?;
    // The lock on the row lets one process migrate at a time.
    let found = format(client, "FOR UPDATE").await?;
    if found > KNOWN {
        return Err(LogError::Format { found, known: KNOWN });
    }
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        client.batch_execute(step).await?;
    }
    let sql = "UPDATE template_desk.meta SET format = $1 WHERE id = 1";
    client.execute_typed(sql, &[(&KNOWN, Type::INT4)]).await?;
    Ok(())
}

/// The format of the tables.
async fn format(client: &Client, lock: &str) -> Result<i32, LogError> {
    let sql = format!("SELECT format FROM template_desk.meta WHERE id = 1 {lock}");
    Ok(client.query_typed_one(&sql, &[]).await?.get(0))
}

/// Checks that the tables have the format of this version.
pub(super) async fn check(client: &Client) -> Result<(), LogError> {
    match format(client, "").await {
        Err(LogError::Postgres(error))
            if matches!(error.code(), Some(&SqlState::UNDEFINED_TABLE | &SqlState::INVALID_SCHEMA_NAME)) =>
        {
            Err(LogError::NoTables)
        }
        Ok(0) => Err(LogError::NoTables),
        Ok(found) if found != KNOWN => Err(LogError::Format { found, known: KNOWN }),
        checked => checked.map(drop),
    }
}

fn is_race(error: &tokio_postgres::Error) -> bool {
    let races =
        [SqlState::UNIQUE_VIOLATION, SqlState::DUPLICATE_SCHEMA, SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT];
    error.code().is_some_and(|code| races.contains(code))
}
