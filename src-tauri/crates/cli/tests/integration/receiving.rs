//! Runs `tdesk receive` and `tdesk events`, with a sender that signs.

use std::{
    path::{Path, PathBuf},
    process::{Output, Stdio},
    sync::Once,
    time::Duration,
};

use ring::hmac;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader},
    process::{Child, ChildStderr, ChildStdout, Command},
    time::timeout,
};

/// Timeout: longer than any step on the slowest machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(120);
pub(crate) const SECRET: &str = "wh-current-51c0";
pub(crate) const PREVIOUS_SECRET: &str = "wh-previous-77aa";
pub(crate) const VERIFY_TOKEN: &str = "vt-0d3f";

/// `tdesk` without environment variables of the caller that could change its behaviour.
pub(crate) fn tdesk(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tdesk"));
    command.args(arguments).env_clear().kill_on_drop(true);
    command.env("CURRENT", SECRET).env("PREVIOUS", PREVIOUS_SECRET).env("VERIFY", VERIFY_TOKEN).env("EMPTY", "");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(windows)]
    {
        // A console of its own, in which `tests/wine/kill.c` can press keys.
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(CREATE_NO_WINDOW);
        // Sockets and random numbers need it.
        command.env("SystemRoot", std::env::var_os("SystemRoot").unwrap_or_default());
    }
    command
}

/// Sends a signal; on Windows that is `tests/wine/kill.c`.
async fn send(signal: &str, child: &Child) {
    let pid = child.id().expect("it still runs").to_string();
    assert!(Command::new("kill").args(["-s", signal, &pid]).status().await.unwrap().success());
}

/// Runs the process to its end.
pub(crate) async fn run(arguments: &[&str]) -> Output {
    timeout(TIMEOUT, tdesk(arguments).output()).await.expect("tdesk ends in time").unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A process whose lines are read as they are written.
pub(crate) struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: BufReader<ChildStderr>,
}

impl Running {
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self { child, stdout, stderr }
    }

    /// The next line of stdout; empty at the end.
    pub(crate) async fn line(&mut self) -> String {
        let mut line = String::new();
        timeout(TIMEOUT, self.stdout.read_line(&mut line)).await.expect("a line comes in time").unwrap();
        line
    }

    /// The next line of stderr; empty at the end.
    pub(crate) async fn error_line(&mut self) -> String {
        let mut line = String::new();
        timeout(TIMEOUT, self.stderr.read_line(&mut line)).await.expect("a line comes in time").unwrap();
        line
    }

    pub(crate) async fn json_line(&mut self) -> serde_json::Value {
        serde_json::from_str(&self.line().await).unwrap()
    }

    pub(crate) async fn signal(&self, signal: &str) {
        send(signal, &self.child).await;
    }

    /// Waits for the end: exit code, the rest of stdout, all of stderr.
    pub(crate) async fn end(mut self) -> (Option<i32>, String, String) {
        let (mut out, mut err) = (String::new(), String::new());
        let ending = async {
            let (status, ..) = tokio::join!(
                self.child.wait(),
                self.stdout.read_to_string(&mut out),
                self.stderr.read_to_string(&mut err)
            );
            status.unwrap().code()
        };
        let code = timeout(TIMEOUT, ending).await.expect("tdesk ends in time");
        (code, out, err)
    }

    pub(crate) async fn stop(self) -> (Option<i32>, String, String) {
        self.signal("TERM").await;
        self.end().await
    }
}

/// A folder for one delivery log.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn delivery_log(&self) -> PathBuf {
        self.0.path().join("inbox.sqlite")
    }

    /// Starts a receiver into the delivery log and waits until it is ready.
    pub(crate) async fn receive(&self, more: &[&str]) -> Receiver {
        let delivery_log = self.delivery_log();
        let mut arguments = vec!["receive", "--listen", "127.0.0.1:0", "--database", delivery_log.to_str().unwrap()];
        arguments.extend(["--secret-env", "CURRENT"]);
        arguments.extend(more);
        Receiver::start(&arguments, &self.path().join("log")).await
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.path().join("log")).unwrap()
    }

    pub(crate) async fn events(&self, more: &[&str]) -> Vec<serde_json::Value> {
        self.event_lines(more).await.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) async fn event_lines(&self, more: &[&str]) -> String {
        let delivery_log = self.delivery_log();
        let mut arguments = vec!["events", "--database", delivery_log.to_str().unwrap()];
        arguments.extend(more);
        let output = run(&arguments).await;
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn follow(&self, more: &[&str]) -> Running {
        let delivery_log = self.delivery_log();
        let mut arguments = vec!["events", "--follow", "--database", delivery_log.to_str().unwrap()];
        arguments.extend(more);
        Running::spawn(tdesk(&arguments))
    }
}

pub(crate) struct Receiver {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) url: String,
    /// Address of its feed.
    pub(crate) feed: Option<String>,
    pub(crate) client: reqwest::Client,
}

