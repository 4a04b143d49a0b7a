//! Renders inbound messages as text.

use serde_json::Value;

/// The text of an inbound message; the name of its type if it has no text.
pub fn said(content: &model::Object) -> String {
    const PLACES: &[&[&str]] = &[
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
    let text = |place: &&[&str]| {
        let (first, rest) = place.split_first()?;
        let value = rest.iter().try_fold(content.get(*first)?, |value, key| value.get(*key))?;
        value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let kind = || content.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    PLACES.iter().find_map(text).unwrap_or_else(kind)
}
