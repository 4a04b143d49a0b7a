//! Review times, and reasons of rejections.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::language;
use model::lifecycle::{UsualReview, usual_review};
use store::cache::{TemplateFilter, TemplatePage, TemplateRow};
use store::desk::{ReviewFacts, ReviewResult};

use crate::context::lock;
use crate::date_range::{DAY, Range};
use crate::templates::Templates;
use crate::templates::history::decisions::{Review, Step, StepKind, reviews_by_waba};
use crate::templates::queries::MINUTE;
use command_types::error::Result;
use command_types::insights::{Coverage, CoverageNote, ReviewBucket, ReviewCategory, ReviewQuery, ReviewTimes};
use command_types::template::Facet;
use outgoing::now;

/// Maximum duration of a review: reviews that began longer before a range are ignored. The channel takes a day
/// (upstream §5.2).
const MAX_REVIEW_DURATION: i64 = 180 * DAY;
/// Upper bounds of the buckets: they separate automatic reviews, manual ones, and those over a weekend.
const BUCKET_BOUNDS: [i64; 7] =
    [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 8 * 3_600_000, 24 * 3_600_000, 72 * 3_600_000];
/// How long the usual review time is cached, in milliseconds.
const USUAL_REVIEW_CACHE_TIME: i64 = 5 * 60_000;
/// Status of templates under review.
const PENDING: &str = "PENDING";

#[derive(Clone, Debug)]
pub(crate) struct Reviewed {
    /// Index of the template.
    template: usize,
    /// The WABA that reviews it; `None` if no event names one.
    pub(crate) waba: Option<String>,
    pub(crate) review: Review,
}

impl Reviewed {
    /// When it began, or else was decided.
    fn first_known_at(&self) -> Option<i64> {
        self.review.started_at.or(self.review.decided.as_ref().map(|decided| decided.at))
    }

    fn is(&self, outcome: &str) -> bool {
        self.review.decided.as_ref().is_some_and(|decided| decided.outcome == outcome)
    }
}

/// The reviews of a workspace, each list in the order in which they began.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    /// Names and languages.
    templates: Vec<(String, String)>,
    /// Interned categories and reasons.
    labels: Vec<String>,
    /// Reviews without an outcome.
    open: Vec<Reviewed>,
    /// Reviews with an outcome.
    pub(crate) decided: Vec<Reviewed>,
    /// What is left out of them.
    left_out: Vec<CoverageNote>,
}

impl Reviews {
    /// Name and language.
    pub(crate) fn template(&self, reviewed: &Reviewed) -> (&str, &str) {
        let (name, language) = &self.templates[reviewed.template];
        (name, language)
    }

    /// The requested category, in lower case; empty if unknown.
    pub(crate) fn category(&self, reviewed: &Reviewed) -> &str {
        self.label(reviewed.review.tag)
    }

    /// Why it was rejected; empty if unknown.
    pub(crate) fn reason(&self, reviewed: &Reviewed) -> &str {
        self.label(reviewed.review.decided.as_ref().and_then(|decided| decided.tag))
    }

    fn label(&self, index: Option<usize>) -> &str {
        index.and_then(|index| self.labels.get(index)).map(String::as_str).unwrap_or_default()
    }
}

impl Templates {
    /// Durations and outcomes of the reviews that were decided in a range. Reviews whose beginning is unknown have an
    /// outcome only; decisions known only from a listing have no exact time and are left out.
    pub async fn get_review_times(&self, query: ReviewQuery) -> Result<ReviewTimes> {
        let range = Range::of(query.from.as_deref(), query.to.as_deref())?;
        let reviews = self.reviews(&query.workspace, range, query.waba.as_deref()).await?;
        let mut times = summary(&reviews);
        let decided = &reviews.decided;
        times.covers = Coverage {
            from: decided.iter().filter_map(Reviewed::first_known_at).min(),
            to: decided.iter().filter_map(|reviewed| reviewed.review.decided.as_ref().map(|ended| ended.at)).max(),
            sends: decided.len() as u64,
            unknown_sender: 0,
            notes: vec![CoverageNote::WebhooksOnly],
        };
        if decided.iter().any(|reviewed| reviews.category(reviewed).is_empty()) {
            times.covers.notes.push(CoverageNote::UnknownCategory);
        }
        if decided.iter().any(|reviewed| reviewed.review.started_at.is_none()) {
            times.covers.notes.push(CoverageNote::UnknownStart);
        }
        times.covers.notes.extend_from_slice(&reviews.left_out);
        let pending = self.pending(&query).await?;
        times.pending = pending.total;
        times.oldest_pending_ms = oldest(&reviews, &pending.rows).map(|started_at| (now() - started_at).max(0));
        Ok(times)
    }

