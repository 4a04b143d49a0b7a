//! The channel's error codes: what happened, whether trying again helps, what to do (upstream §7).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::failure::{Failure, FailureDetail};

/// Whether the same request may succeed at another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "lowercase")]
pub enum Retry {
    /// It fails again.
    No,
    /// It may succeed after a short pause.
    Yes,
    /// Only after a stated wait or something done elsewhere.
    Later,
}

/// An error code of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
pub struct ErrorCode {
    /// The number.
    #[ts(type = "number")]
    pub code: i64,
    /// What happened.
    pub meaning: &'static str,
    /// What to do about it.
    pub advice: &'static str,
    /// Whether trying again helps.
    pub retry: Retry,
}

/// Every known code, in ascending order.
pub const ERROR_CODES: &[ErrorCode] = &[
    row(
        0,
        "WhatsApp could not authenticate the app's user.",
        "Create a new access token and enter it in the workspace.",
        Retry::No,
    ),
    row(
        1,
        "The request is invalid, or WhatsApp's server failed.",
        "Try again a few times. If it still fails, compare the request with the template.",
        Retry::Yes,
    ),
    row(2, "WhatsApp is temporarily unavailable or overloaded.", "Try again in a few minutes.", Retry::Yes),
    row(
        3,
        "The app doesn't have permission for this call.",
        "Ask an administrator to grant the permission.",
        Retry::No,
    ),
    row(4, "The app has made too many calls.", "Wait and send more slowly.", Retry::Yes),
    row(
        10,
        "The permission was not granted or was removed.",
        "Ask an administrator to grant the permission.",
        Retry::No,
    ),
    row(33, "The business phone number was deleted.", "Choose another number in the workspace.", Retry::No),
    row(
        100,
        "A parameter is unknown, misspelled or too long.",
        "Compare the request with the template's definition.",
        Retry::No,
    ),
    row(190, "The access token has expired.", "Create a new access token and enter it in the workspace.", Retry::No),
    row(
        200,
        "The permission was not granted or was removed, or no token was sent.",
        "Check the workspace's token and its permissions.",
        Retry::No,
    ),
    row(
        368,
        "The account is restricted because of a policy violation.",
        "Check the account quality in WhatsApp Manager.",
        Retry::No,
    ),
    row(2040, "The recipient cannot receive payment messages.", "Send a message without payment.", Retry::No),
    row(2046, "The order cannot change to this status.", "Check the order's current status.", Retry::No),
    row(2047, "The order could not be cancelled.", "Check the order's current status.", Retry::No),
    row(80007, "The business account has made too many calls.", "Wait and send more slowly.", Retry::Yes),
    row(130403, "The business has blocked this person.", "Unblock the person first.", Retry::No),
    row(130429, "The number has reached its message rate limit.", "Wait and send more slowly.", Retry::Yes),
    row(
        130472,
        "The person is part of a WhatsApp experiment and gets no marketing messages.",
        "Don't send again. Contact the person in another way.",
        Retry::No,
    ),
    row(
        130497,
        "The business can't send messages to this country.",
        "Leave out recipients in this country.",
        Retry::No,
    ),
    row(131000, "WhatsApp failed for an unknown reason.", "Try again a few times.", Retry::Yes),
    row(131005, "A permission for this call is missing.", "Ask an administrator to grant the permission.", Retry::No),
    row(131008, "A required parameter is missing.", "Fill in every value that the template needs.", Retry::No),
    row(131009, "A parameter's value is not valid.", "Correct the value named in the details.", Retry::No),
    row(131016, "A WhatsApp service is temporarily unavailable.", "Try again in a few minutes.", Retry::Yes),
    row(131021, "The sender and the recipient are the same number.", "Choose another recipient.", Retry::No),
    row(
        131026,
        "The message can't be delivered: the recipient is not on WhatsApp, has not accepted its terms or uses an old version.",
        "Check the number, and ask the person to update the app.",
        Retry::No,
    ),
    row(
        131030,
        "The recipient is not on the list of allowed test numbers.",
        "Add the number to the list of test recipients.",
        Retry::No,
    ),
    row(
        131031,
        "The account is restricted or locked, or its data could not be verified.",
        "Check the account status in WhatsApp Manager.",
        Retry::No,
    ),
    row(131037, "The number's display name is not approved.", "Have the display name approved first.", Retry::No),
    row(131042, "There is a problem with the payment method.", "Check the billing of the business account.", Retry::No),
    row(
        131044,
        "There is a problem with the account's payment or calling setup.",
        "Check the billing of the business account.",
        Retry::No,
    ),
    row(131045, "The number's registration or certificate is not valid.", "Register the number again.", Retry::No),
    row(131047, "More than 24 hours have passed since the person last wrote.", "Send a template instead.", Retry::No),
    row(
        131048,
        "The number is restricted after too many blocks or spam reports.",
        "Wait until its quality recovers, and send to fewer people.",
        Retry::Later,
    ),
    row(
        131049,
        "WhatsApp did not deliver the message, to protect the person from too much marketing.",
        "Wait at least 24 hours. Earlier attempts only fail again.",
        Retry::Later,
    ),
    row(
        131050,
        "The person has stopped marketing messages from this business.",
        "Don't send marketing to this person again.",
        Retry::No,
    ),
    row(131051, "This type of message is not supported.", "Send another type of message.", Retry::No),
    row(131052, "The person's media could not be downloaded.", "Ask the person to send it again.", Retry::No),
    row(
        131053,
        "The media could not be uploaded: its type or size is not accepted.",
        "Use a file of an accepted type and size; an image has at most 5 MB.",
        Retry::No,
    ),
    row(
        131055,
        "Only marketing templates can be sent this way.",
        "Send a marketing template, or use the Cloud API.",
        Retry::No,
    ),
    row(
        131056,
        "Too many messages were sent to this recipient in a short time.",
        "Wait before you send to this person again. You can still send to others.",
        Retry::Yes,
    ),
    row(131057, "The account is temporarily in maintenance mode.", "Try again in a minute.", Retry::Yes),
    row(
        131061,
        "A template with a maximum price cannot be sent through the standard endpoint.",
        "Ask your provider to send it through the marketing messages endpoint, or use a template without a maximum price.",
        Retry::No,
    ),
    row(
        131062,
        "A template with a maximum price cannot be sent to a business-scoped user ID.",
        "Send it to the phone number, or use a template without a maximum price.",
        Retry::No,
    ),
    row(
        131063,
        "Marketing templates are turned off on the Cloud API for this account.",
        "Use a template of the type `marketing_lite`.",
        Retry::No,
    ),
    row(
        131064,
        "The account is limited after templates were submitted in the wrong category.",
        "Wait; the limit ends automatically.",
        Retry::Later,
    ),
    row(
        131065,
        "Maximum prices are not available in the recipient's country.",
        "Use a template without a maximum price for this country.",
        Retry::No,
    ),
    row(
        131070,
        "Another app of your business controls this conversation.",
        "Reply in that app, or take over the conversation there before you send again.",
        Retry::Later,
    ),
    row(132000, "The number of parameters doesn't match the template.", "Give one value for each variable.", Retry::No),
    row(
        132001,
        "The template does not exist in this language or is not approved.",
        "Check the template's name, language and status.",
        Retry::No,
    ),
    row(132005, "The text is too long with the values filled in.", "Shorten the values.", Retry::No),
    row(132007, "The content violates a policy.", "Change the template's text and submit it again.", Retry::No),
    row(132008, "A parameter's value is not valid.", "Correct the value named in the details.", Retry::No),
    row(
        132012,
        "A parameter's format doesn't match the template.",
        "Give each parameter the type and format that the template needs.",
        Retry::No,
    ),
    row(
        132015,
        "The template is paused because of low quality.",
        "Wait until the pause ends, or edit the template.",
        Retry::Later,
    ),
    row(132016, "The template is disabled.", "Create a new template.", Retry::No),
    row(132018, "The template's parameters are not valid.", "Correct the value named in the details.", Retry::No),
    row(132068, "The form is blocked.", "Correct the form in WhatsApp Manager.", Retry::No),
    row(
        132069,
        "The form is throttled: 10 messages were already sent this hour.",
        "Wait until the next hour.",
        Retry::Later,
    ),
    row(
        133000,
        "An earlier attempt to deregister the number failed.",
        "Deregister the number again, then register it.",
        Retry::Later,
    ),
    row(133004, "The server is temporarily unavailable.", "Try again in a few minutes.", Retry::Yes),
    row(133005, "The two-step PIN is wrong.", "Enter the correct PIN, or reset it.", Retry::No),
    row(133006, "The number must be verified first.", "Verify the number.", Retry::No),
    row(
        133008,
        "The wrong two-step PIN was entered too many times.",
        "Wait for the time named in the details.",
        Retry::Later,
    ),
    row(133009, "The two-step PIN was entered too quickly.", "Wait for the time named in the details.", Retry::Later),
    row(133010, "The number is not registered.", "Register the number.", Retry::No),
    row(
        133015,
        "The number was just deleted, and the deletion has not finished.",
        "Try again in five minutes.",
        Retry::Later,
    ),
    row(
        133016,
        "The number was registered and deregistered too many times.",
        "Wait; the limit is 10 attempts in 72 hours.",
        Retry::Later,
    ),
    row(134011, "The payment terms have not been accepted.", "Accept the terms in WhatsApp Manager.", Retry::No),
    row(
        134100,
        "Only marketing templates can be sent this way.",
        "Send a marketing template, or use the Cloud API.",
        Retry::No,
    ),
    row(
        134101,
        "The template is still being prepared for the marketing messages API.",
        "Try again in ten minutes.",
        Retry::Yes,
    ),
    row(
        134102,
        "The template is not available for the marketing messages API.",
        "Send it with the Cloud API.",
        Retry::No,
    ),
    row(
        135000,
        "WhatsApp could not process the parameters, for an unknown reason.",
        "Compare the request with the template's definition.",
        Retry::No,
    ),
    row(137000, "The recipient's identity key doesn't match.", "Confirm the recipient's identity first.", Retry::No),
    row(200005, "Template insights are not available.", "Turn them on in WhatsApp Manager.", Retry::No),
    row(200006, "Template insights can't be turned off.", "Leave them on.", Retry::No),
    row(200007, "Template insights are not turned on.", "Turn them on in WhatsApp Manager.", Retry::No),
    row(
        1752041,
        "A partner has already asked to connect this account.",
        "Wait for an answer to the request.",
        Retry::No,
    ),
    row(
        2388019,
        "The business account has reached its template limit.",
        "Delete templates you no longer use.",
        Retry::No,
    ),
    row(
        2388024,
        "This template already has content in this language.",
        "Edit that template, or choose another name or language.",
        Retry::No,
    ),
    row(2388039, "The template's status does not allow this change.", "Wait until its review has ended.", Retry::Later),
    row(2388040, "A field is too long.", "Shorten the field named in the details.", Retry::No),
    row(
        2388047,
        "The header's format is not valid.",
        "Remove line breaks, emoji, asterisks and other formatting from the header.",
        Retry::No,
    ),
    row(2388072, "The body's format is not valid.", "Correct the variables and characters in the body.", Retry::No),
    row(2388073, "The footer's format is not valid.", "Remove variables and formatting from the footer.", Retry::No),
    row(
        2388293,
        "There are too many variables for the length of the text.",
        "Write more text or use fewer variables.",
        Retry::No,
    ),
    row(2388299, "A variable is at the start or end of the text.", "Add text before and after it.", Retry::No),
];

