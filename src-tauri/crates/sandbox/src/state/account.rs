//! Workspaces, business accounts and sending numbers.

use serde::{Deserialize, Serialize};

/// A workspace that templates belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Workspace {
    /// The main workspace of the sandbox.
    #[default]
    Main,
    /// An additional workspace, by its UUID.
    Additional(String),
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Waba {
    pub(crate) business_id: String,
    pub(crate) name: String,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Number {
    /// The WABA of its templates; an adopted number may send the templates of every WABA.
    pub(crate) waba: Option<u64>,
    pub(crate) display: String,
    pub(crate) name: String,
}
