//! Classifies template errors: refused immediately, or found in review.
//!
//! The channel refuses a creation for errors that it can check automatically: types, required fields, names, lengths,
//! counts, and variables at the ends of a text (upstream §3.3, §7, codes 2388xxx). Errors that it finds later become
//! `REJECTED` with `INVALID_FORMAT`: malformed, adjacent or wrongly numbered variables, missing samples, links and
//! numbers that its policy forbids (upstream §3.2, §3.3, §5.6). Warnings and hints never cause a refusal, except missing
//! samples and a missing format of named variables.

use model::finding::{Finding, Severity};
use model::lint::FORMAT_MISSING;
use model::template::Template;

use crate::profile::Profile;

/// Codes of findings from the review; all other errors are refused immediately.
const FOUND_IN_REVIEW: &[&str] = &[
    "body.card_number",
    "body.sample_missing",
    "body.shortener",
    "code.sample_missing",
    "header.sample_missing",
    FORMAT_MISSING,
    "sample.characters",
    "url.sample_missing",
    "url.shortener",
    "variable.adjacent",
    "variable.format",
    "variable.malformed",
    "variable.name",
    "variable.numbering",
    "variable.repeated",
    "variable.single_brace",
    "variable.spaces",
];

/// Errors of a template, by when the channel finds them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Refused with 400.
    pub refused: Vec<Finding>,
    /// Rejected in review.
    pub rejected: Vec<Finding>,
}

/// Classifies the errors of a template by the rules of `model`; under [`Profile::Minimal`] only by the rules that the
/// contract states.
#[must_use]
pub fn judge(template: &Template, profile: Profile) -> Judgement {
    let objects = |finding: &Finding| {
        let is_needed = finding.code.ends_with(".sample_missing") || finding.code == FORMAT_MISSING;
        finding.severity == Severity::Error || is_needed
    };
    let holds = |finding: &Finding| profile == Profile::Whatsapp || finding.source.starts_with("contract");
    let errors = model::lint::lint(template).into_iter().filter(|finding| objects(finding) && holds(finding));
    let (rejected, refused) = errors.partition(|finding| FOUND_IN_REVIEW.contains(&finding.code));
    Judgement { refused, rejected }
}

/// The channel's error code for a refused finding; 100 if it has no specific one (upstream §7).
#[must_use]
pub fn channel_code(finding: &Finding) -> i32 {
    match finding.code {
        "variable.at_edge" => 2_388_299,
        code if code.ends_with("too_long") => 2_388_040,
        code if code.starts_with("header.") => 2_388_047,
        code if code.starts_with("body.") => 2_388_072,
        code if code.starts_with("footer.") => 2_388_073,
        _ => 100,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a malformed sample is a mistake of the test")]

    use serde_json::json;

    use super::{Judgement, Profile, channel_code, judge};

    #[test]
    fn errors_are_classified_by_request_or_review() {
        for (body, refused, rejected) in [
            ("A plain text.", None, None),
            ("{{1}} starts the text here", Some(2_388_299), None),
            ("Two {{1}}{{2}} that touch each other here", None, Some("variable.adjacent")),
            ("Numbers {{1}} and {{3}} with a gap here", None, Some("variable.numbering")),
        ] {
            let template = json!({
                "name": "sample", "language": "en_US", "category": "utility",
                "components": [{ "type": "BODY", "text": body, "example": { "body_text": [["one", "two"]] } }],
            });
            let template = serde_json::from_value(template).unwrap();
            let judgement = judge(&template, Profile::Whatsapp);
            assert_eq!(judgement.refused.first().map(channel_code), refused, "for {body:?}: {judgement:?}");
            assert_eq!(judgement.rejected.first().map(|finding| finding.code), rejected, "for {body:?}: {judgement:?}");
            let contract = judge(&template, Profile::Minimal);
            assert_eq!(contract, Judgement::default(), "the contract states no such rule for {body:?}");
        }
    }
}
