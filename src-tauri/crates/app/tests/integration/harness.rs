//! A core on the sandbox, with everything real except the desktop's keyring.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use app::ports::{EventSink, Installer, NoInstaller};
use app::{Core, Options, SandboxLink, Timing};
use app::{SANDBOX_ID, webhook_path};
use command_types::event::DeskEvent;
use command_types::workspace::SendingNumber;
use sandbox::{Profile, Sandbox, Seed, Webhook, seed};
use secrecy::SecretString;
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::keyring::ScriptedKeyring;

/// Timeout for waits on a busy machine.
pub(super) const TIMEOUT: Duration = Duration::from_secs(30);
const WORKSPACE: &str = "5a9db0c5-0000-4000-8000-000000000001";

/// Pauses that are too short to wait for. The timeouts of receivers are those of the app.
pub(super) fn short_timing() -> Timing {
    Timing {
        send_interval: Duration::from_millis(1),
        job_pause: Duration::from_millis(20),
        recipient_pause: Duration::from_millis(250),
        batch_interval: Duration::ZERO,
        large_batch_interval: Duration::ZERO,
        feed_pause: Duration::from_millis(5),
        clock_check: Duration::from_millis(5),
        update_patience: Duration::from_secs(1),
        lost_request: Duration::from_millis(50),
        unused_secret_interval: Duration::from_millis(100),
        ..Timing::default()
    }
}

/// The numbers of the sandbox workspace: with their WABAs where there are several, as the app has them.
fn numbers(profile: Profile) -> Vec<SendingNumber> {
    if profile != Profile::Agency {
        let label = "Main".to_owned();
        return vec![SendingNumber { id: seed::NUMBER.to_owned(), label, ..SendingNumber::default() }];
    }
    let number = |account: &seed::Account| SendingNumber {
        id: account.number.to_owned(),
        label: account.name.to_owned(),
        waba_id: account.waba.to_string(),
        ..SendingNumber::default()
    };
    seed::accounts(profile).iter().map(number).collect()
}

/// A core on a sandbox.
pub(super) struct Harness {
    pub(super) core: Core,
    pub(super) sandbox: Sandbox,
    pub(super) folder: TempDir,
    pub(super) keyring: Arc<ScriptedKeyring>,
    /// Address of the sandbox.
    pub(super) url: String,
    events: mpsc::UnboundedReceiver<DeskEvent>,
    stop: CancellationToken,
}

impl Harness {
    pub(super) async fn start() -> Self {
        Self::start_in(TempDir::new().unwrap()).await
    }

    /// Starts with an existing folder.
    pub(super) async fn start_in(folder: TempDir) -> Self {
        Self::start_with(folder, Arc::default()).await
    }

    /// Starts with a provider of this profile.
    pub(super) async fn start_with_profile(profile: Profile) -> Self {
        Self::open(TempDir::new().unwrap(), Arc::default(), true, profile, Seed::Samples, Arc::new(NoInstaller)).await
    }

    /// Starts with an existing folder and keyring.
    pub(super) async fn start_with(folder: TempDir, keyring: Arc<ScriptedKeyring>) -> Self {
        Self::open(folder, keyring, true, Profile::Whatsapp, Seed::Samples, Arc::new(NoInstaller)).await
    }

    /// Starts with an existing folder in an app that `installer` can replace.
    pub(super) async fn start_with_installer(folder: TempDir, installer: Arc<dyn Installer>) -> Self {
        Self::open(folder, Arc::default(), true, Profile::Whatsapp, Seed::Samples, installer).await
    }

    /// Starts like the app, which fetches media from this machine for the sandbox only.
    pub(super) async fn start_without_loopback_media() -> Self {
        let folder = TempDir::new().unwrap();
        Self::open(folder, Arc::default(), false, Profile::Whatsapp, Seed::Samples, Arc::new(NoInstaller)).await
    }

    /// Starts with the history of a business, or goes on with it.
    pub(super) async fn start_with_history(folder: TempDir, profile: Profile) -> Self {
        Self::open(folder, Arc::default(), true, profile, Seed::History, Arc::new(NoInstaller)).await
    }

