//! Problems of a send, with severity and sentence.
//!
//! The window gets a problem as a code with values, and translates it. This file has the English sentences.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::finding::Severity;

/// Declares the codes: the serialised word, the severity, the channel's error code, and the sentence, in which `{name}`
/// is replaced by the value of that name.
macro_rules! problems {
    ($( $variant:ident = $code:literal, $severity:ident $(($error:literal))?, $sentence:literal; )*) => {
        /// A problem of a send; also the window's key for the sentence.
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
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The serialised code, such as `value.newline`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// Default severity.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// The channel's error code for this problem, if known (upstream §7).
            #[must_use]
            pub const fn error_code(self) -> Option<u32> {
                match self { $(Self::$variant => problems!(@error $($error)?),)* }
            }

            /// The sentence in English; `{name}` is replaced by the value of that name.
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
        "Choose a sending number.";
    NumberUnknown = "number.unknown", Error,
        "This number is no longer in this workspace. Choose another.";
    NumberAccount = "number.account", Warning(132_001),
        "{number} cannot send this template: it exists only in {accounts}. Choose another number.";
    NumberAccountStatus = "number.accountStatus", Warning(132_001),
        "{number} cannot send this template: its status in {account} is {status}. Choose another number.";

    NumberRestricted = "number.restricted", Warning(368),
        "WhatsApp does not let {account} send templates at the moment, so this message would fail. Read the notice about the account, and send when it has ended or from a number of another account.";

    NumberLowQuality = "number.lowQuality", Warning,
        "WhatsApp reports a low quality for {number}: people block or report its messages. More of them can lower its limit or restrict it. Send fewer messages to people who expect them, or choose another number.";
    NumberLimit = "number.limit", Warning,
        "WhatsApp lets this business write to {limit} people in 24 hours, and {used} of them are used, as far as seen here. {fit} of these {people} people fit now; there is room for the last one from {until} on. Other systems that send from this number are not counted.";

    ToMissing = "to.missing", Error,
        "Enter the recipient's number with + and country code, or as people in its country write it.";
    ToInvalid = "to.invalid", Error,
        "This is not a phone number: {reason}.";
    ToCountryUnknown = "to.countryUnknown", Error,
        "This number has no country code, and the country is not known. Choose the country, or write + and the country code before the number.{reading}";
    ToKind = "to.kind", Warning,
        "This looks like a different type of number ({kind}), not a mobile. Check that the recipient uses WhatsApp with it.";
    ToOwn = "to.own", Error(131_021),
        "The sender and the recipient are the same number. Choose another recipient.";
    ToCountry = "to.country", Warning(131_049),
        "WhatsApp has not delivered marketing messages to United States numbers since April 2025.";
    ToUserId = "to.userId", Error,
        "This person is known only by a WhatsApp user ID. If your provider can send to user IDs, say so in the workspace's settings.";
    ToUserIdAuthentication = "to.userIdAuthentication", Error(131_062),
        "Authentication templates can't be sent to a user ID. WhatsApp needs the person's phone number for them.";

    ToOptedOut = "to.optedOut", Error(131_050),
        "This person stopped marketing messages from {accounts} on {since} ({how}). You can still send utility and authentication templates.";

    ToHeldBack = "to.heldBack", Error(131_049),
        "WhatsApp held back a marketing message to this person, who may get the next one from {since} on. Make another batch of those held back then.";
    ToCappedUntil = "to.cappedUntil", Warning(131_049),
        "WhatsApp held back a marketing message to this person, and asks to wait until {since}. Leave the row out, or send it anyway.";
    ToRecentMarketing = "to.recentMarketing", Warning(131_049),
        "We sent this person a marketing template from here in the last 24 hours, or tried to, on {since}. WhatsApp limits how many marketing messages a person gets, and may not deliver this one.";
    ToTriedOften = "to.triedOften", Error,
        "This person was already sent this message {times} times. More attempts do more harm than good, so they are left out.";
    ToInLaterBatch = "to.inLaterBatch", Error,
        "This person is already in a later batch that was made from this one.";
    ToNoRetry = "to.noRetry", Error,
        "Since this batch was planned, WhatsApp reported that an earlier message to this person was sent, or that sending it again does not help. They are left out.";

    ToDuplicate = "to.duplicate", Warning,
        "This recipient is already in row {row} and would get the message twice.";
    ToRepeated = "to.repeated", Warning,
        "We sent this person this template on {since}, or tried to. Leave the row out, or send it again.";
    ToSameMessage = "to.sameMessage", Warning,
        "We sent this person this template with the same values on {since}, or tried to. Check whether they should get it again.";
    ToDeclined = "to.declined", Warning,
        "This person wants no messages, by the column “{column}” of the file (“{written}”). Leave the row out, or send it anyway.";
    RowCells = "row.cells", Error,
        "This row has {found} cells; the others have {expected}. Check its separators and quotes.";
    RowEnded = "row.ended", Error,
        "The batch was ended for good before this row was sent.";

    CallbackNotObject = "callback.notObject", Error,
        "Tracking needs a JSON object here, such as {\"job\": 42}. Write one, or send exactly this text without tracking.";
    CallbackTooLong = "callback.tooLong", Warning,
        "The callback data has {length} characters. More than {limit} may be rejected.";

    TemplateUnknown = "template.unknown", Error(132_001),
        "This template doesn't exist in this language. Refresh the templates.";
    TemplateArchived = "template.archived", Error(132_001),
        "This template is archived. Unarchive it to send it.";
    TemplateStatus = "template.status", Error(132_001),
        "This template's status is {status}. You can only send approved templates.";
    TemplateNoNumber = "template.noNumber", Error(132_001),
        "Only numbers of {accounts} can send this template, and this workspace has none. Add one in the settings.";
    TemplateCategoryRaised = "template.categoryRaised", Warning,
        "WhatsApp changed this template from {before} to {after}, which costs more. Write a new utility template, or send this one anyway.";
    TemplateContradicted = "template.contradicted", Warning,
        "Your provider reported this template as {status} shortly before it listed it as approved. Refresh the templates before you send it.";
    TemplateStale = "template.stale", Warning,
        "This template was last refreshed {minutes} minutes ago. Its status may have changed, so refresh the templates.";

    TemplateUnknownPart = "template.unknownPart", Warning,
        "This app doesn't know a part of this template ({parts}) and sends nothing for it. WhatsApp may reject the message.";

    ValueMissing = "value.missing", Error(131_008),
        "A value is required.";
    ValueSample = "value.sample", Warning,
        "“{sample}” is the sample from the review. Check whether this person should read it, or write their own value.";
    ValueNewline = "value.newline", Error(132_012),
        "Values can't contain line breaks. Write it on one line.";
    ValueTab = "value.tab", Error(132_012),
        "Values can't contain tabs. Use a space.";
    ValueSpaces = "value.spaces", Error(132_012),
        "Values can't contain more than {most} spaces in a row. Remove the extra spaces.";
    ValueTooLong = "value.tooLong", Error(132_005),
        "The value has {length} characters; the limit is {limit}. Shorten it.";
    ValueFilledTooLong = "value.filledTooLong", Error(132_005),
        "With these values, the text has {length} characters; the limit is {limit}. Shorten a value.";
    ValueAddressTooLong = "value.addressTooLong", Warning,
        "With this value, the address has {length} characters; more than {limit} may be rejected.";
    ValueUrlEncoding = "value.urlEncoding", Warning,
        "“{char}” is not allowed in a web address. It is sent as {encoded}.";
    ValueWholeAddress = "value.wholeAddress", Warning,
        "The address already starts with {base}. Enter only what follows: {suffix}";
    ValueOtherAddress = "value.otherAddress", Warning,
        "This value is a whole address, and it is added to {base}. Enter only the end of the address.";
    ValueSlash = "value.slash", Warning,
        "The address already ends with a slash, so the recipient gets two. Start without a slash.";
    ValuePlaceholder = "value.placeholder", Warning,
        "{variable} is sent as it is. Replace it with the value.";
    ValueLink = "value.link", Error(131_009),
        "This is not a web address. Start with https:// and the name of the site.";
    ValueInstant = "value.instant", Error(131_009),
        "This is not a valid time. Enter milliseconds since 1970, such as 1767225600000.";
    ValueInstantPast = "value.instantPast", Warning,
        "This time has passed, so the offer arrives expired.";
    ValueNumber = "value.number", Error(131_009),
        "This is not a valid coordinate. Use a decimal point, such as -23.5505.";
    ValueLatitude = "value.latitude", Error(131_009),
        "The latitude must be between -90 and 90 degrees.";
    ValueLongitude = "value.longitude", Error(131_009),
        "The longitude must be between -180 and 180 degrees.";
    ValueJson = "value.json", Error(131_009),
        "Invalid JSON: {detail} at line {line}, column {column}.";
    ValueObject = "value.object", Error(131_009),
        "Enter a JSON object: {\"name\": \"value\"}.";
    ValueSections = "value.sections", Error(131_009),
        "Enter a JSON list of 1 to {sections} sections with at most {products} products in total: [{\"title\": \"…\", \"product_items\": [{\"product_retailer_id\": \"…\"}]}].";
    ValueOrder = "value.order", Warning,
        "The order will probably be rejected. {detail}";
    ValueCodeTooLong = "value.codeTooLong", Error(131_009),
        "The code has {length} characters; the limit is {limit}.";
    ValueCodeCharacters = "value.codeCharacters", Warning,
        "Codes contain letters and digits; “{char}” may be rejected.";
    ValuePayloadTooLong = "value.payloadTooLong", Warning,
        "The reply ID has {length} characters; more than {limit} may be rejected.";
    ValueFooter = "value.footer", Warning,
        "Your provider documents values for footers, but WhatsApp doesn't. The footer may be rejected or arrive unchanged.";
    ValueFileName = "value.fileName", Warning,
        "The document has no file name, so the recipient sees an unnamed file.";
    ValueCount = "value.count", Error(132_000),
        "The number of values doesn't match the template: {detail}.";
    ValueFormat = "value.format", Error(132_012),
        "The value doesn't have the format that the template needs: {detail}.";
    ValueInvalid = "value.invalid", Error(131_009),
        "The value is not valid: {detail}.";

    ValueDateUnread = "value.dateUnread", Error,
        "“{written}” is no date with day, month and a year of four digits in the order of this column. Correct the cell, or change the format.";
    ValueDateOrder = "value.dateOrder", Error,
        "“{written}” can be {first} or {second}. Choose the order of day and month.";
    ValueDateDays = "value.dateDays", Error,
        "“{written}” may be a date as spreadsheets number days. If so, choose that; otherwise correct the cell.";
    ValueNumberUnread = "value.numberUnread", Error,
        "“{written}” is no number with the decimal mark of this column. Correct the cell, or change the format.";
    ValueDecimalMark = "value.decimalMark", Error,
        "“{written}” can be {first} or {second}. Choose the decimal mark.";
    ValueShortened = "value.shortened", Error,
        "A spreadsheet shortened “{written}”, so digits are missing. Format the column as a number, and save the file again.";
    ValueCurrency = "value.currency", Error,
        "“{written}” is not in {currency}. Correct the cell, or choose its currency.";
    ValueCurrencyMissing = "value.currencyMissing", Error,
        "Enter the currency of the amounts, such as BRL.";
    ValueDecimals = "value.decimals", Error,
        "“{written}” has more decimals than amounts in {currency} have. Correct the cell, or send it as a number.";

    TextMissing = "text.missing", Error(131_008),
        "Write the message.";
    TextTooLong = "text.tooLong", Error(100),
        "The message has {length} characters; the limit is {limit}. Shorten it.";
    TextVariable = "text.variable", Warning,
        "Free text has no variables, so {variable} is sent as it is. Replace it with the value.";
    TextField = "text.field", Error,
        "Replace {variable} with what the recipient is to read. Free text has no variables.";
    TextBraces = "text.braces", Warning,
        "“{written}” is not a complete field, and is sent as it is. Write two braces on each side, or remove them.";
    TextWindowClosed = "text.windowClosed", Warning(131_047),
        "The recipient last wrote more than 24 hours ago, so WhatsApp rejects free text. Send a template instead.";

    MediaTooLarge = "media.tooLarge", Error(131_053),
        "The file has {bytes} bytes; the limit is {limit}. Use a smaller file.";
    MediaWrongType = "media.wrongType", Warning(131_053),
        "The file has the type {mime}, but the header needs {expected}.";
    MediaUnreachable = "media.unreachable", Warning(131_053),
        "We can't load the file: {detail}. WhatsApp must be able to load it from this address.";
    MediaStatus = "media.status", Warning(131_053),
        "The server responded with status {status} instead of the file.";
    MediaSizeUnknown = "media.sizeUnknown", Warning,
        "The server doesn't report the file size. If the file is too large, the message fails after you send it.";
    MediaNotChecked = "media.notChecked", Warning,
        "The file was not checked. If its type or size is wrong, the message fails after you send it.";
}

/// A problem that blocks a send, or a warning about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendProblem {
    /// `to`, `number`, `callbackData`, `text`, `template`, a part of the form such as `body.1`, or empty.
    pub field: String,
    pub code: SendProblemCode,
    /// An error blocks the send; a warning blocks it until the person overrides its code.
    #[ts(type = "\"error\" | \"warning\"")]
    pub severity: Severity,
    pub error_code: Option<u32>,
    pub values: BTreeMap<String, String>,
    /// The sentence in English.
    pub message: String,
}

