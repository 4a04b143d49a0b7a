//! What the channel does to templates in time, and what that leaves to be told from (upstream §5.4, §5.5).

use crate::vocabulary::{Category, TemplateStatus};

/// Days after which the channel deletes a template that stays archived (upstream §5.5). How the channel behaves; the
/// provider's contract promises neither this nor more.
pub const UPSTREAM_ARCHIVE_DAYS: i64 = 28;

/// Days for which the name of an approved template that was deleted cannot be used again (upstream §1.2).
pub const BLOCKED_NAME_DAYS: i64 = 30;

const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Reviews of a workspace that have to be known before they say what is usual there.
const ENOUGH_REVIEWS: u64 = 10;

/// How long a review takes at most, as the channel says, in milliseconds (upstream §5).
const STATED_REVIEW: i64 = DAY;

/// Within what a review is expected to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsualReview {
    /// Milliseconds.
    pub within: i64,
    /// Nine of ten reviews of the workspace ended within it; otherwise it is what the channel says.
    pub seen: bool,
}

/// What is usual where so many reviews are known, of which nine of ten took so many milliseconds at most.
#[must_use]
pub fn usual_review(decided: u64, p90: Option<i64>) -> UsualReview {
    match p90 {
        Some(within) if decided >= ENOUGH_REVIEWS => UsualReview { within, seen: true },
        _ => UsualReview { within: STATED_REVIEW, seen: false },
    }
}

/// Whether a template of this status waits for a review to end.
#[must_use]
pub fn is_in_review(status: &str) -> bool {
    matches!(TemplateStatus::from(status), TemplateStatus::Pending)
}

/// The status of a template that stands differently in several business accounts: the one that permits least, so that a
/// rejection in one of them is seen. `None` where no status is given.
#[must_use]
pub fn least_usable<'a>(statuses: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    statuses.into_iter().min_by_key(|word| {
        let status = TemplateStatus::from(*word);
        let usable = match status {
            TemplateStatus::Pending | TemplateStatus::InAppeal => 1,
            _ if status.is_sendable() => 2,
            _ => 0,
        };
        (usable, *word)
    })
}

/// When the channel deletes a template that was archived at that instant; both in Unix milliseconds.
#[must_use]
pub fn upstream_deletion_at(archived_at: i64) -> i64 {
    archived_at.saturating_add(UPSTREAM_ARCHIVE_DAYS * DAY)
}

/// Whether a template is one of those that the channel puts into every new account: `hello_world`, and what begins with
/// `sample_` (`sample_shipping_confirmation`, `sample_issue_resolution` and others, in several languages).
#[must_use]
pub fn is_sample(name: &str) -> bool {
    name == "hello_world" || name.starts_with("sample_")
}

/// The category that was asked for, told from a change of it: the one before, where only the channel can have changed it.
///
/// A template in review cannot be edited, and the category of an approved one is fixed (upstream §5.3), so that it is the
/// channel that has put it elsewhere (upstream §5.4). In any other status people may have changed it themselves.
#[must_use]
pub fn asked_category<'a>(status_before: &str, before: &'a str, after: &str) -> Option<&'a str> {
    let status = TemplateStatus::from(status_before);
    let fixed = matches!(status, TemplateStatus::Pending) || status.is_sendable();
    (fixed && is_other_category(before, after)).then_some(before)
}

/// Whether a template is in another category than was asked for; an unsaid one is none. Letters' case does not count
/// (contract §2.1).
#[must_use]
pub fn is_other_category(asked: &str, given: &str) -> bool {
    !asked.is_empty() && !given.is_empty() && Category::from(asked) != Category::from(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_channels_samples_are_known_by_their_names() {
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
    fn what_permits_least_stands_for_several_accounts() {
        for (statuses, status) in [
            (&["APPROVED", "PENDING"][..], Some("PENDING")),
            (&["APPROVED", "REJECTED"], Some("REJECTED")),
            (&["PENDING", "DISABLED", "APPROVED"], Some("DISABLED")),
            (&["FLAGGED", "APPROVED"], Some("APPROVED")),
            (&["REJECTED", "PAUSED"], Some("PAUSED")),
            (&["APPROVED"], Some("APPROVED")),
            (&[], None),
        ] {
            assert_eq!(least_usable(statuses.iter().copied()), status, "{statuses:?}");
            assert_eq!(least_usable(statuses.iter().rev().copied()), status, "{statuses:?}, in the other order");
        }
    }

    #[test]
    fn only_the_channel_changes_the_category_of_what_is_in_review_or_approved() {
        for (status, before, after, asked) in [
            ("PENDING", "utility", "marketing", Some("utility")),
            ("APPROVED", "UTILITY", "marketing", Some("UTILITY")),
            ("FLAGGED", "utility", "marketing", Some("utility")),
            // Nothing changed, or only the letters.
            ("PENDING", "utility", "utility", None),
            ("PENDING", "UTILITY", "utility", None),
            // Edited, perhaps.
            ("REJECTED", "utility", "marketing", None),
            ("PAUSED", "utility", "marketing", None),
            ("", "utility", "marketing", None),
            // Not said.
            ("PENDING", "", "marketing", None),
            ("PENDING", "utility", "", None),
            // A word nobody knows is a category as well.
            ("PENDING", "utility", "NEW_KIND", Some("utility")),
        ] {
            assert_eq!(asked_category(status, before, after), asked, "{status} {before} {after}");
        }
    }

    #[test]
    fn what_is_usual_takes_ten_reviews_to_know() {
        for (decided, p90, within, seen) in [
            (0, None, 86_400_000, false),
            (9, Some(5), 86_400_000, false),
            (10, Some(5), 5, true),
            // A slow provider is no reason to call everything late.
            (10, Some(200_000_000), 200_000_000, true),
        ] {
            assert_eq!(usual_review(decided, p90), UsualReview { within, seen }, "{decided} {p90:?}");
        }
    }

    #[test]
    fn archived_ones_are_deleted_after_four_weeks() {
        assert_eq!(upstream_deletion_at(0), 2_419_200_000);
        assert_eq!(upstream_deletion_at(i64::MAX), i64::MAX);
    }
}
