//! Business days and hours of the history, in the shop's time zone.

use super::random::Random;
use crate::time::Instant;

pub(crate) const SECOND: i64 = 1_000;
pub(crate) const MINUTE: i64 = 60 * SECOND;
pub(crate) const HOUR: i64 = 60 * MINUTE;
pub(crate) const DAY: i64 = 24 * HOUR;

/// Days that the history covers.
pub(crate) const DAYS: i64 = 60;
/// São Paulo, which has no daylight saving time.
const ZONE: i64 = -3 * HOUR;

/// Share of the day's messages in each hour from 9 to 19, in no unit.
const HOURS: [usize; 11] = [6, 12, 13, 9, 5, 7, 11, 12, 10, 7, 3];
const FIRST_HOUR: i64 = 9;

/// The shop's days, counted back from the anchor.
#[derive(Clone, Copy)]
pub(crate) struct Calendar {
    anchor: Instant,
}

impl Calendar {
    pub(crate) fn new(anchor: Instant) -> Self {
        Self { anchor }
    }

    /// Midnight of the day that is `days` before the anchor's.
    fn midnight(self, days: i64) -> Instant {
        let local = self.anchor + ZONE;
        local - local.rem_euclid(DAY) - days * DAY - ZONE
    }

    /// An instant on the day that is `days` before the anchor's.
    pub(crate) fn at(self, days: i64, hour: i64, minute: i64) -> Instant {
        self.midnight(days) + hour * HOUR + minute * MINUTE
    }

    /// The day of the week, Monday is 0.
    pub(crate) fn weekday(self, days: i64) -> i64 {
        // 1 January 1970 was a Thursday.
        ((self.midnight(days) + ZONE).div_euclid(DAY) + 3).rem_euclid(7)
    }

    /// Shortly before the anchor, or at the end of the last business hours.
    pub(crate) fn lately(self) -> Instant {
        let at = self.anchor - 25 * MINUTE;
        if at < self.at(0, FIRST_HOUR, 0) { self.at(1, 18, 40) } else { at.min(self.at(0, 19, 35)) }
    }

    /// An instant in business hours, more likely when the shop is busy.
    pub(crate) fn busy(self, days: i64, random: &mut Random) -> Instant {
        let mut place = random.below(HOURS.iter().sum());
        let mut hour = FIRST_HOUR;
        for share in HOURS {
            if place < share {
                break;
            }
            place -= share;
            hour += 1;
        }
        self.at(days, hour, 0) + random.between(0, HOUR - SECOND)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_hours_are_those_of_the_shop() {
        // Monday, 23 November 2026, 01:30 UTC: still Sunday in São Paulo.
        let calendar = Calendar::new(1_795_397_400_000);
        assert_eq!((calendar.weekday(0), calendar.weekday(1), calendar.weekday(6)), (6, 5, 0));
        assert_eq!(calendar.at(0, 22, 30), 1_795_397_400_000);
        let mut random = Random::new(1);
        for _ in 0..1_000 {
            let at = calendar.busy(3, &mut random);
            assert!((calendar.at(3, 9, 0)..calendar.at(3, 20, 0)).contains(&at));
        }
    }
}
