//! Webhook envelopes and the values they carry (contract §2.4, §6; upstream §8).

use serde::{Deserialize, Serialize};

use crate::Object;

/// Why a template was refused, in words (upstream §8.4).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RejectionInfo {
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}
