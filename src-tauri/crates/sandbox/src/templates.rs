//! The endpoints of templates (contract §4.2–§4.7).

use axum::Json;
use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

use crate::Sandbox;
use crate::profile::{self, Minimal};
use crate::refusal::Refusal;
use crate::state::{BlockedName, Entry, now};
use crate::templates::refuse::Operation;

pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod record;
pub(crate) mod refuse;

/// The answer of an endpoint.
pub(crate) type Answer = Result<Json<Value>, Refusal>;
/// The answer of an endpoint that may have no body.
pub(crate) type BareAnswer = Result<Response, Refusal>;

pub(crate) async fn create(State(sandbox): State<Sandbox>, request: Request) -> Answer {
    let fields = crate::body::fields(request).await?;
    let uuid = create::create(&sandbox, fields).await?;
    match minimal(&sandbox) {
        Some(forms) => Ok(Json(forms.creation.of(&uuid))),
        None => answer(&sandbox, &uuid),
    }
}

pub(crate) async fn edit(State(sandbox): State<Sandbox>, Path(uuid): Path<String>, request: Request) -> Answer {
    let uuid = known(&sandbox, &uuid)?;
    let fields = crate::body::fields(request).await?;
    refuse::check(&sandbox, &uuid, Operation::Edit)?;
    edit::edit(&sandbox, &uuid, fields).await?;
    match minimal(&sandbox) {
        Some(_) => Ok(Json(profile::edited(&sandbox, &entry(&sandbox, &uuid)?))),
        None => answer(&sandbox, &uuid),
    }
}

pub(crate) async fn archive(State(sandbox): State<Sandbox>, Path(uuid): Path<String>) -> BareAnswer {
    set_archived(&sandbox, &uuid, true)
}

pub(crate) async fn unarchive(State(sandbox): State<Sandbox>, Path(uuid): Path<String>) -> BareAnswer {
    set_archived(&sandbox, &uuid, false)
}

/// Archiving what is archived, and the reverse, changes nothing and is no error: the contract's only condition is that
/// the template exists.
fn set_archived(sandbox: &Sandbox, uuid: &str, archived: bool) -> BareAnswer {
    let uuid = known(sandbox, uuid)?;
    refuse::check(sandbox, &uuid, if archived { Operation::Archive } else { Operation::Unarchive })?;
    change(sandbox, &uuid, |entry| {
        if archived != entry.archived_at.is_some() {
            entry.archived_at = archived.then(now);
            entry.updated_at = now();
        }
    })?;
    match minimal(sandbox) {
        Some(forms) => Ok(profile::nothing(&forms)),
        None => Ok(answer(sandbox, &uuid)?.into_response()),
    }
}

pub(crate) async fn delete(State(sandbox): State<Sandbox>, Path(uuid): Path<String>) -> BareAnswer {
    const BLOCKED_MS: i64 = 30 * 24 * 60 * 60 * 1000;
    let uuid = known(&sandbox, &uuid)?;
    refuse::check(&sandbox, &uuid, Operation::Delete)?;
    let removed = sandbox.inner.change(|state| {
        let entry = state.templates.remove(&uuid)?;
        state.obstacles.remove(&uuid);
        if entry.status.is_sendable() {
            let until = now() + BLOCKED_MS;
            let name = &entry.template.name;
            state.blocked_names.extend(entry.ids.keys().map(|waba| BlockedName {
                waba: *waba,
                name: name.clone(),
                until,
            }));
        }
        Some(entry)
    });
    let entry = removed.ok_or_else(|| Refusal::no_template(&uuid))?;
    if let Some(forms) = minimal(&sandbox) {
        return Ok(profile::nothing(&forms));
    }
    Ok(Json(json!({ "data": { "uuid": entry.uuid, "name": entry.template.name, "deleted": true } })).into_response())
}

pub(crate) async fn list(
    State(sandbox): State<Sandbox>,
    query: Result<Query<list::Filter>, axum::extract::rejection::QueryRejection>,
) -> Answer {
    let Query(filter) =
        query.map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, "Invalid query", error.body_text()))?;
    list::list(&sandbox, &filter).map(Json)
}

/// The uuid of a template in the form it is kept; 404 for any other.
fn known(sandbox: &Sandbox, uuid: &str) -> Result<String, Refusal> {
    let canonical = uuid::Uuid::parse_str(uuid).map(|uuid| uuid.to_string()).unwrap_or_else(|_| uuid.to_owned());
    if sandbox.inner.read(|state| state.templates.get(&canonical).is_some()) {
        Ok(canonical)
    } else {
        Err(Refusal::no_template(uuid))
    }
}

fn change<T>(sandbox: &Sandbox, uuid: &str, change: impl FnOnce(&mut Entry) -> T) -> Result<T, Refusal> {
    sandbox.inner.change(|state| state.templates.get_mut(uuid).map(change)).ok_or_else(|| Refusal::no_template(uuid))
}

fn entry(sandbox: &Sandbox, uuid: &str) -> Result<Entry, Refusal> {
    let entry = sandbox.inner.read(|state| state.templates.get(uuid).cloned());
    entry.ok_or_else(|| Refusal::no_template(uuid))
}

fn answer(sandbox: &Sandbox, uuid: &str) -> Answer {
    Ok(Json(json!({ "uuid": uuid, "data": record::record(sandbox, &entry(sandbox, uuid)?) })))
}

/// The forms of the answers where only what the contract names is answered.
pub(crate) fn minimal(sandbox: &Sandbox) -> Option<Minimal> {
    sandbox.inner.read(|state| state.settings.is_minimal().then(|| state.settings.minimal.clone()))
}
