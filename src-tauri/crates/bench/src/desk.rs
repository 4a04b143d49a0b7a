//! The whole core under load: responses, backlog, memory, and the effect of rebuilding the projection.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::backlog;
use crate::child::Child;
use crate::floor::Floor;
use crate::options::Options;
use crate::serve::Mode;
use crate::table::{Goal, Table, median, ratios};

/// Requests per second at the channel's published limit: 1,000 messages with three statuses each, and their replies.
const CHANNEL_LIMIT: f64 = 4_000.0;
/// Requests per second while a backlog is projected.
const STEADY_RATE: f64 = 1_000.0;

pub(crate) fn measure(options: &Options, folder: &Path, floor: &Floor, table: &mut Table) -> anyhow::Result<()> {
    if options.includes("P6") {
        fixed_rate(options, folder, floor, table)?;
    }
    if options.includes("P7") {
        end_to_end(options, folder, table)?;
    }
    if options.includes("P8") {
        projection(options, folder, table)?;
    }
    if options.includes("P10") {
        memory(options, folder, table)?;
        overload(options, folder, table)?;
    }
    Ok(())
}

fn fixed_rate(options: &Options, folder: &Path, floor: &Floor, table: &mut Table) -> anyhow::Result<()> {
    let (mut p50, mut p99, mut p999) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let folder = tempfile::tempdir_in(folder)?;
        let server = Child::start(Mode::Desk, folder.path())?;
        let mut load = server.load(options.load.max(Duration::from_secs(4)));
        load.requests_per_second = Some(CHANNEL_LIMIT);
        let answers = load.run()?.all_accepted()?;
        anyhow::ensure!(
            answers.rate() > CHANNEL_LIMIT * 0.9,
            "only {:.0} requests a second could be sent",
            answers.rate()
        );
        p50.push(answers.percentile(0.5));
        p99.push(answers.percentile(0.99));
        p999.push(answers.percentile(0.999));
        server.stop()?;
    }
    // Allows more time on a slow disk.
    let most = (10.0 * floor.append[1] + 5.0).max(10.0);
    let note = "projection on";
    table.add("P6", "4,000 events/s: time to 200, p50", Goal::AtMost(2.0), "ms", p50, note);
    table.add("P6", "4,000 events/s: time to 200, p99", Goal::AtMost(most), "ms", p99, note);
    table.add("P6", "4,000 events/s: time to 200, p99.9", Goal::AtMost(25.0_f64.max(most)), "ms", p999, note);
    Ok(())
}

fn end_to_end(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    let (mut bare, mut stored, mut projected) = (Vec::new(), Vec::new(), Vec::new());
    let (mut backlog, mut left, mut processor) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let bare_folder = tempfile::tempdir_in(folder)?;
        let server = Child::start(Mode::Bare, bare_folder.path())?;
        bare.push(server.load(options.load).run()?.all_accepted()?.rate());
        server.stop()?;

        let desk_folder = tempfile::tempdir_in(folder)?;
        let mut server = Child::start(Mode::Desk, desk_folder.path())?;
        let mut load = server.load(options.load);
        load.warm_up = Duration::ZERO;
        let answers = load.run()?.all_accepted()?;
        let backlog_size = server.backlog_size()?;
        let ended = Instant::now();
        stored.push(answers.rate());
        // The sustainable rate: deliveries that are stored but not projected do not count.
        projected.push(answers.accepted.saturating_sub(backlog_size) as f64 / answers.time.as_secs_f64());
        backlog.push(backlog_size as f64 / answers.rate());
        std::thread::sleep(Duration::from_secs(1).saturating_sub(ended.elapsed()));
        left.push(server.backlog_size()? as f64);
        server.wait_for_projection()?;
        processor.push(server.processor().map_or(f64::NAN, |seconds| seconds * 1e6 / answers.sent as f64));
        server.stop()?;
    }
    let note = format!(
        "{:.0}/s projected, {:.0}/s stored, of {:.0}/s; processor {:.1} µs an event",
        median(&projected),
        median(&stored),
        median(&bare),
        median(&processor),
    );
    table.add("P7", "stored and projected / bare 200", Goal::AtLeast(0.35), "", ratios(&projected, &bare), note);
    table.add("P7", "backlog when the load ends, in time of its input", Goal::AtMost(1.0), "s", backlog, "");
    table.add("P7", "backlog one second later", Goal::AtMost(0.0), "", left, "deliveries");
    Ok(())
}

