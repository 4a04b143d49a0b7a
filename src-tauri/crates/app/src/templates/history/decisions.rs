//! The results and durations of reviews.

use super::sources::truncate_to_second;
use command_types::history::{Decision, EntryKind, HistoryEntry, HistoryKind, HistoryOutcome, HistorySource};

/// A step that begins or ends a review.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) at: i64,
    pub(crate) kind: StepKind,
    /// Whether the instant is exact rather than the latest possible one.
    pub(crate) exact: bool,
    /// Index of the record that it was made from.
    pub(crate) tag: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum StepKind {
    /// Submitted here and not refused.
    Submitted { creates: bool },
    /// A webhook reported that it is under review.
    Pending,
    /// The result, in capitals.
    Decided(&'static str),
    /// Paused, flagged or similar, which only approved templates are.
    InUse,
}

impl Step {
    /// Sort key of steps: webhooks have timestamps in whole seconds, and follow submissions of the same second. They
    /// arrive in any order, and within one second a review begins before it ends.
    pub(crate) fn sort_key(&self) -> (i64, u8) {
        let rank = match self.kind {
            StepKind::Submitted { .. } => 0,
            StepKind::Pending => 1,
            StepKind::Decided(_) | StepKind::InUse => 2,
        };
        (truncate_to_second(self.at), rank)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Review {
    /// `None` if only its decision was reported.
    pub(crate) started_at: Option<i64>,
    pub(crate) decided: Option<Decided>,
    /// Tag of the step that began it.
    pub(crate) tag: Option<usize>,
    creates: bool,
}

impl Review {
    /// From the start to the decision, in milliseconds, if both are known.
    pub(crate) fn duration(&self) -> Option<i64> {
        let decided = self.decided.as_ref()?;
        Some((decided.at - self.started_at?).max(0))
    }
}

/// The end of a review.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decided {
    pub(crate) at: i64,
    /// In capitals.
    pub(crate) outcome: &'static str,
    pub(crate) exact: bool,
    /// Tag of the step that ended it.
    pub(crate) tag: Option<usize>,
}

/// The reviews of a template, oldest first, from ordered steps.
///
/// A review begins when a submission was made here and not refused or, for submissions made elsewhere, when a webhook
/// reports `PENDING`. It is decided by the first `APPROVED` or `REJECTED` after that: at the exact instant of a
/// webhook, or at the latest at that of a listing. A submission before the decision leaves the earlier review without
/// an outcome. With files, one creation is several requests, which are one review.
///
/// A webhook's decision without a beginning is a review too, unless it only repeats the last result.
pub(crate) fn reviews(steps: impl IntoIterator<Item = Step>) -> Vec<Review> {
    let mut found: Vec<Review> = Vec::new();
    let mut last = None;
    for step in steps {
        let open = found.last_mut().filter(|last| last.decided.is_none());
        let new_review = |creates| Review { started_at: Some(step.at), decided: None, tag: step.tag, creates };
        let decided = |outcome| Decided { at: step.at, outcome, exact: step.exact, tag: step.tag };
        match (step.kind, open) {
            (StepKind::Submitted { creates: true }, Some(open)) if open.creates => {}
            (StepKind::Submitted { creates }, _) => found.push(new_review(creates)),
            (StepKind::Pending, None) => found.push(new_review(false)),
            (StepKind::Decided(outcome), Some(open)) => {
                open.decided = Some(decided(outcome));
            }
            (StepKind::Decided(outcome), None) if step.exact && last != Some(outcome) => {
                found.push(Review { started_at: None, decided: Some(decided(outcome)), tag: None, creates: false });
            }
            (StepKind::Pending, Some(_)) | (StepKind::Decided(_), None) | (StepKind::InUse, _) => {}
        }
        match step.kind {
            StepKind::Decided(outcome) => last = Some(outcome),
            StepKind::InUse => last = Some("APPROVED"),
            StepKind::Submitted { .. } | StepKind::Pending => {}
        }
    }
    found
}

/// The reviews of a template, those of each WABA by themselves, from ordered steps. If no report names a WABA, there is one
/// sequence of reviews.
///
/// `wabas` returns the WABAs that a step names. A creation that names none, and an edit, are for all of them; a report that
/// names none is about each.
pub(crate) fn reviews_by_waba<'a, S, W: Copy + PartialEq>(
    steps: &'a [S],
    step: impl Fn(&S) -> Step,
    wabas: impl Fn(&'a S) -> Vec<W>,
) -> Vec<(Option<W>, Review)> {
    let named: Vec<(Step, Vec<W>)> = steps.iter().map(|one| (step(one), wabas(one))).collect();
    let is_report = |step: &Step| !matches!(step.kind, StepKind::Submitted { .. });
    if !named.iter().any(|(step, wabas)| is_report(step) && !wabas.is_empty()) {
        return reviews(named.iter().map(|(step, _)| *step)).into_iter().map(|review| (None, review)).collect();
    }
    let mut known: Vec<W> = Vec::new();
    for waba in named.iter().flat_map(|(_, wabas)| wabas) {
        if !known.contains(waba) {
            known.push(*waba);
        }
    }
    let is_edit = |step: &Step| matches!(step.kind, StepKind::Submitted { creates: false });
    let of_waba = |waba: W| {
        // Edits before it was created there are of the other WABAs.
        let first = named.iter().position(|(step, wabas)| !is_edit(step) && wabas.contains(&waba)).unwrap_or(0);
        let is_created = matches!(named[first].0.kind, StepKind::Submitted { creates: true });
        let concern = named[if is_created { first } else { 0 }..]
            .iter()
            .filter(move |(step, wabas)| is_edit(step) || wabas.is_empty() || wabas.contains(&waba));
        reviews(concern.map(|(step, _)| *step)).into_iter().map(move |review| (Some(waba), review))
    };
    known.into_iter().flat_map(of_waba).collect()
}

/// The reviews of a template whose beginning is known, newest first, from its history, which is newest first too.
pub(super) fn decisions(history: &[HistoryEntry]) -> Vec<Decision> {
    let steps = history.iter().enumerate().rev().filter_map(|(index, entry)| {
        let after = entry.after.as_deref().unwrap_or_default();
        let is = |label: &str| after.eq_ignore_ascii_case(label);
        let EntryKind::Known(kind) = entry.kind else { return None };
        let kind = match kind {
            HistoryKind::Submitted if entry.outcome != Some(HistoryOutcome::Failed) => {
                StepKind::Submitted { creates: entry.field.as_deref() == Some("create") }
            }
            HistoryKind::Status if is("PENDING") && entry.source == HistorySource::Webhook => StepKind::Pending,
            HistoryKind::Status if is("APPROVED") => StepKind::Decided("APPROVED"),
            HistoryKind::Status if is("REJECTED") => StepKind::Decided("REJECTED"),
            _ => return None,
        };
        Some((Step { at: entry.at, kind, exact: entry.exact, tag: Some(index) }, entry))
    });
    let mut steps: Vec<(Step, &HistoryEntry)> = steps.collect();
    steps.sort_by_key(|(step, _)| step.sort_key());
    let found =
        reviews_by_waba(&steps, |(step, _)| *step, |(_, entry)| entry.wabas.iter().map(String::as_str).collect());
    let is_of_several = found.iter().any(|(waba, _)| *waba != found[0].0);
    let decision = |(waba, review): (Option<&str>, Review)| {
        Some(Decision {
            submitted_at: review.started_at?,
            decided_at: review.decided.as_ref().map(|decided| decided.at),
            took_ms: review.duration(),
            exact: review.decided.as_ref().is_none_or(|decided| decided.exact),
            outcome: review.decided.map(|decided| decided.outcome.to_owned()),
            version: review.tag.and_then(|index| history.get(index)?.version.clone()),
            waba: waba.filter(|_| is_of_several).map(str::to_owned),
        })
    };
    let mut decisions: Vec<Decision> = found.into_iter().filter_map(decision).collect();
    decisions.sort_by_key(|decision| std::cmp::Reverse(decision.submitted_at));
    decisions
}
