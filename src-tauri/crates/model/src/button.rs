//! Buttons of a template (contract §2.2; upstream §2.4).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::Object;
use crate::lenient::{maybe_count, maybe_flag, maybe_text, or_default, text, texts};
use crate::open::tagged_objects;
use crate::vocabulary::OtpType;

tagged_objects! {
    /// One button. Types other than the contract's two come from the channel and are passed through.
    Button {
        /// Opens an address.
        Url(UrlButton) = "URL",
        /// Replies with its label.
        QuickReply(LabelButton) = "QUICK_REPLY",
        /// Calls a number.
        PhoneNumber(PhoneNumberButton) = "PHONE_NUMBER",
        /// Copies a coupon code; the phone provides the label.
        CopyCode(CopyCodeButton) = "COPY_CODE",
        /// Passes on a one-time passcode; authentication only.
        Otp(OtpButton) = "OTP",
        /// Opens a form.
        Flow(FlowButton) = "FLOW",
        Catalog(LabelButton) = "CATALOG",
        /// Opens a list of products.
        Mpm(LabelButton) = "MPM",
        /// Opens one product.
        Spm(LabelButton) = "SPM",
        /// Calls the business inside the channel.
        VoiceCall(VoiceCallButton) = "VOICE_CALL",
        /// Shows an order with its payment.
        OrderDetails(LabelButton) = "ORDER_DETAILS",
        /// Asks for the recipient's contact card; the phone provides the label.
        RequestContactInfo(BareButton) = "REQUEST_CONTACT_INFO",
    }
}

impl Button {
    /// The label of the template; `None` if the phone provides it.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        match self {
            Self::Url(button) => Some(&button.text),
            Self::QuickReply(button)
            | Self::Catalog(button)
            | Self::Mpm(button)
            | Self::Spm(button)
            | Self::OrderDetails(button) => Some(&button.text),
            Self::PhoneNumber(button) => Some(&button.text),
            Self::Flow(button) => Some(&button.text),
            Self::VoiceCall(button) => Some(&button.text),
            Self::Otp(button) => button.text.as_deref(),
            Self::CopyCode(_) | Self::RequestContactInfo(_) => None,
            Self::Unknown(object) => object.get("text").and_then(Value::as_str),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct LabelButton {
    /// Label, at most 25 characters.
    #[serde(deserialize_with = "text")]
    pub text: String,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// A button with neither label nor target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct BareButton {
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct UrlButton {
    /// Label, at most 25 characters.
    #[serde(deserialize_with = "text")]
    pub text: String,
    /// Address, at most 2000 characters, with at most one variable at its very end.
    #[serde(deserialize_with = "text")]
    pub url: String,
    /// The whole address with the variable filled in.
    #[serde(deserialize_with = "texts", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub example: Vec<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct PhoneNumberButton {
    /// Label, at most 25 characters.
    #[serde(deserialize_with = "text")]
    pub text: String,
    /// Number with country code, at most 20 characters.
    #[serde(deserialize_with = "text")]
    pub phone_number: String,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct CopyCodeButton {
    /// Sample code, at most 15 characters. Written as a string; an array of one is read too.
    #[serde(deserialize_with = "first_of_one_or_many")]
    pub example: String,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

fn first_of_one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let codes = texts(deserializer)?;
    Ok(codes.into_iter().next().unwrap_or_default())
}

/// `OTP` (upstream §2.9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
pub struct OtpButton {
    /// How the code reaches the app.
    pub otp_type: OtpType,
    /// Label of the copy button, at most 25 characters.
    #[serde(deserialize_with = "maybe_text", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Label of the autofill button, at most 25 characters.
    #[serde(deserialize_with = "maybe_text", default, skip_serializing_if = "Option::is_none")]
    pub autofill_text: Option<String>,
    /// Must be true for zero-tap.
    #[serde(deserialize_with = "maybe_flag", default, skip_serializing_if = "Option::is_none")]
    pub zero_tap_terms_accepted: Option<bool>,
    /// Apps that may receive the code, at most 5.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<SupportedApp>>")]
    pub supported_apps: Vec<SupportedApp>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// An app that may receive a one-time passcode.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct SupportedApp {
    /// At most 224 characters with at least two dot-separated segments.
    #[serde(deserialize_with = "text")]
    pub package_name: String,
    /// Exactly 11 of `[A-Za-z0-9+/=]`.
    #[serde(deserialize_with = "text")]
    pub signature_hash: String,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct FlowButton {
    /// Label, at most 25 characters.
    #[serde(deserialize_with = "text")]
    pub text: String,
    /// Exactly one of `flow_id`, `flow_name` and `flow_json` identifies the form.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub flow_id: Option<String>,
    /// See `flow_id`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub flow_name: Option<String>,
    /// See `flow_id`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub flow_json: Option<String>,
    /// `navigate` (default) or `data_exchange`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub flow_action: Option<String>,
    /// First screen.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub navigate_screen: Option<String>,
    /// `DOCUMENT`, `PROMOTION` or `REVIEW`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct VoiceCallButton {
    /// Label, at most 20 characters.
    #[serde(deserialize_with = "text")]
    pub text: String,
    /// Minutes for which the button works, 1440–43200.
    #[serde(deserialize_with = "maybe_count", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub ttl_minutes: Option<u64>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}
