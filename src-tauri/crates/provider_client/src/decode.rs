//! Decodes answers tolerantly, since the contract leaves most of their shapes open (§4).

use model::component::Component;
use model::template::TemplateRecord;
use model::vocabulary::{Category, TemplateStatus};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::{Error, MAX_STORED_BODY, capped};
use crate::paging::{self, Page};
use crate::refusal;
use crate::transport::{Answer, Transport};

/// Maximum size of a record, in bytes. A template with ten cards has about ten thousand.
const MAX_RECORD: usize = 1024 * 1024;

/// A template was created (contract §4.2).
#[derive(Clone, Debug, PartialEq)]
pub struct Created {
    /// The provider's reference: one per workspace, however many WABAs the template is in.
    pub uuid: String,
    /// The channel's identifier, if the answer has one besides the uuid.
    pub id: Option<String>,
    /// Its status; usually `PENDING`.
    pub status: Option<TemplateStatus>,
    /// The category that the channel assigned; it can differ from the requested one (upstream §12 #32).
    pub category: Option<Category>,
    /// HTTP status of the answer, always a success.
    pub http_status: u16,
    /// Body of the answer, truncated at [`MAX_STORED_BODY`].
    pub body: String,
}

/// A template was edited (contract §4.3).
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    pub uuid: Option<String>,
    pub category: Option<Category>,
    /// Its status, if the answer has one.
    pub status: Option<TemplateStatus>,
    pub components: Option<Vec<Component>>,
    /// HTTP status of the answer, always a success.
    pub http_status: u16,
    /// Body of the answer, truncated at [`MAX_STORED_BODY`].
    pub body: String,
}

/// A message was accepted (contract §4.1). Its delivery is reported by status events.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// The message ID, if the answer has one.
    pub message_id: Option<String>,
    /// The recipient as the channel knows them; can differ from the requested number (upstream §12 #26).
    pub recipient_id: Option<String>,
    /// The channel's first status of the message, such as `accepted`.
    pub status: Option<String>,
    /// HTTP status of the answer, always a success.
    pub http_status: u16,
    /// Body of the answer, truncated at [`MAX_STORED_BODY`].
    pub body: String,
}

/// A template was archived, unarchived or deleted (contract §4.4–§4.6).
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The template's status, if the answer has one.
    pub status: Option<TemplateStatus>,
    /// Body of the answer, truncated at [`MAX_STORED_BODY`]; may be empty.
    pub body: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ListedTemplate {
    pub record: TemplateRecord,
    /// The record as received: JSON, although one of its strings may not be valid text.
    pub raw: String,
    /// Keys whose values could not be decoded and are only in `raw`; usually empty.
    pub unreadable: Vec<String>,
    /// The record is too long, or one of its strings is not valid text: only its uuid was decoded.
    pub is_damaged: bool,
}

impl ListedTemplate {
    /// Whether the record names its template. Without that, the record is unusable.
    #[must_use]
    pub fn is_identified(&self) -> bool {
        self.record.reference().is_some_and(|reference| !reference.is_empty())
    }
}

/// An [`Error::Unreadable`] for this answer.
pub(crate) fn unreadable(transport: &Transport, answer: &Answer, reason: impl Into<String>, changed: bool) -> Error {
    Error::Unreadable {
        endpoint: answer.endpoint.clone(),
        status: answer.status,
        reason: reason.into(),
        body: capped(&transport.redact(&answer.text()), MAX_STORED_BODY),
        maybe_received: changed,
    }
}

/// The JSON of a successful answer; an error object in it becomes an error.
pub(crate) fn json(transport: &Transport, answer: &Answer, changed: bool) -> Result<Value, Error> {
    let text = answer.text();
    if text.trim().is_empty() {
        return Err(unreadable(transport, answer, "it is empty", changed));
    }
    let value: Value =
        serde_json::from_str(&text).map_err(|error| unreadable(transport, answer, no_json(&text, &error), changed))?;
    match refusal::embedded_error(&answer.endpoint, answer.status, &value, &transport.redact(&text), changed) {
        Some(error) => Err(error),
        None => Ok(value),
    }
}

/// Reason why a text is not JSON.
fn no_json(text: &str, error: &serde_json::Error) -> String {
    if text.trim_start().starts_with('<') {
        "it is a web page, not JSON".to_owned()
    } else {
        format!("it is not JSON ({error})")
    }
}

/// A page of a successful listing; an error object in it becomes an error.
pub(crate) fn page(transport: &Transport, answer: &Answer, asked: Option<u64>, from_zero: bool) -> Result<Page, Error> {
    let text = answer.text();
    if text.trim().is_empty() {
        return Err(unreadable(transport, answer, "it is empty", false));
    }
    let split = paging::split(&text).map_err(|error| unreadable(transport, answer, no_json(&text, &error), false))?;
    if let Some(error) =
        refusal::embedded_error(&answer.endpoint, answer.status, &split.other_values, &transport.redact(&text), false)
    {
        return Err(error);
    }
    let page = paging::page(split, asked, from_zero)
        .map_err(|fault| unreadable(transport, answer, fault.to_string(), false))?;
    let is_readable = |listed: ListedTemplate| listed.is_identified() && !listed.is_damaged;
    if !page.records.is_empty() && !page.records.iter().any(|raw| is_readable(record(raw))) {
        let reason = "none of the records in its list can be read as a template with a uuid";
        return Err(unreadable(transport, answer, reason, false));
    }
    Ok(page)
}

