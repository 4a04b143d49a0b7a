//! A batch and `kill -9`: nobody is sent to twice, what was on its way is unknown, and the rest is sent afterwards.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

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