    /// The usual review time of a workspace, and the start time before which an open review is overdue, in Unix
    /// milliseconds. Cached for some minutes: the 90th percentile changes slowly.
    pub(crate) async fn usual_review(&self, workspace: &str) -> Result<(UsualReview, i64)> {
        let minute = now().div_euclid(MINUTE) * MINUTE;
        let at = minute.div_euclid(USUAL_REVIEW_CACHE_TIME) * USUAL_REVIEW_CACHE_TIME;
        let known = lock(&self.0.usual_reviews).get(workspace).filter(|known| known.0 == at).map(|known| known.1);
        let usual = match known {
            Some(usual) => usual,
            None => {
                let times = summary(&self.reviews(workspace, Range::of(None, None)?, None).await?);
                // Those whose beginning is unknown have no duration.
                let timed = times.buckets.iter().map(|bucket| bucket.count).sum();
                let usual = usual_review(timed, times.p90_ms);
                lock(&self.0.usual_reviews).insert(workspace.to_owned(), (at, usual));
                usual
            }
        };
        Ok((usual, minute.saturating_sub(usual.within)))
    }

    /// The reviews of a workspace, or of one of its WABAs: open ones, and those decided in the range.
    pub(crate) async fn reviews(&self, workspace: &str, range: Range, waba: Option<&str>) -> Result<Reviews> {
        let (first, last) = range.instants();
        let facts = self.0.context.desk.review_facts(workspace, first.saturating_sub(MAX_REVIEW_DURATION)).await?;
        // There may be a million records.
        let mut reviews = outgoing::compute::blocking(move || collect_reviews(facts)).await?;
        reviews.decided.retain(|reviewed| {
            reviewed.review.decided.as_ref().is_some_and(|decided| (first..=last).contains(&decided.at))
        });
        reviews.keep(&self.own_wabas(workspace).await?, waba);
        Ok(reviews)
    }

    /// The WABAs of a workspace: those in its settings and those of its templates. Empty if the settings name none: then
    /// nothing is known of them.
    async fn own_wabas(&self, workspace: &str) -> Result<HashSet<String>> {
        let settings = self.0.workspaces.settings(workspace).await?;
        let mut own: HashSet<String> = settings.wabas().map(str::to_owned).collect();
        if !own.is_empty() {
            let listed = self.0.context.cache.facets(workspace, None).await?.wabas;
            own.extend(listed.into_iter().map(|facet| facet.value));
        }
        Ok(own)
    }

    /// The templates under review.
    async fn pending(&self, query: &ReviewQuery) -> Result<TemplatePage> {
        let filter = TemplateFilter {
            workspace_id: query.workspace.clone(),
            statuses: vec![PENDING.to_owned()],
            wabas: query.waba.clone().into_iter().collect(),
            limit: u32::MAX,
            ..TemplateFilter::default()
        };
        Ok(self.0.context.cache.templates(filter).await?)
    }
}

impl Reviews {
    /// Keeps the reviews of `own` WABAs, or of one of them. Reviews that name no WABA are those of the workspace.
    fn keep(&mut self, own: &HashSet<String>, waba: Option<&str>) {
        let is_foreign = |of: &Reviewed| of.waba.as_ref().is_some_and(|waba| !own.is_empty() && !own.contains(waba));
        if self.decided.iter().any(is_foreign) {
            self.left_out.push(CoverageNote::OtherAccounts);
        }
        if waba.is_some() && self.decided.iter().any(|of| of.waba.is_none()) {
            self.left_out.push(CoverageNote::UnknownAccount);
        }
        let is_kept = |of: &Reviewed| match waba {
            Some(waba) => of.waba.as_deref() == Some(waba),
            None => !is_foreign(of),
        };
        self.open.retain(is_kept);
        self.decided.retain(is_kept);
    }
}

