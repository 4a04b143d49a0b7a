//! Facts about a draft's files for the rules.

use model::lint::{FileFacts, LintContext};

use command_types::composer::{Attachment, Draft};

/// Facts about all files of a draft, for the rules.
pub fn context(draft: &Draft) -> LintContext {
    LintContext {
        files_known: true,
        header_file: draft.header_file.as_ref().map(facts),
        card_files: draft.card_files.iter().map(|file| file.as_ref().map(facts)).collect(),
    }
}

/// Facts about one file, for the rules.
#[must_use]
pub fn facts(file: &Attachment) -> FileFacts {
    FileFacts {
        size: file.size,
        mime: Some(file.mime.clone()).filter(|mime| !mime.is_empty()),
        encoding: file.encoding.clone(),
    }
}
