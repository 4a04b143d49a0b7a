//! A batch at work. Every row is on disk as leaving before it leaves; what was not taken for sure may leave again, and
//! nothing else ever does.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use model::send::SendValues;
use store::desk::{self, CallState, RunState};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::plan::request_of;
use super::verdict::{Verdict, judge};
use crate::context::lock;
use crate::jobs::backoff::{MOST_TRIES, Patience, pair_pause};
use crate::jobs::rate_limiter::{Pace, Turn};
use crate::jobs::stop_reason::{Halt, ended_by};
use crate::messaging::Messaging;
use crate::parts::{now, to_json};
use api::error::{DeskError, Result};
use api::event::DeskEvent;
use api::send::SendRequest;
use requests::classify_response::PAIR;
use requests::message::TRACKING_PREVIEW;
use requests::message::stops;

/// Messages on their way at the same time.
const AT_ONCE: usize = 8;
/// Rows read at once.
const PAGE: u32 = 200;
/// Between two words about the progress.
const TELL: Duration = Duration::from_millis(200);
/// Refusals one after the other, after which they are taken for no coincidence.
const MOST_REFUSALS: u32 = 100;

/// A batch at work, as seen from outside.
#[derive(Debug)]
pub(super) struct Running {
    /// Lets no further row leave.
    pub(super) stop: CancellationToken,
    /// What it waits for.
    pub(super) waiting: Option<Waiting>,
}

/// What a batch waits for.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// Until when, in Unix milliseconds.
    pub(super) until: i64,
    /// The channel's code, else the HTTP status, else `offline`.
    pub(super) reason: String,
}

/// A row that has not been answered.
#[derive(Debug)]
struct Row {
    row: u32,
    to: String,
    /// Those that are not the same for all.
    values: SendValues,
    tries: u32,
    pair_tries: u32,
}

type Landed = std::result::Result<(Row, Result<desk::TestSend>), JoinError>;

#[derive(Debug)]
struct Run {
    this: Messaging,
    id: String,
    common: SendRequest,
    stop: CancellationToken,
    began: Instant,
    pace: Pace,
    patience: Patience,
    queue: VecDeque<Row>,
    /// Rows whose recipient has to wait, by until when.
    deferred: BTreeMap<(Duration, u32), Row>,
    /// The last row that was read.
    read: u32,
    read_all: bool,
    flights: JoinSet<(Row, Result<desk::TestSend>)>,
    refusals: u32,
    halt: Option<Halt>,
    told: Instant,
    untold: bool,
}

impl Messaging {
    /// Lets the rows of a batch leave that is written down as running.
    pub(super) fn run_batch(&self, batch: &desk::Batch, common: SendRequest) {
        let stop = CancellationToken::new();
        let running = Running { stop: stop.clone(), waiting: None };
        lock(&self.0.batches.running).insert(batch.id.clone(), running);
        let run = Run {
            this: self.clone(),
            id: batch.id.clone(),
            common,
            stop,
            began: Instant::now(),
            pace: Pace::default(),
            patience: Patience::default(),
            queue: VecDeque::new(),
            deferred: BTreeMap::new(),
            read: 0,
            read_all: false,
            flights: JoinSet::new(),
            refusals: 0,
            halt: None,
            told: Instant::now(),
            untold: false,
        };
        // Not stopped in the middle when the app closes: what is on its way is waited for.
        self.0.context.tasks.spawn(run.run());
    }

    /// Plans rows again at which the provider had taken nothing and another attempt makes sense.
    pub(super) async fn replan_refused(&self, batch: &desk::Batch) -> Result<()> {
        let mut after = 0;
        loop {
            let rows =
                self.0.context.desk.batch_rows(&batch.id, Some(CallState::Refused.as_str()), after, PAGE).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = last.planned.row;
            for row in rows {
                let Some(send_id) = row.send_id else { continue };
                let Some(send) = self.0.context.desk.send(&send_id).await? else { continue };
                if !matches!(judge(&send), Verdict::Next | Verdict::Doubt(_)) {
                    self.0.context.desk.replan_row(&batch.id, row.planned.row, &send_id).await?;
                }
            }
        }
    }

