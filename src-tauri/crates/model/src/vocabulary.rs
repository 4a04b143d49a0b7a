//! The words of the contract §1–§3 and of the channel behind it (upstream-reference §2, §5, §8).

use crate::open::open_enum;

open_enum! {
    /// What a template is for (contract §1). The contract's table writes it in lower case.
    Category {
        /// Promotion and anything that is neither of the others.
        Marketing = "marketing",
        /// About a transaction or a request of the recipient.
        Utility = "utility",
        /// One-time passcodes.
        Authentication = "authentication",
    }
}

open_enum! {
    /// Which sending API the template is for (contract §1).
    TemplateType {
        /// The channel's ordinary API.
        CloudApi = "cloud_api",
        /// The marketing API; valid for marketing templates only.
        MarketingLite = "marketing_lite",
    }
}

open_enum! {
    /// How variables are written: `{{1}}` or `{{first_name}}` (upstream §3.1).
    ParameterFormat {
        /// Numbers, consecutive from 1.
        Positional = "POSITIONAL",
        /// Lower-case names.
        Named = "NAMED",
    }
}

open_enum! {
    /// Where a template stands, and what a status event reports (contract §3.1, §6.5; upstream §5.1).
    TemplateStatus {
        /// In review.
        Pending = "PENDING",
        /// Passed; may be sent.
        Approved = "APPROVED",
        /// Refused; may be edited.
        Rejected = "REJECTED",
        /// Switched off by the channel.
        Disabled = "DISABLED",
        /// Held for low quality.
        Paused = "PAUSED",
        /// Will be disabled unless quality recovers; still sendable.
        Flagged = "FLAGGED",
        /// Back from `FLAGGED` or `DISABLED`.
        Reinstated = "REINSTATED",
        /// An appeal against a rejection runs.
        InAppeal = "IN_APPEAL",
        /// Deletion runs.
        PendingDeletion = "PENDING_DELETION",
        /// Gone.
        Deleted = "DELETED",
        /// The WABA holds more templates than it may.
        LimitExceeded = "LIMIT_EXCEEDED",
        /// Cannot be edited for now.
        Locked = "LOCKED",
        /// Kept for history, not sendable.
        Archived = "ARCHIVED",
        /// Back from the archive with its previous status.
        Unarchived = "UNARCHIVED",
    }
}

impl TemplateStatus {
    /// The status a template has after this event. `FLAGGED` and `REINSTATED` leave it approved (upstream §5.1).
    ///
    /// `None` where the event says nothing about the status itself (`UNARCHIVED` returns an unnamed earlier one).
    #[must_use]
    pub fn resulting(&self) -> Option<Self> {
        match self {
            Self::Flagged | Self::Reinstated => Some(Self::Approved),
            Self::Archived | Self::Unarchived => None,
            other => Some(other.clone()),
        }
    }

    /// Whether a template in this status may be sent.
    #[must_use]
    pub fn is_sendable(&self) -> bool {
        matches!(self, Self::Approved | Self::Flagged | Self::Reinstated)
    }

    /// Whether the channel accepts an edit in this status (upstream §5.3).
    #[must_use]
    pub fn is_editable(&self) -> bool {
        matches!(self, Self::Approved | Self::Rejected | Self::Paused | Self::Flagged | Self::Reinstated)
    }
}

open_enum! {
    /// What happened to a sent message (contract §3.2; upstream §8.3).
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
        /// The channel warns about the message.
        Warning = "warning",
    }
}

impl MessageStatus {
    /// Place on the way sent → delivered → read. Statuses arrive in any order, so the highest rank seen is shown.
    ///
    /// `None` for what does not lie on that way: `failed` stands beside it, `played` (upstream §12 #6) and unknown words
    /// only inform.
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
    /// What a header shows (contract §2.2; upstream §2.1).
    HeaderFormat {
        /// A line of text with at most one variable.
        Text = "TEXT",
        /// A JPEG or PNG picture.
        Image = "IMAGE",
        /// An MP4 or 3GPP film.
        Video = "VIDEO",
        /// A document, shown by its name.
        Document = "DOCUMENT",
        /// A place; its coordinates come with the send.
        Location = "LOCATION",
        /// A catalog product.
        Product = "PRODUCT",
        /// A short looping film of the marketing API.
        Gif = "GIF",
    }
}

impl HeaderFormat {
    /// Whether the header is a file that is uploaded with the template.
    #[must_use]
    pub fn is_media(&self) -> bool {
        matches!(self, Self::Image | Self::Video | Self::Document | Self::Gif)
    }
}

open_enum! {
    /// How the one-time passcode gets from the message into the app (upstream §2.9).
    OtpType {
        /// The person copies it.
        CopyCode = "COPY_CODE",
        /// One tap hands it to the app.
        OneTap = "ONE_TAP",
        /// The app receives it without a tap.
        ZeroTap = "ZERO_TAP",
    }
}

impl Default for Category {
    /// The category of a record that names none: not known.
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl Category {
    /// Whether there is none: a provider may leave it out of its records (contract §2.1 describes fields, not records).
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.as_str().is_empty()
    }

    /// Whether it is known to be another one. An absent category may be any.
    #[must_use]
    pub fn is_other_than(&self, other: &Self) -> bool {
        !self.is_absent() && self != other
    }
}
