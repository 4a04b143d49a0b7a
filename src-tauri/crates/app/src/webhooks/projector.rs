//! The projector: decodes the delivery log and applies each item once.
//!
//! Data that must outlive the delivery log (outcomes of our sends, events of templates) is written to the desk first.
//! Its rows have their own keys, so a crash between the two files only causes them to be written again.

mod batch_throttle;
mod opt_outs;
mod progress;
mod unmatched;

pub(crate) use progress::Projection;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::event::kind::ItemKind;
use store::StoreError;
use store::cache::{ApplyError, Cursor, Effect, ProjectedItem, ProjectionMark, TemplateChange};
use store::delivery_log::Delivery;
use store::desk::{OutcomeReport, TemplateEvent};
use store::failpoint;

use self::batch_throttle::BatchThrottle;
use self::progress::CatchUpProgress;
use self::unmatched::Unmatched;
use crate::context::{Context, STORE_RETRY_DELAY};
use crate::decoding::DecodedBatch;
use crate::templates::template_events::reporting_account;
use crate::webhooks::{Webhooks, account_notices};
use crate::workspaces::SANDBOX_ID;
use command_types::Nothing;
use command_types::activity::ProjectionState;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use outgoing::compute;
use outgoing::now;

/// Maximum number of deliveries in one transaction, within [`MAX_BATCH_BYTES`]. Each event writes to a few pages of
/// each index: the more events share a transaction, the fewer pages are written per event.
const MAX_DELIVERIES: u32 = 2_000;
/// Approximate memory for the items of one transaction. While one batch of a backlog is written, the next one is
/// decoded from about 16 MB of bodies. A transaction's writes also stay in the write-ahead log until its end.
const MAX_BATCH_BYTES: usize = 8 << 20;
/// Desk settings key of the position that was projected when the last rebuild began; 0 when it is done.
const REACHED_KEY: &str = "projection.reached";
/// Maximum number of contacts with an event of their own per transaction; more have one together.
const MAX_EMITTED_CONTACTS: usize = 50;
/// An event of the sandbox that happened longer ago, in milliseconds, belongs to its history: no notification is shown.
const HISTORY: i64 = 7 * 86_400_000;

/// The next work of the projector.
struct Pending {
    /// The last assigned sequence number when this was read.
    last_seq_at_read: i64,
    /// The next deliveries, if there are any.
    batch: Option<DecodedBatch>,
}

/// Why a batch could not be written.
enum ProjectError {
    /// Its content cannot be written; retrying does not help, but another batch can be written.
    Content(String),
    /// The files or the program failed.
    Failed(DeskError),
}

impl From<StoreError> for ProjectError {
    fn from(error: StoreError) -> Self {
        if error.is_about_content() { Self::Content(error.to_string()) } else { Self::Failed(error.into()) }
    }
}

impl From<DeskError> for ProjectError {
    fn from(error: DeskError) -> Self {
        Self::Failed(error)
    }
}

impl Webhooks {
    /// Follows the delivery log until the app closes.
    pub(crate) fn start_projector(&self) {
        let webhooks = self.clone();
        let before = *self.0.context.delivery_log.stored().borrow();
        self.0.context.spawn(async move {
            while let Err(error) = webhooks.load_reached(before).await {
                tracing::error!(%error, "the projection's position cannot be read; retrying");
                tokio::time::sleep(STORE_RETRY_DELAY).await;
            }
            let mut stored = webhooks.0.context.delivery_log.stored();
            let new_throttle = || BatchThrottle::new(&webhooks.0.context.timing);
            let mut throttle = new_throttle();
            loop {
                match webhooks.project_pending(&mut throttle).await {
                    Ok(()) => tokio::select! {
                        changed = stored.changed() => {
                            if changed.is_err() {
                                return;
                            }
                        }
                        () = webhooks.0.projection.woken() => throttle = new_throttle(),
                    },
                    Err(error) => {
                        tracing::error!(%error, "stored webhooks cannot be projected; retrying");
                        tokio::time::sleep(STORE_RETRY_DELAY).await;
                    }
                }
            }
        });
    }