/// When the oldest open review began whose template is still pending.
fn oldest(reviews: &Reviews, pending: &[TemplateRow]) -> Option<i64> {
    let waiting: HashSet<_> =
        pending.iter().map(|row| (row.name.as_str(), language::normalise(&row.language))).collect();
    let waits = |reviewed: &&Reviewed| {
        let (name, language) = reviews.template(reviewed);
        waiting.contains(&(name, language.into()))
    };
    reviews.open.iter().find(waits).and_then(|reviewed| reviewed.review.started_at)
}

/// Groups submissions and reports by template and WABA: each WABA decides for itself.
fn collect_reviews(facts: ReviewFacts) -> Reviews {
    let ReviewFacts { mut templates, words: labels, submitted, results, .. } = facts;
    // Webhooks use other language codes than submissions.
    let mut known = HashMap::with_capacity(templates.len());
    let mut same = Vec::with_capacity(templates.len());
    for (index, (name, spelled)) in templates.iter_mut().enumerate() {
        *spelled = language::normalise(spelled).into_owned();
        same.push(*known.entry((name.clone(), spelled.clone())).or_insert(index));
    }
    let submitted = submitted.into_iter().map(|fact| {
        let kind = StepKind::Submitted { creates: fact.creates };
        (same[fact.template], Step { at: fact.at, kind, exact: true, tag: fact.category }, fact.wabas)
    });
    let outcomes = results.into_iter().map(|fact| {
        let kind = match fact.word {
            ReviewResult::Pending => StepKind::Pending,
            ReviewResult::Approved => StepKind::Decided("APPROVED"),
            ReviewResult::Rejected => StepKind::Decided("REJECTED"),
            ReviewResult::InUse => StepKind::InUse,
        };
        // The tag of the beginning refers to the category, that of the end to the reason.
        let tag = fact.reason.filter(|_| matches!(kind, StepKind::Decided(_)));
        (same[fact.template], Step { at: fact.at, kind, exact: true, tag }, fact.waba)
    });
    let mut steps: Vec<(usize, Step, Option<usize>)> = submitted.chain(outcomes).collect();
    steps.sort_by_key(|(template, step, _)| (*template, step.sort_key()));
    let names = |wabas: Option<usize>| {
        let named = wabas.and_then(|index| labels.get(index)).map(String::as_str).unwrap_or_default();
        named.split(',').filter(|waba| !waba.is_empty()).collect()
    };
    let (mut open, mut decided) = (Vec::new(), Vec::new());
    for of_one in steps.chunk_by(|one, other| one.0 == other.0) {
        for (waba, review) in reviews_by_waba(of_one, |(_, step, _)| *step, |(_, _, wabas)| names(*wabas)) {
            let list = if review.decided.is_some() { &mut decided } else { &mut open };
            list.push(Reviewed { template: of_one[0].0, waba: waba.map(str::to_owned), review });
        }
    }
    for list in [&mut open, &mut decided] {
        list.sort_by_key(Reviewed::first_known_at);
    }
    Reviews { templates, labels, open, decided, left_out: Vec::new() }
}

