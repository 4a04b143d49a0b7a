//! `tdesk events`: prints the content of an inbox file or of a feed, one JSON object per line.

use std::borrow::Cow;
use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context as _;
use app::events_stream::{EventLine, EventStream, LoggedItem, NewItems, write_line};
use clap::ArgGroup;
use clap::builder::PossibleValuesParser;
use feed::{FeedError, Gap};
use model::event::kind::ItemKind;
use model::visible::{escaped_json, visible};

use crate::exit::WrongUsage;
use crate::server;

/// Polling interval of the delivery log with `--follow`.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Lines are written in chunks up to this size.
const CHUNK_BYTES: usize = 64 * 1024;
/// Deliveries in a page of a feed.
const FEED_PAGE: u32 = 1_000;
/// How long a feed may wait for new deliveries before it answers.
const FEED_WAIT: Duration = Duration::from_secs(25);
/// Pause before a feed that did not answer is asked again.
const FEED_PAUSE: Duration = Duration::from_secs(1);

/// Print every item in an inbox file or of a receiver's feed once, oldest first, as one JSON object per line.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("source").required(true).args(["database", "feed"])))]
pub(crate) struct Args {
    /// Inbox file. Another process may be writing to it.
    #[arg(long, value_name = "INBOX_FILE")]
    database: Option<PathBuf>,
    /// Address of the feed of a receiver, such as https://hooks.example.com/feed.
    #[arg(long, value_name = "URL", requires = "token")]
    feed: Option<String>,
    /// Name of the environment variable with the token for the feed, which `tdesk desk add` makes.
    #[arg(long, value_name = "NAME", requires = "feed", group = "token")]
    token_env: Option<String>,
    /// File with the token for the feed.
    #[arg(long, value_name = "FILE", requires = "feed", group = "token")]
    token_file: Option<PathBuf>,
    /// Print only what is received from now on.
    #[arg(long, requires = "feed")]
    from_now: bool,
    /// Print only items whose first delivery has a greater `seq`.
    #[arg(long, value_name = "SEQ", default_value_t = 0, conflicts_with = "feed")]
    after: i64,
    /// Print only items of this kind.
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(ItemKind::WORDS))]
    kind: Option<String>,
    /// Keep printing new items until SIGTERM or SIGINT. Waits for the file if it does not exist yet, and for the server
    /// of a feed if it does not answer.
    #[arg(long)]
    follow: bool,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let printed = if args.follow {
        let interrupted = server::interrupted();
        tokio::select! {
            biased;
            () = interrupted => Ok(()),
            printed = async { if args.feed.is_some() { print_feed(&args).await } else { follow(&args).await } } => printed,
        }
    } else if args.feed.is_some() {
        print_feed(&args).await
    } else {
        print_all(&args).await
    };
    match printed {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) if is_closed_pipe(&error) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error),
    }
}

async fn print_all(args: &Args) -> anyhow::Result<()> {
    let mut printer = Printer::new(args);
    let mut stream = open(args).await?;
    printer.print(&mut stream).await
}

