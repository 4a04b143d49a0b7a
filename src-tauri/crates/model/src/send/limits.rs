//! Length limits of the values of a send, in characters.

/// Length limit of a free text, as of the channel's other free texts.
pub const TEXT_LENGTH: usize = 4_096;

/// Length limit of a coupon code or one-time code (upstream §4.1).
pub(super) const CODE_LENGTH: usize = 15;
/// Length limit of a header, with its variable filled in.
pub(super) const HEADER_LENGTH: usize = 60;
/// Length limit of a card's body, with its variables filled in.
pub(super) const CARD_BODY_LENGTH: usize = 160;
/// Length limit of a footer (upstream §4.1).
pub(super) const FOOTER_LENGTH: usize = 60;
/// Length limit of a button's address (upstream §4.1).
pub(super) const ADDRESS_LENGTH: usize = 2000;
/// Length limit of the identifier of a reply button. None is documented for templates; this one is known from the
/// channel's other buttons.
pub(super) const PAYLOAD_LENGTH: usize = 256;
