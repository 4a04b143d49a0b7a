//! Kinds of events; each item of a delivery has one.

use crate::open::open_enum;

open_enum! {
    /// What an item reports. `tdesk events` uses the same words.
    ItemKind {
        Status = "status",
        Message = "message",
        /// An error that concerns no single message.
        Errors = "errors",
        /// A template was approved, rejected, paused, disabled or similar.
        TemplateStatus = "template_status",
        TemplateQuality = "template_quality",
        /// A template's category changes or has changed.
        TemplateCategory = "template_category",
        TemplateComponents = "template_components",
        /// An alert about a business, an account or a number.
        AccountAlert = "account_alert",
        /// A restriction, violation, ban or other change of an account.
        AccountUpdate = "account_update",
        /// The outcome of an account's review.
        AccountReview = "account_review",
        /// The limits of the business changed.
        BusinessCapability = "business_capability",
        /// A number's limit or throughput changed.
        PhoneNumberQuality = "phone_number_quality",
        /// The outcome of a display name's review.
        PhoneNumberName = "phone_number_name",
        /// A number's two-step PIN was changed or requested.
        Security = "security",
        /// A person stopped or resumed marketing.
        UserPreferences = "user_preferences",
        /// A person followed the link of a marketing message, or reached the page behind it.
        UserAction = "user_action",
        /// The user name of a number was approved, reserved or deleted.
        BusinessUsername = "business_username",
        PaymentConfiguration = "payment_configuration",
        /// Any other event: stored and shown as received.
        Unrecognised = "unknown",
    }
}

impl ItemKind {
    /// The kind of a change that is not split, by its `field`.
    pub(crate) fn of_field(field: &str) -> Self {
        match field.to_ascii_lowercase().as_str() {
            "message_template_status_update" => Self::TemplateStatus,
            "message_template_quality_update" => Self::TemplateQuality,
            "template_category_update" => Self::TemplateCategory,
            "message_template_components_update" => Self::TemplateComponents,
            "account_alerts" => Self::AccountAlert,
            "account_update" => Self::AccountUpdate,
            "account_review_update" => Self::AccountReview,
            "business_capability_update" => Self::BusinessCapability,
            "phone_number_quality_update" => Self::PhoneNumberQuality,
            "phone_number_name_update" => Self::PhoneNumberName,
            "security" => Self::Security,
            "user_preferences" => Self::UserPreferences,
            "business_username_updates" | "business_username_update" => Self::BusinessUsername,
            "payment_configuration_update" => Self::PaymentConfiguration,
            _ => Self::Unrecognised,
        }
    }

    #[must_use]
    pub fn is_template(&self) -> bool {
        matches!(self, Self::TemplateStatus | Self::TemplateQuality | Self::TemplateCategory | Self::TemplateComponents)
    }
}
