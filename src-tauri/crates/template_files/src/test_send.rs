//! Prepares a test send without a window and a database, with the same checks as in the window.

use std::collections::BTreeSet;

use model::send::{PartKind, SendMessage, SendProblem, SendProblemCode, SendValues, send_form};
use model::template::{Template, TemplateRecord};
use provider_client::{Client, ListFilter, Reach};

use super::FilesError;
use command_types::send::{SendOptions, SendRequest, SendText, TemplateStanding};
use command_types::workspace::{SendingNumber, WorkspaceSettings};
use outgoing::media_links::{Links, check_media, links};
use outgoing::message::prepare_text;
use outgoing::message::{OptOuts, Prepared, SendPlan, stops};
use outgoing::now;
use outgoing::recipient::NumberCountry;

#[derive(Clone, Debug)]
pub struct TestSend {
    /// Constant that names the channel.
    pub messaging_product: String,
    pub number: String,
    /// WABA of the number; empty if unknown.
    pub waba: String,
    /// Recipient, as the contract has it or with separators.
    pub to: String,
    /// Country of a recipient without country code: its ISO 3166 code.
    pub country: Option<String>,
    pub content: TestContent,
    /// Callback data: returned with the statuses, sent unchanged.
    pub callback_data: Option<String>,
    /// Codes of warnings that do not stop the send.
    pub overrides: Vec<String>,
    /// Addresses that media links may point to.
    pub reach: Reach,
}

#[derive(Clone, Debug)]
pub enum TestContent {
    /// A template as the provider lists it.
    Listed {
        name: String,
        language: String,
        /// Values by part, such as `body.1`.
        values: SendValues,
        /// Parts whose value was given as JSON instead of text.
        structured: BTreeSet<String>,
    },
    /// A template from a file. The provider is asked whether it can be sent, unless the check is offline.
    File {
        template: Box<Template>,
        /// Values by part.
        values: SendValues,
        /// Parts whose value was given as JSON instead of text.
        structured: BTreeSet<String>,
        /// Skips all network checks: of the template at the provider and of media links.
        offline: bool,
    },
    /// A free text.
    Text(String),
}

/// The message of a test send, after all checks that are possible before sending: status of the template, recipient,
/// values, media links. Nothing is sent.
///
/// # Errors
/// [`FilesError::NoTemplate`] when the template doesn't exist; [`FilesError::Problems`] for errors and for warnings
/// that are not overridden; [`FilesError::Provider`] when templates cannot be listed.
pub async fn message_of(client: &Client, send: TestSend) -> Result<SendMessage, FilesError> {
    let without_choice = NumberCountry::of_plain(&send.to, NumberCountry::Unknown);
    let country = send.country.or_else(|| Some(without_choice.as_str().to_owned()));
    let number = SendingNumber { id: send.number.clone(), waba_id: send.waba, ..SendingNumber::default() };
    let settings = WorkspaceSettings {
        messaging_product: send.messaging_product,
        numbers: vec![number],
        ..WorkspaceSettings::default()
    };
    let waba = settings.numbers[0].waba_id.as_str();
    let (template, record, values, structured) = match send.content {
        TestContent::Text(text) => {
            let request = SendText {
                number: send.number,
                to: send.to,
                country,
                text,
                options: SendOptions {
                    callback_data: send.callback_data.unwrap_or_default(),
                    exact_callback: true,
                    ..SendOptions::default()
                },
                ..SendText::default()
            };
            let Prepared { message, problems, .. } = prepare_text(&settings, &request, "");
            return check_problems(message, problems, &send.overrides);
        }
        TestContent::Listed { name, language, values, structured } => {
            let record = listed(client, &name, &language, waba).await?;
            (record.template.clone(), Some(record), values, structured)
        }
        TestContent::File { template, values, structured, offline: true } => (*template, None, values, structured),
        TestContent::File { template, values, structured, offline: false } => {
            let record = listed(client, &template.name, &template.language, waba).await?;
            (*template, Some(record), values, structured)
        }
    };
    let request = SendRequest {
        number: send.number,
        to: send.to,
        country,
        values,
        options: SendOptions {
            callback_data: send.callback_data.unwrap_or_default(),
            exact_callback: true,
            ..SendOptions::default()
        },
        ..SendRequest::default()
    };
    let plan = SendPlan {
        category_before: None,
        settings,
        template,
        standing: standing(record.as_ref()),
        wabas: record.as_ref().map(TemplateRecord::wabas).unwrap_or_default(),
        waba_statuses: Vec::new(),
        opt_outs: OptOuts::default(),
        recent_marketing: std::collections::HashMap::new(),
    };
    let Prepared { message, mut problems, .. } = plan.prepare(&request, "");
    problems.extend(unknown_parts(&plan.template, &request.values, &structured));
    if record.is_some() {
        let (_, of_media) = check_media(&Links::default(), &links(&plan.template, &request.values), send.reach).await;
        problems.extend(of_media);
    }
    check_problems(message, problems, &send.overrides)
}

