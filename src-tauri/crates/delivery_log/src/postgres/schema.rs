//! The tables, and their migrations.

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use crate::error::LogError;

/// The steps from an empty schema; step `n` makes format `n`.
const STEPS: [&str; 1] = [include_str!("../../schema/log-1.sql")];
/// How often creating what another process creates at the same time is tried again.
const ATTEMPTS: u32 = 5;

/// Creates or migrates the tables, also while other processes do the same.
pub(super) async fn migrate(client: &mut Client) -> Result<(), LogError> {
    create(
        client,
        "CREATE SCHEMA IF NOT EXISTS template_desk;
         CREATE TABLE IF NOT EXISTS template_desk.meta (id int PRIMARY KEY, format int NOT NULL);
         INSERT INTO template_desk.meta (id, format) VALUES (1, 0) ON CONFLICT DO NOTHING;",
    )
    .await?;
    let transaction = client.transaction().await?;
    // The lock on the row lets one process migrate at a time.
    let row = transaction.query_one("SELECT format FROM template_desk.meta WHERE id = 1 FOR UPDATE", &[]).await?;
    let (found, known) = (row.get::<_, i32>(0), i32::try_from(STEPS.len()).unwrap_or(i32::MAX));
    if found > known {
        return Err(LogError::Newer { found, known });
    }
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.batch_execute(step).await?;
    }
    transaction.execute("UPDATE template_desk.meta SET format = $1 WHERE id = 1", &[&known]).await?;
    transaction.commit().await?;
    Ok(())
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
