//! Classifies template errors: refused immediately, or found in review.
//!
//! The channel refuses a creation for errors that it can check automatically: types, required fields, names, lengths,
//! counts, and variables at the ends of a text (upstream §3.3, §7, codes 2388xxx). Errors that it finds later become
//! `REJECTED` with `INVALID_FORMAT`: malformed, adjacent or wrongly numbered variables, missing samples, links and
//! numbers that its policy forbids (upstream §3.2, §3.3, §5.6). Other warnings and hints cause no refusal.

use std::borrow::Cow;

use model::finding::{Finding, Severity};
use model::lint::FORMAT_MISSING;
use model::listed::creation_form;
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
    "url.sample_missing",
    "url.shortener",
    "variable.adjacent",
    "variable.format",
    "variable.malformed",
    "variable.name",
    "variable.numbering",
    "variable.repeated",
];

/// Codes of warnings, which a person can override in the app, about what the channel's pages exclude (upstream §2.3,
/// §2.7, §2.8, §5.6). Missing samples and [`FORMAT_MISSING`] are others.
pub const EXCLUDED: &[&str] = &[
    "body.card_number",
    "body.shortener",
    "card.format_differs",
    "code.too_long",
    "footer.line_break",
    "url.shortener",
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
/// contract states. Both reject named variables without their format: the channel does.
#[must_use]
pub fn judge(template: &Template, profile: Profile) -> Judgement {
    let objects = |finding: &Finding| {
        finding.severity == Severity::Error
            || finding.is_of_sample()
            || finding.code == FORMAT_MISSING
            || EXCLUDED.contains(&finding.code)
    };
    let holds = |finding: &Finding| {
        profile != Profile::Minimal || finding.code == FORMAT_MISSING || finding.source.starts_with("contract")
    };
    let errors = model::lint::lint(template).into_iter().filter(|finding| objects(finding) && holds(finding));
    let (rejected, refused) = errors.partition(|finding| FOUND_IN_REVIEW.contains(&finding.code));
    Judgement { refused, rejected }
}

/// The first component that is sent as the channel lists it, which the channel does not create (upstream §1.3, §2.9).
/// The rules of `model` accept it, because the app sends the creation form instead.
pub(crate) fn listed_component(template: &Template) -> Option<usize> {
    let Cow::Owned(created) = creation_form(template) else { return None };
    template.components.iter().zip(&created.components).position(|(sent, created)| sent != created)
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
            ("Your order is at https://bit.ly/3xYz for {{1}} days", None, Some("body.shortener")),
            ("Pay {{1}} with the card 4111 1111 1111 1111 today", None, Some("body.card_number")),
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
