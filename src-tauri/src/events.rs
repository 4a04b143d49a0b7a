//! The event stream from the core to the window, with bursts combined into a few messages.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::ports::EventSink;
use command_types::event::DeskEvent;
use tauri::ipc::Channel;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// Minimum interval between two messages to the window: at most ten per second.
const MIN_INTERVAL: Duration = Duration::from_millis(100);
/// Number of events in one message from which on an event about one item is replaced by one about all of its kind.
const MAX_BURST: usize = 200;

/// Sends events to the page that subscribed last.
#[derive(Clone, Default)]
pub(crate) struct EventHub {
    window: Arc<Mutex<Option<Channel<Vec<DeskEvent>>>>>,
}

impl std::fmt::Debug for EventHub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EventHub")
    }
}

impl EventHub {
    /// Replaces the channel with that of a newly loaded page.
    pub(crate) fn subscribe(&self, channel: Channel<Vec<DeskEvent>>) {
        *self.window.lock().unwrap_or_else(PoisonError::into_inner) = Some(channel);
    }

    /// Returns a sink for the core, and the task that forwards its events until every sink is dropped. `notice` is
    /// called once for each event and must not block. Events that wait are merged, so however many there are, they take
    /// a bounded amount of memory.
    pub(crate) fn sink(
        &self,
        notice: impl Fn(&DeskEvent) + Send + Sync + 'static,
    ) -> (EventSink, impl Future<Output = ()> + Send + 'static) {
        let waiting = Arc::new(Mutex::new(Vec::new()));
        // One wake-up is enough for all that wait.
        let (wake, mut woken) = mpsc::channel::<()>(1);
        let (hub, burst) = (self.clone(), waiting.clone());
        let forward = async move {
            while woken.recv().await.is_some() {
                let burst = std::mem::take(&mut *burst.lock().unwrap_or_else(PoisonError::into_inner));
                hub.send(burst);
                tokio::time::sleep(MIN_INTERVAL).await;
            }
        };
        let sink = EventSink::new(move |event| {
            notice(&event);
            add(&mut waiting.lock().unwrap_or_else(PoisonError::into_inner), event);
            if let Err(TrySendError::Closed(())) = wake.try_send(()) {
                tracing::debug!("an event was dropped after the window closed");
            }
        });
        (sink, forward)
    }

    fn send(&self, burst: Vec<DeskEvent>) {
        let window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = window.as_ref()
            && let Err(error) = channel.send(burst)
        {
            tracing::debug!(%error, "the window did not accept an event");
        }
    }
}

/// Adds `event` to a burst, or merges it with an event that it repeats or continues.
fn add(burst: &mut Vec<DeskEvent>, event: DeskEvent) {
    let event = if burst.len() < MAX_BURST { event } else { of_all(event) };
    // End events follow all earlier events of their operation; otherwise the operation would seem to continue.
    if matches!(event, DeskEvent::SyncFinished { .. } | DeskEvent::SyncFailed { .. }) {
        burst.retain(|earlier| *earlier != event);
    }
    for earlier in burst.iter_mut() {
        match (&mut *earlier, &event) {
            (
                DeskEvent::EventsStored { workspaces, count },
                DeskEvent::EventsStored { workspaces: more, count: further },
            ) => {
                *count += further;
                for workspace in more {
                    if !workspaces.contains(workspace) {
                        workspaces.push(workspace.clone());
                    }
                }
                return;
            }
            (DeskEvent::SendUpdated { id, .. }, DeskEvent::SendUpdated { id: same, .. }) if id == same => {
                *earlier = event;
                return;
            }
            (
                DeskEvent::SubmissionProgress { draft, waba, .. },
                DeskEvent::SubmissionProgress { draft: same_draft, waba: same_waba, .. },
            ) if draft == same_draft && waba == same_waba => {
                *earlier = event;
                return;
            }
            (DeskEvent::BatchProgress { id, .. }, DeskEvent::BatchProgress { id: same, .. }) if id == same => {
                *earlier = event;
                return;
            }
            (DeskEvent::BulkActionProgress { id, .. }, DeskEvent::BulkActionProgress { id: same, .. })
                if id == same =>
            {
                *earlier = event;
                return;
            }
            (DeskEvent::ProjectionProgress { .. }, DeskEvent::ProjectionProgress { .. }) => {
                *earlier = event;
                return;
            }
            (earlier, event) if *earlier == *event => return,
            _ => {}
        }
    }
    burst.push(event);
}

