//! Small receivers that people would write otherwise, under the same load. Measured if `--peers` names the folder where
//! `make bench PEERS=1` installed them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use store::DataFolder;

use crate::child::Child;
use crate::options::Options;
use crate::serve::{self, Mode, PEER_FILE};
use crate::signed;
use crate::table::{Goal, Table, median, ratios};

const ROW: &str = "P5";

/// A receiver to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Peer {
    Express,
    FastApi,
    Axum,
}

impl Peer {
    const ALL: [Self; 3] = [Self::Express, Self::FastApi, Self::Axum];

    fn what(self) -> &'static str {
        match self {
            Self::Express => "durable ingest / Express with better-sqlite3",
            Self::FastApi => "durable ingest / FastAPI with sqlite3",
            Self::Axum => "durable ingest / axum, one transaction a request",
        }
    }

    fn goal(self) -> Goal {
        match self {
            Self::Express | Self::FastApi => Goal::AtLeast(10.0),
            Self::Axum => Goal::AtLeast(5.0),
        }
    }

    fn start(self, installed: &Path, folder: &Path) -> anyhow::Result<Child> {
        let mut command = match self {
            Self::Axum => return Child::start(Mode::Axum, folder),
            Self::Express => {
                let mut command = Command::new("node");
                command.arg(installed.join("express/receiver.mjs"));
                command
            }
            Self::FastApi => {
                let mut command = Command::new(installed.join("fastapi/bin/python"));
                command.arg(installed.join("fastapi/receiver.py"));
                command
            }
        };
        command.arg(signed::SECRET).arg(folder.join(PEER_FILE));
        Child::spawn(&mut command).with_context(|| format!("{self:?} did not start"))
    }
}

pub(crate) fn measure(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    if !options.includes(ROW) {
        return Ok(());
    }
    let Some(installed) = options.peers.as_deref() else {
        println!("{ROW} is skipped: PEERS=1 installs the receivers that it measures.");
        return Ok(());
    };
    let mut ours = Vec::new();
    let mut theirs = Peer::ALL.map(|_| (Vec::new(), Vec::new()));
    for _ in 0..options.rounds {
        ours.push(load(options, folder, DataFolder::delivery_log_in, |folder| Child::start(Mode::Receiver, folder))?);
        for (peer, (rates, latencies)) in Peer::ALL.into_iter().zip(&mut theirs) {
            let (rate, p99) =
                load(options, folder, |folder| folder.join(PEER_FILE), |folder| peer.start(installed, folder))?;
            rates.push(rate);
            latencies.push(p99);
        }
    }
    let (ours, our_p99): (Vec<f64>, Vec<f64>) = ours.into_iter().unzip();
    for (peer, (rates, latencies)) in Peer::ALL.into_iter().zip(theirs) {
        let note = format!(
            "{:.0}/s of {:.0}/s; p99 {:.1} of {:.1} ms",
            median(&ours),
            median(&rates),
            median(&our_p99),
            median(&latencies)
        );
        table.add(ROW, peer.what(), peer.goal(), "", ratios(&ours, &rates), note);
    }
    Ok(())
}

/// Requests per second, and milliseconds until 99 of 100 were answered. Checks that each is in the file.
fn load(
    options: &Options,
    folder: &Path,
    file: impl FnOnce(&Path) -> PathBuf,
    start: impl FnOnce(&Path) -> anyhow::Result<Child>,
) -> anyhow::Result<(f64, f64)> {
    let folder = tempfile::tempdir_in(folder)?;
    let server = start(folder.path())?;
    let answers = server.load(options.load).run()?.all_accepted()?;
    server.stop()?;
    let stored = serve::rows(&file(folder.path()))?;
    ensure!(stored >= answers.accepted, "{} deliveries were accepted, of which {stored} are stored", answers.accepted);
    Ok((answers.rate(), answers.percentile(0.99)))
}
