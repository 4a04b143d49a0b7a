//! Findings: results of the rules for a template, each with the field that it concerns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The contract or the channel rejects it.
    Error,
    /// A rejection is likely, or the result is unexpected.
    Warning,
    Hint,
}

/// Codes of warnings about requests that the contract allows and that the channel usually rejects, or rejects according to
/// third parties only (upstream §3.2, §5.3; decision 0049). Such a request is sent only after a person has overridden them.
const OVERRIDABLE: [&str; 19] = [
    "body.sample_missing",
    "button.label_repeated",
    "card.format_differs",
    "code.sample_missing",
    "code.too_long",
    "edit.archived",
    "edit.category_approved",
    "edit.status",
    "footer.expiration_unused",
    "footer.variable",
    "header.formatting",
    "header.picture_damaged",
    "header.sample_missing",
    "order.button_required",
    "phone.placeholder",
    "url.placeholder",
    "url.sample_missing",
    "url.variable_name",
    "variable.at_edge",
];

/// Codes of findings about samples, which every request has to bring, untouched or not.
const OF_SAMPLES: [&str; 5] = [
    "body.sample_missing",
    "code.sample_missing",
    "header.handle_is_address",
    "header.sample_missing",
    "url.sample_missing",
];

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "model.ts")]
pub struct Finding {
    /// Stable code such as `body.too_long`; also the window's key for the translated sentence.
    pub code: &'static str,
    pub severity: Severity,
    /// JSON pointer (RFC 6901) into the template, such as `/components/1/text`.
    pub path: String,
    /// The sentence in English, for `tdesk` and for rejections by the sandbox.
    pub message: String,
    /// Values in the sentence, by their names in the locales; `errorCode` is the channel's error, which the window shows with
    /// the source.
    pub values: BTreeMap<&'static str, String>,
    /// Source of the rule: a section of the contract, or an address of the channel's documentation.
    pub source: &'static str,
    /// Whether [`crate::rewrite::Rewrite::Fix`] removes it without causing an error.
    pub fixable: bool,
    /// Whether the accepted template has it too, in a part that the edit leaves as it is. Then it blocks nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub untouched: bool,
}

impl Finding {
    pub const OVERRIDABLE: &'static [&'static str] = &OVERRIDABLE;

    /// Whether a person must override this finding before the request is sent.
    #[must_use]
    pub fn needs_override(&self) -> bool {
        self.severity == Severity::Warning && !self.untouched && OVERRIDABLE.contains(&self.code)
    }

    /// Whether it blocks a request, at least until a person overrides it.
    #[must_use]
    pub fn blocks(&self) -> bool {
        self.severity == Severity::Error || self.needs_override()
    }

    /// Whether it is about a sample.
    #[must_use]
    pub fn is_of_sample(&self) -> bool {
        OF_SAMPLES.contains(&self.code)
    }
}

/// The length of a text in characters, or of a list in items, and its limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
pub struct Counter {
    /// JSON pointer (RFC 6901) to the text or list.
    pub path: String,
    pub used: usize,
    pub limit: usize,
}

#[must_use]
pub fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}
