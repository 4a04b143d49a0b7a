//! Accepts messages (contract §2.3, §4.1): invalid messages are refused immediately, other failures are reported as
//! statuses.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use model::Object;
use model::event::identity::{is_number, is_user_id};
use model::send::{SendComponent, SendMessage, SendTemplate};
use model::vocabulary::Category;
use serde_json::{Value, json};

use crate::answer::{BareAnswer, no_content};
use crate::body;
use crate::content::{check_member_types, kind, required_text, text};
use crate::fault_injection::{Target, carry_out};
use crate::marketing_stops::refusal_of;
use crate::refusal::{Refusal, field_name};
use crate::runtime::Runtime;
use crate::schedule::Task;
use crate::special::{self, SpecialOutcome};
use crate::state::{Entry, Message, Number, Stage, State as Stored, Workspace};
use crate::time::now;

/// `POST /{channel}/provider/{number}/send-message`.
pub(crate) async fn send(
    State(runtime): State<Arc<Runtime>>,
    Extension(workspace): Extension<Workspace>,
    Path(number): Path<String>,
    request: Request,
) -> BareAnswer {
    check_number(&runtime, &number)?;
    let payload = body::json(request).await?;
    let message = read(&runtime, &payload)?;
    let addressee = message.addressee();
    runtime.change(|state| state.counts.entry(addressee.to_owned()).or_default().requests += 1);
    carry_out(&runtime, Target::send(addressee), async {
        if let Some(refusal) = special::refusal(addressee) {
            return Err(refusal);
        }
        let (id, recipient) = runtime.change(|state| {
            runtime.throttle(&state.settings.throttle, &number, addressee)?;
            accept(state, &number, &workspace, &message, payload)
        })?;
        Ok(answer(&runtime, &message, &recipient, &id))
    })
    .await
}

/// The response to an accepted message.
fn answer(runtime: &Runtime, message: &SendMessage, recipient: &str, id: &str) -> Response {
    if let Some(forms) = runtime.read(|state| state.settings.minimal_forms()) {
        return if forms.message_id {
            Json(json!({ "messages": [{ "id": id }] })).into_response()
        } else {
            no_content(&forms)
        };
    }
    let input = message.addressee();
    // Whose number is not known has none in the answer either.
    let contact = match message.to {
        Some(_) => json!({ "input": input, "wa_id": recipient }),
        None => json!({ "input": input, "user_id": recipient }),
    };
    Json(json!({
        "messaging_product": runtime.messaging_product,
        "contacts": [contact],
        "messages": [{ "id": id, "message_status": "accepted" }],
    }))
    .into_response()
}

/// Checks that the number exists, or adopts it.
pub(crate) fn check_number(runtime: &Runtime, number: &str) -> Result<(), Refusal> {
    let digits = (1..=20).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let known = runtime.read(|state| {
        (
            state.numbers.contains_key(number),
            digits && state.settings.adopt_unknown,
            state.numbers.keys().cloned().collect::<Vec<_>>(),
        )
    });
    match known {
        (true, ..) => Ok(()),
        (_, true, _) => {
            let adopted = Number { waba: None, display: format!("+{number}"), name: format!("Number {number}") };
            runtime.change(|state| {
                state.numbers.entry(number.to_owned()).or_insert(adopted);
            });
            Ok(())
        }
        (_, _, numbers) => Err(Refusal {
            path: Some("/number".to_owned()),
            ..Refusal::new(
                StatusCode::NOT_FOUND,
                "Sending number not found",
                format!(
                    "`number` in the path is `{number}`, which this workspace does not have; it has: {}",
                    numbers.join(", ")
                ),
            )
        }),
    }
}

