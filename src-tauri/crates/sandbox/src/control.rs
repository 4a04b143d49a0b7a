//! Handlers of the control endpoints under `/sandbox`, which are not part of the contract.

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use model::Object;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::fault::Fault;
use crate::http_client::describe;
use crate::obstacle::Obstacle;
use crate::refusal::Refusal;
use crate::review::Decision;
use crate::settings::Webhook;
use crate::state::{Count, Delivery};
use crate::time::{now, rfc3339};
use crate::{Sandbox, body, special};

/// Parses a JSON object into `T`.
pub(crate) fn parse<T: serde::de::DeserializeOwned>(object: Object) -> Result<T, Refusal> {
    model::json::read(&Value::Object(object)).map_err(|error| {
        let text = error.to_string();
        // Other errors have a value or a variant name between the backticks.
        let names_field = text.starts_with("missing field") || text.starts_with("unknown field");
        let field = text.split('`').nth(1).filter(|_| names_field).map(|field| format!("/{field}"));
        Refusal { path: field, ..Refusal::new(StatusCode::BAD_REQUEST, "Invalid body", text) }
    })
}

/// `GET /sandbox`.
pub(crate) async fn index(State(sandbox): State<Sandbox>) -> Answer {
    let runtime = &sandbox.runtime;
    let wabas: Vec<Value> = runtime.read(|state| {
        let numbers = |waba: Option<u64>| -> Vec<Value> {
            let of_waba = state.numbers.iter().filter(|(_, number)| number.waba == waba);
            of_waba.map(|(id, number)| json!({ "id": id, "display": number.display, "name": number.name })).collect()
        };
        let mut wabas: Vec<Value> = state
            .wabas
            .iter()
            .map(|(id, waba)| {
                json!({ "id": id, "business_id": waba.business_id, "name": waba.name, "numbers": numbers(Some(*id)) })
            })
            .collect();
        let adopted = numbers(None);
        if !adopted.is_empty() {
            wabas.push(json!({ "id": null, "name": "numbers that may send from every WABA", "numbers": adopted }));
        }
        wabas
    });
    Ok(Json(json!({
        "workspace": runtime.workspace,
        "channel": runtime.channel,
        "messaging_product": runtime.messaging_product,
        "webhook_object": runtime.webhook_object,
        "provider": runtime.address(&format!("/{}/provider", runtime.channel)),
        "wabas": wabas,
        "recipients": special::table(),
        "control": CONTROL,
    })))
}

const CONTROL: &[&str] = &[
    "GET /sandbox",
    "GET /sandbox/settings",
    "PUT /sandbox/settings",
    "PUT /sandbox/webhook",
    "POST /sandbox/webhook/verify",
    "POST /sandbox/templates",
    "POST /sandbox/templates/{uuid}/decision",
    "POST /sandbox/templates/{uuid}/refuse",
    "DELETE /sandbox/templates/{uuid}/refuse",
    "GET /sandbox/faults",
    "POST /sandbox/faults",
    "DELETE /sandbox/faults",
    "GET /sandbox/counts",
    "DELETE /sandbox/counts",
    "POST /sandbox/events",
    "GET /sandbox/deliveries",
    "POST /sandbox/deliveries/{id}/redeliver",
    "GET /sandbox/phones",
    "GET /sandbox/phones/{recipient}",
    "PUT /sandbox/phones/{recipient}",
    "POST /sandbox/phones/{recipient}/read",
    "POST /sandbox/phones/{recipient}/tap",
    "POST /sandbox/phones/{recipient}/text",
    "POST /sandbox/phones/{recipient}/media",
    "POST /sandbox/phones/{recipient}/message",
    "PUT /sandbox/phones/{recipient}/script",
    "DELETE /sandbox/phones/{recipient}/script",
    "GET /sandbox/scripts",
    "GET /sandbox/history",
    "GET /sandbox/history/sends",
    "GET /sandbox/media/{id}",
    "GET /sandbox/public/{id}",
];

/// `GET /sandbox/settings`.
pub(crate) async fn settings(State(sandbox): State<Sandbox>) -> Answer {
    Ok(Json(settings_json(&sandbox)))
}

fn settings_json(sandbox: &Sandbox) -> Value {
    let mut value = json!(sandbox.settings());
    let webhooks = sandbox.runtime.webhooks();
    // The secret is never returned.
    value["webhook"] = json!({ "url": webhooks.common.as_ref().map(|webhook| &webhook.url) });
    value["number_webhooks"] =
        webhooks.numbers.iter().map(|(number, webhook)| (number.clone(), json!(webhook.url))).collect();
    value
}

/// `PUT /sandbox/settings`: changes only the fields in the request.
pub(crate) async fn put_settings(State(sandbox): State<Sandbox>, request: Request) -> Answer {
    let changes = body::json(request).await?;
    let mut merged = json!(sandbox.settings());
    merge(&mut merged, Value::Object(changes));
    let Value::Object(merged) = merged else { unreachable!("settings are an object") };
    sandbox.set_settings(parse(merged)?)?;
    Ok(Json(settings_json(&sandbox)))
}

