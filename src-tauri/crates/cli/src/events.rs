//! `tdesk events`: prints the content of an inbox file, one JSON object per line.

use std::borrow::Cow;
use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use anyhow::Context as _;
use app::events_stream::{EventLine, EventStream, InboxItem, write_line};
use clap::builder::PossibleValuesParser;
use model::event::kind::ItemKind;
use model::visible::escaped_json;

use crate::server;

/// Polling interval of the inbox with `--follow`.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Lines are written in chunks up to this size.
const CHUNK_BYTES: usize = 64 * 1024;

/// Print every item in an inbox file once, oldest first, as one JSON object per line.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Inbox file. Another process may be writing to it.
    #[arg(long, value_name = "INBOX_FILE")]
    database: PathBuf,
    /// Print only items whose first delivery has a greater `seq`.
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    after: i64,
    /// Print only items of this kind.
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(ItemKind::WORDS))]
    kind: Option<String>,
    /// Keep printing new items until SIGTERM or SIGINT. Waits for the file if it does not exist yet.
    #[arg(long)]
    follow: bool,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let printed = if args.follow {
        let interrupted = server::interrupted();
        tokio::select! {
            biased;
            () = interrupted => Ok(()),
            printed = follow(&args) => printed,
        }
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
        let opened = EventStream::open_if_created(&args.database).await;
        if let Some(stream) = opened.with_context(|| could_not_open(args))? {
            break stream;
        }
        if !std::mem::replace(&mut waiting, true) {
            tracing::info!("there is no inbox at {} yet; waiting for it", args.database.display());
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    };
    loop {
        printer.print(&mut stream).await?;
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn open(args: &Args) -> anyhow::Result<EventStream> {
    let opened = EventStream::open(&args.database).await;
    opened.with_context(|| could_not_open(args))
}

fn could_not_open(args: &Args) -> String {
    format!("could not open the inbox {}", args.database.display())
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
        while let Some(items) = stream.next_delivery().await.context("could not read the inbox")? {
            for item in items {
                if self.is_wanted(&item) {
                    let start = self.lines.len();
                    write_line(&mut self.lines, &EventLine::from(&item));
                    // The content of a message must not control the terminal.
                    if let Ok(Cow::Owned(escaped)) = str::from_utf8(&self.lines[start..]).map(escaped_json) {
                        self.lines.truncate(start);
                        self.lines.extend(escaped.bytes());
                    }
                }
                if self.lines.len() >= CHUNK_BYTES {
                    self.flush().await?;
                }
            }
        }
        self.flush().await
    }

    fn is_wanted(&self, item: &InboxItem) -> bool {
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
