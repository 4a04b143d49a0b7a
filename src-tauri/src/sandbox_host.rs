//! The built-in sandbox in this process: its addresses and secrets change at every start, its state is stored.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use app::ports::EventSink;
use app::{DataFolder, SandboxLink};
use app::{SANDBOX_ID, webhook_path};
use command_types::event::DeskEvent;
use command_types::workspace::SendingNumber;
use sandbox::seed::Account;
use sandbox::{OpenError, Options, Profile, Sandbox, Seed, Webhook, seed};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use self::pictures::Pictures;

mod commands;
mod faults;
mod pictures;
mod revisions;

/// The workspace of the sandbox. It is the same on every machine, because it protects nothing.
const WORKSPACE: &str = "5a9db0c5-0000-4000-8000-000000000001";
/// State file of the sandbox, in the data folder.
const STATE_FILE: &str = "sandbox.json";

/// File with the address of the last start, in the data folder.
const ADDRESS_FILE: &str = "sandbox.address";

/// Minimum interval between two change events: at most four per second.
const MIN_INTERVAL: Duration = Duration::from_millis(250);

/// The built-in provider.
#[derive(Clone, Debug)]
pub struct SandboxHost {
    sandbox: Sandbox,
    pictures: Arc<Pictures>,
    running: Arc<Mutex<Running>>,
    thread: Arc<Thread>,
    stop: tokio_util::sync::CancellationToken,
    /// Notice for the person about how the sandbox was opened.
    notice: Option<String>,
}

#[derive(Debug)]
enum Running {
    Ready(TcpListener),
    Serving(JoinHandle<()>),
    Ended,
}

impl SandboxHost {
    /// Opens the sandbox and binds its addresses, so that the core knows them before it starts.
    pub(crate) async fn prepare(data_folder: &DataFolder) -> anyhow::Result<(Self, SandboxLink)> {
        // What a desk holds already belongs to an earlier history.
        let is_first_start = !data_folder.desk().exists();
        let data_folder = data_folder.root();
        let listener = bind(&data_folder.join(ADDRESS_FILE)).await?;
        let webhooks = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let token = secrecy::SecretString::from(uuid::Uuid::new_v4().to_string());
        let webhook_secret = secrecy::SecretString::from(uuid::Uuid::new_v4().to_string());
        let hook = format!("http://{}{}", webhooks.local_addr()?, webhook_path(SANDBOX_ID));
        let mut options = Options::new(token.clone(), WORKSPACE);
        options.webhook = Some(Webhook::new(&hook, webhook_secret.clone()).map_err(anyhow::Error::msg)?);
        options.state_file = Some(data_folder.join(STATE_FILE));
        options.stored_settings = true;
        if let Some(delay) = crate::home::sandbox_delay() {
            options.review_delay = delay;
            options.status_delay = delay;
        }
        options.profile = crate::home::sandbox_profile();
        options.seed = Some(match crate::home::sandbox_seed() {
            Seed::History if !is_first_start => Seed::Samples,
            seed => seed,
        });
        let (channel, messaging_product) = (options.channel.clone(), options.messaging_product.clone());
        let thread = Arc::new(Thread::start().context("the sandbox's thread cannot be started")?);
        let (sandbox, notice) = {
            let _runtime = thread.handle().enter();
            open(options)?
        };
        let profile = sandbox.settings().profile;
        let accounts = seed::accounts(profile);
        // What is of another business shows in the profile that is about several.
        let used = || accounts.iter().filter(|of| profile == Profile::Agency || of.business == seed::BUSINESS);
        let link = SandboxLink {
            base_url: format!("http://{}", listener.local_addr()?),
            channel,
            messaging_product,
            workspace_uuid: WORKSPACE.to_owned(),
            token,
            webhook_secret,
            numbers: used().map(number).collect(),
            waba_ids: used().map(|account| account.waba.to_string()).collect(),
            waba_names: accounts.iter().map(|account| (account.waba.to_string(), account.name.to_owned())).collect(),
            webhooks,
        };
        let running = Arc::new(Mutex::new(Running::Ready(listener)));
        let (pictures, stop) = (Arc::default(), tokio_util::sync::CancellationToken::new());
        Ok((Self { sandbox, pictures, running, thread, stop, notice }, link))
    }

    /// A notice about how the sandbox was opened, in one sentence.
    pub(crate) fn notice(&self) -> Option<String> {
        self.notice.clone()
    }

    /// Starts serving, and emits an event for every change.
    pub(crate) fn start(&self, events: EventSink) {
        self.pictures.emit_changes_to(events.clone());
        let (mut changes, stop) = (self.sandbox.changes(), self.stop.clone());
        tokio::spawn(async move {
            while let Some(Ok(())) = stop.run_until_cancelled(changes.changed()).await {
                events.emit(DeskEvent::SandboxChanged {});
                tokio::time::sleep(MIN_INTERVAL).await;
            }
        });
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Running::Ready(listener) = std::mem::replace(&mut *running, Running::Ended) {
            let (sandbox, stop) = (self.sandbox.clone(), self.stop.clone());
            *running = Running::Serving(self.thread.handle().spawn(async move {
                if let Err(error) = sandbox.serve(listener, stop.cancelled_owned()).await {
                    tracing::error!(%error, "the sandbox ended");
                }
            }));
        }
    }

