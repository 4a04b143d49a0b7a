//! Whether a template that a person was sent a short time ago is sent again.

use crate::vocabulary::Category;

/// How long after a message of a template another one to the same person is asked about, in milliseconds: seven days. In
/// a batch that is any message of it; one that a person sends by hand is asked about only with the same values. The
/// channel has no such limit. Ours is as long as a campaign is usually finished, and shorter than a monthly newsletter.
pub const REPEAT_WINDOW: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Whether a template of this category within [`REPEAT_WINDOW`] may be a mistake. Every code is a message of its own.
#[must_use]
pub fn is_repeat_asked_about(category: &Category) -> bool {
    *category != Category::Authentication
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_code_is_not_asked_about() {
        let asked = ["MARKETING", "UTILITY", "AUTHENTICATION", "NEW_ONE"]
            .map(Category::from)
            .map(|c| is_repeat_asked_about(&c));
        assert_eq!(asked, [true, true, false, true]);
    }
}
