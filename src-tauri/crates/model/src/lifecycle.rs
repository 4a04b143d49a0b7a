//! Time limits of the channel for templates, and conclusions from status changes (upstream §5.4, §5.5).

use crate::vocabulary::{Category, TemplateStatus};

/// Days after which the channel deletes an archived template (upstream §5.5). The provider's contract doesn't promise
/// this.
pub const UPSTREAM_ARCHIVE_DAYS: i64 = 28;

/// Days for which the name of a deleted approved template can't be reused (upstream §1.2).
pub const BLOCKED_NAME_DAYS: i64 = 30;

/// Days after a change of the category in which a review of it can be requested in WhatsApp Manager (upstream §5.4).
const CATEGORY_APPEAL_DAYS: i64 = 60;

const HOUR: i64 = 60 * 60 * 1_000;
const DAY: i64 = 24 * HOUR;

/// Minimum number of completed reviews in a workspace for an estimate.
const MIN_REVIEWS: u64 = 10;

/// Maximum duration of a review as documented by the channel, in milliseconds (upstream §5).
const DEFAULT_REVIEW_TIME: i64 = DAY;

/// Expected duration of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsualReview {
    /// Upper limit in milliseconds.
    pub within: i64,
    /// Whether it is the 90th percentile of the workspace; otherwise it is the channel's documented maximum.
    pub seen: bool,
}

/// Expected duration of a review, from the number of completed reviews and the 90th percentile of their durations in
/// milliseconds.
#[must_use]
pub fn usual_review(decided: u64, p90: Option<i64>) -> UsualReview {
    match p90 {
        Some(within) if decided >= MIN_REVIEWS => UsualReview { within, seen: true },
        _ => UsualReview { within: DEFAULT_REVIEW_TIME, seen: false },
    }
}

/// Whether a template with this status waits for the result of a review.
#[must_use]
pub fn is_in_review(status: &str) -> bool {
    matches!(TemplateStatus::from(status), TemplateStatus::Pending)
}

/// The status to show for a template with different statuses in several business accounts: the least usable one, so
/// that a rejection in one of them is visible. `None` for no statuses.
#[must_use]
pub fn most_restrictive<'a>(statuses: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    statuses.into_iter().min_by_key(|word| usability(word))
}

/// Sort key of a status: the less the template can be used, the smaller it is.
#[must_use]
pub fn usability(word: &str) -> (u8, &str) {
    let status = TemplateStatus::from(word);
    let usable = match status {
        TemplateStatus::Pending | TemplateStatus::InAppeal => 1,
        _ if status.is_sendable() => 2,
        _ => 0,
    };
    (usable, word)
}

/// How long a pause lasts, in milliseconds, by the title of its event (upstream §5). `None` for one that does not end by
/// itself, and for an unknown title.
#[must_use]
pub fn pause_length(title: &str) -> Option<i64> {
    match title.to_ascii_uppercase().as_str() {
        "FIRST_PAUSE" => Some(3 * HOUR),
        "SECOND_PAUSE" => Some(6 * HOUR),
        _ => None,
    }
}

/// When the channel deletes a template that was archived at `archived_at`; both in Unix milliseconds.
#[must_use]
pub fn upstream_deletion_at(archived_at: i64) -> i64 {
    archived_at.saturating_add(UPSTREAM_ARCHIVE_DAYS * DAY)
}

/// Whether a template is a sample that the channel adds to every new account: `hello_world`, and names with the prefix
/// `sample_` (`sample_shipping_confirmation`, `sample_issue_resolution` and others, in several languages).
#[must_use]
pub fn is_sample(name: &str) -> bool {
    name == "hello_world" || name.starts_with("sample_")
}

/// The requested category, derived from a change of it: the old category, if only the channel can have made the change.
///
/// A template in review can't be edited, and the category of an approved one is fixed (upstream §5.3), so the channel
/// made the change (upstream §5.4). In any other status a person may have made it.
#[must_use]
pub fn asked_category<'a>(status_before: &str, before: &'a str, after: &str) -> Option<&'a str> {
    let status = TemplateStatus::from(status_before);
    let fixed = matches!(status, TemplateStatus::Pending) || status.is_sendable();
    (fixed && is_other_category(before, after)).then_some(before)
}

/// Whether a template's category differs from the requested one. An empty category is unknown and doesn't differ. Case
/// is ignored (contract §2.1).
#[must_use]
pub fn is_other_category(asked: &str, given: &str) -> bool {
    !asked.is_empty() && !given.is_empty() && Category::from(asked) != Category::from(given)
}

