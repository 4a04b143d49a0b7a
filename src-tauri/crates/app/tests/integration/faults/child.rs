//! The process under fault: this test binary again, with a whole core on a data folder.
//!
//! It prints lines that begin with [`MARK`], reads commands as lines, and ends with its parent.

use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use app::ports::{EventSink, Keyring, KeyringFailure, NoInstaller};
use app::webhooks::endpoint::Limits;
use app::{Core, Options, Timing};
use command_types::Nothing;
use command_types::activity::EventQuery;
use command_types::batch::{BatchQuery, RunState};
use command_types::bulk_action::BulkActionQuery;
use command_types::keyring::KeyringState;
use command_types::receiver::ReceiverState;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::control_log;
use super::load::SECRET;
use crate::feeds::TOKEN;
use crate::harness::short_timing;

/// Variable with the data folder of the process.
pub(super) const FOLDER: &str = "FAULTS_FOLDER";
/// Variable with its role: `desk`, or `control`, which is less durable.
pub(super) const ROLE: &str = "FAULTS_ROLE";
/// Variable with the address of the server that it follows.
pub(super) const FEED: &str = "FAULTS_FEED";
/// Variable with the form of the test: the short form also shortens pauses and timeouts.
pub(super) const FORM: &str = "FAULTS_FORM";
/// Prefix of its output; the test harness prints too.
pub(super) const MARK: &str = "desk: ";

/// Prints a line in one write.
pub(super) fn print_line(line: &Value) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(format!("{MARK}{line}\n").as_bytes()).and_then(|()| out.flush());
}

#[test]
#[ignore = "the process that fault tests kill; by itself it does nothing"]
fn desk_process() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    #[cfg(debug_assertions)]
    store::failpoint::arm();
    #[cfg(not(debug_assertions))]
    assert!(std::env::var_os("FAILPOINTS").is_none(), "failpoints need debug assertions, as in the profile `faults`");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        match std::env::var(ROLE).as_deref() {
            Ok("control") => control_log::run(&folder, commands()).await,
            _ => run(&folder, commands()).await,
        }
    });
}

fn timing() -> Timing {
    if std::env::var(FORM).as_deref() != Ok("short") {
        return Timing::default();
    }
    let second = Duration::from_secs(1);
    let receiver =
        Limits { header_timeout: second, body_timeout: second * 2, append_timeout: second, ..Limits::default() };
    Timing { receiver, ..short_timing() }
}

/// Lines of the parent; closed when it has ended.
fn commands() -> mpsc::UnboundedReceiver<String> {
    let (sender, commands) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    commands
}

