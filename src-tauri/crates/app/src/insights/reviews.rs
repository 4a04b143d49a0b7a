//! How long reviews take, and why templates are rejected.

use std::collections::{BTreeMap, HashMap};

use model::language;
use model::lifecycle::{UsualReview, usual_review};
use store::cache::TemplateMatch;
use store::desk::{ReviewFact, SubmittedFact};

use super::{DAY, Range};
use crate::core::{Core, lock};
use crate::error::Result;
use crate::history::decisions::{Review, Step, StepKind, reviews};
use crate::lists::MINUTE;
use crate::parts::now;
use crate::view::insights::{Coverage, RangeQuery, ReviewBucket, ReviewCategory, ReviewTimes};
use crate::view::template::Facet;

/// A review that began longer before a range is none that ended in it: the channel takes a day (upstream §5.2).
const LONGEST: i64 = 180 * DAY;
/// How long reviews took, in steps that tell a machine from a person, a person from a weekend.
const BUCKETS: [i64; 7] =
    [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 8 * 3_600_000, 24 * 3_600_000, 72 * 3_600_000];
/// How long what is usual is taken for known, in milliseconds.
const USUAL_FOR: i64 = 5 * 60_000;
/// The status of templates under review.
const PENDING: &str = "PENDING";

/// A review of a template.
#[derive(Clone, Debug)]
pub(super) struct Reviewed {
    pub(super) name: String,
    pub(super) language: String,
    /// What was asked for, in lower case; empty where that is not known.
    pub(super) category: String,
    pub(super) review: Review,
    pub(super) reason: Option<String>,
}

impl Reviewed {
    fn took(&self) -> Option<i64> {
        self.review.decided.as_ref().map(|decided| (decided.at - self.review.begun).max(0))
    }

    fn is(&self, outcome: &str) -> bool {
        self.review.decided.as_ref().is_some_and(|decided| decided.outcome == outcome)
    }
}

impl Core {
    /// How long reviews took that were decided in a range, and what they came to. What only a listing told has no exact
    /// time and is left out.
    ///
    /// # Errors
    /// As [`Core::get_funnel`].
    pub async fn get_review_times(&self, query: RangeQuery) -> Result<ReviewTimes> {
        let range = Range::of(query.from.as_deref(), query.to.as_deref())?;
        let (open, decided) = self.reviews(&query.workspace, range).await?;
        let mut times = summary(&decided);
        times.covers = Coverage {
            from: decided.iter().map(|reviewed| reviewed.review.begun).min(),
            to: decided.iter().filter_map(|reviewed| reviewed.review.decided.as_ref().map(|ended| ended.at)).max(),
            sends: decided.len() as u64,
            notes: vec!["webhooksOnly".to_owned()],
        };
        if decided.iter().any(|reviewed| reviewed.category.is_empty()) {
            times.covers.notes.push("unknownCategory".to_owned());
        }
        let statuses = self.0.cache.facets(&query.workspace, None).await?.statuses;
        times.pending = statuses.into_iter().find(|facet| facet.value == PENDING).map_or(0, |facet| facet.count);
        if times.pending > 0 {
            times.oldest_pending_ms = self.oldest(&query.workspace, open).await?.map(|begun| (now() - begun).max(0));
        }
        Ok(times)
    }

    /// What is usual in a workspace, and since when a review has to run to be longer, in Unix milliseconds. Known anew
    /// every few minutes: what nine of ten reviews took does not change in one.
    pub(crate) async fn usual_review(&self, workspace: &str) -> Result<(UsualReview, i64)> {
        let minute = now().div_euclid(MINUTE) * MINUTE;
        let at = minute.div_euclid(USUAL_FOR) * USUAL_FOR;
        let known = lock(&self.0.usual_reviews).get(workspace).filter(|known| known.0 == at).map(|known| known.1);
        let usual = match known {
            Some(usual) => usual,
            None => {
                let (_, decided) = self.reviews(workspace, Range::of(None, None)?).await?;
                let times = summary(&decided);
                let usual = usual_review(times.decided, times.p90_ms);
                lock(&self.0.usual_reviews).insert(workspace.to_owned(), (at, usual));
                usual
            }
        };
        Ok((usual, minute.saturating_sub(usual.within)))
    }