fn summary(reviews: &Reviews) -> ReviewTimes {
    let decided = &reviews.decided;
    let mut duration: Vec<i64> = decided.iter().filter_map(|reviewed| reviewed.review.duration()).collect();
    duration.sort_unstable();
    let mut buckets: Vec<ReviewBucket> =
        BUCKET_BOUNDS.iter().map(|most| ReviewBucket { up_to_ms: Some(*most), count: 0 }).collect();
    buckets.push(ReviewBucket { up_to_ms: None, count: 0 });
    for duration in &duration {
        let index = BUCKET_BOUNDS.iter().position(|most| duration <= most).unwrap_or(BUCKET_BOUNDS.len());
        buckets[index].count += 1;
    }
    let (mut outcomes, mut reasons) = (BTreeMap::new(), BTreeMap::new());
    let mut categories: BTreeMap<&str, Vec<&Reviewed>> = BTreeMap::new();
    for reviewed in decided {
        let outcome = reviewed.review.decided.as_ref().map(|decided| decided.outcome).unwrap_or_default();
        *outcomes.entry(outcome).or_default() += 1;
        if reviewed.is("REJECTED") {
            *reasons.entry(reviews.reason(reviewed)).or_default() += 1;
        }
        categories.entry(reviews.category(reviewed)).or_default().push(reviewed);
    }
    let by_category = |(key, of_it): (&str, Vec<&Reviewed>)| {
        let mut duration: Vec<i64> = of_it.iter().filter_map(|reviewed| reviewed.review.duration()).collect();
        duration.sort_unstable();
        let count = |outcome: &str| of_it.iter().filter(|reviewed| reviewed.is(outcome)).count() as u64;
        ReviewCategory {
            key: key.to_owned(),
            decided: of_it.len() as u64,
            approved: count("APPROVED"),
            rejected: count("REJECTED"),
            median_ms: percentile(&duration, 50),
        }
    };
    ReviewTimes {
        decided: decided.len() as u64,
        median_ms: percentile(&duration, 50),
        p90_ms: percentile(&duration, 90),
        shortest_ms: duration.first().copied(),
        longest_ms: duration.last().copied(),
        buckets,
        outcomes: sorted_by_count(outcomes),
        by_category: categories.into_iter().map(by_category).collect(),
        reasons: sorted_by_count(reasons),
        ..ReviewTimes::default()
    }
}

/// The given percentile of sorted values.
fn percentile(values: &[i64], percent: usize) -> Option<i64> {
    let index = (values.len() * percent).div_ceil(100).saturating_sub(1);
    values.get(index).copied()
}

