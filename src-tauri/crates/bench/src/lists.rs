//! Lists of 100,000 templates, and of one million with `--full`.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use store::Cache;
use store::cache::{CachedTemplate, RequestMark, TemplateFilter, TemplateRow, TemplateSort};
use tokio::runtime::Runtime;

use crate::options::Options;
use crate::table::{Goal, Table, median, p99, ratios};

const WORKSPACE: &str = "bench";
/// Rows per page: slightly more than one screen.
const PAGE_SIZE: u32 = 100;
/// Search texts, typed letter by letter.
const TYPED_TEXTS: [&str; 6] = ["order update", "order 77", "payment", "rder_upd", "way to", "message 99"];

/// Selects one measure of a round.
type Value = fn(&Round) -> f64;

/// Milliseconds of the measures of one round.
#[derive(Debug, Default)]
struct Round {
    typing: f64,
    typing_by_name: f64,
    filtered: f64,
    any_filters: f64,
    first: f64,
    deepest: f64,
}

pub(crate) fn measure(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    if !options.includes("P11") {
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build()?;
    let small = rounds(&runtime, options, folder, 100_000)?;
    let column = |rounds: &[Round], value: Value| rounds.iter().map(value).collect::<Vec<f64>>();
    let lines: [(&str, Value, f64); 4] = [
        ("search as you type, newest first, p99", |round| round.typing, 5.0),
        ("search as you type, by name, p99", |round| round.typing_by_name, 5.0),
        ("page by one or two filters, p99", |round| round.filtered, 2.0),
        ("page by any combination of filters, p99", |round| round.any_filters, 10.0),
    ];
    for (what, value, goal) in lines {
        table.add("P11", format!("100,000 templates: {what}"), Goal::AtMost(goal), "ms", column(&small, value), "");
    }
    let depth = ratios(&column(&small, |round| round.deepest), &column(&small, |round| round.first));
    let note = format!("{:.2} ms", median(&column(&small, |round| round.first)));
    table.add("P11", "100,000 templates: a page at any depth / the first", Goal::AtMost(2.0), "", depth, note);
    if options.full {
        let large = rounds(&runtime, options, folder, 1_000_000)?;
        for (what, value, _) in lines {
            let note = format!("{:.2} ms", median(&column(&large, value)));
            let ratio = ratios(&column(&large, value), &column(&small, value));
            table.add("P11", format!("a million templates: {what} / at 100,000"), Goal::AtMost(3.0), "", ratio, note);
        }
    }
    Ok(())
}

fn rounds(runtime: &Runtime, options: &Options, folder: &Path, templates: usize) -> anyhow::Result<Vec<Round>> {
    let folder = tempfile::tempdir_in(folder)?;
    let cache = Cache::open(&folder.path().join("cache.sqlite"));
    let started = Instant::now();
    runtime.block_on(cache.replace_listing(
        WORKSPACE,
        (0..templates).map(template).collect(),
        RequestMark { number: 1, last_seq: 0, at: 1 },
    ))?;
    println!("a listing of {templates} templates was taken in {:.1} s", started.elapsed().as_secs_f64());
    let listed = Listed { runtime, cache: &cache };
    let started = Instant::now();
    let first = listed.page(&all())?.0;
    runtime.block_on(cache.prepare_search(WORKSPACE))?;
    println!(
        "the first page took {first:.0} ms, and searches were ready after {:.0} ms",
        started.elapsed().as_secs_f64() * 1_000.0
    );
    // A warm-up round, so that every measured round finds the data in memory.
    listed.round()?;
    (0..options.rounds).map(|_| listed.round()).collect()
}

struct Listed<'a> {
    runtime: &'a Runtime,
    cache: &'a Cache,
}

impl Listed<'_> {
    /// Milliseconds of a page, and the number of matching templates.
    fn page(&self, filter: &TemplateFilter) -> anyhow::Result<(f64, u64)> {
        let filter = filter.clone();
        let started = Instant::now();
        let page = black_box(self.runtime.block_on(self.cache.templates(filter))?);
        Ok((started.elapsed().as_secs_f64() * 1_000.0, page.total))
    }

    fn p99(&self, filters: &[TemplateFilter]) -> anyhow::Result<f64> {
        let times = filters.iter().map(|filter| Ok(self.page(filter)?.0)).collect::<anyhow::Result<Vec<f64>>>()?;
        Ok(p99(times))
    }

    fn round(&self) -> anyhow::Result<Round> {
        let typing = |sort| -> Vec<TemplateFilter> {
            let searches = TYPED_TEXTS.iter().flat_map(|typed| (1..=typed.len()).map(move |end| &typed[..end]));
            let filters = searches.map(|search| TemplateFilter { search: Some(search.to_owned()), sort, ..all() });
            // Enough repetitions for a meaningful 99th percentile.
            filters.cycle().take(400).collect()
        };
        let any = any_filters();
        let few = |filter: &&TemplateFilter| properties(filter) <= 2;
        let filtered: Vec<TemplateFilter> = any.iter().filter(few).cloned().cycle().take(400).collect();
        let (first, deepest) = self.depth()?;
        Ok(Round {
            typing: self.p99(&typing(TemplateSort::Newest))?,
            typing_by_name: self.p99(&typing(TemplateSort::Name))?,
            filtered: self.p99(&filtered)?,
            any_filters: self.p99(&any)?,
            first,
            deepest,
        })
    }

    /// The median of the first page, and the highest median of pages at every depth.
    fn depth(&self) -> anyhow::Result<(f64, f64)> {
        let last = u32::try_from(self.page(&all())?.1)?.saturating_sub(PAGE_SIZE);
        let mut medians = Vec::new();
        for part in 0..=4 {
            let filter = TemplateFilter { offset: last / 4 * part, ..all() };
            let times = (0..50).map(|_| Ok(self.page(&filter)?.0)).collect::<anyhow::Result<Vec<f64>>>()?;
            medians.push(median(&times));
        }
        Ok((medians[0], medians.into_iter().fold(0.0, f64::max)))
    }
}

