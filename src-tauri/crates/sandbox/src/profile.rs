//! Profiles: how much the provider says, and the forms of the minimal one.
//!
//! `whatsapp` answers as the channel behind a provider does. `minimal` gives only what the contract names: a client that
//! works with it depends on no field that a provider may leave out. Where the contract shows no form, [`Minimal`] chooses
//! one of those that a client must accept.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use model::Object;
use model::vocabulary::TemplateStatus;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Sandbox;
use crate::refusal::Said;
use crate::settings::{ErrorForm, Settings};
use crate::state::Entry;
use crate::uploads;

/// How much the provider says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// What the channel behind a provider says beside the contract, and the channel's rules.
    #[default]
    Whatsapp,
    /// What the contract names and nothing else: fields of §2.1, §2.4, §6 and §7, no paging, no other events. Rules that
    /// only the channel has refuse nothing.
    Minimal,
}

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "whatsapp" => Ok(Self::Whatsapp),
            "minimal" => Ok(Self::Minimal),
            other => Err(format!("`{other}` is no profile; use minimal or whatsapp")),
        }
    }
}

/// The forms of the profile `minimal` where the contract leaves a choice. They change nothing under `whatsapp`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Minimal {
    /// Where the records of a listing stand.
    pub listing: ListingShape,
    /// Whether a listing holds archived templates. Nothing in their records says that they are archived.
    pub archived: bool,
    /// Whether records have a category.
    pub category: bool,
    /// Where the uuid stands in the answer of a creation.
    pub creation: CreationShape,
    /// Whether the answer of a send holds the identifier of the message.
    pub message_id: bool,
    /// Answers archiving, unarchiving and deleting, and a send without identifier, with no body instead of `{}`.
    pub empty_answers: bool,
}

impl Default for Minimal {
    fn default() -> Self {
        Self {
            listing: ListingShape::Data,
            archived: true,
            category: true,
            creation: CreationShape::Uuid,
            message_id: true,
            empty_answers: false,
        }
    }
}

/// Where the records of a listing stand; the contract does not show it (§4.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListingShape {
    /// `{"data": […]}`.
    #[default]
    Data,
    /// The bare array.
    Array,
    /// `{"data": {"items": […]}}`.
    DataItems,
    /// `{"data": {"templates": […]}}`.
    DataTemplates,
    /// `{"templates": […]}`.
    Templates,
    /// `{"results": […]}`.
    Results,
    /// `{"items": […]}`.
    Items,
}

/// Where the uuid stands in the answer of a creation; the contract says only that it is returned (§4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreationShape {
    /// `{"uuid": "…"}`.
    #[default]
    Uuid,
    /// `{"data": {"uuid": "…"}}`.
    DataUuid,
    /// `{"id": "…"}`.
    Id,
}

impl ListingShape {
    /// A listing in this shape.
    pub(crate) fn of(self, records: Vec<Value>) -> Value {
        match self {
            Self::Data => json!({ "data": records }),
            Self::Array => Value::Array(records),
            Self::DataItems => json!({ "data": { "items": records } }),
            Self::DataTemplates => json!({ "data": { "templates": records } }),
            Self::Templates => json!({ "templates": records }),
            Self::Results => json!({ "results": records }),
            Self::Items => json!({ "items": records }),
        }
    }
}

impl CreationShape {
    /// The answer of a creation in this shape.
    pub(crate) fn of(self, uuid: &str) -> Value {
        match self {
            Self::Uuid => json!({ "uuid": uuid }),
            Self::DataUuid => json!({ "data": { "uuid": uuid } }),
            Self::Id => json!({ "id": uuid }),
        }
    }
}

impl Settings {
    /// Whether only what the contract names is answered.
    pub(crate) fn is_minimal(&self) -> bool {
        self.profile == Profile::Minimal
    }
}

