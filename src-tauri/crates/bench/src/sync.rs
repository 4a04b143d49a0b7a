//! A sync of 10,000 templates over HTTP, compared with only reading and parsing the same responses.

use std::convert::Infallible;
use std::hint::black_box;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, RwLock};
use std::time::Instant;

use anyhow::Context as _;
use app::Core;
use app::SANDBOX_ID;
use bytes::Bytes;
use command_types::template::RefreshTemplates;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use provider_client::{Client, Credentials, Endpoint, ListFilter, Timeouts, WabaField, parse_base_url};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::options::Options;
use crate::serve;
use crate::table::{Goal, Table, median, ratios};

const TEMPLATES: usize = 10_000;
const PAGE_SIZE: usize = 100;

/// The provider's responses, by page.
type Pages = Arc<RwLock<Vec<Bytes>>>;

/// Reference of an approved marketing template of [`listed_desk`].
pub(crate) const APPROVED_MARKETING: &str = "00000000-0000-4000-8000-000000000001";

/// Milliseconds of one round.
#[derive(Debug, Default)]
struct Round {
    reading: f64,
    first: f64,
    unchanged: f64,
    changed: f64,
}

pub(crate) fn measure(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    if !options.includes("P16") {
        return Ok(());
    }
    let pages: Pages = Arc::new(RwLock::new(pages(0)));
    let address = provider(&pages)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    // A warm-up round.
    runtime.block_on(round(folder, address, &pages))?;
    let rounds = (0..options.rounds).map(|_| runtime.block_on(round(folder, address, &pages)));
    let rounds = rounds.collect::<anyhow::Result<Vec<Round>>>()?;
    let column = |value: fn(&Round) -> f64| rounds.iter().map(value).collect::<Vec<f64>>();
    let reading = column(|round| round.reading);
    let note = format!("{:.0} ms", median(&reading));
    for (what, value) in [
        ("a sync / reading and parsing alone: the first one", column(|round| round.first)),
        ("a sync / reading and parsing alone: nothing changed", column(|round| round.unchanged)),
        ("a sync / reading and parsing alone: one in ten changed", column(|round| round.changed)),
    ] {
        let goal = Goal::AtMost(2.0);
        table.add("P16", format!("10,000 templates: {what}"), goal, "", ratios(&value, &reading), note.clone());
    }
    Ok(())
}

async fn round(folder: &Path, address: SocketAddr, pages: &Pages) -> anyhow::Result<Round> {
    let folder = tempfile::tempdir_in(folder)?;
    let base_url = format!("http://{address}");
    let webhooks = TcpListener::bind("127.0.0.1:0").await?;
    let core = serve::desk::open_with(folder.path(), webhooks, base_url.clone()).await?;
    let client = Client::new(
        Endpoint {
            base_url: parse_base_url(&base_url)?,
            channel: "bench".to_owned(),
            workspace_uuid: "00000000-0000-4000-8000-000000000000".to_owned(),
            credentials: Credentials::Bearer("bench".into()),
            allow_unencrypted: false,
            waba_field: WabaField::default(),
        },
        Timeouts::default(),
    )?;
    set(pages, 0);
    let reading = timed(async { Ok(client.list_templates(&ListFilter::default()).await?.records.len()) }).await?;
    let first = timed(sync(&core)).await?;
    let unchanged = timed(sync(&core)).await?;
    set(pages, 1);
    let changed = timed(sync(&core)).await?;
    core.close().await;
    Ok(Round { reading, first, unchanged, changed })
}

/// A desk that has listed the templates.
pub(crate) async fn listed_desk(folder: &Path) -> anyhow::Result<Core> {
    let address = provider(&Arc::new(RwLock::new(pages(0))))?;
    let webhooks = TcpListener::bind("127.0.0.1:0").await?;
    let core = serve::desk::open_with(folder, webhooks, format!("http://{address}")).await?;
    sync(&core).await?;
    Ok(core)
}

async fn sync(core: &Core) -> anyhow::Result<usize> {
    let request = RefreshTemplates { workspace: SANDBOX_ID.to_owned(), ..RefreshTemplates::default() };
    let report = core.templates.refresh_templates(request).await?;
    Ok(usize::try_from(report.total)?)
}

