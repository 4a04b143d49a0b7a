//! Rate limits of messages (upstream §4.3). Pure: the clock is an argument.

use std::collections::HashMap;
use std::time::Duration;

/// Minimum interval between two messages of one number: 80 per second.
const NUMBER_INTERVAL: Duration = Duration::from_micros(12_500);
/// Interval between two messages to one recipient.
const RECIPIENT_INTERVAL: Duration = Duration::from_secs(6);
/// How many messages to one recipient may be sent in a burst; later messages wait until the time is made up.
const RECIPIENT_BURST: u32 = 45;
/// How many recipients are tracked before idle ones are removed.
const REMEMBERED: usize = 1_024;

/// The limits of one sending number. Instants are durations since any fixed moment.
#[derive(Debug, Default)]
pub(crate) struct RateLimiter {
    /// When the next message may be sent.
    next: Duration,
    /// For each recipient: when its burst is made up.
    settled: HashMap<String, Duration>,
    /// For recipients that the channel rate-limited: when the next message may be sent.
    held: HashMap<String, Duration>,
    forget_at: usize,
}

/// Whether a message may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Now; the message is counted.
    Now,
    /// At this time; no other message may be sent before it either.
    All(Duration),
    /// At this time; messages to other recipients may be sent before it.
    Recipient(Duration),
}

impl RateLimiter {
    /// Requests to send a message to `recipient` at `now`; without a recipient, a request without rate limits that is
    /// subject to [`Self::hold`] only.
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

    /// Sends nothing before `until`.
    pub(crate) fn hold(&mut self, until: Duration) {
        self.next = self.next.max(until);
    }

    /// Sends nothing to `recipient` before `until`.
    pub(crate) fn hold_recipient(&mut self, recipient: &str, until: Duration) {
        self.held.insert(recipient.to_owned(), until);
    }

    fn ready(&self, recipient: &str) -> Duration {
        let borrowed = self.settled.get(recipient).copied().unwrap_or_default();
        let held = self.held.get(recipient).copied().unwrap_or_default();
        borrowed.saturating_sub(RECIPIENT_INTERVAL * (RECIPIENT_BURST - 1)).max(held)
    }

    /// Removes recipients without remaining limits, so that memory does not grow with a batch.
    fn forget(&mut self, now: Duration) {
        if self.settled.len() >= self.forget_at.max(REMEMBERED) {
            self.settled.retain(|_, settled| *settled > now);
            self.held.retain(|_, until| *until > now);
            self.forget_at = self.settled.len() * 2;
        }
    }
}

/// Minimum duration of `total` messages when `most` of them are to one recipient.
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
        // Far below the number's own limit.
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
        // After a silence of this length, the full burst is available again.
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
        /// No order of requests exceeds either limit.
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
