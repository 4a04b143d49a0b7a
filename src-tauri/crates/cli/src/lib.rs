//! `tdesk`: the app's use cases without a window, for servers, scripts and CI.
//!
//! Each subcommand is one module with its `Args` and an async `run`. Results go to stdout, the log to stderr. Secrets
//! come from the environment or from files, never from arguments.
//!
//! Exit codes: 0 success, 1 findings or refusals, 2 wrong usage, 3 connection or storage error, 4 unknown outcome.

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use tracing_subscriber::EnvFilter;

mod doctor;
mod events;
mod exit;
mod lint;
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

/// Work with message templates without a window.
#[derive(clap::Parser)]
#[command(name = "tdesk", version, about, propagate_version = true, after_help = exit::CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Receive(receive::Args),
    Events(events::Args),
    Doctor(doctor::Args),
    Pull(pull::Args),
    Push(push::Args),
    Send(send::Args),
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
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info")))
        .init();
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
            Command::Events(args) => events::run(args).await,
            Command::Doctor(args) => doctor::run(&args),
            Command::Pull(args) => pull::run(args).await,
            Command::Push(args) => push::run(args).await,
            Command::Send(args) => send::run(args).await,
            Command::Lint(args) => lint::run(args),
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
