//! Variables in template texts: `{{1}}`, `{{first_name}}` (upstream §3.1).

use std::ops::Range;

use crate::component::{Component, Header};
use crate::template::Template;

/// A well-formed pair of double braces in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable<'a> {
    /// What stands between the braces, trimmed.
    pub name: &'a str,
    /// Where it stands in the text, braces included, in bytes.
    pub range: Range<usize>,
}

impl Variable<'_> {
    /// The number of a positional variable.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        if self.name.bytes().all(|byte| byte.is_ascii_digit()) { self.name.parse().ok() } else { None }
    }
}

/// Every `{{…}}` in `text`, in order. Unclosed braces are no variable.
pub fn scan(text: &str) -> impl Iterator<Item = Variable<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + find_pair(&text[from..], b'{')?;
        let inner = start + 2;
        let length = find_pair(&text[inner..], b'}')?;
        from = inner + length + 2;
        Some(Variable { name: text[inner..inner + length].trim(), range: start..from })
    })
}

/// Where the first two `brace`s in a row stand, in bytes. Every keystroke looks through every text of a template.
pub(crate) fn find_pair(text: &str, brace: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(brace, bytes).find(|at| bytes.get(at + 1) == Some(&brace))
}

/// `text` with each variable replaced by what `value` gives for it; variables without a value stay as they are.
pub fn fill<'v>(text: &str, mut value: impl FnMut(&Variable<'_>) -> Option<&'v str>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut done = 0;
    for variable in scan(text) {
        if let Some(value) = value(&variable) {
            filled.push_str(&text[done..variable.range.start]);
            filled.push_str(value);
            done = variable.range.end;
        }
    }
    filled.push_str(&text[done..]);
    filled
}

/// The texts of a template whose variables follow its parameter format: headers and bodies, cards included.
///
/// Addresses of buttons do not count: theirs is `{{1}}` in every documented template (upstream §3.1).
pub fn message_texts(template: &Template) -> impl Iterator<Item = &str> {
    component_texts(&template.components)
}

fn component_texts(components: &[Component]) -> Box<dyn Iterator<Item = &str> + '_> {
    Box::new(components.iter().flat_map(|component| -> Box<dyn Iterator<Item = &str> + '_> {
        match component {
            Component::Header(Header { text: Some(text), .. }) => Box::new(std::iter::once(text.as_str())),
            Component::Body(body) => Box::new(body.text.as_deref().into_iter()),
            Component::Carousel(carousel) => {
                Box::new(carousel.cards.iter().flat_map(|card| component_texts(&card.components)))
            }
            _ => Box::new(std::iter::empty()),
        }
    }))
}