impl Receiver {
    /// Starts `tdesk` with these arguments and waits until it is ready.
    pub(crate) async fn start(arguments: &[&str], log: &Path) -> Self {
        let mut command = tdesk(arguments);
        command.env("RUST_LOG", "trace");
        Self::spawn(command, log).await
    }

    /// Starts this command and waits until it is ready.
    pub(crate) async fn spawn(mut command: Command, log: &Path) -> Self {
        // The log is not read while the process runs; a full pipe would block it.
        let log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
        let mut child = command.stderr(log).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        timeout(TIMEOUT, stdout.read_line(&mut line)).await.expect("it is ready in time").unwrap();
        let ready: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
        assert_eq!(ready["ready"], true, "{line}");
        let url = ready["listening"].as_str().unwrap().to_owned();
        let feed = ready["feed"].as_str().map(str::to_owned);
        let feed_part = feed.as_ref().map(|feed| format!(",\"feed\":\"{feed}\"")).unwrap_or_default();
        assert_eq!(line, format!("{{\"ready\":true,\"listening\":\"{url}\"{feed_part}}}\n"));
        Self { child, stdout, url, feed, client: client() }
    }

    /// Host and port.
    pub(crate) fn address(&self) -> String {
        self.url.trim_start_matches("http://").to_owned()
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.child.id().expect("it still runs")
    }

    /// Delivers a body signed with the current secret; returns the status of the response.
    pub(crate) async fn deliver(&self, body: impl Into<Vec<u8>>) -> u16 {
        deliver(&self.client, &self.url, SECRET, body.into()).await.unwrap()
    }

    pub(crate) async fn signal(&self, signal: &str) {
        send(signal, &self.child).await;
    }

    /// Waits for the end: exit code and the rest of stdout.
    pub(crate) async fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        let ending = async {
            let (status, _) = tokio::join!(self.child.wait(), self.stdout.read_to_string(&mut rest));
            status.unwrap().code()
        };
        let code = timeout(TIMEOUT, ending).await.expect("tdesk ends in time");
        (code, rest)
    }

    pub(crate) async fn stop(self) {
        self.signal("TERM").await;
        assert_eq!(self.end().await, (Some(0), String::new()));
    }

    pub(crate) async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }
}

pub(crate) fn client() -> reqwest::Client {
    builder().build().unwrap()
}

/// A client that opens a connection for each request.
#[cfg(target_os = "linux")]
pub(crate) fn client_without_pool() -> reqwest::Client {
    builder().pool_max_idle_per_host(0).build().unwrap()
}

fn builder() -> reqwest::ClientBuilder {
    static PROVIDER: Once = Once::new();
    // An error means that a sandbox in this process has installed it already.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    reqwest::Client::builder().no_proxy().timeout(TIMEOUT)
}

pub(crate) async fn deliver(
    client: &reqwest::Client,
    url: &str,
    secret: &str,
    body: Vec<u8>,
) -> Result<u16, reqwest::Error> {
    let request = client.post(format!("{url}/webhook")).header("X-Hub-Signature-256", signature(secret, &body));
    Ok(request.header("Content-Type", "application/json").body(body).send().await?.status().as_u16())
}

pub(crate) fn signature(secret: &str, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    format!("sha256={}", hex(hmac::sign(&key, body).as_ref()))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A status in the channel's format.
pub(crate) fn status(id: &str, status: &str) -> String {
    format!(r#"{{"id":"{id}","status":"{status}","timestamp":"1750030073","recipient_id":"16505551234"}}"#)
}

/// A delivery of one change of the field `messages` that holds these statuses.
pub(crate) fn envelope(statuses: &[String]) -> String {
    let statuses = statuses.join(",");
    format!(
        r#"{{"object":"messaging_business_account","entry":[{{"id":"102290129340398","changes":[{{"field":"messages","value":{{"messaging_product":"messaging","metadata":{{"display_phone_number":"15550783881","phone_number_id":"106540352242922"}},"statuses":[{statuses}]}}}}]}}]}}"#
    )
}

/// Identifier and status of a printed status item.
pub(crate) fn identity(item: &serde_json::Value) -> (String, String) {
    let statuses = item["value"]["statuses"].as_array().unwrap();
    assert_eq!(statuses.len(), 1, "{item}");
    let text = |name: &str| statuses[0][name].as_str().unwrap().to_owned();
    (text("id"), text("status"))
}

/// Waits between two looks at a state that nothing announces; without a pause they would take the processor from what
/// changes it.
pub(crate) async fn next_poll() {
    tokio::time::sleep(Duration::from_millis(2)).await;
}

/// Polls until the condition holds.
pub(crate) async fn wait_until(mut condition: impl FnMut() -> bool) {
    let polling = async {
        while !condition() {
            next_poll().await;
        }
    };
    timeout(TIMEOUT, polling).await.expect("the condition holds in time");
}
