//! Readable form of inbound messages: a text, and facts beside it (upstream §8.1).

use serde_json::Value;

use super::identity::SystemNotice;
use super::message::{
    Content, InboundMedia, InboundMessage, Interactive, Location, MessageType, MessagesValue, Order, Reaction,
};
use crate::Object;
use crate::failure::Failure;
use crate::visible::visible;

/// Readable form of a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageReading {
    /// Its type, as received.
    pub kind: String,
    /// Text, caption, label or similar; empty if there is none.
    pub text: String,
    /// Further facts, in order.
    pub facts: Vec<Fact>,
    pub media: Option<InboundMedia>,
    /// The message that it replies to.
    pub answers: Option<String>,
    /// Whether that message has another sender than this one.
    pub answers_ours: bool,
    pub reaction: Option<Reaction>,
    pub failures: Vec<Failure>,
    /// Whether the type or shape is unknown, so that only the JSON is complete.
    pub is_raw: bool,
}

/// A fact of a message besides its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// A key such as `latitude`, or the sender's own word as received. Labels of timestamps end in `At`.
    pub label: String,
    /// As received; timestamps in Unix milliseconds.
    pub value: String,
    /// An `https` address in the value.
    pub link: Option<String>,
}

/// Reads a message, or the first message in a value of the field `messages`. Accepts any JSON; an unknown shape is
/// marked with `is_raw`.
#[must_use]
pub fn read_message(value: &Value) -> MessageReading {
    let message = message_of(value);
    let Ok(message) = crate::json::read::<InboundMessage>(message) else {
        let kind = message.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        return MessageReading { kind, is_raw: true, ..MessageReading::default() };
    };
    MessageReading::of(&message)
}

/// The message in a value of the field `messages`, or the value itself.
pub(super) fn message_of(value: &Value) -> &Value {
    match value.get("messages") {
        Some(Value::Array(messages)) => messages.first().unwrap_or(value),
        Some(message @ Value::Object(_)) => message,
        _ => value,
    }
}

/// The text of an inbound message, for lists and search; not that of an edit.
#[must_use]
pub fn words(message: &InboundMessage) -> String {
    let mut reading = MessageReading::default();
    reading.content(message);
    match reading.media {
        Some(media) if reading.text.is_empty() => {
            media.filename.map(|name| visible(&name).into_owned()).unwrap_or_default()
        }
        _ => reading.text,
    }
}

/// The first message in the JSON of a value of the field `messages`, or in the JSON of a message.
#[must_use]
pub fn first_message(json: &str) -> Option<InboundMessage> {
    match serde_json::from_str::<MessagesValue>(json) {
        Ok(value) if !value.messages.is_empty() => value.messages.into_iter().next(),
        _ => serde_json::from_str(json).ok(),
    }
}

impl MessageReading {
    pub(super) fn of(message: &InboundMessage) -> Self {
        let mut reading = Self {
            kind: message.kind.as_str().to_owned(),
            failures: message.errors.iter().chain(&message.error).cloned().collect(),
            ..Self::default()
        };
        reading.content(message);
        reading.circumstances(message);
        reading
    }

    fn content(&mut self, message: &InboundMessage) {
        match message.content() {
            Content::Text(text) => self.text = text.body,
            Content::Media(media) => {
                self.text = media.caption.clone().unwrap_or_default();
                self.media = Some(*media);
            }
            Content::Location(place) => self.location(*place),
            Content::Contacts(cards) => self.cards(&cards),
            Content::Reaction(reaction) => {
                self.text = reaction.emoji.clone().unwrap_or_default();
                self.reaction = Some(reaction);
            }
            Content::Button(tap) => {
                if let Some(payload) = tap.payload.filter(|payload| *payload != tap.text) {
                    self.fact("payload", payload);
                }
                self.text = tap.text;
            }
            Content::Interactive(answer) => self.interactive(*answer),
            Content::Order(order) => self.order(order),
            Content::System(fields) => self.system(message, &fields),
            Content::Other(value) => self.other(message, value.as_ref()),
        }
    }

