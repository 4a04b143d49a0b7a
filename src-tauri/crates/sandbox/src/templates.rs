//! The endpoints of templates (contract §4.2–§4.7).

use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use axum::{Extension, Json};
use serde_json::json;

use crate::Sandbox;
use crate::answer::{Answer, BareAnswer, no_content};
use crate::fault::Operation;
use crate::fault_injection::{Target, carry_out, check_obstacle};
use crate::profile::Minimal;
use crate::refusal::Refusal;
use crate::state::{BlockedName, Entry, Workspace};
use crate::time::now;

pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod record;

pub(crate) async fn create(
    State(sandbox): State<Sandbox>,
    Extension(workspace): Extension<Workspace>,
    request: Request,
) -> BareAnswer {
    let fields = crate::body::fields(request).await?;
    carry_out(&sandbox.runtime, Target::create(), async {
        let uuid = create::create(&sandbox, workspace, fields).await?;
        match minimal_forms(&sandbox) {
            Some(forms) => Ok(Json(forms.creation.of(&uuid)).into_response()),
            None => answer(&sandbox, &uuid),
        }
    })
    .await
}

pub(crate) async fn edit(
    State(sandbox): State<Sandbox>,
    Extension(workspace): Extension<Workspace>,
    Path(uuid): Path<String>,
    request: Request,
) -> BareAnswer {
    let mut fields = crate::body::fields(request).await?;
    let uuid = match edit::context(&sandbox, workspace, &mut fields)? {
        Some(workspace) => known(&sandbox, &workspace, &uuid)?,
        None => known_anywhere(&sandbox, &uuid)?,
    };
    check_obstacle(&sandbox.runtime, &uuid, Operation::Edit)?;
    carry_out(&sandbox.runtime, Target::template(Operation::Edit, &uuid), async {
        edit::edit(&sandbox, &uuid, fields).await?;
        match minimal_forms(&sandbox) {
            Some(_) => Ok(Json(record::edited(&sandbox, &entry(&sandbox, &uuid)?)).into_response()),
            None => answer(&sandbox, &uuid),
        }
    })
    .await
}

pub(crate) async fn archive(
    State(sandbox): State<Sandbox>,
    Extension(workspace): Extension<Workspace>,
    Path(uuid): Path<String>,
) -> BareAnswer {
    set_archived(&sandbox, &workspace, &uuid, true).await
}

pub(crate) async fn unarchive(
    State(sandbox): State<Sandbox>,
    Extension(workspace): Extension<Workspace>,
    Path(uuid): Path<String>,
) -> BareAnswer {
    set_archived(&sandbox, &workspace, &uuid, false).await
}

/// Archiving what is archived, and the reverse, changes nothing and is no error: the contract's only condition is that
/// the template exists.
async fn set_archived(sandbox: &Sandbox, workspace: &Workspace, uuid: &str, archived: bool) -> BareAnswer {
    let uuid = known(sandbox, workspace, uuid)?;
    let operation = if archived { Operation::Archive } else { Operation::Unarchive };
    check_obstacle(&sandbox.runtime, &uuid, operation)?;
    carry_out(&sandbox.runtime, Target::template(operation, &uuid), async {
        change(sandbox, &uuid, |entry| {
            if archived != entry.archived_at.is_some() {
                entry.archived_at = archived.then(now);
                entry.updated_at = now();
            }
        })?;
        match minimal_forms(sandbox) {
            Some(forms) => Ok(no_content(&forms)),
            None => answer(sandbox, &uuid),
        }
    })
    .await
}

pub(crate) async fn delete(
    State(sandbox): State<Sandbox>,
    Extension(workspace): Extension<Workspace>,
    Path(uuid): Path<String>,
) -> BareAnswer {
    let uuid = known(&sandbox, &workspace, &uuid)?;
    check_obstacle(&sandbox.runtime, &uuid, Operation::Delete)?;
    carry_out(&sandbox.runtime, Target::template(Operation::Delete, &uuid), async {
        let entry = remove(&sandbox, &uuid).ok_or_else(|| Refusal::no_template(&uuid))?;
        if let Some(forms) = minimal_forms(&sandbox) {
            return Ok(no_content(&forms));
        }
        let body = json!({ "data": { "uuid": entry.uuid, "name": entry.template.name, "deleted": true } });
        Ok(Json(body).into_response())
    })
    .await
}

/// Removes a template, and blocks its name where it was approved.
fn remove(sandbox: &Sandbox, uuid: &str) -> Option<Entry> {
    const BLOCKED_MS: i64 = 30 * 24 * 60 * 60 * 1000;
    sandbox.runtime.change(|state| {
        let entry = state.templates.remove(uuid)?;
        state.obstacles.remove(uuid);
        state.faults.retain(|fault| fault.template.as_deref() != Some(uuid));
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
    })
}

pub(crate) async fn list(
    State(sandbox): State<Sandbox>,
    Extension(workspace): Extension<Workspace>,
    query: Result<Query<list::Filter>, axum::extract::rejection::QueryRejection>,
) -> Answer {
    let Query(filter) =
        query.map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, "Invalid query", error.body_text()))?;
    list::list(&sandbox, &workspace, &filter).map(Json)
}

/// The uuid of a template of a workspace in the form it is kept; 404 for any other.
fn known(sandbox: &Sandbox, workspace: &Workspace, uuid: &str) -> Result<String, Refusal> {
    known_where(sandbox, uuid, |entry| entry.workspace == *workspace)
}

/// The uuid of a template of any workspace in the form it is kept; 404 for any other.
pub(crate) fn known_anywhere(sandbox: &Sandbox, uuid: &str) -> Result<String, Refusal> {
    known_where(sandbox, uuid, |_| true)
}

fn known_where(sandbox: &Sandbox, uuid: &str, is_meant: impl Fn(&Entry) -> bool) -> Result<String, Refusal> {
    let canonical = uuid::Uuid::parse_str(uuid).map(|uuid| uuid.to_string()).unwrap_or_else(|_| uuid.to_owned());
    if sandbox.runtime.read(|state| state.templates.get(&canonical).is_some_and(is_meant)) {
        Ok(canonical)
    } else {
        Err(Refusal::no_template(uuid))
    }
}

fn change<T>(sandbox: &Sandbox, uuid: &str, change: impl FnOnce(&mut Entry) -> T) -> Result<T, Refusal> {
    sandbox.runtime.change(|state| state.templates.get_mut(uuid).map(change)).ok_or_else(|| Refusal::no_template(uuid))
}

fn entry(sandbox: &Sandbox, uuid: &str) -> Result<Entry, Refusal> {
    let entry = sandbox.runtime.read(|state| state.templates.get(uuid).cloned());
    entry.ok_or_else(|| Refusal::no_template(uuid))
}

fn answer(sandbox: &Sandbox, uuid: &str) -> BareAnswer {
    Ok(Json(json!({ "uuid": uuid, "data": record::record(sandbox, &entry(sandbox, uuid)?) })).into_response())
}

fn minimal_forms(sandbox: &Sandbox) -> Option<Minimal> {
    sandbox.runtime.read(|state| state.settings.minimal_forms())
}
