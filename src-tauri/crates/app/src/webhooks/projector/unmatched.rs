//! Outcomes whose sends are looked up again after their batch was cached.

use std::sync::Arc;

use store::StoreError;
use store::desk::OutcomeReport;

use crate::context::Context;

/// What a cached batch reported about sends.
#[derive(Debug)]
pub(super) struct Unmatched {
    pub(super) outcomes: Arc<[OutcomeReport]>,
    /// [`store::Desk::changes`] before the outcomes were written for the first time.
    pub(super) changes: u64,
    /// The sends that changed so far.
    pub(super) sends: Vec<String>,
}

impl Unmatched {
    /// Applies the outcomes again, because a send that got its message identifier between the two writes was matched in
    /// neither file; then the replies to messages that a status has just matched to their send. Can be repeated.
    pub(super) async fn match_again(&mut self, context: &Context) -> Result<(), StoreError> {
        let Self { outcomes, changes, sends } = self;
        let desk = &context.desk;
        if !outcomes.is_empty() && desk.changes() != *changes {
            sends.extend(desk.store_outcomes(outcomes.clone()).await?);
        }
        if !sends.is_empty() {
            let messages = desk.messages_of(sends).await?;
            let replies = context.cache.replies_to(messages).await?;
            sends.extend(desk.store_replies(replies).await?);
        }
        Ok(())
    }
}
