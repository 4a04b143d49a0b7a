//! Compares the three files with the acknowledged deliveries. Every figure is computed again from the stored bytes,
//! without the app's code.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _};

use super::desk::{SENDS, WORKSPACE};
use super::events::{self, ExpectedEvent, GROUP};

/// Violations found.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// Acknowledged deliveries that are not in the delivery log, or not byte for byte.
    pub(super) lost: u64,
    /// Missing effects of stored deliveries.
    pub(super) missing: u64,
    /// Effects that exist more than once, or without a delivery.
    pub(super) double: u64,
    /// Descriptions.
    pub(super) findings: Vec<String>,
}

impl Verdict {
    /// Adds other violations.
    pub(super) fn add(&mut self, other: Self) {
        self.lost += other.lost;
        self.missing += other.missing;
        self.double += other.double;
        self.findings.extend(other.findings);
    }

    /// Fails the test if there are any.
    pub(super) fn assert_clean(&self, row: &str) {
        let clean = self.lost == 0 && self.missing == 0 && self.double == 0 && self.findings.is_empty();
        assert!(clean, "{row}: {self:#?}");
    }
}

/// Opens a file read-only, as another process would.
pub(super) fn open(path: &Path) -> Connection {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

/// How many times each delivery is in the delivery log. Unknown bytes are a violation.
pub(super) fn stored(folder: &Path, verdict: &mut Verdict) -> BTreeMap<u64, u64> {
    let delivery_log = open(&store::DataFolder::delivery_log_in(folder));
    let mut statement = delivery_log.prepare("SELECT seq, route, body FROM delivery ORDER BY seq").unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut stored = BTreeMap::new();
    while let Some(row) = rows.next().unwrap() {
        let body = row.get_ref(2).unwrap().as_blob().unwrap();
        match events::number(body) {
            Some(number) if row.get_ref(1).unwrap().as_str() == Ok(WORKSPACE) => {
                *stored.entry(number).or_default() += 1;
            }
            _ => verdict.findings.push(format!("delivery {} is not as it was sent", row.get::<_, i64>(0).unwrap())),
        }
    }
    stored
}

/// The delivery log only: everything acknowledged is there, and the file is intact.
pub(super) fn delivery_log(folder: &Path, acknowledged: &[u64]) -> Verdict {
    let mut verdict = Verdict::default();
    whole(&store::DataFolder::delivery_log_in(folder), &mut verdict);
    let stored = stored(folder, &mut verdict);
    verdict.lost = acknowledged.iter().filter(|number| !stored.contains_key(number)).count() as u64;
    verdict
}

/// All three files, after the desk has caught up and closed.
pub(super) fn all(folder: &Path, acknowledged: &[u64]) -> Verdict {
    let mut verdict = projected(folder, acknowledged);
    outcomes(folder, &stored(folder, &mut Verdict::default()), &mut verdict);
    verdict
}

/// As [`all`], if the desk may contain more than the delivery log.
pub(super) fn projected(folder: &Path, acknowledged: &[u64]) -> Verdict {
    let mut verdict = Verdict::default();
    for name in ["inbox.sqlite", "desk.sqlite", "cache.sqlite"] {
        whole(&folder.join(name), &mut verdict);
    }
    let stored = stored(folder, &mut verdict);
    verdict.lost = acknowledged.iter().filter(|number| !stored.contains_key(number)).count() as u64;
    cursor(folder, &mut verdict);
    items(folder, &stored, &mut verdict);
    messages(folder, &stored, &mut verdict);
    counters(folder, &mut verdict);
    verdict
}

/// A file is intact.
pub(super) fn whole(path: &Path, verdict: &mut Verdict) {
    let found: String = open(path).query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).unwrap();
    if found != "ok" {
        verdict.findings.push(format!("{}: {found}", path.display()));
    }
}

