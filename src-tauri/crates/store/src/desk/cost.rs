//! Delivered messages by what decides on their price.

use rusqlite::Row;

use super::Desk;
use crate::StoreError;
use crate::rows::{all, from_row, to_json, tuple};

/// Delivered messages that are alike in what they cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CostFigure {
    /// Day of delivery, counted from 1970-01-01 UTC.
    pub period: i64,
    /// Empty for free texts.
    pub template_name: String,
    /// ISO 3166 code of the recipient's country; empty if unknown.
    pub country: String,
    /// In lower case; empty if unknown.
    pub category: String,
    pub charged: u64,
    pub free: u64,
    /// Messages of which it was not reported whether they are charged.
    pub unsaid: u64,
}

impl Desk {
    /// Messages that were delivered on these days, optionally only those that went out from `numbers`, in the order of
    /// their days, which are counted from 1970-01-01 UTC.
    pub async fn delivered(
        &self,
        workspace_id: &str,
        days: (i64, i64),
        numbers: Option<&[String]>,
    ) -> Result<Vec<CostFigure>, StoreError> {
        let key = (workspace_id.to_owned(), days.0, days.1, numbers.map(to_json).transpose()?);
        let sql = "SELECT period, template_name, country, category, sum(charged) AS charged, sum(free) AS free,
                     sum(unsaid) AS unsaid
                   FROM figure_cost WHERE workspace_id = ?1 AND period BETWEEN ?2 AND ?3
                     AND (?4 IS NULL OR number IN (SELECT value FROM json_each(?4)))
                   GROUP BY period, template_name, country, category HAVING sum(charged + free + unsaid) > 0
                   ORDER BY period, template_name, country, category";
        self.database.read(move |c| all(c, sql, key, figure)).await
    }

    /// Messages of these templates that were sent since, were delivered and were not reported to be free: the template's
    /// reference, the ISO 3166 code of the recipient's country (empty if unknown), and their number.
    pub async fn delivered_of_templates(
        &self,
        workspace_id: &str,
        references: &[String],
        since: i64,
    ) -> Result<Vec<(String, String, u64)>, StoreError> {
        let key = (workspace_id.to_owned(), to_json(references)?, since);
        let sql = "SELECT w.value, coalesce(s.country, ''), count(*) FROM json_each(?2) w
                   CROSS JOIN send s INDEXED BY send_reference
                     ON s.workspace_id = ?1 AND s.template_ref = w.value AND s.created_at >= ?3
                   WHERE s.delivered_at IS NOT NULL AND coalesce(s.billable, 1) <> 0 GROUP BY 1, 2";
        self.database.read(move |c| all(c, sql, key, tuple)).await
    }

    /// The delivered messages of a batch, in the order of their days.
    pub async fn delivered_of_batch(&self, batch: &str) -> Result<Vec<CostFigure>, StoreError> {
        let batch = batch.to_owned();
        let sql = "SELECT period, template_name, country, category, sum(charged) AS charged, sum(free) AS free,
                     sum(unsaid) AS unsaid
                   FROM send_cost WHERE batch_id = ?1 GROUP BY period, template_name, country, category
                   ORDER BY period, template_name, country, category";
        self.database.read(move |c| all(c, sql, [batch], figure)).await
    }
}

fn figure(row: &Row<'_>) -> rusqlite::Result<CostFigure> {
    from_row!(row => CostFigure { period, template_name, country, category, charged, free, unsaid })
}
