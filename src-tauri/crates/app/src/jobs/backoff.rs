//! Backoff of a job when the provider asks for a pause, fails, or does not answer. Pure: the clock is an argument.

use std::time::Duration;

/// The longest pause unless the provider asks for a longer one.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// The longest pause of a recipient unless the provider asks for a longer one.
const MAX_RECIPIENT_PAUSE: Duration = Duration::from_secs(60 * 60);
/// The longest pause that the provider may ask for with `Retry-After`, as its client reads it.
const MAX_REQUESTED_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// Pauses that grow until a request is answered. Instants are durations since any fixed moment.
#[derive(Debug)]
pub(super) struct Backoff {
    first_pause: Duration,
    consecutive_pauses: u32,
    consecutive_failures: u32,
    until: Duration,
}

/// Why a job pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The provider limits the rate of requests.
    Limit,
    /// The provider fails, is busy, or does not answer.
    Failure,
}

impl Backoff {
    pub(super) fn new(first_pause: Duration) -> Self {
        Self { first_pause, consecutive_pauses: 0, consecutive_failures: 0, until: Duration::ZERO }
    }

    /// Starts or extends a pause and returns its end. A request that was in flight when a pause began does not increase
    /// the backoff, but may extend the pause.
    pub(super) fn pause(&mut self, cause: Cause, requested: Option<Duration>, now: Duration) -> Duration {
        if now >= self.until {
            self.consecutive_pauses += 1;
            self.consecutive_failures += u32::from(cause == Cause::Failure);
            self.until = now + limit_pause(self.first_pause, self.consecutive_pauses - 1, None);
        }
        if let Some(requested) = requested {
            self.until = self.until.max(now + requested.min(MAX_REQUESTED_PAUSE));
        }
        self.until
    }

    pub(super) fn is_paused(&self, now: Duration) -> bool {
        now < self.until
    }

    /// Resets the backoff after an answer.
    pub(super) fn reset(&mut self) {
        (self.consecutive_pauses, self.consecutive_failures) = (0, 0);
    }

    /// Pauses since the last answer that were caused by failures; rate limits do not count.
    pub(super) fn consecutive_failures(&self) -> u32 {
        self.consecutive_failures
    }

    /// How many of at most `max` requests may be in flight: after a pause, a single request tests whether it was long
    /// enough.
    pub(super) fn max_in_flight(&self, max: usize) -> usize {
        if self.consecutive_pauses == 0 { max } else { 1 }
    }
}

/// How long a single message waits after a rate limit refused it, with `retries` retries before: twice as long each time,
/// or longer where the provider asks for it. Who sends a single message does not wait that long: see `sends::retry`.
pub(crate) fn limit_pause(first_pause: Duration, retries: u32, requested: Option<Duration>) -> Duration {
    let pause = first_pause.saturating_mul(1 << retries.min(16)).min(MAX_PAUSE);
    pause.max(requested.unwrap_or_default().min(MAX_REQUESTED_PAUSE))
}

/// How long a recipient is paused after the channel refused `times` messages to it: 4 to the power of `times` (upstream
/// §4.3) times `unit`, or longer where the provider asks for it.
pub(crate) fn recipient_pause(unit: Duration, times: u32, requested: Option<Duration>) -> Duration {
    let pause = unit.saturating_mul(4_u32.saturating_pow(times));
    pause.min(MAX_RECIPIENT_PAUSE).max(requested.unwrap_or_default().min(MAX_REQUESTED_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn pauses_double_until_a_request_is_answered() {
        let mut backoff = Backoff::new(s(1));
        assert_eq!((backoff.consecutive_failures(), backoff.max_in_flight(8)), (0, 8));
        let mut now = s(100);
        for wanted in [1, 2, 4, 8, 16, 32, 60, 60] {
            let until = backoff.pause(Cause::Failure, None, now);
            assert_eq!(until - now, s(wanted));
            // The other requests in flight had the same result.
            assert_eq!(backoff.pause(Cause::Failure, None, now), until);
            assert_eq!(backoff.max_in_flight(8), 1);
            now = until;
        }
        assert_eq!(backoff.consecutive_failures(), 8);
        backoff.reset();
        assert_eq!(backoff.max_in_flight(8), 8);
        assert_eq!(backoff.pause(Cause::Failure, None, now) - now, s(1));
    }

    #[test]
    fn rate_limits_are_no_failures() {
        let mut backoff = Backoff::new(s(1));
        let mut now = s(0);
        for cause in [Cause::Limit, Cause::Failure, Cause::Limit] {
            now = backoff.pause(cause, None, now);
        }
        assert_eq!((backoff.consecutive_failures(), backoff.max_in_flight(8)), (1, 1));
        assert_eq!(backoff.pause(Cause::Limit, None, now) - now, s(8), "they lengthen the pause all the same");
    }

    #[test]
    fn requested_pauses_are_honoured_up_to_a_limit() {
        let mut backoff = Backoff::new(s(1));
        assert_eq!(backoff.pause(Cause::Failure, Some(s(30)), s(0)), s(30));
        assert!(backoff.is_paused(s(29)) && !backoff.is_paused(s(30)));
        assert_eq!(backoff.pause(Cause::Failure, Some(s(10)), s(5)), s(30), "the longer one counts");
        assert_eq!(backoff.pause(Cause::Failure, Some(s(40)), s(5)), s(45));
        assert_eq!(backoff.pause(Cause::Failure, Some(s(1)), s(45)), s(47), "no less than its own");
        assert_eq!(backoff.pause(Cause::Failure, Some(s(1_000_000)), s(100)), s(100) + MAX_REQUESTED_PAUSE);
    }

    #[test]
    fn recipient_pauses_follow_the_channel() {
        let waits: Vec<_> = (1..8).map(|times| recipient_pause(s(1), times, None).as_secs()).collect();
        assert_eq!(waits, [4, 16, 64, 256, 1024, 3600, 3600]);
        assert_eq!(recipient_pause(s(1), u32::MAX, None), MAX_RECIPIENT_PAUSE);
        assert_eq!(recipient_pause(s(1), 1, Some(2 * MAX_RECIPIENT_PAUSE)), 2 * MAX_RECIPIENT_PAUSE);
        assert_eq!(limit_pause(s(1), 1, Some(s(1_000_000))), MAX_REQUESTED_PAUSE);
        assert_eq!([1, 3].map(|times| recipient_pause(s(1), times, Some(s(30)))), [s(30), s(64)]);
    }
}
