//! Findings of a template, each with its field, and marked as fixable if [`crate::rewrite`] can fix it.

use serde_json::Value;

use crate::finding::{Counter, Finding};
use crate::rewrite;
use crate::rules;
use crate::template::Template;

mod phone_buttons;
mod untouched;
mod untranslated;

pub use crate::rules::{
    CATEGORY_REQUIRED, DISPLAY_FORMAT_REQUIRED, FORMAT_MISSING, FileFacts, LintContext, ORDER_DISPLAY_FORMAT,
    SAMPLE_IS_ADDRESS,
};
pub use phone_buttons::phone_button_findings;
pub use untouched::mark_untouched;
pub use untranslated::translation_findings;

/// All findings of a template, in the order of its fields.
#[must_use]
pub fn lint(template: &Template) -> Vec<Finding> {
    lint_with(template, &LintContext::default())
}

/// All findings of a template and of its files.
#[must_use]
pub fn lint_with(template: &Template, context: &LintContext) -> Vec<Finding> {
    let mut findings = rules::findings(template, context);
    rewrite::mark(template, context, &mut findings);
    findings
}

/// All findings, and the lengths of all texts and lists that have a limit, in the order of the fields.
#[must_use]
pub fn inspect(template: &Template, context: &LintContext) -> (Vec<Finding>, Vec<Counter>) {
    let (mut findings, counters) = rules::findings_and_counters(template, context);
    rewrite::mark(template, context, &mut findings);
    (findings, counters)
}

/// All findings of a template file: the creation JSON (contract §4.2), in any shape.
#[must_use]
pub fn lint_json(json: &Value) -> Vec<Finding> {
    match rules::read_template(json) {
        Ok(template) => lint(&template),
        Err(findings) => findings,
    }
}

#[cfg(test)]
pub(crate) mod tests;
