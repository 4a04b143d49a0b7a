//! A batch, `kill -9` and a provider that fails before and after it took a message: nobody gets one twice, what was on
//! its way is unknown, and the rest is sent afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use app::view::batch::{BatchCounts, BatchPlanRequest, BatchQuery, BatchSource, ValueSource};
use app::view::workspace::{SaveWorkspace, WorkspaceId};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::batches::provider::{Provider, Reply, TEMPLATE};
use super::super::batches::settings;
use super::Form;
use super::check;
use super::desk::{Desk, in_time};
use super::inside::open;

/// Plans a batch of so many rows in a data folder, and gives its identifier.
async fn planned(folder: &Path, provider: &Provider, rows: u32) -> String {
    let core = open(folder).await;
    let request =
        SaveWorkspace { workspace: None, settings: settings(&provider.url), secrets: Vec::new(), session_only: false };
    let workspace = core.save_workspace(request).await.unwrap().id;
    core.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.unwrap();
    let mut text = "to,name\n".to_owned();
    for row in 0..rows {
        writeln!(text, "{},Ana {row}", recipient(row)).unwrap();
    }
    let path = folder.join("recipients.csv");
    std::fs::write(&path, text).unwrap();
    let file = core.read_csv(&path).await.unwrap();
    let column = ValueSource::Column { column: "name".to_owned() };
    let fixed = ValueSource::Fixed { value: "12/5".to_owned() };
    let source = BatchSource::Csv {
        file: file.id,
        to: "to".to_owned(),
        name: None,
        values: [("body.1".to_owned(), column), ("body.2".to_owned(), fixed)].into(),
    };
    let number = settings(&provider.url).numbers[0].id.clone();
    let plan = core
        .plan_batch(BatchPlanRequest {
            workspace,
            reference: TEMPLATE.to_owned(),
            number,
            callback_data: String::new(),
            track: true,
            exact_callback: false,
            overrides: Vec::new(),
            source,
        })
        .await
        .unwrap();
    assert_eq!((plan.good, plan.bad), (rows, 0));
    core.close().await;
    plan.id
}

fn recipient(row: u32) -> String {
    format!("5511987{:06}", 100_000 + row)
}

/// What the desk knows of a batch: its state, and each recipient's row with its state.
async fn known(folder: &Path, id: &str) -> (String, BatchCounts, BTreeMap<String, String>) {
    let core = open(folder).await;
    let (mut rows, mut after) = (BTreeMap::new(), None);
    let batch = loop {
        let query = BatchQuery { batch: id.to_owned(), state: None, after, limit: 500 };
        let page = core.get_batch(query).await.unwrap();
        rows.extend(page.rows.into_iter().map(|row| (row.recipient, row.state)));
        after = page.next;
        if after.is_none() {
            break page.batch;
        }
    };
    core.close().await;
    (batch.state, batch.counts, rows)
}

