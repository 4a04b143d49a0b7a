//! Decides whether a listing with missing templates is plausible.
//!
//! The contract shows neither the shape nor the paging of a listing (§4.7). An empty answer, or one far smaller than
//! the known templates, can be a fault of the provider or the truth.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Maximum number of missing templates with which a listing counts, provided that others are listed.
pub const MAX_LEFT_OUT: u64 = 4;

/// Whether a listing without a total has collapsed: it lists none of the known templates, or it omits more than
/// [`MAX_LEFT_OUT`] of them and more than it lists. Then it does not count as a listing. In any case, a template is
/// removed only when a second one omits it, or when its deletion was reported.
///
/// `listed` and `left_out` count templates that are not known to be archived: providers may omit archived ones, which
/// are therefore never removed for being omitted.
#[must_use]
pub fn has_collapsed(listed: u64, left_out: u64) -> bool {
    left_out > 0 && (listed == 0 || (left_out > MAX_LEFT_OUT && left_out > listed))
}

/// Digest that identifies a text of a listing within one run of the program: the JSON of a record as received, or a
/// reference.
#[must_use]
pub fn text_digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_collapses_when_it_is_empty_or_far_smaller() {
        for (listed, left_out, collapsed) in [
            (0, 0, false),
            (250, 0, false),
            (0, 1, true),
            (0, 250, true),
            (3, 247, true),
            (124, 126, true),
            // Half of them.
            (125, 125, false),
            (200, 50, false),
            // Few.
            (1, 4, false),
            (1, 5, true),
            (4, 5, true),
            (5, 5, false),
        ] {
            assert_eq!(has_collapsed(listed, left_out), collapsed, "{listed} listed, {left_out} left out");
        }
    }
}
