//! What is wrong with what was entered, as far as the window has words for it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A kind of problem that the window words, with what its sentence names. Its text is the English one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum InputFault {
    #[error("Enter a name.")]
    NameMissing {},
    #[error("Write the text.")]
    TextMissing {},
    /// In characters.
    #[error("Enter at most {limit} characters.")]
    TooLong { limit: u32 },
    #[error("Another entry has this name. Choose another name.")]
    NameTaken {},
    #[error("{name} has this number already.")]
    NumberTaken { name: String },
    #[error("There are at most {limit}. Remove one first.")]
    TooMany { limit: u32 },
    #[error("Enter a phone number of 7 to 15 digits, or a user ID.")]
    NoNumber {},
    #[error("This workspace has no such sending number. Add one in the settings, or choose another.")]
    NoSender {},
    #[error("This message is no longer on the phone. Choose another one.")]
    MessageGone {},
}
