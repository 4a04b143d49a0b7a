//! Comparison of two batches: intervals, verdicts, needed samples, and the halves of one list.
//!
//! Sources: Wilson's score interval in Newcombe, *Two-sided confidence intervals for the single proportion*, Statistics in
//! Medicine 17 (1998), 857–872, method 3; the interval of a difference in Newcombe, *Interval estimation for the difference
//! between independent proportions*, ibid. 873–890, method 10; the needed sample in Fleiss, Levin and Paik, *Statistical
//! Methods for Rates and Proportions*, 3rd ed., ch. 4, without continuity correction.

use sha2::{Digest as _, Sha256};

use crate::closed_enum;

/// Quantile of the standard normal distribution for intervals of 95 %.
const Z_95: f64 = 1.959_963_984_540_054;
/// Quantile for a power of 80 %.
const Z_POWER_80: f64 = 0.841_621_233_572_914_3;

/// Fewest messages of each side for a verdict. With fewer, one family or one wrong list decides.
pub const MIN_MESSAGES: u32 = 50;

/// A list can be divided from this percentage for one side on.
pub const MIN_SHARE: u32 = 10;
/// The largest percentage for one side.
pub const MAX_SHARE: u32 = 90;

/// Some messages of all that were sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proportion {
    pub count: u32,
    pub of: u32,
}

/// An interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Proportion {
    /// The share, 0 to 1; `None` of nothing.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| f64::from(self.count.min(self.of)) / f64::from(self.of))
    }

    /// Wilson's score interval of the share.
    #[must_use]
    pub fn interval(self) -> Option<Interval> {
        let (share, of) = (self.share()?, f64::from(self.of));
        let square = Z_95 * Z_95;
        let center = share + square / (2.0 * of);
        let spread = Z_95 * (share * (1.0 - share) / of + square / (4.0 * of * of)).sqrt();
        let scale = 1.0 + square / of;
        Some(Interval { low: ((center - spread) / scale).max(0.0), high: ((center + spread) / scale).min(1.0) })
    }
}

/// Newcombe's interval of the difference `first` − `second`.
#[must_use]
pub fn difference(first: Proportion, second: Proportion) -> Option<Interval> {
    let (one, other) = (first.share()?, second.share()?);
    let (of_one, of_other) = (first.interval()?, second.interval()?);
    let between = one - other;
    Some(Interval {
        low: between - (one - of_one.low).hypot(of_other.high - other),
        high: between + (of_one.high - one).hypot(other - of_other.low),
    })
}

/// The messages that each side needs for the difference of these shares to be seen four times out of five; at least
/// [`MIN_MESSAGES`]. `None` for shares that do not differ.
#[must_use]
pub fn needed_messages(one: f64, other: f64) -> Option<u32> {
    let between = (one - other).abs();
    if between < f64::EPSILON {
        return None;
    }
    let middle = f64::midpoint(one, other);
    let spread = |share: f64| share * (1.0 - share);
    let root = Z_95 * (2.0 * spread(middle)).sqrt() + Z_POWER_80 * (spread(one) + spread(other)).sqrt();
    let needed = (root / between).powi(2).ceil();
    // Saturates where shares hardly differ.
    Some((needed as u32).max(MIN_MESSAGES))
}

closed_enum! {
    /// What two shares show.
    VerdictKind in "model.ts" {
        /// The first is higher: the interval of the difference excludes 0.
        First = "first",
        Second = "second",
        /// Too few messages to tell.
        TooFew = "tooFew",
        /// The shares are the same.
        Same = "same",
        /// A side has no messages, or nothing is known about it.
        Unknown = "unknown",
    }
}

/// What two shares show, with the messages that each side needs for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub kind: VerdictKind,
    /// Of each side, for the difference that is seen.
    pub needed: Option<u32>,
    /// More messages that the smaller side would need.
    pub more: Option<u32>,
}

/// What two shares show.
///
/// A difference counts only if each side has as many messages as are needed to find it: who looks at a result every hour sees
/// an interval without 0 sooner or later, although both sides are the same.
#[must_use]
pub fn verdict(first: Proportion, second: Proportion) -> Verdict {
    let unknown = Verdict { kind: VerdictKind::Unknown, needed: None, more: None };
    let (Some(one), Some(other), Some(between)) = (first.share(), second.share(), difference(first, second)) else {
        return unknown;
    };
    let smaller = first.of.min(second.of);
    let Some(needed) = needed_messages(one, other) else {
        let is_small = smaller < MIN_MESSAGES;
        let kind = if is_small { VerdictKind::TooFew } else { VerdictKind::Same };
        let more = is_small.then(|| MIN_MESSAGES - smaller);
        return Verdict { kind, needed: is_small.then_some(MIN_MESSAGES), more };
    };
    let kind = if smaller < needed || (between.low <= 0.0 && between.high >= 0.0) {
        VerdictKind::TooFew
    } else if between.low > 0.0 {
        VerdictKind::First
    } else {
        VerdictKind::Second
    };
    let more = (kind == VerdictKind::TooFew).then(|| needed.saturating_sub(smaller).max(1));
    Verdict { kind, needed: Some(needed), more }
}

