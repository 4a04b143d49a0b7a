//! `tdesk receive` in a separate process: this executable with its arguments.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;
use feed::Client;

use crate::load::Load;
use crate::{process, signed};

/// The commands of `tdesk` that this executable runs.
pub(crate) const COMMANDS: [&str; 2] = ["receive", "desk"];
/// Name of the environment variable with the secret.
const SECRET_VARIABLE: &str = "BENCH_SECRET";

/// Where a receiver stores its deliveries.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Store<'a> {
    /// An inbox file.
    File(&'a Path),
    /// The address of a PostgreSQL database.
    Postgres(&'a str),
}

impl<'a> Store<'a> {
    fn arguments(self) -> anyhow::Result<[&'a str; 2]> {
        match self {
            Self::File(path) => Ok(["--database", path.to_str().context("the folder's name is not UTF-8")?]),
            Self::Postgres(address) => Ok(["--store", address]),
        }
    }
}

pub(crate) struct Receiver {
    process: Child,
    address: SocketAddr,
    feed: String,
}

impl Receiver {
    /// Starts the receiver `node` with its feed, and waits until it listens.
    pub(crate) fn start(store: Store<'_>, node: &str) -> anyhow::Result<Self> {
        let mut process = tdesk()?
            .args(["receive", "--listen", "127.0.0.1:0", "--feed-listen", "127.0.0.1:0", "--node", node])
            .args(["--secret-env", SECRET_VARIABLE])
            .args(store.arguments()?)
            .stdout(Stdio::piped())
            .spawn()
            .context("the receiver cannot be started")?;
        let output = process.stdout.take().context("the receiver has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let ready: serde_json::Value = serde_json::from_str(&line).context("the receiver did not start")?;
        let address = |name: &str| ready[name].as_str().unwrap_or_default().to_owned();
        let listening = address("listening").trim_start_matches("http://").parse()?;
        Ok(Self { process, address: listening, feed: address("feed") })
    }

    pub(crate) fn load(&self, time: Duration) -> Load {
        Load::new(self.address, "/webhook", time)
    }

    /// Address of its feed.
    pub(crate) fn feed(&self) -> &str {
        &self.feed
    }

    /// A client of its feed.
    pub(crate) fn client(&self, token: &str) -> anyhow::Result<Client> {
        Ok(app::feed_client(&self.feed, token.into())?)
    }

    /// Memory in MiB, current and peak; `None` if the system does not report it.
    pub(crate) fn memory(&self) -> Option<(f64, f64)> {
        process::memory(self.process.id())
    }

    /// Seconds of processor time so far; `None` if the system does not report it.
    pub(crate) fn processor(&self) -> Option<f64> {
        process::processor(self.process.id())
    }

    /// Stops the receiver in order.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        let id = self.process.id().to_string();
        anyhow::ensure!(Command::new("kill").arg(&id).status()?.success(), "the receiver cannot be stopped");
        let status = self.process.wait()?;
        anyhow::ensure!(status.success(), "the receiver ended with {status}");
        Ok(())
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        // After `stop` the process has ended, and this has no effect.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Makes the token of a desk.
pub(crate) fn add_desk(store: Store<'_>) -> anyhow::Result<String> {
    let mut adding = tdesk()?.args(["desk", "add", "bench"]).args(store.arguments()?).stdout(Stdio::piped()).spawn()?;
    let mut token = String::new();
    adding.stdout.take().context("tdesk has no output")?.read_to_string(&mut token)?;
    anyhow::ensure!(adding.wait()?.success(), "no token could be made");
    Ok(token.trim().to_owned())
}

fn tdesk() -> anyhow::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.env(SECRET_VARIABLE, signed::SECRET).env("RUST_LOG", "warn").stdin(Stdio::null());
    Ok(command)
}
