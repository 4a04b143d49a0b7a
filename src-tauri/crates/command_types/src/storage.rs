//! The files of the data folder: sizes, retention, checks, backups.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StorageState {
    pub folder: String,
    /// Its databases, each with SQLite's auxiliary files.
    pub files: Vec<StoredFile>,
    pub delivery_log: DeliveryLogExtent,
    pub retention: RetentionPolicy,
    pub last_stop: LastStop,
    /// The last check of the files, or the one in progress.
    pub check: FileCheck,
    /// The last backup that was made here.
    pub last_backup: Option<BackupMark>,
    /// A backup that replaces the present files at the next start.
    pub pending_restore: Option<BackupMark>,
    /// Files that were kept aside because they were damaged or replaced, newest first. The app never deletes them.
    pub set_aside: Vec<SetAside>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct StoredFile {
    /// `inbox.sqlite`, `desk.sqlite` or `cache.sqlite`.
    pub name: String,
    /// Size including its write-ahead log.
    pub bytes: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryLogExtent {
    pub deliveries: u64,
    /// When the oldest was received, in Unix milliseconds.
    pub first_at: Option<i64>,
    /// When the newest was received, in Unix milliseconds.
    pub last_at: Option<i64>,
}

/// How the last run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum LastStop {
    Clean,
    /// By a crash, a kill or a power failure. The files are then checked in the background.
    Unclean,
    /// There was no run: the folder is new.
    First,
}

/// A run that did not close normally, in Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CrashedRun {
    pub started_at: i64,
    /// When the next run, which is this one, began.
    pub ended_before: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FileCheck {
    pub state: CheckState,
    /// When the last check ended, in Unix milliseconds.
    pub at: Option<i64>,
    /// Problems, one sentence each.
    pub findings: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum CheckState {
    /// No check has ended yet.
    Never,
    Running,
    Ok,
    /// A file is damaged; the findings contain the file and the remedy.
    Damaged,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BackupMark {
    /// Its folder.
    pub path: String,
    pub at: i64,
}

/// A file that was kept aside.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    /// Its current path.
    pub path: String,
    /// When it was moved there, in Unix milliseconds.
    pub at: i64,
    pub reason: String,
    /// Number of recovered rows: deliveries of a delivery log, rows of a desk.
    pub recovered: Option<u64>,
    /// Number of lost rows, if it can be determined.
    pub lost: Option<u64>,
}

/// How long deliveries are kept. Without a rule, permanently.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct RetentionPolicy {
    /// At most one rule per kind. A kind without a rule is kept permanently.
    pub rules: Vec<RetentionRule>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RetentionRule {
    pub kind: RetentionKind,
    /// Days, 1–36,500.
    pub days: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum RetentionKind {
    Status,
    Message,
    Template,
    /// Accounts, numbers, errors, and unknown events.
    Other,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RetentionPreview {
    pub deliveries: u64,
    /// Total size of their bodies in bytes.
    pub bytes: u64,
    pub kinds: Vec<KindCount>,
    /// When the newest of them was received, in Unix milliseconds.
    pub before: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct KindCount {
    pub kind: RetentionKind,
    pub items: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RetentionReport {
    pub deliveries: u64,
    /// Total size of their bodies in bytes.
    pub bytes: u64,
}

/// A backup that was made or verified.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BackupReport {
    /// Its folder.
    pub path: String,
    pub at: i64,
    /// Total size of its files in bytes.
    pub bytes: u64,
    pub deliveries: u64,
    /// Whether every file was read back and verified. Never `false`: an invalid backup is refused.
    pub checked: bool,
}

/// A backup that replaces the present files at the next start.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RestoreReport {
    pub backup: BackupReport,
    /// Number of deliveries in the delivery log that were received after it was made: they stay in the file that is
    /// kept aside.
    pub newer_deliveries: u64,
}
