//! `tdesk push`: creates and edits templates from files.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use app::exit::TerminationSignals;
use model::visible::{escaped_json, visible};
use serde_json::{Value, json};
use template_files::{Action, CancellationToken, Links, Outcome, Progress, Step, plan, push};

use crate::exit::{self, WrongUsage};
use crate::names::shown;
use crate::provider::{self, Provider, code_of};

/// How long the request in flight is awaited after SIGINT or SIGTERM.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);

/// Create the templates that are missing and edit those that differ.
///
/// Checks every file first; if one would be rejected, nothing is sent. The same applies to warnings about what
/// WhatsApp usually rejects: a variable without a sample, an edit of a template that is in review, disabled
/// or archived, or a new category for an approved one. Warnings are listed with their codes and can be overridden.
/// Waits at rate limits for up to five minutes. Exits with 4 if a request got no response: it may have been carried
/// out. After Ctrl+C, waits three seconds for the request in flight and lists what was not sent.
#[derive(Debug, clap::Args)]
#[command(after_help = crate::exit::CODES)]
pub(crate) struct Args {
    #[command(flatten)]
    provider: Provider,
    /// Template files, or folders with template files; the folders in them are read too.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// WABAs to create new templates in. Default: the `waba_ids` of each file.
    #[arg(long, value_name = "ID[,ID]", value_delimiter = ',')]
    waba: Vec<String>,
    /// Follow links that leave the folder. Without this option, such links stop the push.
    #[arg(long)]
    follow_links: bool,
    /// Code of a warning to override, such as edit.status. Can be repeated.
    #[arg(long = "override", value_name = "CODE", value_parser = codes(), hide_possible_values = true)]
    overrides: Vec<String>,
    /// Show what would be done, and send nothing.
    #[arg(long)]
    dry_run: bool,
    /// Output format: text, or one JSON object per line.
    #[arg(long, default_value = "text")]
    format: Format,
}

fn codes() -> clap::builder::PossibleValuesParser {
    template_files::overridable().collect::<Vec<_>>().into()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let client = args.provider.client()?;
    if let Some(wrong) = args.waba.iter().find(|id| id.parse::<u64>().is_err()) {
        return Err(WrongUsage(format!("--waba `{wrong}` is not a WABA ID: it must be a number")).into());
    }
    let links = if args.follow_links { Links::Follow } else { Links::Refuse };
    let plan = match plan(&client, &args.files, &args.waba, &args.overrides, links).await {
        Ok(plan) => plan,
        Err(error) => return provider::exit_code_for(error),
    };
    if plan.steps.is_empty() {
        eprintln!("tdesk: found no .json files, so there is nothing to push");
    }
    provider::say_left_out(plan.folders_left_out);
    for step in &plan.steps {
        for note in &step.notes {
            eprintln!("{}: {note}", shown(&step.file));
        }
    }
    if args.dry_run || plan.is_blocked() {
        for step in &plan.steps {
            print(args.format, step, &planned(step))?;
        }
        return Ok(if plan.is_blocked() {
            eprintln!("tdesk: nothing was pushed");
            exit::REFUSED.into()
        } else {
            ExitCode::SUCCESS
        });
    }
    let (mut worst, mut unknown, mut skipped) = (0, false, false);
    let mut lost = None;
    let (stop, abandon) = (CancellationToken::new(), CancellationToken::new());
    let signals = tokio::spawn(stop_on_signals(TerminationSignals::listen(), stop.clone(), abandon.clone()));
    push(&client.cancelled_by(abandon), &plan, &stop, |step, progress| {
        let outcome = match progress {
            Progress::Waiting(pause) => {
                eprintln!(
                    "tdesk: {}: the provider limits requests; waiting {} s",
                    shown(&step.file),
                    pause.as_secs().max(1)
                );
                return;
            }
            Progress::Ended(outcome) => outcome,
        };
        skipped |= matches!(outcome, Outcome::Skipped { .. });
        if let Outcome::Failed { error, .. } | Outcome::Unknown { error, .. } = outcome {
            worst = worst.max(code_of(error));
        }
        unknown |= matches!(outcome, Outcome::Unknown { .. });
        lost = lost.take().or_else(|| print(args.format, step, &done(step, outcome)).err());
    })
    .await;
    signals.abort();
    if unknown {
        eprintln!(
            "tdesk: to find out, run the same push with --dry-run: what was carried out is listed as unchanged, once the \
             provider lists it. Created once more, a template can exist twice."
        );
    }
    if let Some(error) = lost {
        worst = worst.max(exit::UNAVAILABLE);
        eprintln!(
            "tdesk: could not write all results to stdout: {}. Run the same push with --dry-run: files that were pushed are \
             listed as unchanged.",
            exit::describe(&error)
        );
    }
    if worst == 0 && skipped && stop.is_cancelled() {
        worst = exit::INTERRUPTED;
    }
    Ok(worst.into())
}

