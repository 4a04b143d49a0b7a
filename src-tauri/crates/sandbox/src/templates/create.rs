//! Creating a template (contract §4.2).

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::StatusCode;
use model::Object;
use model::template::Template;
use model::vocabulary::TemplateStatus;
use serde_json::Value;

use super::record::RESERVED;
use crate::body::Fields;
use crate::content::{self, kind};
use crate::refusal::Refusal;
use crate::runtime::Runtime;
use crate::state::{Entry, State, Waba, Workspace};
use crate::time::now;
use crate::{review, rules, seed, uploads};

/// The business manager of undeclared WABAs.
pub(crate) const ADOPTING_BUSINESS: &str = seed::BUSINESS;

/// Validates and stores a template, and starts its review. Returns its UUID.
pub(crate) async fn create(
    runtime: &Arc<Runtime>,
    workspace: Workspace,
    mut fields: Fields,
) -> Result<String, Refusal> {
    if fields.multipart {
        content::decode_text(&mut fields.object, "components")?;
        content::decode_text(&mut fields.object, "pix_data")?;
        content::decode_text(&mut fields.object, "order_data")?;
        content::decode_text(&mut fields.object, "message_send_ttl_seconds")?;
    }
    let wabas = if fields.multipart { waba_of_form(&fields.object)? } else { wabas_of_json(&fields.object)? };
    content::required_text(&fields.object, "name")?;
    content::required_text(&fields.object, "language")?;
    content::required_text(&fields.object, "category")?;
    content::check_words(&fields.object)?;
    let components =
        content::components(&fields.object)?.ok_or_else(|| Refusal::field("/components", "is required"))?;

    let mut object = fields.object.clone();
    for field in RESERVED {
        object.shift_remove(*field);
    }
    object.shift_remove("components");
    let mut template: Template = model::json::read(&Value::Object(object))
        .map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, "Invalid template", error.to_string()))?;
    template.components = components;
    uploads::resolve(runtime, &mut template.components);

    // Checked before anything is stored, so that a refused request leaves no file.
    runtime.read(|state| place(state, &wabas, &template).map(drop))?;
    let pix_file = fields.take_file("pix_file")?;
    let order_file = fields.take_file("order_file")?;
    refuse_flaws(runtime, &template)?;
    uploads::attach(runtime, &mut template.components, &mut fields).await?;
    refuse_rest(&fields)?;
    let mut files = BTreeMap::new();
    for (part, file) in [("pix_file", pix_file), ("order_file", order_file)] {
        if let Some(file) = file {
            files.insert(part.to_owned(), uploads::store_any(runtime, file).await?);
        }
    }

    runtime.change(|state| {
        // Checked again: another request may have taken the name while files were stored.
        let business_id = place(state, &wabas, &template)?;
        for waba in &wabas {
            state
                .wabas
                .entry(*waba)
                .or_insert_with(|| Waba { business_id: business_id.clone(), name: format!("WABA {waba}") });
        }
        let at = now();
        let entry = Entry {
            uuid: uuid::Uuid::new_v4().to_string(),
            ids: wabas.iter().map(|waba| (*waba, channel_id())).collect(),
            business_id,
            workspace,
            template,
            status: TemplateStatus::Pending,
            other_statuses: BTreeMap::new(),
            archived_at: None,
            created_at: at,
            updated_at: at,
            reason: None,
            rejection_info: None,
            edits: Vec::new(),
            round: 0,
            files,
        };
        let uuid = entry.uuid.clone();
        let sequence = state.next();
        state.templates.insert(sequence, entry);
        review::begin(state, &uuid);
        Ok(uuid)
    })
}

/// An ID in the channel's format: 64 bits, above the safe integers of JavaScript.
pub(crate) fn channel_id() -> u64 {
    rand::random_range((1 << 53)..(1 << 62))
}

/// Refuses immediate errors, with all findings in the response.
pub(crate) fn refuse_flaws(runtime: &Runtime, template: &Template) -> Result<(), Refusal> {
    let profile = runtime.read(|state| state.settings.profile);
    if let Some(index) = rules::listed_component(template) {
        let details = "is the form in which authentication templates are listed; \
            send `add_security_recommendation`, `code_expiration_minutes` and a button of the type OTP";
        return Err(Refusal::field(format!("/components/{index}"), details).with_code(100));
    }
    let refused = rules::judge(template, profile).refused;
    match refused.first() {
        None => Ok(()),
        Some(first) => {
            let field = Refusal::field(first.path.clone(), first.message.clone());
            Err(Refusal {
                message: "The template is not valid".to_owned(),
                details: refused
                    .iter()
                    .map(|finding| format!("`{}`: {}", crate::refusal::field_name(&finding.path), finding.message))
                    .collect::<Vec<_>>()
                    .join("; "),
                code: Some(rules::channel_code(first)),
                findings: refused,
                ..field
            })
        }
    }
}