async fn comes_to(provider: &Provider, sends: usize) {
    in_time("the sends", async {
        while provider.count() < sends {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// Killed while messages are on their way, and killed at random until every row has left.
pub(super) async fn killed(form: Form) {
    on_their_way().await;
    let rounds = form.rounds(1, 20);
    let (mut kills, mut sent, mut unknown) = (0, 0, 0);
    for round in 0..rounds {
        let (killed, left, lost) = at_random(round, form.pick(120, 400)).await;
        kills += killed;
        sent += left;
        unknown += lost;
    }
    println!("batch kills={kills} sent={sent} unknown={unknown} twice=0 left_out=0");
}

/// The provider holds what it got: all of it is on its way when the process is killed.
async fn on_their_way() {
    const ROWS: u32 = 60;
    const ANSWERED: usize = 20;
    let temp = TempDir::new().unwrap();
    let (folder, provider) = (temp.path().join("desk"), Provider::start().await);
    let id = planned(&folder, &provider, ROWS).await;
    provider.answers(|before, _| if before < ANSWERED { Reply::Taken } else { Reply::Later });
    let mut desk = Desk::start(&folder, None).await;
    assert_eq!(desk.ask(&format!("start-batch {}", json!({"batch": id, "skipBad": false}))).await["state"], "running");
    comes_to(&provider, ANSWERED + 8).await;
    // Every answer that was given is written down before the next row leaves in its place, but for the last ones.
    desk.kill().await;
    let on_way = provider.recipients();

    let (state, counts, rows) = known(&folder, &id).await;
    assert_eq!(state, "interrupted");
    assert_eq!(counts.unknown + counts.accepted, on_way.len() as u32, "{counts:?}");
    assert!(counts.unknown >= 8, "{counts:?}");
    assert_eq!(counts.planned, ROWS - on_way.len() as u32);
    for (recipient, state) in &rows {
        assert_eq!(state == "planned", !on_way.contains_key(recipient), "{recipient} is {state}");
    }

    provider.answers(|_, _| Reply::Taken);
    let mut desk = Desk::start(&folder, None).await;
    assert_eq!(desk.ask(&format!("resume-batch {}", json!({"batch": id}))).await["state"], "running");
    assert_eq!(desk.ask(&format!("batch-ends {id}")).await["state"], "done");
    desk.close().await;
    let recipients = provider.recipients();
    assert!(recipients.values().all(|times| *times == 1), "nobody twice");
    assert_eq!(recipients.len() as u32, ROWS, "nobody left out");
    let (state, after, _) = known(&folder, &id).await;
    assert_eq!((state.as_str(), after.unknown, after.planned), ("done", counts.unknown, 0));
    assert_eq!(after.accepted, ROWS - counts.unknown);
}

/// Killed again and again wherever it is. Gives the kills, the sends that came, and the rows that are unknown.
async fn at_random(seed: u64, rows: u32) -> (u32, u32, u32) {
    let mut random = StdRng::seed_from_u64(seed);
    let temp = TempDir::new().unwrap();
    let (folder, provider) = (temp.path().join("desk"), Provider::start().await);
    let id = planned(&folder, &provider, rows).await;
    let mut kills = 0;
    let mut command = format!("start-batch {}", json!({"batch": id, "skipBad": false}));
    loop {
        let mut desk = Desk::start(&folder, None).await;
        let answer: Value = desk.ask(&command).await;
        if answer["state"] != "running" {
            // All that was left had left when it was killed, before the end was written down.
            assert!(answer.get("failed").is_some(), "{answer}");
            desk.close().await;
            break;
        }
        command = format!("resume-batch {}", json!({"batch": id}));
        let next = provider.count() + random.random_range(5..60);
        if next >= rows as usize {
            assert_eq!(desk.ask(&format!("batch-ends {id}")).await["state"], "done");
            desk.close().await;
            break;
        }
        comes_to(&provider, next).await;
        desk.kill().await;
        kills += 1;
        let verdict = check::open(&folder.join("desk.sqlite"))
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0))
            .unwrap();
        assert_eq!(verdict, "ok");
    }
    let recipients = provider.recipients();
    assert!(recipients.values().all(|times| *times == 1), "nobody twice");
    let (state, counts, states) = known(&folder, &id).await;
    assert_eq!((state.as_str(), counts.planned, counts.sending), ("done", 0, 0));
    assert_eq!(counts.accepted + counts.unknown, rows);
    for (recipient, state) in &states {
        // Only what is unknown may have been killed between the disk and the wire.
        assert!(state == "unknown" || recipients.contains_key(recipient), "{recipient} is {state} and never came");
    }
    assert!(kills > 0);
    (kills, recipients.len() as u32, counts.unknown)
}

/// Answers after which nobody can know whether the message was taken, which it was.
const TAKEN_UNHEARD: [&str; 9] = [
    "",
    "408 Request Timeout",
    "500 Internal Server Error",
    "502 Bad Gateway",
    "503 Service Unavailable",
    "504 Gateway Timeout",
    "520 Unknown Error",
    "524 A Timeout Occurred",
    "530 Unknown Error",
];

/// Answers of a provider that took nothing, and says so.
fn not_taken(which: u32) -> Reply {
    match which {
        0 => Reply::Status("429 Too Many Requests", "retry-after: 0\r\n", ""),
        1 => Reply::Status("503 Service Unavailable", "retry-after: 0\r\n", ""),
        2 => Reply::Status("500 Internal Server Error", "", r#"{"error":{"code":131016,"message":"Unavailable"}}"#),
        3 => Reply::Status("400 Bad Request", "", r#"{"error":{"code":130429,"message":"Rate limit hit"}}"#),
        // Nothing was taken here either, but nobody can know.
        4 => Reply::Cut,
        _ => Reply::Status("503 Service Unavailable", "", ""),
    }
}

/// A provider that fails at random after and before it took a message, and a desk that is killed at random.
pub(super) async fn faulty(form: Form) {
    let (mut total, mut round) = (Faulty::default(), 0);
    let faults = u32::try_from(form.rounds(40, 10_000)).unwrap();
    while total.faults + total.kills < faults {
        let one = at_fault(round, form.pick(60, 1_500)).await;
        total.faults += one.faults;
        total.kills += one.kills;
        total.sent += one.sent;
        total.unknown += one.unknown;
        total.refused += one.refused;
        round += 1;
    }
    let Faulty { faults, kills, sent, unknown, refused } = total;
    println!("batch faults={faults} kills={kills} sent={sent} unknown={unknown} refused={refused} twice=0 left_out=0");
}

/// What happened to a batch.
#[derive(Default)]
struct Faulty {
    faults: u32,
    kills: u32,
    /// Messages that the provider took.
    sent: u32,
    unknown: u32,
    refused: u32,
}

async fn at_fault(seed: u64, rows: u32) -> Faulty {
    let mut random = StdRng::seed_from_u64(0xFA01 + seed);
    let temp = TempDir::new().unwrap();
    let (folder, provider) = (temp.path().join("desk"), Provider::start().await);
    let id = planned(&folder, &provider, rows).await;
    let (faults, calm) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
    let asked: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let (counted, quiet, seen) = (Arc::clone(&faults), Arc::clone(&calm), Arc::clone(&asked));
    let mut chance = StdRng::seed_from_u64(seed);
    provider.answers(move |_, to| {
        seen.lock().unwrap().insert(to.to_owned());
        if quiet.load(Ordering::SeqCst) || chance.random_bool(0.2) {
            return Reply::Taken;
        }
        counted.fetch_add(1, Ordering::SeqCst);
        if chance.random_bool(0.6) {
            Reply::TakenUnheard(TAKEN_UNHEARD[chance.random_range(0..TAKEN_UNHEARD.len())])
        } else {
            not_taken(chance.random_range(0..6))
        }
    });
    let mut kills = 0;
    let mut command = format!("start-batch {}", json!({"batch": id, "skipBad": false}));
    loop {
        let ends = asked.lock().unwrap().len() + 8 >= rows as usize;
        calm.store(ends, Ordering::SeqCst);
        let before = provider.count();
        let mut desk = Desk::start(&folder, None).await;
        let answer: Value = desk.ask(&command).await;
        if answer["state"] != "running" {
            assert!(answer.get("failed").is_some(), "{answer}");
            desk.close().await;
            break;
        }
        command = format!("resume-batch {}", json!({"batch": id}));
        if ends {
            assert_eq!(desk.ask(&format!("batch-ends {id}")).await["state"], "done");
            desk.close().await;
            break;
        }
        // So many leave at once before a pause begins; now and then it goes on into the pause and beyond.
        let further = if random.random_bool(0.05) { 12 } else { random.random_range(1..=8) };
        comes_to(&provider, before + further).await;
        desk.kill().await;
        kills += 1;
    }
    let (state, counts, states) = known(&folder, &id).await;
    let taken = provider.taken();
    assert!(taken.values().all(|times| *times == 1), "nobody twice");
    assert_eq!((state.as_str(), counts.planned, counts.sending), ("done", 0, 0), "{counts:?}");
    assert_eq!(counts.accepted + counts.unknown + counts.refused, rows, "nobody left out: {counts:?}");
    for (recipient, state) in &states {
        match state.as_str() {
            "accepted" => assert!(taken.contains_key(recipient), "{recipient} is accepted and was not taken"),
            "refused" => assert!(!taken.contains_key(recipient), "{recipient} is refused and was taken"),
            other => assert_eq!(other, "unknown"),
        }
    }
    Faulty {
        faults: faults.load(Ordering::SeqCst),
        kills,
        sent: u32::try_from(taken.len()).unwrap(),
        unknown: counts.unknown,
        refused: counts.refused,
    }
}