pub(crate) fn created(transport: &Transport, answer: &Answer) -> Result<Created, Error> {
    let value = json(transport, answer, true)?;
    let layers = layers(&value);
    let uuid = layers.iter().find_map(|layer| identifier(layer, "uuid"));
    let id = layers.iter().find_map(|layer| identifier(layer, "id"));
    let Some(reference) = uuid.clone().or_else(|| id.clone()) else {
        return Err(unreadable(transport, answer, "it has no uuid of the template", true));
    };
    Ok(Created {
        uuid: reference,
        id: uuid.and(id),
        status: word(&layers, "status"),
        category: word(&layers, "category"),
        http_status: answer.status,
        body: capped(&answer.text(), MAX_STORED_BODY),
    })
}

pub(crate) fn edited(transport: &Transport, answer: &Answer) -> Result<Edited, Error> {
    let value = json(transport, answer, true)?;
    let layers = layers(&value);
    if layers.is_empty() {
        return Err(unreadable(transport, answer, "it is not an object", true));
    }
    Ok(Edited {
        uuid: layers.iter().find_map(|layer| identifier(layer, "uuid")),
        category: word(&layers, "category"),
        status: word(&layers, "status"),
        components: layers.iter().find_map(|layer| {
            let components = embedded(layer.get("components")?);
            model::json::read::<Vec<Component>>(&components).ok()
        }),
        http_status: answer.status,
        body: capped(&answer.text(), MAX_STORED_BODY),
    })
}

/// Requires nothing in the answer, since the tracking ID identifies the message; decodes the fields that are present.
pub(crate) fn sent(transport: &Transport, answer: &Answer) -> Result<Sent, Error> {
    let body = capped(&answer.text(), MAX_STORED_BODY);
    if answer.text().trim().is_empty() {
        return Ok(Sent { message_id: None, recipient_id: None, status: None, http_status: answer.status, body });
    }
    let value = json(transport, answer, true)?;
    let layers = layers(&value);
    let first = |list: &str, key: &str| {
        layers.iter().find_map(|layer| identifier(layer.get(list)?.as_array()?.first()?.as_object()?, key))
    };
    let message_id = first("messages", "id").or_else(|| {
        ["message_id", "messageId", "wamid", "id"]
            .iter()
            .find_map(|key| layers.iter().find_map(|layer| identifier(layer, key)))
    });
    Ok(Sent {
        message_id,
        recipient_id: first("contacts", "wa_id"),
        status: first("messages", "message_status"),
        http_status: answer.status,
        body,
    })
}

/// An acknowledgement: empty, JSON, or plain text. HTML is rejected.
pub(crate) fn done(transport: &Transport, answer: &Answer) -> Result<Done, Error> {
    let text = answer.text();
    let body = capped(&text, MAX_STORED_BODY);
    let plain = answer.content_type().is_some_and(|kind| kind.starts_with("text/plain"));
    if text.trim().is_empty() || (plain && serde_json::from_str::<Value>(&text).is_err()) {
        return Ok(Done { status: None, body });
    }
    let value = json(transport, answer, true)?;
    Ok(Done { status: word(&layers(&value), "status"), body })
}

/// Decodes the template in a record as far as possible.
pub(crate) fn record(raw: &RawValue) -> ListedTemplate {
    let raw = raw.get().to_owned();
    let value: Value = match serde_json::from_str(&raw) {
        Ok(value) if raw.len() <= MAX_RECORD => value,
        _ => return unreadable_record(raw),
    };
    if let Ok(record) = model::json::read::<TemplateRecord>(&value) {
        return ListedTemplate { record, raw, unreadable: Vec::new(), is_damaged: false };
    }
    let mut readable = Map::new();
    let mut unreadable = Vec::new();
    for (key, value) in value.as_object().into_iter().flatten() {
        let value = if key == "components" { embedded(value) } else { value.clone() };
        let alone = Value::Object(Map::from_iter([(key.clone(), value)]));
        match (model::json::read::<TemplateRecord>(&alone), alone) {
            (Ok(_), Value::Object(alone)) => readable.extend(alone),
            _ => unreadable.push(key.clone()),
        }
    }
    let record = model::json::read::<TemplateRecord>(&Value::Object(readable)).unwrap_or_default();
    ListedTemplate { record, raw, unreadable, is_damaged: false }
}

fn unreadable_record(raw: String) -> ListedTemplate {
    #[derive(serde::Deserialize)]
    struct Identity {
        uuid: Option<String>,
    }
    let uuid = serde_json::from_str::<Identity>(&raw).ok().and_then(|identity| identity.uuid);
    let record = TemplateRecord { uuid, ..TemplateRecord::default() };
    ListedTemplate { record, raw, unreadable: Vec::new(), is_damaged: true }
}

/// Parses JSON inside a string, which some fields of the contract have.
fn embedded(value: &Value) -> Value {
    value.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| value.clone())
}

/// The objects that can describe the subject of an answer, outermost first.
fn layers(value: &Value) -> Vec<&Map<String, Value>> {
    let mut layers = Vec::new();
    let mut next = Some(value);
    while let Some(value) = next {
        let object = match value {
            Value::Object(object) => object,
            Value::Array(items) => match items.first() {
                Some(Value::Object(object)) => object,
                _ => break,
            },
            _ => break,
        };
        layers.push(object);
        next = ["data", "template", "result", "templates"].iter().find_map(|key| object.get(*key));
    }
    layers
}

fn identifier(object: &Map<String, Value>, key: &str) -> Option<String> {
    match object.get(key)? {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn word<T: for<'a> From<&'a str>>(layers: &[&Map<String, Value>], key: &str) -> Option<T> {
    let word = layers.iter().find_map(|layer| layer.get(key)?.as_str())?;
    Some(T::from(word))
}