/// Refuses files that the request does not use.
pub(crate) fn refuse_rest(fields: &Fields) -> Result<(), Refusal> {
    match fields.files.first() {
        None => Ok(()),
        Some(file) => Err(Refusal::field(format!("/{}", file.part), "is not a file part of this request")),
    }
}

/// Checks that the template may be created in these WABAs; returns their business manager.
fn place(state: &State, wabas: &[u64], template: &Template) -> Result<String, Refusal> {
    let mut business: Option<(u64, &str)> = None;
    for (index, waba) in wabas.iter().enumerate() {
        let path = format!("/waba_ids/{index}");
        let owner = match state.wabas.get(waba) {
            Some(known) => known.business_id.as_str(),
            None if state.settings.adopt_unknown => continue,
            None => {
                let known = state.wabas.keys().map(u64::to_string).collect::<Vec<_>>().join(", ");
                return Err(Refusal::field(path, format!("names no WABA of this workspace; it has {known}")));
            }
        };
        match business {
            Some((first, other)) if other != owner => {
                return Err(Refusal::field(
                    path,
                    format!(
                        "belongs to the business manager {owner}, but {first} belongs to {other}; all must have the same"
                    ),
                ));
            }
            _ => business = Some((*waba, owner)),
        }
    }
    for waba in wabas {
        if state.templates.in_waba(*waba, &template.name, &template.language).is_some() {
            return Err(Refusal::field(
                "/name",
                format!(
                    "`{}` already exists in {} in the WABA {waba}; choose another name, or edit the existing template",
                    template.name, template.language
                ),
            )
            .with_status(StatusCode::CONFLICT)
            .with_code(2_388_024));
        }
        let blocked = state.settings.enforce_quotas
            && state
                .blocked_names
                .iter()
                .any(|blocked| blocked.waba == *waba && blocked.name == template.name && blocked.until > now());
        if blocked {
            return Err(Refusal::field(
                "/name",
                format!("`{}` was deleted less than 30 days ago and is blocked; choose another name", template.name),
            )
            .with_status(StatusCode::CONFLICT)
            .with_code(100));
        }
    }
    Ok(business.map_or(ADOPTING_BUSINESS, |(_, owner)| owner).to_owned())
}

fn wabas_of_json(object: &Object) -> Result<Vec<u64>, Refusal> {
    const EXPECTED: &str = "an array of numbers such as [1234567890]";
    let items = match object.get("waba_ids") {
        Some(Value::Array(items)) if items.is_empty() => {
            return Err(Refusal::field("/waba_ids", "must not be empty; name at least one WABA"));
        }
        Some(Value::Array(items)) => items,
        Some(other) => return Err(Refusal::field("/waba_ids", format!("must be {EXPECTED}, not {}", kind(other)))),
        None if object.contains_key("waba_id") => {
            return Err(Refusal::field(
                "/waba_ids",
                format!("is required in JSON, instead of `waba_id`; send {EXPECTED}"),
            ));
        }
        None => return Err(Refusal::field("/waba_ids", format!("is required; send {EXPECTED}"))),
    };
    let mut wabas = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item.as_u64() {
            Some(waba) if wabas.contains(&waba) => {
                return Err(Refusal::field(format!("/waba_ids/{index}"), "is named twice"));
            }
            Some(waba) => wabas.push(waba),
            None => {
                let is = kind(item);
                return Err(Refusal::field(
                    format!("/waba_ids/{index}"),
                    format!("must be an unsigned whole number, not {is}; `waba_ids` is {EXPECTED}"),
                ));
            }
        }
    }
    Ok(wabas)
}

/// The multipart form has one WABA: in `waba_ids` by the contract's table, in `waba_id` by its text (§2.1).
fn waba_of_form(object: &Object) -> Result<Vec<u64>, Refusal> {
    let (field, text) = match (content::text(object, "waba_ids")?, content::text(object, "waba_id")?) {
        (Some(_), Some(_)) => {
            return Err(Refusal::field("/waba_id", "stands beside `waba_ids`; send only one of them"));
        }
        (Some(text), None) => ("waba_ids", text),
        (None, Some(text)) => ("waba_id", text),
        (None, None) => return Err(Refusal::field("/waba_ids", "is required; send the ID of one WABA")),
    };
    let waba = text.trim().parse().map_err(|_| {
        Refusal::field(format!("/{field}"), "must be the ID of one WABA, in digits; send a request for each WABA")
    })?;
    Ok(vec![waba])
}
