//! The projector: what the inbox means, item by item, applied once.
//!
//! What must outlive the inbox (outcomes of our sends, events of templates) goes to the desk first. Its rows have keys
//! of their own, so that a stop between the two files only means that they are written again.

mod effect;

pub(crate) use effect::TRACKING_KEY;

use model::item::{self, Decoded};
use store::cache::{ApplyError, ProjectedItem};
use store::desk::{OutcomeReport, TemplateEvent};
use store::failpoint;
use store::inbox::Delivery;

use crate::core::Core;
use crate::error::Result;
use crate::event::DeskEvent;

/// Deliveries in one transaction.
const BATCH: u32 = 500;
/// Pause after a failure, before the same batch is tried again.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(1);

/// What a batch of deliveries means.
#[derive(Debug, Default)]
struct Batch {
    items: Vec<ProjectedItem>,
    outcomes: Vec<OutcomeReport>,
    events: Vec<TemplateEvent>,
}

impl Core {
    /// Follows the inbox until the core closes.
    pub(crate) fn start_projector(&self) {
        let core = self.clone();
        self.spawn(async move {
            let mut stored = core.0.inbox.stored();
            loop {
                match core.project_pending().await {
                    Ok(()) => {
                        tokio::select! {
                            changed = stored.changed() => if changed.is_err() { return },
                            () = core.0.projector.notified() => {}
                        }
                    }
                    Err(error) => {
                        tracing::error!(%error, "webhooks are stored but cannot be projected; trying again");
                        tokio::time::sleep(PAUSE).await;
                    }
                }
            }
        });
    }

    /// Gives a cache that was built anew the marks up to which conversations were read.
    async fn restore_read_marks(&self) -> Result<()> {
        if self.0.cache.cursor().await?.is_none() {
            for mark in self.0.desk.read_marks().await? {
                self.0.cache.mark_read(&mark.workspace_id, &mark.contact, mark.at).await?;
            }
        }
        Ok(())
    }

    /// Projects everything stored so far.
    async fn project_pending(&self) -> Result<()> {
        self.restore_read_marks().await?;
        let inbox_id = self.0.inbox.inbox_id();
        let mut from = match self.0.cache.cursor().await? {
            Some(cursor) if cursor.inbox_id == inbox_id => cursor.seq,
            Some(_) => {
                // Another inbox: restored or replaced. The projection is a function of the one that is here.
                self.0.cache.reset_projection().await?;
                0
            }
            None => 0,
        };
        loop {
            let deliveries = self.0.reader.after(from, BATCH).await?;
            let Some(last) = deliveries.last().map(|delivery| delivery.seq) else { return Ok(()) };
            from = self.project(from, last, &deliveries).await?;
        }
    }

    /// Projects one batch and gives where the cursor stands then.
    async fn project(&self, from: i64, to: i64, deliveries: &[Delivery]) -> Result<i64> {
        let mut batch = Batch::default();
        for delivery in deliveries {
            batch.take(delivery);
        }
        let events = batch.events.clone();
        let outcomes = batch.outcomes.clone();
        failpoint::pass("projector.read");
        let mut sends = self.0.desk.keep_outcomes(batch.outcomes).await?;
        failpoint::pass("projector.outcomes");
        self.0.desk.keep_template_events(batch.events).await?;
        failpoint::pass("projector.desk");
        let workspaces: Vec<String> = {
            let mut routes: Vec<String> = deliveries.iter().map(|delivery| delivery.route.clone()).collect();
            routes.sort();
            routes.dedup();
            routes
        };
        let applied = match self.0.cache.apply(self.0.inbox.inbox_id(), from, to, batch.items).await {
            Ok(applied) => applied,
            Err(ApplyError::Cursor(Some(cursor))) if cursor.inbox_id == self.0.inbox.inbox_id() => {
                return Ok(cursor.seq);
            }
            Err(ApplyError::Cursor(_)) => {
                self.0.cache.reset_projection().await?;
                return Ok(0);
            }
            Err(ApplyError::Store(error)) => return Err(error.into()),
        };
        failpoint::pass("projector.applied");
        // A send that learned its message identifier between the two writes saw the status in neither file: once more.
        sends.extend(self.0.desk.keep_outcomes(outcomes).await?);
        if applied.new_items > 0 {
            self.tell(DeskEvent::EventsStored { workspaces, count: applied.new_items as u64 });
        }
        for id in sends {
            self.tell_send(&id).await?;
        }
        for (workspace, contact) in applied.contacts {
            self.tell(DeskEvent::MessageReceived { workspace, contact });
        }
        self.tell_templates(applied.templates, events).await?;
        Ok(to)
    }

    async fn tell_send(&self, id: &str) -> Result<()> {
        if let Some(send) = self.0.desk.send(id).await? {
            let state = send.status.clone().unwrap_or_else(|| crate::sending::call_state(send.state).to_owned());
            self.tell(DeskEvent::SendUpdated { workspace: send.workspace_id, id: id.to_owned(), state });
        }
        Ok(())
    }

    /// Tells of templates that differ now, and asks the provider again about events of templates nobody knows here.
    async fn tell_templates(&self, changed: Vec<(String, String)>, events: Vec<TemplateEvent>) -> Result<()> {
        for (workspace, reference) in changed {
            let Some(template) = self.0.cache.template(&workspace, &reference).await? else { continue };
            let row = template.row;
            self.tell(DeskEvent::TemplateStatusChanged {
                workspace,
                reference: Some(reference),
                name: row.name,
                language: row.language,
                event: if row.archived { "ARCHIVED".to_owned() } else { row.status },
                reason: row.rejected_reason,
            });
        }
        let mut unknown: Vec<String> = Vec::new();
        for event in events {
            let which = store::cache::TemplateMatch::Name {
                name: event.template_name.clone(),
                language: event.language.clone(),
            };
            if self.0.cache.find_templates(&event.workspace_id, which).await?.is_empty() {
                unknown.push(event.workspace_id);
            }
        }
        unknown.sort();
        unknown.dedup();
        for workspace in unknown {
            self.sync_in_background(&workspace);
        }
        Ok(())
    }

    /// Whether deliveries are stored that are not projected yet, and how many.
    pub(crate) async fn behind(&self) -> Result<u64> {
        let seq = self.0.cache.cursor().await?.map_or(0, |cursor| cursor.seq);
        Ok(u64::try_from(self.0.reader.last_seq().await? - seq).unwrap_or(0))
    }
}

impl Batch {
    fn take(&mut self, delivery: &Delivery) {
        for (ordinal, item) in item::items(&delivery.body).into_iter().enumerate() {
            let decoded = item.decode();
            let projected = effect::project(delivery, ordinal, item, &decoded);
            match decoded {
                Decoded::Status { .. } => self.outcomes.extend(effect::outcome(&projected)),
                Decoded::TemplateStatus(_) => self.events.extend(effect::template_event(&projected)),
                _ => {}
            }
            self.items.push(projected);
        }
    }
}
