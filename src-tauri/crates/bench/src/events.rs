//! One million events, and ten million with `--full`: rate of ingestion, size, and latency of the lists.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use app::SANDBOX_ID;
use command_types::activity::EventQuery;
use store::cache::{Effect, ProjectedItem, StatusEffect};
use store::{Cache, DataFolder};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::backlog;
use crate::options::Options;
use crate::serve::desk;
use crate::signed::{Bodies, MESSAGES_PER_SECOND, START_SECONDS};
use crate::table::{Goal, Table, median, p99, ratios};

const BASELINE_EVENTS: u64 = 100_000;
/// Events per transaction.
const BATCH_EVENTS: u64 = 1_000;
/// Number of requests for each list in a round.
const REQUESTS_PER_ROUND: usize = 200;

/// Selects the values of one list.
type Values = fn(&Lists) -> &Vec<f64>;

/// The 99th percentiles of lists, in milliseconds, by round.
#[derive(Debug, Default)]
struct Lists {
    timeline: Vec<f64>,
    newest: Vec<f64>,
    failed: Vec<f64>,
    anywhere: Vec<f64>,
    totals: Vec<f64>,
}

pub(crate) fn measure(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    if !options.includes_any(&["P12", "P13", "P14"]) {
        return Ok(());
    }
    let events: u64 = if options.full { 10_000_000 } else { 1_000_000 };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let small = if options.includes("P12") {
        // In a separate folder: a core treats a file that changed while it was closed as damaged.
        let folder = tempfile::tempdir_in(folder)?;
        fill(&runtime, folder.path(), BASELINE_EVENTS)?;
        Some(lists(&runtime, options, folder.path(), BASELINE_EVENTS)?)
    } else {
        None
    };
    let folder = tempfile::tempdir_in(folder)?;
    let rates = fill(&runtime, folder.path(), events)?;
    if options.includes("P13") {
        table.add("P13", "import into the cache", Goal::AtLeast(50_000.0), "/s", rates, format!("{events} events"));
        let size = |path: &Path| -> anyhow::Result<f64> { Ok(path.metadata()?.len() as f64 / events as f64) };
        let (cache, delivery_log) = (folder.path().join("cache.sqlite"), DataFolder::delivery_log_in(folder.path()));
        let note = format!("besides {:.0} bytes of the delivery in the delivery log", size(&delivery_log)?);
        table.add("P13", "bytes of an event in the cache", Goal::AtMost(160.0), "B", vec![size(&cache)?], note);
    }
    if let Some(small) = small {
        compare(&small, &lists(&runtime, options, folder.path(), events)?, events, table);
    }
    if options.includes("P14") {
        start(&runtime, options, folder.path(), events, table)?;
    }
    Ok(())
}

/// Fills a data folder: deliveries go to the delivery log, and their events to the cache. Returns the number of events
/// that the cache stored per second, for each tenth of the total.
fn fill(runtime: &Runtime, folder: &Path, events: u64) -> anyhow::Result<Vec<f64>> {
    let bodies = Bodies::new(0);
    let write = |number: u64, body: &mut String| bodies.write_status(number / 3, status(number), body);
    let log_id = backlog::store(folder, 0..events, write)?;
    let folder = DataFolder::lock(folder)?;
    let cache = Cache::open(&folder.cache());
    let mut body = String::new();
    let mut done = 0;
    let mut rates = Vec::new();
    for tenth in 1..=10 {
        let mut seconds = 0.0;
        let before = done;
        while done < events * tenth / 10 {
            let end = (done + BATCH_EVENTS).min(events * tenth / 10);
            let items = (done..end).map(|number| {
                write(number, &mut body);
                item(number, &body)
            });
            let items = items.collect::<anyhow::Result<Vec<_>>>()?;
            let started = Instant::now();
            runtime.block_on(cache.apply(&log_id, i64::try_from(done)?, i64::try_from(end)?, items))?;
            seconds += started.elapsed().as_secs_f64();
            done = end;
        }
        rates.push((done - before) as f64 / seconds);
    }
    Ok(rates)
}

/// Three statuses for each message; one message in fifty fails.
fn status(number: u64) -> &'static str {
    match number % 3 {
        0 => "sent",
        1 => "delivered",
        _ if (number / 3).is_multiple_of(50) => "failed",
        _ => "read",
    }
}

