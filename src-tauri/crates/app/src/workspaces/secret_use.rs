//! When the webhook secrets of an endpoint were used, and how long the previous one is kept.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use command_types::workspace::SecretKind;

/// How long a previous secret is kept after its last use, in milliseconds.
const OVERLAP: i64 = DAY;
/// How long it is kept after its replacement, however often it is used: it may have leaked.
const MAX_OVERLAP: i64 = 7 * DAY;
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// How long a secret must stay due while the clock of this machine may be wrong, by a timer that nobody sets.
const UNCONFIRMED_DELAY: Duration = Duration::from_secs(24 * 60 * 60);

/// When the secrets of an endpoint signed deliveries, in Unix milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SecretUse {
    /// When the current secret last signed one.
    pub(crate) current: Option<i64>,
    /// When the previous secret last signed one.
    pub(crate) previous: Option<i64>,
    /// When the previous secret was replaced or entered.
    pub(super) replaced: Option<i64>,
}

impl SecretUse {
    /// Records a delivery, with the index of its secret among [`SecretKind::SIGNING`].
    pub(crate) fn record(&mut self, signed_by: usize, at: i64) {
        match SecretKind::SIGNING.get(signed_by) {
            Some(SecretKind::PreviousWebhookSecret) => self.previous = Some(at),
            _ => self.current = Some(at),
        }
    }

    /// When a stored previous secret is removed, unless it is used again before; `None` if it is not known when it was
    /// replaced.
    pub(crate) fn previous_until(&self) -> Option<i64> {
        let replaced = self.replaced?;
        let unused = self.previous.map_or(replaced, |used| used.max(replaced)).saturating_add(OVERLAP);
        Some(unused.min(replaced.saturating_add(MAX_OVERLAP)))
    }
}

/// Since when previous secrets have been due for removal in this run, by path.
#[derive(Debug, Default)]
pub(super) struct DueSecrets(HashMap<String, Instant>);

impl DueSecrets {
    /// Whether to remove a secret that is due at `until`. By the clock of this machine alone, which may be days ahead
    /// for one run, only if it stays due for a day.
    pub(super) fn is_due(&mut self, path: &str, until: i64, now: i64, is_confirmed: bool, timer: Instant) -> bool {
        if until > now {
            self.0.remove(path);
            return false;
        }
        let since = *self.0.entry(path.to_owned()).or_insert(timer);
        is_confirmed || timer.duration_since(since) >= UNCONFIRMED_DELAY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_previous_secret_is_kept_for_a_day_after_its_last_use() {
        let mut used = SecretUse::default();
        assert_eq!(used.previous_until(), None);
        used.replaced = Some(5);
        assert_eq!(used.previous_until(), Some(5 + OVERLAP));
        used.record(0, 9);
        assert_eq!((used.current, used.previous, used.previous_until()), (Some(9), None, Some(5 + OVERLAP)));
        used.record(1, 7);
        assert_eq!((used.current, used.previous, used.previous_until()), (Some(9), Some(7), Some(7 + OVERLAP)));
        // It was last used before it was replaced.
        used.replaced = Some(8);
        assert_eq!(used.previous_until(), Some(8 + OVERLAP));
    }

    #[test]
    fn a_previous_secret_that_is_used_daily_is_kept_for_a_week_at_most() {
        let mut used = SecretUse { replaced: Some(5), ..SecretUse::default() };
        for day in 1..30 {
            used.record(1, 5 + day * DAY - 1);
            assert_eq!(used.previous_until(), Some((5 + (day + 1) * DAY - 1).min(5 + 7 * DAY)), "{day}");
        }
    }

    #[test]
    fn a_clock_that_may_be_wrong_removes_nothing_at_once() {
        let (mut due, timer, hour) = (DueSecrets::default(), Instant::now(), Duration::from_secs(60 * 60));
        assert!(!due.is_due("/w", 10, 9, true, timer));
        assert!(due.is_due("/w", 10, 10, true, timer));
        assert!(!due.is_due("/other", 10, DAY, false, timer));
        assert!(!due.is_due("/other", 10, DAY, false, timer + 23 * hour));
        // Put right, the clock shows that it was not due.
        assert!(!due.is_due("/other", 10, 9, false, timer + 24 * hour));
        assert!(!due.is_due("/other", 10, 11, false, timer + 25 * hour));
        assert!(due.is_due("/other", 10, 12, false, timer + 49 * hour));
    }
}
