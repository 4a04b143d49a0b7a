//! Profiles: how much the provider says, and the forms of the minimal one.
//!
//! `whatsapp` answers as the channel behind a provider does. `minimal` gives only what the contract names: a client that
//! works with it depends on no field that a provider may leave out. Where the contract shows no form, [`Minimal`] chooses
//! one of those that a client must accept.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How much the provider says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// What the channel behind a provider says beside the contract, and the channel's rules.
    #[default]
    Whatsapp,
    /// What the contract names and nothing else: fields of §2.1, §2.4, §6 and §7, no paging, no other events. Rules that
    /// only the channel has refuse nothing.
    Minimal,
}

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "whatsapp" => Ok(Self::Whatsapp),
            "minimal" => Ok(Self::Minimal),
            other => Err(format!("`{other}` is no profile; use minimal or whatsapp")),
        }
    }
}

/// The forms of the profile `minimal` where the contract leaves a choice. They change nothing under `whatsapp`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Minimal {
    /// Where the records of a listing stand.
    pub listing: ListingShape,
    /// Whether a listing holds archived templates. Nothing in their records says that they are archived.
    pub archived: bool,
    /// Whether records have a category.
    pub category: bool,
    /// Where the uuid stands in the answer of a creation.
    pub creation: CreationShape,
    /// Whether the answer of a send holds the identifier of the message.
    pub message_id: bool,
    /// Answers archiving, unarchiving and deleting, and a send without identifier, with no body instead of `{}`.
    pub empty_answers: bool,
}

impl Default for Minimal {
    fn default() -> Self {
        Self {
            listing: ListingShape::Data,
            archived: true,
            category: true,
            creation: CreationShape::Uuid,
            message_id: true,
            empty_answers: false,
        }
    }
}

/// Where the records of a listing stand; the contract does not show it (§4.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListingShape {
    /// `{"data": […]}`.
    #[default]
    Data,
    /// The bare array.
    Array,
    /// `{"data": {"items": […]}}`.
    DataItems,
    /// `{"data": {"templates": […]}}`.
    DataTemplates,
    /// `{"templates": […]}`.
    Templates,
    /// `{"results": […]}`.
    Results,
    /// `{"items": […]}`.
    Items,
}

/// Where the uuid stands in the answer of a creation; the contract says only that it is returned (§4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreationShape {
    /// `{"uuid": "…"}`.
    #[default]
    Uuid,
    /// `{"data": {"uuid": "…"}}`.
    DataUuid,
    /// `{"id": "…"}`.
    Id,
}

impl ListingShape {
    /// A listing in this shape.
    pub(crate) fn of(self, records: Vec<Value>) -> Value {
        match self {
            Self::Data => json!({ "data": records }),
            Self::Array => Value::Array(records),
            Self::DataItems => json!({ "data": { "items": records } }),
            Self::DataTemplates => json!({ "data": { "templates": records } }),
            Self::Templates => json!({ "templates": records }),
            Self::Results => json!({ "results": records }),
            Self::Items => json!({ "items": records }),
        }
    }
}

impl CreationShape {
    /// The answer of a creation in this shape.
    pub(crate) fn of(self, uuid: &str) -> Value {
        match self {
            Self::Uuid => json!({ "uuid": uuid }),
            Self::DataUuid => json!({ "data": { "uuid": uuid } }),
            Self::Id => json!({ "id": uuid }),
        }
    }
}
