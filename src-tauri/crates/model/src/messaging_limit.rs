//! The messaging limit (upstream §4.3): how many people a business may write to outside their reply windows within 24
//! hours, and when there is room for more.

use std::collections::VecDeque;

use serde::Serialize;
use serde_json::Value;
use ts_rs::TS;

/// How long a person counts after the last message to them, in milliseconds.
pub const LIMIT_WINDOW: i64 = 24 * 60 * 60 * 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum MessagingLimit {
    Unlimited,
    People {
        #[ts(type = "number")]
        people: u64,
    },
}

impl MessagingLimit {
    /// Reads the channel's word or number: `TIER_2K`, `"2000"`, 2000; -1 is unlimited. `None` for `TIER_NOT_SET` and
    /// unknown words, which say no limit.
    #[must_use]
    pub fn read(said: &Value) -> Option<Self> {
        match said {
            Value::String(word) => Self::of_word(word),
            Value::Number(number) => Self::of_word(&number.to_string()),
            _ => None,
        }
    }

    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let word = word.trim().to_ascii_uppercase();
        let tier = word.strip_prefix("TIER_").unwrap_or(&word);
        if matches!(tier, "UNLIMITED" | "-1") {
            return Some(Self::Unlimited);
        }
        let (digits, unit) = match tier.strip_suffix('K') {
            Some(thousands) => (thousands, 1_000),
            None => (tier, 1),
        };
        let people = digits.parse::<u64>().ok()?.checked_mul(unit)?;
        Some(Self::People { people })
    }
}

/// When further people may be written to. Each comes after as many of those before have left the last 24 hours as there
/// is no room for.
///
/// `counted`: when each person who counts now was last written to. `interval`: the time between two messages.
#[must_use]
pub fn spread(limit: MessagingLimit, counted: &[i64], further: usize, now: i64, interval: i64) -> Vec<Option<i64>> {
    let MessagingLimit::People { people } = limit else { return vec![None; further] };
    let mut leaving: Vec<i64> = counted.iter().map(|at| at.saturating_add(LIMIT_WINDOW)).collect();
    leaving.retain(|at| *at > now);
    leaving.sort_unstable();
    let people = usize::try_from(people).unwrap_or(usize::MAX);
    // Above the limit, people must leave before anybody has room.
    let over = leaving.len().saturating_sub(people);
    let mut leaving: VecDeque<i64> = leaving.into_iter().skip(over).collect();
    let mut clock = now;
    let mut times = Vec::with_capacity(further);
    for _ in 0..further {
        let room_at = if leaving.len() < people { None } else { leaving.pop_front() };
        if people == 0 {
            times.push(Some(i64::MAX));
            continue;
        }
        clock = clock.saturating_add(interval).max(room_at.unwrap_or(clock));
        leaving.push_back(clock.saturating_add(LIMIT_WINDOW));
        times.push(room_at.filter(|at| *at > now));
    }
    times
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn people(people: u64) -> MessagingLimit {
        MessagingLimit::People { people }
    }

    #[test]
    fn limits_are_read_in_every_form_and_never_guessed() {
        for (word, expected) in [
            (json!("TIER_2K"), Some(people(2_000))),
            (json!("tier_250"), Some(people(250))),
            (json!(100_000), Some(people(100_000))),
            (json!("1000"), Some(people(1_000))),
            (json!(-1), Some(MessagingLimit::Unlimited)),
            (json!("TIER_UNLIMITED"), Some(MessagingLimit::Unlimited)),
            (json!("TIER_NOT_SET"), None),
            (json!("TIER_GOLD"), None),
            (json!(null), None),
        ] {
            assert_eq!(MessagingLimit::read(&word), expected, "{word}");
        }
    }

    #[test]
    fn people_over_the_limit_wait_until_others_leave_the_last_24_hours() {
        let day = LIMIT_WINDOW;
        // 4,000 people at a limit of 1,000 take four days (glific/glific 3541).
        let times = spread(people(1_000), &[], 4_000, 5, 0);
        let waves = |from: usize| times.iter().skip(from).take(1_000).copied().collect::<Vec<_>>();
        assert_eq!(waves(0), vec![None; 1_000]);
        assert_eq!(waves(1_000), vec![Some(5 + day); 1_000]);
        assert_eq!(waves(3_000), vec![Some(5 + 3 * day); 1_000]);
        // Those who count leave first, the earliest first; who has left already does not count.
        assert_eq!(spread(people(3), &[20, 10, 10 - day], 3, 30, 1), [None, Some(10 + day), Some(20 + day)]);
        // A limit that was lowered below what is used.
        assert_eq!(spread(people(1), &[10, 20, 30], 2, 40, 0), [Some(30 + day), Some(30 + 2 * day)]);
        assert_eq!(spread(MessagingLimit::Unlimited, &[1, 2], 2, 40, 0), [None, None]);
        assert_eq!(spread(people(0), &[], 1, 40, 0), [Some(i64::MAX)]);
    }
}
