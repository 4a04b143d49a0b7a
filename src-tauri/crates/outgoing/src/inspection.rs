//! Findings, counters, variables and preview of a template, and rewrites of it.

use command_types::composer::{Draft, InspectTemplate, Inspection, RewriteTemplate};
use command_types::error::{DeskError, Result};
use model::finding::Finding;
use model::lint::{
    CATEGORY_REQUIRED, DISPLAY_FORMAT_REQUIRED, FORMAT_MISSING, LintContext, SAMPLE_IS_ADDRESS, lint, lint_with,
    mark_untouched, phone_button_findings, translation_findings,
};
use model::render::render;
use model::samples::sample_fill;
use model::template::Template;
use model::variable::variables;

use crate::recipient::is_whole_number;
use crate::submission::context;

/// Whether a finding is about a draft. A missing format of the variables or of an order is not: the submission sends it.
fn is_about_draft(finding: &Finding, draft: &Template) -> bool {
    finding.code != FORMAT_MISSING && (finding.code != DISPLAY_FORMAT_REQUIRED || draft.display_format.is_some())
}

#[must_use]
pub fn inspect(request: InspectTemplate) -> Inspection {
    let InspectTemplate { template, files, samples, is_edit, accepted, translates, kept_texts } = request;
    let bubble = render(&template, &sample_fill(&template, samples));
    let context = LintContext { files_known: true, header_file: files.header, card_files: files.cards };
    let (mut findings, counters) = model::lint::inspect(&template, &context);
    findings.retain(|finding| is_about_draft(finding, &template) && (!is_edit || finding.code != CATEGORY_REQUIRED));
    findings.extend(phone_button_findings(&template, is_whole_number));
    if let Some(accepted) = &accepted {
        mark_untouched(&mut findings, &template, accepted);
    }
    findings.extend(translates.iter().flat_map(|original| translation_findings(&template, original, &kept_texts)));
    Inspection { findings, bubble, counters, variables: variables(&template) }
}

/// The findings for a draft with its files, as the rules alone decide. `accepted` is the content of the template that it
/// edits, if the review accepted it.
#[must_use]
pub fn draft_findings(draft: &Draft, accepted: Option<&Template>) -> Vec<Finding> {
    let mut findings = lint_with(&draft.template, &context(draft));
    // An edit does not require a category (contract §4.3).
    findings.retain(|finding| {
        is_about_draft(finding, &draft.template) && (draft.edits.is_none() || finding.code != CATEGORY_REQUIRED)
    });
    findings.extend(phone_button_findings(&draft.template, is_whole_number));
    if let Some(accepted) = accepted {
        mark_untouched(&mut findings, &draft.template, accepted);
    }
    findings.extend(
        draft.translates.iter().flat_map(|original| translation_findings(&draft.template, original, &draft.kept_texts)),
    );
    findings
}

/// The findings for an existing template, without four rules: that a sample is a URL matters to drafts only, and a
/// missing category or format is due to the provider.
#[must_use]
pub fn existing_findings(template: &Template) -> Vec<Finding> {
    let mut findings = lint(template);
    findings.retain(|finding| {
        is_about_draft(finding, template) && ![SAMPLE_IS_ADDRESS, CATEGORY_REQUIRED].contains(&finding.code)
    });
    findings
}

/// Applies a rewrite to a whole template.
///
/// # Errors
/// [`DeskError::InvalidInput`] at the field that prevents it.
pub fn rewrite(request: &RewriteTemplate) -> Result<Template> {
    model::rewrite::rewrite(&request.template, &request.rewrite)
        .map_err(|fault| DeskError::invalid(fault.field, fault.message))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    #[test]
    fn the_number_of_a_call_button_begins_with_the_code_of_a_country() {
        let button = |number: &str| json!({"type": "PHONE_NUMBER", "text": "Call", "phone_number": number});
        let codes = |numbers: &[&str]| -> Vec<(String, String)> {
            let buttons: Vec<_> = numbers.iter().copied().map(button).collect();
            let template: Template = serde_json::from_value(json!({"name": "a", "language": "pt_BR",
                "category": "UTILITY", "components": [{"type": "BODY", "text": "Olá, bom dia."},
                {"type": "CAROUSEL", "cards": [{"components": [{"type": "BUTTONS", "buttons": buttons}]}]}]}))
            .unwrap();
            let draft = Draft { template, ..Draft::default() };
            let found = draft_findings(&draft, None).into_iter().filter(|finding| finding.code == "phone.incomplete");
            found.map(|finding| (finding.path, finding.values["number"].clone())).collect()
        };
        for number in ["11987654321", "12", "33334444", "08001234567"] {
            let path = "/components/1/cards/0/components/0/buttons/0/phone_number".to_owned();
            assert_eq!(codes(&[number]), [(path, number.to_owned())]);
        }
        // Whole ones, and those with a finding of their own.
        assert_eq!(codes(&["5511987654321", "+5511987654321", "551130710000", "+15555550100", "11 98765", ""]), []);
    }

    #[test]
    fn a_translation_is_compared_with_its_original_while_it_is_typed_and_when_it_is_submitted() {
        let template = |language: &str| -> Template {
            serde_json::from_value(json!({"name": "a", "language": language, "category": "MARKETING", "components": [
                {"type": "BODY", "text": "Good news for all of you today."}, {"type": "FOOTER", "text": "Reply STOP"}]}))
            .unwrap()
        };
        let (translation, original) = (template("pt_BR"), Some(template("en_US")));
        let draft = Draft { template: translation.clone(), translates: original.clone(), ..Draft::default() };
        let codes = |findings: Vec<Finding>| -> Vec<_> { findings.iter().map(|finding| finding.code).collect() };
        assert_eq!(codes(draft_findings(&draft, None)), ["translation.same_text"; 2]);
        let request = json!({"template": translation, "translates": original});
        let inspection = inspect(serde_json::from_value(request).unwrap());
        assert_eq!(codes(inspection.findings), ["translation.same_text"; 2]);
    }
}
