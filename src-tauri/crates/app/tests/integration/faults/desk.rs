//! A data folder, and the process that uses it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use command_types::workspace::WorkspaceSettings;
use serde_json::Value;
use store::desk::{CallState, SendRecord};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use super::Form;
use super::child::{FOLDER, FORM, MARK, ROLE};
use super::disk::Disk;
use super::events;

/// The workspace of the webhooks.
pub(super) const WORKSPACE: &str = "fault-workspace";
/// Number of first messages that are test sends of the desk, which stores their outcomes.
pub(super) const SENDS: u64 = 40;
/// Longer than any wait here on the slowest machine.
pub(super) const TIMEOUT: Duration = Duration::from_secs(120);

/// Waits for a future, or fails the test after a timeout.
pub(super) async fn with_timeout<T>(what: &str, waiting: impl Future<Output = T>) -> T {
    tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("{what} takes too long"))
}

/// A data folder with a workspace and some sends.
pub(super) struct TestFolder {
    temp: TempDir,
}

impl TestFolder {
    pub(super) async fn new() -> Self {
        let place = Self { temp: TempDir::new().unwrap() };
        seed_folder(&place.folder(), "http://127.0.0.1:9").await;
        place
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.temp.path().join("desk")
    }
}

/// Adds a workspace and sends to a data folder.
pub(super) async fn seed_folder(folder: &Path, provider: &str) {
    let folder = store::DataFolder::lock(folder).unwrap();
    let desk = store::Desk::open(&folder.desk()).unwrap();
    let settings = WorkspaceSettings {
        name: "Faults".to_owned(),
        base_url: provider.to_owned(),
        workspace_uuid: "5a9db0c5-0000-4000-8000-000000000001".to_owned(),
        default_country: "BR".to_owned(),
        channel: "messaging".to_owned(),
        ..WorkspaceSettings::default()
    };
    let row = store::desk::Workspace {
        id: WORKSPACE.to_owned(),
        position: 0,
        settings: serde_json::to_string(&settings).unwrap(),
        created_at: 1,
        updated_at: 1,
    };
    desk.upsert_workspace(row).await.unwrap();
    for group in 0..SENDS {
        desk.record_send(SendRecord {
            id: format!("send-{group}"),
            workspace_id: WORKSPACE.to_owned(),
            number: "100200300".to_owned(),
            recipient: "551190000000".to_owned(),
            template_name: "offer".to_owned(),
            language: "pt_BR".to_owned(),
            payload: "{}".to_owned(),
            state: CallState::Accepted,
            message_id: Some(events::followed(group)),
            response_status: Some(200),
            created_at: 1,
            answered_at: Some(2),
            ..SendRecord::default()
        })
        .await
        .unwrap();
    }
}

pub(super) struct Desk {
    child: Child,
    stdin: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    pub(super) address: SocketAddr,
}

impl Desk {
    /// Starts one and waits until it receives.
    pub(super) async fn start(folder: &Path, disk: Option<&Disk>) -> Self {
        Self::start_with_profile("desk", folder, disk)
            .await
            .unwrap_or_else(|output| panic!("the desk does not start: {output}"))
    }

    /// Starts one whose pauses and timeouts are those of the app in the full form, and short ones in the short form.
    pub(super) async fn start_in(form: Form, folder: &Path, disk: Option<&Disk>) -> Self {
        Self::start_with(&[(FORM, form.pick("short", "full"))], folder, disk).await.unwrap()
    }

    /// Starts one in a role. If it does not start, returns its output.
    pub(super) async fn start_with_profile(role: &str, folder: &Path, disk: Option<&Disk>) -> Result<Self, Value> {
        Self::start_with(&[(ROLE, role)], folder, disk).await
    }

    /// Starts one with additional environment variables. If it does not start, returns its output.
    pub(super) async fn start_with(more: &[(&str, &str)], folder: &Path, disk: Option<&Disk>) -> Result<Self, Value> {
        let (mut child, stdin, mut output) = spawn(more, folder, disk);
        let first = with_timeout("the start of the desk", next(&mut output)).await;
        let Some(ready) = first.get("ready").and_then(Value::as_str) else {
            with_timeout("the end of the desk", child.wait()).await.unwrap();
            return Err(first);
        };
        let address = ready.parse().unwrap();
        Ok(Self { child, stdin, output, address })
    }

    /// Sends a command and returns the answer.
    pub(super) async fn ask(&mut self, command: &str) -> Value {
        self.stdin.write_all(format!("{command}\n").as_bytes()).await.unwrap();
        with_timeout(command, next(&mut self.output)).await
    }

    /// Sends a command without waiting for an answer: it may end the process.
    pub(super) async fn send_command(&mut self, command: &str) {
        self.stdin.write_all(format!("{command}\n").as_bytes()).await.unwrap();
    }

    /// Waits until everything stored is projected, without a limit while there is progress.
    pub(super) async fn wait_for_projection(&mut self) {
        let mut behind = self.ask("behind").await;
        while behind != 0 {
            behind = with_timeout("the next step of the projection", async {
                loop {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    let now = self.ask("behind").await;
                    if now != behind {
                        break now;
                    }
                }
            })
            .await;
        }
    }

    pub(super) async fn close(mut self) {
        assert_eq!(self.ask("close").await["closed"], true);
        assert!(with_timeout("the end of the desk", self.child.wait()).await.unwrap().success());
    }

    /// Waits until it ends by itself, uncleanly.
    pub(super) async fn wait_for_crash(mut self) {
        let status = with_timeout("the end of the desk", self.child.wait()).await.unwrap();
        assert!(!status.success(), "the process should have crashed");
    }

    pub(super) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    pub(super) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.pid().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Its open sockets. Its files are not counted: a database opens another reader when needed.
    pub(super) fn open_sockets(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(format!("/proc/{}/fd", self.pid())).unwrap();
        // One may be closed between listing it and reading its target.
        let targets = entries.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok());
        targets.filter(|target| target.to_string_lossy().starts_with("socket:")).collect()
    }

    fn pid(&self) -> u32 {
        self.child.id().expect("it runs")
    }
}

/// Starts a process without waiting for it to be ready, and kills it after a while: in the middle of its start.
pub(super) async fn start_and_kill(folder: &Path, disk: Option<&Disk>, after: Duration) {
    let (mut child, _stdin, mut output) = spawn(&[], folder, disk);
    let _comes_up_or_not = tokio::time::timeout(after, next(&mut output)).await;
    child.kill().await.unwrap();
}

fn spawn(
    more: &[(&str, &str)],
    folder: &Path,
    disk: Option<&Disk>,
) -> (Child, ChildStdin, Lines<BufReader<ChildStdout>>) {
    let mut command = tokio::process::Command::new(std::env::current_exe().unwrap());
    command
        .args(["faults::child::desk_process", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .envs(more.iter().copied())
        .envs(disk.map(Disk::environment).unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap()).lines();
    (child, stdin, output)
}

/// The next output of the desk.
async fn next(output: &mut Lines<BufReader<ChildStdout>>) -> Value {
    while let Some(line) = output.next_line().await.unwrap() {
        if let Some((_, json)) = line.split_once(MARK) {
            return serde_json::from_str(json).unwrap();
        }
    }
    Value::String("the process ended without output".to_owned())
}
