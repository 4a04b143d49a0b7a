//! When the channel archives and deletes templates that nobody uses.
//!
//! Source: Meta, *Template archival*, as updated on 2 June 2026 (upstream §5.5, §14.5): a template that was inactive for longer
//! than 12 months is archived, unless its status is `PENDING_DELETION`, `DELETED` or `ARCHIVED`; nobody can opt out. 28 days
//! later it is deleted. Creating, editing, sending, appealing and unarchiving are activity. The provider's contract promises
//! none of it (contract §3.1: "kept for history").

use chrono::{DateTime, Months, NaiveDate, NaiveTime};

use crate::closed_enum;
use crate::lifecycle::upstream_deletion_at;
use crate::vocabulary::TemplateStatus;

/// Months without activity after which the channel archives a template.
pub const UNUSED_MONTHS: u32 = 12;

/// Days before the archiving from which a template is at risk. This notice period is ours: enough for a plan of a campaign.
pub const NOTICE_DAYS: i64 = 60;

const DAY: i64 = 24 * 60 * 60 * 1_000;

closed_enum! {
    /// What is expected of a template that is not used any more.
    ArchivalKind in "model.ts" {
        /// It will be archived unless it is used.
        Coming = "coming",
        /// It is archived, and will be deleted.
        Archived = "archived",
        /// No use of it is known here.
        UnknownUse = "unknownUse",
        /// The provider does not state its status.
        UnknownStatus = "unknownStatus",
    }
}

/// What is known of a template. Instants are Unix milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct TemplateUse<'a> {
    pub status: &'a str,
    pub is_archived: bool,
    /// When it was archived, or unarchived, if that is known exactly.
    pub archived_changed_at: Option<i64>,
    /// When it got its status, if that is known exactly: a creation, an edit, an appeal or complaints about sends came
    /// shortly before.
    pub status_at: Option<i64>,
    /// When it was last sent from here.
    pub sent_at: Option<i64>,
}

impl TemplateUse<'_> {
    /// The last activity that is known here. There may have been a later one elsewhere.
    #[must_use]
    pub fn last_activity(&self) -> Option<i64> {
        let unarchived_at = self.archived_changed_at.filter(|_| !self.is_archived());
        self.sent_at.max(self.status_at).max(unarchived_at)
    }

    /// When it was archived, if it is, and that is known.
    #[must_use]
    pub fn archived_at(&self) -> Option<i64> {
        self.archived_changed_at.filter(|_| self.is_archived())
    }

    fn is_archived(&self) -> bool {
        self.is_archived || matches!(TemplateStatus::from(self.status), TemplateStatus::Archived)
    }

    /// The last activity of a template that the channel may archive.
    #[must_use]
    pub fn archivable_activity(&self) -> Option<i64> {
        let is_coming = self.forecast().is_some_and(|forecast| forecast.kind == ArchivalKind::Coming);
        self.last_activity().filter(|_| is_coming)
    }

    /// What the channel will do if the template is not used; `None` for one that is deleted anyway.
    #[must_use]
    pub fn forecast(&self) -> Option<ArchivalForecast> {
        let last_activity = self.last_activity();
        let of = |kind, archived_at: Option<i64>| ArchivalForecast {
            kind,
            last_activity,
            archived_at,
            deleted_at: archived_at.map(upstream_deletion_at),
        };
        if matches!(TemplateStatus::from(self.status), TemplateStatus::PendingDeletion | TemplateStatus::Deleted) {
            return None;
        }
        Some(if self.is_archived() {
            of(ArchivalKind::Archived, self.archived_at())
        } else if self.status.is_empty() {
            of(ArchivalKind::UnknownStatus, None)
        } else {
            match last_activity.and_then(archived_at) {
                Some(at) => of(ArchivalKind::Coming, Some(at)),
                None => of(ArchivalKind::UnknownUse, None),
            }
        })
    }
}

/// What the channel does with a template that is not used, by its own rule. Instants are Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchivalForecast {
    pub kind: ArchivalKind,
    pub last_activity: Option<i64>,
    /// When it is archived at the earliest, or was.
    pub archived_at: Option<i64>,
    pub deleted_at: Option<i64>,
}

/// When a template whose last activity was at `active_at` is archived; both in Unix milliseconds. `None` for an instant that is
/// no date.
#[must_use]
pub fn archived_at(active_at: i64) -> Option<i64> {
    let active_at = DateTime::from_timestamp_millis(active_at)?;
    Some(active_at.checked_add_months(Months::new(UNUSED_MONTHS))?.timestamp_millis())
}

/// The instant until which the archiving counts as a risk at `now`; both in Unix milliseconds.
#[must_use]
pub fn risk_until(now: i64) -> i64 {
    now.saturating_add(NOTICE_DAYS * DAY)
}

