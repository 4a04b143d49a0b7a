//! R3 and R4: deliveries repeated, shuffled, batched and cut off, and statuses in every order, also before the answer
//! to their send.

use std::path::Path;

use app::webhook_path;
use command_types::Nothing;
use command_types::receiver::ReceiverState;
use command_types::send::{SendId, SendOptions, SendRequest};
use command_types::workspace::WorkspaceId;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rusqlite::types::Value as Cell;
use serde_json::{Value, json};
use store::delivery_log::NewDelivery;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

use super::Form;
use super::check;
use super::desk::{Desk, TestFolder, WORKSPACE, seed_folder, with_timeout};
use super::events;
use super::in_process::{open, wait_for_projection};
use super::load::{Connection, Ledger, Senders, Signer};

/// State that does not depend on the time of delivery. Events without a timestamp get the time of their arrival.
const STATE: [(&str, &str); 9] = [
    (
        "cache.sqlite",
        "SELECT kind, field, message_id, contact, number_id, status, template_name, template_id, text,
                CASE WHEN kind IN ('status', 'message') THEN at END FROM item JOIN class ON class.id = item.class",
    ),
    (
        "cache.sqlite",
        "SELECT message_id, recipient, tracking_id, callback_data, status, status_at, failed_at, error, pricing,
                conversation, first_at, last_at,
                (SELECT json_group_array(value ->> 0 || ' ' || (value ->> 1) || coalesce(value ->> 3, ''))
                 FROM json_each(reports)) FROM message",
    ),
    ("cache.sqlite", "SELECT contact, at, message_id, kind, text FROM inbound"),
    // Not the last text: of messages of one second, the last to arrive is the last.
    ("cache.sqlite", "SELECT contact, number_id, name, last_at, unread FROM contact"),
    ("cache.sqlite", "SELECT name, language_key, channel_id, event FROM template_event"),
    (
        "cache.sqlite",
        "SELECT kind, status, sum(counter.n) FROM counter JOIN class ON class.id = class GROUP BY kind, status",
    ),
    ("desk.sqlite", "SELECT id, status, status_at FROM send"),
    ("desk.sqlite", "SELECT send_id, status, at, error FROM send_outcome"),
    ("desk.sqlite", "SELECT template_name, language, event FROM template_event"),
];

/// The state of a data folder, sorted.
pub(super) fn state(folder: &Path) -> Vec<Vec<String>> {
    let read = |(file, sql): &(&str, &str)| {
        let file = check::open(&folder.join(file));
        let mut statement = file.prepare(sql).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let cells: Vec<Cell> = (0..columns).map(|column| row.get(column)).collect::<Result<_, _>>()?;
            Ok(format!("{cells:?}"))
        });
        let mut rows: Vec<String> = rows.unwrap().map(Result::unwrap).collect();
        rows.sort();
        rows
    };
    STATE.iter().map(read).collect()
}

/// Returns the first row that differs.
pub(super) fn difference(left: &[Vec<String>], right: &[Vec<String>]) -> Option<String> {
    for ((left, right), (_, sql)) in left.iter().zip(right).zip(STATE) {
        let only = |of: &[String], not: &[String]| of.iter().find(|row| not.binary_search(row).is_err()).cloned();
        if left != right {
            return Some(format!("{sql}: {:?} against {:?}", only(left, right), only(right, left)));
        }
    }
    None
}

/// Appends deliveries to the delivery log of a closed folder.
async fn append(folder: &Path, deliveries: impl IntoIterator<Item = Vec<u64>>) {
    let delivery_log = store::DeliveryLog::open(&store::DataFolder::delivery_log_in(folder)).unwrap();
    let mut waiting = Vec::new();
    for numbers in deliveries {
        waiting.push(delivery_log.append(NewDelivery {
            received_at: 1_700_000_000_000,
            route: WORKSPACE.to_owned(),
            headers: Vec::new(),
            body: events::batch(&numbers).into(),
        }));
        if waiting.len() == 1_000 {
            for stored in waiting.drain(..) {
                stored.await.unwrap();
            }
        }
    }
    for stored in waiting {
        stored.await.unwrap();
    }
}