    /// Stops the sandbox and saves its state.
    pub(crate) async fn stop(&self) {
        self.stop.cancel();
        let running = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *running, Running::Ended)
        };
        if let Running::Serving(task) = running
            && let Err(error) = task.await
        {
            tracing::error!(%error, "the sandbox did not stop cleanly");
        }
    }
}

/// The sandbox's own thread, so that its rules and rendering don't occupy the threads that handle webhooks and
/// commands.
#[derive(Debug)]
struct Thread(Option<Runtime>);

impl Thread {
    fn start() -> std::io::Result<Self> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        Ok(Self(Some(runtime.worker_threads(1).thread_name("sandbox").enable_all().build()?)))
    }

    fn handle(&self) -> &tokio::runtime::Handle {
        self.0.as_ref().expect("the runtime exists until the drop").handle()
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // Not awaited: the sandbox has saved its state when it stopped.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

fn number(account: &Account) -> SendingNumber {
    SendingNumber {
        id: account.number.to_owned(),
        label: account.name.to_owned(),
        waba_id: account.waba.to_string(),
        ..SendingNumber::default()
    }
}

/// Opens the sandbox. An unreadable state never prevents the start: it is moved aside, and the returned notice says so.
fn open(options: Options) -> anyhow::Result<(Sandbox, Option<String>)> {
    let error = match Sandbox::open(options.clone()) {
        Ok(sandbox) => return Ok((sandbox, None)),
        Err(error @ (OpenError::Read { .. } | OpenError::Malformed { .. })) => error,
        Err(error) => return Err(error.into()),
    };
    let path = options.state_file.clone().context("the sandbox has no state file")?;
    tracing::error!(%error, "the state of the sandbox is set aside");
    let free = |number: u32| path.with_extension(format!("damaged-{number}.json"));
    let aside = (1..).map(free).find(|aside| !aside.exists()).context("every name is taken")?;
    std::fs::rename(&path, &aside).context("the damaged state of the sandbox cannot be set aside")?;
    let notice = format!(
        "The sandbox's saved state could not be read, so the sandbox starts empty. The file is kept as {}. Your own \
         workspaces are not affected.",
        aside.display()
    );
    Ok((Sandbox::open(options)?, Some(notice)))
}

/// Binds the address of the last start if it is free, so that earlier media links still work.
async fn bind(address_file: &Path) -> anyhow::Result<TcpListener> {
    let last = tokio::fs::read_to_string(address_file).await.ok();
    let last = last.and_then(|address| address.trim().parse::<std::net::SocketAddr>().ok());
    let listener = match last.filter(|address| address.ip().is_loopback()) {
        Some(address) => TcpListener::bind(address).await.ok(),
        None => None,
    };
    let listener = match listener {
        Some(listener) => listener,
        None => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?,
    };
    app::private::write(address_file, listener.local_addr()?.to_string().as_bytes())
        .context("the data folder cannot be written")?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test whose own parts fail should fail")]

    use super::*;

    #[tokio::test]
    async fn the_workspace_has_the_accounts_of_the_profile_with_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let data_folder = app::lock_data_folder(folder.path()).unwrap();
        for (profile, count, last) in
            [(Profile::Whatsapp, 2, "Ipê Flores Atacado"), (Profile::Agency, 4, "Ipê Flores Eventos")]
        {
            let (host, link) = SandboxHost::prepare(&data_folder).await.unwrap();
            // Chosen now, for the next start.
            let settings = sandbox::Settings { profile: Profile::Agency, ..host.sandbox.settings() };
            host.sandbox.set_settings(settings).unwrap();
            let of_numbers: Vec<_> = link.numbers.iter().map(|number| number.waba_id.clone()).collect();
            assert_eq!((of_numbers.len(), &of_numbers), (count, &link.waba_ids), "{profile:?}");
            assert_eq!(link.waba_names[&link.waba_ids[count - 1]], last);
            assert_eq!(link.numbers[count - 1].label, last);
            host.sandbox.close().await;
        }
    }

    #[tokio::test]
    async fn a_damaged_state_is_moved_aside_with_a_notice() {
        let folder = tempfile::tempdir().unwrap();
        let data_folder = app::lock_data_folder(folder.path()).unwrap();
        for (count, damaged) in [(1, &b"{\"templates\": [tru"[..]), (2, b"\0\0\0\0"), (3, b"[]")] {
            std::fs::write(folder.path().join(STATE_FILE), damaged).unwrap();
            let (host, _) = SandboxHost::prepare(&data_folder).await.unwrap();
            let aside = folder.path().join(format!("sandbox.damaged-{count}.json"));
            assert_eq!(std::fs::read(&aside).unwrap(), damaged);
            assert!(host.notice().unwrap().contains(&aside.display().to_string()));
            host.sandbox.close().await;
        }
        let (host, _) = SandboxHost::prepare(&data_folder).await.unwrap();
        assert_eq!(host.notice(), None, "the file written since is valid");
        host.sandbox.close().await;
    }
}
