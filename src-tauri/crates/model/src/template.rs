//! Templates: the content that is written and submitted for review, and the provider's record (contract §2.1).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::account_record::{AccountRecord, account_records, dearest, worst_quality};
use crate::button::Button;
use crate::component::Component;
use crate::lenient::{if_readable, maybe_flag, maybe_integer, maybe_text, or_default, present, readable_members, text};
use crate::vocabulary::{Category, ParameterFormat, TemplateStatus, TemplateType};
use crate::{Id, Object, lifecycle};

/// The content of a template: the creation JSON without the WABAs (contract §4.2).
///
/// Serialises to exactly that JSON. Unknown fields are kept in `extra` and written back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Template {
    /// At most 512 lower-case letters, digits and underscores. Immutable.
    #[serde(deserialize_with = "text")]
    pub name: String,
    /// Code like `pt_BR`; see [`crate::language`]. Immutable.
    #[serde(deserialize_with = "text")]
    pub language: String,
    /// Purpose of the template. Absent if a record doesn't state it; a creation requires one (contract §4.2).
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Category::is_absent")]
    #[ts(optional, as = "Option<Category>")]
    pub category: Category,
    /// Optional refinement of the category; the contract names no values.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub sub_category: Option<String>,
    /// The sending API of the template.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<TemplateType>,
    /// Format of the variables; derived from the text if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter_format: Option<ParameterFormat>,
    /// Header, body, footer, buttons and others, in display order.
    #[serde(deserialize_with = "components")]
    pub components: Vec<Component>,
    /// Seconds after which an undelivered message is dropped (upstream §4.4); `-1` means 30 days.
    #[serde(deserialize_with = "maybe_integer", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub message_send_ttl_seconds: Option<i64>,
    /// `ORDER_DETAILS` for payment templates (upstream §10).
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub display_format: Option<String>,
    /// Payment data in the provider's shape (contract §2.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub pix_data: Option<Value>,
    /// Order data in the provider's shape (contract §2.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub order_data: Option<Value>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// An array, `null`, or an array inside a string, as in a multipart creation.
fn components<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Component>, D::Error> {
    let value = match Value::deserialize(deserializer)? {
        Value::String(json) => serde_json::from_str(&json).map_err(serde::de::Error::custom)?,
        value => value,
    };
    crate::json::read::<Option<Vec<Component>>>(&value).map(Option::unwrap_or_default).map_err(serde::de::Error::custom)
}

impl Template {
    /// The first component for which `pick` returns a value.
    pub fn find<'a, T>(&'a self, pick: impl FnMut(&'a Component) -> Option<T>) -> Option<T> {
        self.components.iter().find_map(pick)
    }

    /// Whether it has a button of which a tap comes back as a message: a quick reply or a form. Clicks on links and calls are
    /// not reported.
    #[must_use]
    pub fn has_reply_button(&self) -> bool {
        fn has(components: &[Component]) -> bool {
            let replies = |button: &Button| matches!(button, Button::QuickReply(_) | Button::Flow(_));
            components.iter().any(|component| match component {
                Component::Buttons(row) => row.buttons.iter().any(replies),
                Component::Carousel(carousel) => carousel.cards.iter().any(|card| has(&card.components)),
                _ => false,
            })
        }
        has(&self.components)
    }

    /// Whether it asks for a payment: such a template has a `display_format`.
    #[must_use]
    pub fn has_order_button(&self) -> bool {
        let is_order = |button: &Button| matches!(button, Button::OrderDetails(_));
        self.components.iter().any(|component| match component {
            Component::Buttons(row) => row.buttons.iter().any(is_order),
            _ => false,
        })
    }
}

