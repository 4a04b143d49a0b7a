//! Rate limits of messages (upstream §4.3). Pure: the clock is an argument.

use std::collections::HashMap;
use std::time::Duration;

use crate::context::SEND_INTERVAL;

/// Interval between two messages to one recipient.
const RECIPIENT_INTERVAL: Duration = Duration::from_secs(6);
/// How many messages to one recipient may be sent in a burst; later messages wait until the time is made up.
const RECIPIENT_BURST: u32 = 45;
/// How many recipients are tracked before idle ones are removed.
const MAX_TRACKED_RECIPIENTS: usize = 1_024;

/// The limits of one sending number. Instants are durations since any fixed moment.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    /// Minimum interval between two messages.
    interval: Duration,
    /// When the next message may be sent.
    next: Duration,
    /// For each recipient: when its burst is made up.
    settled: HashMap<String, Duration>,
    /// For recipients that the channel rate-limited: when the next message may be sent.
    paused_until: HashMap<String, Duration>,
    forget_at: usize,
}

/// Whether a message may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permit {
    /// Now; the message is counted.
    Now,
    /// At this time; no other message may be sent before it either.
    All(Duration),
    /// At this time; messages to other recipients may be sent before it.
    Recipient(Duration),
}

impl RateLimiter {
    pub(crate) fn new(interval: Duration) -> Self {
        Self { interval, next: Duration::ZERO, settled: HashMap::new(), paused_until: HashMap::new(), forget_at: 0 }
    }

    /// Requests to send a message to `recipient` at `now`; without a recipient, a request without rate limits that is
    /// subject to [`Self::pause_until`] only.
    pub(crate) fn acquire(&mut self, recipient: Option<&str>, now: Duration) -> Permit {
        let ready_at = recipient.map(|recipient| self.ready_at(recipient)).unwrap_or_default();
        if ready_at > now {
            return Permit::Recipient(ready_at);
        }
        if self.next > now {
            return Permit::All(self.next);
        }
        let Some(recipient) = recipient else { return Permit::Now };
        self.next = now + self.interval;
        self.remove_idle_recipients(now);
        let settled = self.settled.entry(recipient.to_owned()).or_default();
        *settled = (*settled).max(now) + RECIPIENT_INTERVAL;
        Permit::Now
    }

    /// Sends nothing before `until`.
    pub(crate) fn pause_until(&mut self, until: Duration) {
        self.next = self.next.max(until);
    }

    /// Sends nothing to `recipient` before `until`.
    pub(crate) fn pause_recipient_until(&mut self, recipient: &str, until: Duration) {
        self.paused_until.insert(recipient.to_owned(), until);
    }

    fn ready_at(&self, recipient: &str) -> Duration {
        let borrowed = self.settled.get(recipient).copied().unwrap_or_default();
        let paused_until = self.paused_until.get(recipient).copied().unwrap_or_default();
        borrowed.saturating_sub(RECIPIENT_INTERVAL * (RECIPIENT_BURST - 1)).max(paused_until)
    }

    /// Removes recipients without remaining limits, so that memory does not grow with a batch.
    fn remove_idle_recipients(&mut self, now: Duration) {
        if self.settled.len() >= self.forget_at.max(MAX_TRACKED_RECIPIENTS) {
            self.settled.retain(|_, settled| *settled > now);
            self.paused_until.retain(|_, until| *until > now);
            self.forget_at = self.settled.len() * 2;
        }
    }
}

/// Minimum duration of `total` messages when `most` of them are to one recipient.
pub(crate) fn estimate(total: u32, most: u32) -> Duration {
    let number = SEND_INTERVAL * total.saturating_sub(1);
    let pair = RECIPIENT_INTERVAL * most.saturating_sub(RECIPIENT_BURST);
    number.max(pair)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn eighty_items_are_sent_per_second_in_order() {
        let mut limiter = RateLimiter::new(SEND_INTERVAL);
        let mut now = Duration::ZERO;
        for message in 0..160 {
            let recipient = message.to_string();
            if let Permit::All(until) = limiter.acquire(Some(&recipient), now) {
                now = until;
                assert_eq!(limiter.acquire(Some(&recipient), now), Permit::Now);
            }
        }
        assert_eq!(now, SECOND * 2 - SEND_INTERVAL);
        assert_eq!(estimate(160, 1), now);
    }

    #[test]
    fn a_recipient_burst_is_followed_by_a_longer_interval() {
        let mut limiter = RateLimiter::new(SEND_INTERVAL);
        // Far below the number's own limit.
        let at = |message: u32| SEND_INTERVAL * message;
        for message in 0..RECIPIENT_BURST {
            assert_eq!(limiter.acquire(Some("a"), at(message)), Permit::Now, "{message}");
        }
        let now = at(RECIPIENT_BURST);
        let Permit::Recipient(ready_at) = limiter.acquire(Some("a"), now) else { panic!("more than the burst") };
        assert_eq!(ready_at, RECIPIENT_INTERVAL, "one is given back every six seconds since the first");
        assert_eq!(limiter.acquire(Some("b"), now), Permit::Now, "others may be written to");
        assert_eq!(limiter.acquire(Some("a"), ready_at), Permit::Now);
        assert_eq!(limiter.acquire(Some("a"), ready_at + SEND_INTERVAL), Permit::Recipient(RECIPIENT_INTERVAL * 2));
        // After a silence of this length, the full burst is available again.
        let late = RECIPIENT_INTERVAL * (RECIPIENT_BURST + 2);
        for message in 0..RECIPIENT_BURST {
            assert_eq!(limiter.acquire(Some("a"), late + at(message)), Permit::Now, "{message}");
        }
        assert_eq!(estimate(RECIPIENT_BURST + 2, RECIPIENT_BURST + 2), RECIPIENT_INTERVAL * 2);
    }

    #[test]
    fn requested_pauses_delay_all_sends() {
        let mut limiter = RateLimiter::new(SEND_INTERVAL);
        limiter.pause_until(SECOND * 9);
        limiter.pause_until(SECOND * 5);
        assert_eq!(limiter.acquire(Some("a"), SECOND), Permit::All(SECOND * 9), "the longer pause applies");
        limiter.pause_recipient_until("a", SECOND * 20);
        assert_eq!(limiter.acquire(Some("a"), SECOND * 10), Permit::Recipient(SECOND * 20));
        assert_eq!(limiter.acquire(Some("b"), SECOND * 10), Permit::Now);
        assert_eq!(limiter.acquire(Some("a"), SECOND * 20), Permit::Now);
    }

    proptest! {
        /// No order of requests exceeds either limit.
        #[test]
        fn no_rate_limit_is_exceeded(requested in prop::collection::vec((0_u8..3, 0_u64..9_000), 1..600)) {
            let mut limiter = RateLimiter::new(SEND_INTERVAL);
            let mut now = Duration::ZERO;
            let mut left: Vec<(u8, Duration)> = Vec::new();
            for (recipient, later) in requested {
                now += Duration::from_millis(later / 100);
                match limiter.acquire(Some(&recipient.to_string()), now) {
                    Permit::Now => left.push((recipient, now)),
                    Permit::All(until) | Permit::Recipient(until) => prop_assert!(until > now),
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
    fn forgotten_recipients_bound_the_memory() {
        let mut limiter = RateLimiter::new(SEND_INTERVAL);
        for message in 0..50_000_u32 {
            let now = SEND_INTERVAL * message;
            assert_eq!(limiter.acquire(Some(&message.to_string()), now), Permit::Now);
        }
        assert!(limiter.settled.len() < 4 * MAX_TRACKED_RECIPIENTS, "{}", limiter.settled.len());
    }
}
