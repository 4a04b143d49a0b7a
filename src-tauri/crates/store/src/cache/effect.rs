//! Input of the projection: the items of deliveries, and their effects.

use model::event::identity::IdentityLink;
use model::item::occurrence_key;

/// An item of a delivery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectedItem {
    /// The delivery.
    pub seq: i64,
    /// Place in the delivery, from 0.
    pub ordinal: i64,
    /// When the delivery arrived.
    pub received_at: i64,
    /// The endpoint that received it.
    pub route: String,
    /// Identity: the same event delivered again has the same key, within its route.
    pub key: String,
    /// Its subject, if it has no instant: without one, an equal item may be a repeated event or a redelivery.
    pub subject: Option<String>,
    /// When its template was last changed from here, as of its arrival.
    pub changed_here_at: Option<i64>,
    pub kind: String,
    /// Its webhook `field`.
    pub field: String,
    /// The business account of its entry.
    pub entry_id: Option<String>,
    /// When it happened; if unknown, when it arrived.
    pub at: i64,
    /// The message that it refers to.
    pub message_id: Option<String>,
    /// The person that it refers to.
    pub contact: Option<String>,
    /// The number that it arrived through.
    pub number_id: Option<String>,
    /// Name of the template that it refers to.
    pub template_name: Option<String>,
    /// Language of the template that it refers to.
    pub template_language: Option<String>,
    /// The channel's identifier of the template that it refers to.
    pub template_id: Option<String>,
    /// The status or event it reports.
    pub status: Option<String>,
    /// Text for search and for lists.
    pub text: String,
    /// The item as received, as JSON.
    pub value: String,
    pub effect: Effect,
    /// What it says about who its person is.
    pub person: Option<PersonEffect>,
}

/// Identifiers of one person, and the username.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonEffect {
    /// The identifier of the event that stays the person's, as in [`MessageEffect`]; may be empty.
    pub id: String,
    pub links: Vec<IdentityLink>,
    pub username: Option<String>,
}

impl ProjectedItem {
    /// Key of this delivery of the item among events: the same for all its deliveries or, if it has no instant, a key
    /// of this delivery alone.
    #[must_use]
    pub fn event_key(&self) -> String {
        match self.subject {
            Some(_) => occurrence_key(&self.key, self.received_at, self.ordinal),
            None => self.key.clone(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// None: it is only stored and shown.
    #[default]
    None,
    /// A status of a sent message.
    Status(StatusEffect),
    /// A received message.
    Message(MessageEffect),
    /// An edit or a deletion of a received message.
    Revision(RevisionEffect),
    Template(TemplateEffect),
}

/// A status of a sent message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusEffect {
    pub message_id: String,
    pub status: String,
    pub at: i64,
    /// The error object as JSON.
    pub error: Option<String>,
    /// The tracking id in the callback data.
    pub tracking_id: Option<String>,
    pub callback_data: Option<String>,
    pub recipient: Option<String>,
    /// The pricing object as JSON.
    pub pricing: Option<String>,
    /// The conversation object as JSON.
    pub conversation: Option<String>,
}

/// A received message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageEffect {
    pub message_id: String,
    /// Its author: the user id, or the number of a message without one. A number is given to other people later.
    pub contact: String,
    /// The author's name.
    pub contact_name: Option<String>,
    /// When it was sent.
    pub at: i64,
    /// Its type.
    pub kind: String,
    /// Its text, or a description of it.
    pub text: String,
    /// The message it replies or reacts to.
    pub context_id: Option<String>,
}

/// An edit or a deletion of a received message by its author.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RevisionEffect {
    /// Its own identifier.
    pub message_id: String,
    /// The message that it changes.
    pub original_id: String,
    /// Its author, as in [`MessageEffect`].
    pub contact: String,
    /// When it was sent.
    pub at: i64,
    /// The type of the new content; absent for a deletion.
    pub kind: Option<String>,
    /// The new text, or a description of the new content.
    pub text: String,
    /// The message that the edited message replies to.
    pub context_id: Option<String>,
}

/// An event of a template, which it identifies by name and language, by the channel's identifier, or by both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateEffect {
    pub name: Option<String>,
    /// Language in any notation.
    pub language: Option<String>,
    /// The channel's identifier.
    pub channel_id: Option<String>,
    pub at: i64,
    /// The event's type.
    pub event: String,
    pub reason: Option<String>,
    /// The template's new status, if it changes.
    pub status: Option<String>,
    /// Whether it is archived afterwards, if that changes.
    pub archived: Option<bool>,
    /// Its new category, if it changes.
    pub category: Option<String>,
    /// Its new quality score, if it changes.
    pub quality: Option<String>,
}
