//! Stored figures: outcomes of sends, prices, replies. Reading them does not count sends.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};
use serde::Serialize;
use ts_rs::TS;

use super::Desk;
use crate::StoreError;
use crate::rows::{all, first, from_row, scalar, to_json, tuple};

/// The key by which figures are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureKey {
    /// Name of the template.
    Template,
    /// Language.
    Language,
    /// Category in lower case.
    Category,
    /// Day, counted from 1970-01-01 UTC.
    Day,
}

/// Filter for figures. Absent filters accept everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigureFilter {
    /// Workspace.
    pub workspace_id: String,
    /// Grouping.
    pub by: FigureKey,
    /// First day, counted from 1970-01-01 UTC.
    pub from: Option<i64>,
    /// Last day.
    pub to: Option<i64>,
    /// Name of the template.
    pub template: Option<String>,
    /// Language.
    pub language: Option<String>,
    /// Category in lower case; empty if unknown.
    pub category: Option<String>,
    /// The numbers that it went out from.
    pub numbers: Option<Vec<String>>,
}

/// Outcomes of a group of sends. Each send counts once, by its current status: `sent` is the sum of delivered, failed,
/// waiting, and in flight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FunnelRow {
    /// The group's key; in the desk, a day is its number since 1970-01-01 UTC.
    pub key: String,
    /// Sent, including those that the provider refused at once.
    pub sent: u64,
    /// Delivered, or read.
    pub delivered: u64,
    /// Read.
    pub read: u64,
    /// Answered by a message that refers to it: a tap on a button, or a quote.
    pub replied: u64,
    /// Answered by a tap on one of its buttons, as far as such taps come back as messages.
    pub clicked: u64,
    /// Sent with a button of which a tap comes back as a message. Nothing is known about clicks on the others.
    pub tappable: u64,
    /// Failed, or refused.
    pub failed: u64,
    /// Sent, without a status so far.
    pub waiting: u64,
    /// Failures by code, most first.
    pub codes: Vec<CodeFigure>,
}

/// Number of failures with one code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CodeFigure {
    /// The channel's error code, or `HTTP 401`; empty if unknown.
    pub code: String,
    /// Number of failures.
    pub count: u64,
}

impl FunnelRow {
    /// Adds other sends; afterwards the codes are unordered.
    pub fn add(&mut self, other: &Self) {
        self.sent += other.sent;
        self.delivered += other.delivered;
        self.read += other.read;
        self.replied += other.replied;
        self.clicked += other.clicked;
        self.tappable += other.tappable;
        self.failed += other.failed;
        self.waiting += other.waiting;
        for CodeFigure { code, count } in &other.codes {
            self.count(code, *count);
        }
    }

    fn count(&mut self, code: &str, count: u64) {
        match self.codes.iter_mut().find(|known| known.code == code) {
            Some(known) => known.count += count,
            None => self.codes.push(CodeFigure { code: code.to_owned(), count }),
        }
    }
}

/// Prices of messages of a category and model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PricingRow {
    /// Category in lower case; empty if unknown.
    pub category: String,
    /// Pricing model, such as `PMP`; empty if unknown.
    pub model: String,
    /// Messages that are charged.
    pub billable: u64,
    /// Messages that are not charged.
    pub free: u64,
    /// Messages that were sent without a pricing report.
    pub unknown: u64,
}

/// A reply to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The workspace whose endpoint received it.
    pub workspace_id: String,
    /// The message that it replies to.
    pub message_id: String,
    /// When it was written.
    pub at: i64,
    /// Whether it is a tap on a button of the message.
    pub is_tap: bool,
}

/// Days since 1970 of the first day of a month, such as 202611, and of the month after it.
fn days_of(month: i64) -> (i64, i64) {
    let first = |year: i64, month: i64| {
        // Days from civil, with March as the first month of a year.
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    };
    let (year, number) = (month / 100, month % 100);
    let next = if number == 12 { (year + 1, 1) } else { (year, number + 1) };
    (first(year, number), first(next.0, next.1))
}

/// The month of a day.
fn month_of(day: i64) -> i64 {
    // The day in a year that begins with March, of an era of 400 years.
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let (year, month) = (era * 400 + year, from_march + if from_march < 10 { 3 } else { -9 });
    (year + i64::from(month <= 2)) * 100 + month
}

/// A part of the figures that one index covers.
struct Part {
    grain: &'static str,
    from: i64,
    to: i64,
}

