//! What the rules need to know of a draft's files.

use model::lint::{FileFacts, LintContext};

use api::composer::{Attachment, Draft};

/// What the rules need to know of a draft's files.
pub fn context(draft: &Draft) -> LintContext {
    LintContext {
        files_known: true,
        header_file: draft.header_file.as_ref().map(facts),
        card_files: draft.card_files.iter().map(|file| file.as_ref().map(facts)).collect(),
    }
}

/// What the rules need to know of one file.
#[must_use]
pub fn facts(file: &Attachment) -> FileFacts {
    FileFacts {
        size: file.size,
        mime: Some(file.mime.clone()).filter(|mime| !mime.is_empty()),
        encoding: file.encoding.clone(),
    }
}
