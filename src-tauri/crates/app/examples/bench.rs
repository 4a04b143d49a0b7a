//! Measures, each as a ratio against a baseline of the same run: what a machine is worth falls out of it.
//!
//! Prints one line a measure. Files are written to a temporary folder, so `TMPDIR` decides which disk is measured.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use model::lint::{LintContext, inspect};
use model::render::{Fill, render};
use model::template::Template;
use serde_json::json;
use store::cache::{CachedTemplate, TemplateFilter, TemplateRow};
use store::inbox::NewDelivery;
use store::{Cache, Inbox};

/// How often a measure is repeated; the median counts.
const ROUNDS: usize = 5;
/// Templates of the workspace that is listed and searched.
const TEMPLATES: usize = 100_000;
/// Deliveries of one round.
const DELIVERIES: usize = 2_000;
/// Deliveries that wait for the disk at the same time.
const TOGETHER: usize = 64;
const WORKSPACE: &str = "bench";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    println!("{:<44} {:>12} {:>12} {:>8}", "measure", "this", "baseline", "ratio");
    keystroke()?;
    let folder = tempfile::tempdir()?;
    ingest(folder.path()).await?;
    lists(folder.path()).await
}

fn print(name: &str, this: Duration, baseline: Duration) {
    let ratio = this.as_secs_f64() / baseline.as_secs_f64();
    println!("{name:<44} {:>12} {:>12} {ratio:>8.2}", format!("{this:.1?}"), format!("{baseline:.1?}"));
}

/// The median of some rounds, each the time of one `run`.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Findings and bubble of a full template, against reading and writing its JSON, which every keystroke does anyway.
fn keystroke() -> anyhow::Result<()> {
    const TIMES: u32 = 2_000;
    let text = "Hello *{{1}}*, your order _{{2}}_ leaves ~today~ tomorrow.\nThank you for waiting. ".repeat(8);
    let cards: Vec<_> = (0..10)
        .map(|card| {
            json!({"components": [
                {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
                {"type": "BODY", "text": format!("Card {card} for {{{{1}}}}, only now."), "example": {"body_text": [["Ana"]]}},
                {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}, {"type": "URL", "text": "Buy", "url": "https://example.com/{{1}}", "example": ["1"]}]}
            ]})
        })
        .collect();
    let template: Template = serde_json::from_value(json!({
        "name": "order_update", "language": "en_US", "category": "marketing",
        "components": [
            {"type": "BODY", "text": text, "example": {"body_text": [["Ana", "42"]]}},
            {"type": "CAROUSEL", "cards": cards}
        ]
    }))?;
    let json = serde_json::to_string(&template)?;
    let (context, fill) = (LintContext::default(), Fill::default());
    let mut rules = Vec::new();
    let mut baseline = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        for _ in 0..TIMES {
            black_box(inspect(black_box(&template), &context));
            black_box(render(black_box(&template), &fill));
        }
        rules.push(started.elapsed() / TIMES);
        let started = Instant::now();
        for _ in 0..TIMES {
            let read: Template = serde_json::from_str(black_box(&json))?;
            black_box(serde_json::to_string(&read)?);
        }
        baseline.push(started.elapsed() / TIMES);
    }
    print("keystroke: rules and phone / JSON there and back", median(rules), median(baseline));
    Ok(())
}

/// A delivery that shares its commit with others, against one that waits for a commit of its own.
async fn ingest(folder: &std::path::Path) -> anyhow::Result<()> {
    let path = folder.join("inbox.sqlite");
    let inbox = tokio::task::spawn_blocking(move || Inbox::open(&path)).await??;
    let body = bytes_of(700);
    let delivery = || NewDelivery {
        received_at: 1_700_000_000_000,
        route: WORKSPACE.to_owned(),
        headers: Vec::new(),
        body: body.clone().into(),
    };
    let alone = DELIVERIES / 10;
    let mut grouped = Vec::new();
    let mut single = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let mut waiting = std::collections::VecDeque::new();
        for _ in 0..DELIVERIES {
            if waiting.len() == TOGETHER
                && let Some(first) = waiting.pop_front()
            {
                stored(first).await?;
            }
            waiting.push_back(inbox.append(delivery()));
        }
        for last in waiting {
            stored(last).await?;
        }
        grouped.push(started.elapsed() / u32::try_from(DELIVERIES)?);
        let started = Instant::now();
        for _ in 0..alone {
            stored(inbox.append(delivery())).await?;
        }
        single.push(started.elapsed() / u32::try_from(alone)?);
    }
    print("inbox: a delivery of 64 / one at a time", median(grouped), median(single));
    Ok(())
}

async fn stored(append: impl Future<Output = Result<i64, store::inbox::InboxError>>) -> anyhow::Result<()> {
    append.await.map(drop).map_err(|error| anyhow::anyhow!("{error:?}")).context("a delivery was not stored")
}

fn bytes_of(length: usize) -> Vec<u8> {
    let mut body = br#"{"object":"messaging_business_account","entry":[],"padding":""#.to_vec();
    body.resize(length - 2, b'x');
    body.extend_from_slice(b"\"}");
    body
}

/// Search as you type and a page far down, against the first page.
async fn lists(folder: &std::path::Path) -> anyhow::Result<()> {
    let path = folder.join("cache.sqlite");
    let cache = tokio::task::spawn_blocking(move || Cache::open(&path)).await?;
    cache.replace_listing(WORKSPACE, (0..TEMPLATES).map(template).collect(), 1).await?;
    let page = |search: Option<&str>, after: Option<String>| TemplateFilter {
        workspace_id: WORKSPACE.to_owned(),
        search: search.map(str::to_owned),
        after,
        limit: 100,
        ..TemplateFilter::default()
    };
    let mut after = None;
    for _ in 0..TEMPLATES / 200 {
        after = cache.templates(page(None, after)).await?.next;
    }
    anyhow::ensure!(after.is_some(), "the list ended before its middle");
    let time = async |filter: TemplateFilter| -> anyhow::Result<Duration> {
        const TIMES: u32 = 50;
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let started = Instant::now();
            for _ in 0..TIMES {
                black_box(cache.templates(filter.clone()).await?);
            }
            times.push(started.elapsed() / TIMES);
        }
        Ok(median(times))
    };
    let first = time(page(None, None)).await?;
    print("100,000 templates: a page in the middle / first", time(page(None, after)).await?, first);
    print("100,000 templates: search \"ord\" / first page", time(page(Some("ord"), None)).await?, first);
    print("100,000 templates: search \"order 77\" / first page", time(page(Some("order 77"), None)).await?, first);
    Ok(())
}

fn template(number: usize) -> CachedTemplate {
    const NAMES: [&str; 4] = ["order_update", "welcome_offer", "payment_reminder", "delivery_notice"];
    const STATUSES: [&str; 3] = ["APPROVED", "PENDING", "REJECTED"];
    let name = format!("{}_{number}", NAMES[number % NAMES.len()]);
    let body_text = format!("Hello {{{{1}}}}, this is message {number} about what you asked for.");
    let row = TemplateRow {
        workspace_id: WORKSPACE.to_owned(),
        reference: format!("uuid-{number}"),
        name: name.clone(),
        language: "en_US".to_owned(),
        status: STATUSES[number % STATUSES.len()].to_owned(),
        category: "utility".to_owned(),
        body_text: body_text.clone(),
        updated_at: i64::try_from(number).unwrap_or_default(),
        seen_at: 1,
        ..TemplateRow::default()
    };
    let record = json!({"uuid": row.reference, "name": name, "components": [{"type": "BODY", "text": body_text}]});
    CachedTemplate { row, record: record.to_string() }
}
