//! Time until the first list is on the screen, memory of all processes, processor of an idle window, and size of what a
//! start loads, beside those of a bare window. A benchmark, not a test: `make bench` runs it.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fantoccini::wd::TimeoutConfiguration;
use serde_json::json;

use super::desktop::{Desktop, Keyring};
use super::long_list::{SCROLL, listed};
use super::page::TIMEOUT as PAGE_TIMEOUT;
use super::provider::{Provider, connect};

/// Sets the number of starts of each kind.
const RUNS: &str = "START_RUNS";
/// Maximum time of a start on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Interval between two looks at the screen.
const LOOK_INTERVAL: Duration = Duration::from_millis(4);
/// Time after the first rows until memory is read: pages free what only their start needed.
const SETTLE: Duration = Duration::from_secs(4);

/// Time from the first rows until nothing of the start goes on, such as seeding the sandbox and collecting garbage.
const START_OVER: Duration = Duration::from_secs(15);
/// Time over which the processor of an idle window is measured.
const IDLE: Duration = Duration::from_secs(30);
/// Templates of the long list.
const MANY_TEMPLATES: u64 = 100_000;
/// The processes of the app, and what they are.
const PROCESSES: [(&str, &str); 3] =
    [("(template-desk)", "host"), ("(WebKitWebProces", "page"), ("(WebKitNetworkPr", "network")];

/// The part of the screen, in pixels, in which both windows show only rows of a list.
const ROWS_FROM: u64 = 540;
const ROWS_TO: u64 = 800;
/// Lines of pixels with text in that part, of [`ROWS_TO`] − [`ROWS_FROM`], once rows are there.
const MIN_TEXT_LINES: usize = 60;

/// A start: milliseconds from the start of the process, memory in MiB.
#[derive(Debug, Default)]
struct Start {
    first_paint: f64,
    first_rows: f64,
    memory: f64,
    /// Of the process that draws the page.
    page_memory: f64,
    network_memory: f64,
}

#[tokio::test]
#[ignore = "a measure, not a test"]
async fn start_cost() {
    let runs = std::env::var(RUNS).ok().and_then(|runs| runs.parse().ok()).unwrap_or(5);
    let app = PathBuf::from(env!("CARGO_BIN_EXE_template-desk"));
    let bare = app.with_file_name("examples/bare_window");
    assert!(bare.exists(), "cargo builds examples with the tests");
    let mut desktop = Desktop::start("start-cost", Keyring::Unlocked);
    let (mut bares, mut first, mut later) = (Vec::new(), Vec::new(), Vec::new());
    // The first start of a program reads it from the disk.
    measure(&mut desktop, &bare, "warm-up").await;
    measure(&mut desktop, &app, "warm-up").await;
    for run in 0..runs {
        let folder = format!("desk-{run}");
        bares.push(measure(&mut desktop, &bare, &folder).await);
        first.push(measure(&mut desktop, &app, &folder).await);
        later.push(measure(&mut desktop, &app, &folder).await);
    }
    println!("\n{runs} starts each; median (lowest–highest)");
    for (name, of) in [
        ("first paint, ms", (|start| start.first_paint) as fn(&Start) -> f64),
        ("first rows, ms", |start| start.first_rows),
        ("memory of all processes, MiB", |start| start.memory),
        ("memory of the page's process, MiB", |start| start.page_memory),
        ("memory of the network process, MiB", |start| start.network_memory),
        ("memory of the host, MiB", |start| start.memory - start.page_memory - start.network_memory),
    ] {
        let limit = median(bares.iter().map(of));
        println!("{name}\n  bare window   {}", spread(bares.iter().map(of)));
        for (which, starts) in [("first start", &first), ("later starts", &later)] {
            let ratio = median(starts.iter().map(of)) / limit;
            println!("  {which:12}  {}  {ratio:.2} × bare", spread(starts.iter().map(of)));
        }
    }
    idle(&mut desktop, &app).await;
    drop(desktop);
    sizes(&[&bare, &app]);
    breakdown().await;
    every_screen(median(bares.iter().map(|start| start.memory))).await;
}