async fn follow(args: &Args) -> anyhow::Result<()> {
    let mut printer = Printer::new(args);
    let mut waiting = false;
    let mut stream = loop {
        let opened = EventStream::open_if_created(database(args)).await;
        if let Some(stream) = opened.with_context(|| could_not_open(args))? {
            break stream;
        }
        if !std::mem::replace(&mut waiting, true) {
            tracing::info!("there is no delivery log at {} yet; waiting for it", database(args).display());
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    };
    loop {
        printer.print(&mut stream).await?;
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Prints a feed up to its last delivery, or without end.
async fn print_feed(args: &Args) -> anyhow::Result<()> {
    let token = match (&args.token_env, &args.token_file) {
        (Some(name), _) => server::secret_from_env("--token-env", name)?,
        (None, Some(file)) => server::secret_from_file(file)?,
        (None, None) => return Err(WrongUsage("--token-env or --token-file is missing".to_owned()).into()),
    };
    let address = args.feed.as_deref().unwrap_or_default();
    let client = app::feed_client(address, token).map_err(|error| match error {
        FeedError::Address(_) | FeedError::Token => anyhow::Error::from(WrongUsage(format!("--feed: {error}"))),
        other => other.into(),
    })?;
    let mut printer = Printer::new(args);
    let mut items = NewItems::default();
    let wait = if args.follow { FEED_WAIT } else { Duration::ZERO };
    let (mut cursor, mut is_waiting, mut limit) = (None::<String>, false, FEED_PAGE);
    loop {
        let page = async {
            if cursor.is_none() && args.from_now {
                cursor = Some(client.start().await?.cursor);
            }
            client.page(cursor.as_deref(), limit, wait).await
        };
        let page = match page.await {
            Ok(page) => page,
            // It does not come back by itself.
            Err(error @ (FeedError::Refused | FeedError::Unexpected { .. })) => return Err(error.into()),
            Err(error) if args.follow => {
                if !std::mem::replace(&mut is_waiting, true) {
                    tracing::warn!("{error}; waiting for it");
                }
                if matches!(error, FeedError::Incomplete(_)) {
                    limit = (limit / 8).max(1);
                }
                tokio::time::sleep(FEED_PAUSE).await;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        for gap in &page.gaps {
            eprintln!("tdesk: {}", described(gap));
        }
        is_waiting = false;
        limit = limit.saturating_mul(2).min(FEED_PAGE);
        for delivery in &page.deliveries {
            for item in items.of(delivery.seq, delivery.received_at, &delivery.body) {
                printer.add(&item, Some(&delivery.node));
            }
            printer.flush_if_long().await?;
        }
        printer.flush().await?;
        cursor = Some(page.end.cursor);
        if page.end.behind == 0 && !args.follow {
            return Ok(());
        }
    }
}

/// What the server passed over, in a line.
fn described(gap: &Gap) -> String {
    let what = match gap.why.as_str() {
        "removed" => "were removed on the server before they were fetched".to_owned(),
        "altered" => "were altered on the server after they were stored, and cannot be fetched".to_owned(),
        "missing" => "are missing on the server".to_owned(),
        other => format!("were passed over by the server: {}", visible(other)),
    };
    format!("the deliveries {} to {} {what}", gap.from, gap.to)
}

async fn open(args: &Args) -> anyhow::Result<EventStream> {
    let opened = EventStream::open(database(args)).await;
    opened.with_context(|| could_not_open(args))
}

/// The inbox file, which clap requires unless there is a feed.
fn database(args: &Args) -> &Path {
    args.database.as_deref().unwrap_or(Path::new(""))
}

fn could_not_open(args: &Args) -> String {
    format!("could not open the delivery log {}", database(args).display())
}

/// Writes the items that match the arguments.
struct Printer<'a> {
    args: &'a Args,
    lines: Vec<u8>,
}

impl<'a> Printer<'a> {
    fn new(args: &'a Args) -> Self {
        Self { args, lines: Vec::new() }
    }

    /// Prints up to the last delivery.
    async fn print(&mut self, stream: &mut EventStream) -> anyhow::Result<()> {
        while let Some(items) = stream.next_delivery().await.context("could not read the delivery log")? {
            for item in items {
                self.add(&item, None);
                self.flush_if_long().await?;
            }
        }
        self.flush().await
    }

    /// Adds the line of an item that matches the arguments.
    fn add(&mut self, item: &LoggedItem, node: Option<&str>) {
        if self.is_wanted(item) {
            let start = self.lines.len();
            write_line(&mut self.lines, &EventLine { node, ..EventLine::from(item) });
            // The content of a message must not control the terminal.
            if let Ok(Cow::Owned(escaped)) = str::from_utf8(&self.lines[start..]).map(escaped_json) {
                self.lines.truncate(start);
                self.lines.extend(escaped.bytes());
            }
        }
    }

    async fn flush_if_long(&mut self) -> anyhow::Result<()> {
        if self.lines.len() >= CHUNK_BYTES { self.flush().await } else { Ok(()) }
    }

    fn is_wanted(&self, item: &LoggedItem) -> bool {
        item.seq > self.args.after && self.args.kind.as_deref().is_none_or(|kind| kind == item.kind.as_str())
    }

    async fn flush(&mut self) -> anyhow::Result<()> {
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() {
            return Ok(());
        }
        // A reader that stops reading would otherwise block the handling of signals.
        let writing = tokio::task::spawn_blocking(move || {
            let mut stdout = io::stdout().lock();
            stdout.write_all(&lines)?;
            stdout.flush()
        });
        writing.await?.context("could not write to stdout")
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
