//! Batches and the messaging limit of their number: what does not fit is said by the check, waits until there is room, or
//! is sent on the person's word. What stops every message of a number interrupts its running batches.

use std::collections::HashSet;
use std::fmt::Display;

use model::item::account_notice::Initiator;
use model::item::meaning::EventMeaning;
use model::messaging_limit::{MessagingLimit, spread};
use model::send::{SendProblem, SendProblemCode};
use store::desk::{LocalRowState, RowState, RunState};

use crate::account_notices::current_notices;
use crate::jobs::answer::STOP_MESSAGES;
use crate::messaging::Messaging;
use crate::own_numbers::OwnNumbers;
use crate::sender_limits::{SendingRoom, sending_room};
use command_types::batch::{BatchId, BatchSpread};
use command_types::error::{ConflictFault, DeskError, Result};
use command_types::workspace::WorkspaceSettings;
use outgoing::message::stop;
use outgoing::recipient::person_key;

/// Rows read at once.
const PAGE_SIZE: u32 = 1_000;
/// How much later than there is room a row is sent, in milliseconds: messages leave more slowly than planned, too.
const MARGIN: i64 = 10 * 60 * 1_000;
const FIELD: &str = "number";

impl Messaging {
    /// The problems of a number for a whole batch to these recipients.
    pub(super) async fn limit_problems(
        &self,
        settings: &WorkspaceSettings,
        workspace: &str,
        number: &str,
        recipients: &[&str],
    ) -> Result<Vec<SendProblem>> {
        let mut problems = Vec::new();
        let notices = current_notices(&self.0.context, workspace).await?;
        let numbers = OwnNumbers::read(&self.0.context, workspace, settings).await;
        let is_low = |meaning: EventMeaning| meaning == EventMeaning::NumberFlagged;
        if notices.iter().any(|of| is_low(of.notice.meaning) && of.concerns(&numbers, number)) {
            let name = settings.numbers.iter().find(|known| known.id == number).map_or(number, |known| known.name());
            problems.push(SendProblem::new(FIELD, SendProblemCode::NumberLowQuality, &[("number", &name)]));
        }
        let room = sending_room(&self.0.context, workspace, settings, number).await?;
        problems.extend(self.limit_problem(&room, recipients));
        Ok(problems)
    }

    fn limit_problem(&self, room: &SendingRoom, recipients: &[&str]) -> Option<SendProblem> {
        let known = room.limit.as_ref()?;
        let MessagingLimit::People { people: limit } = known.limit else { return None };
        let keys: HashSet<String> = recipients.iter().map(|recipient| person_key(recipient)).collect();
        let people = keys.len();
        let further = keys.iter().filter(|key| !room.counted.contains_key(*key)).count();
        let times = self.times(room, further);
        let waiting = times.iter().flatten().count();
        let until = times.iter().flatten().max()?;
        let date = chrono::DateTime::from_timestamp_millis(*until).unwrap_or_default().format("%Y-%m-%d %H:%M UTC");
        let (used, fit) = (room.counted.len(), people.saturating_sub(waiting));
        let values: [(&str, &dyn Display); 5] =
            [("limit", &limit), ("used", &used), ("fit", &fit), ("people", &people), ("until", &date)];
        let mut problem = SendProblem::new(FIELD, SendProblemCode::NumberLimit, &values);
        problem.values.insert("at".to_owned(), until.to_string());
        problem.values.insert("asOf".to_owned(), known.at.to_string());
        Some(problem)
    }

    /// Not before which instants of this machine's clock further people are written to.
    fn times(&self, room: &SendingRoom, further: usize) -> Vec<Option<i64>> {
        let Some(known) = &room.limit else { return vec![None; further] };
        let counted: Vec<i64> = room.counted.values().copied().collect();
        let interval = i64::try_from(self.0.context.timing.send_interval.as_millis()).unwrap_or(0);
        let times = spread(known.limit, &counted, further, self.clock(), interval);
        times.into_iter().map(|time| time.map(|time| time.saturating_add(MARGIN))).collect()
    }