/// Whether a recipient belongs to the first side of a list that is divided. The same for each check and each resume: it depends
/// only on the comparison and the normalised recipient. `share` is the percentage of the first side.
#[must_use]
pub fn is_first_side(comparison: &str, recipient: &str, share: u32) -> bool {
    let digest = Sha256::new().chain_update(comparison).chain_update([0]).chain_update(recipient).finalize();
    let hash = digest.iter().take(8).fold(0_u64, |hash, byte| hash << 8 | u64::from(*byte));
    hash % 100 < u64::from(share.clamp(MIN_SHARE, MAX_SHARE))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use super::*;

    fn some(count: u32, of: u32) -> Proportion {
        Proportion { count, of }
    }

    fn assert_is(found: Option<Interval>, low: f64, high: f64) {
        let found = found.expect("an interval");
        assert!((found.low - low).abs() < 0.000_05 && (found.high - high).abs() < 0.000_05, "{found:?}");
    }

    /// Newcombe 1998, p. 857, table I, method 3.
    #[test]
    fn intervals_of_shares_are_the_published_ones() {
        for (count, of, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            assert_is(some(count, of).interval(), low, high);
        }
        assert_eq!(some(0, 0).interval(), None);
    }

    /// Newcombe 1998, p. 873, table II, method 10.
    #[test]
    fn intervals_of_differences_are_the_published_ones() {
        for (one, other, low, high) in [
            (some(56, 70), some(48, 80), 0.0524, 0.3339),
            (some(9, 10), some(3, 10), 0.1705, 0.8090),
            (some(6, 7), some(2, 7), 0.0582, 0.8062),
            (some(5, 56), some(0, 29), -0.0381, 0.1926),
            (some(0, 10), some(0, 20), -0.1611, 0.2775),
            (some(0, 10), some(0, 10), -0.2775, 0.2775),
            (some(10, 10), some(0, 20), 0.6791, 1.0),
            (some(10, 10), some(0, 10), 0.6075, 1.0),
        ] {
            assert_is(difference(one, other), low, high);
            assert_is(difference(other, one), -high, -low);
        }
        assert_eq!(difference(some(1, 2), some(0, 0)), None);
    }

    #[test]
    fn the_needed_sample_follows_the_formula_without_correction() {
        for (one, other, needed) in [
            (0.5, 0.6, Some(388)),
            (0.1, 0.15, Some(686)),
            (0.2, 0.3, Some(294)),
            (0.05, 0.1, Some(435)),
            (0.4, 0.25, Some(152)),
            // At least as many as any verdict needs.
            (0.9, 0.1, Some(MIN_MESSAGES)),
            (0.3, 0.3, None),
        ] {
            assert_eq!(needed_messages(one, other), needed, "{one} {other}");
            assert_eq!(needed_messages(other, one), needed, "{other} {one}");
        }
    }

    #[test]
    fn a_verdict_needs_the_sample_that_it_names() {
        use VerdictKind::{First, Same, Second, TooFew, Unknown};
        for (one, other, kind, needed, more) in [
            (some(300, 500), some(250, 500), First, Some(388), None),
            (some(250, 500), some(300, 500), Second, Some(388), None),
            // 60 % and 50 % of 100.
            (some(60, 100), some(50, 100), TooFew, Some(388), Some(288)),
            // The interval excludes 0, and ten messages prove nothing.
            (some(9, 10), some(3, 10), TooFew, Some(50), Some(40)),
            (some(500, 1_000), some(50, 100), Same, None, None),
            (some(10, 20), some(5, 10), TooFew, Some(50), Some(40)),
            (some(0, 100), some(0, 100), Same, None, None),
            (some(0, 0), some(5, 10), Unknown, None, None),
        ] {
            assert_eq!(verdict(one, other), Verdict { kind, needed, more }, "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_list_is_divided_in_the_chosen_proportion() {
        for share in [10, 25, 50, 90] {
            let first = (0..10_000).filter(|n| is_first_side("c", &format!("55119{n:08}"), share)).count();
            let expected = usize::try_from(share).unwrap_or(0) * 100;
            assert!(first.abs_diff(expected) < 200, "{first} for {share} %");
        }
        // Another comparison makes other sides.
        let both = |n: &u32| is_first_side("c", &n.to_string(), 50) == is_first_side("d", &n.to_string(), 50);
        assert!((4_700..5_300).contains(&(0..10_000).filter(both).count()));
    }

    proptest! {
        #[test]
        fn a_difference_is_one_of_its_sides(a in 0..200_u32, m in 1..200_u32, b in 0..200_u32, n in 1..200_u32) {
            let (one, other) = (some(a.min(m), m), some(b.min(n), n));
            let found = verdict(one, other);
            prop_assert_eq!(found.more.is_some(), found.kind == VerdictKind::TooFew);
            let of = one.interval().expect("an interval");
            prop_assert!(of.low <= of.high && of.low >= 0.0 && of.high <= 1.0);
            let between = difference(one, other).expect("an interval");
            prop_assert!(between.low <= between.high);
        }

        #[test]
        fn a_larger_share_keeps_its_recipients(comparison in ".*", recipient in ".*", share in any::<u32>()) {
            let is_first = is_first_side(&comparison, &recipient, share);
            prop_assert_eq!(is_first, is_first_side(&comparison, &recipient, share), "the same each time");
            prop_assert!(!is_first || is_first_side(&comparison, &recipient, share.saturating_add(5)));
        }
    }
}