/// The item of the delivery with this number, as the projector would store it.
fn item(number: u64, body: &str) -> anyhow::Result<ProjectedItem> {
    let item = model::item::items(body.as_bytes()).pop().ok_or_else(|| anyhow::anyhow!("nothing is in {body}"))?;
    let message_id = body.split("wamid.").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    let message_id = format!("wamid.{message_id}");
    let at = i64::try_from(START_SECONDS + number / 3 / MESSAGES_PER_SECOND)? * 1_000;
    Ok(ProjectedItem {
        seq: i64::try_from(number)? + 1,
        received_at: at,
        route: SANDBOX_ID.to_owned(),
        key: item.key,
        kind: item.kind.as_str().to_owned(),
        field: item.field,
        entry_id: item.entry_id,
        at,
        message_id: Some(message_id.clone()),
        contact: Some("16505551234".to_owned()),
        number_id: Some("106540352242922".to_owned()),
        status: Some(status(number).to_owned()),
        value: item.value.get().to_owned(),
        effect: Effect::Status(StatusEffect {
            message_id,
            status: status(number).to_owned(),
            at,
            recipient: Some("16505551234".to_owned()),
            pricing: Some(r#"{"billable":true,"pricing_model":"CBP","category":"utility"}"#.to_owned()),
            conversation: Some(r#"{"id":"6ceb9d929c9bdc4f90967a32f8639b02","origin":{"type":"utility"}}"#.to_owned()),
            ..StatusEffect::default()
        }),
        ..ProjectedItem::default()
    })
}

/// Runs a future and measures its duration in milliseconds.
fn time_of<T, E: Into<anyhow::Error>>(
    runtime: &Runtime,
    work: impl Future<Output = Result<T, E>>,
) -> anyhow::Result<f64> {
    let started = Instant::now();
    black_box(runtime.block_on(work).map_err(Into::into)?);
    Ok(started.elapsed().as_secs_f64() * 1_000.0)
}

fn lists(runtime: &Runtime, options: &Options, folder: &Path, events: u64) -> anyhow::Result<Lists> {
    let mut lists = Lists::default();
    messages(runtime, options, folder, events, &mut lists)?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    let core = runtime.block_on(desk::open(folder, listener))?;
    anyhow::ensure!(runtime.block_on(desk::backlog_size(&core))? == 0, "the cache is not what the delivery log says");
    let newest = EventQuery { limit: 100, ..EventQuery::default() };
    let failed = EventQuery { status: Some("failed".to_owned()), ..newest.clone() };
    // Cursors of pages throughout the list.
    let mut places = vec![None];
    let mut walk = EventQuery { limit: 500, ..EventQuery::default() };
    while let Some(next) = runtime.block_on(core.webhooks.list_events(walk.clone()))?.next {
        walk.after = Some(next);
        places.push(walk.after.clone());
    }
    anyhow::ensure!(places.len() as u64 >= events / 500, "the list ended at page {}", places.len());
    let page = |query: &EventQuery| time_of(runtime, core.webhooks.list_events(query.clone()));
    for round in 0..=options.rounds {
        let times = |query: &dyn Fn(usize) -> EventQuery| -> anyhow::Result<f64> {
            Ok(p99((0..REQUESTS_PER_ROUND).map(|time| page(&query(time))).collect::<anyhow::Result<_>>()?))
        };
        let anywhere = |time: usize| {
            let place = (time * 7_919 + round * 104_729) % places.len();
            EventQuery { after: places[place].clone(), ..newest.clone() }
        };
        let found = (times(&|_| newest.clone())?, times(&|_| failed.clone())?, times(&anywhere)?);
        // The first round reads from disk what the later ones find in memory.
        if round > 0 {
            lists.newest.push(found.0);
            lists.failed.push(found.1);
            lists.anywhere.push(found.2);
        }
    }
    runtime.block_on(core.close());
    Ok(lists)
}

/// Queries that only the cache answers.
fn messages(runtime: &Runtime, options: &Options, folder: &Path, events: u64, lists: &mut Lists) -> anyhow::Result<()> {
    let folder = DataFolder::lock(folder)?;
    let cache = Cache::open(&folder.cache());
    let connection = rusqlite::Connection::open(folder.cache())?;
    let mut ids = connection.prepare("SELECT message_id FROM message LIMIT 1 OFFSET ?1")?;
    let ids: Vec<String> =
        (0..20).map(|place| ids.query_row([events / 3 * place / 20], |row| row.get(0))).collect::<Result<_, _>>()?;
    for round in 0..=options.rounds {
        let mut timeline = Vec::with_capacity(REQUESTS_PER_ROUND);
        let mut totals = Vec::with_capacity(REQUESTS_PER_ROUND);
        for time in 0..REQUESTS_PER_ROUND {
            timeline.push(time_of(runtime, cache.message_state(SANDBOX_ID, &ids[time % ids.len()]))?);
            totals.push(time_of(runtime, cache.totals(Some(SANDBOX_ID)))?);
        }
        if round > 0 {
            lists.timeline.push(p99(timeline));
            lists.totals.push(p99(totals));
        }
    }
    Ok(())
}

fn compare(small: &Lists, large: &Lists, events: u64, table: &mut Table) {
    let lines: [(&str, Values); 5] = [
        ("what became of a message, p99", |lists| &lists.timeline),
        ("newest 100 events, p99", |lists| &lists.newest),
        ("newest 100 that failed, p99", |lists| &lists.failed),
        ("100 events anywhere, p99", |lists| &lists.anywhere),
        ("numbers of events by kind and status, p99", |lists| &lists.totals),
    ];
    let millions = events / 1_000_000;
    for (what, values) in lines {
        table.add("P12", format!("{millions} M events: {what}"), Goal::AtMost(1.0), "ms", values(large).clone(), "");
    }
    for (what, values) in lines {
        let note = format!("{:.2} of {:.2} ms", median(values(large)), median(values(small)));
        let ratio = ratios(values(large), values(small));
        table.add("P12", format!("{millions} M / 100,000: {what}"), Goal::AtMost(3.0), "", ratio, note);
    }
}

/// Time from a cold start to the first page, minus the same on an empty folder.
fn start(runtime: &Runtime, options: &Options, folder: &Path, events: u64, table: &mut Table) -> anyhow::Result<()> {
    let empty = tempfile::tempdir()?;
    let open = |folder: &Path| -> anyhow::Result<f64> {
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let started = Instant::now();
        let core = runtime.block_on(desk::open(folder, listener))?;
        let page = EventQuery { limit: 100, ..EventQuery::default() };
        black_box(runtime.block_on(core.webhooks.list_events(page))?);
        let took = started.elapsed().as_secs_f64() * 1_000.0;
        runtime.block_on(core.close());
        Ok(took)
    };
    // The first time creates the files.
    open(empty.path())?;
    let (mut more, mut alone) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let (full, base) = (open(folder)?, open(empty.path())?);
        more.push(full - base);
        alone.push(base);
    }
    let note = format!("{events} events; empty: {:.1} ms", median(&alone));
    table.add("P14", "start to first page, more than on an empty folder", Goal::AtMost(50.0), "ms", more, note);
    Ok(())
}