    /// Sets the position up to which events were emitted before this run: the content of the cache or, if the cache is
    /// new or was being rebuilt, everything stored so far.
    async fn load_reached(&self, stored: i64) -> Result<()> {
        let cursor = self.0.context.cache.cursor().await?;
        let reached_seq = match cursor.filter(|cursor| cursor.log_id == self.0.context.delivery_log.log_id()) {
            Some(cursor) => {
                let interrupted = self
                    .0
                    .context
                    .desk
                    .setting(REACHED_KEY)
                    .await?
                    .and_then(|reached_seq| reached_seq.parse().ok())
                    .unwrap_or(0);
                cursor.seq.max(interrupted).min(stored)
            }
            None => stored,
        };
        self.0.projection.set_reached(reached_seq);
        Ok(())
    }

    /// Records whether a rebuild is in progress, also across a restart, so that the next run does not emit old events
    /// as new.
    async fn record_rebuilding(&self, from: i64) -> Result<()> {
        let projection = &self.0.projection;
        let reached = projection.reached();
        if projection.set_rebuilding(from < reached) {
            let reached_seq = if from < reached { reached } else { 0 };
            self.0.context.desk.set_setting(REACHED_KEY, reached_seq.to_string()).await?;
        }
        Ok(())
    }

    /// Restores the read marks of conversations in a new cache, or in one that had another delivery log.
    async fn restore_read_marks(&self) -> Result<()> {
        let Context { cache, desk, delivery_log, .. } = &*self.0.context;
        let last = store::cache::last_item_of(*delivery_log.stored().borrow());
        desk.limit_read_marks(last).await?;
        cache.limit_read_marks(last).await?;
        for mark in desk.read_marks().await? {
            cache.mark_read(&mark.workspace_id, &mark.contact, mark.item_id).await?;
        }
        Ok(())
    }

    /// Discards the projection of another delivery log, restores the read marks of what is projected from the
    /// beginning, and returns where the projection continues. The caller holds the lock of the projection.
    async fn position(&self) -> Result<ProjectionMark> {
        let log_id = self.0.context.delivery_log.log_id();
        let from = match self.0.context.cache.cursor().await? {
            Some(cursor) if cursor.log_id == log_id => cursor.mark(),
            Some(_) => {
                // Another delivery log: restored or replaced. The projection depends only on the current delivery log.
                let last_seq = *self.0.context.delivery_log.stored().borrow();
                self.0.context.cache.reset_projection(Some(last_seq)).await?;
                self.restore_read_marks().await?;
                ProjectionMark::default()
            }
            None => {
                // Before the first batch of a rebuild, nothing says which delivery log the templates are from.
                let last_seq = *self.0.context.delivery_log.stored().borrow();
                self.0.context.cache.limit_requests(last_seq).await?;
                self.restore_read_marks().await?;
                ProjectionMark::default()
            }
        };
        self.record_rebuilding(from.seq).await?;
        Ok(from)
    }

    /// Projects everything stored so far.
    async fn project_pending(&self, throttle: &mut BatchThrottle) -> Result<()> {
        let total = || *self.0.context.delivery_log.stored().borrow();
        let guard = self.0.projection.lock().await;
        let mut exclusive_uses = *guard;
        let mut from = self.position().await?;
        drop(guard);
        let mut progress = CatchUpProgress::default();
        let mut ahead = None;
        // The positions of the most recent batch that could not be written: its deliveries are written one by one.
        let mut one_by_one = ProjectionMark::default()..ProjectionMark::default();
        loop {
            progress.step(self, from.seq, total());
            if ahead.is_some() || from.seq < total() {
                throttle.wait().await;
            }
            let guard = self.0.projection.lock().await;
            if *guard != exclusive_uses {
                exclusive_uses = *guard;
                (from, ahead) = (self.position().await?, None);
            }
            self.match_unmatched().await?;
            let alone = one_by_one.contains(&from);
            let Pending { last_seq_at_read, batch } = match ahead.take() {
                Some(pending) => pending,
                None => self.read_batch(from, alone).await?,
            };
            let batch = match batch {
                Some(batch) => batch,
                // The deliveries with the last sequence numbers are lost: there is nothing to wait for.
                None if from.seq < last_seq_at_read => DecodedBatch::empty(last_seq_at_read),
                None => {
                    progress.end(self, from.seq, total());
                    return Ok(());
                }
            };
            let to = batch.last;
            let has_more = to.seq < last_seq_at_read;
            throttle.record_batch(to.seq - from.seq, has_more);
            // The next batch is read and decoded while this one is written.
            let next_alone = one_by_one.contains(&to);
            let read_next = async { if has_more { Some(self.read_batch(to, next_alone).await) } else { None } };
            let (done, next) = tokio::join!(self.project(from, batch), read_next);
            from = match done {
                Ok(done) => done,
                Err(ProjectError::Failed(error)) => return Err(error),
                Err(ProjectError::Content(reason)) if alone => self.set_aside(from, &reason).await?,
                Err(ProjectError::Content(reason)) => {
                    tracing::warn!(
                        reason,
                        "a batch of webhooks cannot be written; its deliveries are written one by one"
                    );
                    one_by_one = from..to;
                    continue;
                }
            };
            if from == to {
                ahead = next.transpose()?;
            }
            self.0.projection.set_reached(from.seq);
            self.record_rebuilding(from.seq).await?;
            drop(guard);
        }
    }

