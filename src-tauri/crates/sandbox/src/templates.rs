//! The endpoints of templates (contract §4.2–§4.7).

use std::sync::Arc;

use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use axum::{Extension, Json};
use serde_json::json;

use crate::answer::{BareAnswer, no_content};
use crate::fault::Operation;
use crate::fault_injection::{Target, carry_out, check_obstacle};
use crate::profile::Minimal;
use crate::refusal::Refusal;
use crate::runtime::Runtime;
use crate::state::{BlockedName, Entry, Workspace};
use crate::time::now;

pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod list;
mod listed;
pub(crate) mod record;

pub(crate) async fn create(
    State(runtime): State<Arc<Runtime>>,
    Extension(workspace): Extension<Workspace>,
    request: Request,
) -> BareAnswer {
    let fields = crate::body::fields(request).await?;
    carry_out(&runtime, Target::create(), async {
        let uuid = create::create(&runtime, workspace, fields).await?;
        match minimal_forms(&runtime) {
            Some(forms) => Ok(Json(forms.creation.of(&uuid)).into_response()),
            None => answer(&runtime, &uuid),
        }
    })
    .await
}

pub(crate) async fn edit(
    State(runtime): State<Arc<Runtime>>,
    Extension(workspace): Extension<Workspace>,
    Path(uuid): Path<String>,
    request: Request,
) -> BareAnswer {
    let mut fields = crate::body::fields(request).await?;
    let uuid = match edit::context(&runtime, workspace, &mut fields)? {
        Some(workspace) => known(&runtime, &workspace, &uuid)?,
        None => known_anywhere(&runtime, &uuid)?,
    };
    check_obstacle(&runtime, &uuid, Operation::Edit)?;
    carry_out(&runtime, Target::template(Operation::Edit, &uuid), async {
        edit::edit(&runtime, &uuid, fields).await?;
        match minimal_forms(&runtime) {
            Some(_) => Ok(Json(record::edited(&runtime, &entry(&runtime, &uuid)?)).into_response()),
            None => answer(&runtime, &uuid),
        }
    })
    .await
}

pub(crate) async fn archive(
    State(runtime): State<Arc<Runtime>>,
    Extension(workspace): Extension<Workspace>,
    Path(uuid): Path<String>,
) -> BareAnswer {
    set_archived(&runtime, &workspace, &uuid, true).await
}

pub(crate) async fn unarchive(
    State(runtime): State<Arc<Runtime>>,
    Extension(workspace): Extension<Workspace>,
    Path(uuid): Path<String>,
) -> BareAnswer {
    set_archived(&runtime, &workspace, &uuid, false).await
}

/// Archiving an archived template, or the reverse, succeeds without a change: the contract only requires that the
/// template exists.
async fn set_archived(runtime: &Runtime, workspace: &Workspace, uuid: &str, archived: bool) -> BareAnswer {
    let uuid = known(runtime, workspace, uuid)?;
    let operation = if archived { Operation::Archive } else { Operation::Unarchive };
    check_obstacle(runtime, &uuid, operation)?;
    carry_out(runtime, Target::template(operation, &uuid), async {
        change(runtime, &uuid, |entry| {
            if archived != entry.archived_at.is_some() {
                entry.archived_at = archived.then(now);
                entry.updated_at = now();
            }
        })?;
        match minimal_forms(runtime) {
            Some(forms) => Ok(no_content(&forms)),
            None => answer(runtime, &uuid),
        }
    })
    .await
}

pub(crate) async fn delete(
    State(runtime): State<Arc<Runtime>>,
    Extension(workspace): Extension<Workspace>,
    Path(uuid): Path<String>,
) -> BareAnswer {
    let uuid = known(&runtime, &workspace, &uuid)?;
    check_obstacle(&runtime, &uuid, Operation::Delete)?;
    carry_out(&runtime, Target::template(Operation::Delete, &uuid), async {
        let entry = remove(&runtime, &uuid).ok_or_else(|| Refusal::no_template(&uuid))?;
        if let Some(forms) = minimal_forms(&runtime) {
            return Ok(no_content(&forms));
        }
        let body = json!({ "data": { "uuid": entry.uuid, "name": entry.template.name, "deleted": true } });
        Ok(Json(body).into_response())
    })
    .await
}

/// Removes a template, and blocks its name if it was approved.
fn remove(runtime: &Runtime, uuid: &str) -> Option<Entry> {
    const BLOCKED_MS: i64 = 30 * 24 * 60 * 60 * 1000;
    runtime.change(|state| {
        let entry = state.templates.remove(uuid)?;
        state.obstacles.remove(uuid);
        state.faults.retain(|fault| fault.template.as_deref() != Some(uuid));
        let until = now() + BLOCKED_MS;
        let approved = entry.ids.keys().filter(|waba| entry.status_in(Some(**waba)).is_sendable());
        let blocked = |waba: &u64| BlockedName { waba: *waba, name: entry.template.name.clone(), until };
        state.blocked_names.extend(approved.map(blocked));
        Some(entry)
    })
}

pub(crate) async fn list(
    State(runtime): State<Arc<Runtime>>,
    Extension(workspace): Extension<Workspace>,
    query: Result<Query<list::Filter>, axum::extract::rejection::QueryRejection>,
) -> BareAnswer {
    let Query(filter) =
        query.map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, "Invalid query", error.body_text()))?;
    let answer = carry_out(&runtime, Target::list(), async {
        list::list(&runtime, &workspace, &filter).map(|list| Json(list).into_response())
    })
    .await;
    if runtime.read(|state| !state.account_statuses.is_empty()) {
        runtime.change(crate::review::schedule_account_statuses);
    }
    answer
}

/// The UUID of a template of the workspace, in its stored form; otherwise 404.
fn known(runtime: &Runtime, workspace: &Workspace, uuid: &str) -> Result<String, Refusal> {
    known_where(runtime, uuid, |entry| entry.workspace == *workspace)
}

/// The UUID of a template of any workspace, in its stored form; otherwise 404.
pub(crate) fn known_anywhere(runtime: &Runtime, uuid: &str) -> Result<String, Refusal> {
    known_where(runtime, uuid, |_| true)
}

fn known_where(runtime: &Runtime, uuid: &str, is_meant: impl Fn(&Entry) -> bool) -> Result<String, Refusal> {
    let canonical = uuid::Uuid::parse_str(uuid).map(|uuid| uuid.to_string()).unwrap_or_else(|_| uuid.to_owned());
    if runtime.read(|state| state.templates.get(&canonical).is_some_and(is_meant)) {
        Ok(canonical)
    } else {
        Err(Refusal::no_template(uuid))
    }
}

fn change<T>(runtime: &Runtime, uuid: &str, change: impl FnOnce(&mut Entry) -> T) -> Result<T, Refusal> {
    runtime.change(|state| state.templates.get_mut(uuid).map(change)).ok_or_else(|| Refusal::no_template(uuid))
}

fn entry(runtime: &Runtime, uuid: &str) -> Result<Entry, Refusal> {
    let entry = runtime.read(|state| state.templates.get(uuid).cloned());
    entry.ok_or_else(|| Refusal::no_template(uuid))
}

fn answer(runtime: &Runtime, uuid: &str) -> BareAnswer {
    Ok(Json(json!({ "uuid": uuid, "data": record::record(runtime, &entry(runtime, uuid)?) })).into_response())
}

fn minimal_forms(runtime: &Runtime) -> Option<Minimal> {
    runtime.read(|state| state.settings.minimal_forms())
}
