//! Who answered a batch: people whose message may have arrived and who wrote to its number after it was sent.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use model::event::message::MessageType;
use model::outcome_group::OutcomeGroup;
use store::desk;

use super::outcome::Person;
use crate::messaging::Messaging;
use crate::opt_outs::{everyone, may_want_to_stop, opt_outs};
use crate::spreadsheet::{Sheet, instant};
use command_types::batch::{BatchExport, BatchId};
use command_types::batch_round::{BatchReplies, BatchReply, ButtonTaps};
use command_types::error::Result;
use outgoing::recipient::formatted;

/// People looked up at once.
const PAGE_SIZE: usize = 1_000;
const COLUMNS: [&str; 7] = ["row", "recipient", "name", "last_reply_at", "type", "text", "button"];
/// Types of messages that are taps on a button.
const TAPS: [MessageType; 2] = [MessageType::Button, MessageType::Interactive];

/// How many people tapped which button last; the most frequent one first.
pub(super) fn taps(replies: &[BatchReply]) -> Vec<ButtonTaps> {
    let mut counted: BTreeMap<&str, u32> = BTreeMap::new();
    for button in replies.iter().filter_map(|reply| reply.tapped.as_deref()) {
        *counted.entry(button).or_default() += 1;
    }
    let mut taps: Vec<ButtonTaps> =
        counted.into_iter().map(|(button, people)| ButtonTaps { button: button.to_owned(), people }).collect();
    taps.sort_by_key(|taps| Reverse(taps.people));
    taps
}

impl Messaging {
    /// Who answered a batch, in the order of its rows.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::NotFound`] when there is no such batch.
    pub async fn list_batch_replies(&self, request: BatchId) -> Result<BatchReplies> {
        let batch = self.load_batch(&request.batch).await?;
        Ok(BatchReplies { people: self.replies(&batch).await? })
    }

    /// Writes who answered a batch to a file.
    ///
    /// # Errors
    /// As [`Self::export_batch_to`].
    pub async fn export_batch_replies_to(&self, path: &Path, request: BatchId) -> Result<BatchExport> {
        let batch = self.load_batch(&request.batch).await?;
        let mut sheet = Sheet::new(self.0.workspaces.language(), &COLUMNS)?;
        for reply in self.replies(&batch).await? {
            sheet.row([
                reply.row.to_string(),
                formatted(&reply.recipient),
                reply.name.unwrap_or_default(),
                instant(Some(reply.at)),
                sheet.word("type", &reply.kind).into_owned(),
                reply.text,
                reply.tapped.unwrap_or_default(),
            ])?;
        }
        sheet.save(path).await?;
        Ok(BatchExport { path: outgoing::file_name::shown(path) })
    }

    pub(super) async fn replies(&self, batch: &desk::Batch) -> Result<Vec<BatchReply>> {
        self.replies_of(batch, &self.people_of(&batch.id).await?).await
    }

    /// As [`Self::replies`], of the people of the batch.
    pub(super) async fn replies_of(&self, batch: &desk::Batch, people: &[Person]) -> Result<Vec<BatchReply>> {
        let may_have_arrived = |person: &&Person| {
            matches!(person.group, OutcomeGroup::Reached | OutcomeGroup::Underway | OutcomeGroup::Unknown)
        };
        let rows: Vec<&desk::Outcome> = people.iter().filter(may_have_arrived).map(|person| &person.outcome).collect();
        let mut replies = Vec::new();
        for page in rows.chunks(PAGE_SIZE) {
            let ids = page.iter().map(|row| row.planned.recipient.clone()).collect();
            let people = everyone(&self.0.context, &batch.workspace_id, ids).await;
            let spellings: Vec<String> = people.values().flatten().cloned().collect();
            let number = Some(batch.number.as_str()).filter(|number| !number.is_empty());
            let contacts = self.0.context.cache.contacts_of(&batch.workspace_id, number, &spellings).await?;
            let contacts: HashMap<&str, _> =
                contacts.iter().map(|contact| (contact.contact.as_str(), contact)).collect();
            let mut tapped = self.tapped(&batch.workspace_id, page).await?;
            for row in page {
                let spellings = people.get(&row.planned.recipient).map(Vec::as_slice).unwrap_or_default();
                let wrote =
                    spellings.iter().filter_map(|id| contacts.get(id.as_str())).max_by_key(|wrote| wrote.last_at);
                let Some(wrote) = wrote.filter(|wrote| row.sent_at.is_some_and(|at| wrote.last_at >= at)) else {
                    continue;
                };
                let message = row.message_id.clone().unwrap_or_default();
                let tapped = tapped.remove(&(message, wrote.contact.clone()));
                replies.push(BatchReply {
                    row: row.planned.row,
                    contact: wrote.contact.clone(),
                    recipient: row.planned.recipient.clone(),
                    formatted: formatted(&row.planned.recipient),
                    name: row.planned.name.clone().filter(|name| !name.is_empty()).or_else(|| wrote.name.clone()),
                    at: wrote.last_at,
                    kind: wrote.last_kind.clone(),
                    text: wrote.last_text.clone(),
                    tapped,
                    may_want_to_stop: may_want_to_stop(&wrote.last_kind, &wrote.last_text),
                });
            }
        }
        let wishing: Vec<String> =
            replies.iter().filter(|reply| reply.may_want_to_stop).map(|reply| reply.contact.clone()).collect();
        if !wishing.is_empty() {
            let settings = self.0.workspaces.settings(&batch.workspace_id).await?;
            let opt_outs = opt_outs(&self.0.context, &batch.workspace_id, settings, Some(&wishing)).await?;
            for reply in replies.iter_mut().filter(|reply| reply.may_want_to_stop) {
                reply.may_want_to_stop = opt_outs.is_undecided(&reply.contact, &batch.number, reply.at);
            }
        }
        Ok(replies)
    }

    /// The button that each person tapped last, by the message and the person.
    async fn tapped(&self, workspace: &str, rows: &[&desk::Outcome]) -> Result<HashMap<(String, String), String>> {
        let messages: Vec<String> = rows.iter().filter_map(|row| row.message_id.clone()).collect();
        let mut taps = self.0.context.cache.responses(workspace, &messages).await?;
        taps.retain(|tap| TAPS.iter().any(|kind| tap.kind == kind.as_str()) && !tap.text.is_empty());
        Ok(taps.into_iter().map(|tap| ((tap.context_id, tap.contact), tap.text)).collect())
    }
}
