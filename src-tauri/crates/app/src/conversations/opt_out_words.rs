//! The words of a workspace that are opt-outs when a person writes or taps nothing but one of them.

use model::opt_out_word::{
    MAX_OPT_OUT_WORDS, OPT_OUT_WORD_LENGTH, OptOutWordFault, PRESET_OPT_OUT_WORDS, check_opt_out_words,
};

use crate::conversations::Conversations;
use command_types::error::{DeskError, Result};
use command_types::opt_outs::{OptOutWords, SaveOptOutWords};
use command_types::workspace::WorkspaceId;
use outgoing::now;

/// Field of the faults.
const FIELD: &str = "words";

impl Conversations {
    pub async fn list_opt_out_words(&self, WorkspaceId { workspace }: WorkspaceId) -> Result<OptOutWords> {
        let stored = self.0.context.desk.opt_out_words(&workspace).await?;
        let words = match stored.is_empty() {
            true => preset(),
            false => stored.into_iter().filter(|word| word.counts_until.is_none()).map(|word| word.word).collect(),
        };
        Ok(OptOutWords {
            words,
            preset: preset(),
            limit: MAX_OPT_OUT_WORDS as u32,
            word_limit: OPT_OUT_WORD_LENGTH as u32,
        })
    }

    /// Replaces the words. They count for messages that are received from now on.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at `words`.
    pub async fn save_opt_out_words(&self, request: SaveOptOutWords) -> Result<OptOutWords> {
        let SaveOptOutWords { workspace, words } = request;
        let words = check_opt_out_words(&words).map_err(invalid)?;
        self.0.context.desk.set_opt_out_words(&workspace, words, preset(), now()).await?;
        self.list_opt_out_words(WorkspaceId { workspace }).await
    }
}

fn preset() -> Vec<String> {
    PRESET_OPT_OUT_WORDS.map(str::to_owned).to_vec()
}

fn invalid(fault: OptOutWordFault) -> DeskError {
    let message = match fault {
        OptOutWordFault::Empty(word) => {
            format!("“{word}” has no letters or digits, so no message would match it. Write a word.")
        }
        OptOutWordFault::TooLong(word) => {
            format!("“{word}” is too long. A word has at most {OPT_OUT_WORD_LENGTH} characters.")
        }
        OptOutWordFault::TooMany => format!("A workspace has at most {MAX_OPT_OUT_WORDS} words. Take some out."),
    };
    DeskError::invalid(FIELD, message)
}