/// R3 as a property: any batches of any repetition in any order over any restarts lead to the same state as each event
/// alone, in order and once.
fn property(runtime: &tokio::runtime::Handle, cases: u32) {
    let batch = prop::collection::vec(0..64_u64, 1..5);
    let deliveries = prop::collection::vec((batch, 1..=5_usize), 1..24);
    let strategy = (deliveries, any::<u64>(), 0..3_usize);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&strategy, |(deliveries, seed, restarts)| {
        let mut plan: Vec<Vec<u64>> = Vec::new();
        for (batch, times) in &deliveries {
            plan.extend(std::iter::repeat_n(batch.clone(), *times));
        }
        let mut numbers: Vec<u64> = plan.concat();
        numbers.sort_unstable();
        numbers.dedup();
        plan.shuffle(&mut StdRng::seed_from_u64(seed));
        let found = runtime.block_on(async {
            let place = TestFolder::new().await;
            for part in plan.chunks(plan.len().div_ceil(restarts + 1)) {
                append(&place.folder(), part.to_vec()).await;
                let core = open(&place.folder()).await;
                wait_for_projection(&core).await;
                core.close().await;
            }
            let single = TestFolder::new().await;
            append(&single.folder(), numbers.into_iter().map(|number| vec![number])).await;
            let core = open(&single.folder()).await;
            wait_for_projection(&core).await;
            core.close().await;
            difference(&state(&place.folder()), &state(&single.folder()))
        });
        found.map_or(Ok(()), |difference| Err(TestCaseError::fail(difference)))
    });
    outcome.unwrap_or_else(|error| panic!("R3: {error}"));
}

/// R3: each event 1 to 5 times, shuffled, over many connections, across kills.
pub(super) async fn repeated(form: Form) {
    let cases = u32::try_from(form.rounds(6, 500)).unwrap();
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || property(&runtime, cases)).await.unwrap();

    let mut random = StdRng::seed_from_u64(3);
    let events = form.pick(400, 200 * u64::from(cases));
    let mut plan: Vec<u64> = Vec::new();
    for number in 0..events {
        plan.extend(std::iter::repeat_n(number, random.random_range(1..=5)));
    }
    plan.shuffle(&mut random);
    let deliveries = plan.len() as u64;
    let place = TestFolder::new().await;
    let ledger = Ledger::of(plan);
    let kills = form.pick(3, 20);
    for kill in 1..=kills {
        let desk = Desk::start(&place.folder(), None).await;
        let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), 32);
        with_timeout("sending", ledger.wait_for_acknowledged(deliveries * kill / (kills + 1))).await;
        desk.kill().await;
        senders.stop().await;
    }
    let desk = Desk::start(&place.folder(), None).await;
    let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), 32);
    with_timeout("sending", ledger.wait_for_acknowledged(deliveries)).await;
    senders.stop().await;
    desk.kill().await;
    let verdict = super::crash::inspect(&place, &ledger).await;

    let single = TestFolder::new().await;
    append(&single.folder(), (0..events).map(|number| vec![number])).await;
    let mut desk = Desk::start(&single.folder(), None).await;
    desk.wait_for_projection().await;
    desk.close().await;
    let difference = difference(&state(&place.folder()), &state(&single.folder()));
    println!(
        "R3 cases={cases} events={events} deliveries={deliveries} kills={kills} acknowledged={} lost={} double={}",
        ledger.count(),
        verdict.lost,
        verdict.double
    );
    assert_eq!(difference, None, "R3");
    verdict.assert_clean("R3");
}

/// A send received by the provider, and the sender of its answer.
type Held = (Value, oneshot::Sender<String>);

/// A provider with one template that holds its answers to sends.
async fn provider() -> (String, mpsc::UnboundedReceiver<Held>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, held) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((peer, _)) = listener.accept().await {
            let sender = sender.clone();
            tokio::spawn(async move { serve(peer, sender).await });
        }
    });
    (address, held)
}

async fn serve(mut peer: TcpStream, sends: mpsc::UnboundedSender<Held>) -> Option<()> {
    let mut read = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            (peer.read_buf(&mut read).await.ok()? > 0).then_some(())?;
        };
        let head = String::from_utf8(read.drain(..end).collect()).ok()?.to_ascii_lowercase();
        let length = head.split("\r\ncontent-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        let length: usize = length.map_or(0, |length| length.parse().unwrap());
        while read.len() < length {
            (peer.read_buf(&mut read).await.ok()? > 0).then_some(())?;
        }
        let body: Vec<u8> = read.drain(..length).collect();
        let answer = if head.starts_with("post") {
            let (answer, answered) = oneshot::channel();
            sends.send((serde_json::from_slice(&body).unwrap(), answer)).ok()?;
            json!({"messages": [{"id": answered.await.ok()?}]})
        } else {
            json!({"data": [{"uuid": "11111111-0000-4000-8000-000000000001", "name": "hello", "language": "en_US",
                "category": "utility", "status": "APPROVED", "components": [{"type": "BODY", "text": "Hello"}]}]})
        }
        .to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", answer.len());
        peer.write_all(format!("{head}{answer}").as_bytes()).await.ok()?;
    }
}

/// Every order of the four statuses.
fn orders() -> Vec<[&'static str; 4]> {
    const WORDS: [&str; 4] = ["sent", "delivered", "read", "failed"];
    let mut orders = Vec::new();
    for code in 0..256_usize {
        let places = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
        if (0..4).all(|word| places.contains(&word)) {
            orders.push(places.map(|place| WORDS[place]));
        }
    }
    orders
}