/// Prints the processor time of a window that shows a list and has nothing to do.
async fn idle(desktop: &mut Desktop, app: &Path) {
    measure_with(desktop, app, "idle", async |desktop| {
        tokio::time::sleep(START_OVER).await;
        let before = desktop.processor();
        tokio::time::sleep(IDLE).await;
        let used = desktop.processor() - before;
        println!("idle window, sandbox quiet: {:.2} % of a processor over {IDLE:?}", used * 100.0 / IDLE.as_secs_f64());
    })
    .await;
}

/// Prints the sizes of programs, of what the page loads before its first screen, and of the packages, if they were built.
fn sizes(programs: &[&Path]) {
    let print = |file: &Path| {
        let bytes = std::fs::metadata(file).unwrap().len();
        println!("{:>40}: {:>9.3} MB", file.file_name().unwrap().to_string_lossy(), megabytes(bytes));
    };
    programs.iter().for_each(|program| print(program));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = |folder: PathBuf| {
        let files = std::fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap().path());
        let mut files: Vec<PathBuf> = files.collect();
        files.sort();
        files
    };
    for file in files(root.join("ui/dist/assets")) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let is_first = ["index-", "start-", "first-screen-"].iter().any(|chunk| name.starts_with(chunk));
        if is_first && (name.ends_with(".js") || name.ends_with(".css")) {
            print(&file);
        }
    }
    for file in files(programs[0].ancestors().nth(2).unwrap().join("bundle/deb")) {
        if file.extension().is_some_and(|extension| extension == "deb") {
            print(&file);
        }
    }
}

/// Prints the memory after every screen was open and a long list was scrolled, beside that of a bare window.
async fn every_screen(bare: f64) {
    let provider = Provider::start();
    provider.ask("POST", "/sandbox/templates", &json!({ "count": MANY_TEMPLATES }));
    let mut desktop = Desktop::start("start-memory", Keyring::Unlocked);
    let page = desktop.open_app().await;
    connect(&page, &provider).await;
    // The sandbox archives one in fifty, which the list excludes.
    listed(&page, MANY_TEMPLATES - MANY_TEMPLATES / 50).await;
    let timeout = TimeoutConfiguration::new(Some(PAGE_TIMEOUT * 15), None, None);
    page.client.update_timeouts(timeout).await.unwrap();
    page.client.execute_async(SCROLL, vec![json!("Templates")]).await.unwrap();
    for screen in ["Review", "Sends", "Activity", "Inbox", "Insights", "Settings", "Templates"] {
        page.click("link", screen).await;
        page.find("heading", screen).await;
        tokio::time::sleep(SETTLE / 4).await;
    }
    tokio::time::sleep(SETTLE).await;
    let parts = PROCESSES.map(|(name, what)| (what, desktop.memory(Some(name))));
    let all: f64 = parts.iter().map(|(_, memory)| memory).sum();
    let parts = parts.map(|(what, memory)| format!("{what} {memory:.0}")).join(", ");
    println!(
        "memory after every screen and {MANY_TEMPLATES} templates: {all:.0} MiB ({parts}); {:.2} × bare",
        all / bare
    );
    page.close().await;
}

/// Starts a program, and waits for its rows and for its memory to settle.
async fn measure(desktop: &mut Desktop, program: &Path, folder: &str) -> Start {
    measure_with(desktop, program, folder, async |_| {}).await
}

