//! Figures as files for spreadsheets.

use std::path::Path;

use crate::date_range::{Range, date};
use crate::insights::Insights;
use crate::insights::spend::SpendLine;
use crate::spreadsheet::{Sheet, instant};
use command_types::error::{DeskError, Result};
use command_types::insights::{ExportInsights, FunnelBy, InsightsExport, InsightsKind, ReviewQuery};

const FUNNEL_FIGURES: [&str; 8] = ["sent", "delivered", "read", "replied", "clicked", "failed", "waiting", "codes"];
const REVIEWS_HEADER: [&str; 9] =
    ["template", "language", "account", "category", "submitted", "decided", "outcome", "seconds", "reason"];
const SPEND_HEADER: [&str; 9] =
    ["day", "template", "country", "category", "charged", "free", "unknown_price", "amount", "currency"];
const PRICING_HEADER: [&str; 6] = ["day", "category", "model", "billable", "free", "unknown"];

impl Insights {
    #[must_use]
    pub fn insights_file_name(&self, request: &ExportInsights) -> String {
        let name = match request.what {
            InsightsKind::Funnel => "messages",
            InsightsKind::Reviews => "reviews",
            InsightsKind::Pricing => "pricing",
            InsightsKind::Spend => "spend",
        };
        format!("{name}.csv")
    }

    /// Writes figures to a file: every row of the funnel query, one row per decided review, one row per day of
    /// prices, or one row per day, template, country and category of what was spent. An existing file is replaced once the new one is complete.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for a missing or invalid query; [`DeskError::File`] when the file cannot be written.
    /// No incomplete file remains.
    pub async fn export_insights_to(&self, path: &Path, request: ExportInsights) -> Result<InsightsExport> {
        let language = self.0.workspaces.language();
        let mut rows = 0;
        let sheet = match request.what {
            InsightsKind::Funnel => {
                let query = request.funnel.ok_or_else(|| DeskError::invalid("funnel", "Say which sends."))?;
                let header: Vec<_> = std::iter::once(grouping(query.by)).chain(FUNNEL_FIGURES).collect();
                let mut sheet = Sheet::new(language, &header)?;
                for row in self.funnel(&query).await?.1 {
                    let key = match query.by {
                        FunnelBy::Category => sheet.word("category", &row.key).into_owned(),
                        _ => row.key,
                    };
                    let figures = [row.sent, row.delivered, row.read, row.replied].map(|count| count.to_string());
                    // Empty if nothing can be known of them.
                    let clicked = if row.tappable > 0 { row.clicked.to_string() } else { String::new() };
                    let others = [row.failed, row.waiting].map(|count| count.to_string());
                    let code = |code: &command_types::insights::CodeFigure| {
                        format!("{}: {}", if code.code.is_empty() { "?" } else { &code.code }, code.count)
                    };
                    let codes = row.codes.iter().map(code).collect::<Vec<_>>().join("; ");
                    sheet.row([key].into_iter().chain(figures).chain([clicked]).chain(others).chain([codes]))?;
                    rows += 1;
                }
                sheet
            }
            InsightsKind::Reviews => {
                let (query, range) = required_reviews(request.reviews)?;
                let mut sheet = Sheet::new(language, &REVIEWS_HEADER)?;
                let settings = self.0.workspaces.settings(&query.workspace).await?;
                let reviews = self.0.templates.reviews(&query.workspace, range, query.waba.as_deref()).await?;
                for reviewed in &reviews.decided {
                    let Some(decided) = reviewed.review.decided else { continue };
                    let review = &reviewed.review;
                    // Both are empty if the beginning is unknown.
                    let seconds = review.duration().map(|took| (took / 1_000).to_string()).unwrap_or_default();
                    let started_at = instant(review.started_at);
                    let ended = instant(Some(decided.at));
                    let ((name, template_language), category) =
                        (reviews.template(reviewed), reviews.category(reviewed));
                    let (category, outcome) =
                        (sheet.word("category", category), sheet.word("outcome", decided.outcome));
                    let reason = reviews.reason(reviewed);
                    sheet.row([
                        name,
                        template_language,
                        reviewed.waba.as_deref().map_or("", |waba| settings.waba_name(waba)),
                        &*category,
                        &started_at,
                        &ended,
                        &*outcome,
                        &seconds,
                        reason,
                    ])?;
                    rows += 1;
                }
                sheet
            }
            InsightsKind::Pricing => {
                let query = request.pricing.ok_or_else(|| DeskError::invalid("pricing", "Choose a date range."))?;
                let mut sheet = Sheet::new(language, &PRICING_HEADER)?;
                for (day, price) in self.prices(&query).await?.2 {
                    let figures = [price.billable, price.free, price.unknown].map(|count| count.to_string());
                    let names = [date(day), sheet.word("category", &price.category).into_owned(), price.model];
                    sheet.row(names.into_iter().chain(figures))?;
                    rows += 1;
                }
                sheet
            }
            InsightsKind::Spend => {
                let query = request.pricing.ok_or_else(|| DeskError::invalid("pricing", "Choose a date range."))?;
                let mut sheet = Sheet::new(language, &SPEND_HEADER)?;
                for spent in self.spend_lines(&query).await? {
                    let SpendLine { day, template, country, category, charged, free, unknown, amount, currency } =
                        spent;
                    let counts = [charged, free, unknown].map(|count| count.to_string());
                    let names = [date(day), template, country, sheet.word("category", &category).into_owned()];
                    // Unknown is not nothing.
                    let amount = if charged == 0 && unknown > 0 { String::new() } else { sheet.decimal(&amount) };
                    let money = [amount, currency];
                    sheet.row(names.into_iter().chain(counts).chain(money))?;
                    rows += 1;
                }
                sheet
            }
        };
        sheet.save(path).await?;
        Ok(InsightsExport { path: path.display().to_string(), rows })
    }
}

/// The column of what the rows are grouped by.
fn grouping(by: FunnelBy) -> &'static str {
    match by {
        FunnelBy::Template => "template",
        FunnelBy::Language => "language",
        FunnelBy::Category => "category",
        FunnelBy::Day => "day",
        FunnelBy::Week => "week",
        FunnelBy::Month => "month",
    }
}

fn required_reviews(reviews: Option<ReviewQuery>) -> Result<(ReviewQuery, Range)> {
    let query = reviews.ok_or_else(|| DeskError::invalid("reviews", "Choose a date range."))?;
    let range = Range::of(query.from.as_deref(), query.to.as_deref())?;
    Ok((query, range))
}