fn check_problems(
    message: SendMessage,
    problems: Vec<SendProblem>,
    overrides: &[String],
) -> Result<SendMessage, FilesError> {
    let stopping: Vec<_> = problems.into_iter().filter(|problem| stops(problem, overrides)).collect();
    if stopping.is_empty() { Ok(message) } else { Err(FilesError::Problems(stopping)) }
}

/// The record of a template. If it is listed for several WABAs, one that the WABA of the number has is preferred, and then
/// one that can be sent.
async fn listed(client: &Client, name: &str, language: &str, waba: &str) -> Result<TemplateRecord, FilesError> {
    let filter = ListFilter { search: Some(name.to_owned()), ..ListFilter::default() };
    let listing = client.list_templates(&filter).await?;
    let of_name: Vec<TemplateRecord> =
        listing.records.into_iter().map(|listed| listed.record).filter(|record| record.template.name == name).collect();
    let wanted = model::language::normalise(language);
    let fits = |record: &&TemplateRecord| model::language::normalise(&record.template.language) == wanted;
    let sendable = |record: &&TemplateRecord| {
        record.is_archived() != Some(true) && record.status.as_ref().is_none_or(|status| status.is_sendable())
    };
    let has_waba = |record: &&TemplateRecord| record.wabas().iter().any(|known| known == waba);
    let rank = |record: &&TemplateRecord| (has_waba(record), sendable(record));
    // Of several that rank equally, the first.
    let record = of_name.iter().rev().filter(fits).max_by_key(rank);
    record.cloned().ok_or_else(|| {
        let languages: Vec<_> = of_name.iter().map(|record| record.template.language.as_str()).collect();
        let known =
            if languages.is_empty() { String::new() } else { format!(" It exists in {}.", languages.join(", ")) };
        FilesError::NoTemplate { name: name.to_owned(), language: language.to_owned(), known }
    })
}

/// The standing of a template that was just listed. Without a status or a record, the template counts as sendable.
fn standing(record: Option<&TemplateRecord>) -> TemplateStanding {
    let status = record.and_then(|record| record.status.as_ref());
    TemplateStanding {
        status: status.map_or("APPROVED", |status| status.as_str()).to_owned(),
        archived: record.is_some_and(|record| record.is_archived() == Some(true)),
        cached_at: record.map(|_| now()),
    }
}

/// Problems for values of parts that the template doesn't have, most likely because it was changed since, and for JSON
/// where a text is expected.
fn unknown_parts(template: &Template, values: &SendValues, structured: &BTreeSet<String>) -> Vec<SendProblem> {
    let parts = send_form(template).parts;
    let known: Vec<&str> = parts.iter().map(|part| part.id.as_str()).collect();
    let finding_text = if known.is_empty() {
        "it has no values to fill in".to_owned()
    } else {
        format!("it has {}", known.join(", "))
    };
    let fault = |id: &String| match parts.iter().find(|part| part.id == *id) {
        None => Some(format!("the template has no part `{id}`; {finding_text}")),
        Some(part) if part.kind != PartKind::Json && structured.contains(id) => {
            Some("the value must be a string, not an object or a list".to_owned())
        }
        Some(_) => None,
    };
    values
        .keys()
        .filter_map(|id| Some(SendProblem::new(id, SendProblemCode::ValueInvalid, &[("detail", &fault(id)?)])))
        .collect()
}