    fn location(&mut self, place: Location) {
        let (latitude, longitude) = (scalar(&place.latitude), scalar(&place.longitude));
        self.text = match (place.name, place.address) {
            (Some(name), address) if !name.trim().is_empty() => {
                self.maybe_fact("address", address);
                name
            }
            (_, Some(address)) if !address.trim().is_empty() => address,
            _ => match (&latitude, &longitude) {
                (Some(latitude), Some(longitude)) => format!("{latitude}, {longitude}"),
                _ => String::new(),
            },
        };
        let map = map_of(latitude.as_deref(), longitude.as_deref());
        for (label, value) in [("latitude", latitude), ("longitude", longitude)] {
            if let Some(value) = value {
                self.facts.push(Fact { label: label.to_owned(), value, link: map.clone() });
            }
        }
        self.maybe_fact("page", place.url);
    }

    /// Contact cards in the channel's format; any other format is shown as JSON only.
    fn cards(&mut self, cards: &[Value]) {
        let mut names = Vec::new();
        for card in cards {
            let name = card.get("name");
            let part = |key| name.and_then(|name| name.get(key)).and_then(scalar);
            let full = part("formatted_name").or_else(|| {
                let parts: Vec<String> = ["prefix", "first_name", "middle_name", "last_name", "suffix"]
                    .into_iter()
                    .filter_map(part)
                    .collect();
                (!parts.is_empty()).then(|| parts.join(" "))
            });
            if let Some(full) = full {
                self.fact("name", full.clone());
                names.push(full);
            }
            let organisation = card.get("org");
            for (label, key) in [("organisation", "company"), ("department", "department"), ("position", "title")] {
                self.maybe_fact(label, organisation.and_then(|org| org.get(key)).and_then(scalar));
            }
            for entry in members(card.get("phones")) {
                let number = entry.get("phone").and_then(scalar).or_else(|| entry.get("wa_id").and_then(scalar));
                self.maybe_fact("phone", number);
            }
            for (label, list, key) in [("email", "emails", "email"), ("page", "urls", "url")] {
                for entry in members(card.get(list)) {
                    self.maybe_fact(label, entry.get(key).and_then(scalar));
                }
            }
            for entry in members(card.get("addresses")) {
                let parts: Vec<String> = ["street", "city", "state", "zip", "country"]
                    .into_iter()
                    .filter_map(|key| entry.get(key).and_then(scalar))
                    .collect();
                if !parts.is_empty() {
                    self.fact("address", parts.join(", "));
                }
            }
            self.maybe_fact("birthday", card.get("birthday").and_then(scalar));
        }
        self.text = names.join(", ");
        self.is_raw = self.facts.is_empty();
    }

    fn interactive(&mut self, answer: Interactive) {
        if let Some(reply) = answer.button_reply.or(answer.list_reply) {
            self.text = reply.title;
            self.maybe_fact("description", reply.description);
            self.fact("replyId", reply.id);
        } else if let Some(form) = answer.nfm_reply {
            self.text = form.body.unwrap_or_default();
            self.maybe_fact("form", form.name);
            if let Some(response) = form.response_json {
                match serde_json::from_str::<Object>(&response) {
                    Ok(fields) => {
                        for (label, value) in fields {
                            let value = scalar(&value).unwrap_or_else(|| value.to_string());
                            self.facts.push(Fact { link: link(&value), label, value });
                        }
                    }
                    Err(_) => self.fact("response", response),
                }
            }
        } else if let Some(Value::Object(permission)) = answer.extra.get("call_permission_reply") {
            self.maybe_fact("callPermission", permission.get("response").and_then(scalar));
            self.maybe_fact("permissionSource", permission.get("response_source").and_then(scalar));
            self.maybe_fact("permanent", permission.get("is_permanent").and_then(scalar));
            self.maybe_fact("expiresAt", permission.get("expiration_timestamp").and_then(instant));
        } else {
            self.is_raw = true;
        }
    }

    fn order(&mut self, order: Order) {
        self.text = order.text.unwrap_or_default();
        for item in &order.product_items {
            self.fact("product", item.product_retailer_id.clone());
            self.maybe_fact("quantity", scalar(&item.quantity));
            if let Some(price) = scalar(&item.item_price) {
                let currency = item.currency.as_deref().unwrap_or_default();
                self.fact("price", format!("{price} {currency}").trim_end().to_owned());
            }
        }
        self.fact("catalog", order.catalog_id);
    }

