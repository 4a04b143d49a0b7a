//! Renders inbound messages as text.

/// Where messages have text.
const TEXTS: &[&[&str]] = &[
    &["text", "body"],
    &["button", "text"],
    &["interactive", "button_reply", "title"],
    &["interactive", "list_reply", "title"],
    &["image", "caption"],
    &["video", "caption"],
    &["document", "caption"],
    &["document", "filename"],
    &["reaction", "emoji"],
    &["location", "name"],
    &["order", "text"],
    &["system", "body"],
    &["edit", "message", "text", "body"],
];

/// The text of an inbound message; `None` for one without text.
#[must_use]
pub fn said(content: &model::Object) -> Option<&str> {
    let text = |place: &&[&str]| {
        let (first, rest) = place.split_first()?;
        let value = rest.iter().try_fold(content.get(*first)?, |value, key| value.get(*key))?;
        value.as_str().filter(|text| !text.is_empty())
    };
    TEXTS.iter().find_map(text)
}
