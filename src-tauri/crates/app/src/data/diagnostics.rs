//! Diagnostics for support: an allow-list of facts about the app, and failures of the page. Nothing that people wrote
//! and no secret is in them.

mod redact;

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use command_types::Nothing;
use command_types::error::Result;
use command_types::preferences::Preferences;
use command_types::receiver::ReceiverState;
use command_types::storage::StorageState;
use command_types::support::{FailureDetails, PageFailure, SavedDiagnostics};
use command_types::workspace::{WorkspaceId, WorkspaceSettings, WorkspaceSummary};
use outgoing::compute::blocking;
use outgoing::now;
use serde::Serialize;
use store::{StoreFile, row_counts};
use url::Url;

use crate::context::lock;
use crate::data::Data;
use crate::text::file_timestamp;
use command_types::error::DeskError;

const MAX_LOG_LINES: usize = 300;
/// Maximum number of bytes that are read of a log file, from its end.
const MAX_LOG_BYTES: u64 = 256 << 10;
/// Maximum number of failures of the page that are kept until the app ends.
const MAX_FAILURES: usize = 5;

/// Names of errors that JavaScript and the page's libraries use.
const ERRORS: [&str; 11] = [
    "Error",
    "AbortError",
    "AggregateError",
    "DOMException",
    "EvalError",
    "InternalError",
    "NotFoundError",
    "RangeError",
    "ReferenceError",
    "SyntaxError",
    "TypeError",
];
/// The screens, as their addresses begin.
const SCREENS: [&str; 10] =
    ["activity", "drafts", "help", "inbox", "insights", "phone", "review", "sends", "settings", "templates"];

/// The last failures of the page, oldest first.
pub(super) type Failures = VecDeque<String>;

