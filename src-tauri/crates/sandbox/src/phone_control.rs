//! The phones over HTTP (`/sandbox/phones…`).

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::control::parse;
use crate::phone::{PhoneFile, Tap, check_recipient};
use crate::refusal::Refusal;
use crate::templates::Answer;
use crate::{Sandbox, body, content};

/// `GET /sandbox/phones`.
pub(crate) async fn phones(State(sandbox): State<Sandbox>) -> Answer {
    Ok(Json(json!({ "data": sandbox.phones() })))
}

/// `GET /sandbox/phones/{recipient}`.
pub(crate) async fn phone(State(sandbox): State<Sandbox>, Path(recipient): Path<String>) -> Answer {
    check_recipient(&recipient).map_err(|refusal| refusal.with_status(StatusCode::NOT_FOUND))?;
    Ok(Json(json!({ "data": sandbox.phone(&recipient) })))
}

fn sent(id: &str) -> Json<Value> {
    Json(json!({ "message_id": id }))
}

/// `POST /sandbox/phones/{recipient}/tap`.
pub(crate) async fn tap(State(sandbox): State<Sandbox>, Path(recipient): Path<String>, request: Request) -> Answer {
    let tap: Tap = parse(body::json(request).await?)?;
    sandbox.tap(&recipient, &tap).map(|id| sent(&id))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextBody {
    body: String,
    #[serde(default)]
    number: Option<String>,
}

/// `POST /sandbox/phones/{recipient}/text`.
pub(crate) async fn text(State(sandbox): State<Sandbox>, Path(recipient): Path<String>, request: Request) -> Answer {
    let wanted: TextBody = parse(body::json(request).await?)?;
    sandbox.write_text(&recipient, &wanted.body, wanted.number.as_deref()).map(|id| sent(&id))
}

/// `POST /sandbox/phones/{recipient}/media`.
pub(crate) async fn media(State(sandbox): State<Sandbox>, Path(recipient): Path<String>, request: Request) -> Answer {
    let mut fields = body::fields(request).await?;
    let file = fields
        .take_file("file")?
        .ok_or_else(|| Refusal::field("/file", "is required: a file part in a multipart body"))?;
    let given = |key: &str| content::text(&fields.object, key).map(|text| text.map(str::to_owned));
    let file =
        PhoneFile { bytes: file.bytes, filename: file.filename, kind: given("type")?, caption: given("caption")? };
    let number = given("number")?;
    sandbox.send_file(&recipient, file, number.as_deref()).await.map(|id| sent(&id))
}
