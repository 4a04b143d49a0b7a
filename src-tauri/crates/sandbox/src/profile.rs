//! Profiles: how much detail the provider's responses have, and the response forms of the minimal profile.
//!
//! `whatsapp` and `agency` answer as the channel behind a provider does. `minimal` returns only what the contract
//! documents: a client that works with it depends on no optional field. Where the contract shows no form, [`Minimal`]
//! chooses one of those that a client must accept.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Detail of the provider's responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Includes the channel's fields that are not in the contract, and applies the channel's rules.
    #[default]
    Whatsapp,
    /// Only what the contract documents: fields of §2.1, §2.4, §6 and §7, no paging, no other events. Rules that only
    /// the channel has don't cause refusals.
    Minimal,
    /// As [`Profile::Whatsapp`], with the accounts and templates of [`crate::seed`] for several accounts.
    Agency,
}

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "whatsapp" => Ok(Self::Whatsapp),
            "minimal" => Ok(Self::Minimal),
            "agency" => Ok(Self::Agency),
            other => Err(format!("`{other}` is no profile; use agency, minimal or whatsapp")),
        }
    }
}

/// Response forms of the profile `minimal` where the contract leaves a choice. Ignored under another profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Minimal {
    pub listing: ListingShape,
    /// Whether a listing includes archived templates. Records have no archived flag.
    pub archived: bool,
    /// Whether records include the category.
    pub category: bool,
    pub creation: CreationShape,
    /// Whether the response to a send includes the message ID.
    pub message_id: bool,
    /// Whether archive, unarchive, delete, and a send without message ID return no body instead of `{}`.
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

/// Shape of a listing; the contract does not show it (§4.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListingShape {
    /// `{"data": […]}`.
    #[default]
    Data,
    /// A top-level array.
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

/// Shape of the response to a creation; the contract says only that the UUID is returned (§4.2).
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
    /// Wraps the records in this shape.
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
    /// Wraps the UUID in this shape.
    pub(crate) fn of(self, uuid: &str) -> Value {
        match self {
            Self::Uuid => json!({ "uuid": uuid }),
            Self::DataUuid => json!({ "data": { "uuid": uuid } }),
            Self::Id => json!({ "id": uuid }),
        }
    }
}