/// As [`measure`], and does something before the program is ended.
async fn measure_with(desktop: &mut Desktop, program: &Path, folder: &str, then: impl AsyncFnOnce(&Desktop)) -> Start {
    let started = Instant::now();
    desktop.launch(program, folder);
    let mut start = Start::default();
    let screen = Screen::of(desktop);
    while start.first_rows == 0.0 {
        assert!(started.elapsed() < TIMEOUT, "no rows appeared\n{}", desktop.logs());
        tokio::time::sleep(LOOK_INTERVAL).await;
        let now = started.elapsed().as_secs_f64() * 1e3;
        if start.first_paint == 0.0 && screen.text_lines(0, ROWS_TO) > 0 {
            start.first_paint = now;
        }
        if screen.text_lines(ROWS_FROM, ROWS_TO) >= MIN_TEXT_LINES {
            start.first_rows = now;
            // They may have come with the first paint, between the two looks.
            if start.first_paint == 0.0 {
                start.first_paint = now;
            }
        }
    }
    tokio::time::sleep(SETTLE).await;
    start.memory = desktop.memory(None);
    start.page_memory = desktop.memory(Some("(WebKitWebProces"));
    start.network_memory = desktop.memory(Some("(WebKitNetworkPr"));
    then(desktop).await;
    desktop.kill_app();
    screen.wait_until_empty().await;
    start
}

/// The pixels of the display, read while it is drawn.
struct Screen {
    file: File,
    /// Bytes before the first pixel, and of a line.
    head: u64,
    line: u64,
}

impl Screen {
    fn of(desktop: &Desktop) -> Self {
        let file = File::open(desktop.screen()).unwrap();
        let field = |place: u64| {
            let mut bytes = [0; 4];
            file.read_exact_at(&mut bytes, place * 4).unwrap();
            u64::from(u32::from_be_bytes(bytes))
        };
        // Fields of XWDFile.h, as in `screen`.
        let (head, line) = (field(0) + field(19) * 12, field(12));
        Self { file, head, line }
    }

    /// Lines with letters from `from` to `to`: many neighbours of different brightness.
    fn text_lines(&self, from: u64, to: u64) -> usize {
        let mut line = vec![0; usize::try_from(self.line).unwrap()];
        (from..to).step_by(2).filter(|y| self.is_text(*y, &mut line)).count() * 2
    }

    fn is_text(&self, y: u64, line: &mut [u8]) -> bool {
        self.file.read_exact_at(line, self.head + y * self.line).unwrap();
        let green = line.iter().skip(1).step_by(4);
        let edges = green.clone().zip(green.skip(1)).filter(|(one, next)| one.abs_diff(**next) > 40);
        edges.count() >= 8
    }

    async fn wait_until_empty(&self) {
        let started = Instant::now();
        while self.text_lines(0, ROWS_TO) > 0 {
            assert!(started.elapsed() < TIMEOUT, "the window stays on the screen");
            tokio::time::sleep(LOOK_INTERVAL).await;
        }
    }
}

/// Prints when the steps of a start happen. The driver makes it slower, so only the shares count.
async fn breakdown() {
    let mut desktop = Desktop::start("start-steps", Keyring::Unlocked);
    for which in ["first start", "later start"] {
        let page = desktop.open_app().await;
        page.wait_for_text("summer_offer").await;
        let steps = page.client.execute(STEPS, Vec::new()).await.unwrap();
        let started = desktop.start_of_app();
        println!("\nsteps of a driven {which}, ms after the start of the process");
        for step in steps.as_array().unwrap() {
            let at = step["at"].as_f64().unwrap() - started;
            println!("  {at:>7.0}  {}", step["name"].as_str().unwrap());
        }
        desktop.close_app().await;
        desktop.kill_app();
    }
}

/// What the page recorded of its start, in milliseconds since 1970.
const STEPS: &str = "const steps = [{ name: 'navigation', at: 0 }];
    for (const entry of performance.getEntries()) {
        if (entry.entryType === 'resource') {
            const name = entry.name.replace(/^.*\\//, '');
            steps.push({ name: `${name} asked for`, at: entry.startTime });
            steps.push({ name: `${name} received`, at: entry.responseEnd });
        } else if (entry.entryType !== 'navigation') {
            steps.push({ name: entry.name, at: entry.startTime });
        }
    }
    steps.sort((one, other) => one.at - other.at);
    return steps.map(({ name, at }) => ({ name, at: at + performance.timeOrigin }));";

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let values = sorted(values);
    values[values.len() / 2]
}

fn spread(values: impl Iterator<Item = f64>) -> String {
    let values = sorted(values);
    format!("{:>6.0} ({:.0}–{:.0})", values[values.len() / 2], values[0], values[values.len() - 1])
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
