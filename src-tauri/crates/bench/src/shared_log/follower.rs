//! A whole core without a window that follows a feed.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use app::Core;
use app::ports::{EventSink, NoInstaller, NoKeyring};
use command_types::Nothing;
use command_types::activity::{EventQuery, EventRow};
use command_types::event::DeskEvent;
use command_types::feeds::{FeedState, SaveFeed};
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, SendingNumber, WorkspaceSettings};
use tokio::sync::Notify;

/// Maximum time for a desk to fetch what is stored.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(3_600);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A desk.
pub(super) struct Follower {
    core: Core,
    workspace: String,
    /// Notified when events were stored and projected.
    pub(super) projected: Arc<Notify>,
}

impl Follower {
    /// Opens a desk with a workspace on an empty folder.
    pub(super) async fn open(folder: &Path) -> anyhow::Result<Self> {
        let projected = Arc::new(Notify::new());
        let notify = projected.clone();
        let events = EventSink::new(move |event| {
            if matches!(event, DeskEvent::EventsStored { .. }) {
                notify.notify_one();
            }
        });
        let options = app::Options {
            data_folder: app::lock_data_folder(folder)?,
            keyring: Arc::new(NoKeyring),
            events,
            sandbox: None,
            receiver_address: Some("127.0.0.1:0".to_owned()),
            loopback_media: false,
            installer: Arc::new(NoInstaller),
        };
        let core = Core::open(options).await?;
        let number =
            SendingNumber { id: "106540352242922".to_owned(), label: "Bench".to_owned(), ..Default::default() };
        let settings = WorkspaceSettings {
            name: "Bench".to_owned(),
            // Nothing listens there: no request is sent.
            base_url: "http://127.0.0.1:9".to_owned(),
            workspace_uuid: "00000000-0000-4000-8000-000000000000".to_owned(),
            numbers: vec![number],
            waba_ids: vec!["102290129340398".to_owned()],
            ..WorkspaceSettings::default()
        };
        let token = SecretInput { kind: SecretKind::Token, number: None, value: "bench".into() };
        let request = SaveWorkspace { workspace: None, settings, secrets: vec![token], session_only: true };
        let workspace = core.workspaces.save_workspace(request).await?.id;
        Ok(Self { core, workspace, projected })
    }

    /// Follows a feed from its beginning.
    pub(super) async fn follow(&self, feed: &str, token: &str) -> anyhow::Result<()> {
        let request = SaveFeed {
            id: None,
            workspace: self.workspace.clone(),
            address: feed.to_owned(),
            endpoint: None,
            token: Some(token.into()),
            session_only: true,
        };
        self.core.webhooks.save_feed(request).await?;
        Ok(())
    }

    /// Waits until everything of the feed is in the delivery log.
    pub(super) async fn wait_until_fetched(&self) -> anyhow::Result<()> {
        let started = Instant::now();
        loop {
            let feeds = self.core.webhooks.list_feeds(Nothing {}).await?.rows;
            match feeds.first().map(|feed| &feed.state) {
                Some(FeedState::Connected {}) => return Ok(()),
                Some(state @ (FeedState::Refused { .. } | FeedState::Failed { .. })) => anyhow::bail!("{state:?}"),
                _ => anyhow::ensure!(started.elapsed() < CATCH_UP_TIMEOUT, "the desk does not catch up"),
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until everything in the delivery log is projected.
    pub(super) async fn wait_until_projected(&self) -> anyhow::Result<()> {
        let started = Instant::now();
        while self.page(1).await?.1 > 0 {
            anyhow::ensure!(started.elapsed() < CATCH_UP_TIMEOUT, "the projection does not catch up");
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// The newest events, as the screen lists them, and the number of deliveries that are not projected.
    pub(super) async fn page(&self, limit: u32) -> anyhow::Result<(Vec<EventRow>, u64)> {
        let page = self.core.webhooks.list_events(EventQuery { limit, ..EventQuery::default() }).await?;
        Ok((page.rows, page.behind))
    }

    /// Finishes the work in flight and closes the files.
    pub(super) async fn close(self) {
        self.core.close().await;
    }
}
