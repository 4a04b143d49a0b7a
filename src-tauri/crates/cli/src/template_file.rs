//! Reads template files: the contract's creation JSON.

use crate::names::shown;
use std::path::Path;

use anyhow::Context as _;
pub(crate) use model::file::json;
use model::finding::{Finding, Severity};
use model::lint::lint_json;

/// The findings of a template file. Invalid JSON is a finding too.
///
/// # Errors
/// If the file can't be read.
pub(crate) fn findings(file: &Path) -> anyhow::Result<Vec<Finding>> {
    Ok(match json(&read(file)?) {
        Ok(json) => lint_json(&json),
        Err(error) => vec![Finding {
            code: "template.malformed",
            severity: Severity::Error,
            path: String::new(),
            message: format!("Invalid JSON: {error}. Correct the file."),
            values: [("fault", error.to_string())].into(),
            source: "contract §4.2",
            fixable: false,
        }],
    })
}

/// The bytes of a file.
///
/// # Errors
/// If it can't be read.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(file).with_context(|| format!("could not read {}", shown(file)))
}
