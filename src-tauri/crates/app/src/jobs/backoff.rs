//! How long a batch waits when the provider asks for it, or when nothing comes back. Pure: the clock is an argument.

use std::time::Duration;

/// The first pause; each further one is twice as long.
const FIRST: Duration = Duration::from_secs(1);
/// The longest pause of its own.
const LONGEST: Duration = Duration::from_secs(60);
/// The longest pause that the provider may ask for.
const MOST: Duration = Duration::from_secs(60 * 60);
/// Pauses without anything arriving, after which what may be lost is no longer borne with.
const MOST_DOUBTS: u32 = 3;
/// Pauses without anything arriving, after which a provider that fails, is busy or cannot be reached no longer is.
const MOST_FAULTS: u32 = 8;
/// How often one message or operation is tried at which the provider fails.
pub(crate) const MOST_TRIES: u32 = 4;

/// Pauses that grow while nothing gets better. Instants are durations since any fixed moment.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    rounds: u32,
    until: Duration,
}

impl Patience {
    /// Something asks for a pause: when it ends. What was on its way when a pause began does not make it grow, but may
    /// ask for a longer one.
    pub(crate) fn pause(&mut self, asked: Option<Duration>, now: Duration) -> Duration {
        if now >= self.until {
            self.rounds += 1;
            self.until = now + FIRST.saturating_mul(1 << (self.rounds - 1).min(16)).min(LONGEST);
        }
        if let Some(asked) = asked {
            self.until = self.until.max(now + asked.min(MOST));
        }
        self.until
    }

    /// Something arrived.
    pub(crate) fn relax(&mut self) {
        self.rounds = 0;
    }

    /// Whether answers were lost for too long.
    pub(crate) fn doubts_too_long(&self) -> bool {
        self.rounds > MOST_DOUBTS
    }

    /// Whether the provider failed for too long.
    pub(crate) fn fails_too_long(&self) -> bool {
        self.rounds > MOST_FAULTS
    }

    /// How many of at most so many may be on their way: one alone tries whether a pause was long enough.
    pub(crate) fn at_once(&self, most: usize) -> usize {
        if self.rounds == 0 { most } else { 1 }
    }
}

/// How long one recipient is left alone who has had too much `times` times: 4 to the power of that, in seconds
/// (upstream §4.3).
pub(crate) fn pair_pause(times: u32) -> Duration {
    Duration::from_secs(4_u64.saturating_pow(times)).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn pauses_grow_until_something_arrives() {
        let mut patience = Patience::default();
        assert_eq!((patience.rounds, patience.at_once(8)), (0, 8));
        let mut now = s(100);
        for wanted in [1, 2, 4, 8, 16, 32, 60, 60] {
            let until = patience.pause(None, now);
            assert_eq!(until - now, s(wanted));
            // The others that were on their way met the same.
            assert_eq!(patience.pause(None, now), until);
            assert_eq!(patience.at_once(8), 1);
            now = until;
        }
        assert_eq!(patience.rounds, 8);
        patience.relax();
        assert_eq!(patience.at_once(8), 8);
        assert_eq!(patience.pause(None, now) - now, s(1));
    }

    #[test]
    fn the_provider_may_ask_for_more_within_reason() {
        let mut patience = Patience::default();
        assert_eq!(patience.pause(Some(s(30)), s(0)), s(30));
        assert_eq!(patience.pause(Some(s(10)), s(5)), s(30), "the longer one stands");
        assert_eq!(patience.pause(Some(s(40)), s(5)), s(45));
        assert_eq!(patience.pause(Some(s(1)), s(45)), s(47), "no less than its own");
        assert_eq!(patience.pause(Some(s(1_000_000)), s(100)), s(100) + MOST);
    }

    #[test]
    fn a_pair_waits_as_the_channel_says() {
        let waits: Vec<_> = (1..8).map(|times| pair_pause(times).as_secs()).collect();
        assert_eq!(waits, [4, 16, 64, 256, 1024, 3600, 3600]);
        assert_eq!(pair_pause(u32::MAX), MOST);
    }
}