impl Desk {
    /// Figures of sends, ordered by key.
    pub async fn figures(&self, filter: FigureFilter) -> Result<Vec<FunnelRow>, StoreError> {
        self.database.read(move |c| figures(c, &filter)).await
    }

    /// Prices of the messages of each day, oldest first, optionally only of those that went out from `numbers`. Days are
    /// counted from 1970-01-01 UTC.
    pub async fn prices(
        &self,
        workspace_id: &str,
        days: (i64, i64),
        numbers: Option<&[String]>,
    ) -> Result<Vec<(i64, PricingRow)>, StoreError> {
        let key = (workspace_id.to_owned(), days.0, days.1, numbers.map(to_json).transpose()?);
        self.database
            .read(move |c| {
                let sql = "SELECT period, category, model, sum(billable) AS billable, sum(free) AS free,
                             sum(unknown) AS unknown
                           FROM figure_price WHERE workspace_id = ?1 AND period BETWEEN ?2 AND ?3
                             AND (?4 IS NULL OR number IN (SELECT value FROM json_each(?4)))
                           GROUP BY period, category, model HAVING sum(billable + free + unknown) > 0
                           ORDER BY period, category, model";
                all(c, sql, key, |row| {
                    let prices: rusqlite::Result<_> =
                        from_row!(row => PricingRow { category, model, billable, free, unknown });
                    Ok((row.get("period")?, prices?))
                })
            })
            .await
    }

    /// The first and the last of the days on which messages were sent, optionally from `numbers`.
    pub async fn sent_days(
        &self,
        workspace_id: &str,
        days: (i64, i64),
        numbers: Option<&[String]>,
    ) -> Result<Option<(i64, i64)>, StoreError> {
        let key = (workspace_id.to_owned(), days.0, days.1, numbers.map(to_json).transpose()?);
        self.database
            .read(move |c| {
                let sql = "SELECT min(period), max(period) FROM (
                             SELECT workspace_id, period, number FROM figure
                               WHERE grain = 'all' AND template_name = '' AND sent > 0
                             UNION ALL SELECT workspace_id, period, number FROM figure_price
                               WHERE billable > 0 OR free > 0 OR unknown > 0)
                           WHERE workspace_id = ?1 AND period BETWEEN ?2 AND ?3
                             AND (?4 IS NULL OR number IN (SELECT value FROM json_each(?4)))";
                let days = first(c, sql, key, tuple::<(Option<i64>, Option<i64>)>)?;
                Ok(days.and_then(|(first, last)| first.zip(last)))
            })
            .await
    }

    /// Records replies to messages. The first reply to a message counts; replies to messages not sent from here are
    /// ignored. Returns the sends that changed.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn store_replies(&self, replies: Vec<Reply>) -> Result<Vec<String>, StoreError> {
        self.database
            .write(move |c| {
                let mut changed = Vec::new();
                for reply in replies {
                    let sql = "UPDATE send SET replied_at = min(coalesce(replied_at, ?2), ?2),
                                 tapped_at = CASE WHEN ?4 THEN min(coalesce(tapped_at, ?2), ?2) ELSE tapped_at END,
                                 tappable = CASE WHEN ?4 THEN 1 ELSE tappable END
                               WHERE message_id = ?1 AND workspace_id = ?3 AND (replied_at IS NULL OR replied_at > ?2
                                 OR ?4 AND (tapped_at IS NULL OR tapped_at > ?2)) RETURNING id";
                    let values = (reply.message_id, reply.at, reply.workspace_id, reply.is_tap);
                    changed.extend(all(c, sql, values, scalar::<String>)?);
                }
                Ok(changed)
            })
            .await
    }

    /// The message identifiers of sends, where known, each with its workspace.
    pub async fn messages_of(&self, sends: &[String]) -> Result<Vec<(String, String)>, StoreError> {
        let sends = to_json(sends)?;
        let sql = "SELECT s.workspace_id, s.message_id FROM json_each(?1) m CROSS JOIN send s ON s.id = m.value
                   WHERE s.message_id IS NOT NULL";
        self.database.read(move |c| all(c, sql, [sends], tuple)).await
    }
}

