//! Strict parsing of template content: every field of the contract §2.1–§2.2 must have its type.

use model::Object;
use model::button::Button;
use model::component::{Component, UPLOAD_PENDING};
use serde_json::Value;

use crate::refusal::Refusal;

/// The text at `key`; `None` when it is absent or null.
pub(crate) fn text<'a>(object: &'a Object, key: &str) -> Result<Option<&'a str>, Refusal> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(Refusal::field(format!("/{key}"), format!("must be a string, not {}", kind(other)))),
    }
}

/// The text at `key`, which must be present and not empty.
pub(crate) fn required_text<'a>(object: &'a Object, key: &str) -> Result<&'a str, Refusal> {
    match text(object, key)? {
        Some(text) if !text.trim().is_empty() => Ok(text),
        Some(_) => Err(Refusal::field(format!("/{key}"), "must not be empty")),
        None => Err(Refusal::field(format!("/{key}"), "is required")),
    }
}

/// The JSON type of a value, as text.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Replaces the JSON text at `key` of a multipart body by the decoded value (contract §4.2, §4.3). Empty text is left
/// as it is: it is not JSON and clears the field.
pub(crate) fn decode_text(object: &mut Object, key: &str) -> Result<(), Refusal> {
    if let Some(Value::String(text)) = object.get(key)
        && !text.is_empty()
    {
        let decoded = serde_json::from_str(text).map_err(|error| {
            Refusal::field(format!("/{key}"), format!("must be JSON in a multipart body, and is not: {error}"))
        })?;
        object.insert(key.to_owned(), decoded);
    }
    Ok(())
}

/// Checks `category`, `type`, `sub_category` and `parameter_format` if present.
pub(crate) fn check_words(object: &Object) -> Result<(), Refusal> {
    const WORDS: &[(&str, &[&str])] = &[
        ("category", model::vocabulary::Category::WORDS),
        ("type", model::vocabulary::TemplateType::WORDS),
        ("parameter_format", model::vocabulary::ParameterFormat::WORDS),
    ];
    for (key, words) in WORDS {
        if let Some(word) = text(object, key)?
            && !(word.is_empty() && *key == "parameter_format")
            && !words.iter().any(|known| known.eq_ignore_ascii_case(word))
        {
            let known = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
            return Err(Refusal::field(format!("/{key}"), format!("must be one of {known}, not `{word}`")));
        }
    }
    text(object, "sub_category")?;
    Ok(())
}

/// Reads `components`: an array of objects with a known `type` and a valid shape.
pub(crate) fn components(object: &Object) -> Result<Option<Vec<Component>>, Refusal> {
    let Some(value) = object.get("components") else { return Ok(None) };
    let Value::Array(items) = value else {
        return Err(Refusal::field("/components", format!("must be an array, not {}", kind(value))));
    };
    if items.is_empty() {
        return Err(Refusal::field("/components", "must not be empty; a template has at least a BODY"));
    }
    let components = component_list(items, "/components")?;
    check_member_types(items, "/components")?;
    Ok(Some(components))
}

/// Members that are strings at every level of a template or a send (contract §2.2, §2.3; upstream §2, §6).
const STRINGS: &[&str] = &[
    "type",
    "format",
    "text",
    "url",
    "phone_number",
    "otp_type",
    "autofill_text",
    "package_name",
    "signature_hash",
    "flow_id",
    "flow_name",
    "flow_action",
    "navigate_screen",
    "icon",
    "param_name",
    "parameter_name",
    "sub_type",
    "link",
    "id",
    "filename",
    "payload",
    "coupon_code",
];
/// Members that are arrays at every level.
const ARRAYS: &[&str] =
    &["buttons", "cards", "components", "parameters", "header_handle", "supported_apps", "body_text_named_params"];
/// Members with a shape that the contract does not define; their content is not checked.
const FOREIGN: &[&str] = &["action", "flow_json", "location", "product", "order_details"];

/// Checks the types of all members that have a fixed type. Parsing into `model` is lenient, because a client must show
/// everything that the provider returns; the provider itself is strict.
pub(crate) fn check_member_types(items: &[Value], path: &str) -> Result<(), Refusal> {
    for (index, item) in items.iter().enumerate() {
        check_types(item, &format!("{path}/{index}"))?;
    }
    Ok(())
}

