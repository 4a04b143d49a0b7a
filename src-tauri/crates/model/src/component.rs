//! Components of a template at creation and edit (contract §2.2; upstream §2).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Object;
use crate::button::Button;
use crate::lenient::{Text, maybe_count, maybe_flag, maybe_text, or_default, strings, text, texts};
use crate::open::{one_or_many, tagged_objects};
use crate::vocabulary::HeaderFormat;

/// Placeholder for the handle of a file that is uploaded in the same request (contract §2.2).
pub const UPLOAD_PENDING: &str = "UPLOAD_PENDING";

tagged_objects! {
    Component {
        /// Text, media or location above the message.
        Header(Header) = "HEADER",
        Body(Body) = "BODY",
        /// Small text below the body.
        Footer(Footer) = "FOOTER",
        /// Up to ten buttons.
        Buttons(Buttons) = "BUTTONS",
        /// Cards that are shown side by side.
        Carousel(Carousel) = "CAROUSEL",
        /// An offer with a countdown.
        LimitedTimeOffer(LimitedTimeOffer) = "LIMITED_TIME_OFFER",
        /// Asks the recipient to allow calls.
        CallPermissionRequest(CallPermissionRequest) = "CALL_PERMISSION_REQUEST",
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct NamedSample {
    /// Name between the braces.
    #[serde(deserialize_with = "text")]
    pub param_name: String,
    #[serde(deserialize_with = "text", default)]
    pub example: String,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
pub struct Header {
    /// What the header shows; must match the uploaded file.
    #[serde(default = "text_format")]
    pub format: HeaderFormat,
    /// The line of a `TEXT` header, at most 60 characters with one variable.
    #[serde(deserialize_with = "maybe_text", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Samples, or the handle of the sample file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<HeaderExample>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

fn text_format() -> HeaderFormat {
    HeaderFormat::Text
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct HeaderExample {
    /// Handles of the sample file, [`UPLOAD_PENDING`], or the address from the channel's answer.
    #[serde(deserialize_with = "texts", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>")]
    pub header_handle: Vec<String>,
    /// Sample of the one positional variable.
    #[serde(deserialize_with = "texts", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>")]
    pub header_text: Vec<String>,
    /// Sample of the one named variable.
    #[serde(deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<NamedSample>>")]
    pub header_text_named_params: Vec<NamedSample>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Body {
    /// The text; absent in authentication templates, which have a fixed text.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<BodyExample>,
    /// Authentication only: adds the advice not to share the code.
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub add_security_recommendation: Option<bool>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct BodyExample {
    /// One inner array with a sample for each positional variable, in their order.
    #[serde(deserialize_with = "nested_samples", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Vec<String>>>")]
    pub body_text: Vec<Vec<String>>,
    #[serde(deserialize_with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<NamedSample>>")]
    pub body_text_named_params: Vec<NamedSample>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// Accepts `[["a"]]`, `["a"]` and `"a"`, all of which the channel's own pages show (upstream §2.2).
fn nested_samples<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Samples {
        Nested(Vec<Vec<Text>>),
        Flat(Vec<Text>),
        One(Text),
    }
    Ok(match Option::<Samples>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(Samples::Nested(rows)) => rows.into_iter().map(strings).collect(),
        Some(Samples::Flat(row)) => vec![strings(row)],
        Some(Samples::One(sample)) => vec![vec![sample.0]],
    })
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Footer {
    /// At most 60 characters, no variables.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Authentication only: minutes the code is valid, 1–90.
    #[serde(deserialize_with = "maybe_count", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub code_expiration_minutes: Option<u64>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct Buttons {
    /// In display order; the position is the `index` of a send.
    #[serde(deserialize_with = "or_default")]
    pub buttons: Vec<Button>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct Carousel {
    /// 2–10 cards with the same structure.
    #[serde(deserialize_with = "or_default")]
    pub cards: Vec<Card>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct Card {
    /// Header, optional body, buttons.
    #[serde(deserialize_with = "or_default")]
    pub components: Vec<Component>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct LimitedTimeOffer {
    /// Heading and expiry.
    pub limited_time_offer: Offer,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Offer {
    /// Heading, at most 16 characters.
    #[serde(deserialize_with = "text")]
    pub text: String,
    /// Whether a countdown is shown; the send gives its end.
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub has_expiration: Option<bool>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// `CALL_PERMISSION_REQUEST`: only a type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct CallPermissionRequest {
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}
