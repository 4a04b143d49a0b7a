//! Detects the direction of a text from its first strong character, as phones do.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    LeftToRight,
    RightToLeft,
}

/// `None` for a text without letters.
pub(super) fn of(text: &str) -> Option<Direction> {
    let strong = text.chars().find(|c| c.is_alphabetic() || matches!(c, '\u{200E}' | '\u{200F}' | '\u{061C}'))?;
    Some(if is_right_to_left(strong) { Direction::RightToLeft } else { Direction::LeftToRight })
}

/// Blocks of right-to-left scripts, Hebrew to Arabic and historic ones, and direction marks.
fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{0590}'..='\u{08FF}' | '\u{200F}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}
