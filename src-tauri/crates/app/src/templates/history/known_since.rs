//! When a template was listed for the first time.

use store::desk::{Observation, Submission, SubmissionKind};

/// When a listing contained the template for the first time, if that is known: at the latest, because a difference
/// names only the last listing before it.
///
/// A template that no later listing added, and that was not created here, was in the first complete listing of its
/// workspace, requested at `first_listed`.
pub(super) fn listed_since(
    observed: &[Observation],
    submissions: &[Submission],
    first_listed: Option<i64>,
) -> Option<i64> {
    let first = observed
        .iter()
        .filter(|change| matches!(change.field.as_str(), "added" | "removed"))
        .min_by_key(|change| change.at);
    if let Some(added) = first.filter(|change| change.field == "added") {
        return Some(added.at);
    }
    let is_created_here = submissions.iter().any(|submission| submission.kind == SubmissionKind::Create);
    let in_earlier_listings = observed.iter().filter_map(|change| change.since);
    in_earlier_listings.chain(first_listed.filter(|_| !is_created_here)).min()
}
