//! Free text to one contact.

use model::send::{SendProblem, SendProblemCode, TEXT_LENGTH};
use model::variable::{scan, stray_braces};
use serde_json::Value;

use super::{Addressed, Envelope, Prepared, address};
use command_types::send::SendText;
use command_types::workspace::WorkspaceSettings;

/// The message of a text with its errors and warnings, except those about the reply window.
pub fn prepare_text(settings: &WorkspaceSettings, request: &SendText, tracking_id: &str) -> Prepared {
    let envelope = Envelope {
        number: &request.number,
        to: &request.to,
        country: request.country.as_deref(),
        options: &request.options,
    };
    let Addressed { mut message, mut problems, recipient } = address(settings, envelope, tracking_id);
    let length = request.text.chars().count();
    if request.text.trim().is_empty() {
        problems.push(SendProblem::new(FIELD, SendProblemCode::TextMissing, &[]));
    } else if length > TEXT_LENGTH {
        let values: [(&str, &dyn std::fmt::Display); 2] = [("length", &length), ("limit", &TEXT_LENGTH)];
        problems.push(SendProblem::new(FIELD, SendProblemCode::TextTooLong, &values));
    }
    if let Some(variable) = scan(&request.text).next() {
        // What has a name is a field of a saved reply that nobody has completed.
        let code = if variable.number().is_some() { SendProblemCode::TextVariable } else { SendProblemCode::TextField };
        problems.push(SendProblem::new(FIELD, code, &[("variable", &&request.text[variable.range])]));
    }
    if let Some(written) = stray_braces(&request.text) {
        problems.push(SendProblem::new(FIELD, SendProblemCode::TextBraces, &[("written", &written)]));
    }
    message.kind = "text".to_owned();
    let mut text = model::send::SendText { body: request.text.clone(), ..model::send::SendText::default() };
    if request.preview_url {
        text.extra.insert("preview_url".to_owned(), Value::Bool(true));
    }
    message.text = Some(text);
    Prepared { message, problems, recipient }
}

/// Field of the problems.
const FIELD: &str = "text";
