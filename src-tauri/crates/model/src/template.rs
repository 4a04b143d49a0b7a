//! A template: what is composed and sent for review, and what the provider returns about it (contract §2.1).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::component::Component;
use crate::lenient::{if_readable, maybe_flag, maybe_integer, maybe_text, or_default, present, readable_members, text};
use crate::vocabulary::{Category, ParameterFormat, TemplateStatus, TemplateType};
use crate::{Id, Object};

/// The content of a template: the JSON of a creation without the places it is created in (contract §4.2).
///
/// Serialises to exactly that JSON. Fields nobody knows are kept in `extra` and written back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Template {
    /// Lower-case letters, digits and underscores, at most 512 of them. Immutable.
    #[serde(deserialize_with = "text")]
    pub name: String,
    /// Code like `pt_BR`; see [`crate::language`]. Immutable.
    #[serde(deserialize_with = "text")]
    pub language: String,
    /// What the template is for. Absent where a record does not say; a creation needs one (contract §4.2).
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Category::is_absent")]
    #[ts(optional, as = "Option<Category>")]
    pub category: Category,
    /// Optional refinement of the category; the contract names no values.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub sub_category: Option<String>,
    /// Which sending API the template is for.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<TemplateType>,
    /// How variables are written; inferred from the text when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter_format: Option<ParameterFormat>,
    /// Header, body, footer, buttons and the like, in display order.
    #[serde(deserialize_with = "components")]
    pub components: Vec<Component>,
    /// Seconds after which an undelivered message is dropped (upstream §4.4); `-1` stands for 30 days.
    #[serde(deserialize_with = "maybe_integer", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub message_send_ttl_seconds: Option<i64>,
    /// `ORDER_DETAILS` for payment templates (upstream §10).
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub display_format: Option<String>,
    /// Payment data; its shape is the provider's (contract §2.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub pix_data: Option<Value>,
    /// Order data; its shape is the provider's (contract §2.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub order_data: Option<Value>,
    /// Fields this version does not know.
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// An array, `null`, or an array inside a string: the form in which a multipart creation carries it.
fn components<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Component>, D::Error> {
    let value = match Value::deserialize(deserializer)? {
        Value::String(json) => serde_json::from_str(&json).map_err(serde::de::Error::custom)?,
        value => value,
    };
    crate::json::read::<Option<Vec<Component>>>(&value).map(Option::unwrap_or_default).map_err(serde::de::Error::custom)
}

impl Template {
    /// The first component that `pick` accepts.
    pub fn find<'a, T>(&'a self, pick: impl FnMut(&'a Component) -> Option<T>) -> Option<T> {
        self.components.iter().find_map(pick)
    }
}

/// A template as the provider lists it (contract §2.1, §4.7; upstream §1.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TemplateRecord {
    /// The provider's identifier: the reference for edit, archive, unarchive and delete.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The channel's own identifier, which status events carry.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// Where the template stands; absent in some answers.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub status: Option<TemplateStatus>,
    /// Archived beside its status: not a status of the contract.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
    /// When it was archived, in whatever form the provider writes instants; `null` says that it is not.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<Value>,
    /// Business manager.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<Id>,
    /// The WABAs it was created in.
    #[serde(deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
    pub waba_ids: Vec<Id>,
    /// The single WABA, where the provider writes one.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub waba_id: Option<Id>,
    /// Why it was rejected (upstream §5.6).
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub rejected_reason: Option<String>,
    /// Reason and recommendation in words.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub rejection_info: Option<crate::envelope::RejectionInfo>,
    /// The content.
    #[serde(flatten)]
    pub template: Template,
}

impl TemplateRecord {
    /// The provider's reference: `uuid`, else `id`.
    #[must_use]
    pub fn reference(&self) -> Option<&str> {
        self.uuid.as_deref().or_else(|| self.id.as_ref().map(Id::as_str))
    }

    /// Whether it is archived, by the flag, by an instant, or by a status of that name. `None` where the record does not
    /// say: the contract has no field for it (§2.1, §4.4).
    #[must_use]
    pub fn is_archived(&self) -> Option<bool> {
        let by_status = match &self.status {
            Some(TemplateStatus::Archived) => Some(true),
            Some(TemplateStatus::Unarchived) => Some(false),
            _ => None,
        };
        self.archived.or(by_status).or_else(|| self.archived_at.as_ref().map(|at| !at.is_null()))
    }

    /// Every WABA named, in the order given.
    #[must_use]
    pub fn wabas(&self) -> Vec<String> {
        let mut wabas: Vec<String> = self.waba_ids.iter().map(|id| id.as_str().to_owned()).collect();
        if let Some(id) = &self.waba_id
            && !wabas.iter().any(|known| known == id.as_str())
        {
            wabas.push(id.as_str().to_owned());
        }
        wabas
    }
}

