//! Events about accounts, phone numbers and people's preferences (upstream §8.8).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kind::ItemKind;
use crate::lenient::{if_readable, maybe_text, readable_members, text};
use crate::{Id, Object};

#[derive(Clone, Debug, PartialEq)]
pub enum AccountEvent {
    /// `account_alerts`.
    Alert(AccountAlert),
    /// `account_update`.
    Update(AccountUpdate),
    /// `account_review_update`.
    Review(AccountReview),
    /// `business_capability_update`.
    Capability(BusinessCapability),
    /// `phone_number_quality_update`.
    NumberQuality(PhoneNumberQuality),
    /// `phone_number_name_update`.
    NumberName(PhoneNumberName),
    /// `security`.
    Security(Security),
    /// `user_preferences`.
    Preferences(UserPreferences),
    /// `business_username_updates`.
    Username(BusinessUsername),
    /// `payment_configuration_update`.
    Payment(PaymentConfiguration),
}

impl AccountEvent {
    /// Decodes the value of an item of `kind`; `None` for kinds of other modules and undecodable values.
    pub(crate) fn read(kind: &ItemKind, json: &str) -> Option<Self> {
        match kind {
            ItemKind::AccountAlert => serde_json::from_str(json).ok().map(Self::Alert),
            ItemKind::AccountUpdate => serde_json::from_str(json).ok().map(Self::Update),
            ItemKind::AccountReview => serde_json::from_str(json).ok().map(Self::Review),
            ItemKind::BusinessCapability => serde_json::from_str(json).ok().map(Self::Capability),
            ItemKind::PhoneNumberQuality => serde_json::from_str(json).ok().map(Self::NumberQuality),
            ItemKind::PhoneNumberName => serde_json::from_str(json).ok().map(Self::NumberName),
            ItemKind::Security => serde_json::from_str(json).ok().map(Self::Security),
            ItemKind::UserPreferences => serde_json::from_str(json).ok().map(Self::Preferences),
            ItemKind::BusinessUsername => serde_json::from_str(json).ok().map(Self::Username),
            ItemKind::PaymentConfiguration => serde_json::from_str(json).ok().map(Self::Payment),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AccountAlert {
    /// `BUSINESS`, `PHONE_NUMBER` or `CURRENT_STATUS_ID`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub entity_type: Option<String>,
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub entity_id: Option<Id>,
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub alert_info: Option<AlertInfo>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AlertInfo {
    /// `CRITICAL`, `WARNING` or `INFORMATIONAL`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub alert_severity: Option<String>,
    /// `ACTIVE` or `NONE`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub alert_status: Option<String>,
    /// Such as `OBA_APPROVED` or `PROFILE_PICTURE_LOST`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub alert_type: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub alert_description: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AccountUpdate {
    /// Such as `ACCOUNT_RESTRICTION`, `ACCOUNT_VIOLATION`, `DISABLED_UPDATE`, `PARTNER_ADDED`.
    #[serde(deserialize_with = "text")]
    pub event: String,
    /// With `ACCOUNT_RESTRICTION`.
    #[serde(deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
    pub restriction_info: Vec<Restriction>,
    /// With `ACCOUNT_VIOLATION`.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub violation_info: Option<Violation>,
    /// With `DISABLED_UPDATE`.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub ban_info: Option<Ban>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Restriction {
    /// Such as `RESTRICTED_BIZ_INITIATED_MESSAGING`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub restriction_type: Option<String>,
    /// End of the restriction, in the provider's format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration: Option<Value>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Violation {
    /// Such as `SPAM`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub violation_type: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ban {
    /// `SCHEDULE_FOR_DISABLE`, `DISABLE` or `REINSTATE`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub waba_ban_state: Option<String>,
    /// A date as text.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub waba_ban_date: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

/// The outcome of an account's review.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AccountReview {
    /// `APPROVED`, `REJECTED`, `PENDING` or `DEFERRED`.
    #[serde(deserialize_with = "text")]
    pub decision: String,
    #[serde(flatten)]
    pub extra: Object,
}

/// Limits of the business: numbers, or words like `TIER_10K`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BusinessCapability {
    /// Maximum number of people to contact in 24 hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_daily_conversations_per_business: Option<Value>,
    /// The same per phone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_daily_conversation_per_phone: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_phone_numbers_per_business: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_phone_numbers_per_waba: Option<Value>,
    #[serde(flatten)]
    pub extra: Object,
}

/// A change of a number's limit or throughput. Despite its name it doesn't report a quality.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PhoneNumberQuality {
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub display_phone_number: Option<String>,
    /// `ONBOARDING`, `THROUGHPUT_UPGRADE`; older `UPGRADE`, `DOWNGRADE`, `FLAGGED`, `UNFLAGGED`.
    #[serde(deserialize_with = "text")]
    pub event: String,
    /// Such as `TIER_250`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub old_limit: Option<String>,
    /// Such as `TIER_2K`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub current_limit: Option<String>,
    /// A number or a word like `TIER_10K`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_daily_conversations_per_business: Option<Value>,
    #[serde(flatten)]
    pub extra: Object,
}

impl PhoneNumberQuality {
    /// Whether its tier is about messages a second, not about people a day.
    #[must_use]
    pub fn is_throughput_upgrade(&self) -> bool {
        self.event.eq_ignore_ascii_case("THROUGHPUT_UPGRADE")
    }

    /// Whether it says that the quality became low, or is no longer low.
    #[must_use]
    pub fn is_flag(&self) -> bool {
        ["FLAGGED", "UNFLAGGED"].iter().any(|word| self.event.eq_ignore_ascii_case(word))
    }
}

/// The outcome of a display name's review.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PhoneNumberName {
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub display_phone_number: Option<String>,
    /// `APPROVED`, `DEFERRED`, `PENDING` or `REJECTED`.
    #[serde(deserialize_with = "text")]
    pub decision: String,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub requested_verified_name: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub rejection_reason: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

/// A number's two-step PIN.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Security {
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub display_phone_number: Option<String>,
    /// `PIN_CHANGED`, `PIN_RESET_REQUEST` or `PIN_REQUEST_SUCCESS`.
    #[serde(deserialize_with = "text")]
    pub event: String,
    /// The person who requested it.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub requester: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UserPreferences {
    /// One per person.
    #[serde(deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
    pub user_preferences: Vec<UserPreference>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UserPreference {
    /// The person's number; absent for people known by a business-scoped identifier only.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub wa_id: Option<String>,
    /// The person's business-scoped identifier; absent if the channel names the number only.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// `marketing_messages`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// `stop` or `resume`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Seconds since 1970.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

impl UserPreference {
    /// The person's number, else the business-scoped identifier.
    #[must_use]
    pub fn person(&self) -> Option<&str> {
        [&self.wa_id, &self.user_id].into_iter().flatten().map(String::as_str).find(|id| !id.is_empty())
    }
}

/// The user name of a number of the business.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BusinessUsername {
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub display_phone_number: Option<String>,
    /// The user name; absent if it was deleted.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// `approved`, `reserved` or `deleted`.
    #[serde(deserialize_with = "text")]
    pub status: String,
    /// `revoked` if the channel withdrew the user name.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PaymentConfiguration {
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub configuration_name: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub provider_name: Option<String>,
    /// The business's identifier at the payment provider.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub provider_mid: Option<String>,
    /// `Active`, `Needs Connecting` or `Needs Testing`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_timestamp: Option<Value>,
    /// Seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_timestamp: Option<Value>,
    #[serde(flatten)]
    pub extra: Object,
}
