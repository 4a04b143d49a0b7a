//! `tdesk log`: what a log in a database keeps.

use std::process::ExitCode;

use delivery_log::postgres::{Database, DeskPosition, Kept};

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
    desk::print(&serde_json::to_string(&kept)?)?;
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

/// Which desks retention has overtaken, or overtakes within a day.
pub(crate) fn overtaken(kept: &Kept) -> impl Iterator<Item = String> {
    kept.desks.iter().filter_map(|desk| {
        let DeskPosition { name, missed, .. } = desk;
        if *missed > 0 {
            return Some(format!("desk {name} was overtaken: {missed} deliveries were removed before it fetched them"));
        }
        let warning =
            || format!("desk {name} is overtaken within a day: deliveries that it has not fetched are removed");
        kept.is_overtaken_soon(desk).then(warning)
    })
}