/// Sums the parts. By template, whole months come from the monthly figures, and only the remaining days from the daily
/// ones.
fn figures(c: &Connection, filter: &FigureFilter) -> Result<Vec<FunnelRow>, StoreError> {
    let (from, to) = (filter.from.unwrap_or(i64::MIN), filter.to.unwrap_or(i64::MAX));
    let parts = match (filter.by, &filter.template) {
        (FigureKey::Template, None) => by_month(c, &filter.workspace_id, from, to)?,
        (_, Some(_)) => vec![Part { grain: "day", from, to }],
        (_, None) => vec![Part { grain: "all", from, to }],
    };
    let mut found = std::collections::BTreeMap::<String, FunnelRow>::new();
    for part in &parts {
        let (rows, values) = query(filter, part, FIGURES, "HAVING sum(sent) > 0")?;
        for row in all(c, &rows, params_from_iter(values), funnel_row)? {
            found
                .entry(row.key.clone())
                .or_insert_with(|| FunnelRow { key: row.key.clone(), ..FunnelRow::default() })
                .add(&row);
        }
        let (rows, values) = query(filter, part, CODES, "HAVING sum(n) > 0")?;
        for (key, code, n) in all(c, &rows, params_from_iter(values), tuple::<(String, String, u64)>)? {
            let Some(known) = found.get_mut(&key) else { continue };
            known.count(&code, n);
        }
    }
    let mut found: Vec<FunnelRow> = found.into_values().collect();
    for figures in &mut found {
        figures.codes.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.code.cmp(&b.code)));
    }
    Ok(found)
}

fn funnel_row(row: &Row<'_>) -> rusqlite::Result<FunnelRow> {
    from_row!(row => FunnelRow {
        key, sent, delivered, read, replied, clicked, tappable, failed, waiting, codes: Vec::new(),
    })
}

const FIGURES: (&str, &str, &str) = (
    "sum(sent) AS sent, sum(delivered) AS delivered, sum(read) AS read, sum(replied) AS replied, \
     sum(failed) AS failed, sum(waiting) AS waiting, sum(clicked) AS clicked, sum(tappable) AS tappable",
    "figure",
    "",
);
const CODES: (&str, &str, &str) = ("code, sum(n)", "figure_code", ", code");

/// The names of templates that were sent, each found by one index lookup.
const TEMPLATES: &str = "WITH RECURSIVE t (template_name) AS (
    SELECT min(template_name) FROM figure WHERE workspace_id = ? AND grain = 'month'
    UNION ALL SELECT (SELECT min(f.template_name) FROM figure f WHERE f.workspace_id = ? AND f.grain = 'month'
      AND f.template_name > t.template_name) FROM t WHERE t.template_name IS NOT NULL)";

/// The statement for a part. The ends of a range are read template by template, because the index orders days after
/// templates.
fn query(
    filter: &FigureFilter,
    part: &Part,
    what: (&str, &str, &str),
    having: &str,
) -> Result<(String, Vec<Value>), StoreError> {
    let (sums, table, also) = what;
    let key = match filter.by {
        FigureKey::Template => "f.template_name",
        FigureKey::Language => "f.language",
        FigureKey::Category => "f.category",
        FigureKey::Day => "CAST(f.period AS TEXT)",
    };
    let workspace = || Value::from(filter.workspace_id.clone());
    let mut values = Vec::new();
    let mut sql = format!("SELECT {key} AS key, {sums} FROM ");
    if filter.by == FigureKey::Template && part.grain == "day" && filter.template.is_none() {
        sql = format!("{TEMPLATES} {sql} t CROSS JOIN {table} f ON f.template_name = t.template_name AND ");
        values.extend([workspace(), workspace()]);
    } else {
        sql.push_str(&format!("{table} f WHERE "));
    }
    sql.push_str("f.workspace_id = ? AND f.grain = ? AND f.period BETWEEN ? AND ?");
    values.extend([workspace(), Value::from(part.grain.to_owned()), Value::from(part.from), Value::from(part.to)]);
    let template = if part.grain == "all" { Some(String::new()) } else { filter.template.clone() };
    for (column, wanted) in [
        ("f.template_name", template),
        ("f.language", filter.language.clone()),
        ("f.category", filter.category.clone()),
    ] {
        if let Some(wanted) = wanted {
            sql.push_str(&format!(" AND {column} = ?"));
            values.push(Value::from(wanted));
        }
    }
    if let Some(numbers) = &filter.numbers {
        sql.push_str(" AND f.number IN (SELECT value FROM json_each(?))");
        values.push(Value::from(to_json(numbers)?));
    }
    sql.push_str(&format!(" GROUP BY {key}{also} {having}"));
    Ok((sql, values))
}

