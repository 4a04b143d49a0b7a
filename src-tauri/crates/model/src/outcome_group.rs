//! What became of each recipient of a batch, and which of them may get the message again, from when and how often.

use crate::closed_enum;
use crate::error_code::Retry;
use crate::failure::Failure;

const MINUTE: i64 = 60 * 1_000;
const HOUR: i64 = 60 * MINUTE;

/// Most messages of one template to one person over all rounds of a batch. Within the wait of the cap WhatsApp takes a
/// further attempt as excessive and holds the person back for up to 24 hours more ([perUser], *Retry limits*); it states no
/// limit over days. This one is ours: a person who was held back three days in a row gets too many messages.
pub const MAX_ATTEMPTS: u32 = 4;

closed_enum! {
    /// What became of a recipient of a batch. Each recipient is in one group.
    OutcomeGroup in "model.ts" {
        /// Delivered, read or played.
        Reached = "reached",
        /// Sent, and no news of the delivery yet.
        Underway = "underway",
        /// Held back by the channel's cap of marketing messages per person.
        Capped = "capped",
        /// The person stopped marketing messages.
        OptedOut = "optedOut",
        /// The number is not on the channel, or cannot get this kind of message.
        NotOnChannel = "notOnChannel",
        /// Failed for a reason that passes.
        Passing = "passing",
        /// Failed for a reason that sending again does not change.
        Failed = "failed",
        /// It is not known whether the message left.
        Unknown = "unknown",
        /// Cancelled, or not yet sent.
        NotSent = "notSent",
        /// Left out by the person who ended the batch for good.
        Ended = "ended",
        /// Left out by the checks before the send.
        LeftOut = "leftOut",
    }
}

/// Whether and when people of a group may get the message again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryRule {
    /// How long after the failure, in milliseconds.
    pub wait: i64,
    /// Whether the wait counts after each failure with this code to the person, not only after that of the batch.
    pub is_personal: bool,
}

/// The codes whose group does not follow from [`Failure::retry`], with the group and the rule (upstream §4.3, §7).
const CODES: &[(i64, OutcomeGroup, Option<RetryRule>)] = {
    use OutcomeGroup::{Capped, Failed, NotOnChannel, OptedOut, Passing};
    const fn after(wait: i64) -> Option<RetryRule> {
        Some(RetryRule { wait, is_personal: false })
    }
    &[
        // "Temporary": few retries.
        (1, Passing, after(0)),
        // Blocked, or held out by an experiment: "resending results in the same error"
        // ([experiments]).
        (130_403, Failed, None),
        (130_472, Failed, None),
        // "Unable to deliver": not on the channel, terms not accepted, an old version [errors].
        (131_026, NotOnChannel, None),
        (131_030, NotOnChannel, None),
        // "Wait at least 24 hours" [perUser]. Counted over all messages to the person.
        (131_049, Capped, Some(RetryRule { wait: 24 * HOUR, is_personal: true })),
        (131_050, OptedOut, None),
        // Too many messages to one recipient within a short time. WhatsApp states no wait; a minute is ours.
        (131_056, Passing, after(MINUTE)),
        // Maintenance takes a minute, the start of a template ten [errors].
        (131_057, Passing, after(MINUTE)),
        (134_101, Passing, after(10 * MINUTE)),
    ]
};

/// The group of a message that failed, and whether people of it may get the message again.
///
/// The provider's own `retryable` decides where the table is silent: it is about the same request at once, and says nothing
/// about a cap that ends tomorrow. Unknown codes that nobody calls passing are not tried again.
#[must_use]
pub fn group_of_failure(failure: &Failure) -> (OutcomeGroup, Option<RetryRule>) {
    let known = failure.code.and_then(|code| CODES.iter().find(|(of, _, _)| *of == code));
    if let Some((_, group, rule)) = known {
        let is_denied = *group == OutcomeGroup::Passing && failure.retryable == Some(false);
        return if is_denied { (OutcomeGroup::Failed, None) } else { (*group, *rule) };
    }
    match failure.retry() {
        Some(Retry::Yes) => (OutcomeGroup::Passing, Some(RetryRule { wait: 0, is_personal: false })),
        // What has to happen first is not a matter of time, such as a paused template.
        Some(Retry::Later | Retry::No) | None => (OutcomeGroup::Failed, None),
    }
}

/// The codes after which a person is to be left alone whatever message failed, each with the wait in milliseconds.
pub fn personal_waits() -> impl Iterator<Item = (i64, i64)> {
    CODES.iter().filter_map(|(code, _, rule)| rule.filter(|rule| rule.is_personal).map(|rule| (*code, rule.wait)))
}

/// Whether one more message may follow `attempts` of them.
#[must_use]
pub fn may_follow(attempts: u32) -> bool {
    attempts < MAX_ATTEMPTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_is_in_the_group_that_upstream_gives_it() {
        use OutcomeGroup::{Capped, Failed, NotOnChannel, OptedOut, Passing};
        let day = 24 * HOUR;
        for (code, retryable, group, wait) in [
            (131_049, None, Capped, Some(day)),
            (131_049, Some(false), Capped, Some(day)),
            (131_050, Some(true), OptedOut, None),
            (131_026, None, NotOnChannel, None),
            (130_472, None, Failed, None),
            (130_429, None, Passing, Some(0)),
            (131_000, None, Passing, Some(0)),
            (131_016, None, Passing, Some(0)),
            (131_056, None, Passing, Some(MINUTE)),
            (131_056, Some(false), Failed, None),
            (134_101, None, Passing, Some(10 * MINUTE)),
            // Paused until somebody does something.
            (132_015, None, Failed, None),
            (131_048, None, Failed, None),
            (131_053, None, Failed, None),
            (999_999, None, Failed, None),
            (999_999, Some(true), Passing, Some(0)),
        ] {
            let failure = Failure { code: Some(code), retryable, ..Failure::default() };
            let (found, rule) = group_of_failure(&failure);
            assert_eq!((found, rule.map(|rule| rule.wait)), (group, wait), "{code} {retryable:?}");
        }
        assert_eq!(group_of_failure(&Failure::default()).0, Failed);
    }

    #[test]
    fn only_the_cap_counts_for_every_message_to_the_person() {
        assert_eq!(personal_waits().collect::<Vec<_>>(), [(131_049, 24 * HOUR)]);
    }

    #[test]
    fn a_person_gets_the_message_four_times_at_most() {
        assert!((0..MAX_ATTEMPTS).all(may_follow));
        assert!(!may_follow(MAX_ATTEMPTS));
    }

    #[test]
    fn the_table_agrees_with_the_known_codes() {
        for (code, group, rule) in CODES {
            let known = crate::error_code::find(*code).expect("a known code");
            assert_eq!(rule.is_some(), known.retry != Retry::No, "{code} {group}");
        }
    }
}