fn sorted_by_count(counts: BTreeMap<&str, u64>) -> Vec<Facet> {
    let facet = |(value, count): (&str, u64)| Facet { value: value.to_owned(), count };
    let mut facets: Vec<Facet> = counts.into_iter().map(facet).collect();
    facets.sort_by_key(|facet| std::cmp::Reverse(facet.count));
    facets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reviews_are_collected_and_summarized() {
        use ReviewResult::{Approved, InUse, Pending, Rejected};

        let mut facts = ReviewFacts::default();
        for (at, name, creates, category) in [
            (60_500, "promo", true, "MARKETING"),
            (500_000, "promo", false, "marketing"),
            (70_000, "code", true, "authentication"),
            (80_000, "waits", true, "utility"),
        ] {
            facts.add_submission(at, creates, (name, "pt-BR"), Some(category), Some("1,2"));
        }
        for (at, name, label, reason) in [
            (60_000, "promo", Pending, None),
            (100_000, "promo", Rejected, Some("SCAM")),
            (70_000, "code", Approved, None),
            (500_000, "promo", Pending, None),
            (600_000, "promo", Rejected, None),
            // Submitted elsewhere.
            (1_000_000, "theirs", Pending, None),
            (8_200_001, "theirs", Approved, None),
            // Only its decisions were reported; the first is repeated.
            (9_000_000, "the start is unknown", Approved, None),
            (9_100_000, "the start is unknown", Approved, None),
            (9_200_000, "the start is unknown", Rejected, Some("SCAM")),
            // The end of a pause is no decision.
            (9_300_000, "paused", InUse, None),
            (9_400_000, "paused", Approved, None),
            // Within one second, and delivered in reverse order.
            (9_500_000, "at once", Approved, None),
            (9_500_000, "at once", Pending, None),
        ] {
            facts.add_result(at, label, (name, "pt_BR"), reason, None);
        }
        let reviews = collect_reviews(facts);
        let open: Vec<&str> = reviews.open.iter().map(|reviewed| reviews.template(reviewed).0).collect();
        assert_eq!(open, ["waits"]);
        let times = summary(&reviews);
        assert_eq!(
            (times.decided, times.shortest_ms, times.median_ms, times.p90_ms, times.longest_ms),
            (7, Some(0), Some(39_500), Some(7_200_001), Some(7_200_001))
        );
        let counts: Vec<u64> = times.buckets.iter().map(|bucket| bucket.count).collect();
        assert_eq!(counts, [3, 1, 0, 0, 1, 0, 0, 0]);
        let facet = |value: &str, count| Facet { value: value.to_owned(), count };
        assert_eq!(times.outcomes, [facet("APPROVED", 4), facet("REJECTED", 3)]);
        assert_eq!(times.reasons, [facet("SCAM", 2), facet("", 1)], "and one without a reason");
        let categories: Vec<_> =
            times.by_category.iter().map(|of| (of.key.as_str(), of.approved, of.rejected, of.median_ms)).collect();
        assert_eq!(
            categories,
            [("", 3, 1, Some(0)), ("authentication", 1, 0, Some(0)), ("marketing", 0, 2, Some(39_500))]
        );
    }

    #[test]
    fn each_account_reviews_for_itself() {
        use ReviewResult::{Approved, Rejected};

        let mut facts = ReviewFacts::default();
        let template = ("promo", "es");
        facts.add_submission(10_000, true, template, None, Some("1,2"));
        facts.add_submission(50_000, true, template, None, Some("3"));
        facts.add_submission(100_000, false, template, None, Some("1"));
        // Nobody has reported a result yet.
        facts.add_submission(200_000, true, template, None, Some("4"));
        for (at, word, waba) in [
            (20_000, Approved, "1"),
            (30_000, Rejected, "2"),
            (70_000, Approved, "3"),
            // Of the edit.
            (110_000, Approved, "1"),
            (120_000, Approved, "2"),
            (130_000, Rejected, "3"),
        ] {
            facts.add_result(at, word, template, None, Some(waba));
        }
        // Names no account, as in a copy of the news.
        facts.add_result(140_000, Approved, template, None, None);
        let reviews = collect_reviews(facts);
        let decided: Vec<_> = reviews
            .decided
            .iter()
            .map(|of| {
                (of.waba.as_deref().unwrap_or_default(), of.review.started_at, of.review.duration(), of.is("APPROVED"))
            })
            .collect();
        assert_eq!(
            decided,
            [
                ("1", Some(10_000), Some(10_000), true),
                ("2", Some(10_000), Some(20_000), false),
                ("3", Some(50_000), Some(20_000), true),
                ("1", Some(100_000), Some(10_000), true),
                ("2", Some(100_000), Some(20_000), true),
                ("3", Some(100_000), Some(30_000), false),
                ("3", None, None, true),
            ]
        );
        let open: Vec<_> = reviews.open.iter().map(|of| (of.waba.as_deref(), of.review.started_at)).collect();
        assert_eq!(open, [(Some("4"), Some(200_000))]);
    }

    #[test]
    fn reviews_of_other_accounts_are_left_out() {
        use ReviewResult::Approved;

        let collected = || {
            let mut facts = ReviewFacts::default();
            for (at, name, waba) in [
                (10_000, "one", Some("1")),
                (20_000, "two", Some("2")),
                (30_000, "foreign", Some("888")),
                (40_000, "unknown", None),
            ] {
                facts.add_submission(at, true, (name, "en"), None, None);
                facts.add_result(at + 1_000, Approved, (name, "en"), None, waba);
            }
            collect_reviews(facts)
        };
        let own: HashSet<String> = ["1", "2"].map(str::to_owned).into();
        for (own, waba, expected, left_out) in [
            (HashSet::new(), None, "one two foreign unknown", vec![]),
            (own.clone(), None, "one two unknown", vec![CoverageNote::OtherAccounts]),
            (own, Some("2"), "two", vec![CoverageNote::OtherAccounts, CoverageNote::UnknownAccount]),
            (HashSet::new(), Some("2"), "two", vec![CoverageNote::UnknownAccount]),
        ] {
            let mut reviews = collected();
            reviews.keep(&own, waba);
            let kept: Vec<&str> = reviews.decided.iter().map(|reviewed| reviews.template(reviewed).0).collect();
            assert_eq!((kept.join(" ").as_str(), &reviews.left_out), (expected, &left_out), "{waba:?}");
        }
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        for (values, percent, expected) in [
            (vec![], 50, None),
            (vec![7], 90, Some(7)),
            (vec![1, 2], 50, Some(1)),
            (vec![1, 2, 3], 50, Some(2)),
            ((1..=10).collect(), 90, Some(9)),
        ] {
            assert_eq!(percentile(&values, percent), expected, "{values:?}");
        }
    }
}
