//! A batch, `kill -9` and a provider that fails before and after accepting a message: no recipient gets a message
//! twice, rows in flight are unknown, and the rest is sent afterwards.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use command_types::batch::{BatchCounts, BatchPlanRequest, BatchQuery, BatchSource, RunState, ValueSource};
use command_types::send::SendOptions;
use command_types::template::TemplateQuery;
use command_types::workspace::{SaveWorkspace, WorkspaceId};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use sandbox::{Cut, Fault, FaultAnswer, Operation, ReviewPolicy, Sandbox, When};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::super::batches::provider::{Provider, Reply};
use super::super::batches::settings;
use super::Form;
use super::check;
use super::desk::{Desk, with_timeout};
use super::in_process::open;
use super::load::SECRET;

/// Plans a batch of this many rows with the only template `visit_reminder` of a provider, and returns its identifier.
async fn planned(folder: &Path, url: &str, rows: u32) -> String {
    let core = open(folder).await;
    let request = SaveWorkspace { workspace: None, settings: settings(url), secrets: Vec::new(), session_only: false };
    let workspace = core.workspaces.save_workspace(request).await.unwrap().id;
    core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.unwrap();
    let mut text = "to,name\n".to_owned();
    for row in 0..rows {
        writeln!(text, "{},Ana {row}", recipient(row)).unwrap();
    }
    let path = folder.join("recipients.csv");
    std::fs::write(&path, text).unwrap();
    let file = core.messaging.read_csv(&path).await.unwrap();
    let column = ValueSource::Column { column: "name".to_owned(), fallback: None, transform: None };
    let fixed = ValueSource::Fixed { value: "12/5".to_owned() };
    let source = BatchSource::Csv {
        file: file.id,
        to: "to".to_owned(),
        name: None,
        values: [("body.1".to_owned(), column), ("body.2".to_owned(), fixed)].into(),
    };
    let number = settings(url).numbers[0].id.clone();
    let query = TemplateQuery {
        workspace: workspace.clone(),
        search: Some("visit_reminder".to_owned()),
        limit: 1,
        ..TemplateQuery::default()
    };
    let reference = core.templates.list_templates(query).await.unwrap().rows.remove(0).reference;
    let plan = core
        .messaging
        .plan_batch(BatchPlanRequest {
            workspace,
            reference,
            number,
            options: SendOptions {
                callback_data: String::new(),
                track: true,
                exact_callback: false,
                overrides: Vec::new(),
            },
            country: None,
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

/// The state of a batch in the desk, and each recipient's row with its state.
async fn stored_state(folder: &Path, id: &str) -> (RunState, BatchCounts, BTreeMap<String, String>) {
    let core = open(folder).await;
    let (mut rows, mut after) = (BTreeMap::new(), None);
    let batch = loop {
        let query = BatchQuery { batch: id.to_owned(), after, limit: 500, ..BatchQuery::default() };
        let page = core.messaging.get_batch(query).await.unwrap();
        rows.extend(page.rows.into_iter().map(|row| (row.recipient, row.state.as_str().to_owned())));
        after = page.next;
        if after.is_none() {
            break page.batch;
        }
    };
    core.close().await;
    (batch.state, batch.counts, rows)
}

async fn wait_for_count(provider: &Provider, sends: usize) {
    with_timeout("the sends", async {
        while provider.count() < sends {
            crate::webhooks::next_poll().await;
        }
    })
    .await;
}

/// Killed with messages in flight, and killed at random until every row was sent.
pub(super) async fn killed(form: Form) {
    killed_in_flight().await;
    let rounds = form.rounds(1, 20);
    let (mut kills, mut sent, mut unknown) = (0, 0, 0);
    for round in 0..rounds {
        let (killed, left, lost) = killed_at_random(round, form.pick(120, 400)).await;
        kills += killed;
        sent += left;
        unknown += lost;
    }
    println!("batch kills={kills} sent={sent} unknown={unknown} twice=0 left_out=0");
}

/// The provider holds all messages: they are in flight when the process is killed.
async fn killed_in_flight() {
    const ROWS: u32 = 60;
    const ANSWERED: usize = 20;
    let temp = TempDir::new().unwrap();
    let (folder, provider) = (temp.path().join("desk"), Provider::start().await);
    let id = planned(&folder, &provider.url, ROWS).await;
    provider.answers(|before, _| if before < ANSWERED { Reply::Accepted } else { Reply::Later });
    let mut desk = Desk::start(&folder, None).await;
    assert_eq!(desk.ask(&format!("start-batch {}", json!({"batch": id, "skipBad": false}))).await["state"], "running");
    wait_for_count(&provider, ANSWERED + 8).await;
    // Every answer is recorded before the next row is sent in its place, except the last ones.
    desk.kill().await;
    let on_way = provider.recipients();

    let (state, counts, rows) = stored_state(&folder, &id).await;
    assert_eq!(state, RunState::Interrupted);
    assert_eq!(counts.unknown + counts.accepted, on_way.len() as u32, "{counts:?}");
    assert!(counts.unknown >= 8, "{counts:?}");
    assert_eq!(counts.planned, ROWS - on_way.len() as u32);
    for (recipient, state) in &rows {
        assert_eq!(state == "planned", !on_way.contains_key(recipient), "{recipient} is {state}");
    }

    provider.answers(|_, _| Reply::Accepted);
    let mut desk = Desk::start(&folder, None).await;
    assert_eq!(desk.ask(&format!("resume-batch {}", json!({"batch": id}))).await["state"], "running");
    assert_eq!(desk.ask(&format!("batch-ends {id}")).await["state"], "done");
    desk.close().await;
    let recipients = provider.recipients();
    assert!(recipients.values().all(|times| *times == 1), "no recipient twice");
    assert_eq!(recipients.len() as u32, ROWS, "no recipient missing");
    let (state, after, _) = stored_state(&folder, &id).await;
    assert_eq!((state.as_str(), after.unknown, after.planned), ("done", counts.unknown, 0));
    assert_eq!(after.accepted, ROWS - counts.unknown);
}

/// Killed repeatedly at random. Returns the number of kills, received sends, and unknown rows.
async fn killed_at_random(seed: u64, rows: u32) -> (u32, u32, u32) {
    let mut random = StdRng::seed_from_u64(seed);
    let temp = TempDir::new().unwrap();
    let (folder, provider) = (temp.path().join("desk"), Provider::start().await);
    let id = planned(&folder, &provider.url, rows).await;
    let mut kills = 0;
    let mut command = format!("start-batch {}", json!({"batch": id, "skipBad": false}));
    loop {
        let mut desk = Desk::start(&folder, None).await;
        let answer: Value = desk.ask(&command).await;
        if answer["state"] != "running" {
            // All remaining rows were sent before the kill, but the end was not recorded.
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
        wait_for_count(&provider, next).await;
        desk.kill().await;
        kills += 1;
        let verdict = check::open(&folder.join("desk.sqlite"))
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0))
            .unwrap();
        assert_eq!(verdict, "ok");
    }
    let recipients = provider.recipients();
    assert!(recipients.values().all(|times| *times == 1), "no recipient twice");
    let (state, counts, states) = stored_state(&folder, &id).await;
    assert_eq!((state.as_str(), counts.planned, counts.sending), ("done", 0, 0));
    assert_eq!(counts.accepted + counts.unknown, rows);
    for (recipient, state) in &states {
        // Only an unknown row can have been killed between its record and its request.
        assert!(
            state == "unknown" || recipients.contains_key(recipient),
            "{recipient} is {state} but was never received"
        );
    }
    assert!(kills > 0);
    (kills, recipients.len() as u32, counts.unknown)
}

/// Statuses without a body after which it is unknown whether a message was accepted.
const INCONCLUSIVE: [u16; 9] = [408, 500, 502, 503, 504, 520, 522, 524, 530];
/// Number of remaining rows at which the sandbox stops failing, so that the batch completes.
const LAST_ROWS: usize = 12;

/// A sandbox that fails at random before and after accepting a message, and a desk that is killed at random. The
/// sandbox counts the accepted messages for each recipient.
pub(super) async fn faulty(form: Form) {
    let (mut total, mut round) = (Faulty::default(), 0);
    let events = u32::try_from(form.rounds(40, 10_000)).unwrap();
    while total.faults + total.kills < events {
        let one = with_faults(form, round, form.pick(60, 1_500)).await;
        total.faults += one.faults;
        total.kills += one.kills;
        total.requests += one.requests;
        total.messages += one.messages;
        total.unknown += one.unknown;
        total.refused += one.refused;
        round += 1;
    }
    let Faulty { faults, kills, requests, messages, unknown, refused } = total;
    println!(
        "batch faults={faults} kills={kills} requests={requests} sent={messages} unknown={unknown} refused={refused} \
         twice=0 left_out=0"
    );
}

/// Totals of a batch.
#[derive(Default)]
struct Faulty {
    faults: u32,
    kills: u32,
    /// Requests that the sandbox received.
    requests: u64,
    /// Messages that it accepted.
    messages: u64,
    unknown: u32,
    refused: u32,
}

/// A sandbox with the template of [`Provider`], served until it is dropped.
struct Counting {
    sandbox: Sandbox,
    url: String,
    http: reqwest::Client,
    _stop: tokio_util::sync::DropGuard,
}

impl Counting {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let sandbox = Sandbox::open(sandbox::Options {
            review: ReviewPolicy::Approve,
            review_delay: Duration::ZERO,
            adopt_unknown: true,
            ..sandbox::Options::new(SECRET.into(), settings(&url).workspace_uuid)
        })
        .unwrap();
        let stop = CancellationToken::new();
        tokio::spawn(sandbox.clone().serve(listener, stop.clone().cancelled_owned()));
        let counting = Self { sandbox, url, http: reqwest::Client::new(), _stop: stop.drop_guard() };
        let template = json!({"waba_ids": [1], "name": "visit_reminder", "language": "pt_BR", "category": "utility",
            "components": [{"type": "BODY", "text": "Olá {{1}}, esperamos você no dia {{2}} como combinado.",
                            "example": {"body_text": [["Ana", "12/5"]]}}]});
        let path = "/messaging/provider/workspace-templates";
        let created = counting.ask(reqwest::Method::POST, path, Some(&template)).await;
        assert!(created.to_string().contains("uuid"), "{created}");
        with_timeout("the review", async {
            while !counting.ask(reqwest::Method::GET, path, None).await.to_string().contains("APPROVED") {
                crate::webhooks::next_poll().await;
            }
        })
        .await;
        counting
    }

    async fn ask(&self, method: reqwest::Method, path: &str, body: Option<&Value>) -> Value {
        let request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(SECRET);
        let request = request.header("x-workspace-uuid", settings(&self.url).workspace_uuid);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        request.send().await.unwrap().json().await.unwrap()
    }

    /// Number of received send requests, and of accepted messages for each recipient.
    async fn counts(&self) -> (u64, BTreeMap<String, u64>) {
        let counts = self.ask(reqwest::Method::GET, "/sandbox/counts", None).await;
        let recipients = counts["recipients"].as_object().unwrap().iter();
        let messages = recipients.map(|(to, count)| (to.clone(), count["messages"].as_u64().unwrap()));
        (counts["total"]["requests"].as_u64().unwrap(), messages.collect())
    }

    async fn wait_for_count(&self, requests: u64) {
        let mut changes = self.sandbox.changes();
        with_timeout("the sends", async {
            while self.counts().await.0 < requests {
                changes.changed().await.unwrap();
            }
        })
        .await;
    }

    /// Adds random faults for the next sends. Returns their number.
    fn fail(&self, random: &mut StdRng) -> u32 {
        self.sandbox.clear_faults();
        let mut set = 0;
        let mut add = |answer, when, retry_after, one_in| {
            let every = Fault::of(vec![Operation::Send], answer);
            self.sandbox.add_fault(Fault { when, retry_after, times: Some(1), one_in, ..every }).unwrap();
            set += 1;
        };
        let cut = || FaultAnswer::Cut(Cut::Cut);
        for _ in 0..random.random_range(4..12) {
            let answer = match random.random_range(0..=INCONCLUSIVE.len()) {
                0 => cut(),
                nth => FaultAnswer::Status(INCONCLUSIVE[nth - 1]),
            };
            add(answer, When::After, None, Some(random.random_range(1..4)));
        }
        for _ in 0..random.random_range(0..3) {
            let (answer, retry_after) = match random.random_range(0..4) {
                0 => (FaultAnswer::Status(429), Some(0)),
                1 => (FaultAnswer::Status(503), Some(0)),
                2 => (FaultAnswer::Status(503), None),
                _ => (cut(), None),
            };
            add(answer, When::Before, retry_after, Some(random.random_range(2..8)));
        }
        set
    }
}

async fn with_faults(form: Form, seed: u64, rows: u32) -> Faulty {
    let mut random = StdRng::seed_from_u64(seed);
    let temp = TempDir::new().unwrap();
    let (folder, provider) = (temp.path().join("desk"), Counting::start().await);
    let id = planned(&folder, &provider.url, rows).await;
    let (mut faults, mut kills) = (0, 0);
    let mut command = format!("start-batch {}", json!({"batch": id, "skipBad": false}));
    loop {
        let (before, seen) = provider.counts().await;
        let wait_until_ended = seen.len() + LAST_ROWS >= rows as usize;
        let set = if wait_until_ended { 0 } else { provider.fail(&mut random) };
        let mut desk = Desk::start_in(form, &folder, None).await;
        let answer: Value = desk.ask(&command).await;
        if answer["state"] != "running" {
            // All remaining rows were sent before the kill, but the end was not recorded.
            assert!(answer.get("failed").is_some(), "{answer}");
            desk.close().await;
            break;
        }
        command = format!("resume-batch {}", json!({"batch": id}));
        if wait_until_ended {
            assert_eq!(desk.ask(&format!("batch-ends {id}")).await["state"], "done");
            desk.close().await;
            break;
        }
        // The first row is sent at once. How many follow depends on the answers: a batch pauses after a fault, and
        // stops after several.
        provider.wait_for_count(before + 1).await;
        let further = provider.wait_for_count(before + random.random_range(2..=12));
        let _killed_before = tokio::time::timeout(Duration::from_millis(random.random_range(1..400)), further).await;
        desk.kill().await;
        kills += 1;
        faults += set - u32::try_from(provider.sandbox.faults().len()).unwrap();
        provider.sandbox.clear_faults();
    }
    let (state, counts, states) = stored_state(&folder, &id).await;
    let (requests, messages) = provider.counts().await;
    assert!(messages.values().all(|times| *times <= 1), "no recipient twice");
    assert_eq!((state.as_str(), counts.planned, counts.sending), ("done", 0, 0), "{counts:?}");
    assert_eq!(counts.accepted + counts.unknown + counts.refused, rows, "no recipient missing: {counts:?}");
    for (recipient, state) in &states {
        let taken = messages.get(recipient).is_some_and(|times| *times == 1);
        match state.as_str() {
            "accepted" => assert!(taken, "{recipient} is accepted and was not taken"),
            "refused" => assert!(!taken, "{recipient} is refused and was taken"),
            other => assert_eq!(other, "unknown"),
        }
    }
    Faulty {
        faults,
        kills,
        requests,
        messages: messages.values().sum(),
        unknown: counts.unknown,
        refused: counts.refused,
    }
}
