//! How fast messages may follow one another (upstream §4.3). Pure: the clock is an argument.

use std::collections::HashMap;
use std::time::Duration;

/// Between two messages of one number: 80 in a second.
const NUMBER_INTERVAL: Duration = Duration::from_micros(12_500);
/// Between two messages to one recipient.
const RECIPIENT_INTERVAL: Duration = Duration::from_secs(6);
/// So many messages to one recipient may leave at once; they are borrowed from the time after them.
const RECIPIENT_BURST: u32 = 45;
/// How many recipients are remembered before those that are as good as new are forgotten.
const REMEMBERED: usize = 1_024;

/// The limits of one sending number. Instants are durations since any fixed moment.
#[derive(Debug, Default)]
pub(crate) struct RateLimiter {
    /// When the next message may leave.
    next: Duration,
    /// For each recipient that was written to: when everything borrowed is given back.
    settled: HashMap<String, Duration>,
    /// For recipients of whom the channel said that it is too much: when the next message may leave.
    held: HashMap<String, Duration>,
    forget_at: usize,
}

/// Whether a message may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Now; it is counted.
    Now,
    /// At this time; nothing else may leave before that either.
    All(Duration),
    /// At this time; messages to others may leave before that.
    Recipient(Duration),
}

impl RateLimiter {
    /// Asks for a message to `recipient` to leave at `now`; without one, for a request that no rate limit applies to and
    /// that waits for [`Self::hold`] alone.
    pub(crate) fn ask(&mut self, recipient: Option<&str>, now: Duration) -> Turn {
        let ready = recipient.map(|recipient| self.ready(recipient)).unwrap_or_default();
        if ready > now {
            return Turn::Recipient(ready);
        }
        if self.next > now {
            return Turn::All(self.next);
        }
        let Some(recipient) = recipient else { return Turn::Now };
        self.next = now + NUMBER_INTERVAL;
        self.forget(now);
        let settled = self.settled.entry(recipient.to_owned()).or_default();
        *settled = (*settled).max(now) + RECIPIENT_INTERVAL;
        Turn::Now
    }

    /// Lets nothing leave before `until`.
    pub(crate) fn hold(&mut self, until: Duration) {
        self.next = self.next.max(until);
    }

    /// Lets nothing leave to `recipient` before `until`.
    pub(crate) fn hold_recipient(&mut self, recipient: &str, until: Duration) {
        self.held.insert(recipient.to_owned(), until);
    }

    fn ready(&self, recipient: &str) -> Duration {
        let borrowed = self.settled.get(recipient).copied().unwrap_or_default();
        let held = self.held.get(recipient).copied().unwrap_or_default();
        borrowed.saturating_sub(RECIPIENT_INTERVAL * (RECIPIENT_BURST - 1)).max(held)
    }

    /// Forgets recipients who may be written to as if they never had been, so that memory does not grow with a batch.
    fn forget(&mut self, now: Duration) {
        if self.settled.len() >= self.forget_at.max(REMEMBERED) {
            self.settled.retain(|_, settled| *settled > now);
            self.held.retain(|_, until| *until > now);
            self.forget_at = self.settled.len() * 2;
        }
    }
}

