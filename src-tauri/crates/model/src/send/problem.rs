//! What can be wrong with a send: every problem with its weight and its sentence.
//!
//! A problem crosses to the window as a code with values; the window says it in the person's language. The English
//! sentences stand here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::finding::Severity;

/// Declares the codes: the word on the wire, the weight, the channel's code for it, and the sentence, in which `{name}`
/// stands for the value of that name.
macro_rules! problems {
    ($( $variant:ident = $code:literal, $severity:ident $(($error:literal))?, $sentence:literal; )*) => {
        /// What is wrong with a send. Also the key under which the window finds its sentence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
        #[ts(export_to = "model.ts")]
        pub enum SendProblemCode {
            $(
                #[doc = $sentence]
                #[serde(rename = $code)]
                #[ts(rename = $code)]
                $variant,
            )*
        }

        impl SendProblemCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The code as it is written, such as `value.newline`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// How much it weighs, unless the one who reports it says otherwise.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// The code with which the channel would refuse it, where one is known (upstream §7).
            #[must_use]
            pub const fn error_code(self) -> Option<u32> {
                match self { $(Self::$variant => problems!(@error $($error)?),)* }
            }

            /// The sentence in English; `{name}` stands for the value of that name.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)* }
            }
        }
    };
    (@error) => { None };
    (@error $error:literal) => { Some($error) };
}

problems! {
    NumberMissing = "number.missing", Error,
        "Choose the number that sends.";

    ToMissing = "to.missing", Error,
        "Enter the recipient's number with its country code, such as +55 11 91234-5678.";
    ToInvalid = "to.invalid", Error,
        "This is not a telephone number: {reason}. Write it with its country code, such as +55 11 91234-5678.";
    ToKind = "to.kind", Warning,
        "By its digits this is a number of another kind ({kind}) than a mobile. Check that the recipient uses the channel with it.";
    ToOwn = "to.own", Error(131_021),
        "Sender and recipient are the same number. Choose another recipient.";
    ToCountry = "to.country", Warning(131_049),
        "The channel has not delivered marketing messages to numbers of the United States since April 2025.";

    ToDuplicate = "to.duplicate", Warning,
        "The recipient stands in row {row} already and would get the message twice.";
    RowCells = "row.cells", Error,
        "The row has {found} cells; the others have {expected}. Check its delimiters and quotes.";

    CallbackNotObject = "callback.notObject", Error,
        "A tracked send needs a JSON object here, such as {\"job\": 42}. Write one, or send this text exactly as it is.";
    CallbackTooLong = "callback.tooLong", Warning,
        "The callback data has {length} characters. Keep it small: more than {limit} may be refused.";

    TemplateUnknown = "template.unknown", Error(132_001),
        "No template of this name exists in this language. Refresh the templates.";
    TemplateArchived = "template.archived", Error(132_001),
        "The template is archived. Bring it back from the archive to send it.";
    TemplateStatus = "template.status", Error(132_001),
        "The template is {status}. Only approved templates can be sent.";
    TemplateStale = "template.stale", Warning,
        "The template was last refreshed {minutes} minutes ago. Its status may have changed since; refresh the templates.";

    ValueMissing = "value.missing", Error(131_008),
        "Fill this in; a send without it is refused.";
    ValueNewline = "value.newline", Error(132_012),
        "A value takes no line break. Write it on one line.";
    ValueTab = "value.tab", Error(132_012),
        "A value takes no tab. Write a space.";
    ValueSpaces = "value.spaces", Error(132_012),
        "A value takes at most {most} spaces in a row. Remove the others.";
    ValueTooLong = "value.tooLong", Error(132_005),
        "The value has {length} characters; there is room for {limit}. Shorten it.";
    ValueFilledTooLong = "value.filledTooLong", Error(132_005),
        "The text has {length} characters once it is filled in, and takes {limit}. Shorten this value or another one.";
    ValueAddressTooLong = "value.addressTooLong", Warning,
        "The address has {length} characters once it is filled in; more than {limit} may be refused.";
    ValueUrlEncoding = "value.urlEncoding", Warning,
        "An address cannot hold “{char}” as it is. It is sent as {encoded}.";
    ValueLink = "value.link", Error(131_009),
        "This is not a web address. Begin with https:// and the name of the site.";
    ValueInstant = "value.instant", Error(131_009),
        "This is not an instant. Give the milliseconds since 1970, such as 1767225600000.";
    ValueInstantPast = "value.instantPast", Warning,
        "This instant has passed; the offer arrives expired.";
    ValueNumber = "value.number", Error(131_009),
        "This is not a number of degrees. Write it with a point, such as -23.5505.";
    ValueLatitude = "value.latitude", Error(131_009),
        "A latitude lies between -90 and 90 degrees.";
    ValueLongitude = "value.longitude", Error(131_009),
        "A longitude lies between -180 and 180 degrees.";
    ValueJson = "value.json", Error(131_009),
        "This is not JSON: {detail} at line {line}, column {column}.";
    ValueObject = "value.object", Error(131_009),
        "A JSON object is expected here: {\"name\": \"value\"}.";
    ValueSections = "value.sections", Error(131_009),
        "A JSON list of 1 to {sections} sections is expected here, with {products} products at most in all: [{\"title\": \"…\", \"product_items\": [{\"product_retailer_id\": \"…\"}]}].";
    ValueOrder = "value.order", Warning,
        "The order is likely to be refused. {detail}";
    ValueCodeTooLong = "value.codeTooLong", Error(131_009),
        "A code has at most {limit} characters; this one has {length}.";
    ValueCodeCharacters = "value.codeCharacters", Warning,
        "A code is made of letters and digits; “{char}” may be refused.";
    ValuePayloadTooLong = "value.payloadTooLong", Warning,
        "The payload has {length} characters; more than {limit} may be refused.";
    ValueFooter = "value.footer", Warning,
        "The provider documents values for footers, the channel does not. The footer may be refused, or arrive unchanged.";
    ValueFileName = "value.fileName", Warning,
        "The document has no file name; the recipient sees an unnamed file.";
    ValueCount = "value.count", Error(132_000),
        "The number of values differs from the template's: {detail}.";
    ValueFormat = "value.format", Error(132_012),
        "The value has another form than the template asks for: {detail}.";
    ValueInvalid = "value.invalid", Error(131_009),
        "The value is not valid: {detail}.";

    TextMissing = "text.missing", Error(131_008),
        "Write the message.";
    TextTooLong = "text.tooLong", Error(100),
        "The message has {length} characters, and takes {limit}. Shorten it.";
    TextWindowClosed = "text.windowClosed", Warning(131_047),
        "The recipient last wrote more than 24 hours ago, so the channel refuses free text. Send a template instead.";

    MediaTooLarge = "media.tooLarge", Error(131_053),
        "The file has {bytes} bytes; the channel takes at most {limit}. Use a smaller one.";
    MediaWrongType = "media.wrongType", Warning(131_053),
        "The address gives a file of the type {mime}; {expected} is expected.";
    MediaUnreachable = "media.unreachable", Warning(131_053),
        "The file cannot be fetched: {detail}. The channel must be able to fetch it from this address.";
    MediaStatus = "media.status", Warning(131_053),
        "The address answers with status {status} instead of the file.";
    MediaSizeUnknown = "media.sizeUnknown", Warning,
        "The address does not say how large the file is. A file that is too large fails after the send.";
    MediaNotChecked = "media.notChecked", Warning,
        "The file has not been checked. One of a wrong type or size fails after the send.";
}