fn all() -> TemplateFilter {
    TemplateFilter { workspace_id: WORKSPACE.to_owned(), limit: PAGE_SIZE, ..TemplateFilter::default() }
}

/// Number of properties that a filter uses.
fn properties(filter: &TemplateFilter) -> usize {
    let lists = [&filter.statuses, &filter.categories, &filter.languages, &filter.kinds, &filter.wabas];
    lists.into_iter().flatten().count() + usize::from(filter.archived.is_some())
}

/// Every combination of filters, each absent, common or rare, in both orders.
fn any_filters() -> Vec<TemplateFilter> {
    let mut filters = Vec::new();
    for bits in 0..3_usize.pow(6) * 2 {
        let choice = |place: u32, common: &str, rare: &str| match bits / 2 / 3_usize.pow(place) % 3 {
            0 => Vec::new(),
            1 => vec![common.to_owned()],
            _ => vec![rare.to_owned()],
        };
        filters.push(TemplateFilter {
            statuses: choice(0, "APPROVED", "DISABLED"),
            categories: choice(1, "MARKETING", "AUTHENTICATION"),
            languages: choice(2, "en_US", "is"),
            kinds: choice(3, "cloud_api", "marketing_lite"),
            wabas: choice(4, "10", "13"),
            archived: choice(5, "", "archived").first().map(|word| !word.is_empty()),
            sort: if bits % 2 == 0 { TemplateSort::Newest } else { TemplateSort::Name },
            ..all()
        });
    }
    filters
}

/// Templates of a large account: some values are common, some rare, and the rarest is the oldest.
fn template(number: usize) -> CachedTemplate {
    const NAMES: [&str; 4] = ["order_update", "welcome_offer", "payment_reminder", "delivery_notice"];
    const STATUSES: [&str; 6] = ["APPROVED", "APPROVED", "APPROVED", "REJECTED", "PENDING", "PAUSED"];
    const LANGUAGES: [&str; 16] =
        ["en_US", "pt_BR", "es", "en_US", "de", "fr", "it", "nl", "pt_BR", "pl", "tr", "ar", "he", "hi", "id", "ja"];
    // Mixes the digits, so that properties are independent of each other.
    let mixed = |salt: usize| (number.wrapping_mul(2_654_435_761).wrapping_add(salt * 40_503)) >> 7;
    let language = if number < 50 { "is" } else { LANGUAGES[mixed(1) % LANGUAGES.len()] };
    let category = if mixed(2).is_multiple_of(50) { "AUTHENTICATION" } else { ["MARKETING", "UTILITY"][mixed(3) % 2] };
    let body_text = format!("Hello {{{{1}}}}, this is message {} about your order on its way to you.", number % 997);
    let row = TemplateRow {
        workspace_id: WORKSPACE.to_owned(),
        reference: format!("uuid-{number}"),
        name: format!("{}_{}", NAMES[mixed(4) % NAMES.len()], number),
        language: language.to_owned(),
        status: if mixed(5).is_multiple_of(1_000) { "DISABLED" } else { STATUSES[mixed(6) % STATUSES.len()] }
            .to_owned(),
        category: category.to_owned(),
        kind: if mixed(7).is_multiple_of(100) { "marketing_lite" } else { "cloud_api" }.to_owned(),
        archived: Some(mixed(8).is_multiple_of(20)),
        wabas: vec![if mixed(9).is_multiple_of(200) { "13" } else { ["10", "11", "12"][mixed(10) % 3] }.to_owned()],
        body_text,
        business_id: Some(["1", "2", "3"][mixed(12) % 3].to_owned()),
        quality: [Some("GREEN"), Some("YELLOW"), Some("RED"), None][mixed(13) % 4].map(str::to_owned),
        header_format: [None, None, Some("IMAGE"), Some("TEXT")][mixed(14) % 4].map(str::to_owned),
        carousel: mixed(15).is_multiple_of(30),
        sample: mixed(16).is_multiple_of(500),
        asked_category: mixed(17).is_multiple_of(40).then(|| "UTILITY".to_owned()),
        shape: (mixed(18) % 5).to_string(),
        last_sent_at: mixed(19).is_multiple_of(3).then_some(1_700_000_000_000),
        updated_at: 1_700_000_000_000 + i64::try_from(mixed(11) % 50_000_000).unwrap_or_default() * 1_000,
        asked: RequestMark { number: 1, last_seq: 0, at: 1 },
        ..TemplateRow::default()
    };
    CachedTemplate { record: format!(r#"{{"uuid":"{}","name":"{}"}}"#, row.reference, row.name), row }
}