/// A template with the fields of the contract §2.1; optional fields only where they have a value.
pub(crate) fn record(sandbox: &Sandbox, entry: &Entry, forms: &Minimal) -> Value {
    let template = &entry.template;
    let mut components = template.components.clone();
    uploads::show(sandbox, &mut components);
    let mut record = Object::new();
    let mut put = |key: &str, value: Value| drop(record.insert(key.to_owned(), value));
    put("uuid", json!(entry.uuid));
    put("name", json!(template.name));
    put("language", json!(template.language));
    if forms.category {
        put("category", json!(template.category));
    }
    put("type", template.kind.as_ref().map_or_else(|| json!("cloud_api"), |kind| json!(kind)));
    put("components", json!(components));
    put("parameter_format", json!(template.effective_parameter_format()));
    put("waba_ids", json!(entry.ids.keys().collect::<Vec<_>>()));
    put("business_id", json!(entry.business_id));
    put("status", json!(status(&entry.status)));
    for (key, value) in [
        ("sub_category", template.sub_category.as_ref().map(|word| json!(word))),
        ("pix_data", template.pix_data.clone()),
        ("order_data", template.order_data.clone()),
    ] {
        if let Some(value) = value {
            put(key, value);
        }
    }
    Value::Object(record)
}

/// The answer of an edit (contract §4.3).
pub(crate) fn edited(sandbox: &Sandbox, entry: &Entry) -> Value {
    let mut components = entry.template.components.clone();
    uploads::show(sandbox, &mut components);
    json!({ "data": { "uuid": entry.uuid, "category": entry.template.category, "components": components } })
}

/// The answer of what the contract shows none for (§4.1, §4.4–§4.6).
pub(crate) fn nothing(forms: &Minimal) -> Response {
    if forms.empty_answers { StatusCode::OK.into_response() } else { Json(json!({})).into_response() }
}

/// Leaves of a refusal the two members that the contract shows (§5), where the profile is minimal.
pub(crate) async fn trim_refusals(State(sandbox): State<Sandbox>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if !sandbox.runtime.read(|state| state.settings.is_minimal()) {
        return response;
    }
    let Some(Said { message, details }) = response.extensions().get::<Said>().cloned() else { return response };
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    (parts, Json(json!({ "message": message, "details": details }))).into_response()
}

/// One of the four statuses of the contract §3.1: what the channel lets nobody send is `DISABLED`.
pub(crate) fn status(status: &TemplateStatus) -> TemplateStatus {
    match status {
        TemplateStatus::Pending | TemplateStatus::Rejected => status.clone(),
        other if other.is_sendable() => TemplateStatus::Approved,
        _ => TemplateStatus::Disabled,
    }
}

/// The value of a template event with the four fields of the contract §6.5; `None` for what it has no event for.
pub(crate) fn event(event: &TemplateStatus, id: u64, name: &str, language: &str) -> Option<Value> {
    let event = status(&event.resulting()?);
    Some(json!({
        "message_template_id": id,
        "message_template_name": name,
        "message_template_language": language,
        "event": event,
    }))
}

/// The fields of the contract's error object (§7) that an error of the channel has.
pub(crate) fn error(error: &Value) -> Value {
    const FIELDS: &[&str] = &["code", "title", "message", "retryable", "classification", "details"];
    let mut fields: Object =
        FIELDS.iter().filter_map(|key| Some(((*key).to_owned(), error.get(*key)?.clone()))).collect();
    if let Some(reason) = error.pointer("/error_data/details") {
        fields.insert("details".to_owned(), json!({ "reason": reason }));
    }
    Value::Object(fields)
}

/// Puts the error of a failure into its status, in the form of the settings.
pub(crate) fn put_error(settings: &Settings, status: &mut Value, failure: &Value) {
    let minimal = settings.is_minimal();
    let failure = if minimal { error(failure) } else { failure.clone() };
    match settings.error_form {
        ErrorForm::Profile if minimal => status["error"] = failure,
        ErrorForm::Profile | ErrorForm::Array => status["errors"] = json!([failure]),
        ErrorForm::Object => status["error"] = failure,
        ErrorForm::ErrorArray => status["error"] = json!([failure]),
    }
}