/// The event that says of all sends, contacts or templates of a workspace what `event` says of one.
fn of_all(event: DeskEvent) -> DeskEvent {
    match event {
        DeskEvent::SendUpdated { workspace, .. } => DeskEvent::SendsUpdated { workspace },
        DeskEvent::MessageReceived { workspace, .. } => DeskEvent::MessagesReceived { workspace },
        DeskEvent::TemplateStatusChanged { workspace, .. }
        | DeskEvent::TemplateCategoryChanged { workspace, .. }
        | DeskEvent::TemplateQualityChanged { workspace, .. } => DeskEvent::TemplatesChanged { workspace },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn stored(workspace: &str, count: u64) -> DeskEvent {
        DeskEvent::EventsStored { workspaces: vec![workspace.to_owned()], count }
    }

    #[test]
    fn end_events_follow_the_progress_of_a_second_sync() {
        let ended = || DeskEvent::SyncFinished { workspace: "w".into() };
        let far = DeskEvent::SyncProgress { workspace: "w".into(), pages: 1, templates: 18, total: None };
        let mut burst = Vec::new();
        for event in [ended(), far.clone(), ended()] {
            add(&mut burst, event);
        }
        assert_eq!(burst, [far, ended()]);
    }

    #[test]
    fn bursts_are_merged() {
        let sent = DeskEvent::SendUpdated { workspace: "w".into(), id: "1".into(), state: "sent".into() };
        let read = DeskEvent::SendUpdated { workspace: "w".into(), id: "1".into(), state: "read".into() };
        let changed = DeskEvent::TemplatesChanged { workspace: "w".into() };
        let far = |done| DeskEvent::ProjectionProgress { done, total: 9, rebuilding: done < 9 };
        let batch = |id: &str, done| DeskEvent::BatchProgress {
            workspace: "w".into(),
            id: id.into(),
            done,
            total: 9,
            state: command_types::batch::RunState::Running,
        };
        let order = |done| DeskEvent::BulkActionProgress {
            workspace: "w".into(),
            id: "b".into(),
            done,
            total: 9,
            state: command_types::batch::RunState::Running,
        };
        let mut burst = Vec::new();
        for event in [
            stored("a", 2),
            sent,
            far(4),
            changed.clone(),
            stored("b", 3),
            read.clone(),
            changed.clone(),
            far(9),
            batch("b", 1),
            batch("c", 1),
            order(2),
            batch("b", 5),
            order(3),
        ] {
            add(&mut burst, event);
        }
        let both = DeskEvent::EventsStored { workspaces: vec!["a".into(), "b".into()], count: 5 };
        assert_eq!(burst, [both, read, far(9), changed, batch("b", 5), batch("c", 1), order(3)]);
    }

    #[test]
    fn many_events_about_single_items_become_one_about_all() {
        let mut burst = Vec::new();
        for id in 0..10_000 {
            let id = id.to_string();
            add(&mut burst, DeskEvent::SendUpdated { workspace: "w".into(), id: id.clone(), state: "sent".into() });
            add(&mut burst, DeskEvent::MessageReceived { workspace: "w".into(), contact: id });
        }
        let workspace = || "w".to_owned();
        let all = [
            DeskEvent::SendsUpdated { workspace: workspace() },
            DeskEvent::MessagesReceived { workspace: workspace() },
        ];
        assert_eq!(burst.len(), MAX_BURST + all.len());
        assert_eq!(burst[MAX_BURST..], all);
    }

    #[tokio::test]
    async fn events_wait_merged_until_they_are_forwarded() {
        let noticed = Arc::new(AtomicU32::new(0));
        let count = noticed.clone();
        let (sink, forward) = EventHub::default().sink(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        for _ in 0..1_000 {
            sink.emit(stored("w", 1));
        }
        assert_eq!(noticed.load(Ordering::Relaxed), 1_000);
        drop(sink);
        // Ends after the last sink.
        forward.await;
    }
}