    /// Tells where a batch stands.
    pub(super) fn tell_progress(&self, batch: &desk::Batch) {
        let open: u32 = ["planned", "sending", "cancelled"].map(|state| super::count(batch, state)).iter().sum();
        self.0.context.emit(DeskEvent::BatchProgress {
            workspace: batch.workspace_id.clone(),
            id: batch.id.clone(),
            done: batch.total.saturating_sub(open),
            total: batch.total,
            state: batch.state.as_str().to_owned(),
        });
    }
}

impl Run {
    async fn run(mut self) {
        if let Err(error) = self.work().await {
            self.halt = Some(Halt::Failed(error));
            // What is on its way is written down by itself; its answers are waited for all the same.
            while self.flights.join_next().await.is_some() {}
        }
        let (state, error) = ended_by(self.halt.take(), &self.id);
        if let Err(error) = self.this.0.context.desk.end_batch(&self.id, state, error, now()).await {
            // The next start finds it running and knows what that means.
            tracing::error!(batch = self.id, %error, "the end of a batch could not be written down");
        }
        lock(&self.this.0.batches.running).remove(&self.id);
        self.report().await;
    }

    async fn work(&mut self) -> Result<()> {
        // Cancelled before it had begun: nobody was there to be told.
        if self.this.known_batch(&self.id).await?.state != RunState::Running {
            self.halt = Some(Halt::Cancelled);
        }
        loop {
            let wake = if self.halt.is_none() { self.launch().await? } else { None };
            if self.flights.is_empty() && wake.is_none() {
                return Ok(());
            }
            let (closing, tell) = (self.this.0.context.cancel.clone(), self.told + TELL);
            let open = self.halt.is_none();
            tokio::select! {
                () = self.stop.cancelled(), if open => self.halt = Some(Halt::Cancelled),
                () = closing.cancelled(), if open => self.halt = Some(Halt::Closing),
                Some(landed) = self.flights.join_next(), if !self.flights.is_empty() => self.land(landed).await?,
                () = sleep_until(self.began + wake.unwrap_or_default()), if wake.is_some() => {}
                () = sleep_until(tell), if self.untold => self.report().await,
            }
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// Lets leave what may leave now. Gives when the next row may, unless an answer has to come before that.
    async fn launch(&mut self) -> Result<Option<Duration>> {
        while self.flights.len() < self.patience.at_once(AT_ONCE) {
            if self.queue.is_empty() && !self.read_all {
                self.read_on().await?;
            }
            let now = self.now();
            let due = self.deferred.first_key_value().map(|((at, _), _)| *at);
            let next = match due {
                Some(at) if at <= now => self.deferred.pop_first().map(|(_, row)| row),
                _ => self.queue.pop_front(),
            };
            let Some(row) = next else {
                if let Some(until) = due.filter(|_| self.flights.is_empty()) {
                    self.wait(until, PAIR.to_string());
                }
                return Ok(due);
            };
            match self.pace.ask(&row.to, now) {
                Turn::Now => self.fly(row),
                Turn::Number(until) => {
                    self.queue.push_front(row);
                    return Ok(Some(until));
                }
                Turn::Pair(until) => {
                    self.deferred.insert((until, row.row), row);
                }
            }
        }
        Ok(None)
    }

    async fn read_on(&mut self) -> Result<()> {
        let rows = self.this.0.context.desk.batch_rows(&self.id, Some("planned"), self.read, PAGE).await?;
        self.read_all = rows.len() < PAGE as usize;
        for row in rows {
            self.read = row.planned.row;
            let values = serde_json::from_str(&row.planned.filled)
                .map_err(|error| DeskError::Storage { reason: format!("row {}: {error}", row.planned.row) })?;
            let to = row.planned.recipient;
            self.queue.push_back(Row { row: row.planned.row, to, values, tries: 0, pair_tries: 0 });
        }
        Ok(())
    }

    fn fly(&mut self, row: Row) {
        let request = request_of(&self.common, &row.to, &row.values);
        let (this, batch) = (self.this.clone(), (self.id.clone(), row.row));
        self.flights.spawn(async move {
            let answered = this.leave(request, Some(batch)).await;
            (row, answered)
        });
    }

    /// Draws the consequences of an answer.
    async fn land(&mut self, landed: Landed) -> Result<()> {
        let (mut row, answered) = landed.map_err(|error| DeskError::Internal { message: error.to_string() })?;
        self.untold = true;
        let send = match answered {
            Ok(send) => send,
            Err(error) => return self.never_left(&row, error).await,
        };
        let now = self.now();
        match judge(&send) {
            Verdict::Next => {
                self.patience.relax();
                self.waited();
                self.refusals = if send.state == CallState::Refused { self.refusals + 1 } else { 0 };
                if self.refusals >= MOST_REFUSALS {
                    let refusal = send.error.as_deref().and_then(|json| serde_json::from_str(json).ok());
                    self.fail(refusal.unwrap_or(DeskError::Internal { message: "every row was refused".to_owned() }));
                }
            }
            Verdict::Doubt(error) => {
                let until = self.patience.pause(None, now);
                self.hold(until, "unknown".to_owned());
                if self.patience.doubts_too_long() {
                    self.fail(error);
                }
            }
            Verdict::Wait { reason, pause, limit, error } => {
                let until = self.patience.pause(pause, now);
                self.hold(until, reason);
                row.tries += 1;
                if limit || row.tries < MOST_TRIES {
                    self.again(row, &send.id, None).await?;
                }
                if !limit && self.patience.fails_too_long() {
                    self.fail(error);
                }
            }
            Verdict::WaitForPair => {
                row.pair_tries += 1;
                let until = now + pair_pause(row.pair_tries);
                self.pace.hold_pair(&row.to, until);
                self.again(row, &send.id, Some(until)).await?;
            }
            Verdict::Stop(error) => {
                self.again(row, &send.id, None).await?;
                self.fail(error);
            }
        }
        Ok(())
    }

    /// Plans a row again whose send the provider did not take.
    async fn again(&mut self, row: Row, send_id: &str, at: Option<Duration>) -> Result<()> {
        if self.this.0.context.desk.replan_row(&self.id, row.row, send_id).await? {
            match at {
                Some(at) => {
                    self.deferred.insert((at, row.row), row);
                }
                None => self.queue.push_front(row),
            }
        }
        Ok(())
    }

    /// A row that was stopped before it left: by itself, or by what stops all of them.
    async fn never_left(&mut self, row: &Row, error: DeskError) -> Result<()> {
        let request = request_of(&self.common, &row.to, &row.values);
        if let DeskError::InvalidInput { .. } = &error {
            let plan = self.this.send_plan(&request.workspace, &request.reference).await?;
            let problems = plan.prepare(&request, TRACKING_PREVIEW).problems;
            let own = problems.iter().find(|problem| stops(problem, &request.overrides));
            // Checked when it was planned; an instant may have passed since.
            if let Some(problem) = own.filter(|problem| !super::plan::is_of_all(problem)) {
                self.this.0.context.desk.skip_row(&self.id, row.row, to_json(problem)?).await?;
                return Ok(());
            }
        }
        self.fail(error);
        Ok(())
    }

    fn fail(&mut self, error: DeskError) {
        if self.halt.is_none() {
            self.halt = Some(Halt::Failed(error));
        }
    }

    fn hold(&mut self, until: Duration, reason: String) {
        self.pace.hold(until);
        self.wait(until, reason);
    }

    fn wait(&mut self, until: Duration, reason: String) {
        let left = i64::try_from(until.saturating_sub(self.now()).as_millis()).unwrap_or(i64::MAX);
        let waiting = Waiting { until: now().saturating_add(left), reason };
        if let Some(running) = lock(&self.this.0.batches.running).get_mut(&self.id) {
            running.waiting = Some(waiting);
        }
        self.untold = true;
    }

    fn waited(&mut self) {
        if let Some(running) = lock(&self.this.0.batches.running).get_mut(&self.id) {
            running.waiting = None;
        }
    }

    /// Tells where the batch stands. That it cannot be read is no reason to stop.
    async fn report(&mut self) {
        (self.told, self.untold) = (Instant::now(), false);
        match self.this.known_batch(&self.id).await {
            Ok(batch) => self.this.tell_progress(&batch),
            Err(error) => tracing::debug!(%error, "a batch could not be read to tell of it"),
        }
    }
}
