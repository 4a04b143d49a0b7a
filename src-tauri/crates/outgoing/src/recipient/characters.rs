//! Characters of a number as written.

/// Characters between groups of digits, besides white space, the dot and the slash: parentheses, and hyphens and dashes
/// in all their forms.
pub(super) const SEPARATORS: &str =
    "-()[]\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{fe58}\u{fe63}\u{ff0d}\u{ff08}\u{ff09}";
/// Minimum number of digits of a text that is a number by itself, with or without its area code.
pub(super) const MIN_NUMBER_DIGITS: usize = 7;

pub(super) fn count_digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

pub(super) fn is_dash(c: char) -> bool {
    SEPARATORS.contains(c) && !"()[]（）".contains(c)
}
