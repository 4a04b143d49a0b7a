//! The words of a workspace that are opt-outs when a person writes or taps nothing but one of them.

use model::opt_out_word::{
    MAX_OPT_OUT_WORDS, OPT_OUT_WORD_LENGTH, OptOutWordFault, PRESET_OPT_OUT_WORDS, check_opt_out_words,
};

use crate::conversations::Conversations;
use command_types::error::Result;
use command_types::opt_outs::{OptOutWords, OptOutWordsFault, OptOutWordsFaultCode, SaveOptOutWords, SavedOptOutWords};
use command_types::workspace::WorkspaceId;
use outgoing::now;

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

    /// Replaces the words, unless one has a fault. They count for messages that are received from now on.
    pub async fn save_opt_out_words(&self, request: SaveOptOutWords) -> Result<SavedOptOutWords> {
        let SaveOptOutWords { workspace, words } = request;
        let words = match check_opt_out_words(&words) {
            Ok(words) => words,
            Err(found) => return Ok(SavedOptOutWords { saved: None, fault: Some(fault(found)) }),
        };
        self.0.context.desk.set_opt_out_words(&workspace, words, preset(), now()).await?;
        let saved = self.list_opt_out_words(WorkspaceId { workspace }).await?;
        Ok(SavedOptOutWords { saved: Some(saved), fault: None })
    }
}

fn preset() -> Vec<String> {
    PRESET_OPT_OUT_WORDS.map(str::to_owned).to_vec()
}

fn fault(found: OptOutWordFault) -> OptOutWordsFault {
    let (code, word, limit) = match found {
        OptOutWordFault::Empty(word) => (OptOutWordsFaultCode::Empty, word, OPT_OUT_WORD_LENGTH),
        OptOutWordFault::TooLong(word) => (OptOutWordsFaultCode::TooLong, word, OPT_OUT_WORD_LENGTH),
        OptOutWordFault::TooMany => (OptOutWordsFaultCode::TooMany, String::new(), MAX_OPT_OUT_WORDS),
    };
    OptOutWordsFault { code, word, limit: limit as u32 }
}