async fn timed(work: impl Future<Output = anyhow::Result<usize>>) -> anyhow::Result<f64> {
    let started = Instant::now();
    let templates = black_box(work.await?);
    anyhow::ensure!(templates == TEMPLATES, "{templates} templates were listed");
    Ok(started.elapsed().as_secs_f64() * 1_000.0)
}

fn set(pages: &Pages, revision: usize) {
    *pages.write().unwrap_or_else(std::sync::PoisonError::into_inner) = self::pages(revision);
}

/// Responses as a provider sends them, with cursors as in the channel.
fn pages(revision: usize) -> Vec<Bytes> {
    let numbers: Vec<usize> = (0..TEMPLATES).collect();
    let last = TEMPLATES / PAGE_SIZE - 1;
    let page = |(number, templates): (usize, &[usize])| {
        let records: Vec<Value> = templates.iter().map(|number| record(*number, revision)).collect();
        let next = (number < last).then(|| format!("http://provider.invalid/?after={}", number + 1));
        let paging = match next {
            Some(next) => json!({"cursors": {"after": (number + 1).to_string()}, "next": next}),
            None => json!({"cursors": {"before": number.to_string()}}),
        };
        Bytes::from(json!({"data": records, "paging": paging}).to_string())
    };
    numbers.chunks(PAGE_SIZE).enumerate().map(page).collect()
}

/// One template in ten has a different body in each revision.
fn record(number: usize, revision: usize) -> Value {
    let revision = if number.is_multiple_of(10) { revision } else { 0 };
    json!({
        "uuid": format!("00000000-0000-4000-8000-{number:012}"),
        "id": (1_000_000 + number).to_string(),
        "name": format!("order_update_{number:05}"),
        "language": (["en_US", "pt_BR", "es", "de"][number % 4]),
        "category": (["UTILITY", "MARKETING"][number % 2]),
        "status": (["APPROVED", "APPROVED", "PENDING", "REJECTED"][number % 4]),
        "type": "cloud_api",
        "parameter_format": "POSITIONAL",
        "waba_ids": [102_290_129_340_398_u64],
        "business_id": "506913",
        "quality_score": {"score": "GREEN", "date": 1_700_000_000},
        "components": [
            {"type": "HEADER", "format": "TEXT", "text": "Your order {{1}}", "example": {"header_text": ["#1042"]}},
            {
                "type": "BODY",
                "text": format!(
                    "Hello {{{{1}}}}, your order {{{{2}}}} of {number} is on its way to you and arrives by {{{{3}}}}. \
                     Thank you for buying with us; we are here for you on every day of the week. ({revision})"
                ),
                "example": {"body_text": [["Maria", "#1042", "Friday"]]},
            },
            {"type": "FOOTER", "text": "Reply STOP to hear no more of this"},
            {"type": "BUTTONS", "buttons": [
                {"type": "URL", "text": "Follow it", "url": "https://shop.example/orders/{{1}}", "example": ["https://shop.example/orders/1042"]},
                {"type": "QUICK_REPLY", "text": "Talk to us"},
            ]},
        ],
    })
}

/// A provider in a separate thread that only serves the pages.
fn provider(pages: &Pages) -> anyhow::Result<SocketAddr> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let pages = Arc::clone(pages);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("provider".to_owned()).spawn(move || {
        runtime.block_on(async {
            let listener = TcpListener::from_std(listener).context("the listener cannot be used")?;
            loop {
                let (stream, _) = listener.accept().await?;
                let pages = Arc::clone(&pages);
                tokio::spawn(async move {
                    let service = service_fn(|request| std::future::ready(answer(&pages, &request)));
                    let _ = stream.set_nodelay(true);
                    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
                });
            }
            #[expect(unreachable_code, reason = "gives the block its type")]
            anyhow::Ok(())
        })
    })?;
    Ok(address)
}

fn answer(pages: &Pages, request: &Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let query = request.uri().query().unwrap_or_default();
    let after = query.split('&').find_map(|pair| pair.strip_prefix("after=")).and_then(|after| after.parse().ok());
    let page = {
        let pages = pages.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        pages.get(after.unwrap_or(0_usize)).cloned().unwrap_or_default()
    };
    let mut response = Response::new(Full::new(page));
    response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static("application/json"));
    Ok(response)
}