    /// The reviews of a workspace: those without an outcome, and those decided in the range, in the order in which they
    /// began.
    pub(super) async fn reviews(&self, workspace: &str, range: Range) -> Result<(Vec<Reviewed>, Vec<Reviewed>)> {
        let (first, last) = range.instants();
        let since = first.saturating_sub(LONGEST);
        let submitted = self.0.desk.submitted(workspace, since, i64::MAX).await?;
        let said = self.0.desk.reviewed(workspace, since, i64::MAX).await?;
        let (decided, open): (Vec<Reviewed>, Vec<Reviewed>) =
            all(submitted, said).into_iter().partition(|reviewed| reviewed.review.decided.is_some());
        let within = |reviewed: &Reviewed| {
            reviewed.review.decided.as_ref().is_some_and(|decided| (first..=last).contains(&decided.at))
        };
        Ok((open, decided.into_iter().filter(within).collect()))
    }

    /// Since when the oldest of the reviews that nothing was heard of is waiting: its template must still be so.
    async fn oldest(&self, workspace: &str, open: Vec<Reviewed>) -> Result<Option<i64>> {
        for reviewed in open {
            let which = TemplateMatch::Name { name: reviewed.name, language: reviewed.language };
            let templates = self.0.cache.find_templates(workspace, which).await?;
            if templates.iter().any(|template| template.row.status == PENDING) {
                return Ok(Some(reviewed.review.begun));
            }
        }
        Ok(None)
    }
}

/// Puts what was submitted and what was said together, template by template, in the order in which reviews began.
fn all(submitted: Vec<SubmittedFact>, said: Vec<ReviewFact>) -> Vec<Reviewed> {
    #[derive(Default)]
    struct Known {
        steps: Vec<Step>,
        categories: Vec<String>,
        reasons: HashMap<i64, String>,
    }
    let mut templates: BTreeMap<(String, String), Known> = BTreeMap::new();
    for fact in submitted {
        let known = templates.entry((fact.name, language::normalise(&fact.language).into_owned())).or_default();
        let tag = Some(known.categories.len());
        known.categories.push(fact.category.unwrap_or_default().to_lowercase());
        known.steps.push(Step { at: fact.at, kind: StepKind::Submitted { creates: fact.creates }, exact: true, tag });
    }
    for fact in said {
        let known = templates.entry((fact.name, language::normalise(&fact.language).into_owned())).or_default();
        if let Some(reason) = fact.reason {
            known.reasons.insert(fact.at, reason);
        }
        let kind = if fact.event == PENDING { StepKind::Pending } else { StepKind::Decided(fact.event) };
        known.steps.push(Step { at: fact.at, kind, exact: true, tag: None });
    }
    let mut all = Vec::new();
    for ((name, language), mut known) in templates {
        known.steps.sort_by_key(Step::order);
        for review in reviews(known.steps) {
            let decided = review.decided.as_ref().map(|decided| decided.at);
            all.push(Reviewed {
                name: name.clone(),
                language: language.clone(),
                category: review.tag.map(|tag| known.categories[tag].clone()).unwrap_or_default(),
                reason: decided.and_then(|at| known.reasons.get(&at).cloned()),
                review,
            });
        }
    }
    all.sort_by_key(|reviewed| reviewed.review.begun);
    all
}

fn summary(decided: &[Reviewed]) -> ReviewTimes {
    let mut took: Vec<i64> = decided.iter().filter_map(Reviewed::took).collect();
    took.sort_unstable();
    let mut buckets: Vec<ReviewBucket> =
        BUCKETS.iter().map(|most| ReviewBucket { up_to_ms: Some(*most), count: 0 }).collect();
    buckets.push(ReviewBucket { up_to_ms: None, count: 0 });
    for took in &took {
        let place = BUCKETS.iter().position(|most| took <= most).unwrap_or(BUCKETS.len());
        buckets[place].count += 1;
    }
    let (mut outcomes, mut reasons) = (BTreeMap::new(), BTreeMap::new());
    let mut categories: BTreeMap<&str, Vec<&Reviewed>> = BTreeMap::new();
    for reviewed in decided {
        let outcome = reviewed.review.decided.as_ref().map(|decided| decided.outcome.clone()).unwrap_or_default();
        *outcomes.entry(outcome).or_default() += 1;
        if reviewed.is("REJECTED") {
            *reasons.entry(reviewed.reason.clone().unwrap_or_default()).or_default() += 1;
        }
        categories.entry(&reviewed.category).or_default().push(reviewed);
    }
    let by_category = |(key, of_it): (&str, Vec<&Reviewed>)| {
        let mut took: Vec<i64> = of_it.iter().filter_map(|reviewed| reviewed.took()).collect();
        took.sort_unstable();
        let count = |outcome: &str| of_it.iter().filter(|reviewed| reviewed.is(outcome)).count() as u64;
        ReviewCategory {
            key: key.to_owned(),
            decided: of_it.len() as u64,
            approved: count("APPROVED"),
            rejected: count("REJECTED"),
            median_ms: share(&took, 50),
        }
    };
    ReviewTimes {
        decided: decided.len() as u64,
        median_ms: share(&took, 50),
        p90_ms: share(&took, 90),
        shortest_ms: took.first().copied(),
        longest_ms: took.last().copied(),
        buckets,
        outcomes: most_first(outcomes),
        by_category: categories.into_iter().map(by_category).collect(),
        reasons: most_first(reasons),
        ..ReviewTimes::default()
    }
}

