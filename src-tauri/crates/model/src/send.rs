//! The payload of a send (contract §2.3; upstream §6).

mod cell;
mod check;
mod column_guess;
mod consent_column;
mod form;
mod limits;
mod person_name;
mod problem;
mod repeat;
mod sent;
mod title_case;
mod transform;
mod values;

pub use cell::{is_blank, tidy};
pub use check::{SendFault, check_send};
pub use column_guess::{ColumnGuess, guess_columns};
pub use consent_column::ConsentColumn;
pub use form::{PartKind, PartMedia, PartSection, SendForm, SendPart, SendValues, fill_send, preview_fill, send_form};
pub use limits::TEXT_LENGTH;
pub use problem::{SendProblem, SendProblemCode};
pub use repeat::{REPEAT_WINDOW, is_repeat_asked_about};
pub use sent::{fixed_texts, sent_bubble, written_texts};
pub use title_case::title_case;
pub use transform::{ColumnTransform, DateOrder, DecimalMark, ValueTransform};
pub use values::{ValueCheck, check_values};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::Object;
use crate::open::tagged_objects;

/// The JSON body of `POST …/send-message`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
pub struct SendMessage {
    /// Constant that names the channel.
    pub messaging_product: String,
    /// `individual`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient_type: Option<String>,
    /// Digits with country code; absent where `recipient` takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// A business-scoped user id, for a person whose number is not known (upstream §14.6). `to` wins where both are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// `template` or `text`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Callback data: a string of JSON, returned unchanged in status events and hidden from the recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub biz_opaque_callback_data: Option<String>,
    /// For `type` `template`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<SendTemplate>,
    /// For `type` `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<SendText>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

impl SendMessage {
    /// The number or the user id that it goes to; empty without any.
    #[must_use]
    pub fn addressee(&self) -> &str {
        self.to.as_deref().or(self.recipient.as_deref()).unwrap_or_default()
    }
}

/// A free text message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct SendText {
    pub body: String,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
pub struct SendTemplate {
    /// Name of an approved template.
    pub name: String,
    pub language: SendLanguage,
    /// Only components that have parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<SendComponent>>")]
    pub components: Vec<SendComponent>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct SendLanguage {
    /// Code like `pt_BR`.
    pub code: String,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

tagged_objects! {
    /// One filled component.
    SendComponent {
        Header(Parameters) = "header",
        Body(Parameters) = "body",
        /// Fills the footer; shown in the contract, not defined by the channel.
        Footer(Parameters) = "footer",
        Button(SendButton) = "button",
        Carousel(SendCarousel) = "carousel",
        /// Sets the end of a limited-time offer.
        LimitedTimeOffer(Parameters) = "limited_time_offer",
    }
}

/// Parameters in the order of the variables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct Parameters {
    pub parameters: Vec<Parameter>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct SendButton {
    /// `quick_reply`, `url`, `copy_code`, `flow`, `catalog`, `mpm`, `voice_call`, `order_details`.
    pub sub_type: String,
    /// Zero-based position of the button. Written as a string; an integer is read too (upstream §12 #14).
    #[serde(deserialize_with = "string_or_integer")]
    pub index: String,
    #[serde(default)]
    pub parameters: Vec<Parameter>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

fn string_or_integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(crate::Id::deserialize(deserializer)?.as_str().to_owned())
}

/// Cards of a sent carousel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct SendCarousel {
    /// One for each card of the template.
    pub cards: Vec<SendCard>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct SendCard {
    /// Zero-based, an integer.
    pub card_index: u32,
    /// Header, body and buttons of the card.
    #[serde(default)]
    pub components: Vec<SendComponent>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

tagged_objects! {
    Parameter {
        Text(TextParameter) = "text",
        Image(ImageParameter) = "image",
        Video(VideoParameter) = "video",
        Document(DocumentParameter) = "document",
        Location(LocationParameter) = "location",
        /// The payload that a tapped quick reply returns.
        Payload(PayloadParameter) = "payload",
        /// The code of a copy-code button.
        CouponCode(CouponCodeParameter) = "coupon_code",
        /// Data of a flow, catalog, product list or order button.
        Action(ActionParameter) = "action",
        /// The end of a limited-time offer.
        LimitedTimeOffer(LimitedTimeOfferParameter) = "limited_time_offer",
    }
}

/// `{type: text, text}`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
pub struct TextParameter {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter_name: Option<String>,
    pub text: String,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// Source of media: a link, or the identifier of an upload.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Media {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Documents only: the displayed name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

macro_rules! parameter_of {
    ($(#[$meta:meta])* $name:ident { $(#[$field_meta:meta])* $field:ident: $inner:ty }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
        #[ts(export_to = "model.ts")]
        pub struct $name {
            $(#[$field_meta])*
            pub $field: $inner,
            #[serde(flatten)]
            #[ts(skip)]
            pub extra: Object,
        }
    };
}

parameter_of! {
    /// `{type: image, image}`.
    ImageParameter {
        image: Media
    }
}
parameter_of! {
    /// `{type: video, video}`.
    VideoParameter {
        video: Media
    }
}
parameter_of! {
    /// `{type: document, document}`.
    DocumentParameter {
        document: Media
    }
}
parameter_of! {
    /// `{type: location, location}`; coordinates and name in the given format.
    LocationParameter {
        #[ts(type = "Record<string, unknown>")]
        location: Object
    }
}
parameter_of! {
    /// `{type: payload, payload}`.
    PayloadParameter {
        /// Returned in the event of the tap.
        payload: String
    }
}
parameter_of! {
    /// `{type: coupon_code, coupon_code}`.
    CouponCodeParameter {
        /// At most 15 characters.
        coupon_code: String
    }
}
parameter_of! {
    /// `{type: action, action}`.
    ActionParameter {
        /// The shape depends on the button type.
        #[ts(type = "unknown")]
        action: Value
    }
}
parameter_of! {
    /// `{type: limited_time_offer, limited_time_offer}`.
    LimitedTimeOfferParameter {
        /// Contains `expiration_time_ms`, a Unix timestamp in milliseconds.
        #[ts(type = "Record<string, unknown>")]
        limited_time_offer: Object
    }
}
