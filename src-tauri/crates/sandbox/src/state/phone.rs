//! Recipients' phones, their items, and stored files.

use std::collections::{BTreeMap, BTreeSet};

use model::Object;
use serde::{Deserialize, Serialize};

use crate::time::Instant;

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Phone {
    /// Profile name.
    pub(crate) name: String,
    /// When the phone was added; 0 if an older version added it.
    pub(crate) since: Instant,
    /// When the last item appeared, its type and its excerpt. Stored, so that listing many phones needs no rendering.
    pub(crate) last_at: Instant,
    pub(crate) last_kind: String,
    pub(crate) excerpt: String,
    /// When the recipient last wrote to each sending number; opens the 24-hour window.
    pub(crate) wrote: BTreeMap<String, Instant>,
    /// Businesses whose marketing messages the recipient stopped.
    pub(crate) stopped: BTreeSet<String>,
    /// All items, in order.
    pub(crate) items: Vec<PhoneItem>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "direction", rename_all = "lowercase")]
pub(crate) enum PhoneItem {
    /// Sent by the business; the details are in the message.
    Received { message: String },
    /// Sent by the recipient; `content` is the item of the webhook.
    Sent { number: String, at: Instant, content: Object },
}

/// A stored file; its bytes are stored separately.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Media {
    pub(crate) mime_type: String,
    pub(crate) filename: Option<String>,
    pub(crate) size: u64,
    /// When its `url` expires; never if absent.
    #[serde(default)]
    pub(crate) url_expires: Option<Instant>,
    /// Thumbnail as a `data:` URL.
    #[serde(default)]
    pub(crate) thumbnail: Option<String>,
}

impl Media {
    /// A file that does not expire.
    pub(crate) fn new(mime_type: &str, filename: Option<String>, size: u64) -> Self {
        Self { mime_type: mime_type.to_owned(), filename, size, url_expires: None, thumbnail: None }
    }
}