fn merge(into: &mut Value, changes: Value) {
    match (into, changes) {
        (Value::Object(into), Value::Object(changes)) => {
            for (key, change) in changes {
                merge(into.entry(key).or_insert(Value::Null), change);
            }
        }
        (into, change) => *into = change,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WebhookBody {
    url: Option<String>,
    #[serde(default)]
    secret: Option<String>,
    #[serde(default)]
    number: Option<String>,
}

/// `PUT /sandbox/webhook`.
pub(crate) async fn put_webhook(State(sandbox): State<Sandbox>, request: Request) -> Answer {
    let wanted: WebhookBody = parse(body::json(request).await?)?;
    let webhook = match (wanted.url, wanted.secret) {
        (None, _) => None,
        (Some(url), Some(secret)) if !secret.is_empty() => {
            Some(Webhook::new(&url, secret.into()).map_err(|flaw| Refusal::field("/url", flaw))?)
        }
        (Some(_), _) => return Err(Refusal::field("/secret", "is required beside `url`; events are signed with it")),
    };
    match wanted.number {
        None => sandbox.set_webhook(webhook),
        Some(number) => sandbox.set_number_webhook(&number, webhook),
    }
    Ok(Json(settings_json(&sandbox)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VerifyBody {
    verify_token: String,
}

/// `POST /sandbox/webhook/verify`: the handshake of upstream §9.1.
pub(crate) async fn verify_webhook(State(sandbox): State<Sandbox>, request: Request) -> Answer {
    let wanted: VerifyBody = parse(body::json(request).await?)?;
    let Some(webhook) = sandbox.runtime.webhooks().common.clone() else {
        return Err(Refusal::new(
            StatusCode::CONFLICT,
            "There is no webhook",
            "no `url` is set; put one with PUT /sandbox/webhook first",
        ));
    };
    let challenge = rand::random_range(100_000_000..=999_999_999_u32).to_string();
    let mut url = reqwest::Url::parse(&webhook.url)
        .map_err(|error| Refusal::field("/url", format!("of the webhook is no address: {error}")))?;
    url.query_pairs_mut()
        .append_pair("hub.mode", "subscribe")
        .append_pair("hub.challenge", &challenge)
        .append_pair("hub.verify_token", &wanted.verify_token);
    let timeout = std::time::Duration::from_millis(sandbox.settings().delivery.timeout_ms);
    let answer = match sandbox.runtime.webhook_client(&url).get(url.clone()).timeout(timeout).send().await {
        Ok(response) => {
            let status = response.status().as_u16();
            let text = response.text().await.unwrap_or_default();
            json!({ "verified": status == 200 && text == challenge, "status": status, "challenge": challenge, "answer": text })
        }
        Err(error) => {
            json!({ "verified": false, "challenge": challenge, "error": describe(&error) })
        }
    };
    Ok(Json(answer))
}

/// `POST /sandbox/templates/{uuid}/decision`.
pub(crate) async fn decide(State(sandbox): State<Sandbox>, Path(uuid): Path<String>, request: Request) -> Answer {
    let decision: Decision = parse(body::json(request).await?)?;
    sandbox.decide(&uuid, &decision)?;
    let entry = sandbox.runtime.read(|state| state.templates.get(&uuid).cloned());
    let entry = entry.ok_or_else(|| Refusal::no_template(&uuid))?;
    Ok(Json(json!({ "data": crate::templates::record::record(&sandbox.runtime, &entry) })))
}

/// `POST /sandbox/templates/{uuid}/refuse`.
pub(crate) async fn refuse(State(sandbox): State<Sandbox>, Path(uuid): Path<String>, request: Request) -> Answer {
    let obstacle: Obstacle = parse(body::json(request).await?)?;
    sandbox.set_obstacle(&uuid, Some(obstacle.clone()))?;
    Ok(Json(json!({ "data": obstacle })))
}

/// `DELETE /sandbox/templates/{uuid}/refuse`.
pub(crate) async fn let_succeed(State(sandbox): State<Sandbox>, Path(uuid): Path<String>) -> Answer {
    sandbox.set_obstacle(&uuid, None)?;
    Ok(Json(json!({ "data": null })))
}

/// `GET /sandbox/faults`.
pub(crate) async fn faults(State(sandbox): State<Sandbox>) -> Answer {
    Ok(Json(json!({ "data": sandbox.faults() })))
}

/// `POST /sandbox/faults`.
pub(crate) async fn add_fault(State(sandbox): State<Sandbox>, request: Request) -> Answer {
    let fault: Fault = parse(body::json(request).await?)?;
    sandbox.add_fault(fault)?;
    faults(State(sandbox)).await
}

/// `DELETE /sandbox/faults`.
pub(crate) async fn clear_faults(State(sandbox): State<Sandbox>) -> Answer {
    sandbox.clear_faults();
    faults(State(sandbox)).await
}

/// `GET /sandbox/counts`.
pub(crate) async fn counts(State(sandbox): State<Sandbox>) -> Answer {
    let counts = sandbox.runtime.read(|state| state.counts.clone());
    let mut total = Count::default();
    for count in counts.values() {
        total.requests += count.requests;
        total.messages += count.messages;
    }
    Ok(Json(json!({ "total": total, "recipients": counts })))
}

/// `DELETE /sandbox/counts`.
pub(crate) async fn clear_counts(State(sandbox): State<Sandbox>) -> Answer {
    sandbox.runtime.change(|state| state.counts.clear());
    counts(State(sandbox)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CountBody {
    count: usize,
}

/// `POST /sandbox/templates`.
pub(crate) async fn add_templates(State(sandbox): State<Sandbox>, request: Request) -> Answer {
    let wanted: CountBody = parse(body::json(request).await?)?;
    sandbox.add_templates(wanted.count)?;
    Ok(Json(json!({ "added": wanted.count })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventBody {
    field: String,
    value: Value,
    #[serde(default)]
    entry_id: Option<String>,
    #[serde(default)]
    number: Option<String>,
}

/// `POST /sandbox/events`.
pub(crate) async fn emit(State(sandbox): State<Sandbox>, request: Request) -> Answer {
    let event: EventBody = parse(body::json(request).await?)?;
    sandbox.emit(event.entry_id.as_deref(), event.number.as_deref(), &event.field, event.value);
    Ok(Json(json!({ "emitted": true })))
}

/// `GET /sandbox/deliveries`.
pub(crate) async fn deliveries(State(sandbox): State<Sandbox>) -> Answer {
    let (data, waiting) = sandbox.runtime.read(|state| {
        let newest = state.deliveries.values().rev().take(1000);
        (newest.map(delivery_json).collect::<Vec<_>>(), state.outbox.len())
    });
    Ok(Json(json!({ "data": data, "events_waiting": waiting })))
}

fn delivery_json(delivery: &Delivery) -> Value {
    let attempts: Vec<Value> = delivery
        .attempts
        .iter()
        .map(|attempt| {
            json!({
                "at": rfc3339(attempt.at),
                "status": attempt.status,
                "error": attempt.error,
                "took_ms": attempt.took_ms,
            })
        })
        .collect();
    json!({
        "id": delivery.id,
        "outcome": delivery.outcome,
        "created_at": rfc3339(delivery.created_at),
        "due_at": rfc3339(delivery.due),
        "number": delivery.number,
        "fields": delivery.fields,
        "body": delivery.body,
        "attempts": attempts,
    })
}

/// `POST /sandbox/deliveries/{id}/redeliver`.
pub(crate) async fn redeliver(State(sandbox): State<Sandbox>, Path(id): Path<String>) -> Answer {
    let found = id.parse().is_ok_and(|id| sandbox.runtime.change(|state| state.redeliver(id)));
    if found {
        Ok(Json(json!({ "redelivered": true })))
    } else {
        Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "Delivery not found",
            format!("there is no delivery with the id `{id}`; list them to see which exist"),
        ))
    }
}

/// `GET /sandbox/public/{id}`: header samples and `s3_url`, without authentication.
pub(crate) async fn download_public(
    State(sandbox): State<Sandbox>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    download(&sandbox, &id).await
}

/// `GET /sandbox/media/{id}`: the channel's `url`, with authentication.
pub(crate) async fn download_media(
    State(sandbox): State<Sandbox>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let expires = sandbox.runtime.read(|state| state.media.get(&id).and_then(|media| media.url_expires));
    if expires.is_some_and(|expires| expires <= now()) {
        return Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "Media URL expired",
            format!("the address of the file `{id}` has expired; it cannot be downloaded from here any more"),
        ));
    }
    download(&sandbox, &id).await
}

async fn download(sandbox: &Sandbox, id: &str) -> Result<Response, Refusal> {
    let missing =
        || Refusal::new(StatusCode::NOT_FOUND, "File not found", format!("there is no file with the id `{id}`"));
    // Only known identifiers, so that the name can't address other files.
    let media = sandbox.runtime.read(|state| state.media.get(id).cloned()).ok_or_else(missing)?;
    let bytes = sandbox.runtime.file(id).await.ok_or_else(missing)?;
    let mut response = Response::builder()
        .header(header::CONTENT_TYPE, &media.mime_type)
        .header(header::CONTENT_LENGTH, media.size)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    if let Some(name) = &media.filename {
        let plain: String = name.chars().filter(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\')).collect();
        response = response.header(header::CONTENT_DISPOSITION, format!("inline; filename=\"{plain}\""));
    }
    Ok(response.body(Body::from(bytes)).unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response()))
}
