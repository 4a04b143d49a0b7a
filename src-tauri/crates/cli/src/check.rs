//! `tdesk check`: the check of a batch, as the window makes it, without a window.

mod mapping;
mod report;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use app::DeskCopy;
use command_types::batch::{BatchPlanRequest, BatchSource};
use command_types::batch_mapping::GuessColumns;
use command_types::error::DeskError;
use command_types::send::SendOptions;
use command_types::template::TemplateId;

use crate::exit::{self, WrongUsage};
use crate::names::shown;
use crate::send::{codes, country};

/// Check a CSV file of recipients and values for a template, as the window checks a batch. Nothing is sent or stored.
///
/// Reads the templates, opt-outs, prices and settings of a desk, whose window may be open. The desk is copied; nothing in
/// its folder changes. Media links are fetched. Exits with 1 if a row would be left out or the whole batch stopped.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::CODES)]
pub(crate) struct Args {
    /// CSV file: a row for each recipient.
    file: PathBuf,
    /// Template name, with its language if there are several: order_update:pt_BR.
    #[arg(long, value_name = "NAME[:LANG]")]
    template: String,
    /// Data folder of the desk, which Settings, Storage shows. Default: TEMPLATE_DESK_HOME.
    #[arg(long, value_name = "FOLDER")]
    desk: Option<PathBuf>,
    /// Name or UUID of the workspace, if the desk has several.
    #[arg(long, value_name = "NAME")]
    workspace: Option<String>,
    /// ID of the sending number. Default: the one that the window starts with.
    #[arg(long, value_name = "NUMBER")]
    number: Option<String>,
    /// Column with the recipient's number. Default: guessed by its name and content.
    #[arg(long, value_name = "COLUMN")]
    to: Option<String>,
    /// Column with the recipient's name. Default: guessed by its name.
    #[arg(long, value_name = "COLUMN")]
    name: Option<String>,
    /// Whether the first row contains column names, if that is not clear from the file.
    #[arg(long, value_name = "YES_OR_NO", value_parser = ["yes", "no"])]
    header: Option<String>,
    /// Country of numbers without country code, such as BR. Default: that of the workspace.
    #[arg(long, value_name = "CODE", value_parser = country)]
    country: Option<String>,
    #[command(flatten)]
    mapping: mapping::Options,
    /// Code of a warning to override, such as to.kind. Can be repeated.
    #[arg(long = "override", value_name = "CODE", value_parser = codes(), hide_possible_values = true)]
    overrides: Vec<String>,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
    /// Also load media from this computer, for a provider that you develop here.
    #[arg(long)]
    allow_loopback_media: bool,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let folder = args.desk.clone().or_else(|| std::env::var_os("TEMPLATE_DESK_HOME").map(PathBuf::from));
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).ok_or_else(|| {
        WrongUsage("set --desk to the data folder of the desk, which Settings, Storage shows".to_owned())
    })?;
    // A file that cannot be opened is another error than one that cannot be used.
    std::fs::File::open(&args.file).with_context(|| format!("could not read {}", shown(&args.file)))?;
    let opened = DeskCopy::open(&folder, args.allow_loopback_media).await;
    let desk = opened.with_context(|| format!("could not read the desk in {}", shown(&folder)))?;
    let checked = check(&desk, &args).await;
    desk.close().await;
    match checked {
        Ok(checked) => {
            let output = if args.json { checked.json()? } else { checked.text() };
            std::io::stdout().lock().write_all(output.as_bytes()).context("could not print the result")?;
            Ok(if checked.is_clean() { ExitCode::SUCCESS } else { exit::REFUSED.into() })
        }
        Err(Failure::Usage(message)) => Err(WrongUsage(message).into()),
        Err(Failure::Desk(DeskError::InvalidInput { message, .. })) => Err(WrongUsage(message).into()),
        Err(Failure::Desk(error @ (DeskError::NotFound { .. } | DeskError::File { .. }))) => {
            eprintln!("tdesk: {}", model::visible::visible(&error.to_string()));
            Ok(exit::REFUSED.into())
        }
        Err(Failure::Desk(error)) => Err(error.into()),
    }
}

enum Failure {
    Usage(String),
    Desk(DeskError),
}

impl From<DeskError> for Failure {
    fn from(error: DeskError) -> Self {
        Self::Desk(error)
    }
}

async fn check(desk: &DeskCopy, args: &Args) -> Result<report::Checked, Failure> {
    let (workspace, settings) = desk.workspace(args.workspace.as_deref()).await?;
    let (name, language) = match args.template.split_once(':') {
        Some((name, language)) => (name, Some(language)),
        None => (args.template.as_str(), None),
    };
    let template = desk.template(&workspace, name, language).await?;
    let id = TemplateId { workspace: workspace.clone(), reference: template.reference.clone() };
    let form = desk.messaging.get_send_form(id).await?;
    let mut file = desk.messaging.read_csv(&args.file).await?;
    if let Some(header) = &args.header {
        let has_header = header == "yes";
        let request = command_types::batch::SetCsvHeader { file: file.id.clone(), has_header };
        file = desk.messaging.set_csv_header(request).await?;
    }
    if file.header_uncertain {
        let row = file.first_row.join(", ");
        let message =
            format!("the first row ({row}) can be column names or a recipient; say which with --header yes or no");
        return Err(Failure::Usage(message));
    }
    let (of, reference) = (workspace.clone(), template.reference.clone());
    let guess = GuessColumns { workspace: of, reference, file: file.id.clone() };
    let guess = desk.messaging.guess_columns(guess).await?;
    let columns = file.columns.join(", ");
    let to =
        args.to.clone().or(guess.to).ok_or_else(|| {
            Failure::Usage(format!("choose the column with the recipient's number with --to: {columns}"))
        })?;
    let values = args.mapping.values(&form.parts, &guess.parts).map_err(Failure::Usage)?;
    let number = args.number.clone().unwrap_or(form.number);
    let name_column = args.name.clone().or(guess.name).filter(|name| *name != to);
    let request = BatchPlanRequest {
        workspace,
        reference: template.reference,
        number: number.clone(),
        options: SendOptions { overrides: args.overrides.clone(), track: true, ..SendOptions::default() },
        country: args.country.clone(),
        source: BatchSource::Csv { file: file.id, to: to.clone(), name: name_column.clone(), values: values.clone() },
    };
    let plan = desk.messaging.check_batch(&request).await?;
    Ok(report::Checked {
        file: shown(&args.file),
        workspace: settings.name,
        template: form.name,
        language: template.language,
        category: form.category,
        number,
        to,
        name: name_column,
        values,
        overrides: args.overrides.clone(),
        plan,
    })
}
