//! What becomes of an accepted message: its media are measured, then its statuses come one after another.

use std::sync::Arc;
use std::time::Duration;

use model::media;
use model::send::{Parameter, SendComponent, SendMessage};
use model::vocabulary::HeaderFormat;
use serde_json::{Value, json};

use crate::inner::Inner;
use crate::schedule::Task;
use crate::settings::ErrorForm;
use crate::special::{self, Course};
use crate::state::{Message, PhoneItem, Reached, Stage, State, now};

/// How long a media link has to answer.
const MEDIA_TIMEOUT: Duration = Duration::from_secs(20);
/// Most bytes that are read to measure a file that does not say its length.
const MOST_READ: u64 = 256 * 1024 * 1024;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Measures the media of a message and plans its statuses.
pub(crate) async fn begin(inner: Arc<Inner>, sequence: u64) {
    let Some(message) = inner.read(|state| state.messages.get(&sequence).cloned()) else { return };
    if message.stage != Stage::Accepted {
        return;
    }
    let mut error = None;
    for (format, link) in media_links(&message) {
        if let Err(failure) = measure(&inner, &format, &link).await {
            error = Some(failure);
            break;
        }
    }
    inner.change(|state| plan(state, sequence, error));
}

/// The media that a send links to: headers of the message and of its cards.
fn media_links(message: &Message) -> Vec<(HeaderFormat, String)> {
    fn collect(components: &[SendComponent], links: &mut Vec<(HeaderFormat, String)>) {
        for component in components {
            match component {
                SendComponent::Header(header) => {
                    for parameter in &header.parameters {
                        let (format, media) = match parameter {
                            Parameter::Image(image) => (HeaderFormat::Image, &image.image),
                            Parameter::Video(video) => (HeaderFormat::Video, &video.video),
                            Parameter::Document(document) => (HeaderFormat::Document, &document.document),
                            _ => continue,
                        };
                        links.extend(media.link.clone().map(|link| (format, link)));
                    }
                }
                SendComponent::Carousel(carousel) => {
                    carousel.cards.iter().for_each(|card| collect(&card.components, links));
                }
                _ => {}
            }
        }
    }
    let mut links = Vec::new();
    if let Ok(SendMessage { template: Some(template), .. }) = serde_json::from_value(message.payload.clone()) {
        collect(&template.components, &mut links);
    }
    links
}

/// An error as the channel writes it in a webhook (upstream §7).
fn channel_error(code: i32, title: &str, details: &str) -> Value {
    json!({
        "code": code,
        "title": title,
        "message": title,
        "error_data": { "details": details },
        "href": "https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes",
    })
}

fn media_error(details: &str) -> Value {
    channel_error(131_053, "Media upload error", details)
}

/// The error object of the contract §7.
fn oversize(format: &HeaderFormat, size: u64, limit: u64) -> Value {
    let what = format.as_str().to_lowercase();
    json!({
        "code": 131_053,
        "title": "Media upload error",
        "message": format!("The {what} is larger than the channel accepts"),
        "retryable": false,
        "classification": "UserError",
        "details": {
            "file_size_bytes": size,
            "max_size_bytes": limit,
            "reason": format!("The {what} has {size} bytes; at most {limit} are accepted."),
        },
    })
}

/// Fetches a file as far as needed to know its size and type.
async fn measure(inner: &Inner, format: &HeaderFormat, link: &str) -> Result<(), Value> {
    let url = match reqwest::Url::parse(link) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url,
        _ => return Err(media_error(&format!("The media link {link} is no http or https address."))),
    };
    let unreachable = |error: reqwest::Error| {
        media_error(&format!("The media could not be downloaded from {link}: {}.", crate::describe(&error)))
    };
    let request = inner.media_client(&url).get(url).timeout(MEDIA_TIMEOUT);
    let mut response = request.send().await.map_err(unreachable)?;
    if !response.status().is_success() {
        let status = response.status().as_u16();
        return Err(media_error(&format!("The media could not be downloaded from {link}: it answered HTTP {status}.")));
    }
    let declared = response.content_length();
    let content_type = response
        .headers()
        .get(reqwest::header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .map(|value| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    let (limit, wanted) = media::limit_of(format);
    if let Some(size) = declared.filter(|size| *size > limit) {
        return Err(oversize(format, size, limit));
    }
    let mut size = 0_u64;
    let mut beginning = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        size += chunk.len() as u64;
        if beginning.len() < 512 {
            beginning.extend_from_slice(&chunk[..chunk.len().min(512)]);
        }
        // A declared length within the limit needs no more than the first bytes.
        if size > MOST_READ || (declared.is_some() && beginning.len() >= 512) {
            break;
        }
    }
    if size > limit {
        return Err(oversize(format, size, limit));
    }
    // Refused only when something says it is of another kind: the bytes first, else what the server claims.
    let shown = media::sniff(&beginning).filter(|shown| !matches!(*shown, "text/plain" | "application/zip"));
    let claimed = content_type.as_deref().filter(|claimed| !matches!(*claimed, "" | "application/octet-stream"));
    match shown.or(claimed) {
        Some(mime_type) if !media::fits(format, mime_type) && claimed.is_none_or(|c| !media::fits(format, c)) => {
            Err(media_error(&format!("The file at {link} is {mime_type}; the header needs {wanted}.")))
        }
        _ => Ok(()),
    }
}

