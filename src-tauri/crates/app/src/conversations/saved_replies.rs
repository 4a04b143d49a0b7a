//! Saved replies: texts that a workspace keeps, filled in for a contact.

use model::event::identity::is_number;
use model::saved_reply::{
    FilledReply, MAX_SAVED_REPLIES, NAME_LENGTH, ReplyFault, ReplyField, ReplyValues, check_reply, fill_reply,
    first_name,
};
use model::send::{SendProblem, SendProblemCode, TEXT_LENGTH};
use store::desk::{self, SavedReplyResult};

use crate::contact_names::names;
use crate::conversations::Conversations;
use command_types::Nothing;
use command_types::error::{DeskError, InputFault, Missing, Result};
use command_types::saved_replies::{FillSavedReply, SaveSavedReply, SavedReply, SavedReplyId, SavedReplyList};
use command_types::workspace::WorkspaceId;
use outgoing::now;
use outgoing::recipient::formatted;

impl Conversations {
    pub async fn list_saved_replies(&self, WorkspaceId { workspace }: WorkspaceId) -> Result<SavedReplyList> {
        let mut rows = self.0.context.desk.saved_replies(&workspace).await?;
        rows.sort_by_cached_key(|reply| (reply.name.to_lowercase(), reply.name.clone()));
        Ok(SavedReplyList {
            rows: rows.into_iter().map(shown).collect(),
            fields: ReplyField::ALL.to_vec(),
            limit: MAX_SAVED_REPLIES as u32,
            name_limit: NAME_LENGTH as u32,
            text_limit: TEXT_LENGTH as u32,
        })
    }

    /// Adds or changes a saved reply, or restores a deleted one.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at `name` or `text`.
    pub async fn save_saved_reply(&self, request: SaveSavedReply) -> Result<SavedReply> {
        let name = request.name.split_whitespace().collect::<Vec<_>>().join(" ");
        check_reply(&name, &request.text).map_err(invalid)?;
        let at = now();
        let reply = desk::SavedReply {
            id: request.id.unwrap_or_else(|| uuid::Uuid::new_v4().to_string()),
            workspace_id: request.workspace,
            name,
            text: request.text,
            created_at: at,
            updated_at: at,
        };
        match self.0.context.desk.upsert_saved_reply(reply.clone(), MAX_SAVED_REPLIES).await? {
            SavedReplyResult::Done => Ok(shown(reply)),
            SavedReplyResult::Taken => Err(DeskError::at_fault("name", InputFault::NameTaken {})),
            SavedReplyResult::Full => {
                Err(DeskError::at_fault("name", InputFault::TooMany { limit: MAX_SAVED_REPLIES as u32 }))
            }
            SavedReplyResult::Elsewhere => Err(DeskError::not_found(Missing::SavedReply)),
        }
    }

    pub async fn delete_saved_reply(&self, request: SavedReplyId) -> Result<Nothing> {
        self.0.context.desk.delete_saved_reply(&request.workspace, &request.id).await?;
        Ok(Nothing {})
    }

    /// A saved reply with its fields filled in from what is known about a contact now.
    pub async fn fill_saved_reply(&self, request: FillSavedReply) -> Result<FilledReply> {
        let FillSavedReply { workspace, id, contact, number } = request;
        let reply = self.0.context.desk.saved_reply(&workspace, &id).await?;
        let reply = reply.ok_or_else(|| DeskError::not_found(Missing::SavedReply))?;
        let current = self.0.context.cache.person(&workspace, &contact).await?;
        let name = names(&self.0.context, &workspace, std::slice::from_ref(&contact)).await?.remove(&contact);
        let name = name.unwrap_or_default();
        let settings = self.0.workspaces.settings(&workspace).await?;
        // An identifier in place of a label is nobody's name.
        let sender = settings.numbers.into_iter().find(|ours| ours.id == number).map(|ours| ours.label);
        let values: ReplyValues = [
            (ReplyField::FirstName, first_name(&name).to_owned()),
            (ReplyField::Name, name),
            (ReplyField::Number, if is_number(&current) { formatted(&current) } else { String::new() }),
            (ReplyField::Sender, sender.unwrap_or_default()),
        ]
        .into_iter()
        .map(|(field, value)| (field.as_str(), value))
        .collect();
        Ok(fill_reply(&reply.text, &values))
    }
}

fn shown(reply: desk::SavedReply) -> SavedReply {
    SavedReply { id: reply.id, workspace: reply.workspace_id, name: reply.name, text: reply.text }
}

fn invalid(fault: ReplyFault) -> DeskError {
    match fault {
        ReplyFault::NameMissing => DeskError::at_fault("name", InputFault::NameMissing {}),
        ReplyFault::NameTooLong => DeskError::at_fault("name", InputFault::TooLong { limit: NAME_LENGTH as u32 }),
        ReplyFault::TextMissing => DeskError::at_fault("text", InputFault::TextMissing {}),
        ReplyFault::TextTooLong => DeskError::at_fault("text", InputFault::TooLong { limit: TEXT_LENGTH as u32 }),
        ReplyFault::Braces(written) => {
            DeskError::of_problem(&SendProblem::new("text", SendProblemCode::TextBraces, &[("written", &written)]))
        }
    }
}
