//! The job loop: a window of planned items is in flight, each recorded before it is sent. Answers decide whether other
//! items wait, whether an item is retried, and whether the job stops.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use store::desk::RunState;
use tokio::task::{JoinError, JoinHandle, JoinSet};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::backoff::{Backoff, Cause, recipient_pause};
use super::rate_limiter::{Permit, RateLimiter};
use super::running::{RunningJobs, Waiting};
use super::stop_reason::{StopReason, end_state};
use crate::context::Context;
use command_types::error::{DeskError, Result};
use outgoing::classify_response::PAIR_LIMIT;
use outgoing::now;

/// Items read at once.
const PAGE_SIZE: u32 = 200;
const REPORT_INTERVAL: Duration = Duration::from_millis(200);
/// Consecutive failures (the provider fails, is busy or unreachable) after which the job stops; rate limits never stop
/// it.
const MAX_FAILURES: u32 = 8;
/// Reason of a wait for the instant before which the items that are left must not be sent.
const NOT_BEFORE: &str = "notBefore";
/// Consecutive refusals after which every further item is assumed to be refused.
const MAX_REFUSALS: u32 = 100;

/// A kind of job: where its items are stored and how one is sent.
pub(crate) trait Job: Send + Sync + 'static {
    type Item: Send + 'static;

    /// Requests in flight at the same time.
    const MAX_IN_FLIGHT: usize;

    /// Consecutive failures after which a lost answer stops the job.
    const MAX_LOST: u32 = 4;

    fn id(&self) -> &str;

    fn context(&self) -> &Context;

    fn running(&self) -> &RunningJobs;

    /// Planned items after the position `after`, with their positions, in order.
    fn planned(&self, after: Option<u32>, limit: u32) -> impl Future<Output = Result<Vec<(u32, Self::Item)>>> + Send;

    /// The recipient of an item's message; rate limits apply to messages only.
    fn recipient(_item: &Self::Item) -> Option<&str> {
        None
    }

    /// Until when an item must not be sent, in Unix milliseconds of this machine's clock, which may be set meanwhile.
    fn not_before(&self, _item: &Self::Item) -> Option<i64> {
        None
    }

    /// Records that an item is sent, sends its request, and records the outcome. If [`Answer::is_retried`] holds
    /// for the answer, the item is recorded as planned; after [`Answer::Stop`] it may be recorded as failed instead, so
    /// that it shows the reason. `attempt` counts from 1. `stop` is cancelled when the job should stop.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when it cannot be recorded; the job is interrupted.
    fn send(
        &self,
        item: &Self::Item,
        attempt: u32,
        stop: &CancellationToken,
    ) -> impl Future<Output = Result<Answer>> + Send;

    /// Emits the progress to the window. `is_last` is set once the job has ended and is no longer running.
    fn report(&self, is_last: bool) -> impl Future<Output = Result<()>> + Send;
}

/// An unanswered item.
#[derive(Debug)]
struct Queued<I> {
    position: u32,
    item: I,
    retries: u32,
    recipient_retries: u32,
}

type Answered<I> = std::result::Result<(Queued<I>, Result<Answer>), JoinError>;

struct Engine<J: Job> {
    job: Arc<J>,
    stop: CancellationToken,
    started: Instant,
    rate_limiter: RateLimiter,
    backoff: Backoff,
    queue: VecDeque<Queued<J::Item>>,
    /// Items that wait, by the end of the wait: their recipient is paused, or they must not be sent yet.
    deferred: BTreeMap<(Duration, u32), Queued<J::Item>>,
    last_read: Option<u32>,
    is_all_read: bool,
    in_flight: JoinSet<(Queued<J::Item>, Result<Answer>)>,
    consecutive_refusals: u32,
    stop_reason: Option<StopReason>,
    reported_at: Instant,
    is_report_due: bool,
}

/// Starts a job that is recorded as running. It is not aborted when the app closes: requests in flight are awaited.
pub(crate) fn start<J: Job>(job: J) -> JoinHandle<()> {
    let stop = job.context().cancel.child_token();
    job.running().add(job.id(), stop.clone());
    let job = Arc::new(job);
    let timing = &job.context().timing;
    let engine = Engine {
        job: job.clone(),
        stop,
        started: Instant::now(),
        rate_limiter: RateLimiter::new(timing.send_interval),
        backoff: Backoff::new(timing.job_pause),
        queue: VecDeque::new(),
        deferred: BTreeMap::new(),
        last_read: None,
        is_all_read: false,
        in_flight: JoinSet::new(),
        consecutive_refusals: 0,
        stop_reason: None,
        reported_at: Instant::now(),
        is_report_due: false,
    };
    job.context().spawn_changing(engine.run())
}

