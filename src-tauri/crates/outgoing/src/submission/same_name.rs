//! Findings for a new template whose name and language are in use.

use std::collections::BTreeMap;

use model::finding::{Finding, Severity};

/// A listed template has the name and language in an account that the draft is created in.
#[must_use]
pub fn name_taken(reference: &str) -> Finding {
    let message = "A template with this name and language already exists in this account. Choose another name, or edit \
                   the existing template.";
    finding("name.taken", Severity::Error, message, ("reference", reference))
}

/// Another draft has the name and language.
#[must_use]
pub fn name_drafted(draft: &str) -> Finding {
    let message = "Another draft has this name and language. An account can have only one such template.";
    finding("name.drafted", Severity::Hint, message, ("draft", draft))
}

/// `value` identifies what has the name: the window links to it.
fn finding(code: &'static str, severity: Severity, message: &str, value: (&'static str, &str)) -> Finding {
    Finding {
        code,
        severity,
        path: "/name".to_owned(),
        message: message.to_owned(),
        values: BTreeMap::from([(value.0, value.1.to_owned())]),
        source: "contract §4.2",
        fixable: false,
        untouched: false,
    }
}
