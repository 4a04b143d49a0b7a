//! What a person did with a message that reached them: nothing that is known, read it, or replied.

use crate::closed_enum;
use crate::vocabulary::MessageStatus;

closed_enum! {
    /// What a person did with a message, each person once.
    Engagement in "model.ts" {
        /// Delivered, and not read as far as it is known: with read receipts off, nobody is reported as having read.
        Unread = "unread",
        /// Read, and not replied.
        Read = "read",
        /// Replied: wrote to the number afterwards, or tapped a button.
        Replied = "replied",
    }
}

impl Engagement {
    /// What a person did with a message of this status; `None` while it is not known to have reached them. A reply proves
    /// that the message was read, whatever was reported about it.
    #[must_use]
    pub fn of_message(status: Option<&MessageStatus>, has_replied: bool) -> Option<Self> {
        match status {
            _ if has_replied => Some(Self::Replied),
            Some(MessageStatus::Read | MessageStatus::Played) => Some(Self::Read),
            Some(MessageStatus::Delivered) => Some(Self::Unread),
            _ => None,
        }
    }

    /// The one of both that says more.
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        let place = |one| Self::ALL.iter().position(|known| *known == one);
        if place(self) < place(other) { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_counts_more_than_any_status_and_only_what_arrived_is_unread() {
        use Engagement::{Read, Replied, Unread};
        for (status, without_reply) in [
            (Some("delivered"), Some(Unread)),
            (Some("read"), Some(Read)),
            (Some("played"), Some(Read)),
            (Some("sent"), None),
            (Some("failed"), None),
            (Some("some_day"), None),
            (None, None),
        ] {
            let status = status.map(MessageStatus::from);
            assert_eq!(Engagement::of_message(status.as_ref(), false), without_reply, "{status:?}");
            assert_eq!(Engagement::of_message(status.as_ref(), true), Some(Replied), "{status:?}");
        }
        for (one, other, most) in [(Unread, Read, Read), (Replied, Read, Replied), (Unread, Unread, Unread)] {
            assert_eq!((one.most(other), other.most(one)), (most, most));
        }
    }
}