/// Schedules the statuses of a message.
fn plan(state: &mut State, sequence: u64, media_error: Option<Value>) {
    let Some(message) = state.messages.get(&sequence) else { return };
    let is_text = message.template.is_none();
    let window_open = state
        .phones
        .get(&message.recipient)
        .and_then(|phone| phone.wrote.get(&message.number))
        .is_some_and(|at| *at > now() - DAY_MS);
    let to = message.payload.get("to").and_then(Value::as_str).unwrap_or(&message.recipient);
    let (statuses, error): (&[&str], Option<Value>) = match (media_error, special::course(to)) {
        (Some(error), _) => (&["failed"], Some(error)),
        (None, _) if is_text && !window_open => (
            &["failed"],
            Some(channel_error(
                131_047,
                "Re-engagement message",
                "More than 24 hours have passed since the recipient last wrote to this number; send a template instead.",
            )),
        ),
        (None, Course::Fails { code, title, details, after_sent }) => {
            let statuses: &[&str] = if after_sent { &["sent", "failed"] } else { &["failed"] };
            (statuses, Some(channel_error(code, title, details)))
        }
        (None, Course::Statuses(statuses)) => (statuses, None),
        (None, Course::OtherId | Course::Refused { .. }) => (&["sent", "delivered", "read"], None),
    };
    if let Some(message) = state.messages.get_mut(&sequence) {
        message.stage = if statuses.is_empty() { Stage::Settled } else { Stage::OnItsWay };
        message.error = error;
    }
    let delay = i64::try_from(state.settings.status_delay_ms).unwrap_or(i64::MAX);
    let mut at = now();
    for (index, status) in statuses.iter().enumerate() {
        at = at.saturating_add(delay);
        let last = index + 1 == statuses.len();
        state.schedule_at(at, Task::Status { message: sequence, status: (*status).to_owned(), last });
    }
}

/// Reports a status (contract §6.3; upstream §8.3).
pub(crate) fn report(state: &mut State, product: &str, sequence: u64, status: &str, last: bool) {
    let at = now();
    let error_form = state.settings.error_form;
    let Some(message) = state.messages.get_mut(&sequence) else { return };
    let was_on_phone = message.is_on_phone();
    message.statuses.push(Reached { status: status.to_owned(), at });
    if last {
        message.stage = Stage::Settled;
    }
    let message = message.clone();
    if message.is_on_phone() && !was_on_phone {
        let phone = state.phones.entry(message.recipient.clone()).or_default();
        phone.show(PhoneItem::Received { message: message.id.clone() });
    }

    let mut value = json!({
        "id": message.id,
        "status": status,
        "timestamp": (at / 1000).to_string(),
        "recipient_id": message.recipient,
    });
    if let Some(callback) = &message.callback {
        value["biz_opaque_callback_data"] = json!(callback);
    }
    match (&message.error, status) {
        (Some(error), "failed") => match error_form {
            ErrorForm::Array => value["errors"] = json!([error]),
            ErrorForm::Object => value["error"] = error.clone(),
        },
        _ => {
            let mut conversation = json!({ "id": conversation_id(&message) });
            if status == "sent" {
                conversation["expiration_timestamp"] = json!(((at + DAY_MS) / 1000).to_string());
            }
            conversation["origin"] = json!({ "type": message.category });
            value["conversation"] = conversation;
            let free = message.category == "service";
            value["pricing"] = json!({
                "billable": !free,
                "pricing_model": "PMP",
                "type": if free { "free_customer_service" } else { "regular" },
                "category": message.category,
            });
        }
    }
    let value = json!({
        "messaging_product": product,
        "metadata": metadata(state, &message.number),
        "statuses": [value],
    });
    state.emit(message.entry, Some(message.number), "messages", value);
}

/// One conversation for a pair, a category and a day.
fn conversation_id(message: &Message) -> String {
    let day = message.at / DAY_MS;
    let name = format!("{} {} {} {day}", message.number, message.recipient, message.category);
    let digest = ring::digest::digest(&ring::digest::SHA256, name.as_bytes());
    digest.as_ref().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// `metadata` of a messages event: which number it is about.
pub(crate) fn metadata(state: &State, number: &str) -> Value {
    let display = state.numbers.get(number).map_or(number, |number| number.display.as_str());
    json!({ "display_phone_number": display.trim_start_matches('+').replace([' ', '-'], ""), "phone_number_id": number })
}
