//! The event stream from the core to the window, with bursts combined into a few messages.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::ports::EventSink;
use command_types::event::DeskEvent;
use tauri::ipc::Channel;
use tokio::sync::mpsc;

/// Minimum interval between two messages to the window: at most ten per second.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

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
    /// called once for each event.
    pub(crate) fn sink(
        &self,
        notice: impl Fn(&DeskEvent) + Send + 'static,
    ) -> (EventSink, impl Future<Output = ()> + Send + 'static) {
        let (sender, mut receiver) = mpsc::unbounded_channel::<DeskEvent>();
        let hub = self.clone();
        let forward = async move {
            while let Some(first) = receiver.recv().await {
                notice(&first);
                let mut burst = vec![first];
                while let Ok(event) = receiver.try_recv() {
                    notice(&event);
                    add(&mut burst, event);
                }
                hub.send(burst);
                tokio::time::sleep(MIN_INTERVAL).await;
            }
        };
        let sink = EventSink::new(move |event| {
            if sender.send(event).is_err() {
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

#[cfg(test)]
mod tests {
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
}
