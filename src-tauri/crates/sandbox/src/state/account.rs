//! Workspaces, business accounts and sending numbers.

use serde::{Deserialize, Serialize};

/// A workspace that templates belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Workspace {
    /// The one the sandbox was opened for.
    #[default]
    Main,
    /// Another one, by its UUID.
    Additional(String),
}

/// A business account.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Waba {
    pub(crate) business_id: String,
    pub(crate) name: String,
}

/// A sending number.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Number {
    /// Where its templates live; an adopted number may send those of every WABA.
    pub(crate) waba: Option<u64>,
    pub(crate) display: String,
    pub(crate) name: String,
}
