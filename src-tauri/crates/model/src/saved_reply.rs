//! Saved replies: texts that a workspace keeps, with fields such as `{{firstName}}`. A field that is known is filled in for
//! a contact; every other `{{…}}` is completed by the person who sends, because free texts have no variables.

use std::collections::BTreeMap;

use serde::Serialize;
use ts_rs::TS;

use crate::closed_enum;
use crate::send::TEXT_LENGTH;
use crate::variable::{fill, scan, stray_braces};

/// Maximum number of saved replies of a workspace.
pub const MAX_SAVED_REPLIES: usize = 200;
/// Length limit of a name, in characters.
pub const NAME_LENGTH: usize = 60;

closed_enum! {
    /// A field that is filled in from the contact or from our number.
    ReplyField in "model.ts" {
        /// Name of the contact.
        Name = "name",
        /// The first word of it.
        FirstName = "firstName",
        /// Phone number of the contact, as people of its country write it.
        Number = "number",
        /// Name of our number that replies.
        Sender = "sender",
    }
}

/// Values of fields; those that are not known are absent.
pub type ReplyValues = BTreeMap<&'static str, String>;

/// A saved reply for a contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub struct FilledReply {
    pub text: String,
    /// What the person has to complete, as it is written in the text, each once and in order.
    pub missing: Vec<String>,
}

/// Why a saved reply cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyFault {
    NameMissing,
    NameTooLong,
    TextMissing,
    TextTooLong,
    /// Braces of a field that is not complete, as they are written with its word.
    Braces(String),
}

/// Checks a saved reply as it would be stored.
///
/// # Errors
/// The first fault.
pub fn check_reply(name: &str, text: &str) -> Result<(), ReplyFault> {
    if name.is_empty() {
        return Err(ReplyFault::NameMissing);
    }
    if name.chars().count() > NAME_LENGTH {
        return Err(ReplyFault::NameTooLong);
    }
    if text.trim().is_empty() {
        return Err(ReplyFault::TextMissing);
    }
    if text.chars().count() > TEXT_LENGTH {
        return Err(ReplyFault::TextTooLong);
    }
    if let Some(written) = stray_braces(text) {
        return Err(ReplyFault::Braces(written.to_owned()));
    }
    Ok(())
}

/// Fills in the fields of a saved reply. A value is one line; one without letters is not known.
#[must_use]
pub fn fill_reply(text: &str, values: &ReplyValues) -> FilledReply {
    let lines: BTreeMap<&str, String> = values
        .iter()
        .map(|(field, value)| (*field, value.split_whitespace().collect::<Vec<_>>().join(" ")))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let filled = fill(text, |variable| lines.get(variable.name).map(String::as_str));
    let mut missing: Vec<String> = Vec::new();
    for variable in scan(text).filter(|variable| !lines.contains_key(variable.name)) {
        let written = &text[variable.range];
        if !missing.iter().any(|known| known == written) {
            missing.push(written.to_owned());
        }
    }
    FilledReply { text: filled, missing }
}

/// The first word of a name: what a message greets with.
#[must_use]
pub fn first_name(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, values: &[(&'static str, &str)]) -> (String, Vec<String>) {
        let values = values.iter().map(|(field, value)| (*field, (*value).to_owned())).collect();
        let FilledReply { text, missing } = fill_reply(text, &values);
        (text, missing)
    }

    fn all(text: &str) -> (String, Vec<String>) {
        (text.to_owned(), Vec::new())
    }

    #[test]
    fn fields_are_filled_from_the_contact() {
        let ana = [("name", "Ana Maria\n Souza"), ("firstName", "Ana"), ("sender", "Shop 🛍")];
        assert_eq!(filled("Hi {{firstName}} ({{ name }}), {{sender}}", &ana), all("Hi Ana (Ana Maria Souza), Shop 🛍"));
        // A name of one word is a first name too.
        assert_eq!(first_name(" Petterson "), "Petterson");
    }

    #[test]
    fn a_field_without_a_value_stays_and_is_named_once() {
        let (text, missing) =
            filled("{{name}}, {{order}} of {{order}}: {{number}}", &[("name", " \n"), ("number", "+1")]);
        assert_eq!(text, "{{name}}, {{order}} of {{order}}: +1");
        assert_eq!(missing, ["{{name}}", "{{order}}"]);
    }

    #[test]
    fn everything_else_of_a_text_is_sent_as_it_is() {
        for text in ["A\n\n- one\n- two\n", "50 % {off} }}", "*bold* :) 👩‍👩‍👧 https://a.example/b?c={d}", "{{unclosed"]
        {
            assert_eq!(filled(text, &[("name", "Ana")]), all(text));
        }
        // Braces in a value are not filled in again.
        assert_eq!(filled("{{name}} {{sender}}", &[("name", "{{sender}}"), ("sender", "x")]), all("{{sender}} x"));
    }

    #[test]
    fn replies_need_a_name_and_a_text_within_the_limits() {
        let long = |count: usize| "é".repeat(count);
        for (name, text, expected) in [
            ("hours", "We open at 9.", Ok(())),
            (&long(NAME_LENGTH), &long(TEXT_LENGTH), Ok(())),
            ("", "x", Err(ReplyFault::NameMissing)),
            (&long(NAME_LENGTH + 1), "x", Err(ReplyFault::NameTooLong)),
            ("hours", " \n", Err(ReplyFault::TextMissing)),
            ("hours", &long(TEXT_LENGTH + 1), Err(ReplyFault::TextTooLong)),
            ("key", "Your key {{key", Err(ReplyFault::Braces("{{key".to_owned()))),
            ("key", "Hi {{name}}, your {{ key} is here", Err(ReplyFault::Braces("{{ key}".to_owned()))),
            ("key", "Your key: key}} {{name}}", Err(ReplyFault::Braces("key}}".to_owned()))),
            ("key", "{{name}}: {off} 50 %", Ok(())),
        ] {
            assert_eq!(check_reply(name, text), expected, "{name} {}", text.len());
        }
    }
}
