//! Recipients: phone numbers in digits with the country code, and user ids of people who hide their number.

use model::event::identity::is_user_id;

use crate::refusal::Refusal;

/// Checks that `recipient` is a phone number (7 to 15 digits) or a user id.
pub(crate) fn check_recipient(recipient: &str) -> Result<(), Refusal> {
    let is_number = (7..=15).contains(&recipient.len()) && recipient.bytes().all(|byte| byte.is_ascii_digit());
    if is_number || is_user_id(recipient) {
        Ok(())
    } else {
        Err(Refusal::field(
            "/recipient",
            format!("in the path must be a phone number of 7 to 15 digits or a user ID, not `{recipient}`"),
        ))
    }
}