impl SendProblem {
    /// A problem at `field`, with the severity and the channel's code of the table. `values` needs every value that the
    /// sentence uses, and may have more.
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
            message: fill_sentence(code.sentence(), &values),
            values,
        }
    }

    /// Makes it a warning: for limits that the contract doesn't state.
    #[must_use]
    pub fn as_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// Makes it an error: where the same failure would be repeated many times.
    #[must_use]
    pub fn as_error(self) -> Self {
        Self { severity: Severity::Error, ..self }
    }

    #[must_use]
    pub fn with_error_code(self, error_code: u32) -> Self {
        Self { error_code: Some(error_code), ..self }
    }

    /// Whether it blocks the send regardless of overrides.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The `{name}`s of a sentence. Braces around anything but a name are literal.
fn names(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).filter(is_name)
}

fn is_name(name: &&str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The sentence with its values inserted. Braces in a value are literal.
fn fill_sentence(sentence: &str, values: &BTreeMap<String, String>) -> String {
    let mut parts = sentence.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let value = part.split_once('}').filter(|(name, _)| is_name(name));
        match value.and_then(|(name, rest)| Some((values.get(name)?, rest))) {
            Some((value, rest)) => {
                text.push_str(value);
                text.push_str(rest);
            }
            None => {
                text.push('{');
                text.push_str(part);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_is_unique_and_has_a_sentence() {
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
    fn values_are_inserted_unchanged() {
        let problem =
            SendProblem::new("body.1", SendProblemCode::ValueTooLong, &[("length", &"{limit}"), ("limit", &5)]);
        assert_eq!(problem.message, "The value has {limit} characters; the limit is 5. Shorten it.");
        assert_eq!((problem.error_code, problem.is_error()), (Some(132_005), true));
        let problem = SendProblem::new("callbackData", SendProblemCode::CallbackNotObject, &[]);
        assert!(problem.message.contains("{\"job\": 42}"), "{}", problem.message);
        assert!(!problem.as_warning().is_error());
    }
}