    /// Decoded deliveries from `from` on: as many as fit a batch, or only the first one.
    async fn read_batch(&self, from: ProjectionMark, alone: bool) -> Result<Pending> {
        // Read first: deliveries stored in between are found next time.
        let last_seq_at_read = self.0.context.reader.last_seq().await?;
        let deliveries = self.0.context.reader.after(from.seq, if alone { 1 } else { MAX_DELIVERIES }).await?;
        if deliveries.is_empty() {
            return Ok(Pending { last_seq_at_read, batch: None });
        }
        Ok(Pending { last_seq_at_read, batch: Some(self.decode(from, deliveries).await?) })
    }

    /// Decodes deliveries. On failure, decodes the first of them alone; if that fails too, it is set aside.
    async fn decode(&self, from: ProjectionMark, deliveries: Vec<Delivery>) -> Result<DecodedBatch> {
        let shared = Arc::new(deliveries);
        let all = shared.clone();
        match compute::decode(move || DecodedBatch::up_to(from, &all, MAX_BATCH_BYTES)).await {
            Ok(batch) => return Ok(batch),
            Err(error) => tracing::warn!(%error, "deliveries cannot be decoded together; trying the first one alone"),
        }
        let first = shared.clone();
        let decoded = compute::decode(move || DecodedBatch::up_to(from, &first[..1], MAX_BATCH_BYTES)).await;
        Ok(decoded.unwrap_or_else(|error| DecodedBatch::set_aside(&shared[0], &error.to_string())))
    }

    /// Sets aside the delivery after `from`, which cannot be written, and returns the new cursor. It stays in the
    /// delivery log, and Activity shows that it could not be processed.
    async fn set_aside(&self, from: ProjectionMark, reason: &str) -> Result<ProjectionMark> {
        let deliveries = self.0.context.reader.after(from.seq, 1).await?;
        let Some(delivery) = deliveries.first() else { return Ok(from) };
        tracing::error!(seq = delivery.seq, reason, "a delivery cannot be processed; it is set aside");
        match self.project(from, DecodedBatch::set_aside(delivery, reason)).await {
            Ok(to) => Ok(to),
            Err(ProjectError::Failed(error)) => Err(error),
            Err(ProjectError::Content(reason)) => Err(DeskError::Internal { message: reason }),
        }
    }