/// Checks a payload strictly, field by field, before parsing it as a whole.
fn read(runtime: &Runtime, payload: &Object) -> Result<SendMessage, Refusal> {
    let product = required_text(payload, "messaging_product")?;
    if product != runtime.messaging_product {
        let wanted = &runtime.messaging_product;
        return Err(Refusal::field("/messaging_product", format!("must be `{wanted}`, not `{product}`")).with_code(100));
    }
    check_addressee(runtime, payload)?;
    if let Some(recipient_type) = text(payload, "recipient_type")?
        && recipient_type != "individual"
    {
        return Err(
            Refusal::field("/recipient_type", format!("must be `individual`, not `{recipient_type}`")).with_code(100)
        );
    }
    match payload.get("biz_opaque_callback_data") {
        None | Some(Value::String(_)) => {}
        Some(other) => {
            return Err(Refusal::field(
                "/biz_opaque_callback_data",
                format!(
                    "must be a string of serialised JSON, not {}; serialise the value before it is sent",
                    kind(other)
                ),
            )
            .with_code(100));
        }
    }
    match required_text(payload, "type")? {
        "template" => check_template_shape(payload)?,
        "text" => {
            let text = member(payload, "text", "/text")?;
            nested_text(text, "body", "/text/body")?;
        }
        other => {
            return Err(
                Refusal::field("/type", format!("must be `template` or `text`, not `{other}`")).with_code(131_051)
            );
        }
    }
    model::json::read(&Value::Object(payload.clone())).map_err(|error| {
        Refusal::new(StatusCode::BAD_REQUEST, "Invalid message", format!("the message cannot be read: {error}"))
            .with_code(100)
    })
}

fn member<'a>(object: &'a Object, key: &str, path: &str) -> Result<&'a Object, Refusal> {
    match object.get(key) {
        Some(Value::Object(member)) => Ok(member),
        Some(other) => Err(Refusal::field(path, format!("must be an object, not {}", kind(other))).with_code(100)),
        None => Err(Refusal::field(path, "is required").with_code(131_008)),
    }
}

fn nested_text<'a>(object: &'a Object, key: &str, path: &str) -> Result<&'a str, Refusal> {
    match object.get(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
        Some(Value::String(_)) => Err(Refusal::field(path, "must not be empty").with_code(131_008)),
        Some(other) => Err(Refusal::field(path, format!("must be a string, not {}", kind(other))).with_code(100)),
        None => Err(Refusal::field(path, "is required").with_code(131_008)),
    }
}

/// Checks that a message goes to a number (`to`) or, where the channel is simulated, to a user id (`recipient`;
/// upstream §14.6).
fn check_addressee(runtime: &Runtime, payload: &Object) -> Result<(), Refusal> {
    // `to` wins, and the contract has nothing else (§2.3).
    let takes_user_ids = runtime.read(|state| !state.settings.is_minimal());
    if takes_user_ids && !payload.contains_key("to") && payload.contains_key("recipient") {
        let recipient = required_text(payload, "recipient")?;
        if !is_user_id(recipient) {
            let reason = format!("must be a user ID such as `BR.13491208655302741918`, not `{recipient}`");
            return Err(Refusal::field("/recipient", reason).with_code(131_009));
        }
        return Ok(());
    }
    let to = required_text(payload, "to")?;
    if !(7..=15).contains(&to.len()) || !to.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Refusal::field(
            "/to",
            format!("must be a phone number of 7 to 15 digits with its country code and nothing else, not `{to}`"),
        )
        .with_code(131_009));
    }
    Ok(())
}

fn check_template_shape(payload: &Object) -> Result<(), Refusal> {
    let template = member(payload, "template", "/template")?;
    nested_text(template, "name", "/template/name")?;
    let language = member(template, "language", "/template/language")?;
    nested_text(language, "code", "/template/language/code")?;
    match template.get("components") {
        None => Ok(()),
        Some(Value::Array(items)) => {
            check_components(items, "/template/components")?;
            check_member_types(items, "/template/components").map_err(|refusal| refusal.with_code(100))
        }
        Some(other) => {
            Err(Refusal::field("/template/components", format!("must be an array, not {}", kind(other))).with_code(100))
        }
    }
}

