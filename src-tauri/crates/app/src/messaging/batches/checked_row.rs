//! A row of a batch before it is stored.

use command_types::send::RecipientFacts;
use model::send::{SendProblem, SendValues};

/// Maximum length of a recipient or name that is stored as written, in characters.
const MAX_SHOWN_LENGTH: usize = 80;

/// A row before it is checked.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) row: u32,
    /// As written.
    pub(super) to: String,
    pub(super) name: Option<String>,
    /// Values that differ between rows.
    pub(super) own: SendValues,
    /// Numbers of cells found and expected, if they differ.
    pub(super) ragged: Option<(usize, usize)>,
    /// Of values that could not be rewritten.
    pub(super) problems: Vec<SendProblem>,
}

#[derive(Debug)]
pub(super) struct Checked {
    pub(super) candidate: Candidate,
    /// Digits of the recipient; as written if it is not a number.
    pub(super) recipient: String,
    pub(super) facts: RecipientFacts,
    pub(super) problems: Vec<SendProblem>,
}

/// A cell of any content, truncated for display.
pub(super) fn capped(cell: &str) -> String {
    cell.chars().take(MAX_SHOWN_LENGTH).collect()
}
