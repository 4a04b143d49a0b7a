//! `tdesk log`: what a log in a database keeps.

use std::process::ExitCode;

use delivery_log::postgres::{Database, Kept};

use crate::desk;
use crate::exit::WrongUsage;
use crate::log_store::{Store, StoreArgs};

/// Decide how long a log in a database is kept.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Print what the log keeps and how far its desks are, as JSON.
    Show {
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Keep deliveries for some days. Receivers remove older ones every hour.
    Keep {
        /// Days that a delivery is kept.
        #[arg(value_name = "DAYS", value_parser = clap::value_parser!(i32).range(1..=36_500),
              required_unless_present = "forever", conflicts_with = "forever")]
        days: Option<i32>,
        /// Keep everything, as without this command.
        #[arg(long)]
        forever: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let kept = match args.command {
        Command::Show { store } => database(&store).await?.kept().await?,
        Command::Keep { days, store, .. } => {
            let database = database(&store).await?;
            database.keep(days).await?;
            database.kept().await?
        }
    };
    desk::print(&json(&kept).to_string())?;
    overtaken(&kept).for_each(|warning| eprintln!("tdesk: {warning}"));
    Ok(ExitCode::SUCCESS)
}

/// The database of a log. Nothing is created or migrated.
async fn database(store: &StoreArgs) -> anyhow::Result<Database> {
    match store.store()? {
        Store::Postgres(database) => {
            database.check().await?;
            Ok(*database)
        }
        Store::File(_) => Err(WrongUsage("give --store: an inbox file keeps everything".to_owned()).into()),
    }
}

fn json(kept: &Kept) -> serde_json::Value {
    let desks = kept.desks.iter().map(|desk| {
        serde_json::json!({
            "name": desk.name,
            "read_to": desk.read_to,
            "read_at": desk.read_at,
            "unread_since": desk.unread_since,
            "missed": kept.missed(desk),
        })
    });
    serde_json::json!({
        "keep_days": kept.days,
        "first_seq": kept.first_seq,
        "last_seq": kept.last_seq,
        "oldest": kept.oldest,
        "desks": desks.collect::<Vec<_>>(),
    })
}

/// Which desks retention has overtaken, or overtakes within a day.
pub(crate) fn overtaken(kept: &Kept) -> impl Iterator<Item = String> {
    kept.desks.iter().filter_map(|desk| {
        let missed = kept.missed(desk);
        if missed > 0 {
            let name = &desk.name;
            return Some(format!("desk {name} was overtaken: {missed} deliveries were removed before it fetched them"));
        }
        kept.is_overtaken_soon(desk).then(|| {
            format!("desk {} is overtaken within a day: deliveries that it has not fetched are removed", desk.name)
        })
    })
}
