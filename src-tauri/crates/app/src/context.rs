//! State shared by all areas: the open files, the secrets, the events, and the tasks that end with the core.

mod hooks;
pub mod ports;
pub(crate) mod secrets;
mod timing;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use store::{Cache, DataFolder, DeliveryLog, DeliveryLogReader, Desk};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(crate) use self::hooks::Hooks;
use self::ports::EventSink;
use self::secrets::Secrets;
pub use self::timing::Timing;
pub(crate) use self::timing::{SEND_INTERVAL, STORE_RETRY_DELAY};
use command_types::event::DeskEvent;
use command_types::startup::RestoreOutcome;
pub(crate) use outgoing::lock;
use outgoing::now;
use store::cache::RequestMark;

/// Shared by all areas of one core.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) folder: DataFolder,
    pub(crate) delivery_log: Arc<DeliveryLog>,
    pub(crate) reader: DeliveryLogReader,
    pub(crate) desk: Desk,
    pub(crate) cache: Cache,
    pub(crate) secrets: Secrets,
    pub(crate) events: EventSink,
    pub(crate) timing: Timing,
    /// Notices that every window shows when it starts.
    pub(crate) notices: Mutex<Vec<String>>,
    /// What became of a backup that was to be restored at this start.
    pub(crate) restore: Option<RestoreOutcome>,
    /// Cancelled when the core closes.
    pub(crate) cancel: CancellationToken,
    /// Tasks that the core waits for when it closes.
    pub(crate) tasks: TaskTracker,
    /// Those of them that change something at the provider: an update of the app waits until there are none.
    pub(crate) changing: Changing,
    pub(crate) said_phones: SaidPhones,
}

/// The phone numbers that arrived items said, by workspace and identifier of a number. A number keeps its phone number, so
/// each is read once.
#[derive(Debug, Default)]
pub(crate) struct SaidPhones(pub(crate) Mutex<HashMap<(String, String), String>>);

/// Counts tasks that change something at the provider.
#[derive(Debug)]
pub(crate) struct Changing(TaskTracker);

impl Default for Changing {
    fn default() -> Self {
        let tasks = TaskTracker::new();
        // A closed one still counts: it is what can be waited for.
        tasks.close();
        Self(tasks)
    }
}

impl Changing {
    /// Completes when there are none.
    pub(crate) async fn none(&self) {
        self.0.wait().await;
    }
}

impl Context {
    /// The mark of a request to the provider that is sent now.
    pub(crate) fn request_mark(&self) -> RequestMark {
        self.cache.request_mark(*self.delivery_log.stored().borrow(), now())
    }

    pub(crate) fn emit(&self, event: DeskEvent) {
        self.events.emit(event);
    }

    /// Runs `task` until the core closes.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let cancel = self.cancel.clone();
        self.tasks.spawn(async move {
            cancel.run_until_cancelled(task).await;
        });
    }

    /// Runs `task`, which changes something at the provider, to its end.
    pub(crate) fn spawn_changing<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.tasks.spawn(self.changing.0.track_future(task))
    }

    /// Adds a sentence that every window shows until it is dismissed.
    pub(crate) fn notice(&self, notice: String) {
        tracing::warn!(notice, "a notice was added");
        let mut notices = lock(&self.notices);
        if !notices.contains(&notice) {
            notices.push(notice);
        }
    }
}