/// A template in the provider's listing (contract §2.1, §4.7; upstream §1.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TemplateRecord {
    /// The provider's identifier: the reference for edit, archive, unarchive and delete.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The channel's identifier, which status events use.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// The status; absent in some answers.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub status: Option<TemplateStatus>,
    /// Archived flag, beside the status: not a status of the contract.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
    /// Time of archiving in the provider's format; `null` if it is not archived.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<Value>,
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<Id>,
    /// WABAs in which it was created.
    #[serde(deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
    pub waba_ids: Vec<Id>,
    /// The single WABA, if the provider uses this field.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub waba_id: Option<Id>,
    /// Reason of a rejection (upstream §5.6).
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub rejected_reason: Option<String>,
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub rejection_info: Option<crate::envelope::RejectionInfo>,
    /// Its state in each WABA: see [`Self::account_records`].
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub wabas: Option<Value>,
    /// Another name of `wabas`.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub accounts: Option<Value>,
    #[serde(flatten)]
    pub template: Template,
}

impl Template {
    /// The category before the current one, in lower case, if a provider states both and they differ (upstream §1.3).
    #[must_use]
    pub fn previous_category(&self) -> Option<String> {
        let previous = Category::from(self.extra.get("previous_category")?.as_str()?);
        let is_other = lifecycle::is_other_category(previous.as_str(), self.category.as_str());
        is_other.then(|| previous.as_str().to_owned())
    }
}

impl TemplateRecord {
    /// The provider's reference: `uuid`, else `id`.
    #[must_use]
    pub fn reference(&self) -> Option<&str> {
        self.uuid.as_deref().or_else(|| self.id.as_ref().map(Id::as_str))
    }

    /// Whether it is archived, according to the flag, the time, or the status. `None` if the record doesn't say: the
    /// contract has no field for it (§2.1, §4.4).
    #[must_use]
    pub fn is_archived(&self) -> Option<bool> {
        let by_status = match &self.status {
            Some(TemplateStatus::Archived) => Some(true),
            Some(TemplateStatus::Unarchived) => Some(false),
            _ => None,
        };
        self.archived.or(by_status).or_else(|| self.archived_at.as_ref().map(|at| !at.is_null()))
    }

    /// All named WABAs, in the given order.
    #[must_use]
    pub fn wabas(&self) -> Vec<String> {
        let accounts = self.account_records();
        let mut wabas: Vec<String> = self.waba_ids.iter().map(|id| id.as_str().to_owned()).collect();
        for id in self.waba_id.iter().chain(accounts.iter().map(|account| &account.waba_id)) {
            if !wabas.iter().any(|known| known == id.as_str()) {
                wabas.push(id.as_str().to_owned());
            }
        }
        wabas
    }

    /// Its state in each WABA, as far as it is stated. The contract leaves open whether a provider lists it (§2.1).
    #[must_use]
    pub fn account_records(&self) -> Vec<AccountRecord> {
        let named = |waba: &str| self.waba_ids.iter().chain(&self.waba_id).any(|id| id.as_str() == waba);
        account_records(self.wabas.iter().chain(&self.accounts), named)
    }

    /// Adds another record of the same template: a provider may list one for each WABA.
    pub fn join(&mut self, other: &Self) {
        let accounts: Vec<AccountRecord> = [&*self, other].into_iter().flat_map(Self::each_account).collect();
        if let (Some(known), Some(status)) = (&self.status, &other.status)
            && lifecycle::usability(status.as_str()).0 < lifecycle::usability(known.as_str()).0
        {
            self.status.clone_from(&other.status);
            self.rejected_reason.clone_from(&other.rejected_reason);
        }
        let mut named = self.wabas();
        let more: Vec<String> = other.wabas().into_iter().filter(|waba| !named.contains(waba)).collect();
        named.extend(more);
        self.waba_ids = named.iter().map(|waba| Id::number(waba).unwrap_or_else(|| Id::text(waba))).collect();
        self.waba_id = None;
        self.accounts = None;
        self.wabas = serde_json::to_value(accounts).ok();
    }

    /// Its state in each WABA that it names.
    fn each_account(&self) -> Vec<AccountRecord> {
        let mut accounts = self.account_records();
        for waba in self.wabas() {
            if accounts.iter().all(|account| account.waba_id.as_str() != waba) {
                accounts.push(AccountRecord {
                    waba_id: Id::number(&waba).unwrap_or_else(|| Id::text(&waba)),
                    status: self.status.clone(),
                    rejected_reason: self.rejected_reason.clone(),
                    quality_score: None,
                    category: Some(self.template.category.as_str().to_lowercase()).filter(|word| !word.is_empty()),
                    extra: Object::new(),
                });
            }
        }
        accounts
    }