/// How long `total` messages take at least, when `most` of them go to one recipient.
pub(crate) fn estimate(total: u32, most: u32) -> Duration {
    let number = NUMBER_INTERVAL * total.saturating_sub(1);
    let pair = RECIPIENT_INTERVAL * most.saturating_sub(RECIPIENT_BURST);
    number.max(pair)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn eighty_leave_in_a_second_and_each_in_its_turn() {
        let mut limiter = RateLimiter::default();
        let mut now = Duration::ZERO;
        for message in 0..160 {
            let recipient = message.to_string();
            if let Turn::All(until) = limiter.ask(Some(&recipient), now) {
                now = until;
                assert_eq!(limiter.ask(Some(&recipient), now), Turn::Now);
            }
        }
        assert_eq!(now, SECOND * 2 - NUMBER_INTERVAL);
        assert_eq!(estimate(160, 1), now);
    }

    #[test]
    fn a_recipient_may_borrow_and_gives_back() {
        let mut limiter = RateLimiter::default();
        // Far from the number's own limit.
        let at = |message: u32| NUMBER_INTERVAL * message;
        for message in 0..RECIPIENT_BURST {
            assert_eq!(limiter.ask(Some("a"), at(message)), Turn::Now, "{message}");
        }
        let now = at(RECIPIENT_BURST);
        let Turn::Recipient(ready) = limiter.ask(Some("a"), now) else { panic!("more than the burst") };
        assert_eq!(ready, RECIPIENT_INTERVAL, "one is given back every six seconds since the first");
        assert_eq!(limiter.ask(Some("b"), now), Turn::Now, "others may be written to");
        assert_eq!(limiter.ask(Some("a"), ready), Turn::Now);
        assert_eq!(limiter.ask(Some("a"), ready + NUMBER_INTERVAL), Turn::Recipient(RECIPIENT_INTERVAL * 2));
        // After as long a silence everything is as at first.
        let late = RECIPIENT_INTERVAL * (RECIPIENT_BURST + 2);
        for message in 0..RECIPIENT_BURST {
            assert_eq!(limiter.ask(Some("a"), late + at(message)), Turn::Now, "{message}");
        }
        assert_eq!(estimate(RECIPIENT_BURST + 2, RECIPIENT_BURST + 2), RECIPIENT_INTERVAL * 2);
    }

    #[test]
    fn what_the_channel_asks_for_is_kept() {
        let mut limiter = RateLimiter::default();
        limiter.hold(SECOND * 9);
        limiter.hold(SECOND * 5);
        assert_eq!(limiter.ask(Some("a"), SECOND), Turn::All(SECOND * 9), "the longer pause stands");
        limiter.hold_recipient("a", SECOND * 20);
        assert_eq!(limiter.ask(Some("a"), SECOND * 10), Turn::Recipient(SECOND * 20));
        assert_eq!(limiter.ask(Some("b"), SECOND * 10), Turn::Now);
        assert_eq!(limiter.ask(Some("a"), SECOND * 20), Turn::Now);
    }

    proptest! {
        /// Whatever is asked for in whatever order, neither limit is passed.
        #[test]
        fn no_limit_is_passed(asked in prop::collection::vec((0_u8..3, 0_u64..9_000), 1..600)) {
            let mut limiter = RateLimiter::default();
            let mut now = Duration::ZERO;
            let mut left: Vec<(u8, Duration)> = Vec::new();
            for (recipient, later) in asked {
                now += Duration::from_millis(later / 100);
                match limiter.ask(Some(&recipient.to_string()), now) {
                    Turn::Now => left.push((recipient, now)),
                    Turn::All(until) | Turn::Recipient(until) => prop_assert!(until > now),
                }
            }
            for (place, (recipient, at)) in left.iter().enumerate() {
                let second = left[place..].iter().take_while(|(_, other)| *other < *at + SECOND).count();
                prop_assert!(second <= 80, "{second} in a second");
                let mut pair = left[place..].iter().filter(|(other, _)| other == recipient);
                let over = pair.nth(RECIPIENT_BURST as usize).map_or(Duration::MAX, |(_, later)| *later - *at);
                prop_assert!(over >= RECIPIENT_INTERVAL, "{over:?} between the first and the forty-sixth");
            }
        }
    }

    #[test]
    fn memory_does_not_grow_with_the_batch() {
        let mut limiter = RateLimiter::default();
        for message in 0..50_000_u32 {
            let now = NUMBER_INTERVAL * message;
            assert_eq!(limiter.ask(Some(&message.to_string()), now), Turn::Now);
        }
        assert!(limiter.settled.len() < 4 * REMEMBERED, "{}", limiter.settled.len());
    }
}
