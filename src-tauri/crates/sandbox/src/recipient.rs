//! Recipients: phone numbers in digits, with the country code.

use crate::refusal::Refusal;

/// Checks that `recipient` is a phone number: 7 to 15 digits.
pub(crate) fn check_recipient(recipient: &str) -> Result<(), Refusal> {
    if (7..=15).contains(&recipient.len()) && recipient.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(())
    } else {
        Err(Refusal::field(
            "/recipient",
            format!("in the path must be a phone number of 7 to 15 digits, not `{recipient}`"),
        ))
    }
}
