//! `tdesk lint`: prints the findings of template files.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use model::finding::{Finding, Severity, has_errors};
use model::visible::visible;
use serde::Serialize;
use template_files::{Approved, demote, files_of};

use crate::exit;
use crate::template_file;

/// Check template files against the rules of the API and of WhatsApp.
///
/// A template file is JSON with name, category, language and components. What the channel has approved, as the last
/// pull wrote it, gets hints only. Exits with 1 if there is an error, and with 3 if a file can't be read.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Template files, or folders with them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For programs.
    Json,
    /// For people.
    Text,
}

#[derive(Serialize)]
struct CheckedFile<'a> {
    file: String,
    findings: Vec<JsonOutput<'a>>,
}

#[derive(Serialize)]
struct JsonOutput<'a> {
    code: &'a str,
    severity: Severity,
    path: &'a str,
    message: &'a str,
    source: &'a str,
}

/// Prints the findings of every file that can be read.
pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut judged: Vec<(String, Vec<Finding>)> = Vec::new();
    let mut unreadable = false;
    let mut folders = HashMap::new();
    for file in expand(args.files).await {
        match findings(&file, &mut folders).await {
            Ok(findings) => judged.push((file.to_string_lossy().into_owned(), findings)),
            Err(error) => {
                eprintln!("tdesk: {error:#}");
                unreadable = true;
            }
        }
    }
    let output = match args.format {
        Format::Json => json(&judged)?,
        Format::Text => text(&judged),
    };
    std::io::stdout().lock().write_all(output.as_bytes()).context("could not print the findings")?;
    let refused = judged.iter().any(|(_, findings)| has_errors(findings));
    Ok(match (unreadable, refused) {
        (true, _) => exit::UNAVAILABLE.into(),
        (_, true) => exit::REFUSED.into(),
        _ => ExitCode::SUCCESS,
    })
}

/// The files of the paths. A path that cannot be expanded is kept: the error names it when it is read.
async fn expand(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let (mut files, mut left_out) = (Vec::new(), 0);
    for path in paths {
        match files_of(std::slice::from_ref(&path)).await {
            Ok(found) => {
                files.extend(found.files);
                left_out += found.folders_left_out;
            }
            Err(_) => files.push(path),
        }
    }
    crate::provider::say_left_out(left_out);
    files
}

/// The findings of a file. `folders` keeps the lists of approved files that were read.
async fn findings(file: &Path, folders: &mut HashMap<PathBuf, Approved>) -> anyhow::Result<Vec<Finding>> {
    let bytes = template_file::read(file)?;
    let mut findings = template_file::findings(&bytes);
    if findings.is_empty() {
        return Ok(findings);
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let approved = match folders.entry(folder.to_owned()) {
        Entry::Occupied(read) => read.into_mut(),
        Entry::Vacant(unread) => unread.insert(Approved::read(folder).await?),
    };
    if approved.has(file, &bytes) {
        demote(&mut findings);
    }
    Ok(findings)
}

fn json(judged: &[(String, Vec<Finding>)]) -> anyhow::Result<String> {
    let judged: Vec<CheckedFile<'_>> = judged
        .iter()
        .map(|(file, findings)| CheckedFile {
            file: file.clone(),
            findings: findings
                .iter()
                .map(|finding| JsonOutput {
                    code: finding.code,
                    severity: finding.severity,
                    path: &finding.path,
                    message: &finding.message,
                    source: finding.source,
                })
                .collect(),
        })
        .collect();
    Ok(serde_json::to_string_pretty(&judged)? + "\n")
}

fn text(judged: &[(String, Vec<Finding>)]) -> String {
    let mut out = String::new();
    let mut counts = [0_usize; 3];
    for (file, findings) in judged {
        let file = visible(file);
        for finding in findings {
            let word = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Hint => "hint",
            };
            counts[finding.severity as usize] += 1;
            let path = if finding.path.is_empty() { "/" } else { &finding.path };
            // Writing to a string can't fail.
            let _ = writeln!(out, "{file}: {word}: {path}: {}", visible(&finding.message));
            let _ = writeln!(out, "    [{}] {}", finding.code, finding.source);
        }
    }
    let [errors, warnings, hints] = counts;
    let _ = writeln!(out, "files: {}, errors: {errors}, warnings: {warnings}, hints: {hints}", judged.len());
    out
}