    /// Projects one batch and returns the new cursor.
    async fn project(&self, from: ProjectionMark, mut batch: DecodedBatch) -> Result<ProjectionMark, ProjectError> {
        let to = batch.last;
        self.add_own_edit_times(&mut batch.items).await?;
        // Events are emitted only for the first projection of a delivery.
        let is_rebuilding = to <= self.0.projection.reached().into();
        let events = batch.events.clone();
        let outcomes: Arc<[OutcomeReport]> = batch.outcomes.into();
        let desk = &self.0.context.desk;
        let changes = desk.changes();
        failpoint::pass("projector.read");
        let mut sends = if outcomes.is_empty() { Vec::new() } else { desk.store_outcomes(outcomes.clone()).await? };
        failpoint::pass("projector.outcomes");
        if !batch.replies.is_empty() {
            sends.extend(desk.store_replies(batch.replies).await?);
        }
        let mut marketing = batch.marketing;
        marketing.extend(self.opt_outs(batch.maybe_opt_outs).await?);
        if !marketing.is_empty() {
            desk.store_marketing_preferences(marketing).await?;
        }
        if !batch.events.is_empty() {
            desk.store_template_events(batch.events).await?;
        }
        failpoint::pass("projector.desk");
        let workspaces = batch.routes;
        let newest = newest_items(&batch.items);
        let notices = account_notices::pending(&batch.items);
        let applied =
            match self.0.context.cache.apply(self.0.context.delivery_log.log_id(), from, to, batch.items).await {
                Ok(applied) => applied,
                Err(ApplyError::Cursor(Some(cursor))) if cursor.log_id == self.0.context.delivery_log.log_id() => {
                    return Ok(cursor.mark());
                }
                Err(ApplyError::Cursor(_)) => {
                    self.0.context.cache.reset_projection(None).await?;
                    return Ok(ProjectionMark::default());
                }
                Err(ApplyError::Store(error)) => return Err(error.into()),
            };
        failpoint::pass("projector.applied");
        for (workspace, at, received_at) in newest {
            self.0.workspaces.event_seen(&workspace, at, received_at);
        }
        // The cursor has moved, so nothing may return before the rest is done.
        let mut unmatched = Unmatched { outcomes, changes, sends };
        let matched = unmatched.match_again(&self.0.context).await;
        let sends = unmatched.sends.clone();
        if let Err(error) = matched {
            tracing::error!(%error, "outcomes of sends cannot be written; retrying before the next batch");
            self.0.projection.keep_unmatched(unmatched);
        }
        if applied.new_items > 0 {
            self.0.context.emit(DeskEvent::EventsStored { workspaces, count: applied.new_items as u64 });
        }
        if is_rebuilding {
            let mut workspaces: Vec<String> = applied.templates.into_iter().map(|change| change.route).collect();
            workspaces.dedup();
            for workspace in workspaces {
                self.0.context.emit(DeskEvent::TemplatesChanged { workspace });
            }
            return Ok(to);
        }
        for workspace in applied.templates.iter().map(|change| &change.route).collect::<BTreeSet<_>>() {
            if let Err(error) = self.0.templates.keep_differing_statuses(workspace).await {
                tracing::warn!(%error, "the statuses of accounts cannot be stored");
            }
        }
        self.emit_sends(sends).await;
        self.emit_messages(applied.contacts);
        self.emit_notices(notices).await;
        self.emit_template_events(applied.templates, &applied.unknown_events, events).await;
        for workspace in applied.unconfirmed {
            self.0.templates.sync_in_background(&workspace);
        }
        Ok(to)
    }

    /// Tries again what could not be matched after the last batch. On failure it is kept, and the projector releases
    /// the lock until it tries again.
    async fn match_unmatched(&self) -> Result<()> {
        let Some(mut unmatched) = self.0.projection.take_unmatched() else { return Ok(()) };
        if let Err(error) = unmatched.match_again(&self.0.context).await {
            self.0.projection.keep_unmatched(unmatched);
            return Err(error.into());
        }
        self.emit_sends(unmatched.sends).await;
        Ok(())
    }

    /// Sets, for events without a timestamp, when their template was last edited here: an event from before the edit
    /// may legitimately repeat after it.
    async fn add_own_edit_times(&self, items: &mut [ProjectedItem]) -> Result<()> {
        let undated = |item: &&mut ProjectedItem| item.subject.is_some() && matches!(item.effect, Effect::Template(_));
        for item in items.iter_mut().filter(undated) {
            if let (Some(name), Some(language)) = (&item.template_name, &item.template_language) {
                let edited = self.0.context.desk.edited_at(&item.route, name, language, item.received_at).await?;
                item.changed_here_at = edited;
            }
        }
        Ok(())
    }

    /// Emits events about contacts with new or changed messages, each with its workspace.
    fn emit_messages(&self, contacts: Vec<(String, String)>) {
        if contacts.len() <= MAX_EMITTED_CONTACTS {
            for (workspace, contact) in contacts {
                self.0.context.emit(DeskEvent::MessageReceived { workspace, contact });
            }
            return;
        }
        for workspace in contacts.into_iter().map(|(workspace, _)| workspace).collect::<BTreeSet<String>>() {
            self.0.context.emit(DeskEvent::MessagesReceived { workspace });
        }
    }

