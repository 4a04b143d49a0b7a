//! Reads template files: the contract's creation JSON.

use crate::names::shown;
use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
pub(crate) use model::file::json;
use model::finding::{Finding, Severity};
use model::lint::lint_json;
use outgoing::template_text::MAX_TEXT_BYTES;

/// The findings of a template file's bytes. Invalid JSON is a finding too.
pub(crate) fn findings(bytes: &[u8]) -> Vec<Finding> {
    match json(bytes) {
        Ok(json) => lint_json(&json),
        Err(error) => vec![Finding {
            code: "template.malformed",
            severity: Severity::Error,
            path: String::new(),
            message: format!("Invalid JSON: {error}. Correct the file."),
            values: [("fault", error.to_string())].into(),
            source: "contract §4.2",
            fixable: false,
            untouched: false,
        }],
    }
}

/// # Errors
/// If it can't be read, is not a regular file, or is larger than [`MAX_TEXT_BYTES`].
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let unreadable = || format!("could not read {}", shown(path));
    // Checked first: opening a pipe would wait for its writer.
    let metadata = std::fs::metadata(path).with_context(unreadable)?;
    anyhow::ensure!(metadata.is_file(), "could not read {}: it is not a regular file", shown(path));
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).with_context(unreadable)?;
    file.take(MAX_TEXT_BYTES + 1).read_to_end(&mut bytes).with_context(unreadable)?;
    let limit = MAX_TEXT_BYTES / (1024 * 1024);
    anyhow::ensure!(
        bytes.len() as u64 <= MAX_TEXT_BYTES,
        "could not read {}: it is larger than {limit} MiB, the limit for such a file",
        shown(path)
    );
    Ok(bytes)
}