fn projection(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    let deliveries: u64 = if options.full { 1_000_000 } else { 100_000 };
    let source = tempfile::tempdir_in(folder)?;
    backlog::fill(source.path(), deliveries)?;
    let (mut rates, mut idle, mut busy) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let idle_folder = tempfile::tempdir_in(folder)?;
        let server = Child::start(Mode::Desk, idle_folder.path())?;
        let mut load = server.load(options.load);
        load.requests_per_second = Some(STEADY_RATE);
        idle.push(load.run()?.all_accepted()?.percentile(0.99));
        server.stop()?;

        let busy_folder = tempfile::tempdir_in(folder)?;
        backlog::copy(source.path(), busy_folder.path())?;
        let started = Instant::now();
        let mut server = Child::start(Mode::Desk, busy_folder.path())?;
        let mut load = server.load(options.load);
        load.requests_per_second = Some(STEADY_RATE);
        load.warm_up = Duration::ZERO;
        let loading = std::thread::spawn(move || load.run());
        server.wait_for_projection()?;
        let took = started.elapsed();
        let answers = loading.join().map_err(|_| anyhow::anyhow!("the load panicked"))??.all_accepted()?;
        let meanwhile = STEADY_RATE * took.min(answers.time).as_secs_f64();
        rates.push((deliveries as f64 + meanwhile) / took.as_secs_f64());
        busy.push(answers.percentile(0.99));
        server.stop()?;
    }
    let note = format!("{deliveries} stored, {STEADY_RATE:.0}/s coming in, the start of the process included");
    table.add("P8", "projection from the start", Goal::AtLeast(20_000.0), "/s", rates, note);
    let note = format!("{:.1} ms of {:.1} ms", median(&busy), median(&idle));
    table.add("P8", "time to 200 meanwhile / idle, p99", Goal::AtMost(3.0), "", ratios(&busy, &idle), note);
    Ok(())
}

fn memory(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    let (events, rounds) = if options.full { (1_000_000, 1) } else { (150_000, options.rounds.min(3)) };
    let mut growth = Vec::new();
    let mut highest = Vec::new();
    for _ in 0..rounds {
        let folder = tempfile::tempdir_in(folder)?;
        let mut server = Child::start(Mode::Desk, folder.path())?;
        let mut load = server.load(Duration::from_secs(3_600));
        load.warm_up = Duration::ZERO;
        load.requests = 20_000;
        load.run()?.all_accepted()?;
        server.wait_for_projection()?;
        let Some((before, _)) = server.memory() else { return Ok(()) };
        load.requests = events;
        load.run()?.all_accepted()?;
        server.wait_for_projection()?;
        let Some((after, peak)) = server.memory() else { return Ok(()) };
        growth.push(after - before);
        highest.push(peak);
        server.stop()?;
    }
    let note = format!("{events} events after the first 20,000; highest {:.0} MiB", median(&highest));
    table.add("P10", "growth of memory", Goal::AtMost(32.0), "MiB", growth, note);
    Ok(())
}

/// Ten times the connections of the other loads, with bodies that would exhaust the memory if all were accepted.
fn overload(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    let (mut growth, mut p99, mut busy) = (Vec::new(), Vec::new(), 0);
    for _ in 0..options.rounds.min(3) {
        let folder = tempfile::tempdir_in(folder)?;
        let server = Child::start(Mode::Desk, folder.path())?;
        let mut load = server.load(options.load);
        load.connections = 640;
        let Some((before, _)) = server.memory() else { return Ok(()) };
        let answers = load.run()?;
        anyhow::ensure!(answers.failed == 0, "{} requests were answered neither 200 nor 503", answers.failed);
        let Some((_, peak)) = server.memory() else { return Ok(()) };
        growth.push(peak - before);
        p99.push(answers.percentile(0.99));
        busy += answers.busy;
        server.stop()?;
    }
    let note = format!("640 connections, {busy} answered with 503");
    table.add("P10", "highest memory above idle under overload", Goal::AtMost(128.0), "MiB", growth, note.clone());
    table.add("P10", "time to 200 under overload, p99", Goal::AtMost(100.0), "ms", p99, note);
    Ok(())
}
