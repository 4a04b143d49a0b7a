//! The table of each month.

use chrono::{DateTime, Datelike as _, Months, Utc};
use tokio_postgres::Client;

use super::schema;
use crate::error::LogError;

/// A month, as in the name of its table: `2026_11`. Ordered by time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Month(String);

impl Month {
    pub(super) fn of(at: DateTime<Utc>) -> Self {
        Self(format!("{:04}_{:02}", at.year().clamp(0, 9_999), at.month()))
    }

    /// A month as stored; `None` if it is not one, because its name becomes part of a statement.
    pub(super) fn stored(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('_')?;
        let is_number = |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
        (is_number(year, 4) && is_number(month, 2)).then(|| Self(text.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn table(&self) -> String {
        format!("template_desk.delivery_{}", self.0)
    }

    /// Creates its table if it does not exist.
    pub(super) async fn create(&self, client: &Client) -> Result<(), LogError> {
        let table = self.table();
        schema::create(
            client,
            &format!(
                "CREATE TABLE IF NOT EXISTS {table} (
                   stream uuid NOT NULL, seq bigint NOT NULL, endpoint text NOT NULL, received_at bigint NOT NULL,
                   headers text NOT NULL, body bytea NOT NULL, crc bigint NOT NULL, PRIMARY KEY (stream, seq))"
            ),
        )
        .await
    }
}

/// Removes the deliveries of all but the last `kept` months, this month included. Returns the removed months. Removes
/// nothing if all of them are older, because then the clock is probably wrong.
pub(super) async fn remove_old(client: &mut Client, now: DateTime<Utc>, kept: u32) -> Result<Vec<String>, LogError> {
    let row = client.query_one("SELECT (extract(epoch FROM now()) * 1000)::bigint", &[]).await?;
    // The clock that is behind decides, so that one that is ahead does not remove what is recent.
    let now = DateTime::from_timestamp_millis(row.get(0)).unwrap_or(now).min(now);
    let Some(oldest) = now.checked_sub_months(Months::new(kept.saturating_sub(1))) else { return Ok(Vec::new()) };
    let oldest = Month::of(oldest);
    let rows = client.query("SELECT DISTINCT month FROM template_desk.segment ORDER BY month", &[]).await?;
    let months: Vec<Month> = rows.iter().filter_map(|row| Month::stored(row.get(0))).collect();
    if months.last().is_some_and(|newest| *newest < oldest) {
        tracing::warn!("every delivery is older than what is kept; nothing is removed, because the clock may be wrong");
        return Ok(Vec::new());
    }
    let months = months.into_iter().filter(|month| *month < oldest);
    let mut removed = Vec::new();
    for month in months {
        // First the segments, so that no reader looks for the table.
        let transaction = client.transaction().await?;
        transaction.execute("DELETE FROM template_desk.segment WHERE month = $1", &[&month.as_str()]).await?;
        let without = "DELETE FROM template_desk.stream AS s WHERE s.closed
                       AND NOT EXISTS (SELECT 1 FROM template_desk.segment AS g WHERE g.stream = s.id)";
        transaction.execute(without, &[]).await?;
        transaction.batch_execute(&format!("DROP TABLE IF EXISTS {}", month.table())).await?;
        transaction.commit().await?;
        removed.push(month.0);
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_the_database_are_months_or_nothing() {
        let at = DateTime::from_timestamp_millis(1_795_000_000_000).unwrap_or_default();
        assert_eq!(Month::of(at).table(), "template_desk.delivery_2026_11");
        for wrong in ["", "2026", "2026-11", "2026_1", "2026_11; DROP TABLE x", "x026_11", "2026_111"] {
            assert_eq!(Month::stored(wrong), None, "{wrong}");
        }
        assert!(Month::stored("2025_12") < Month::stored("2026_01"));
    }
}
