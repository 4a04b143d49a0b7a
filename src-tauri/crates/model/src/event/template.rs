//! Events about templates (contract §6.5; upstream §8.4–§8.7).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::envelope::RejectionInfo;
use crate::lenient::{if_readable, maybe_text, readable_members, text};
use crate::vocabulary::TemplateStatus;
use crate::{Id, Object};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplateStatusUpdate {
    pub event: TemplateStatus,
    /// The channel's identifier, a 64-bit number.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub message_template_id: Option<Id>,
    #[serde(default, deserialize_with = "text")]
    pub message_template_name: String,
    /// The template's language; written `en_US` or `en-US`; see [`crate::language::normalise`].
    #[serde(default, deserialize_with = "text")]
    pub message_template_language: String,
    /// The reason, such as `INVALID_FORMAT`; `NONE` or null if there is none.
    #[serde(default, deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The category after the review, which can differ from the requested one.
    #[serde(default, deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub message_template_category: Option<String>,
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub rejection_info: Option<RejectionInfo>,
    /// With `FLAGGED`: when the template will be disabled.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub disable_info: Option<DisableInfo>,
    /// With `PAUSED`, `LOCKED` and the like.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub other_info: Option<OtherInfo>,
    #[serde(flatten)]
    pub extra: Object,
}

impl TemplateStatusUpdate {
    /// The reason, unless it is `NONE` or absent.
    #[must_use]
    pub fn stated_reason(&self) -> Option<&str> {
        self.reason.as_deref().filter(|reason| !reason.is_empty() && !reason.eq_ignore_ascii_case("NONE"))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct DisableInfo {
    /// A date as text, or seconds since 1970.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub disable_date: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

impl DisableInfo {
    /// The date in Unix milliseconds, if it is given in seconds since 1970.
    #[must_use]
    pub fn instant(&self) -> Option<i64> {
        instant(self.disable_date.as_deref()?)
    }
}

/// Unix milliseconds, from seconds since 1970.
fn instant(seconds: &str) -> Option<i64> {
    let seconds = seconds.trim().parse::<i64>().ok()?;
    (seconds > 0).then(|| seconds.saturating_mul(1_000))
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct OtherInfo {
    /// `FIRST_PAUSE`, `SECOND_PAUSE`, `RATE_LIMITING_PAUSE`, `UNPAUSE`, `DISABLED`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

macro_rules! template_event {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct $name {
            /// The channel's identifier, a 64-bit number.
            #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
            pub message_template_id: Option<Id>,
            #[serde(deserialize_with = "text")]
            pub message_template_name: String,
            /// The template's language; written `en_US` or `en-US`; see [`crate::language::normalise`].
            #[serde(deserialize_with = "text")]
            pub message_template_language: String,
            $($(#[$field_meta])* pub $field: $kind,)*
            #[serde(flatten)]
            pub extra: Object,
        }
    };
}

template_event! {
    TemplateQualityUpdate {
        /// `GREEN`, `YELLOW`, `RED` or `UNKNOWN`.
        #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
        previous_quality_score: Option<String>,
        /// `GREEN`, `YELLOW`, `RED` or `UNKNOWN`.
        #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
        new_quality_score: Option<String>,
    }
}

template_event! {
    /// A template's category will change or has changed; see [`TemplateCategoryUpdate::change`].
    TemplateCategoryUpdate {
        /// In a notice: the future category.
        #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
        correct_category: Option<String>,
        /// After the change: the previous category.
        #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
        previous_category: Option<String>,
        /// The current category, also in a notice.
        #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
        new_category: Option<String>,
        /// In a notice: time of the change, in seconds since 1970.
        #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
        category_update_timestamp: Option<String>,
    }
}

/// The two meanings of a category event (upstream §8.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CategoryChange<'a> {
    /// The category will change; sends are still priced by `current`.
    Announced {
        current: Option<&'a str>,
        /// The future category.
        coming: &'a str,
    },
    Done {
        previous: Option<&'a str>,
        current: &'a str,
    },
}

impl TemplateCategoryUpdate {
    /// When an announced change takes place, in Unix milliseconds.
    #[must_use]
    pub fn due_at(&self) -> Option<i64> {
        instant(self.category_update_timestamp.as_deref()?)
    }

    /// The meaning of the event; `None` if it names no category.
    #[must_use]
    pub fn change(&self) -> Option<CategoryChange<'_>> {
        let current = self.new_category.as_deref();
        match (self.correct_category.as_deref(), current) {
            (Some(coming), _) if self.previous_category.is_none() => {
                Some(CategoryChange::Announced { current, coming })
            }
            (_, Some(current)) => Some(CategoryChange::Done { previous: self.previous_category.as_deref(), current }),
            _ => None,
        }
    }
}

template_event! {
    TemplateComponentsUpdate {
        /// Text of the body.
        #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
        message_template_element: Option<String>,
        /// Text of the header.
        #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
        message_template_title: Option<String>,
        /// Text of the footer.
        #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
        message_template_footer: Option<String>,
        /// Present only if one of them is a URL or phone button.
        #[serde(deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
        message_template_buttons: Vec<ChangedButton>,
    }
}

/// A button in a components event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChangedButton {
    /// `URL`, `PHONE_NUMBER`, `QUICK_REPLY` and other words.
    #[serde(deserialize_with = "text")]
    pub message_template_button_type: String,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub message_template_button_text: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub message_template_button_url: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub message_template_button_phone_number: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

/// A quality score as in listings: `{score, date}` (upstream §5.7).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct QualityScore {
    /// `GREEN`, `YELLOW`, `RED` or `UNKNOWN`.
    #[serde(deserialize_with = "text")]
    pub score: String,
    /// When it was computed, in the provider's format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Value>,
    #[serde(flatten)]
    pub extra: Object,
}
