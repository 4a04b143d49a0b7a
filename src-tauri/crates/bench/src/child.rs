//! A server in a separate process: this executable with the mode as an argument, or another program.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child as Process, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::load::Load;
use crate::process;
use crate::serve::Mode;

/// Maximum time for a server to catch up.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(600);

pub(crate) struct Child {
    process: Process,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    address: SocketAddr,
    path: String,
}

impl Child {
    /// Starts a server with its files in a folder, and waits until it listens.
    pub(crate) fn start(mode: Mode, folder: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        Self::spawn(command.args(["serve", mode.name()]).arg(folder)).with_context(|| format!("{mode:?} did not start"))
    }

    /// Starts a server that prints its address and its path in one line when it listens, and ends when its input does.
    pub(crate) fn spawn(command: &mut Command) -> anyhow::Result<Self> {
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("the server cannot be started")?;
        let commands = process.stdin.take();
        let mut answers = BufReader::new(process.stdout.take().context("the server has no output")?);
        let mut line = String::new();
        answers.read_line(&mut line)?;
        let (address, path) = line.trim().split_once(' ').context("the server printed no address")?;
        Ok(Self { process, commands, answers, address: address.parse()?, path: path.to_owned() })
    }

    pub(crate) fn load(&self, time: Duration) -> Load {
        Load::new(self.address, &self.path, time)
    }

    /// Number of stored deliveries that are not projected yet.
    pub(crate) fn backlog_size(&mut self) -> anyhow::Result<u64> {
        let commands = self.commands.as_mut().context("the server was stopped")?;
        writeln!(commands, "behind")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        line.trim().parse().with_context(|| format!("the server answered {line:?}"))
    }

    /// Waits until everything stored is projected.
    pub(crate) fn wait_for_projection(&mut self) -> anyhow::Result<Duration> {
        let started = Instant::now();
        while self.backlog_size()? > 0 {
            anyhow::ensure!(started.elapsed() < CATCH_UP_TIMEOUT, "the projection does not catch up");
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(started.elapsed())
    }

    /// Memory in MiB, current and peak; `None` if the system does not report it.
    pub(crate) fn memory(&self) -> Option<(f64, f64)> {
        process::memory(self.process.id())
    }

    /// Seconds of processor time so far; `None` if the system does not report it.
    pub(crate) fn processor(&self) -> Option<f64> {
        process::processor(self.process.id())
    }

    /// Stops the server in order.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        drop(self.commands.take());
        let status = self.process.wait()?;
        anyhow::ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // After `stop` the process has ended, and this has no effect.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