    /// The status that counts, and the reason of a rejection: of several WABAs, those of the least usable one. The record's
    /// own status counts for the WABAs for which none is stated.
    #[must_use]
    pub fn decisive_status(&self) -> (Option<TemplateStatus>, Option<String>) {
        let accounts = self.account_records();
        let stated: Vec<_> = accounts.iter().filter(|account| account.status.is_some()).collect();
        let is_stated = |waba: &String| stated.iter().any(|account| account.waba_id.as_str() == waba);
        let own = (self.status.as_ref(), self.rejected_reason.as_deref());
        let mut statuses: Vec<_> = stated
            .iter()
            .map(|account| {
                let is_rejected = account.status == Some(TemplateStatus::Rejected);
                let common = own.1.filter(|_| is_rejected);
                (account.status.as_ref(), account.rejected_reason.as_deref().or(common))
            })
            .collect();
        if stated.is_empty() || !self.wabas().iter().all(is_stated) {
            statuses.push(own);
        }
        let least =
            lifecycle::most_restrictive(statuses.iter().filter_map(|(status, _)| Some(status.as_ref()?.as_str())));
        let decisive = statuses.iter().find(|(status, _)| status.map(TemplateStatus::as_str) == least).unwrap_or(&own);
        (decisive.0.cloned(), decisive.1.map(str::to_owned))
    }

    /// The category that counts, in lower case and empty if unknown, and the one before it, if that is stated: of several
    /// WABAs, those of the one in which messages cost most.
    #[must_use]
    pub fn decisive_category(&self) -> (String, Option<String>) {
        let own = self.template.category.as_str();
        let accounts = self.account_records();
        let (category, before) = match dearest(own, &accounts) {
            Some((account, category)) => (category.to_owned(), account.previous_category()),
            None => (own.to_owned(), self.template.previous_category()),
        };
        let before = before.filter(|before| lifecycle::is_other_category(before, &category));
        (category, before)
    }

    /// The worst quality of its WABAs, else the one that the record has for all of them.
    #[must_use]
    pub fn quality(&self) -> Option<String> {
        let accounts = self.account_records();
        let score = self.template.extra.get("quality_score");
        let common = || score.and_then(|score| score.get("score").unwrap_or(score).as_str());
        worst_quality(&accounts).or_else(common).map(str::to_owned)
    }
}

/// The JSON body of `POST …/workspace-templates` (contract §4.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreateTemplate {
    /// WABAs of one business manager, as numbers.
    pub waba_ids: Vec<Id>,
    #[serde(flatten)]
    pub template: Template,
}

/// The fields of `PUT …/workspace-templates/{uuid}`; all optional (contract §4.3).
///
/// An absent field is unchanged; `null` clears a field. The contract doesn't define how to clear one.
///
/// `name`, `language`, `waba_ids` and `business_id` are immutable and therefore missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct EditTemplate {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Subcategory; `null` clears it.
    #[serde(deserialize_with = "text_or_null", skip_serializing_if = "Option::is_none")]
    pub sub_category: Option<Option<String>>,
    /// All components; the list is replaced as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<Component>>,
    /// Format of the variables; `null` clears it.
    #[serde(deserialize_with = "or_null", skip_serializing_if = "Option::is_none")]
    pub parameter_format: Option<Option<ParameterFormat>>,
    /// Target workspace in an administrative context.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub workspace_uuid: Option<String>,
    /// Marks an administrative context.
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

/// A field that is present, possibly `null`.
fn or_null<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// A string that is present, possibly `null`.
fn text_or_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    maybe_text(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    #[test]
    fn unusual_answers_are_readable() {
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
    fn the_archived_state_may_be_unknown() {
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
    fn an_absent_category_stays_absent() {
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
