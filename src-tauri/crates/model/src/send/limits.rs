//! How long the values of a send may be, in characters.

/// Most characters of a code, of a coupon or a passcode (upstream §4.1).
pub(super) const CODE_LENGTH: usize = 15;
/// Most characters of a header, its variable filled in.
pub(super) const HEADER_LENGTH: usize = 60;
/// Most characters of a card's body, its variables filled in.
pub(super) const CARD_BODY_LENGTH: usize = 160;
/// Most characters of a footer (upstream §4.1).
pub(super) const FOOTER_LENGTH: usize = 60;
/// Most characters of a button's address (upstream §4.1).
pub(super) const ADDRESS_LENGTH: usize = 2000;
/// Most characters of the identifier of a reply button. No limit is stated for templates; this one is known to hold
/// for the channel's other buttons.
pub(super) const PAYLOAD_LENGTH: usize = 256;