/// Whether messages of a template cost more since its category changed: marketing costs two to ten times as much as the
/// others in most markets. Unknown categories are not compared.
#[must_use]
pub fn costs_more(before: &str, after: &str) -> bool {
    let is_cheaper = matches!(Category::from(before), Category::Utility | Category::Authentication);
    is_cheaper && Category::from(after) == Category::Marketing
}

/// Until when a review of a category can be requested that was changed at `changed_at`. Unix milliseconds.
#[must_use]
pub fn category_appeal_until(changed_at: i64) -> i64 {
    changed_at.saturating_add(CATEGORY_APPEAL_DAYS * DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_of_the_category_can_be_requested_for_sixty_days() {
        assert_eq!(category_appeal_until(1_000), 1_000 + 60 * 86_400_000);
        assert_eq!(category_appeal_until(i64::MAX), i64::MAX);
    }

    #[test]
    fn only_marketing_costs_more() {
        for (before, after, more) in [
            ("UTILITY", "MARKETING", true),
            ("utility", "marketing", true),
            ("AUTHENTICATION", "MARKETING", true),
            ("MARKETING", "UTILITY", false),
            ("MARKETING", "MARKETING", false),
            ("UTILITY", "AUTHENTICATION", false),
            ("", "MARKETING", false),
            ("SERVICE_PLUS", "MARKETING", false),
        ] {
            assert_eq!(costs_more(before, after), more, "{before} to {after}");
        }
    }

    #[test]
    fn the_channels_samples_are_recognized_by_name() {
        for (name, sample) in [
            ("hello_world", true),
            ("sample_shipping_confirmation", true),
            ("sample_", true),
            ("hello_world_2", false),
            ("samples", false),
            ("my_sample_offer", false),
            ("", false),
        ] {
            assert_eq!(is_sample(name), sample, "{name}");
        }
    }

    #[test]
    fn the_most_restrictive_status_applies_to_several_accounts() {
        for (statuses, status) in [
            (&["APPROVED", "PENDING"][..], Some("PENDING")),
            (&["APPROVED", "REJECTED"], Some("REJECTED")),
            (&["PENDING", "DISABLED", "APPROVED"], Some("DISABLED")),
            (&["FLAGGED", "APPROVED"], Some("APPROVED")),
            (&["REJECTED", "PAUSED"], Some("PAUSED")),
            (&["APPROVED"], Some("APPROVED")),
            (&[], None),
        ] {
            assert_eq!(most_restrictive(statuses.iter().copied()), status, "{statuses:?}");
            assert_eq!(most_restrictive(statuses.iter().rev().copied()), status, "{statuses:?}, in the other order");
        }
    }

    #[test]
    fn a_category_change_in_review_or_approved_is_the_channels() {
        for (status, before, after, asked) in [
            ("PENDING", "utility", "marketing", Some("utility")),
            ("APPROVED", "UTILITY", "marketing", Some("UTILITY")),
            ("FLAGGED", "utility", "marketing", Some("utility")),
            // Unchanged, or only the case changed.
            ("PENDING", "utility", "utility", None),
            ("PENDING", "UTILITY", "utility", None),
            // Possibly edited.
            ("REJECTED", "utility", "marketing", None),
            ("PAUSED", "utility", "marketing", None),
            ("", "utility", "marketing", None),
            // Unknown.
            ("PENDING", "", "marketing", None),
            ("PENDING", "utility", "", None),
            // An unknown word also counts as a category.
            ("PENDING", "utility", "NEW_KIND", Some("utility")),
        ] {
            assert_eq!(asked_category(status, before, after), asked, "{status} {before} {after}");
        }
    }

    #[test]
    fn the_usual_review_time_needs_ten_reviews() {
        for (decided, p90, within, seen) in [
            (0, None, 86_400_000, false),
            (9, Some(5), 86_400_000, false),
            (10, Some(5), 5, true),
            // A slow provider doesn't make every review late.
            (10, Some(200_000_000), 200_000_000, true),
        ] {
            assert_eq!(usual_review(decided, p90), UsualReview { within, seen }, "{decided} {p90:?}");
        }
    }

    #[test]
    fn archived_templates_are_deleted_after_four_weeks() {
        assert_eq!(upstream_deletion_at(0), 2_419_200_000);
        assert_eq!(upstream_deletion_at(i64::MAX), i64::MAX);
    }
}