    /// A change of number or identity: its text and its other fields.
    fn system(&mut self, message: &InboundMessage, fields: &Object) {
        for (key, value) in fields {
            match (key.as_str(), scalar(value)) {
                ("previous_wa_id", _) => {}
                ("body", Some(body)) => self.text = body,
                ("type", value) => self.maybe_fact("systemType", value),
                (key, value) => self.maybe_fact(SystemNotice::label(key).unwrap_or(key), value),
            }
        }
        if let Some(previous) = SystemNotice::new(message, fields).previous_number() {
            let place = self.facts.iter().position(|fact| fact.label == "newNumber").unwrap_or(self.facts.len());
            let value = previous.to_owned();
            self.facts.insert(place, Fact { label: "previousNumber".to_owned(), value, link: None });
        }
        self.is_raw = self.text.is_empty() && self.facts.is_empty();
    }

    fn other(&mut self, message: &InboundMessage, value: Option<&Value>) {
        if message.kind == MessageType::Unsupported {
            self.maybe_fact("type", value.and_then(|value| value.get("type")).and_then(scalar));
        }
        let unread = value.is_some() && message.kind != MessageType::Unsupported;
        self.is_raw = unread || self.failures.is_empty();
    }

    /// Origin of the message: forwarded, about a product, from an advertisement.
    fn circumstances(&mut self, message: &InboundMessage) {
        if let Some(context) = &message.context {
            self.answers = context.id.clone().filter(|id| !id.is_empty());
            self.answers_ours = context.from.as_ref().is_some_and(|from| *from != message.from);
            if context.frequently_forwarded == Some(true) {
                self.fact("forwardedOften", "true");
            } else if context.forwarded == Some(true) {
                self.fact("forwarded", "true");
            }
            if let Some(product) = context.extra.get("referred_product") {
                self.maybe_fact("aboutProduct", product.get("product_retailer_id").and_then(scalar));
                self.maybe_fact("catalog", product.get("catalog_id").and_then(scalar));
            }
        }
        if let Some(referral) = message.extra.get("referral") {
            for (label, key) in [
                ("adHeadline", "headline"),
                ("adText", "body"),
                ("adSource", "source_url"),
                ("adType", "source_type"),
                ("adId", "source_id"),
                ("adClick", "ctwa_clid"),
                ("adPicture", "image_url"),
                ("adFilm", "video_url"),
                ("adPreview", "thumbnail_url"),
            ] {
                self.maybe_fact(label, referral.get(key).and_then(scalar));
            }
            let welcome = referral.get("welcome_message").and_then(|welcome| welcome.get("text"));
            self.maybe_fact("adWelcome", welcome.and_then(scalar));
        }
    }

    fn fact(&mut self, label: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.facts.push(Fact { label: label.to_owned(), link: link(&value), value });
        }
    }

    fn maybe_fact(&mut self, label: &str, value: Option<String>) {
        if let Some(value) = value {
            self.fact(label, value);
        }
    }
}

/// A string, number or boolean as text; `None` for other values and for the empty string.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The members of a list.
fn members(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

/// Seconds since 1970 as milliseconds; unchanged if it is not a number.
fn instant(value: &Value) -> Option<String> {
    let seconds = scalar(value)?;
    Some(match super::status::seconds(&seconds) {
        Some(seconds) => seconds.saturating_mul(1_000).to_string(),
        None => seconds,
    })
}

/// The value if it is an address that the browser may open.
fn link(value: &str) -> Option<String> {
    let opens = value.starts_with("https://") && !value.chars().any(|c| c.is_control() || c.is_whitespace());
    opens.then(|| value.to_owned())
}

/// Map link of a location, if the coordinates are valid.
fn map_of(latitude: Option<&str>, longitude: Option<&str>) -> Option<String> {
    let degrees = |text: Option<&str>, most: f64| text?.parse::<f64>().ok().filter(|degrees| degrees.abs() <= most);
    let (latitude, longitude) = (degrees(latitude, 90.0)?, degrees(longitude, 180.0)?);
    Some(format!("https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}"))
}
