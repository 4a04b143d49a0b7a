//! Actions of people on a marketing message (upstream §14.2): they followed its link, or reached the page behind it.

use serde::{Deserialize, Serialize};

use crate::Object;
use crate::lenient::{if_readable, maybe_text, text};

/// Known words of `action_type`: the link of a message was followed.
pub const LINK_CLICK: &str = "marketing_messages_link_click";
/// Known words of `action_type`: the page behind a link was shown inside the channel's app.
pub const LANDING_PAGE_VIEW: &str = "landing_page_view";

/// An action of a person on a marketing message. It identifies neither the person nor the message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UserAction {
    /// [`LINK_CLICK`], [`LANDING_PAGE_VIEW`] or an unknown word.
    #[serde(deserialize_with = "text")]
    pub action_type: String,
    /// Seconds since 1970, as text.
    #[serde(deserialize_with = "text")]
    pub timestamp: String,
    /// The click; also sent with a view of the landing page.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub marketing_messages_link_click_data: Option<LinkClick>,
    #[serde(flatten)]
    pub extra: Object,
}

impl UserAction {
    /// The timestamp in seconds since 1970.
    #[must_use]
    pub fn seconds(&self) -> Option<i64> {
        super::status::seconds(&self.timestamp)
    }
}

/// A click. It shares `tracking_token` and `click_id` with the view of its landing page; each may be absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LinkClick {
    /// `cta` for the button, `body` for the message itself.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub click_component: Option<String>,
    /// Identifier of the click, which is also appended to the opened address.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub click_id: Option<String>,
    /// The channel's own token.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub tracking_token: Option<String>,
    /// The advertised product.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub product_id: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}