    async fn open(
        folder: TempDir,
        keyring: Arc<ScriptedKeyring>,
        loopback_media: bool,
        profile: Profile,
        seed: Seed,
        installer: Arc<dyn Installer>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let webhooks = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let token = SecretString::from("sandbox-token");
        let webhook_secret = SecretString::from("sandbox-webhook-secret");
        let hook = format!("http://{}{}", webhooks.local_addr().unwrap(), webhook_path(SANDBOX_ID));
        let mut options = sandbox::Options::new(token.clone(), WORKSPACE);
        options.webhook = Some(Webhook::new(&hook, webhook_secret.clone()).unwrap());
        options.review_delay = Duration::from_millis(50);
        options.status_delay = Duration::from_millis(20);
        options.state_file = Some(folder.path().join("sandbox.json"));
        options.seed = Some(seed);
        options.profile = profile;
        let url = format!("http://{}", listener.local_addr().unwrap());
        let link = SandboxLink {
            base_url: url.clone(),
            channel: options.channel.clone(),
            messaging_product: options.messaging_product.clone(),
            workspace_uuid: WORKSPACE.to_owned(),
            token,
            webhook_secret,
            numbers: numbers(profile),
            waba_ids: vec![seed::WABA.to_string(), seed::SECOND_WABA.to_string()],
            waba_names: BTreeMap::new(),
            webhooks,
        };
        let sandbox = Sandbox::open(options).unwrap();
        // One status at a time: when `read` has arrived, so have the earlier ones. A history has too many.
        if seed != Seed::History {
            let mut settings = sandbox.settings();
            settings.delivery.concurrency = 1;
            sandbox.set_settings(settings).unwrap();
        }
        let (sender, events) = mpsc::unbounded_channel();
        let core = Core::open_with(
            Options {
                data_folder: app::lock_data_folder(&folder.path().join("desk")).unwrap(),
                keyring: keyring.clone(),
                events: EventSink::new(move |event| {
                    let _is_closed = sender.send(event);
                }),
                sandbox: Some(link),
                receiver_address: Some("127.0.0.1:0".to_owned()),
                loopback_media,
                installer,
            },
            short_timing(),
        )
        .await
        .unwrap();
        let stop = CancellationToken::new();
        let (serving, ended) = (sandbox.clone(), stop.clone());
        tokio::spawn(async move { serving.serve(listener, ended.cancelled_owned()).await.unwrap() });
        Self { core, sandbox, folder, keyring, url, events, stop }
    }

    /// Closes everything cleanly and returns the folder.
    pub(super) async fn close(self) -> TempDir {
        self.stop.cancel();
        self.sandbox.close().await;
        self.core.close().await;
        self.folder
    }

    /// Sends a request to the sandbox over HTTP, like any client of the provider.
    pub(super) async fn ask(&self, method: reqwest::Method, path: &str, body: &Value) -> Value {
        provider_client::install_crypto();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = http.request(method, format!("{}{path}", self.url)).bearer_auth("sandbox-token");
        let answer = request.header("x-workspace-uuid", WORKSPACE).json(body).send().await.unwrap();
        answer.error_for_status().unwrap().json().await.unwrap()
    }

    pub(super) async fn event<T>(&mut self, mut pick: impl FnMut(&DeskEvent) -> Option<T>) -> T {
        let waiting = async {
            loop {
                let event = self.events.recv().await.expect("the core runs");
                if let Some(picked) = pick(&event) {
                    return picked;
                }
            }
        };
        tokio::time::timeout(TIMEOUT, waiting).await.expect("the event was not emitted")
    }

    /// The events that were emitted and not looked at yet.
    pub(super) fn emitted(&mut self) -> Vec<DeskEvent> {
        std::iter::from_fn(|| self.events.try_recv().ok()).collect()
    }

    /// Waits until a send is in a state.
    pub(super) async fn wait_for_send_state(&mut self, id: &str, state: &str) {
        self.event(|event| match event {
            DeskEvent::SendUpdated { id: event_id, state: now, .. } if event_id == id && now.as_str() == state => {
                Some(())
            }
            _ => None,
        })
        .await;
    }

    /// Waits until the projection has caught up with the delivery log.
    pub(super) async fn wait_for_projection(&mut self) {
        let core = self.core.clone();
        let waiting = async {
            loop {
                let page = core
                    .webhooks
                    .list_events(command_types::activity::EventQuery { limit: 1, ..Default::default() })
                    .await;
                if page.unwrap().behind == 0 {
                    return;
                }
                crate::webhooks::next_poll().await;
            }
        };
        tokio::time::timeout(TIMEOUT, waiting).await.expect("the projection does not catch up");
    }
}

/// A small image on disk.
pub(super) fn picture(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("flowers.png");
    image::RgbImage::from_fn(64, 32, |x, y| image::Rgb([x as u8 * 4, y as u8 * 8, 120])).save(&path).unwrap();
    path
}