/// The last activity after which a template is archived until `until`; both in Unix milliseconds.
#[must_use]
pub fn active_until(until: i64) -> Option<i64> {
    let until = DateTime::from_timestamp_millis(until)?;
    let (day, months) = (until.date_naive(), Months::new(UNUSED_MONTHS));
    let before = day.checked_sub_months(months)?;
    // 28 and 29 February are archived on the same day.
    let is_archived_in_time = |active: &NaiveDate| active.checked_add_months(months).is_some_and(|at| at <= day);
    let last = before.succ_opt().filter(is_archived_in_time).unwrap_or(before);
    // The day may have no counterpart in the year before: then the whole of the last one is in time.
    let is_same_day = last.checked_add_months(months) == Some(day);
    let time = if is_same_day { until.time() } else { NaiveTime::from_hms_milli_opt(23, 59, 59, 999)? };
    Some(last.and_time(time).and_utc().timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        DateTime::parse_from_rfc3339(text).expect("an instant").timestamp_millis()
    }

    #[test]
    fn a_template_is_archived_twelve_months_after_its_last_activity_and_deleted_28_days_later() {
        for (active, archived, deleted) in [
            ("2025-11-28T09:30:00Z", "2026-11-28T09:30:00Z", "2026-12-26T09:30:00Z"),
            // Ends of months.
            ("2026-01-31T23:59:59Z", "2027-01-31T23:59:59Z", "2027-02-28T23:59:59Z"),
            ("2026-12-31T00:00:00Z", "2027-12-31T00:00:00Z", "2028-01-28T00:00:00Z"),
            ("2028-02-28T12:00:00Z", "2029-02-28T12:00:00Z", "2029-03-28T12:00:00Z"),
            ("2028-02-29T12:00:00Z", "2029-02-28T12:00:00Z", "2029-03-28T12:00:00Z"),
            ("2027-02-28T12:00:00Z", "2028-02-28T12:00:00Z", "2028-03-27T12:00:00Z"),
        ] {
            let used = TemplateUse { status: "APPROVED", sent_at: Some(at(active)), ..TemplateUse::default() };
            let expected = ArchivalForecast {
                kind: ArchivalKind::Coming,
                last_activity: Some(at(active)),
                archived_at: Some(at(archived)),
                deleted_at: Some(at(deleted)),
            };
            assert_eq!(used.forecast(), Some(expected), "{active}");
        }
    }

    #[test]
    fn the_forecast_says_what_is_unknown() {
        use ArchivalKind::{Archived, Coming, UnknownStatus, UnknownUse};
        let (old, new) = (Some(at("2026-01-01T00:00:00Z")), Some(at("2026-03-01T00:00:00Z")));
        let of = |status, is_archived, archived_changed_at, status_at, sent_at| TemplateUse {
            status,
            is_archived,
            archived_changed_at,
            status_at,
            sent_at,
        };
        for (known, kind, activity, archived) in [
            (of("APPROVED", false, None, None, None), Some(UnknownUse), None, None),
            (of("PAUSED", false, None, new, old), Some(Coming), new, archived_at(new.unwrap_or(0))),
            (of("DISABLED", false, None, None, old), Some(Coming), old, archived_at(old.unwrap_or(0))),
            (of("NEW_WORD", false, None, None, old), Some(Coming), old, archived_at(old.unwrap_or(0))),
            // Unarchiving is an activity.
            (of("APPROVED", false, new, None, old), Some(Coming), new, archived_at(new.unwrap_or(0))),
            (of("APPROVED", true, new, None, old), Some(Archived), old, new),
            (of("ARCHIVED", false, new, None, old), Some(Archived), old, new),
            (of("APPROVED", true, None, None, old), Some(Archived), old, None),
            (of("", false, None, None, old), Some(UnknownStatus), old, None),
            (of("", true, new, None, None), Some(Archived), None, new),
            (of("PENDING_DELETION", false, None, None, old), None, None, None),
            (of("DELETED", true, new, None, old), None, None, None),
        ] {
            let forecast = known.forecast();
            assert_eq!(forecast.map(|of| of.kind), kind, "{known:?}");
            assert_eq!(forecast.and_then(|of| of.last_activity), activity.filter(|_| kind.is_some()), "{known:?}");
            assert_eq!(forecast.and_then(|of| of.archived_at), archived, "{known:?}");
            assert_eq!(known.archivable_activity().is_some(), kind == Some(Coming), "{known:?}");
        }
    }

    #[test]
    fn the_last_activity_in_time_is_the_one_that_the_forecast_reaches() {
        for until in ["2029-02-28T10:00:00Z", "2028-02-29T10:00:00Z", "2027-01-31T00:00:00Z", "2028-03-01T00:00:00Z"] {
            let last = active_until(at(until)).expect("a date");
            assert!(archived_at(last) <= Some(at(until)), "{until}");
            assert!(archived_at(last + 1) > Some(at(until)), "{until}");
        }
    }

    #[test]
    fn instants_that_are_no_dates_have_no_forecast() {
        assert_eq!(archived_at(i64::MAX), None);
        assert_eq!(active_until(i64::MIN), None);
    }
}