impl Data {
    /// Facts about this app, its files and its last log lines, as text in English. `system` are names and values that
    /// only the host knows.
    pub async fn diagnostics(&self, system: Vec<(&'static str, String)>) -> Result<String> {
        let mut text = Text::default();
        let context = &self.0.context;
        text.line("Template Desk diagnostics");
        text.line(
            "Made of known facts only: no names, numbers, messages, templates, addresses or secrets. In the log, … \
             replaces every word that is not one of the app's own.",
        );

        text.section("App");
        text.fact("version", env!("CARGO_PKG_VERSION"));
        text.fact("created", file_timestamp(now()));
        text.fact("system", format!("{} {}", std::env::consts::OS, std::env::consts::ARCH));
        for (name, value) in system {
            text.fact(name, redact::word(&value));
        }

        let storage = self.get_storage(Nothing {}).await?;
        text.storage(&storage);
        text.fact("permissions", if context.folder.exposed().is_some() { "open to others" } else { "private" });
        for file in StoreFile::ALL {
            let path = context.folder.file(file);
            let counts = blocking(move || row_counts::count(&path, file)).await?;
            text.section(&format!("Rows of {}", file.file_name()));
            match counts {
                Ok(counts) => {
                    text.fact("format", counts.format);
                    for (table, rows) in counts.tables {
                        text.fact(&table, rows);
                    }
                }
                Err(error) => text.fact("unreadable", redact::text(&error.to_string())),
            }
        }

        text.preferences(&self.0.workspaces.preferences());
        text.section("Secrets and webhooks");
        text.fact("keyring", word(&context.secrets.state().await));
        text.receiver(&self.0.webhooks.receiver_state());
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for refused in self.0.webhooks.list_refused_deliveries(Nothing {}).await? {
            *reasons.entry(word(&refused.reason)).or_default() += 1;
        }
        for (reason, count) in reasons {
            text.fact(&format!("rejected deliveries, {reason}"), count);
        }
        let projection = self.0.webhooks.get_projection(Nothing {}).await?;
        text.fact("events to process", projection.behind);

        for (number, workspace) in (1_usize..).zip(self.0.workspaces.workspace_summaries().await?) {
            let request = WorkspaceId { workspace: workspace.id.clone() };
            let settings = self.0.workspaces.get_workspace(request).await.map(|workspace| workspace.settings);
            text.workspace(number, &workspace, settings.as_ref().ok());
        }

        text.section("Failures of the page");
        let failures = lock(&self.0.failures).clone();
        for failure in &failures {
            text.line(failure);
        }

        text.section("Log");
        let folder = context.folder.logs();
        for line in blocking(move || log_lines(&folder)).await? {
            text.line(&line);
        }
        Ok(text.0)
    }

    /// Saves diagnostics to a file that only its owner can read.
    pub async fn save_diagnostics_to(&self, path: &Path, text: String) -> Result<SavedDiagnostics> {
        let to = path.to_owned();
        blocking(move || store::private::write(&to, text.as_bytes()))
            .await?
            .map_err(|error| DeskError::file_io(path.display().to_string(), &error, error.to_string()))?;
        Ok(SavedDiagnostics { path: path.display().to_string() })
    }

    #[must_use]
    pub fn diagnostics_file_name(&self) -> String {
        format!("Template Desk diagnostics {}.txt", file_timestamp(now()))
    }

    #[must_use]
    pub fn log_folder(&self) -> std::path::PathBuf {
        self.0.context.folder.logs()
    }

    /// Records an error of the page in the log and for diagnostics, and returns it as it may be shown to others.
    pub async fn report_page_failure(&self, failure: PageFailure) -> Result<FailureDetails> {
        let name = redact::one_of(&failure.name, &ERRORS);
        let screen = failure.screen.trim_start_matches(['#', '/']).split(['/', '?']).next().unwrap_or_default();
        let screen = redact::one_of(screen, &SCREENS);
        tracing::error!("the page failed");
        let mut text = format!("{} {name} in {screen}: {}", file_timestamp(now()), redact::text(&failure.message));
        for (part, stack) in [("stack", failure.stack), ("components", failure.components)] {
            for frame in redact::frames(&stack) {
                // Writing to a string cannot fail.
                let _written = write!(text, "\n  {part} {frame}");
            }
        }
        let mut failures = lock(&self.0.failures);
        if failures.len() == MAX_FAILURES {
            failures.pop_front();
        }
        failures.push_back(text.clone());
        Ok(FailureDetails { text: format!("Template Desk {}\n{text}", env!("CARGO_PKG_VERSION")) })
    }
}

/// The text, in sections of `name: value`.
#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn section(&mut self, title: &str) {
        self.line("");
        self.line(&format!("[{title}]"));
    }

    fn fact(&mut self, name: &str, value: impl std::fmt::Display) {
        self.line(&format!("{name}: {value}"));
    }

    fn storage(&mut self, storage: &StorageState) {
        self.section("Files");
        for file in &storage.files {
            self.fact(&format!("{}, bytes", file.name), file.bytes);
        }
        self.fact("deliveries", storage.delivery_log.deliveries);
        self.fact("last stop", word(&storage.last_stop));
        self.fact("check", word(&storage.check.state));
        self.fact("problems found by the check", storage.check.findings.len());
        self.fact("files set aside", storage.set_aside.len());
        self.fact("retention rules", storage.retention.rules.len());
        self.fact("backup made here", storage.last_backup.is_some());
        self.fact("restore waits for the next start", storage.pending_restore.is_some());
    }

    fn preferences(&mut self, preferences: &Preferences) {
        self.section("Preferences");
        let language = preferences.language.as_str();
        self.fact("language", if language.is_empty() { "of the system".to_owned() } else { redact::word(language) });
        self.fact("colours", word(&preferences.color_scheme));
        self.fact("density", word(&preferences.density));
        self.fact("contrast", word(&preferences.contrast));
        self.fact("size of text, percent", preferences.text_scale);
        self.fact("notifications", preferences.notify);
        self.fact("keeps running", preferences.keep_running);
        self.fact("tray icon", preferences.tray);
    }

    fn receiver(&mut self, state: &ReceiverState) {
        let (word, address) = match state {
            ReceiverState::Starting {} => ("starting", None),
            ReceiverState::Listening { address, .. } => ("listening", Some(address)),
            ReceiverState::Failed { address, .. } => ("failed", Some(address)),
        };
        self.fact("receiver", word);
        if let Some(address) = address.and_then(|address| address.parse::<std::net::SocketAddr>().ok()) {
            let reach = if address.ip().is_loopback() { "this computer" } else { "the network" };
            self.fact("receiver, reachable from", reach);
            self.fact("receiver, port", address.port());
        }
    }

    fn workspace(&mut self, number: usize, workspace: &WorkspaceSummary, settings: Option<&WorkspaceSettings>) {
        self.section(&format!("Workspace {number}"));
        self.fact("sandbox", workspace.sandbox);
        self.fact("credentials", word(&workspace.credentials));
        self.fact("needs attention", word(&workspace.attention));
        if let Some(days) = workspace.token_days_left {
            self.fact("days until the token expires", days);
        }
        let Some(settings) = settings else { return };
        if let Ok(url) = Url::parse(&settings.base_url) {
            let place = if provider_client::is_this_machine(&url) { "this computer" } else { "another computer" };
            self.fact("provider", format!("{} on {}", redact::word(url.scheme()), place));
        }
        self.fact("kind of credentials", word(&settings.credential_kind));
        self.fact("sending numbers", settings.numbers.len());
        self.fact(
            "sending numbers with their own webhook",
            settings.numbers.iter().filter(|one| one.own_webhook).count(),
        );
        self.fact("WABAs", settings.waba_ids.len());
        self.fact("field of WABAs", word(&settings.waba_field));
        self.fact("unencrypted by choice", settings.allow_unencrypted);
    }
}

