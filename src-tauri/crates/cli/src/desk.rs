//! `tdesk desk`: the desks that may follow a receiver.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use delivery_log::{Access, TokenHash, new_token};
use secrecy::ExposeSecret as _;

use crate::exit::{self, WrongUsage};
use crate::log_store::StoreArgs;
use crate::names;

/// Maximum length of the name of a desk, in characters.
const MAX_NAME_LENGTH: usize = 64;

/// Decide which desks may follow a receiver.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Make a token for a desk and print it. It is printed only now; a former token of the desk becomes invalid.
    Add {
        /// Name of the desk, such as its user.
        name: String,
        /// Paths of the webhook URLs whose deliveries the desk sees; all without this option.
        #[arg(long, value_name = "PATH[,PATH]", value_delimiter = ',')]
        endpoint: Vec<String>,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Print the desks as JSON lines, without their tokens.
    List {
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Make the token of a desk invalid at once.
    Revoke {
        /// Name of the desk.
        name: String,
        #[command(flatten)]
        store: StoreArgs,
    },
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Add { name, endpoint, store } => {
            let is_readable = !name.trim().is_empty() && !name.chars().any(char::is_control);
            if !is_readable || name.chars().count() > MAX_NAME_LENGTH {
                return Err(WrongUsage(format!("a desk's name has 1 to {MAX_NAME_LENGTH} characters")).into());
            }
            if let Some(wrong) = endpoint.iter().find(|endpoint| !endpoint.starts_with('/')) {
                return Err(WrongUsage(format!("--endpoint: {wrong} is not a path; paths begin with /")).into());
            }
            let token = new_token()?;
            let created_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
            let desk = Access {
                name,
                hash: TokenHash::of(token.expose_secret()),
                endpoints: endpoint,
                created_at: i64::try_from(created_at).unwrap_or(i64::MAX),
            };
            store.store()?.created_desks().await?.add(desk).await?;
            print(token.expose_secret())?;
            Ok(ExitCode::SUCCESS)
        }
        Command::List { store } => {
            for desk in store.store()?.desks().await?.list().await? {
                let Access { name, endpoints, created_at, .. } = desk;
                print(
                    &serde_json::json!({ "name": name, "endpoints": endpoints, "created_at": created_at }).to_string(),
                )?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Revoke { name, store } => {
            if store.store()?.desks().await?.revoke(&name).await? {
                return Ok(ExitCode::SUCCESS);
            }
            eprintln!("tdesk: there is no desk named {}", names::shown(name.as_ref()));
            Ok(exit::REFUSED.into())
        }
    }
}

pub(crate) fn print(line: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}").and_then(|()| stdout.flush()).context("could not write to stdout")
}
