//! `tdesk pull`: saves the provider's templates as files.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use template_files::{CancellationToken, ListFilter, Samples, pull};

use model::visible::visible;

use crate::exit;
use crate::names::shown;
use crate::provider::{self, Provider};

/// Save all templates of the workspace to a folder, one file per template, with their media samples.
///
/// Unchanged files are not touched. Lists what could not be saved completely and then exits with 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    provider: Provider,
    /// Folder for the files; created if it does not exist.
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Only templates of this WABA.
    #[arg(long, value_name = "ID")]
    waba: Option<String>,
    /// Only templates of this business.
    #[arg(long, value_name = "ID")]
    business: Option<String>,
    /// Only templates with this status, such as APPROVED.
    #[arg(long, value_name = "STATUS")]
    status: Option<String>,
    /// Only templates in this category.
    #[arg(long, value_name = "CATEGORY")]
    category: Option<String>,
    /// Only templates whose name contains this text.
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Include archived templates.
    #[arg(long)]
    archived: bool,
    /// Don't load media samples of headers and cards; existing sample files are kept.
    #[arg(long)]
    no_media: bool,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let client = args.provider.client()?;
    let filter = ListFilter {
        business_id: args.business,
        waba_id: args.waba,
        status: args.status.as_deref().map(Into::into),
        category: args.category.as_deref().map(Into::into),
        search: args.search,
    };
    let samples =
        if args.no_media { None } else { Some(Samples::new(CancellationToken::new(), args.provider.reach())?) };
    let pulled = match pull(&client, &filter, &args.folder, args.archived, samples.as_ref()).await {
        Ok(pulled) => pulled,
        Err(error) => return provider::exit_code_for(error),
    };
    let mut out = std::io::stdout().lock();
    for (what, files) in [("new", &pulled.created), ("changed", &pulled.updated)] {
        for file in files {
            writeln!(out, "{what} {}", shown(file))?;
        }
    }
    let (new, changed, same) = (pulled.created.len(), pulled.updated.len(), pulled.unchanged.len());
    eprintln!(
        "{new} new, {changed} changed, {same} unchanged, {} media; {} archived skipped",
        pulled.media, pulled.archived
    );
    for file in &pulled.unlisted {
        eprintln!("{}: the provider does not list this template; `tdesk push` would create it", shown(file));
    }
    for problem in &pulled.unreadable {
        eprintln!("tdesk: {}", visible(problem));
    }
    if pulled.incomplete {
        eprintln!("tdesk: the provider reports more templates than it listed");
    }
    let whole = pulled.unreadable.is_empty() && !pulled.incomplete;
    Ok(if whole { ExitCode::SUCCESS } else { exit::REFUSED.into() })
}