/// A range as the whole months in it and the days before and after them.
fn by_month(c: &Connection, workspace_id: &str, from: i64, to: i64) -> Result<Vec<Part>, StoreError> {
    let edge = |order: &str| {
        let sql = format!(
            "SELECT period FROM figure WHERE workspace_id = ?1 AND grain = 'all' AND template_name = ''
             ORDER BY period {order} LIMIT 1"
        );
        first(c, &sql, [workspace_id], scalar::<i64>)
    };
    let Some((first_day, last_day)) = edge("ASC")?.zip(edge("DESC")?) else { return Ok(Vec::new()) };
    let mut whole: Vec<i64> = Vec::new();
    let mut parts = Vec::new();
    let mut month = month_of(from.max(first_day));
    while days_of(month).0 <= to.min(last_day) {
        let (first, next) = days_of(month);
        if from <= first && next - 1 <= to {
            whole.push(month);
        } else if first <= to && from < next {
            parts.push(Part { grain: "day", from: from.max(first), to: to.min(next - 1) });
        }
        month = month_of(next);
    }
    if let (Some(first), Some(last)) = (whole.first(), whole.last()) {
        parts.push(Part { grain: "month", from: *first, to: *last });
    }
    Ok(parts)
}

/// Recomputes all figures from the sends.
pub(super) const REBUILD: &str = "
    DELETE FROM figure; DELETE FROM figure_code; DELETE FROM figure_price; DELETE FROM figure_cost;
    INSERT INTO figure SELECT workspace_id, grain, template_name, period, language, category, number, sum(sent),
        sum(delivered), sum(read), sum(replied), sum(failed), sum(waiting), sum(clicked), sum(tappable)
        FROM send_figure GROUP BY 1, 2, 3, 4, 5, 6, 7;
    INSERT INTO figure_code SELECT workspace_id, grain, template_name, period, language, category, number, code,
        count(*) FROM send_figure WHERE failed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
    INSERT INTO figure_price SELECT workspace_id, period, category, model, number, sum(billable), sum(free),
        sum(unknown) FROM send_price GROUP BY 1, 2, 3, 4, 5;
    INSERT INTO figure_cost SELECT workspace_id, period, template_name, country, category, number, sum(charged),
        sum(free), sum(unsaid) FROM send_cost GROUP BY 1, 2, 3, 4, 5, 6;";

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::connection::open_in_memory;

    #[test]
    fn months_have_the_right_days() {
        for (month, days) in [
            (197_001, (0, 31)),
            (197_002, (31, 59)),
            (200_002, (10_988, 11_017)),
            (202_611, (20_758, 20_788)),
            (202_612, (20_788, 20_819)),
        ] {
            assert_eq!(days_of(month), days, "{month}");
            assert_eq!((month_of(days.0), month_of(days.1 - 1)), (month, month));
        }
    }

    /// Each statement reads only the rows in its index range.
    #[test]
    fn figures_are_read_by_index() {
        let c = open_in_memory(&super::super::SCHEMA).unwrap();
        let plan = |sql: &str, values: Vec<Value>| -> String {
            let mut statement = c.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let rows = statement.query_map(params_from_iter(values), |row| row.get::<_, String>("detail")).unwrap();
            rows.map(Result::unwrap).collect::<Vec<_>>().join("; ")
        };
        let filter = |by, template: Option<&str>| FigureFilter {
            workspace_id: "w".to_owned(),
            by,
            from: None,
            to: None,
            template: template.map(str::to_owned),
            language: None,
            category: None,
            numbers: Some(vec!["1".to_owned()]),
        };
        let part = |grain| Part { grain, from: 1, to: 9 };
        for what in [FIGURES, CODES] {
            for (filter, grain, index) in [
                (filter(FigureKey::Day, None), "all", "grain=? AND template_name=? AND period>? AND period<?"),
                (
                    filter(FigureKey::Category, Some("t")),
                    "day",
                    "grain=? AND template_name=? AND period>? AND period<?",
                ),
                (filter(FigureKey::Template, None), "day", "grain=? AND template_name=? AND period>? AND period<?"),
                (filter(FigureKey::Template, None), "month", "workspace_id=? AND grain=?"),
            ] {
                let (sql, values) = query(&filter, &part(grain), what, "").unwrap();
                let plan = plan(&sql, values);
                assert!(plan.contains(index) && !plan.contains("SCAN f"), "{filter:?}: {plan}");
            }
        }
    }
}