/// Something that stands in the way of a send, or should be known before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendProblem {
    /// `to`, `number`, `callbackData`, `text`, `template`, a part of the form such as `body.1`, or empty where it is
    /// about none of them.
    pub field: String,
    /// What is wrong.
    pub code: SendProblemCode,
    /// An error stops the send; a warning does until the person overrides its code.
    #[ts(type = "\"error\" | \"warning\"")]
    pub severity: Severity,
    /// The code with which the channel would refuse it.
    pub error_code: Option<u32>,
    /// What the sentence is made from.
    pub values: BTreeMap<String, String>,
    /// The sentence in English.
    pub message: String,
}

impl SendProblem {
    /// A problem at `field`, with the weight and the channel's code that stand in the table. `values` has everything
    /// that the sentence names, and may have more.
    #[must_use]
    pub fn new(field: impl Into<String>, code: SendProblemCode, values: &[(&str, &dyn std::fmt::Display)]) -> Self {
        let values: BTreeMap<String, String> =
            values.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
        debug_assert!(names(code.sentence()).all(|name| values.contains_key(name)), "{code:?} lacks a value");
        Self {
            field: field.into(),
            code,
            severity: code.severity(),
            error_code: code.error_code(),
            message: say(code.sentence(), &values),
            values,
        }
    }

    /// The same, as a warning: for limits that the contract does not state.
    #[must_use]
    pub fn as_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// The same with the code that the channel answers in this case.
    #[must_use]
    pub fn with_error_code(self, error_code: u32) -> Self {
        Self { error_code: Some(error_code), ..self }
    }

    /// Whether it stops the send whatever the person overrides.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The `{name}`s of a sentence. Braces around anything but a name are themselves.
fn names(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).filter(is_name)
}

fn is_name(name: &&str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The sentence with its values. What stands in a value is never taken for a name.
fn say(sentence: &str, values: &BTreeMap<String, String>) -> String {
    let mut parts = sentence.split('{');
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let value = part.split_once('}').filter(|(name, _)| is_name(name));
        match value.and_then(|(name, rest)| Some((values.get(name)?, rest))) {
            Some((value, rest)) => {
                said.push_str(value);
                said.push_str(rest);
            }
            None => {
                said.push('{');
                said.push_str(part);
            }
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_is_its_own_and_has_a_sentence() {
        let words: BTreeSet<&str> = SendProblemCode::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(words.len(), SendProblemCode::ALL.len());
        for code in SendProblemCode::ALL {
            let word = code.as_str();
            assert_eq!(word.split('.').count(), 2, "{word}: the window looks it up as a group and a name");
            assert!(code.sentence().ends_with(['.', '}', ']']), "{word}");
            assert_ne!(code.severity(), Severity::Hint, "{word}");
            let written = serde_json::to_value(code).ok();
            assert_eq!(written.as_ref().and_then(|value| value.as_str()), Some(word));
            if let Some(error) = code.error_code() {
                assert!(crate::error_code::find(error.into()).is_some(), "{word}: {error} is explained");
            }
        }
    }

    #[test]
    fn sentences_take_their_values_as_they_are() {
        let problem =
            SendProblem::new("body.1", SendProblemCode::ValueTooLong, &[("length", &"{limit}"), ("limit", &5)]);
        assert_eq!(problem.message, "The value has {limit} characters; there is room for 5. Shorten it.");
        assert_eq!((problem.error_code, problem.is_error()), (Some(132_005), true));
        let problem = SendProblem::new("callbackData", SendProblemCode::CallbackNotObject, &[]);
        assert!(problem.message.contains("{\"job\": 42}"), "{}", problem.message);
        assert!(!problem.as_warning().is_error());
    }
}