/// The smallest of the values, which are in order, that so many of a hundred do not exceed.
fn share(values: &[i64], percent: usize) -> Option<i64> {
    let place = (values.len() * percent).div_ceil(100).saturating_sub(1);
    values.get(place).copied()
}

fn most_first(counts: BTreeMap<String, u64>) -> Vec<Facet> {
    let mut facets: Vec<Facet> = counts.into_iter().map(|(value, count)| Facet { value, count }).collect();
    facets.sort_by_key(|facet| std::cmp::Reverse(facet.count));
    facets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submitted(at: i64, name: &str, creates: bool, category: &str) -> SubmittedFact {
        let category = Some(category.to_owned());
        SubmittedFact { at, creates, name: name.to_owned(), language: "pt-BR".to_owned(), category }
    }

    fn said(at: i64, name: &str, event: &str, reason: Option<&str>) -> ReviewFact {
        let reason = reason.map(str::to_owned);
        ReviewFact { at, event: event.to_owned(), name: name.to_owned(), language: "pt_BR".to_owned(), reason }
    }

    #[test]
    fn reviews_are_put_together_and_summed_up() {
        let submitted = vec![
            submitted(60_500, "promo", true, "MARKETING"),
            submitted(500_000, "promo", false, "marketing"),
            submitted(70_000, "code", true, "authentication"),
            submitted(80_000, "waits", true, "utility"),
        ];
        let said = vec![
            said(60_000, "promo", "PENDING", None),
            said(100_000, "promo", "REJECTED", Some("SCAM")),
            said(70_000, "code", "APPROVED", None),
            said(500_000, "promo", "PENDING", None),
            said(600_000, "promo", "REJECTED", None),
            // Made elsewhere.
            said(1_000_000, "theirs", "PENDING", None),
            said(8_200_001, "theirs", "APPROVED", None),
            said(9_000_000, "nobody knows since when", "APPROVED", None),
            // Within one second, and delivered the other way round.
            said(9_500_000, "at once", "APPROVED", None),
            said(9_500_000, "at once", "PENDING", None),
        ];
        let (decided, open): (Vec<_>, Vec<_>) =
            all(submitted, said).into_iter().partition(|reviewed| reviewed.review.decided.is_some());
        assert_eq!(open.iter().map(|reviewed| reviewed.name.as_str()).collect::<Vec<_>>(), ["waits"]);
        let times = summary(&decided);
        assert_eq!(
            (times.decided, times.shortest_ms, times.median_ms, times.p90_ms, times.longest_ms),
            (5, Some(0), Some(39_500), Some(7_200_001), Some(7_200_001))
        );
        let counts: Vec<u64> = times.buckets.iter().map(|bucket| bucket.count).collect();
        assert_eq!(counts, [3, 1, 0, 0, 1, 0, 0, 0]);
        let facet = |value: &str, count| Facet { value: value.to_owned(), count };
        assert_eq!(times.outcomes, [facet("APPROVED", 3), facet("REJECTED", 2)]);
        assert_eq!(times.reasons, [facet("", 1), facet("SCAM", 1)], "and one of which no reason was told");
        let categories: Vec<_> =
            times.by_category.iter().map(|of| (of.key.as_str(), of.approved, of.rejected, of.median_ms)).collect();
        assert_eq!(
            categories,
            [("", 2, 0, Some(0)), ("authentication", 1, 0, Some(0)), ("marketing", 0, 2, Some(39_500))]
        );
    }

    #[test]
    fn shares_are_values_that_occurred() {
        for (values, percent, expected) in [
            (vec![], 50, None),
            (vec![7], 90, Some(7)),
            (vec![1, 2], 50, Some(1)),
            (vec![1, 2, 3], 50, Some(2)),
            ((1..=10).collect(), 90, Some(9)),
        ] {
            assert_eq!(share(&values, percent), expected, "{values:?}");
        }
    }
}