async fn run(folder: &Path, mut commands: mpsc::UnboundedReceiver<String>) {
    let data_folder = match app::lock_data_folder(folder) {
        Ok(data_folder) => data_folder,
        Err(error) => return print_line(&json!({"failed": error})),
    };
    let options = Options {
        data_folder,
        keyring: Arc::new(OneSecret),
        events: EventSink::new(|_| {}),
        sandbox: None,
        receiver_address: Some("127.0.0.1:0".to_owned()),
        loopback_media: true,
        installer: Arc::new(NoInstaller),
    };
    let core = match Core::open_with(options, timing()).await {
        Ok(core) => core,
        Err(error) => return print_line(&json!({"failed": error})),
    };
    let address = loop {
        match core.startup.get_bootstrap(Nothing {}).await.map(|bootstrap| bootstrap.receiver) {
            Ok(ReceiverState::Listening { address, .. }) => break address,
            Ok(ReceiverState::Failed { reason, .. }) => return print_line(&json!({"failed": reason})),
            Ok(ReceiverState::Starting {}) => crate::webhooks::next_poll().await,
            Err(error) => return print_line(&json!({"failed": error})),
        }
    };
    print_line(&json!({"ready": address}));
    while let Some(command) = commands.recv().await {
        let (command, argument) = command.split_once(' ').unwrap_or((&command, ""));
        let answer = match command {
            "close" => {
                core.close().await;
                print_line(&json!({"closed": true}));
                return;
            }
            "bootstrap" => serde_json::to_value(core.startup.get_bootstrap(Nothing {}).await.unwrap()).unwrap(),
            "storage" => serde_json::to_value(core.data.get_storage(Nothing {}).await.unwrap()).unwrap(),
            "check" => result_json(core.data.check_files(Nothing {}).await),
            "back-up" => result_json(core.data.back_up(Path::new(argument)).await),
            "retain" => match core.data.set_retention(serde_json::from_str(argument).unwrap()).await {
                Ok(_) => result_json(core.data.apply_retention(Nothing {}).await),
                Err(error) => json!({"failed": error}),
            },
            "start-batch" => result_json(core.messaging.start_batch(serde_json::from_str(argument).unwrap()).await),
            "resume-batch" => result_json(core.messaging.resume_batch(serde_json::from_str(argument).unwrap()).await),
            "batch-ends" => ended(&core, argument).await,
            "start-order" => {
                result_json(core.bulk_actions.start_bulk_action(serde_json::from_str(argument).unwrap()).await)
            }
            "retry-order" => {
                result_json(core.bulk_actions.retry_bulk_action(serde_json::from_str(argument).unwrap()).await)
            }
            "order-ends" => bulk_action_ended(&core, serde_json::from_str(argument).unwrap()).await,
            "plan-import" => {
                result_json(core.template_files.plan_import(serde_json::from_str(argument).unwrap()).await)
            }
            "run-import" => {
                let (core, request) = (core.clone(), serde_json::from_str(argument).unwrap());
                tokio::spawn(async move { core.template_files.run_import(request).await });
                json!({"begun": true})
            }
            "resume-import" => {
                result_json(core.template_files.resume_import(serde_json::from_str(argument).unwrap()).await)
            }
            "last-import" => {
                result_json(core.template_files.last_import(serde_json::from_str(argument).unwrap()).await)
            }
            "save-feed" => result_json(core.webhooks.save_feed(serde_json::from_str(argument).unwrap()).await),
            "restore" => result_json(core.data.restore_backup(Path::new(argument)).await),
            "behind" => {
                let page = core.webhooks.list_events(EventQuery { limit: 1, ..EventQuery::default() }).await;
                page.map_or_else(|error| json!({"failed": error}), |page| json!(page.behind))
            }
            _ => json!({"failed": format!("{command} {argument} is no command")}),
        };
        print_line(&answer);
    }
}

/// The batch once it is no longer running.
async fn ended(core: &Core, id: &str) -> Value {
    loop {
        let query = BatchQuery { batch: id.to_owned(), limit: 1, ..BatchQuery::default() };
        match core.messaging.get_batch(query).await {
            Ok(found) if found.batch.state == RunState::Running => crate::webhooks::next_poll().await,
            found => return result_json(found.map(|found| found.batch)),
        }
    }
}

/// The bulk action once it is no longer running.
async fn bulk_action_ended(core: &Core, query: BulkActionQuery) -> Value {
    loop {
        match core.bulk_actions.get_bulk_action(query.clone()).await {
            Ok(found) if found.bulk_action.state == RunState::Running => crate::webhooks::next_poll().await,
            found => return result_json(found.map(|found| found.bulk_action)),
        }
    }
}

/// The result of a command.
fn result_json<T: serde::Serialize>(outcome: Result<T, command_types::error::DeskError>) -> Value {
    outcome.map_or_else(|error| json!({"failed": error}), |value| serde_json::to_value(value).unwrap())
}

/// A keyring with one secret, which is the token of every workspace and signs its webhooks, and the token of the server
/// that is followed.
pub(super) struct OneSecret;

impl Keyring for OneSecret {
    fn state(&self) -> KeyringState {
        KeyringState::Available
    }

    fn get(&self, key: &str) -> Result<Option<SecretString>, KeyringFailure> {
        if let (true, Ok(address)) = (key.starts_with("feed/"), std::env::var(FEED)) {
            return Ok(Some(format!("{address} {TOKEN}").into()));
        }
        Ok((key.ends_with("/webhookSecret") || key.ends_with("/token")).then(|| SECRET.into()))
    }

    fn set(&self, _key: &str, _secret: &SecretString) -> Result<(), KeyringFailure> {
        Ok(())
    }

    fn delete(&self, _key: &str) -> Result<(), KeyringFailure> {
        Ok(())
    }
}
