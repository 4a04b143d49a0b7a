//! Backoff of a job when the provider asks for a pause, fails, or does not answer. Pure: the clock is an argument.

use std::time::Duration;

/// The first pause; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause unless the provider asks for a longer one.
const MAX_OWN_PAUSE: Duration = Duration::from_secs(60);
/// The longest pause that the provider may ask for.
const MAX_ASKED_PAUSE: Duration = Duration::from_secs(60 * 60);

/// Pauses that grow until a request is answered. Instants are durations since any fixed moment.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    rounds: u32,
    until: Duration,
}

impl Backoff {
    /// Starts or extends a pause and returns its end. A request that was in flight when a pause began does not increase
    /// the backoff, but may extend the pause.
    pub(super) fn pause(&mut self, asked: Option<Duration>, now: Duration) -> Duration {
        if now >= self.until {
            self.rounds += 1;
            self.until = now + FIRST_PAUSE.saturating_mul(1 << (self.rounds - 1).min(16)).min(MAX_OWN_PAUSE);
        }
        if let Some(asked) = asked {
            self.until = self.until.max(now + asked.min(MAX_ASKED_PAUSE));
        }
        self.until
    }

    /// Resets the backoff after an answer.
    pub(super) fn relax(&mut self) {
        self.rounds = 0;
    }

    /// Consecutive pauses since the last answer.
    pub(super) fn rounds(&self) -> u32 {
        self.rounds
    }

    /// How many of at most `max` requests may be in flight: after a pause, a single request tests whether it was long
    /// enough.
    pub(super) fn max_in_flight(&self, max: usize) -> usize {
        if self.rounds == 0 { max } else { 1 }
    }
}

/// How long a recipient is paused after the channel refused `times` messages to it: 4 to the power of `times`, in
/// seconds (upstream §4.3).
pub(super) fn recipient_pause(times: u32) -> Duration {
    Duration::from_secs(4_u64.saturating_pow(times)).min(MAX_ASKED_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn pauses_grow_until_something_is_answered() {
        let mut backoff = Backoff::default();
        assert_eq!((backoff.rounds(), backoff.max_in_flight(8)), (0, 8));
        let mut now = s(100);
        for wanted in [1, 2, 4, 8, 16, 32, 60, 60] {
            let until = backoff.pause(None, now);
            assert_eq!(until - now, s(wanted));
            // The other requests in flight had the same result.
            assert_eq!(backoff.pause(None, now), until);
            assert_eq!(backoff.max_in_flight(8), 1);
            now = until;
        }
        assert_eq!(backoff.rounds(), 8);
        backoff.relax();
        assert_eq!(backoff.max_in_flight(8), 8);
        assert_eq!(backoff.pause(None, now) - now, s(1));
    }

    #[test]
    fn the_provider_may_ask_for_more_within_reason() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.pause(Some(s(30)), s(0)), s(30));
        assert_eq!(backoff.pause(Some(s(10)), s(5)), s(30), "the longer one counts");
        assert_eq!(backoff.pause(Some(s(40)), s(5)), s(45));
        assert_eq!(backoff.pause(Some(s(1)), s(45)), s(47), "no less than its own");
        assert_eq!(backoff.pause(Some(s(1_000_000)), s(100)), s(100) + MAX_ASKED_PAUSE);
    }

    #[test]
    fn a_recipient_waits_as_the_channel_says() {
        let waits: Vec<_> = (1..8).map(|times| recipient_pause(times).as_secs()).collect();
        assert_eq!(waits, [4, 16, 64, 256, 1024, 3600, 3600]);
        assert_eq!(recipient_pause(u32::MAX), MAX_ASKED_PAUSE);
    }
}
