//! HTTP handlers of the phones (`/sandbox/phones…`).

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use model::Object;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::control::parse;
use crate::phone::{PhoneFile, Tap};
use crate::recipient::check_recipient;
use crate::refusal::Refusal;
use crate::script::Script;
use crate::{Sandbox, body, content, script};

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
    #[serde(default)]
    reply_to: Option<String>,
}

/// `POST /sandbox/phones/{recipient}/text`.
pub(crate) async fn text(State(sandbox): State<Sandbox>, Path(recipient): Path<String>, request: Request) -> Answer {
    let wanted: TextBody = parse(body::json(request).await?)?;
    sandbox
        .write_text(&recipient, &wanted.body, wanted.number.as_deref(), wanted.reply_to.as_deref())
        .map(|id| sent(&id))
}

/// `POST /sandbox/phones/{recipient}/media`.
pub(crate) async fn media(State(sandbox): State<Sandbox>, Path(recipient): Path<String>, request: Request) -> Answer {
    let mut fields = body::fields(request).await?;
    let file = fields
        .take_file("file")?
        .ok_or_else(|| Refusal::field("/file", "is required: a file part in a multipart body"))?;
    let given = |key: &str| content::text(&fields.object, key).map(|text| text.map(str::to_owned));
    let file = PhoneFile {
        bytes: file.bytes,
        filename: file.filename,
        kind: given("type")?,
        caption: given("caption")?,
        thumbnail: None,
    };
    let (number, reply_to) = (given("number")?, given("reply_to")?);
    sandbox.send_file(&recipient, file, number.as_deref(), reply_to.as_deref()).await.map(|id| sent(&id))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemBody {
    message: Object,
    #[serde(default)]
    number: Option<String>,
}

/// `POST /sandbox/phones/{recipient}/message`.
pub(crate) async fn item(State(sandbox): State<Sandbox>, Path(recipient): Path<String>, request: Request) -> Answer {
    let wanted: ItemBody = parse(body::json(request).await?)?;
    sandbox.send_item(&recipient, wanted.message, wanted.number.as_deref()).map(|id| sent(&id))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhoneBody {
    #[serde(default)]
    name: Option<String>,
}

/// `PUT /sandbox/phones/{recipient}`.
pub(crate) async fn add(State(sandbox): State<Sandbox>, Path(recipient): Path<String>, request: Request) -> Answer {
    let wanted: PhoneBody = parse(body::json(request).await?)?;
    sandbox.add_phone(&recipient, wanted.name.as_deref())?;
    Ok(Json(json!({ "data": sandbox.phone(&recipient) })))
}

/// `POST /sandbox/phones/{recipient}/read`.
pub(crate) async fn read(State(sandbox): State<Sandbox>, Path(recipient): Path<String>) -> Answer {
    Ok(Json(json!({ "read": sandbox.read_phone(&recipient)? })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarketingBody {
    /// `stop` or `resume`.
    value: MarketingValue,
    #[serde(default)]
    number: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MarketingValue {
    Stop,
    Resume,
}

/// `POST /sandbox/phones/{recipient}/marketing`.
pub(crate) async fn marketing(
    State(sandbox): State<Sandbox>,
    Path(recipient): Path<String>,
    request: Request,
) -> Answer {
    let MarketingBody { value, number } = parse(body::json(request).await?)?;
    sandbox.choose_marketing(&recipient, number.as_deref(), value == MarketingValue::Stop)?;
    Ok(Json(json!({ "data": { "marketing_stopped": sandbox.marketing_stopped(&recipient) } })))
}

/// `GET /sandbox/scripts`.
pub(crate) async fn scripts(State(sandbox): State<Sandbox>) -> Answer {
    let scripts: Object = sandbox.scripts().into_iter().map(|(key, script)| (key, json!(script))).collect();
    Ok(Json(json!({ "data": scripts, "failure_codes": script::failure_codes() })))
}

/// `PUT /sandbox/phones/{recipient}/script`.
pub(crate) async fn put_script(
    State(sandbox): State<Sandbox>,
    Path(recipient): Path<String>,
    request: Request,
) -> Answer {
    let wanted: Script = parse(body::json(request).await?)?;
    sandbox.set_script(&recipient, Some(wanted))?;
    scripts(State(sandbox)).await
}

/// `DELETE /sandbox/phones/{recipient}/script`.
pub(crate) async fn delete_script(State(sandbox): State<Sandbox>, Path(recipient): Path<String>) -> Answer {
    sandbox.set_script(&recipient, None)?;
    scripts(State(sandbox)).await
}
