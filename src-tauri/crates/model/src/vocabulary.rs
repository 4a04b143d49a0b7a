//! The vocabulary of the contract §1–§3 and of the channel (upstream-reference §2, §5, §8).

use crate::open::open_enum;

open_enum! {
    /// Purpose of a template (contract §1). The contract's table uses lower case.
    Category {
        /// Promotion, and anything that fits neither of the others.
        Marketing = "marketing",
        /// About a transaction or a request of the recipient.
        Utility = "utility",
        /// One-time passcodes.
        Authentication = "authentication",
    }
}

open_enum! {
    /// Sending API of the template (contract §1).
    TemplateType {
        /// The channel's standard API.
        CloudApi = "cloud_api",
        /// The marketing API; for marketing templates only.
        MarketingLite = "marketing_lite",
    }
}

open_enum! {
    /// Format of variables: `{{1}}` or `{{first_name}}` (upstream §3.1).
    ParameterFormat {
        /// Numbers, consecutive from 1.
        Positional = "POSITIONAL",
        /// Lower-case names.
        Named = "NAMED",
    }
}

open_enum! {
    /// Status of a template, and of its status events (contract §3.1, §6.5; upstream §5.1).
    TemplateStatus {
        /// In review.
        Pending = "PENDING",
        /// Approved; can be sent.
        Approved = "APPROVED",
        /// Rejected; can be edited.
        Rejected = "REJECTED",
        /// Disabled by the channel.
        Disabled = "DISABLED",
        /// Paused because of low quality.
        Paused = "PAUSED",
        /// Will be disabled unless the quality recovers; can still be sent.
        Flagged = "FLAGGED",
        /// Reinstated after `FLAGGED` or `DISABLED`.
        Reinstated = "REINSTATED",
        /// An appeal against a rejection is in progress.
        InAppeal = "IN_APPEAL",
        /// Deletion is in progress.
        PendingDeletion = "PENDING_DELETION",
        Deleted = "DELETED",
        /// The WABA has more templates than allowed.
        LimitExceeded = "LIMIT_EXCEEDED",
        /// Can't be edited for now.
        Locked = "LOCKED",
        /// Kept for history; can't be sent.
        Archived = "ARCHIVED",
        /// Unarchived, with its previous status.
        Unarchived = "UNARCHIVED",
    }
}

impl TemplateStatus {
    /// The status of a template after this event. After `FLAGGED` and `REINSTATED` it is approved (upstream §5.1).
    ///
    /// `None` if the event doesn't state the status (`UNARCHIVED` restores an unnamed earlier one).
    #[must_use]
    pub fn resulting(&self) -> Option<Self> {
        match self {
            Self::Flagged | Self::Reinstated => Some(Self::Approved),
            Self::Archived | Self::Unarchived => None,
            other => Some(other.clone()),
        }
    }

    #[must_use]
    pub fn is_sendable(&self) -> bool {
        matches!(self, Self::Approved | Self::Flagged | Self::Reinstated)
    }

    /// Whether the review accepted the content, now or earlier: not in a first review and not rejected.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        !matches!(self, Self::Pending | Self::Rejected | Self::InAppeal | Self::LimitExceeded)
    }

    /// Whether the channel accepts an edit in this status (upstream §5.3).
    #[must_use]
    pub fn is_editable(&self) -> bool {
        matches!(self, Self::Approved | Self::Rejected | Self::Paused | Self::Flagged | Self::Reinstated)
    }
}

open_enum! {
    /// Quality rating of a template (upstream §5.7).
    QualityRating {
        High = "GREEN",
        Medium = "YELLOW",
        /// Leads to a pause.
        Low = "RED",
        /// Too new to be rated.
        Unrated = "UNKNOWN",
    }
}

impl QualityRating {
    /// Whether it is worse than the rating before; without one, whether it is worse than high. An unknown rating is not
    /// worse than any other.
    #[must_use]
    pub fn has_dropped(&self, before: Option<&Self>) -> bool {
        let rank = |rating: &Self| match rating {
            Self::High => Some(3),
            Self::Medium => Some(2),
            Self::Low => Some(1),
            Self::Unrated | Self::Unknown(_) => None,
        };
        let before = before.and_then(rank).or(rank(&Self::High));
        rank(self).is_some_and(|after| Some(after) < before)
    }
}

open_enum! {
    /// Status of a sent message (contract §3.2; upstream §8.3).
    MessageStatus {
        /// Accepted by the channel.
        Sent = "sent",
        /// On the recipient's device.
        Delivered = "delivered",
        /// Opened by the recipient.
        Read = "read",
        /// Not delivered, with an error object.
        Failed = "failed",
        /// A voice message was played.
        Played = "played",
        /// Removed by the sender.
        Deleted = "deleted",
        /// A warning of the channel about the message.
        Warning = "warning",
    }
}

impl MessageStatus {
    /// Rank in the sequence sent → delivered → read. Statuses arrive in any order, so the highest rank is shown.
    ///
    /// `None` for statuses outside the sequence: `failed`, and the informational `played` (upstream §12 #6) and unknown
    /// words.
    #[must_use]
    pub fn rank(&self) -> Option<u8> {
        match self {
            Self::Sent => Some(1),
            Self::Delivered => Some(2),
            Self::Read => Some(3),
            _ => None,
        }
    }
}

open_enum! {
    /// Format of a header (contract §2.2; upstream §2.1).
    HeaderFormat {
        /// A line of text with at most one variable.
        Text = "TEXT",
        /// A JPEG or PNG image.
        Image = "IMAGE",
        /// An MP4 or 3GPP video.
        Video = "VIDEO",
        /// A document, shown by its file name.
        Document = "DOCUMENT",
        /// A location; the send provides its coordinates.
        Location = "LOCATION",
        /// A catalog product.
        Product = "PRODUCT",
        /// A short looping video of the marketing API.
        Gif = "GIF",
    }
}

impl HeaderFormat {
    /// Whether the header has a file that is uploaded with the template.
    #[must_use]
    pub fn is_media(&self) -> bool {
        matches!(self, Self::Image | Self::Video | Self::Document | Self::Gif)
    }
}

open_enum! {
    /// How the one-time code gets from the message into the app (upstream §2.9).
    OtpType {
        /// The person copies it.
        CopyCode = "COPY_CODE",
        /// One tap passes it to the app.
        OneTap = "ONE_TAP",
        /// The app receives it without a tap.
        ZeroTap = "ZERO_TAP",
    }
}

impl Default for Category {
    /// The unknown category of a record that states none.
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl Category {
    /// Whether the category is absent: a provider may omit it in records (contract §2.1 describes fields, not records).
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.as_str().is_empty()
    }

    /// Whether the category is known to differ. An absent category may be any.
    #[must_use]
    pub fn is_other_than(&self, other: &Self) -> bool {
        !self.is_absent() && self != other
    }
}
