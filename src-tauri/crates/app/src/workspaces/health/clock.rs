//! An estimate of how far the clock of this machine is from the provider's.

use std::time::{Instant, SystemTime};

/// Differences up to this one, in milliseconds, are ignored: a `Date` has whole seconds, and answers take a while.
const TOLERANCE: i64 = 2 * 60 * 1_000;

/// Differences are what is to be added to the clock of this machine, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct ClockEstimate {
    /// The difference by the `Date` that a second answer, or an event, agrees with. One that shows no difference needs no
    /// second.
    date: Option<i64>,
    /// The difference by the last `Date`, if nothing agrees with it yet.
    unconfirmed: Option<i64>,
    /// The difference by the last `Date`, confirmed or not.
    last_date: Option<i64>,
    /// The two smallest differences with which none, and with which at most one event since `date` would have happened
    /// after its arrival.
    events: [Option<i64>; 2],
    /// Whether an event has arrived as soon as it happened by the clock of this machine, which is right then: no event is
    /// late by just the error of a clock.
    agrees_with_event: bool,
    /// A moment of the estimate by the clock and by a timer that nobody sets.
    anchor: Option<(SystemTime, Instant)>,
}

impl ClockEstimate {
    /// Records a `Date`. Once something agrees with it, it replaces what earlier events showed: one wrong timestamp must not
    /// count until the next start. Returns whether a difference changed noticeably.
    pub(super) fn date_seen(&mut self, difference: i64) -> bool {
        self.change(|estimate| {
            estimate.last_date = Some(difference);
            let agrees = |with: Option<i64>| with.is_some_and(|with| is_same(with, difference));
            if is_same(difference, 0)
                || agrees(estimate.date)
                || agrees(estimate.unconfirmed)
                || agrees(estimate.events[0])
            {
                estimate.confirm(difference);
            } else {
                estimate.unconfirmed = Some(difference);
            }
        })
    }

    /// Records how long after its arrival an event happened; negative for an ordinary one. Events may arrive late, so
    /// one shows only that the clock of this machine is behind, or that it is right. Returns whether a difference changed
    /// noticeably.
    pub(super) fn event_seen(&mut self, difference: i64) -> bool {
        self.change(|estimate| {
            estimate.agrees_with_event |= is_same(difference, 0);
            if let Some(date) = estimate.unconfirmed.filter(|date| is_same(*date, difference)) {
                estimate.confirm(date);
            }
            let [largest, second] = estimate.events;
            estimate.events = if Some(difference) > largest {
                [Some(difference), largest]
            } else {
                [largest, second.max(Some(difference))]
            };
        })
    }

    fn confirm(&mut self, date: i64) {
        (self.date, self.unconfirmed, self.events) = (Some(date), None, [None; 2]);
    }

    /// Whether the provider stated its time, and the clock was not set since.
    pub(super) fn is_known(&self) -> bool {
        self.date.is_some() && !self.is_outdated(SystemTime::now(), Instant::now())
    }

    fn change(&mut self, change: impl FnOnce(&mut Self)) -> bool {
        let before = (self.offset(), self.noticed());
        let (clock, timer) = (SystemTime::now(), Instant::now());
        if self.is_outdated(clock, timer) {
            *self = Self::default();
        }
        self.anchor = Some((clock, timer));
        change(self);
        let is_noticeable = |before: i64, after: i64| (after - before).abs() > TOLERANCE / 2;
        is_noticeable(before.0, self.offset()) || is_noticeable(before.1, self.noticed())
    }

    /// Whether the clock was set, or the machine slept, since the estimate was made.
    fn is_outdated(&self, clock: SystemTime, timer: Instant) -> bool {
        self.anchor.is_some_and(|(anchor_clock, anchor_timer)| {
            let passed = i64::try_from(timer.duration_since(anchor_timer).as_millis()).unwrap_or(i64::MAX);
            offset_between(clock, anchor_clock).saturating_sub(passed).abs() > TOLERANCE / 2
        })
    }

    /// The difference that a person should look at: the one that counts, else that of the last `Date`, which nothing
    /// needs to confirm; 0 within the tolerance.
    pub(super) fn noticed(&self) -> i64 {
        match (self.offset(), self.last_date) {
            (0, Some(date)) if !is_same(date, 0) && !self.is_outdated(SystemTime::now(), Instant::now()) => date,
            (offset, _) => offset,
        }
    }

    /// The difference that times are calculated with, or 0 within the tolerance.
    pub(super) fn offset(&self) -> i64 {
        if self.is_outdated(SystemTime::now(), Instant::now()) {
            return 0;
        }
        if self.agrees_with_event {
            return 0;
        }
        let [largest, second] = self.events;
        // An event that has just arrived contradicts a `Date` that lies before it. That the clock of this machine is behind
        // takes two: the timestamp of one may be wrong.
        let date = self.date.unwrap_or(0);
        let date = if date < 0 { date.max(largest.unwrap_or(date).min(0)) } else { date };
        let difference = date.max(second.unwrap_or(date));
        if is_same(difference, 0) { 0 } else { difference }
    }
}