/// The word of a state as the page gets it; of a state with fields only that word.
fn word(state: &impl Serialize) -> String {
    let state = serde_json::to_value(state).unwrap_or_default();
    let word = state.as_str().or_else(|| state.get("state")?.as_str()).unwrap_or_default();
    redact::word(word)
}

/// The last lines of the log files, redacted.
fn log_lines(folder: &Path) -> Vec<String> {
    let mut files: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).collect();
    // Names have the day; a full file of a day (`.full.log`) comes before the one that replaced it (`.log`).
    files.sort();
    let mut lines = VecDeque::new();
    for file in files.iter().rev() {
        let Ok(text) = end_of(file) else { continue };
        for line in text.lines().rev().filter_map(redact::log_line) {
            if lines.len() == MAX_LOG_LINES {
                return lines.into();
            }
            lines.push_front(line);
        }
    }
    lines.into()
}

/// The end of a file, from the start of a line.
fn end_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let start = file.metadata()?.len().saturating_sub(MAX_LOG_BYTES);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(MAX_LOG_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(if start == 0 { text.into_owned() } else { text.split_once('\n').map_or("", |(_, rest)| rest).to_owned() })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;

    #[test]
    fn the_newest_lines_of_all_log_files_are_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let line =
            |second: usize| format!("2026-11-23T12:{:02}:{:02}Z  INFO app: the app starts\n", second / 60, second % 60);
        let write = |name: &str, seconds: std::ops::Range<usize>| {
            std::fs::write(folder.path().join(name), seconds.map(line).collect::<String>()).unwrap();
        };
        write("template-desk.2026-11-22.log", 0..100);
        write("template-desk.2026-11-23.full.log", 100..200);
        write("template-desk.2026-11-23.log", 200..400);
        let lines = log_lines(folder.path());
        assert_eq!(lines.len(), MAX_LOG_LINES);
        assert!(lines.is_sorted(), "{lines:?}");
        assert!(lines[299].starts_with("2026-11-23T12:06:39Z INFO app the app starts"), "{}", lines[299]);
        assert_eq!(log_lines(&folder.path().join("absent")), Vec::<String>::new());
    }

    #[test]
    fn only_the_end_of_a_long_log_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        std::fs::write(&path, format!("{}\nlast\n", "é".repeat(200_000))).unwrap();
        assert_eq!(end_of(&path).unwrap(), "last\n");
    }
}