const fn row(code: i64, meaning: &'static str, advice: &'static str, retry: Retry) -> ErrorCode {
    ErrorCode { code, meaning, advice, retry }
}

/// What is known about `code`. The permission codes 200 to 299 share one entry.
#[must_use]
pub fn find(code: i64) -> Option<&'static ErrorCode> {
    let code = if (200..300).contains(&code) { 200 } else { code };
    ERROR_CODES.binary_search_by_key(&code, |known| known.code).ok().map(|at| &ERROR_CODES[at])
}

/// Why a message failed, and what to do about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The row of [`ERROR_CODES`] that explains it, under which the window finds its words: `200` for all of 200 to
    /// 299. Where no row does, the code as it came; empty where none came.
    pub code: String,
    /// Whether a row explains it.
    pub known: bool,
    /// Whether trying again helps; absent where nobody says so.
    pub retry: Option<Retry>,
    /// In English: meaning and advice of the row, else the provider's own words.
    pub message: String,
    /// The provider's own words: title, message and particulars, each sentence once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>")]
    pub words: Vec<String>,
    /// What the error object's `details` name besides, such as the size of a file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FailureDetail>>")]
    pub details: Vec<FailureDetail>,
}

/// What is known about `failure`.
#[must_use]
pub fn explain(failure: &Failure) -> Explanation {
    let known = failure.code.and_then(find);
    let message = match known {
        Some(known) => format!("{} {}", known.meaning, known.advice),
        None => failure.words().unwrap_or("The provider gives no reason.").to_owned(),
    };
    let code = known.map(|known| known.code).or(failure.code).map(|code| code.to_string()).unwrap_or_default();
    let (words, details) = (failure.all_words(), failure.parts());
    Explanation { code, known: known.is_some(), retry: failure.retry(), message, words, details }
}

impl Failure {
    /// Whether trying again helps: what the provider says, else what is known about the code.
    ///
    /// `None` when neither says anything.
    #[must_use]
    pub fn retry(&self) -> Option<Retry> {
        let known = self.code.and_then(find).map(|known| known.retry);
        match self.retryable {
            Some(false) => Some(Retry::No),
            Some(true) => Some(known.filter(|retry| *retry == Retry::Later).unwrap_or(Retry::Yes)),
            None => known,
        }
    }
}

#[cfg(test)]
mod tests;
