//! Fixes for payment data. JSON inside a string is not changed.

use serde_json::Value;

use crate::template::Template;

/// The value at a path into `pix_data` or `order_data`.
fn value<'t>(template: &'t mut Template, path: &str) -> Option<&'t mut Value> {
    match path.strip_prefix("/pix_data") {
        Some(rest) => template.pix_data.as_mut()?.pointer_mut(rest),
        None => template.order_data.as_mut()?.pointer_mut(path.strip_prefix("/order_data")?),
    }
}

/// Removes separators from numeric keys.
pub(super) fn plain_pix_key(template: &mut Template, path: &str) -> Option<()> {
    let pix = value(template, path.strip_suffix("/key")?)?.as_object_mut()?;
    let keeps: fn(&char) -> bool = match pix.get("key_type")?.as_str()? {
        "CPF" => char::is_ascii_digit,
        "CNPJ" => char::is_ascii_alphanumeric,
        "PHONE" => |c| c.is_ascii_digit() || *c == '+',
        _ => return None,
    };
    let key: String = pix.get("key")?.as_str()?.to_ascii_uppercase().chars().filter(keeps).collect();
    pix.insert("key".to_owned(), key.into());
    Some(())
}

/// Writes words in the channel's case.
pub(super) fn spell_word(template: &mut Template, path: &str) -> Option<()> {
    let upper = path.ends_with("/key_type") || path.ends_with("/currency");
    let value = value(template, path)?;
    let word = value.as_str()?.trim();
    *value = if upper { word.to_ascii_uppercase() } else { word.to_ascii_lowercase() }.into();
    Some(())
}

/// Converts a timestamp that was written as a number.
pub(super) fn instant_as_text(template: &mut Template, path: &str) -> Option<()> {
    let value = value(template, path)?;
    *value = value.as_u64()?.to_string().into();
    Some(())
}