    /// Emits events about changed templates. Fetches the listing for events about unknown templates and about new
    /// content, of which an event contains only the texts.
    async fn emit_template_events(
        &self,
        changed: Vec<TemplateChange>,
        unknown_events: &BTreeSet<(String, String)>,
        events: Vec<TemplateEvent>,
    ) {
        let recent = now().saturating_sub(HISTORY);
        let is_history = |event: &TemplateEvent| event.workspace_id == SANDBOX_ID && event.at < recent;
        for TemplateChange { route, reference, before } in changed {
            let language = model::language::normalise(&before.language);
            let is_about = |event: &&TemplateEvent| match (&event.channel_id, &before.channel_id) {
                (Some(event_id), Some(id)) => event_id == id,
                _ => event.template_name == before.name && event.language == language,
            };
            let about: Vec<&TemplateEvent> = events.iter().filter(is_about).collect();
            let account = reporting_account(&about, &before.wabas);
            if !about.is_empty() && about.iter().all(|event| is_history(event)) {
                self.0.context.emit(DeskEvent::TemplatesChanged { workspace: route });
                continue;
            }
            if let Err(error) = self.0.templates.emit_template_changes(&route, &reference, account, |_| before).await {
                tracing::warn!(%error, "a changed template cannot be read");
                self.0.context.emit(DeskEvent::TemplatesChanged { workspace: route });
            }
        }
        self.0.templates.emit_event_workspaces(&events);
        let mut unknown = BTreeSet::new();
        for event in events {
            let is_content = event.event == ItemKind::TemplateComponents.as_str();
            // Use the lookup from before the batch: a creation that was recorded since has not emitted this event.
            let is_stranger = unknown_events.contains(&(event.workspace_id.clone(), event.key.clone()));
            if is_stranger && !is_history(&event) {
                self.0.templates.emit_unknown_template(&event);
            }
            if is_content || is_stranger {
                unknown.insert(event.workspace_id);
            }
        }
        for workspace in unknown {
            self.0.templates.sync_in_background(&workspace);
        }
    }

    /// How far the delivery log has been projected.
    pub async fn get_projection(&self, _request: Nothing) -> Result<ProjectionState> {
        let done = self.projected_to().await?;
        let total = (*self.0.context.delivery_log.stored().borrow()).max(done);
        let number = |seq: i64| u64::try_from(seq).unwrap_or_default();
        Ok(ProjectionState {
            done: number(done),
            total: number(total),
            rebuilding: self.0.projection.is_rebuilding(),
            behind: number(total - done),
        })
    }

    /// Number of stored deliveries after a cursor of the projection; all of them without one, or for another delivery
    /// log.
    pub(crate) fn deliveries_after(&self, cursor: Option<&Cursor>) -> u64 {
        let delivery_log = &self.0.context.delivery_log;
        let done = cursor.filter(|cursor| cursor.log_id == delivery_log.log_id()).map_or(0, |cursor| cursor.seq);
        u64::try_from(*delivery_log.stored().borrow() - done).unwrap_or_default()
    }

    /// The last projected delivery; 0 for another delivery log.
    pub(crate) async fn projected_to(&self) -> Result<i64> {
        let cursor = self.0.context.cache.cursor().await?;
        Ok(cursor.filter(|cursor| cursor.log_id == self.0.context.delivery_log.log_id()).map_or(0, |cursor| cursor.seq))
    }

    /// Discards the projection and rebuilds it while deliveries are received. User data, the template listing and read
    /// marks are kept.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::Storage`] when the cache cannot be written; nothing has changed then.
    pub async fn rebuild_projection(&self, _request: Nothing) -> Result<ProjectionState> {
        let guard = self.0.projection.lock_exclusively().await;
        self.0.context.cache.reset_projection(None).await?;
        self.record_rebuilding(0).await?;
        drop(guard);
        self.0.projection.wake();
        self.get_projection(Nothing {}).await
    }
}

/// Of each workspace, the message or status that happened last compared with its arrival: its time, and its arrival. One
/// without a time of its own has that of its arrival, which says nothing.
fn newest_items(items: &[ProjectedItem]) -> Vec<(String, i64, i64)> {
    let mut newest: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    let kinds = [ItemKind::Message.as_str(), ItemKind::Status.as_str()];
    for item in items.iter().filter(|item| kinds.contains(&item.kind.as_str()) && item.at != item.received_at) {
        let found = newest.entry(&item.route).or_insert((item.at, item.received_at));
        if item.at.saturating_sub(item.received_at) > found.0.saturating_sub(found.1) {
            *found = (item.at, item.received_at);
        }
    }
    newest.into_iter().map(|(route, (at, received_at))| (route.to_owned(), at, received_at)).collect()
}
