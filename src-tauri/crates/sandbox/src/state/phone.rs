//! Phones of the recipients, what they show, and the files that were sent from them or to them.

use std::collections::BTreeMap;

use model::Object;
use serde::{Deserialize, Serialize};

use crate::time::Instant;

/// A recipient's phone.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Phone {
    /// Name in the recipient's profile.
    pub(crate) name: String,
    /// When it was first heard of; 0 for phones of before this was kept.
    pub(crate) since: Instant,
    /// When something last appeared here, and the beginning of what it said. Kept, so that a list of many phones costs
    /// no rendering.
    pub(crate) last_at: Instant,
    pub(crate) excerpt: String,
    /// When each sending number was last written to from here: opens the 24-hour window.
    pub(crate) wrote: BTreeMap<String, Instant>,
    /// Everything that was shown here, in order.
    pub(crate) items: Vec<PhoneItem>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "direction", rename_all = "lowercase")]
pub(crate) enum PhoneItem {
    /// Sent by the business; the message holds the rest.
    Received { message: String },
    /// Sent by the person; `content` is the item of the webhook.
    Sent { number: String, at: Instant, content: Object },
}

/// A stored file; its bytes are kept apart.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Media {
    pub(crate) mime_type: String,
    pub(crate) filename: Option<String>,
    pub(crate) size: u64,
    /// When its `url` stops downloading; never, where absent.
    #[serde(default)]
    pub(crate) url_expires: Option<Instant>,
    /// A small picture of it, as a `data:` URL.
    #[serde(default)]
    pub(crate) thumbnail: Option<String>,
}

impl Media {
    /// A file that stays.
    pub(crate) fn new(mime_type: &str, filename: Option<String>, size: u64) -> Self {
        Self { mime_type: mime_type.to_owned(), filename, size, url_expires: None, thumbnail: None }
    }
}