impl<J: Job> Engine<J> {
    async fn run(mut self) {
        if let Err(error) = self.work().await {
            self.stop_reason = Some(StopReason::Failed(error));
            // Requests in flight record their answers themselves, and are still awaited.
            while self.in_flight.join_next().await.is_some() {}
        }
        let id = self.job.id();
        let (state, error) = end_state(self.stop_reason.take(), id);
        let desk = &self.job.context().desk;
        if let Err(error) = desk.end_job(self.job.running().kind(), id, state, error, now()).await {
            // The next start finds it running and handles that.
            tracing::error!(id, %error, "the end of a job could not be recorded");
        }
        self.job.running().remove(id);
        self.report(true).await;
    }

    async fn work(&mut self) -> Result<()> {
        // Cancelled between being recorded as running and being started.
        let recorded = self.job.context().desk.job_state(self.job.running().kind(), self.job.id()).await?;
        if recorded != Some(RunState::Running) {
            self.stop_reason = Some(StopReason::Cancelled);
        }
        loop {
            let wake = if self.stop_reason.is_none() { self.launch().await? } else { None };
            if self.in_flight.is_empty() && wake.is_none() {
                return Ok(());
            }
            let (stop, report) = (self.stop.clone(), self.reported_at + REPORT_INTERVAL);
            tokio::select! {
                () = stop.cancelled(), if self.stop_reason.is_none() => self.stop_on_request(),
                Some(answered) = self.in_flight.join_next(), if !self.in_flight.is_empty() => self.take(answered)?,
                () = sleep_until(self.started + wake.unwrap_or_default()), if wake.is_some() => {}
                () = sleep_until(report), if self.is_report_due => self.report(false).await,
            }
        }
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    /// Sends the items that may be sent now. Returns when the next item may be sent, unless an answer is needed before.
    async fn launch(&mut self) -> Result<Option<Duration>> {
        while self.in_flight.len() < self.backoff.max_in_flight(J::MAX_IN_FLIGHT) {
            if self.queue.is_empty() && !self.is_all_read {
                self.read_page().await?;
            }
            let now = self.now();
            let due = self.deferred.first_key_value().map(|((at, _), _)| *at);
            let next = match due {
                Some(at) if at <= now => self.deferred.pop_first().map(|(_, queued)| queued),
                _ => self.queue.pop_front(),
            };
            let Some(queued) = next else {
                if let Some(until) = due.filter(|_| self.in_flight.is_empty()) {
                    self.wait_for_deferred(until);
                }
                return Ok(due);
            };
            if let Some(at) = self.recheck_at(&queued, now) {
                self.deferred.insert((at, queued.position), queued);
                continue;
            }
            match self.rate_limiter.acquire(J::recipient(&queued.item), now) {
                Permit::Now => self.send(queued),
                Permit::All(until) => {
                    self.queue.push_front(queued);
                    return Ok(Some(until));
                }
                Permit::Recipient(until) => {
                    self.deferred.insert((until, queued.position), queued);
                }
            }
        }
        Ok(None)
    }

    /// When to look again at an item that must not be sent yet: within a minute, since a clock that is set makes a wait
    /// longer or shorter.
    fn recheck_at(&self, queued: &Queued<J::Item>, now: Duration) -> Option<Duration> {
        let timing = &self.job.context().timing;
        let left = self.job.not_before(&queued.item)?.saturating_sub((timing.clock)());
        let left = Duration::from_millis(u64::try_from(left).ok().filter(|left| *left > 0)?);
        Some(now + left.min(timing.clock_check))
    }

    /// Shows until when the items that are left wait.
    fn wait_for_deferred(&mut self, until: Duration) {
        let not_before = self.deferred.values().map(|queued| self.job.not_before(&queued.item)).min().flatten();
        let clock = (self.job.context().timing.clock)();
        match not_before.filter(|not_before| *not_before > clock) {
            Some(until) => self.show_wait(Waiting { until, reason: NOT_BEFORE.to_owned() }),
            None => self.wait(until, PAIR_LIMIT.to_string()),
        }
    }

    async fn read_page(&mut self) -> Result<()> {
        let items = self.job.planned(self.last_read, PAGE_SIZE).await?;
        self.is_all_read = items.len() < PAGE_SIZE as usize;
        for (position, item) in items {
            self.last_read = Some(position);
            self.queue.push_back(Queued { position, item, retries: 0, recipient_retries: 0 });
        }
        Ok(())
    }

    fn send(&mut self, queued: Queued<J::Item>) {
        let (job, stop) = (self.job.clone(), self.stop.clone());
        self.in_flight.spawn(async move {
            let answer = job.send(&queued.item, queued.retries + 1, &stop).await;
            (queued, answer)
        });
    }

    fn take(&mut self, answered: Answered<J::Item>) -> Result<()> {
        let (mut queued, answer) = answered.map_err(|error| DeskError::Internal { message: error.to_string() })?;
        let (answer, now) = (answer?, self.now());
        self.is_report_due = true;
        let is_retried = answer.is_retried(queued.retries + 1);
        match answer {
            Answer::Skipped => {}
            Answer::NotSent => self.stop_on_request(),
            Answer::Done => {
                self.consecutive_refusals = 0;
                self.reset();
            }
            Answer::Refused(error) => {
                self.consecutive_refusals += 1;
                self.reset();
                if self.consecutive_refusals >= MAX_REFUSALS {
                    self.stop_with(StopReason::Failed(error));
                }
            }
            Answer::Unknown(error) => {
                self.pause(Cause::Failure, None, "unknown".to_owned());
                if self.backoff.consecutive_failures() >= J::MAX_LOST {
                    self.stop_with(StopReason::Failed(error));
                }
            }
            Answer::Retry { error, reason, pause, is_limit, is_partial: _ } => {
                self.pause(if is_limit { Cause::Limit } else { Cause::Failure }, pause, reason);
                queued.retries += 1;
                if is_retried {
                    self.queue.push_front(queued);
                }
                if !is_limit && self.backoff.consecutive_failures() > MAX_FAILURES {
                    self.stop_with(StopReason::Failed(error));
                }
            }
            Answer::RetryRecipient { error: _, pause } => {
                queued.recipient_retries += 1;
                let unit = self.job.context().timing.recipient_pause;
                let until = now + recipient_pause(unit, queued.recipient_retries, pause);
                if let Some(recipient) = J::recipient(&queued.item) {
                    self.rate_limiter.pause_recipient_until(recipient, until);
                }
                self.deferred.insert((until, queued.position), queued);
            }
            Answer::Stop(error) => self.stop_with(StopReason::Failed(error)),
        }
        Ok(())
    }

    /// Stops because the person, the shutdown of the app, or an event about the sender requests it.
    fn stop_on_request(&mut self) {
        let is_closing = self.job.context().cancel.is_cancelled();
        self.stop_with(match self.job.running().error(self.job.id()) {
            Some(error) => StopReason::Failed(error),
            None if is_closing => StopReason::Closing,
            None => StopReason::Cancelled,
        });
    }

    fn stop_with(&mut self, reason: StopReason) {
        self.stop_reason.get_or_insert(reason);
    }

    /// Resets the backoff after an answer: the provider works. During a pause, it answers a request that was sent before
    /// and proves nothing, so the pause stays and is shown.
    fn reset(&mut self) {
        if self.backoff.is_paused(self.now()) {
            return;
        }
        self.backoff.reset();
        self.job.running().set_waiting(self.job.id(), None);
    }

    /// Sends nothing for a while.
    fn pause(&mut self, cause: Cause, requested: Option<Duration>, reason: String) {
        let until = self.backoff.pause(cause, requested, self.now());
        self.rate_limiter.pause_until(until);
        self.wait(until, reason);
    }

    fn wait(&mut self, until: Duration, reason: String) {
        let left = i64::try_from(until.saturating_sub(self.now()).as_millis()).unwrap_or(i64::MAX);
        self.show_wait(Waiting { until: now().saturating_add(left), reason });
    }

    fn show_wait(&mut self, waiting: Waiting) {
        self.job.running().set_waiting(self.job.id(), Some(waiting));
        self.is_report_due = true;
    }

    /// Reports the progress. A failure to read it is ignored.
    async fn report(&mut self, is_last: bool) {
        (self.reported_at, self.is_report_due) = (Instant::now(), false);
        if let Err(error) = self.job.report(is_last).await {
            tracing::debug!(id = self.job.id(), %error, "the progress of a job could not be read");
        }
    }
}
