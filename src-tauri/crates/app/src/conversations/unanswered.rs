//! What a contact asked that has no answer, and what needs none.

use store::cache::Contact;

use crate::chats::{self, Chat};
use crate::conversations::Conversations;
use command_types::Nothing;
use command_types::conversations::{NoAnswerUntil, UnansweredMessage};
use command_types::error::Result;
use command_types::workspace::WorkspaceSettings;

impl Conversations {
    /// Until `until`, the messages of a contact need no answer; `None`: all may need one. Every identifier has the instant: a
    /// number may belong to another person later.
    pub async fn set_no_answer_until(&self, request: NoAnswerUntil) -> Result<Nothing> {
        let NoAnswerUntil { workspace, contact, until } = request;
        let ids = self.identifiers(&workspace, &contact).await?;
        self.0.context.desk.set_no_answer_until(&workspace, &ids, until).await?;
        Ok(Nothing {})
    }

    /// The last messages of a contact to each of our numbers that have no answer and may need one, newest first.
    pub(super) async fn unanswered(
        &self,
        settings: &WorkspaceSettings,
        workspace: &str,
        received: Option<&Contact>,
        ids: &[String],
    ) -> Result<Vec<UnansweredMessage>> {
        let Some(received) = received else { return Ok(Vec::new()) };
        let ours: Vec<String> = settings.numbers.iter().map(|number| number.id.clone()).collect();
        let chat = Chat::of_received(received.clone(), ids);
        let waiting = chats::unanswered(&self.0.context, &ours, workspace, None, std::slice::from_ref(&chat)).await?;
        let message = |Contact { last_number, last_at, .. }| UnansweredMessage {
            number: Some(last_number).filter(|number| ours.contains(number)),
            at: last_at,
        };
        Ok(waiting.into_values().flatten().map(message).collect())
    }

    /// Until when the messages of a contact need no answer.
    pub(super) async fn no_answer_until(&self, workspace: &str, ids: &[String]) -> Result<Option<i64>> {
        let known = self.0.context.desk.no_answer_until(workspace, ids).await?;
        Ok(known.into_iter().map(|(_, until)| until).max())
    }
}
