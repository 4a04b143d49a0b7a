//! Text as searches compare it.

use icu_normalizer::DecomposingNormalizerBorrowed;

/// Text without case and diacritics.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::new();
    fold_into(&mut folded, text);
    folded
}

/// Replaces the content of `folded`.
pub(crate) fn fold_into(folded: &mut String, text: &str) {
    folded.clear();
    if text.is_ascii() {
        folded.extend(text.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    let decomposed = DecomposingNormalizerBorrowed::new_nfd();
    folded.extend(decomposed.normalize_iter(text.chars().flat_map(char::to_lowercase)).filter(|c| !is_diacritic(*c)));
}

fn is_diacritic(c: char) -> bool {
    ('\u{300}'..='\u{36F}').contains(&c)
}