/// The JSON body of `POST …/workspace-templates` (contract §4.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreateTemplate {
    /// WABAs of one business manager, as numbers.
    pub waba_ids: Vec<Id>,
    /// The content.
    #[serde(flatten)]
    pub template: Template,
}

/// The fields of `PUT …/workspace-templates/{uuid}`; all optional (contract §4.3).
///
/// A field that is absent stays as it is. The contract does not say how a field is cleared; `null` is JSON's word for it.
///
/// There is no way to write `name`, `language`, `waba_ids` or `business_id` here: they are immutable.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct EditTemplate {
    /// Category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Subcategory; `null` clears it.
    #[serde(deserialize_with = "text_or_null", skip_serializing_if = "Option::is_none")]
    pub sub_category: Option<Option<String>>,
    /// All components; they are replaced as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<Component>>,
    /// How variables are written; `null` clears it.
    #[serde(deserialize_with = "or_null", skip_serializing_if = "Option::is_none")]
    pub parameter_format: Option<Option<ParameterFormat>>,
    /// Target workspace in administrative context.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub workspace_uuid: Option<String>,
    /// Marks administrative context.
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub is_administrator: Option<bool>,
    /// Payment data; `null` clears it.
    #[serde(deserialize_with = "or_null", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub pix_data: Option<Option<Value>>,
    /// Order data; `null` clears it.
    #[serde(deserialize_with = "or_null", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub order_data: Option<Option<Value>>,
}

/// A field that is there, maybe as `null`.
fn or_null<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// A text that is there, maybe as `null`.
fn text_or_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    maybe_text(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    #[test]
    fn odd_answers_stay_readable() {
        for (answer, name, components) in [
            (json!({"name": "a", "components": null, "waba_ids": null, "sub_category": null, "status": null}), "a", 0),
            (json!({"name": 5, "language": null, "category": null, "components": []}), "5", 0),
            (json!({"name": "a", "status": 3, "archived": {}, "waba_ids": "17", "waba_id": {}, "id": []}), "a", 0),
            (json!({"name": "a", "components": "[{\"type\":\"BODY\",\"text\":7}]"}), "a", 1),
            (
                json!({"name": "a", "components": [
                    {"type": "body", "text": "x", "example": {"body_text": [[1, "b"]]}},
                    {"type": "BUTTONS", "buttons": null}, {"type": "HEADER", "format": 5}, {}, {"type": null}]}),
                "a",
                5,
            ),
        ] {
            let record: TemplateRecord = serde_json::from_value(answer.clone()).unwrap();
            assert_eq!(
                (record.template.name.as_str(), record.template.components.len()),
                (name, components),
                "{answer}"
            );
        }
        let record: TemplateRecord = serde_json::from_value(json!({"waba_ids": [1, "2", {}], "waba_id": "3"})).unwrap();
        assert_eq!(record.wabas(), ["1", "2", "3"]);
    }

    #[test]
    fn a_record_is_archived_active_or_does_not_say() {
        for (answer, archived) in [
            (json!({}), None),
            (json!({"status": "APPROVED"}), None),
            (json!({"archived": null}), None),
            (json!({"archived": true}), Some(true)),
            (json!({"archived": false, "status": "ARCHIVED"}), Some(false)),
            (json!({"status": "ARCHIVED"}), Some(true)),
            (json!({"status": "ARCHIVED", "archived_at": null}), Some(true)),
            (json!({"status": "UNARCHIVED"}), Some(false)),
            (json!({"archived_at": "2026-01-01"}), Some(true)),
            (json!({"archived_at": 1_767_225_600}), Some(true)),
            (json!({"archived_at": null}), Some(false)),
        ] {
            let record: TemplateRecord = serde_json::from_value(answer.clone()).unwrap();
            assert_eq!(record.is_archived(), archived, "{answer}");
        }
    }

    #[test]
    fn a_category_that_is_absent_stays_absent() {
        for (answer, category) in
            [(json!({}), None), (json!({"category": null}), None), (json!({"category": "UTILITY"}), Some("utility"))]
        {
            let template: Template = serde_json::from_value(answer.clone()).unwrap();
            assert_eq!(template.category.is_absent(), category.is_none(), "{answer}");
            let written = serde_json::to_value(&template).unwrap();
            assert_eq!(written.get("category").and_then(Value::as_str), category, "{answer}");
        }
    }

    #[test]
    fn a_shape_that_cannot_be_read_is_an_error() {
        for answer in
            [json!([]), json!({"components": {"a": 1}}), json!({"components": "no json"}), json!({"name": {}})]
        {
            serde_json::from_value::<Template>(answer.clone()).expect_err(&answer.to_string());
        }
    }
}