/// Stops a push at a signal: no further request is sent, and the one in flight is awaited for a while, then abandoned.
/// A second signal ends the program at once.
async fn stop_on_signals(mut signals: TerminationSignals, stop: CancellationToken, abandon: CancellationToken) {
    signals.next().await;
    eprintln!("tdesk: waiting for the request in flight; press Ctrl+C again to end at once");
    stop.cancel();
    if tokio::time::timeout(STOP_TIMEOUT, signals.next()).await.is_err() {
        abandon.cancel();
        signals.next().await;
    }
    eprintln!("tdesk: ended at once; the request in flight may have been carried out. Check before you push again.");
    std::process::exit(exit::UNKNOWN.into());
}

/// The planned action for a file, as JSON.
fn planned(step: &Step) -> Value {
    match &step.action {
        Action::Create { wabas } => json!({"action": "create", "wabas": wabas}),
        Action::Edit { uuids, changed } => {
            let changes: Vec<Value> = step
                .changes()
                .into_iter()
                .map(|change| json!({"path": change.path, "before": change.before, "after": change.after}))
                .collect();
            json!({"action": "edit", "uuids": uuids, "changed": changed, "changes": changes})
        }
        Action::Blocked { reasons } => json!({"action": "blocked", "reasons": reasons}),
        _ => json!({"action": "unchanged"}),
    }
}

/// The outcome for a file, as JSON.
fn done(step: &Step, outcome: &Outcome) -> Value {
    let mut line = planned(step);
    match outcome {
        Outcome::Created { uuid } => {
            line["outcome"] = json!("created");
            line["uuid"] = json!(uuid);
        }
        Outcome::Edited => line["outcome"] = json!("edited"),
        Outcome::Unchanged => line["outcome"] = json!("unchanged"),
        Outcome::Skipped { reason } => {
            line["outcome"] = json!("skipped");
            line["reason"] = json!(reason);
        }
        Outcome::Failed { error, created_in } | Outcome::Unknown { error, created_in } => {
            line["outcome"] = json!(if matches!(outcome, Outcome::Unknown { .. }) { "unknown" } else { "failed" });
            line["error"] = json!(error.to_string());
            if !created_in.is_empty() {
                line["created_in"] = json!(created_in);
            }
        }
    }
    line
}

fn print(format: Format, step: &Step, line: &Value) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if format == Format::Json {
        let mut whole = json!({"file": step.file.to_string_lossy(), "name": step.name, "language": step.language});
        let media: Vec<Value> =
            step.media().into_iter().map(|(name, size)| json!({"name": name, "size": size})).collect();
        whole["notes"] = json!(step.notes);
        whole["media"] = json!(media);
        if let (Value::Object(whole), Value::Object(line)) = (&mut whole, line) {
            whole.extend(line.clone());
        }
        writeln!(out, "{}", escaped_json(&whole.to_string()))?;
        return Ok(());
    }
    let words =
        |key: &str| line[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
    let action = line["outcome"].as_str().or(line["action"].as_str()).unwrap_or_default();
    write!(out, "{action} {}", shown(&step.file))?;
    if matches!(action, "create" | "edit") {
        for (name, _) in step.media() {
            write!(out, " with {name}")?;
        }
    }
    match action {
        "create" => write!(out, " in {}", words("wabas"))?,
        "created" => write!(out, " as {}", line["uuid"].as_str().unwrap_or_default())?,
        "edit" | "edited" => write!(out, ": {}", words("changed"))?,
        "skipped" => write!(out, ": {}", line["reason"].as_str().unwrap_or_default())?,
        "failed" | "unknown" => {
            write!(out, ": {}", line["error"].as_str().unwrap_or_default())?;
            if !words("created_in").is_empty() {
                write!(out, " It was created in {}.", words("created_in"))?;
                if action == "failed" {
                    write!(out, " Push again for the others.")?;
                }
            }
        }
        "blocked" => {
            for reason in line["reasons"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                write!(out, "\n  {reason}")?;
            }
        }
        _ => {}
    }
    writeln!(out)?;
    if action == "edit" {
        for change in step.changes() {
            writeln!(out, "  {}", change.path)?;
            for (sign, text) in [('-', change.before), ('+', change.after)] {
                for line in text.iter().flat_map(|text| text.split('\n')) {
                    // Text from the provider must not control the terminal.
                    writeln!(out, "  {sign} {}", visible(line))?;
                }
            }
        }
    }
    Ok(())
}
