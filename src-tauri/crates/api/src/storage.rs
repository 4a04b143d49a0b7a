//! The files of the data folder: how large they are, how long deliveries are kept, checks, backups.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Everything the storage screen shows.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StorageState {
    /// The data folder.
    pub folder: String,
    /// Its databases with what SQLite keeps beside them.
    pub files: Vec<StoredFile>,
    /// What the inbox holds.
    pub inbox: InboxExtent,
    /// How long deliveries are kept.
    pub retention: RetentionPolicy,
    /// How the last run ended.
    pub last_stop: LastStop,
    /// The last check of the files, or the one that is under way.
    pub check: FileCheck,
    /// The last backup that was made here.
    pub last_backup: Option<BackupMark>,
    /// A backup that takes the place of the present files at the next start.
    pub pending_restore: Option<BackupMark>,
    /// Files that were kept aside because they were damaged or replaced, newest first. Nothing deletes them.
    pub set_aside: Vec<SetAside>,
}

/// A database file.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct StoredFile {
    /// `inbox.sqlite`, `desk.sqlite` or `cache.sqlite`.
    pub name: String,
    /// Size with its write-ahead log.
    pub bytes: u64,
}

/// What the inbox holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct InboxExtent {
    /// Deliveries in it.
    pub deliveries: u64,
    /// When the oldest of them came, in Unix milliseconds.
    pub first_at: Option<i64>,
    /// When the newest of them came, in Unix milliseconds.
    pub last_at: Option<i64>,
}

/// How the last run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum LastStop {
    /// In order.
    Clean,
    /// By a crash, a kill or a power cut. The files are checked in the background then.
    Unclean,
    /// There was none: the folder is new.
    First,
}

/// A check of the files.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FileCheck {
    /// What it came to.
    pub state: CheckState,
    /// When the last one ended, in Unix milliseconds.
    pub at: Option<i64>,
    /// What is wrong, a sentence each.
    pub findings: Vec<String>,
}

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum CheckState {
    /// None has ended yet.
    Never,
    /// One is under way.
    Running,
    /// Nothing is wrong.
    Ok,
    /// A file is damaged; the findings say which and what happens with it.
    Damaged,
}

/// A backup and its instant.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BackupMark {
    /// Its folder.
    pub path: String,
    /// When it was made, in Unix milliseconds.
    pub at: i64,
}

/// A file that was kept aside.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    /// Where it is now.
    pub path: String,
    /// When it was put there, in Unix milliseconds.
    pub at: i64,
    /// Why, in words.
    pub reason: String,
    /// Rows that could be taken over from it: deliveries of an inbox, rows of a desk.
    pub recovered: Option<u64>,
    /// Rows that could not, as far as that can be counted.
    pub lost: Option<u64>,
}

/// How long deliveries are kept. Without a rule, for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct RetentionPolicy {
    /// At most one rule a kind. A kind without one is kept for ever.
    pub rules: Vec<RetentionRule>,
}

/// How long one kind of event is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RetentionRule {
    /// The kind.
    pub kind: RetentionKind,
    /// Days, 1–36,500.
    pub days: u32,
}

/// What retention tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum RetentionKind {
    /// What happened to sent messages.
    Status,
    /// Messages that came in.
    Message,
    /// Everything about templates.
    Template,
    /// Accounts, numbers, errors, and what is unknown.
    Other,
}

/// What applying a policy now would remove.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RetentionPreview {
    /// Deliveries.
    pub deliveries: u64,
    /// Bytes of their bodies.
    pub bytes: u64,
    /// What is in them, by kind.
    pub kinds: Vec<KindCount>,
    /// The newest of them came at this instant, in Unix milliseconds.
    pub before: Option<i64>,
}

/// How many items there are of a kind.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct KindCount {
    /// The kind.
    pub kind: RetentionKind,
    /// How many.
    pub items: u64,
}

/// What applying the policy removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RetentionReport {
    /// Deliveries.
    pub deliveries: u64,
    /// Bytes of their bodies.
    pub bytes: u64,
}

/// A backup that was made, or that was looked at and found whole.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BackupReport {
    /// Its folder.
    pub path: String,
    /// When it was made, in Unix milliseconds.
    pub at: i64,
    /// Size of its files.
    pub bytes: u64,
    /// Deliveries in it.
    pub deliveries: u64,
    /// Whether every file was read back and found whole; a backup that is not is refused, so this is never `false`.
    pub checked: bool,
}

/// A backup that takes the place of the present files at the next start.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RestoreReport {
    /// The backup.
    pub backup: BackupReport,
    /// Deliveries in the inbox now that came after it was made: they stay in the file that is kept aside.
    pub newer_deliveries: u64,
}
