//! Length of a text, as the channel presumably counts it.

/// Number of code points; the limits refer to it (upstream §4.1).
pub(super) fn code_points(text: &str) -> usize {
    // For ASCII, which most texts are, the length in bytes is the number of code points.
    if text.is_ascii() { text.len() } else { text.chars().count() }
}