fn is_same(one: i64, other: i64) -> bool {
    one.saturating_sub(other).abs() <= TOLERANCE
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
    const HOUR: i64 = 60 * MINUTE;

    #[derive(Debug)]
    enum Seen {
        Date(i64),
        Event(i64),
    }
    use Seen::{Date, Event};

    fn estimate(seen: &[Seen]) -> ClockEstimate {
        let mut estimate = ClockEstimate::default();
        for seen in seen {
            match seen {
                Date(difference) => estimate.date_seen(*difference),
                Event(difference) => estimate.event_seen(*difference),
            };
        }
        estimate
    }

    #[test]
    fn a_correction_needs_two_that_agree() {
        for (seen, expected) in [
            (&[][..], 0),
            (&[Date(119_000), Date(119_000)], 0),
            (&[Date(-119_000), Date(-119_000)], 0),
            // One answer may come from a proxy with a wrong clock.
            (&[Date(DAY)], 0),
            (&[Date(-DAY)], 0),
            (&[Date(-DAY), Date(-DAY + 1_000)], -DAY + 1_000),
            (&[Date(DAY), Date(DAY)], DAY),
            (&[Date(DAY), Date(-DAY)], 0),
            (&[Date(DAY), Date(0), Date(DAY)], 0),
            (&[Date(0), Date(DAY)], 0),
            // Two sources.
            (&[Date(DAY), Event(DAY - 1_000)], DAY),
            (&[Event(DAY - 1_000), Date(DAY)], DAY),
            // Late events say nothing.
            (&[Event(-DAY), Event(-DAY)], 0),
            (&[Date(DAY), Date(DAY), Event(-DAY), Event(-DAY)], DAY),
            // An event from the future does, if it is not the only one.
            (&[Event(DAY)], 0),
            (&[Event(-DAY), Event(DAY), Event(DAY + 1_000)], DAY),
            (&[Date(0), Event(DAY), Event(DAY)], DAY),
            (&[Event(DAY), Event(DAY), Date(0)], 0),
            // One that has just arrived contradicts an earlier `Date`.
            (&[Date(-DAY), Date(-DAY), Event(-10 * MINUTE)], -10 * MINUTE),
            (&[Date(-DAY), Date(-DAY), Event(HOUR)], 0),
        ] {
            assert_eq!(estimate(seen).offset(), expected, "{seen:?}");
        }
    }

    #[test]
    fn no_number_of_answers_counts_while_events_agree_with_this_machine() {
        for seen in [
            &[Event(-1_000), Date(DAY), Date(DAY), Date(DAY)][..],
            &[Date(DAY), Date(DAY), Event(-1_000)],
            &[Date(-DAY), Date(-DAY), Event(-1_000), Date(-DAY)],
            &[Event(-1_000), Event(DAY), Event(DAY)],
        ] {
            assert_eq!(estimate(seen).offset(), 0, "{seen:?}");
        }
    }

    #[test]
    fn the_first_answer_with_another_time_is_noticed_whatever_events_say() {
        for (seen, expected) in [
            (&[][..], 0),
            (&[Date(119_000)], 0),
            (&[Date(DAY)], DAY),
            (&[Date(-DAY)], -DAY),
            (&[Event(-1_000), Date(0), Date(2 * DAY)], 2 * DAY),
            (&[Date(DAY), Event(-1_000)], DAY),
            (&[Date(DAY), Date(0)], 0),
            (&[Event(DAY), Event(DAY)], DAY),
        ] {
            assert_eq!(estimate(seen).noticed(), expected, "{seen:?}");
        }
    }

    #[test]
    fn the_clock_is_known_once_a_date_is_confirmed() {
        for (seen, expected) in [
            (&[][..], false),
            (&[Event(DAY), Event(DAY)], false),
            (&[Date(0)], true),
            (&[Date(DAY)], false),
            (&[Date(DAY), Date(DAY)], true),
        ] {
            assert_eq!(estimate(seen).is_known(), expected, "{seen:?}");
        }
    }

    #[test]
    fn a_clock_that_was_set_since_is_not_corrected_any_more() {
        let mut estimate = ClockEstimate::default();
        assert!(estimate.date_seen(-DAY), "noticed");
        assert!(estimate.date_seen(-DAY), "confirmed");
        assert!(!estimate.date_seen(-DAY + 500));
        let (clock, timer) = (SystemTime::now(), Instant::now());
        assert!(!estimate.is_outdated(clock, timer));
        assert!(estimate.is_outdated(clock - std::time::Duration::from_secs(86_400), timer));
    }
}
