//! A test send of a listed template, without a window and without a database.

use model::send::{SendLanguage, SendMessage, SendTemplate, SendValues, check_send, fill_send, send_form};
use model::template::TemplateRecord;
use service::{Client, ListFilter};

use super::FilesError;

/// Which template is sent to whom, and what fills it.
#[derive(Clone, Debug)]
pub struct TestSend {
    /// Constant that names the channel.
    pub messaging_product: String,
    /// Recipient: digits with country code; what people write between them is left out.
    pub to: String,
    /// Name of the template.
    pub name: String,
    /// Language of the template.
    pub language: String,
    /// Values by part, such as `body.1`.
    pub values: SendValues,
    /// Text that comes back with the statuses.
    pub callback_data: Option<String>,
}

/// The message of a test send, checked against the template as the provider lists it. Nothing is sent.
///
/// # Errors
/// [`FilesError::NoTemplate`] when there is none; [`FilesError::Values`] when the template cannot be sent or the values
/// do not fit it; [`FilesError::Provider`] when it cannot be listed.
pub async fn message_of(client: &Client, send: TestSend) -> Result<SendMessage, FilesError> {
    let filter = ListFilter { search: Some(send.name.clone()), ..ListFilter::default() };
    let listing = client.list_templates(&filter).await?;
    let of_name: Vec<_> = listing
        .records
        .iter()
        .map(|listed| &listed.record)
        .filter(|record| record.template.name == send.name)
        .collect();
    let language = model::language::normalise(&send.language);
    let of_language =
        || of_name.iter().filter(|record| model::language::normalise(&record.template.language) == language);
    // Created in several business accounts one by one, it is listed as often; one that can be sent is as good as another.
    let Some(record) = of_language().find(|record| blocked(record).is_none()).or_else(|| of_language().next()) else {
        let languages: Vec<_> = of_name.iter().map(|record| record.template.language.as_str()).collect();
        let known =
            if languages.is_empty() { String::new() } else { format!(" It exists in {}.", languages.join(", ")) };
        return Err(FilesError::NoTemplate { name: send.name, language: send.language, known });
    };
    let template = &record.template;
    let mut problems: Vec<String> = blocked(record).into_iter().collect();
    let parts = send_form(template).parts;
    for id in send.values.keys().filter(|id| parts.iter().all(|part| part.id != **id)) {
        let known: Vec<_> = parts.iter().map(|part| part.id.as_str()).collect();
        problems.push(if known.is_empty() {
            format!("The template has nothing to fill, and there is a value for `{id}`.")
        } else {
            format!("The template has no part `{id}`; it has {}.", known.join(", "))
        });
    }
    let to: String = send.to.chars().filter(char::is_ascii_digit).collect();
    if to.is_empty() {
        problems.push("The recipient is empty; give digits with the country code.".to_owned());
    }
    let content = SendTemplate {
        name: template.name.clone(),
        language: SendLanguage { code: template.language.clone(), ..SendLanguage::default() },
        components: fill_send(template, &send.values),
        ..SendTemplate::default()
    };
    problems.extend(
        check_send(template, &content)
            .into_iter()
            .map(|found| format!("`{}`: {}.", found.part, found.message.trim_end_matches('.'))),
    );
    if !problems.is_empty() {
        return Err(FilesError::Values(problems));
    }
    Ok(SendMessage {
        messaging_product: send.messaging_product,
        recipient_type: Some("individual".to_owned()),
        to,
        kind: "template".to_owned(),
        biz_opaque_callback_data: send.callback_data,
        template: Some(content),
        ..SendMessage::default()
    })
}

fn blocked(record: &TemplateRecord) -> Option<String> {
    if record.is_archived() {
        return Some("The template is archived; unarchive it to send it.".to_owned());
    }
    let status = record.status.as_ref().filter(|status| !status.is_sendable())?;
    Some(format!("The template is {status}; only approved templates can be sent."))
}