/// The projection cursor is at the end of this delivery log: at its last delivery, or after those that were lost behind
/// it.
fn cursor(folder: &Path, verdict: &mut Verdict) {
    let delivery_log = open(&store::DataFolder::delivery_log_in(folder));
    let end: (String, i64) = delivery_log
        .query_row("SELECT log_id, max(floor, (SELECT coalesce(max(seq), 0) FROM delivery)) FROM meta", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    let cache = open(&folder.join("cache.sqlite"));
    let cursor: Option<(String, i64)> =
        cache.query_row("SELECT log_id, seq FROM cursor", [], |row| Ok((row.get(0)?, row.get(1)?))).optional().unwrap();
    if cursor.as_ref() != Some(&end) {
        verdict.findings.push(format!("the projection is at {cursor:?}, the delivery log ends at {end:?}"));
    }
}

/// Each reported event is one item with the number of its deliveries.
fn items(folder: &Path, stored: &BTreeMap<u64, u64>, verdict: &mut Verdict) {
    let mut expected: HashMap<ExpectedEvent, (u64, u64)> = HashMap::new();
    for (number, copies) in stored {
        for expected_event in events::expected_events(*number) {
            let entry = expected.entry(expected_event).or_default();
            entry.0 += 1;
            entry.1 += copies;
        }
    }
    let cache = open(&folder.join("cache.sqlite"));
    let mut statement = cache
        .prepare(
            "SELECT kind, coalesce(message_id, ''), status, coalesce(template_id, ''), deliveries
             FROM item JOIN class ON class.id = item.class WHERE route = ?1",
        )
        .unwrap();
    let rows = statement.query_map([WORKSPACE], |row| {
        let kind: String = row.get(0)?;
        let kind =
            ["status", "message", "template_status", "unknown"].into_iter().find(|stored_state| *stored_state == kind);
        let (message, status, template) = (row.get(1)?, row.get(2)?, row.get(3)?);
        Ok((ExpectedEvent { kind: kind.unwrap_or("none"), message, status, template }, row.get::<_, u64>(4)?))
    });
    let mut found: HashMap<ExpectedEvent, (u64, u64)> = HashMap::new();
    for row in rows.unwrap() {
        let (expected_event, deliveries) = row.unwrap();
        let entry = found.entry(expected_event).or_default();
        entry.0 += 1;
        entry.1 += deliveries;
    }
    for (expected_event, wanted) in &expected {
        let (rows, deliveries) = found.remove(expected_event).unwrap_or_default();
        verdict.missing += wanted.0.saturating_sub(rows);
        verdict.double += rows.saturating_sub(wanted.0);
        if deliveries != wanted.1 {
            verdict.findings.push(format!("{expected_event:?} came {} times and counts {deliveries}", wanted.1));
        }
    }
    for (expected_event, (rows, _)) in found {
        verdict.double += rows;
        verdict.findings.push(format!("{expected_event:?} was never delivered"));
    }
    verdict.findings.truncate(20);
}

/// The reported statuses of each message that may have several.
fn followed(stored: &BTreeMap<u64, u64>) -> BTreeMap<u64, Vec<&'static str>> {
    let mut messages: BTreeMap<u64, Vec<_>> = BTreeMap::new();
    for number in stored.keys() {
        if let Some(word) = ["sent", "delivered", "read"].get((number % GROUP) as usize) {
            messages.entry(number / GROUP).or_default().push(*word);
        }
    }
    messages
}

/// Each message has its furthest status.
fn messages(folder: &Path, stored: &BTreeMap<u64, u64>, verdict: &mut Verdict) {
    let cache = open(&folder.join("cache.sqlite"));
    let mut statement =
        cache.prepare("SELECT message_id, status, json_array_length(reports) FROM message WHERE route = ?1").unwrap();
    let rows = statement.query_map([WORKSPACE], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))));
    let stored_state: HashMap<String, (Option<String>, usize)> = rows.unwrap().map(Result::unwrap).collect();
    for (group, words) in followed(stored) {
        let message = events::followed(group);
        let (status, reports) = stored_state.get(&message).cloned().unwrap_or_default();
        if status.as_deref() != words.last().copied() {
            verdict.missing += 1;
            verdict.findings.push(format!("{message} is {status:?} after {words:?}"));
        }
        if reports != words.len() {
            verdict.findings.push(format!("{message} has {reports} statuses after {words:?}"));
        }
    }
    verdict.findings.truncate(20);
}

/// The stored counters equal a fresh count.
fn counters(folder: &Path, verdict: &mut Verdict) {
    let cache = open(&folder.join("cache.sqlite"));
    let read = |sql: &str| -> BTreeMap<(i64, String, String), i64> {
        let mut statement = cache.prepare(sql).unwrap();
        let rows = statement.query_map([WORKSPACE], |row| Ok(((row.get(0)?, row.get(1)?, row.get(2)?), row.get(3)?)));
        rows.unwrap().map(Result::unwrap).collect()
    };
    let kept = read(
        "SELECT day, kind, status, sum(counter.n) FROM counter JOIN class ON class.id = class
         WHERE route = ?1 AND counter.n <> 0 GROUP BY 1, 2, 3",
    );
    let real = read(
        "SELECT at / 86400000 - (at % 86400000 < 0), kind, status, count(*)
         FROM item JOIN class ON class.id = class WHERE route = ?1 GROUP BY 1, 2, 3",
    );
    if kept != real {
        verdict.findings.push(format!("counters say {kept:?}, there are {real:?}"));
    }
    let wrong = "SELECT count(*) FROM class WHERE n <> (SELECT count(*) FROM item WHERE item.class = class.id)";
    let wrong: u64 = cache.query_row(wrong, [], |row| row.get(0)).unwrap();
    if wrong > 0 {
        verdict.findings.push(format!("{wrong} classes do not know how many items they have"));
    }
}

/// Data that outlives the delivery log is in the desk, once.
fn outcomes(folder: &Path, stored: &BTreeMap<u64, u64>, verdict: &mut Verdict) {
    let desk = open(&folder.join("desk.sqlite"));
    let expected: Vec<(String, String)> = followed(stored)
        .into_iter()
        .take_while(|(group, _)| *group < SENDS)
        .flat_map(|(group, words)| words.into_iter().map(move |word| (format!("send-{group}"), word.to_owned())))
        .collect();
    let mut statement = desk.prepare("SELECT send_id, status FROM send_outcome").unwrap();
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let mut found: Vec<(String, String)> = found.map(Result::unwrap).collect();
    let mut expected = expected;
    expected.sort();
    found.sort();
    if expected != found {
        verdict.missing += 1;
        verdict.findings.push(format!("outcomes of sends are {found:?} and should be {expected:?}"));
    }
    let sql = "SELECT count(*) FROM template_event WHERE workspace_id = ?1";
    let kept: u64 = desk.query_row(sql, [WORKSPACE], |row| row.get(0)).unwrap();
    let reported = stored.keys().filter(|number| *number % GROUP == 5).count() as u64;
    verdict.missing += reported.saturating_sub(kept);
    verdict.double += kept.saturating_sub(reported);
}
