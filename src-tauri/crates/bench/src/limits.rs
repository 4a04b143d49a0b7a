//! Input far larger than the provider usually sends: its cost stays bounded.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use model::diff::changes;
use model::item::items;
use model::lint::{LintContext, inspect};
use model::render::{Fill, render};
use model::template::Template;
use serde_json::{Value, json};
use store::DataFolder;

use crate::backlog;
use crate::child::Child;
use crate::options::Options;
use crate::serve::Mode;
use crate::table::{Goal, Table};

const ROW: &str = "P17";
const MIB: f64 = 1_048_576.0;

pub(crate) fn measure(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    if !options.includes(ROW) {
        return Ok(());
    }
    texts(options, table)?;
    messages(options, folder, table)?;
    statuses(options, folder, table)
}

/// Rules, bubble and comparison of one long text.
fn texts(options: &Options, table: &mut Table) -> anyhow::Result<()> {
    const LARGE: usize = 4 << 20;
    let small = "x{{1}}".repeat(5_000);
    let named: String = (0..LARGE / 20).map(|n| format!("{{{{a_{n}}}}} and ")).collect();
    for (what, text, goal) in [
        ("30 KB of `x{{1}}`", small, 20.0),
        ("4 MB of `x{{1}}`", "x{{1}}".repeat(LARGE / 6), 1_000.0),
        ("4 MB of names", named, 1_000.0),
        ("4 MB of `{{`", "{{".repeat(LARGE / 2), 1_000.0),
        ("4 MB of `*_~`", "*_~a ".repeat(LARGE / 5), 1_000.0),
        ("4 MB of line breaks", "a\n".repeat(LARGE / 2), 1_000.0),
    ] {
        let template = |text: &str| -> serde_json::Result<Template> {
            let body = json!({"type": "BODY", "text": text, "example": {"body_text": [["Ana"]]}});
            let fields = json!({"name": "n", "language": "en_US", "category": "marketing", "components": [body]});
            serde_json::from_value(fields)
        };
        let (before, after) = (template(&text)?, template(&format!("{text}."))?);
        let mut took = Vec::new();
        for _ in 0..options.rounds {
            let started = Instant::now();
            black_box(inspect(black_box(&after), &LintContext::default()));
            black_box(render(black_box(&after), &Fill::default()));
            black_box(changes(black_box(&before), black_box(&after)));
            took.push(started.elapsed().as_secs_f64() * 1e3);
        }
        table.add(ROW, format!("{what}: rules, phone and differences"), Goal::AtMost(goal), "ms", took, "");
    }
    Ok(())
}

/// Fifty deliveries with a thousand messages and contacts each.
fn messages(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    const EACH: u64 = 1_000;
    let write = |number: u64, body: &mut String| {
        let people = number * EACH..(number + 1) * EACH;
        let person = |n: u64| format!("55119{n:08}");
        let contact = |n: u64| json!({"wa_id": person(n), "profile": {"name": format!("Person number {n}")}});
        let message = |n: u64| {
            json!({"id": format!("wamid.{n:040}"), "from": person(n), "timestamp": "1760000000", "type": "text",
                "text": {"body": format!("Message {n}: when does my order arrive? {}", "Thank you! ".repeat(8))}})
        };
        let contacts: Vec<Value> = people.clone().map(contact).collect();
        let messages: Vec<Value> = people.map(message).collect();
        *body = envelope(json!({"contacts": contacts, "messages": messages}));
    };
    let mut body = String::new();
    write(0, &mut body);
    let carried: usize = items(body.as_bytes()).iter().map(|item| item.value.get().len()).sum();
    let ratio = carried as f64 / body.len() as f64;
    table.add(ROW, "bytes of all items / bytes of their delivery", Goal::AtMost(3.0), "", vec![ratio], "");
    let (mut took, mut memory, mut log) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds.min(3) {
        let folder = tempfile::tempdir_in(folder)?;
        backlog::store(folder.path(), 0..50, write)?;
        let measured = project(folder.path())?;
        took.push(measured.seconds);
        memory.extend(measured.peak);
        log.push(measured.log);
    }
    let note = format!("{:.1} MB", body.len() as f64 * 50.0 / 1e6);
    table.add(ROW, "50 deliveries of 1,000 messages and contacts", Goal::AtMost(10.0), "s", took, note.clone());
    table.add(ROW, "50 deliveries: highest memory of the process", Goal::AtMost(300.0), "MiB", memory, note.clone());
    table.add(ROW, "50 deliveries: write-ahead log of the cache", Goal::AtMost(128.0), "MiB", log, note);
    Ok(())
}

/// One delivery with twenty thousand statuses of one message.
fn statuses(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    let words = ["sent", "delivered", "read", "warning"];
    let write = |_: u64, body: &mut String| {
        let status = |n: usize| json!({"id": "wamid.one", "status": words[n % 4], "timestamp": n.to_string()});
        let statuses: Vec<Value> = (0..20_000).map(status).collect();
        *body = envelope(json!({"statuses": statuses}));
    };
    let (mut idle, mut took) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds.min(3) {
        let folder = tempfile::tempdir_in(folder)?;
        idle.push(project(folder.path())?.seconds);
        backlog::store(folder.path(), 0..1, write)?;
        took.push(project(folder.path())?.seconds);
    }
    let net = took.iter().zip(&idle).map(|(took, idle)| took - idle).collect();
    let note = format!("without the start of the process, {:.2} s", crate::table::median(&idle));
    table.add(ROW, "a delivery of 20,000 statuses of one message", Goal::AtMost(1.0), "s", net, note);
    Ok(())
}

fn envelope(value: Value) -> String {
    let mut value = value;
    value["metadata"] = json!({"display_phone_number": "551130000000", "phone_number_id": "106540352242922"});
    let change = json!({"field": "messages", "value": value});
    json!({"object": "messaging_business_account", "entry": [{"id": "102", "changes": [change]}]}).to_string()
}

struct Measured {
    seconds: f64,
    /// MiB; `None` if the system does not report it.
    peak: Option<f64>,
    /// MiB.
    log: f64,
}

/// Projects a folder's delivery log from the start in a separate process.
fn project(folder: &Path) -> anyhow::Result<Measured> {
    let started = Instant::now();
    let mut server = Child::start(Mode::Desk, folder)?;
    server.wait_for_projection()?;
    let seconds = started.elapsed().as_secs_f64();
    let peak = server.memory().map(|(_, peak)| peak);
    let log = DataFolder::delivery_log_in(folder).with_file_name("cache.sqlite-wal");
    let log = log.metadata().map_or(0, |log| log.len()) as f64 / MIB;
    server.stop()?;
    Ok(Measured { seconds, peak, log })
}