fn check_types(value: &Value, path: &str) -> Result<(), Refusal> {
    match value {
        Value::Array(items) => check_member_types(items, path),
        Value::Object(object) => {
            for (key, member) in object {
                let path = format!("{path}/{key}");
                if FOREIGN.contains(&key.as_str()) {
                    continue;
                }
                if STRINGS.contains(&key.as_str()) && !member.is_string() {
                    return Err(Refusal::field(path, format!("must be a string, not {}", kind(member))));
                }
                if ARRAYS.contains(&key.as_str()) && !member.is_array() {
                    return Err(Refusal::field(path, format!("must be an array, not {}", kind(member))));
                }
                if key == "header_handle"
                    && let Value::Array(handles) = member
                    && let Some(index) = handles.iter().position(|handle| !handle.is_string())
                {
                    return Err(Refusal::field(format!("{path}/{index}"), "must be a string: the handle of a sample"));
                }
                check_types(member, &path)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn component_list(items: &[Value], path: &str) -> Result<Vec<Component>, Refusal> {
    items.iter().enumerate().map(|(index, item)| component(item, &format!("{path}/{index}"))).collect()
}

fn component(item: &Value, path: &str) -> Result<Component, Refusal> {
    let type_name = type_of(item, path)?;
    let component: Component = model::json::read(item)
        .map_err(|error| Refusal::field(path, format!("cannot be read as a component: {error}")))?;
    match &component {
        Component::Unknown(_) => Err(Refusal::field(path, unreadable(type_name, "component", Component::TYPES))),
        Component::Buttons(_) => {
            let items = member_array(item, "buttons", path)?;
            for (index, button) in items.iter().enumerate() {
                check_button(button, &format!("{path}/buttons/{index}"))?;
            }
            Ok(component)
        }
        Component::Carousel(_) => {
            for (index, card) in member_array(item, "cards", path)?.iter().enumerate() {
                component_list(
                    member_array(card, "components", &format!("{path}/cards/{index}"))?,
                    &format!("{path}/cards/{index}/components"),
                )?;
            }
            Ok(component)
        }
        _ => Ok(component),
    }
}

fn check_button(item: &Value, path: &str) -> Result<(), Refusal> {
    let type_name = type_of(item, path)?;
    match model::json::read::<Button>(item) {
        Ok(Button::Unknown(_)) => Err(Refusal::field(path, unreadable(type_name, "button", Button::TYPES))),
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal::field(path, format!("cannot be read as a button: {error}"))),
    }
}

fn unreadable(type_name: &str, what: &str, known: &[&str]) -> String {
    if known.iter().any(|known| known.eq_ignore_ascii_case(type_name)) {
        format!("is a `{type_name}` {what} whose fields have the wrong types; compare them with the specification")
    } else {
        format!("has the type `{type_name}`, which is no {what}; use one of {}", known.join(", "))
    }
}

fn type_of<'a>(item: &'a Value, path: &str) -> Result<&'a str, Refusal> {
    let Value::Object(object) = item else {
        return Err(Refusal::field(path, format!("must be an object, not {}", kind(item))));
    };
    match object.get("type") {
        Some(Value::String(type_name)) => Ok(type_name),
        Some(other) => Err(Refusal::field(format!("{path}/type"), format!("must be a string, not {}", kind(other)))),
        None => Err(Refusal::field(format!("{path}/type"), "is required")),
    }
}

fn member_array<'a>(item: &'a Value, key: &str, path: &str) -> Result<&'a [Value], Refusal> {
    match item.get(key) {
        Some(Value::Array(items)) => Ok(items),
        Some(other) => Err(Refusal::field(format!("{path}/{key}"), format!("must be an array, not {}", kind(other)))),
        None => Err(Refusal::field(format!("{path}/{key}"), "is required")),
    }
}

/// A media header and the path of its component.
pub(crate) struct MediaHeader<'a> {
    pub(crate) header: &'a mut model::component::Header,
    pub(crate) path: String,
}

/// The media header of the message itself, not of a card.
pub(crate) fn media_header(components: &mut [Component]) -> Option<MediaHeader<'_>> {
    media_header_at(components, "/components")
}

/// The media headers of the cards, in card order.
pub(crate) fn card_headers(components: &mut [Component]) -> Vec<MediaHeader<'_>> {
    let mut headers = Vec::new();
    for (index, component) in components.iter_mut().enumerate() {
        if let Component::Carousel(carousel) = component {
            for (card_index, card) in carousel.cards.iter_mut().enumerate() {
                let path = format!("/components/{index}/cards/{card_index}/components");
                headers.extend(media_header_at(&mut card.components, &path));
            }
        }
    }
    headers
}

fn media_header_at<'a>(components: &'a mut [Component], path: &str) -> Option<MediaHeader<'a>> {
    components.iter_mut().enumerate().find_map(|(index, component)| match component {
        Component::Header(header) if header.format.is_media() => {
            Some(MediaHeader { header, path: format!("{path}/{index}") })
        }
        _ => None,
    })
}

impl MediaHeader<'_> {
    /// The handle of the sample, unless it is absent or a placeholder for a file.
    pub(crate) fn handle(&self) -> Option<&str> {
        let handle = self.header.example.as_ref()?.header_handle.first()?;
        (!handle.trim().is_empty() && handle != UPLOAD_PENDING).then_some(handle)
    }

    /// Whether the handle is a placeholder for a file of the same request.
    pub(crate) fn awaits_file(&self) -> bool {
        self.header.example.as_ref().is_some_and(|example| example.header_handle.iter().any(|h| h == UPLOAD_PENDING))
    }

    pub(crate) fn set_handle(&mut self, handle: String) {
        self.header.example.get_or_insert_default().header_handle = vec![handle];
    }
}