fn check_components(items: &[Value], path: &str) -> Result<(), Refusal> {
    for (index, item) in items.iter().enumerate() {
        let path = format!("{path}/{index}");
        let Value::Object(object) = item else {
            return Err(Refusal::field(path, format!("must be an object, not {}", kind(item))).with_code(100));
        };
        let type_name = nested_text(object, "type", &format!("{path}/type"))?;
        if let Some(parameters) = object.get("parameters")
            && !parameters.is_array()
        {
            let path = format!("{path}/parameters");
            return Err(Refusal::field(path, format!("must be an array, not {}", kind(parameters))).with_code(100));
        }
        match model::json::read(item) {
            Ok(SendComponent::Carousel(_)) => {
                let cards = object.get("cards").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                for (card, value) in cards.iter().enumerate() {
                    let components = value.get("components").and_then(Value::as_array).map(Vec::as_slice);
                    check_components(components.unwrap_or_default(), &format!("{path}/cards/{card}/components"))?;
                }
            }
            // Only the channel's own extension is accepted without parsing.
            Ok(SendComponent::Unknown(_)) if type_name == "tap_target_configuration" => {}
            Ok(SendComponent::Unknown(_)) | Err(_) => {
                return Err(Refusal::field(
                    path,
                    format!(
                        "has the type `{type_name}` and cannot be read as header, body, footer, button, carousel or \
                         limited_time_offer; a button needs `sub_type` and `index`, a card an integer `card_index`"
                    ),
                )
                .with_code(100));
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Accepts a message. Returns its ID and the recipient's ID on the channel.
fn accept(
    state: &mut Stored,
    number: &str,
    workspace: &Workspace,
    send: &SendMessage,
    payload: Object,
) -> Result<(String, String), Refusal> {
    let waba = state.numbers.get(number).and_then(|number| number.waba);
    let recipient = channel_id_of(send.addressee());
    let (template, category, entry) = match &send.template {
        Some(wanted) if send.kind == "template" => {
            let entry = find(state, waba, workspace, wanted)?;
            if send.to.is_none() && entry.template.category == Category::Authentication {
                return Err(needs_number());
            }
            check_parameters(entry, wanted)?;
            let waba = waba.or_else(|| entry.ids.keys().next().copied());
            let category = pricing_category(entry);
            (Some(entry.template.clone()), category, waba)
        }
        _ => (None, "service".to_owned(), waba.or_else(|| state.wabas.keys().next().copied())),
    };
    let id = Message::new_id();
    let stopped = refusal_of(state, &recipient, number, &category);
    let message = Message {
        id: id.clone(),
        number: number.to_owned(),
        entry: entry.map_or_else(|| "0".to_owned(), |waba| waba.to_string()),
        recipient: recipient.clone(),
        at: now(),
        payload: Value::Object(payload),
        template,
        category,
        callback: send.biz_opaque_callback_data.clone(),
        stage: Stage::Accepted,
        statuses: Vec::new(),
        error: None,
        script: stopped.or_else(|| state.take_script(&recipient)),
        taps: Vec::new(),
    };
    state.phone_mut(&recipient);
    state.counts.entry(send.addressee().to_owned()).or_default().messages += 1;
    let sequence = state.add_message(message);
    state.schedule_at(now(), Task::Begin { message: sequence });
    Ok((id, recipient))
}

/// Refuses an authentication template to a user ID (upstream §7, 131062; §14.6).
fn needs_number() -> Refusal {
    Refusal {
        path: Some("/recipient".to_owned()),
        ..Refusal::new(
            StatusCode::BAD_REQUEST,
            "(#131062) Business-scoped user ID recipient is not supported for this message",
            "`recipient` is a user ID; authentication templates are sent to a phone number in `to`",
        )
        .with_code(131_062)
    }
}

/// The recipient's ID: the number as written, except for the special recipient whose ninth digit the channel drops.
fn channel_id_of(to: &str) -> String {
    match special::outcome_for(to) {
        SpecialOutcome::OtherId if is_number(to) => {
            to.char_indices().filter(|(index, _)| *index != 4).map(|(_, digit)| digit).collect()
        }
        _ => to.to_owned(),
    }
}

fn pricing_category(entry: &Entry) -> String {
    match &entry.template.kind {
        Some(kind) if kind.as_str() == "marketing_lite" => "marketing_lite".to_owned(),
        _ => entry.template.category.as_str().to_lowercase(),
    }
}

/// The template of a send, if it can be sent (contract §3.1; codes of upstream §7).
fn find<'a>(
    state: &'a Stored,
    waba: Option<u64>,
    workspace: &Workspace,
    wanted: &SendTemplate,
) -> Result<&'a Entry, Refusal> {
    let language = wanted.language.code.as_str();
    let refusal = |code: i32, what: &str, details: String| Refusal {
        path: Some("/template/name".to_owned()),
        ..Refusal::new(StatusCode::BAD_REQUEST, format!("(#{code}) {what}"), details).with_code(code)
    };
    let candidates: Vec<&Entry> = match waba {
        Some(waba) => state.templates.in_waba(waba, &wanted.name, language).into_iter().collect(),
        None => {
            let named = |entry: &&Entry| entry.template.name == wanted.name && entry.template.language == language;
            state.templates.newest_first().map(|(_, entry)| entry).filter(named).collect()
        }
    };
    let candidates: Vec<&Entry> = candidates.into_iter().filter(|entry| entry.workspace == *workspace).collect();
    let is_sendable = |entry: &Entry| entry.status_in(waba).is_sendable();
    let sendable = candidates.iter().find(|entry| is_sendable(entry) && entry.archived_at.is_none());
    let Some(entry) = sendable.or(candidates.first()) else {
        return Err(refusal(
            132_001,
            "Template name does not exist in the translation",
            format!(
                "`template.name` is `{}`, which does not exist in `template.language.code` `{language}`",
                wanted.name
            ),
        ));
    };
    if entry.archived_at.is_some() {
        return Err(refusal(
            132_001,
            "Template is archived",
            format!("`template.name` is `{}`, which is archived and cannot be sent; unarchive it first", wanted.name),
        ));
    }
    if is_sendable(entry) {
        return Ok(entry);
    }
    let status = entry.status_in(waba);
    let (code, what) = match status.as_str() {
        "PAUSED" => (132_015, "Template is paused"),
        "DISABLED" => (132_016, "Template is disabled"),
        _ => (132_001, "Template is not approved"),
    };
    Err(refusal(
        code,
        what,
        format!("`template.name` is `{}`, whose status is {status}; only approved templates can be sent", wanted.name),
    ))
}

/// Checks the parameters against the template by the rules of `model`. The first problem determines the code; all are
/// listed.
fn check_parameters(entry: &Entry, wanted: &SendTemplate) -> Result<(), Refusal> {
    let problems = model::send::check_send(&entry.template, wanted);
    let Some(first) = problems.first() else { return Ok(()) };
    let code = i32::try_from(first.code).unwrap_or(100);
    let what = match code {
        131_008 => "Required parameter is missing",
        131_009 => "Parameter value is not valid",
        132_000 => "Number of parameters does not match the expected number of params",
        132_005 => "Translated text too long",
        132_012 => "Parameter format does not match format in the created template",
        _ => "Parameters do not fit the template",
    };
    let named = |path: &str| field_name(&format!("/template{path}"));
    let details: Vec<String> =
        problems.iter().map(|problem| format!("`{}`: {}", named(&problem.path), problem.message)).collect();
    Err(Refusal {
        path: Some(format!("/template{}", first.path)),
        ..Refusal::new(StatusCode::BAD_REQUEST, format!("(#{code}) {what}"), details.join("; ")).with_code(code)
    })
}
