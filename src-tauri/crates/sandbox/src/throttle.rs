//! The channel's rate limits for sends (upstream §4.3); optional.
//!
//! For each limit, the time up to which it is used is stored. A message advances that time by its share, and is refused
//! if the result exceeds the burst.

use std::collections::HashMap;

use axum::http::StatusCode;

use crate::refusal::Refusal;
use crate::settings::Throttle;

/// Maximum number of pairs before expired ones are removed.
const MOST_PAIRS: usize = 10_000;

/// Usage of each limit. In memory only: a restart resets it.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// The limits in use. A change of limits resets the usage, so that old limits cause no delays.
    limits: Throttle,
    /// Used time in microseconds, by sending number.
    numbers: HashMap<String, i64>,
    /// Used time in microseconds, by sending number and recipient.
    pairs: HashMap<(String, String), i64>,
}

/// The new value of `used` after another message, or the microseconds to wait before one.
fn next(used: i64, now: i64, share: i64, burst: i64) -> Result<i64, i64> {
    let next = used.max(now) + share;
    let ahead = next - now - share * burst;
    if ahead > 0 { Err(ahead) } else { Ok(next) }
}

impl Pace {
    /// Counts a message from `number` to `recipient` at `now`, in milliseconds, unless it exceeds a limit.
    pub(crate) fn take(&mut self, limits: &Throttle, number: &str, recipient: &str, now: i64) -> Result<(), Refusal> {
        if !limits.on {
            return Ok(());
        }
        if self.limits != *limits {
            *self = Self { limits: limits.clone(), ..Self::default() };
        }
        let now = now.saturating_mul(1000);
        let rate = i64::from(limits.per_second.max(1));
        let of_number = self.numbers.get(number).copied().unwrap_or_default();
        let of_number = next(of_number, now, 1_000_000 / rate, rate).map_err(|wait| {
            refused(130_429, "Rate limit hit", wait, &format!("the number may send {rate} messages in a second"))
        })?;
        let pause = i64::try_from(limits.pair_pause_ms).unwrap_or(i64::MAX / 2_000_000).saturating_mul(1000);
        let pair = (number.to_owned(), recipient.to_owned());
        let of_pair = self.pairs.get(&pair).copied().unwrap_or_default();
        let of_pair = next(of_pair, now, pause, i64::from(limits.pair_burst)).map_err(|wait| {
            let details = format!(
                "`to` may get {} messages at once, and then one in {} ms",
                limits.pair_burst, limits.pair_pause_ms
            );
            refused(131_056, "Pair rate limit hit", wait, &details)
        })?;
        self.numbers.insert(number.to_owned(), of_number);
        if self.pairs.len() >= MOST_PAIRS {
            self.pairs.retain(|_, used| *used > now);
        }
        self.pairs.insert(pair, of_pair);
        Ok(())
    }
}

fn refused(code: i32, message: &str, wait: i64, details: &str) -> Refusal {
    let seconds = u32::try_from(wait.div_euclid(1_000_000) + 1).unwrap_or(u32::MAX);
    Refusal {
        retry_after: Some(seconds),
        path: Some("/to".to_owned()),
        ..Refusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            format!("(#{code}) {message}"),
            format!("{details}; send to `to` again in {seconds} s"),
        )
        .with_code(code)
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;
    use crate::settings::Throttle;

    #[test]
    fn a_number_is_limited_per_second() {
        let mut pace = Pace::default();
        let limits = Throttle { on: true, per_second: 4, ..Throttle::default() };
        let mut send = |now| pace.take(&limits, "1", &format!("{now}"), now).map_err(|refusal| refusal.code);
        for _ in 0..4 {
            assert!(send(1_000).is_ok());
        }
        assert_eq!(send(1_000), Err(Some(130_429)));
        assert_eq!(send(1_249), Err(Some(130_429)));
        assert!(send(1_250).is_ok());
        assert_eq!(send(1_250), Err(Some(130_429)));
        assert!(send(9_000).is_ok());
    }

    #[test]
    fn a_pair_burst_is_taken_from_the_following_time() {
        let mut pace = Pace::default();
        let limits = Throttle { on: true, pair_pause_ms: 6_000, pair_burst: 2, ..Throttle::default() };
        let mut send = |to: &str, now| pace.take(&limits, "1", to, now).map_err(|refusal| refusal.retry_after);
        assert!(send("a", 0).is_ok());
        assert!(send("a", 1).is_ok());
        assert_eq!(send("a", 2), Err(Some(6)));
        assert!(send("b", 2).is_ok(), "others can be written to");
        assert_eq!(send("a", 5_999), Err(Some(1)));
        assert!(send("a", 6_000).is_ok());
        assert!(send("a", 6_001).is_err());
    }

    #[test]
    fn new_limits_reset_the_counts() {
        let mut pace = Pace::default();
        let strict = Throttle { on: true, pair_pause_ms: 600_000, pair_burst: 1, ..Throttle::default() };
        assert!(pace.take(&strict, "1", "a", 0).is_ok());
        assert!(pace.take(&strict, "1", "a", 5_000).is_err());
        let mild = Throttle { pair_pause_ms: 1, pair_burst: 1_000, ..strict };
        assert!(pace.take(&mild, "1", "a", 5_000).is_ok());
    }

    #[test]
    fn without_the_switch_there_are_no_limits() {
        let mut pace = Pace::default();
        let limits = Throttle { per_second: 1, pair_burst: 1, ..Throttle::default() };
        for _ in 0..100 {
            assert!(pace.take(&limits, "1", "a", 0).is_ok());
        }
    }
}
