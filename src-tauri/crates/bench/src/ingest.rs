//! The cost of durable acknowledgement, compared with servers that do less or commit differently.

use std::collections::HashMap;
use std::path::Path;

use store::delivery_log::NewDelivery;

use crate::child::Child;
use crate::load::Answers;
use crate::options::Options;
use crate::serve::Mode;
use crate::table::{Goal, Table, median, ratios};

/// Size of large bodies in bytes: the largest envelopes that the channel sends often.
const LARGE_BODY_BYTES: usize = 65_536;

pub(crate) fn measure(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    small_bodies(options, folder, table)?;
    if options.includes("P9") {
        large_bodies(options, folder, table)?;
    }
    Ok(())
}

/// One load on a fresh server, and the processor time of each request in microseconds, which hardly depends on other
/// load of the machine.
fn load(mode: Mode, folder: &Path, options: &Options, bytes: usize) -> anyhow::Result<(Answers, f64)> {
    let folder = tempfile::tempdir_in(folder)?;
    let server = Child::start(mode, folder.path())?;
    let mut load = server.load(options.load);
    load.bytes = bytes;
    let answers = load.run()?.all_accepted()?;
    let processor = server.processor().map_or(f64::NAN, |seconds| seconds * 1e6 / answers.sent as f64);
    server.stop()?;
    Ok((answers, processor))
}

/// Runs several servers alternately; returns the responses and their processor time.
fn alternate(
    modes: &[Mode],
    folder: &Path,
    options: &Options,
    bytes: usize,
) -> anyhow::Result<HashMap<&'static str, Vec<(Answers, f64)>>> {
    let mut answers: HashMap<_, Vec<_>> = HashMap::new();
    for _ in 0..options.rounds {
        for &mode in modes {
            answers.entry(mode.name()).or_default().push(load(mode, folder, options, bytes)?);
        }
    }
    Ok(answers)
}

fn rates(answers: &[(Answers, f64)]) -> Vec<f64> {
    answers.iter().map(|(answers, _)| answers.rate()).collect()
}

/// The note about a server and its baseline.
fn compare(ours: &[(Answers, f64)], baseline: &[(Answers, f64)]) -> String {
    let p99 = |answers: &[(Answers, f64)]| {
        median(&answers.iter().map(|(answers, _)| answers.percentile(0.99)).collect::<Vec<_>>())
    };
    let processor =
        |answers: &[(Answers, f64)]| median(&answers.iter().map(|(_, processor)| *processor).collect::<Vec<_>>());
    format!(
        "{:.0}/s of {:.0}/s; p99 {:.1} of {:.1} ms; processor {:.1} of {:.1} µs a request",
        median(&rates(ours)),
        median(&rates(baseline)),
        p99(ours),
        p99(baseline),
        processor(ours),
        processor(baseline)
    )
}

fn small_bodies(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    let rows = [
        ("P1", Mode::Bare, "durable ingest / bare 200, 700 B, 64 connections", 0.5),
        ("P2", Mode::Log, "durable ingest / raw log, one fdatasync a group", 0.8),
        ("P3", Mode::Naive, "durable ingest / one transaction a request", 5.0),
        ("P4", Mode::Normal, "FULL / NORMAL", 0.85),
    ];
    let mut modes: Vec<Mode> = rows.iter().filter(|row| options.includes(row.0)).map(|row| row.1).collect();
    if modes.is_empty() {
        return Ok(());
    }
    modes.push(Mode::Receiver);
    let answers = alternate(&modes, folder, options, 700)?;
    let ours = &answers[Mode::Receiver.name()];
    for (id, mode, what, goal) in rows {
        let Some(baseline) = answers.get(mode.name()) else { continue };
        let note = compare(ours, baseline);
        table.add(id, what, Goal::AtLeast(goal), "", ratios(&rates(ours), &rates(baseline)), note);
    }
    Ok(())
}

fn large_bodies(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    let answers = alternate(&[Mode::Hmac, Mode::Receiver], folder, options, LARGE_BODY_BYTES)?;
    let (ours, baseline) = (&answers[Mode::Receiver.name()], &answers[Mode::Hmac.name()]);
    let note = compare(ours, baseline);
    table.add(
        "P9",
        "64 KiB bodies: durable ingest / signature alone",
        Goal::AtLeast(0.3),
        "",
        ratios(&rates(ours), &rates(baseline)),
        note,
    );
    Ok(())
}

/// A delivery on the route of the sandbox.
pub(crate) fn delivery(body: String) -> NewDelivery {
    NewDelivery {
        received_at: 1_739_321_024_000,
        route: app::SANDBOX_ID.to_owned(),
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: body.into(),
    }
}