    /// Lets the people of a batch for whom the messaging limit has no room wait until it has. The batch is started or
    /// resumed as usual, and sends to the others first.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] while the batch is being sent, or when no message fits at all; [`DeskError::NotFound`].
    pub async fn spread_batch(&self, request: BatchId) -> Result<BatchSpread> {
        let batch = self.load_batch(&request.batch).await?;
        if matches!(batch.state, RunState::Running | RunState::Cancelling) {
            return super::conflict(ConflictFault::PauseFirst {});
        }
        let workspace = &batch.workspace_id;
        let settings = self.0.workspaces.settings(workspace).await?;
        let room = sending_room(&self.0.context, workspace, &settings, &batch.number).await?;
        if room.limit.as_ref().is_some_and(|known| known.limit == MessagingLimit::People { people: 0 }) {
            return super::conflict(ConflictFault::NoRoom {});
        }
        let mut known: HashSet<String> = room.counted.keys().cloned().collect();
        let open = [LocalRowState::Planned, LocalRowState::Cancelled].map(RowState::Local);
        let (mut rows, mut further, mut after) = (0, Vec::new(), 0);
        loop {
            let page = self.0.context.desk.batch_rows(&batch.id, None, after, PAGE_SIZE).await?;
            let Some(last) = page.last() else { break };
            after = last.planned.row;
            for row in page.into_iter().filter(|row| open.contains(&row.state)) {
                rows += 1;
                if known.insert(person_key(&row.planned.recipient)) {
                    further.push(row.planned.row);
                }
            }
        }
        let offset = self.0.workspaces.clock_offset(workspace);
        let times = self.times(&room, further.len());
        let until = times.iter().flatten().max().copied();
        let delays: Vec<(u32, i64)> = further
            .into_iter()
            .zip(times)
            .filter_map(|(row, time)| Some((row, time?.saturating_add(offset))))
            .collect();
        let waiting = u32::try_from(delays.len()).unwrap_or(u32::MAX);
        self.0.context.desk.set_batch_delays(&batch.id, delays).await?;
        Ok(BatchSpread { now: rows - waiting, waiting, until })
    }

    /// Refuses to send from a number whose account may not send templates now.
    pub(super) async fn check_restriction(&self, workspace: &str, number: &str) -> Result<()> {
        let settings = self.0.workspaces.settings(workspace).await?;
        let problem = self.restriction(&settings, workspace, number).await?;
        stop(&problem.map(SendProblem::as_error).into_iter().collect::<Vec<_>>(), &[])
    }

    /// Interrupts the running batches of a workspace whose number may not send templates any more.
    pub(crate) async fn interrupt_restricted(&self, workspace: &str) -> Result<()> {
        for id in self.0.batches.running.ids() {
            let batch = self.load_batch(&id).await?;
            if batch.workspace_id == workspace
                && let Err(error) = self.check_restriction(workspace, &batch.number).await
            {
                self.0.batches.running.interrupt(&id, error);
            }
        }
        Ok(())
    }

    /// Interrupts the running batches of which one of these sends failed for a reason that stops all others too.
    pub(crate) async fn interrupt_failing(&self, sends: &[String]) -> Result<()> {
        let running = self.0.batches.running.ids();
        if running.is_empty() || sends.is_empty() {
            return Ok(());
        }
        let codes: Vec<String> = STOP_MESSAGES.iter().map(ToString::to_string).collect();
        for (batch, code, error) in self.0.context.desk.batch_failures(sends, &codes).await? {
            if running.contains(&batch) {
                let reported: Option<serde_json::Value> = error.and_then(|json| serde_json::from_str(&json).ok());
                let word = |key: &str| Some(reported.as_ref()?.get(key)?.as_str()?.to_owned());
                let error = DeskError::Service {
                    status: 200,
                    error_code: Some(code),
                    message: word("title").or_else(|| word("message")).unwrap_or_default(),
                    details: None,
                    field: None,
                    retry_after: None,
                    body: String::new(),
                };
                self.0.batches.running.interrupt(&batch, error);
            }
        }
        Ok(())
    }

    /// The problem of a number whose account may not send templates.
    pub(in crate::messaging) async fn restriction(
        &self,
        settings: &WorkspaceSettings,
        workspace: &str,
        number: &str,
    ) -> Result<Option<SendProblem>> {
        let notices = current_notices(&self.0.context, workspace).await?;
        let numbers = OwnNumbers::read(&self.0.context, workspace, settings).await;
        let stopping = notices
            .into_iter()
            .find(|notice| notice.forbids(Initiator::Business) && notice.concerns(&numbers, number.trim()));
        Ok(stopping.map(|notice| {
            let account = notice.row.entry_id.unwrap_or_default();
            let values: [(&str, &dyn Display); 1] = [("account", &settings.waba_name(&account))];
            SendProblem::new(FIELD, SendProblemCode::NumberRestricted, &values)
        }))
    }
}
