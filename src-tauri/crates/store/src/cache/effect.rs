//! What the projector brings: the items of deliveries, and what each of them changes.

use model::item::occurrence_key;

/// A thing that a delivery reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectedItem {
    /// The delivery.
    pub seq: i64,
    /// Place in the delivery, from 0.
    pub ordinal: i64,
    /// When the delivery came.
    pub received_at: i64,
    /// The endpoint it came to.
    pub route: String,
    /// Identity: the same thing delivered again has the same key, within its route.
    pub key: String,
    /// What it is about, where it says nowhere when it happened: the same thing may have happened again then.
    pub subject: Option<String>,
    /// When the template it is about was changed from here last, by the time it came.
    pub changed_here_at: Option<i64>,
    /// What it is.
    pub kind: String,
    /// The `field` it stood under.
    pub field: String,
    /// The business account of its entry.
    pub entry_id: Option<String>,
    /// When it happened; when it came, where it does not say.
    pub at: i64,
    /// The message it is about.
    pub message_id: Option<String>,
    /// The person it is about.
    pub contact: Option<String>,
    /// The number it came over.
    pub number_id: Option<String>,
    /// Name of the template it is about.
    pub template_name: Option<String>,
    /// Language of the template it is about.
    pub template_language: Option<String>,
    /// The channel's identifier of the template it is about.
    pub template_id: Option<String>,
    /// The status or event it reports.
    pub status: Option<String>,
    /// The words it is found by, and shown with in lists.
    pub text: String,
    /// The thing itself as JSON, as it came.
    pub value: String,
    /// What it changes.
    pub effect: Effect,
}

impl ProjectedItem {
    /// What stands for this delivery of it among events: the same as for every other delivery of it or, where it says
    /// nowhere when it happened, its own.
    #[must_use]
    pub fn event_key(&self) -> String {
        match self.subject {
            Some(_) => occurrence_key(&self.key, self.received_at, self.ordinal),
            None => self.key.clone(),
        }
    }
}

/// What an item changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it is kept and shown.
    #[default]
    None,
    /// Something happened to a sent message.
    Status(StatusEffect),
    /// A message came in.
    Message(MessageEffect),
    /// Something happened to a template.
    Template(TemplateEffect),
}

/// Something that happened to a sent message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusEffect {
    /// The message.
    pub message_id: String,
    /// The status.
    pub status: String,
    /// When it happened.
    pub at: i64,
    /// The error object as JSON.
    pub error: Option<String>,
    /// The tracking id found in the callback data.
    pub tracking_id: Option<String>,
    /// The callback data as it came.
    pub callback_data: Option<String>,
    /// The recipient.
    pub recipient: Option<String>,
    /// The pricing object as JSON.
    pub pricing: Option<String>,
    /// The conversation object as JSON.
    pub conversation: Option<String>,
}

/// A message that came in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageEffect {
    /// The message.
    pub message_id: String,
    /// Who sent it: a number, or another identifier where there is none.
    pub contact: String,
    /// The name they go by.
    pub contact_name: Option<String>,
    /// When it was sent.
    pub at: i64,
    /// Its type.
    pub kind: String,
    /// Its text, or words for what it is.
    pub text: String,
    /// The message it answers or reacts to.
    pub context_id: Option<String>,
}

/// Something that happened to a template. Names it by name and language, by the channel's identifier, or by both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateEffect {
    /// Name.
    pub name: Option<String>,
    /// Language in any notation.
    pub language: Option<String>,
    /// The channel's identifier.
    pub channel_id: Option<String>,
    /// When it happened.
    pub at: i64,
    /// The event's word.
    pub event: String,
    /// The reason given.
    pub reason: Option<String>,
    /// The status the template has after it, if it has another.
    pub status: Option<String>,
    /// Whether it is archived after it, if that changes.
    pub archived: Option<bool>,
    /// Its category after it, if that changes.
    pub category: Option<String>,
    /// Its quality score after it, if that changes.
    pub quality: Option<String>,
}