/// R4: all orders, with repeats, before the send's answer, after it, or on both sides of it, with and without our
/// tracking identifier.
pub(super) async fn every_order(_form: Form) {
    let (address, mut held) = provider().await;
    let place = tempfile::TempDir::new().unwrap();
    let folder = place.path().join("desk");
    seed_folder(&folder, &address).await;
    let core = open(&folder).await;
    core.templates.refresh_templates(WorkspaceId { workspace: WORKSPACE.to_owned() }).await.unwrap();
    let hook = loop {
        match core.startup.get_bootstrap(Nothing {}).await.unwrap().receiver {
            ReceiverState::Listening { address, .. } => break address.parse().unwrap(),
            _ => crate::webhooks::next_poll().await,
        }
    };
    let signer = Signer::new(&webhook_path(WORKSPACE));
    let mut connection = Connection::connect(hook).await;
    let orders = orders();
    assert_eq!(orders.len(), 24);
    let mut sends = 0;
    for (order, track, before) in orders.iter().flat_map(|order| {
        // Number of statuses before the answer; the repeats of each are sent with the next.
        [(order, true, 0), (order, true, 2), (order, true, 4), (order, false, 0), (order, false, 2), (order, false, 4)]
    }) {
        sends += 1;
        let message = format!("wamid.order.{sends}");
        let request = SendRequest {
            answers: None,
            known_category: None,
            workspace: WORKSPACE.to_owned(),
            reference: "11111111-0000-4000-8000-000000000001".to_owned(),
            number: "100200300".to_owned(),
            to: "5511987654321".to_owned(),
            country: None,
            values: Default::default(),
            // The same message each time.
            options: SendOptions { track, overrides: vec!["to.sameMessage".to_owned()], ..SendOptions::default() },
        };
        let sending = {
            let core = core.clone();
            tokio::spawn(async move { core.messaging.send_template(request).await })
        };
        let (payload, answer) = with_timeout("the send", held.recv()).await.unwrap();
        let callback = &payload["biz_opaque_callback_data"];
        assert_eq!(callback.is_string(), track);
        let mut answer = Some(answer);
        for place in 0..order.len() {
            if place == before {
                answer.take().unwrap().send(message.clone()).unwrap();
            }
            for repeated in order[..=place].iter().rev() {
                let body = status(&message, repeated, callback);
                assert_eq!(
                    with_timeout("a status", connection.exchange(&signer.request(body.as_bytes()))).await.unwrap(),
                    200
                );
            }
            // Received statuses are applied before the answer: the hardest order.
            wait_for_projection(&core).await;
        }
        if let Some(answer) = answer.take() {
            answer.send(message.clone()).unwrap();
        }
        let sent = with_timeout("the answer", sending).await.unwrap().unwrap();
        let detail = core.messaging.get_send(SendId { send: sent.id }).await.unwrap();
        let timeline: Vec<_> = detail.timeline.iter().map(|entry| (entry.status.as_str(), entry.at)).collect();
        let expected = [("sent", 1_000), ("delivered", 2_000), ("read", 3_000), ("failed", 4_000)];
        assert_eq!(timeline, expected, "{order:?} track={track} before={before}");
        assert_eq!(detail.row.state.as_str(), "read", "{order:?} track={track} before={before}");
        assert_eq!(detail.message_id.as_deref(), Some(message.as_str()));
    }
    core.close().await;
    let cache = check::open(&folder.join("cache.sqlite"));
    let count = |sql: &str| cache.query_row(sql, [], |row| row.get::<_, u64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM message WHERE status = 'read' AND failed_at = 4000"), sends);
    assert_eq!(count("SELECT sum(n) FROM class WHERE kind = 'status'"), 4 * sends);
    println!("R4 orders={} sends={sends} different=0", orders.len());
}

fn status(message: &str, word: &str, callback: &Value) -> String {
    let at = ["sent", "delivered", "read", "failed"].iter().position(|stored_state| *stored_state == word).unwrap() + 1;
    let mut status =
        json!({"id": message, "status": word, "timestamp": at.to_string(), "recipient_id": "5511987654321"});
    if callback.is_string() {
        status["biz_opaque_callback_data"] = callback.clone();
    }
    if word == "failed" {
        status["errors"] = json!([{"code": 131_026, "title": "Message undeliverable"}]);
    }
    json!({"object": "messaging_business_account", "entry": [{"id": "1", "changes": [{"field": "messages", "value": {
        "messaging_product": "messaging", "metadata": {"phone_number_id": "100200300"}, "statuses": [status]}}]}]})
    .to_string()
}
