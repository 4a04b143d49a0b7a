//! The kinds of events, which are the kinds of the items that a delivery is split into.

use crate::open::open_enum;

open_enum! {
    /// What an item reports. The words are those of `tdesk events`.
    ItemKind {
        /// What happened to a sent message.
        Status = "status",
        /// An inbound message.
        Message = "message",
        /// An error that belongs to no single message.
        Errors = "errors",
        /// A template was approved, rejected, paused, disabled or the like.
        TemplateStatus = "template_status",
        /// A template's quality score changed.
        TemplateQuality = "template_quality",
        /// A template's category changes or has changed.
        TemplateCategory = "template_category",
        /// A template's content changed.
        TemplateComponents = "template_components",
        /// An alert about a business, an account or a number.
        AccountAlert = "account_alert",
        /// A restriction, violation, ban or other change of an account.
        AccountUpdate = "account_update",
        /// The outcome of an account's review.
        AccountReview = "account_review",
        /// What the business may do changed.
        BusinessCapability = "business_capability",
        /// A number's limit or throughput changed.
        PhoneNumberQuality = "phone_number_quality",
        /// The outcome of a display name's review.
        PhoneNumberName = "phone_number_name",
        /// A number's two-step PIN changed or was asked for.
        Security = "security",
        /// A person stopped or resumed marketing.
        UserPreferences = "user_preferences",
        /// A person followed the link of a marketing message, or reached the page behind it.
        UserAction = "user_action",
        /// The user name of a number was approved, reserved or deleted.
        BusinessUsername = "business_username",
        /// A payment configuration changed.
        PaymentConfiguration = "payment_configuration",
        /// Anything else: kept and shown as it came.
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

    /// Whether it is about a template.
    #[must_use]
    pub fn is_template(&self) -> bool {
        matches!(self, Self::TemplateStatus | Self::TemplateQuality | Self::TemplateCategory | Self::TemplateComponents)
    }
}
