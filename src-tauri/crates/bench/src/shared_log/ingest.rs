//! Rows F1 and F5: what a durable acknowledgement costs, for one receiver and for two on one database.

use std::path::Path;

use super::with_database;
use crate::child::Child;
use crate::cluster::Cluster;
use crate::load::{Answers, Load};
use crate::options::Options;
use crate::process;
use crate::receive::{Receiver, Store};
use crate::serve::Mode;
use crate::table::{Goal, Table, median, ratios};

/// Connections of a load.
const CONNECTIONS: usize = 64;

/// One load on a fresh log.
#[derive(Clone, Debug, Default)]
struct Sample {
    /// Acknowledged deliveries a second.
    rate: f64,
    /// Milliseconds until 200, of 99 in 100.
    p99: f64,
    /// Processor time of a delivery in microseconds, of the receivers …
    receiver: f64,
    /// … and of PostgreSQL.
    database: f64,
    /// Deliveries in a commit.
    group: f64,
    /// Bytes of a delivery on disk, with its index.
    bytes: f64,
    /// Bytes of a delivery in PostgreSQL's write-ahead log.
    log_bytes: f64,
}

pub(super) fn measure(options: &Options, folder: &Path, cluster: &Cluster, table: &mut Table) -> anyhow::Result<()> {
    let is_pair = options.includes("F5");
    let (mut bare, mut file, mut one, mut two) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        if options.includes("F1") {
            bare.push(bare_load(options, folder)?);
            file.push(file_load(options, folder)?);
        }
        one.push(database_load(options, cluster, &["eu-1"])?);
        if is_pair {
            two.push(database_load(options, cluster, &["eu-1", "eu-2"])?);
        }
    }
    let values = |samples: &[Sample], value: fn(&Sample) -> f64| samples.iter().map(value).collect::<Vec<_>>();
    let middle = |samples: &[Sample], value: fn(&Sample) -> f64| median(&values(samples, value));
    let rates = |samples: &[Sample]| values(samples, |sample| sample.rate);
    let describe = |samples: &[Sample]| {
        format!(
            "{:.0}/s; {:.0} deliveries a commit; p99 {:.1} ms; processor {:.0} µs of receivers and {:.0} µs of PostgreSQL \
             a delivery",
            middle(samples, |sample| sample.rate),
            middle(samples, |sample| sample.group),
            middle(samples, |sample| sample.p99),
            middle(samples, |sample| sample.receiver),
            middle(samples, |sample| sample.database),
        )
    };
    if options.includes("F1") {
        let of_file = format!(
            "{:.0}/s; p99 {:.1} ms; processor {:.0} µs a delivery",
            middle(&file, |sample| sample.rate),
            middle(&file, |sample| sample.p99),
            middle(&file, |sample| sample.receiver)
        );
        let of_bare = format!("of {:.0}/s", middle(&bare, |sample| sample.rate));
        let ratio = |samples: &[Sample], baseline: &[Sample]| ratios(&rates(samples), &rates(baseline));
        let what = "tdesk receive: PostgreSQL / file, 700 B, 64 connections";
        table.add("F1", what, Goal::AtLeast(0.8), "", ratio(&one, &file), describe(&one));
        table.add("F1", "tdesk receive: file / bare 200", Goal::Baseline, "", ratio(&file, &bare), of_file);
        table.add("F1", "tdesk receive: PostgreSQL / bare 200", Goal::Baseline, "", ratio(&one, &bare), of_bare);
        let bytes = |samples| values(samples, |sample| sample.bytes);
        let note = format!("and {:.0} bytes of its write-ahead log", middle(&one, |sample| sample.log_bytes));
        table.add("F1", "bytes of a delivery of 700 B in PostgreSQL", Goal::Baseline, "B", bytes(&one), note);
        table.add("F1", "bytes of a delivery of 700 B in the file", Goal::Baseline, "B", bytes(&file), "");
    }
    if is_pair {
        let what = "two receivers on one database / one, the same connections";
        table.add("F5", what, Goal::Baseline, "", ratios(&rates(&two), &rates(&one)), describe(&two));
    }
    Ok(())
}

fn bare_load(options: &Options, folder: &Path) -> anyhow::Result<Sample> {
    let folder = tempfile::tempdir_in(folder)?;
    let server = Child::start(Mode::Bare, folder.path())?;
    let answers = server.load(options.load).run()?.all_accepted()?;
    server.stop()?;
    Ok(Sample { rate: answers.rate(), p99: answers.percentile(0.99), ..Sample::default() })
}

fn file_load(options: &Options, folder: &Path) -> anyhow::Result<Sample> {
    let folder = tempfile::tempdir_in(folder)?;
    let file = folder.path().join("inbox.sqlite");
    let receiver = Receiver::start(Store::File(&file), "eu-1")?;
    let answers = receiver.load(options.load).run()?.all_accepted()?;
    let processor = process::micros_each(Some(0.0), receiver.processor(), answers.sent);
    receiver.stop()?;
    Ok(Sample {
        rate: answers.rate(),
        p99: answers.percentile(0.99),
        receiver: processor,
        bytes: file.metadata()?.len() as f64 / answers.sent as f64,
        ..Sample::default()
    })
}

/// One load, divided among receivers on one database.
fn database_load(options: &Options, cluster: &Cluster, nodes: &[&str]) -> anyhow::Result<Sample> {
    with_database(cluster, "ingest", |address| {
        let receivers = nodes.iter().map(|node| Receiver::start(Store::Postgres(address), node));
        let receivers = receivers.collect::<anyhow::Result<Vec<_>>>()?;
        let written = || cluster.number("postgres", "SELECT wal_bytes FROM pg_stat_wal");
        let (log_before, before) = (written()?, cluster.processor());
        let loads: Vec<_> = receivers
            .iter()
            .map(|receiver| {
                let connections = CONNECTIONS / nodes.len();
                let load = Load { connections, ..receiver.load(options.load) };
                std::thread::spawn(move || load.run())
            })
            .collect();
        let mut answers: Vec<Answers> = Vec::new();
        for load in loads {
            answers.push(load.join().map_err(|_| anyhow::anyhow!("a load panicked"))??.all_accepted()?);
        }
        let after = cluster.processor();
        let sent: u64 = answers.iter().map(|answers| answers.sent).sum();
        let processor: Option<f64> = receivers.iter().map(Receiver::processor).sum();
        // Statistics of a connection are complete once it has ended.
        receivers.into_iter().try_for_each(Receiver::stop)?;
        let commits =
            cluster.number("postgres", "SELECT xact_commit FROM pg_stat_database WHERE datname = 'ingest'")?;
        let size = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class
                    WHERE relname LIKE 'delivery%' AND relkind = 'r'";
        Ok(Sample {
            rate: answers.iter().map(Answers::rate).sum(),
            p99: answers.iter().map(|answers| answers.percentile(0.99)).fold(0.0, f64::max),
            receiver: process::micros_each(Some(0.0), processor, sent),
            database: process::micros_each(before, after, sent),
            group: sent as f64 / commits,
            bytes: cluster.number("ingest", size)? / sent as f64,
            log_bytes: (written()? - log_before) / sent as f64,
        })
    })
}
