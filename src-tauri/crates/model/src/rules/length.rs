//! Length of a text as the channel is taken to count it.

/// Code points of a text, which is what the limits count (upstream §4.1).
pub(super) fn code_points(text: &str) -> usize {
    // Counting is skipped for what is short in bytes already; most texts are.
    if text.is_ascii() { text.len() } else { text.chars().count() }
}
