//! `tdesk`: Template Desk on the command line, for servers, scripts and CI.
//!
//! Each subcommand is one module with its `Args` and an async `run`. Results go to stdout, the log to stderr. Secrets
//! come from the environment or from files, never from arguments.
//!
//! Exit codes: 0 success, 1 findings or refusals, 2 wrong usage, 3 connection or storage error, 4 unknown outcome.

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use tracing_subscriber::EnvFilter;

mod check;
mod desk;
mod doctor;
mod events;
mod exit;
mod lint;
mod log;
mod log_store;
mod names;
mod preview;
mod provider;
mod pull;
mod push;
mod receive;
mod sandbox;
mod send;
mod server;
mod template_file;

/// Template Desk on the command line: manage message templates, send them and receive webhooks.
#[derive(clap::Parser)]
#[command(name = "tdesk", version, about, propagate_version = true, after_help = exit::CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// How the log on standard error is written.
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t)]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// A JSON object on each line.
    Json,
}

#[derive(clap::Subcommand)]
enum Command {
    Receive(receive::Args),
    Desk(desk::Args),
    Log(log::Args),
    Events(events::Args),
    Doctor(doctor::Args),
    Pull(pull::Args),
    Push(push::Args),
    Send(send::Args),
    Check(check::Args),
    Lint(lint::Args),
    Preview(preview::Args),
    /// Run a simulated provider.
    Sandbox(sandbox::Args),
}

/// The arguments of `tdesk`, for its man pages and completions.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs `tdesk` with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    // clap handles usage errors itself, with exit code 2.
    let cli = Cli::parse();
    let log = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        // They would be printed to the same full disk or closed pipe, which panics.
        .log_internal_errors(false)
        .with_env_filter(EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info")));
    match cli.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("tdesk: could not start the runtime: {error}");
            return exit::UNAVAILABLE.into();
        }
    };
    let result = runtime.block_on(async {
        match cli.command {
            Command::Receive(args) => receive::run(args).await,
            Command::Desk(args) => desk::run(args).await,
            Command::Log(args) => log::run(args).await,
            Command::Events(args) => events::run(args).await,
            Command::Doctor(args) => doctor::run(&args),
            Command::Pull(args) => pull::run(args).await,
            Command::Push(args) => push::run(args).await,
            Command::Send(args) => send::run(args).await,
            Command::Check(args) => check::run(args).await,
            Command::Lint(args) => lint::run(args).await,
            Command::Preview(args) => preview::run(args),
            Command::Sandbox(args) => sandbox::run(args).await,
        }
    });
    // Work on other threads, such as a write that blocks on an unread pipe, must not delay the exit.
    runtime.shutdown_background();
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("tdesk: {}", exit::describe(&error));
            exit::of(&error).into()
        }
    }
}
