//! Findings: what the rules have to say about a template, each placed at its field.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The contract or the channel refuses it.
    Error,
    /// It is likely refused, or will surprise.
    Warning,
    /// Advice.
    Hint,
}

/// Codes of warnings about requests that the contract allows and the channel usually refuses (upstream §3.2, §5.3). Such
/// a request leaves only after a person has overridden them.
const OVERRIDABLE: [&str; 7] = [
    "body.sample_missing",
    "code.sample_missing",
    "edit.archived",
    "edit.category_approved",
    "edit.status",
    "header.sample_missing",
    "url.sample_missing",
];

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "model.ts")]
pub struct Finding {
    /// Stable code such as `body.too_long`; also the key under which the window finds its sentence.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// JSON pointer (RFC 6901) into the template, such as `/components/1/text`.
    pub path: String,
    /// The sentence in English, for `tdesk` and for refusals of the sandbox.
    pub message: String,
    /// Numbers and words that the sentence is made from, under the names used in the locales.
    pub values: BTreeMap<&'static str, String>,
    /// Where the rule is stated: a section of the contract or an address of the channel's documentation.
    pub source: &'static str,
    /// Whether [`crate::rewrite::Rewrite::Fix`] makes it go away without bringing an error.
    pub fixable: bool,
}

impl Finding {
    /// Every code that a person can override.
    pub const OVERRIDABLE: &'static [&'static str] = &OVERRIDABLE;

    /// Whether a person must override this finding before the request leaves.
    #[must_use]
    pub fn needs_override(&self) -> bool {
        self.severity == Severity::Warning && OVERRIDABLE.contains(&self.code)
    }
}

/// The length of a text and its limit, in characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
pub struct Counter {
    /// JSON pointer (RFC 6901) to the text.
    pub path: String,
    /// Characters used.
    pub used: usize,
    /// At most so many.
    pub limit: usize,
}

/// Whether any finding would be refused.
#[must_use]
pub fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}
