//! An estimate of how far the clock of this machine is from the provider's.

use std::time::{Instant, SystemTime};

/// Differences up to this one, in milliseconds, are ignored: a `Date` has whole seconds, and answers take a while.
const TOLERANCE: i64 = 2 * 60 * 1_000;

/// Differences are what is to be added to the clock of this machine, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct ClockEstimate {
    /// The difference by the `Date` of the last answer.
    date: Option<i64>,
    /// The smallest difference with which no event since that answer would have happened after its arrival.
    events: Option<i64>,
    /// A moment of the estimate by the clock and by a timer that nobody sets.
    anchor: Option<(SystemTime, Instant)>,
}

impl ClockEstimate {
    /// Records a `Date`, which replaces what earlier events showed: one wrong timestamp must not count until the next
    /// start. Returns whether the offset changed noticeably.
    pub(super) fn date_seen(&mut self, difference: i64) -> bool {
        self.change(|estimate| (estimate.date, estimate.events) = (Some(difference), None))
    }

    /// Records how long after its arrival an event happened; negative for an ordinary one. Events may arrive late, so
    /// they show only that the clock of this machine is behind. Returns whether the offset changed noticeably.
    pub(super) fn event_seen(&mut self, difference: i64) -> bool {
        self.change(|estimate| estimate.events = estimate.events.max(Some(difference)))
    }

    /// Whether the provider stated its time, and the clock was not set since.
    pub(super) fn is_known(&self) -> bool {
        self.date.is_some() && !self.is_outdated(SystemTime::now(), Instant::now())
    }

    fn change(&mut self, change: impl FnOnce(&mut Self)) -> bool {
        let before = self.offset();
        let (clock, timer) = (SystemTime::now(), Instant::now());
        if self.is_outdated(clock, timer) {
            *self = Self::default();
        }
        self.anchor = Some((clock, timer));
        change(self);
        (self.offset() - before).abs() > TOLERANCE / 2
    }

    /// Whether the clock was set, or the machine slept, since the estimate was made.
    fn is_outdated(&self, clock: SystemTime, timer: Instant) -> bool {
        self.anchor.is_some_and(|(anchor_clock, anchor_timer)| {
            let passed = i64::try_from(timer.duration_since(anchor_timer).as_millis()).unwrap_or(i64::MAX);
            offset_between(clock, anchor_clock).saturating_sub(passed).abs() > TOLERANCE / 2
        })
    }

    /// The difference, or 0 within the tolerance.
    pub(super) fn offset(&self) -> i64 {
        if self.is_outdated(SystemTime::now(), Instant::now()) {
            return 0;
        }
        // An event that has just arrived contradicts a `Date` that lies before it.
        let difference = match (self.date, self.events) {
            (Some(date), events) => date.max(events.unwrap_or(date)),
            (None, events) => events.unwrap_or(0).max(0),
        };
        if difference.abs() > TOLERANCE { difference } else { 0 }
    }
}

/// `one` − `other` in milliseconds.
pub(super) fn offset_between(one: SystemTime, other: SystemTime) -> i64 {
    let millis = |duration: std::time::Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    one.duration_since(other).map_or_else(|error| -millis(error.duration()), millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60 * 1_000;
    const MINUTE: i64 = 60 * 1_000;

    fn offset(date: Option<i64>, events: &[i64]) -> i64 {
        let mut estimate = ClockEstimate::default();
        if let Some(date) = date {
            estimate.date_seen(date);
        }
        for difference in events {
            estimate.event_seen(*difference);
        }
        estimate.offset()
    }

    #[test]
    fn the_offset_is_that_of_the_date_unless_events_contradict_it() {
        for (date, events, expected) in [
            (None, &[][..], 0),
            (Some(119_000), &[], 0),
            (Some(-119_000), &[], 0),
            (Some(-DAY), &[], -DAY),
            (Some(DAY), &[], DAY),
            // Late events say nothing.
            (None, &[-DAY], 0),
            (Some(DAY), &[-DAY, -1_000], DAY),
            // An event from the future does.
            (None, &[-DAY, DAY, -DAY], DAY),
            (Some(0), &[DAY], DAY),
            // The `Date` is wrong: a message of this second has just arrived.
            (Some(-DAY), &[-1_000], 0),
            (Some(-DAY), &[-10 * MINUTE], -10 * MINUTE),
        ] {
            assert_eq!(offset(date, events), expected, "{date:?} {events:?}");
        }
    }

    #[test]
    fn a_later_date_replaces_what_events_showed() {
        let mut estimate = ClockEstimate::default();
        assert!(estimate.event_seen(DAY));
        assert!(!estimate.is_known(), "events show only a limit");
        assert!(estimate.date_seen(0));
        assert!(estimate.is_known());
        assert_eq!(estimate.offset(), 0);
        estimate.event_seen(-1_000);
        assert_eq!(estimate.offset(), 0);
    }

    #[test]
    fn a_clock_that_was_set_since_is_not_corrected_any_more() {
        let mut estimate = ClockEstimate::default();
        assert!(estimate.date_seen(-DAY));
        assert!(!estimate.date_seen(-DAY + 500));
        let (clock, timer) = (SystemTime::now(), Instant::now());
        assert!(!estimate.is_outdated(clock, timer));
        assert!(estimate.is_outdated(clock - std::time::Duration::from_secs(86_400), timer));
    }
}
