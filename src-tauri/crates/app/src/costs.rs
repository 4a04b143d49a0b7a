//! What messages cost by the rate card of their workspace.

use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate};
use model::rate_card::{Added, Cost, Costs, Messages, RateCard};
use store::desk::{CostFigure, StoredRateCard};

use command_types::error::{DeskError, Result};
use outgoing::compute::blocking;
use outgoing::now;
use outgoing::recipient::country_of;

use crate::context::Context;
use crate::date_range::{DAY, day_of, number_of};

/// The rate card of a workspace, if it has one.
///
/// # Errors
/// [`DeskError::Storage`]; [`DeskError::Internal`] for a card that this version cannot read.
pub(crate) async fn rate_card(context: &Context, workspace: &str) -> Result<Option<RateCard>> {
    context.desk.rate_card(workspace).await?.as_ref().map(read).transpose()
}

/// The rate card of a workspace, if it has one that can be read: what else a screen shows does not wait for prices.
///
/// # Errors
/// [`DeskError::Storage`].
pub(crate) async fn usable_rate_card(context: &Context, workspace: &str) -> Result<Option<RateCard>> {
    rate_card(context, workspace).await.or_else(|error| match error {
        DeskError::Internal { .. } => {
            tracing::warn!(%error, "messages have no prices");
            Ok(None)
        }
        other => Err(other),
    })
}

/// # Errors
/// [`DeskError::Internal`] for a card that this version cannot read.
pub(crate) fn read(stored: &StoredRateCard) -> Result<RateCard> {
    let unreadable = |error| DeskError::Internal { message: format!("the rate card cannot be read ({error})") };
    serde_json::from_str(&stored.card).map_err(unreadable)
}

/// What messages of a category cost if they are delivered today, given their numbers by the recipients' country. `None`
/// without a rate card. A send never waits for its price, so a card that cannot be read is only logged.
pub(crate) async fn estimate(
    context: &Context,
    workspace: &str,
    category: &str,
    countries: &BTreeMap<String, u64>,
) -> Option<Cost> {
    estimate_parts(context, workspace, &[(category, countries.clone())]).await
}

/// As [`estimate`], of messages in several categories.
pub(crate) async fn estimate_parts(
    context: &Context,
    workspace: &str,
    parts: &[(&str, BTreeMap<String, u64>)],
) -> Option<Cost> {
    let estimated = async {
        let Some(card) = rate_card(context, workspace).await? else { return Ok(None) };
        let today = now().div_euclid(DAY);
        let before = context.desk.delivered(workspace, (month_start(today), today), None).await?;
        let mut costs = Costs::new(&card);
        count_before(&mut costs, &before);
        let counts = parts.iter().flat_map(|(category, countries)| countries.iter().map(move |of| (category, of)));
        for (category, (country, count)) in counts {
            costs.add(Messages { country, category, day: day_of(today), count: *count });
        }
        Ok::<_, DeskError>(Some(costs.finish()))
    };
    estimated.await.unwrap_or_else(|error| {
        tracing::warn!(%error, "what messages cost cannot be said");
        None
    })
}

/// Counts messages by the recipients' country; an unknown one is empty.
pub(crate) fn by_country(countries: impl IntoIterator<Item = Option<String>>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for country in countries {
        *counts.entry(country.unwrap_or_default()).or_default() += 1;
    }
    counts
}

/// Counts recipients by their country, which takes a while for a hundred thousand.
pub(crate) async fn countries_of(recipients: Vec<String>) -> Result<BTreeMap<String, u64>> {
    blocking(move || by_country(recipients.iter().map(|recipient| country_of(recipient)))).await
}

/// The first day of a day's month.
pub(crate) fn month_start(day: i64) -> i64 {
    number_of(day_of(day).with_day(1).unwrap_or(NaiveDate::MIN))
}

/// Counts delivered messages for the volume tiers.
pub(crate) fn count_before(costs: &mut Costs<'_>, delivered: &[CostFigure]) {
    for figure in delivered {
        costs.count_before(messages(figure, figure.charged));
    }
}

/// Adds delivered messages.
pub(crate) fn add(costs: &mut Costs<'_>, figure: &CostFigure) -> Added {
    costs.add_free(figure.free);
    let mut added = Added::default();
    if figure.charged > 0 {
        added = costs.add(messages(figure, figure.charged));
    }
    if figure.unsaid > 0 {
        added.unknown += costs.add_unknown(messages(figure, figure.unsaid)).unknown;
    }
    added
}

fn messages(figure: &CostFigure, count: u64) -> Messages<'_> {
    Messages { country: &figure.country, category: &figure.category, day: day_of(figure.period), count }
}
