//! Editing a template (contract §4.3; statuses and quotas as in upstream §5.3).

use std::sync::Arc;

use axum::http::StatusCode;
use model::template::EditTemplate;
use model::vocabulary::TemplateStatus;
use serde_json::Value;

use crate::body::Fields;
use crate::content::{self, kind};
use crate::refusal::Refusal;
use crate::runtime::Runtime;
use crate::settings::Settings;
use crate::state::{Entry, Workspace};
use crate::time::now;
use crate::{review, templates::create, uploads};

const IMMUTABLE: &[&str] = &["name", "language", "waba_ids", "waba_id", "business_id"];
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Validates and applies an edit. A changed template goes back into review.
pub(crate) async fn edit(runtime: &Arc<Runtime>, uuid: &str, mut fields: Fields) -> Result<(), Refusal> {
    if let Some(field) = IMMUTABLE.iter().find(|field| fields.object.contains_key(**field)) {
        return Err(Refusal::field(
            format!("/{field}"),
            "cannot be changed and must not be sent in an edit; delete the template and create another instead",
        ));
    }
    // An empty text clears the field, as `null` does.
    for field in ["sub_category", "parameter_format", "pix_data", "order_data"] {
        if let Some(value) = fields.object.get_mut(field).filter(|value| value.as_str() == Some("")) {
            *value = Value::Null;
        }
    }
    if fields.multipart {
        for field in ["components", "pix_data", "order_data"] {
            content::decode_text(&mut fields.object, field)?;
        }
    }
    content::check_words(&fields.object)?;
    for field in ["pix_data", "order_data"] {
        match fields.object.get(field) {
            None | Some(Value::Null | Value::Object(_)) => {}
            // JSON text is also allowed outside multipart: an object or a JSON string.
            Some(Value::String(_)) => content::decode_text(&mut fields.object, field)?,
            Some(other) => {
                return Err(Refusal::field(
                    format!("/{field}"),
                    format!("must be an object or JSON text, not {}", kind(other)),
                ));
            }
        }
    }

    let (before, minimal) = runtime.read(|state| {
        let entry = state.templates.get(uuid).ok_or_else(|| Refusal::no_template(uuid))?;
        check_state(entry, &state.settings)?;
        Ok::<_, Refusal>((entry.clone(), state.settings.is_minimal()))
    })?;

    let components = content::components(&fields.object)?;
    let pix_file = fields.take_file("pix_file")?;
    let order_file = fields.take_file("order_file")?;
    let mut object = fields.object.clone();
    object.shift_remove("components");
    let edit: EditTemplate = model::json::read(&Value::Object(object))
        .map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, "Invalid edit", error.to_string()))?;

    let mut template = before.template.clone();
    if let Some(category) = edit.category {
        if !minimal && before.statuses().any(TemplateStatus::is_sendable) && category != template.category {
            return Err(Refusal::field(
                "/category",
                format!("of an approved template is fixed; it stays `{}`", template.category),
            ));
        }
        template.category = category;
    }
    if let Some(sub_category) = edit.sub_category {
        template.sub_category = sub_category;
    }
    if let Some(format) = edit.parameter_format {
        template.parameter_format = format;
    }
    if let Some(data) = edit.pix_data {
        template.pix_data = data;
    }
    if let Some(data) = edit.order_data {
        template.order_data = data;
    }
    let brings_media = fields.files.iter().any(|file| matches!(file.part.as_str(), "header_file" | "carousel_files[]"));
    let brings_components = components.is_some();
    if let Some(components) = components {
        template.components = components;
        uploads::resolve(runtime, &mut template.components);
    }
    if template != before.template {
        create::refuse_flaws(runtime, &template)?;
    }
    if brings_components || brings_media {
        uploads::attach(runtime, &mut template.components, &mut fields).await?;
    }
    create::refuse_rest(&fields)?;
    let mut files = before.files.clone();
    for (part, file) in [("pix_file", pix_file), ("order_file", order_file)] {
        if let Some(file) = file {
            files.insert(part.to_owned(), uploads::store_any(runtime, file).await?);
        }
    }
    if template == before.template && files == before.files {
        return Ok(());
    }

    runtime.change(|state| {
        let settings = state.settings.clone();
        let entry = state.templates.get_mut(uuid).ok_or_else(|| Refusal::no_template(uuid))?;
        check_state(entry, &settings)?;
        if entry.statuses().any(TemplateStatus::is_sendable) {
            entry.edits.push(now());
        }
        entry.template = template;
        entry.files = files;
        entry.updated_at = now();
        review::resubmit(state, uuid);
        Ok(())
    })
}

/// The workspace of the template that an edit applies to, `None` for any. `workspace_uuid` of another workspace
/// requires `is_administrator` (contract §4.3).
pub(crate) fn context(runtime: &Runtime, own: Workspace, fields: &mut Fields) -> Result<Option<Workspace>, Refusal> {
    if fields.multipart {
        content::decode_text(&mut fields.object, "is_administrator")?;
    }
    let is_administrator = match fields.object.get("is_administrator") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(is_administrator)) => *is_administrator,
        Some(other) => {
            return Err(Refusal::field("/is_administrator", format!("must be a boolean, not {}", kind(other))));
        }
    };
    let Some(uuid) = content::text(&fields.object, "workspace_uuid")? else { return Ok(Some(own)) };
    let wrong = |details: &str| Err(Refusal::field("/workspace_uuid", details));
    match runtime.workspace_of(uuid) {
        Some(named) if named == own => Ok(Some(own)),
        _ if !is_administrator => {
            wrong("names another workspace than the header; an edit there needs `is_administrator`: true")
        }
        Some(named) => Ok(Some(named)),
        None if uuid::Uuid::parse_str(uuid.trim()).is_err() => wrong("must be a UUID"),
        None if runtime.read(|state| state.settings.adopt_unknown) => Ok(None),
        None => wrong("names a workspace that this token gives no access to"),
    }
}

/// Checks that the channel permits an edit now. The contract has no such rule (§4.3).
fn check_state(entry: &Entry, settings: &Settings) -> Result<(), Refusal> {
    if settings.is_minimal() {
        return Ok(());
    }
    if let Some(status) = entry.statuses().find(|status| !status.is_editable()) {
        let why = match status {
            TemplateStatus::Pending => "it is in review; wait for the outcome, then edit it",
            _ => "only approved, rejected and paused templates can be edited",
        };
        return Err(Refusal::new(
            StatusCode::CONFLICT,
            "The template cannot be edited now",
            format!("its `status` is {status}: {why}"),
        )
        .with_code(2_388_039));
    }
    if settings.enforce_quotas && entry.statuses().any(TemplateStatus::is_sendable) {
        let since = |span: i64| entry.edits.iter().filter(|at| **at > now() - span).count();
        if since(DAY_MS) >= 1 || since(30 * DAY_MS) >= 10 {
            return Err(Refusal::new(
                StatusCode::CONFLICT,
                "Too many edits",
                "an approved template may be edited once in 24 hours and 10 times in 30 days; try again later",
            )
            .with_code(2_388_039));
        }
    }
    Ok(())
}
