//! Files from every released format, from newer versions, from other programs, and damaged ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use store::desk::{ItemState, RunState, SendKind};
use store::{Cache, DeliveryLog, DeliveryLogReader, Desk, StoreError};
use tempfile::TempDir;

/// A format that a release has.
struct Format {
    /// The step that leads to it. Never changed once it is released: see decision 0045.
    schema: &'static str,
    /// SHA-256 of the step.
    sha256: &'static str,
    /// Rows that the release writes, in addition to those of the formats before.
    rows: &'static str,
}

/// From format 1, which is that of 0.1.0.
const LOG: &[Format] = &[Format {
    schema: include_str!("../../schema/inbox.sql"),
    sha256: "c7ab3519d6d42c06f48d656e60c1a6d07526a4ece6291a95fdc5e7d86c575f22",
    rows: include_str!("fixtures/inbox.sql"),
}];
const DESK: &[Format] = &[Format {
    schema: include_str!("../../schema/desk.sql"),
    sha256: "37219d1f86e3f475052aa7a9335131d764b882cc7a412f4b89430f7bb4870ce0",
    rows: include_str!("fixtures/desk.sql"),
}];

/// Creates a file in the last of the formats, as its release would have.
fn build(path: &Path, application_id: i32, formats: &[Format]) {
    let raw = Connection::open(path).unwrap();
    raw.execute_batch("PRAGMA journal_mode = WAL; PRAGMA auto_vacuum = INCREMENTAL").unwrap();
    for format in formats {
        raw.execute_batch(format.schema).unwrap();
        raw.execute_batch(format.rows).unwrap();
    }
    raw.pragma_update(None, "application_id", application_id).unwrap();
    raw.pragma_update(None, "user_version", formats.len()).unwrap();
}

/// The number of rows of each table, none of which is empty.
fn row_counts(path: &Path) -> BTreeMap<String, i64> {
    let raw = Connection::open(path).unwrap();
    let mut names = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL").unwrap();
    let names: Vec<String> = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let count = |name: String| {
        let rows = raw.query_row(&format!("SELECT count(*) FROM \"{name}\""), [], |row| row.get(0)).unwrap();
        assert!(rows > 0, "the fixture has no row of {name}");
        (name, rows)
    };
    names.into_iter().map(count).collect()
}

/// Everything in the schema of a file, without SQLite's own tables.
fn schema(path: &Path) -> Vec<(String, Option<String>)> {
    let raw = Connection::open(path).unwrap();
    let sql = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut statement = raw.prepare(sql).unwrap();
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

/// Builds a file of each format, opens it, and checks that it has the newest schema and no table lost a row.
fn open_every_format<T>(formats: &[Format], open: impl Fn(&Path) -> Result<T, StoreError>) -> Vec<(TempDir, T)> {
    let new = tempfile::tempdir().unwrap();
    let new_path = new.path().join("new.sqlite");
    drop(open(&new_path).unwrap());
    let id = pragma(&new_path, "application_id");
    let newest = usize::try_from(pragma(&new_path, "user_version")).unwrap();
    assert_eq!(formats.len(), newest, "a fixture of the newest format is missing");
    let open_one = |format: usize| {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file.sqlite");
        build(&path, id, &formats[..format]);
        let before = row_counts(&path);
        let opened = open(&path).unwrap();
        assert_eq!(schema(&path), schema(&new_path), "format {format}");
        let after = row_counts(&path);
        assert!(before.iter().all(|(name, rows)| after[name] >= *rows), "{before:?} became {after:?}");
        (dir, opened)
    };
    (1..=newest).map(open_one).collect()
}

fn pragma(path: &Path, name: &str) -> i32 {
    Connection::open(path).unwrap().pragma_query_value(None, name, |row| row.get(0)).unwrap()
}

fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // The shared memory of the WAL is an index of it, not data; a lock file is empty.
        .filter(|path| ["-shm", ".lock"].iter().all(|end| !path.to_string_lossy().ends_with(end)))
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

fn open_delivery_log(path: &Path) -> Result<(), StoreError> {
    DeliveryLog::open(path).map(drop)
}

fn open_desk(path: &Path) -> Result<(), StoreError> {
    Desk::open(path).map(drop)
}

#[test]
fn released_schemas_do_not_change() {
    for format in LOG.iter().chain(DESK) {
        let digest = ring::digest::digest(&ring::digest::SHA256, format.schema.as_bytes());
        let found: String = digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let first = format.schema.lines().next().unwrap_or_default();
        // Before the release, the new digest belongs here; after it, a step of its own: see decision 0045.
        assert_eq!(found, format.sha256, "the schema that starts with {first:?} has changed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn delivery_logs_of_every_format_open_with_all_deliveries() {
    for (dir, delivery_log) in open_every_format(LOG, DeliveryLog::open) {
        assert_eq!((delivery_log.log_id(), *delivery_log.stored().borrow()), ("identity", 7));
        let reader = DeliveryLogReader::open(&dir.path().join("file.sqlite")).unwrap();
        let delivery = reader.get(7).await.unwrap().unwrap();
        assert_eq!((delivery.body.as_slice(), delivery.headers.len()), ([0xff, 0x00].as_slice(), 1));
        assert_eq!(delivery.origin.as_deref(), Some("source/eu-1/7"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn desks_of_every_format_open_with_all_rows() {
    for (_dir, desk) in open_every_format(DESK, Desk::open) {
        assert_eq!(desk.setting("theme").await.unwrap().as_deref(), Some("\"dark\""));
        assert_eq!(desk.workspaces().await.unwrap().len(), 1);
        assert_eq!(desk.draft("d").await.unwrap().unwrap().document, "{\"a\":1}");
        let submission = desk.submission("s").await.unwrap().unwrap();
        assert_eq!(submission.response_body.as_deref(), Some("x"));
        assert_eq!(submission.status_before.as_deref(), Some("APPROVED"));
        assert_eq!(submission.files.as_deref(), Some("{}"));
        assert_eq!(desk.recent_files().await.unwrap().len(), 1);
        assert_eq!(desk.versions("w", "r").await.unwrap().len(), 1);
        let send = desk.send("t").await.unwrap().unwrap();
        assert_eq!((send.status.as_deref(), send.kind), (Some("read"), SendKind::Template));
        assert_eq!((send.request.as_deref(), send.batch), (Some("{\"values\":{}}"), Some(("b".to_owned(), 4))));
        let outcomes = desk.outcomes("t").await.unwrap();
        assert_eq!((outcomes.len(), outcomes[0].received_at), (1, Some(4)));
        assert_eq!(desk.template_events("w", "promo", "pt_BR", None, 10).await.unwrap().len(), 1);
        assert_eq!(desk.observations("w", 10).await.unwrap().len(), 1);
        assert_eq!(desk.read_marks().await.unwrap().len(), 1);
        assert_eq!(
            desk.no_answer_until("w", &["55".to_owned()]).await.unwrap(),
            [("55".to_owned(), 1_700_000_000_000)]
        );
        assert_eq!(desk.recipients("w").await.unwrap().len(), 1);
        let batch = desk.batch("b").await.unwrap().unwrap();
        let counts = vec![("planned".into(), 1), ("read".into(), 1)];
        assert_eq!((batch.state, batch.counts), (RunState::Interrupted, counts));
        let counts = [ItemState::Done, ItemState::Planned, ItemState::Unknown].map(|state| (state, 1)).to_vec();
        let bulk_action = desk.bulk_action("o").await.unwrap().unwrap();
        assert_eq!((bulk_action.state, &bulk_action.counts), (RunState::Interrupted, &counts));
        let import = desk.last_import("w").await.unwrap().unwrap();
        assert_eq!((import.state, &import.counts), (RunState::Interrupted, &counts));
    }
}

#[test]
fn a_newer_file_is_refused_and_not_changed() {
    for open in [open_delivery_log, open_desk] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file.sqlite");
        open(&path).unwrap();
        {
            // Its last commit is still in the WAL, which must not change either.
            let raw = Connection::open(&path).unwrap();
            raw.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
            raw.execute_batch("CREATE TABLE of_the_future (x); PRAGMA user_version = 99").unwrap();
        }
        let before = files(dir.path());
        assert_eq!(before.len(), 2, "with a WAL");
        match open(&path) {
            Err(StoreError::Newer { found: 99, known, .. }) => assert!(known < 99),
            other => panic!("{other:?}"),
        }
        assert!(matches!(DeliveryLogReader::open(&path), Err(StoreError::Newer { .. } | StoreError::Foreign(_))));
        assert_eq!(files(dir.path()), before);
    }
}

#[test]
fn a_foreign_or_broken_file_is_refused_and_not_changed() {
    for open in [open_delivery_log, open_desk] {
        let dir = tempfile::tempdir().unwrap();
        let foreign = dir.path().join("foreign.sqlite");
        Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
        let broken = dir.path().join("broken.sqlite");
        std::fs::write(&broken, "this is no database, whatever its name says".repeat(100)).unwrap();
        let before = files(dir.path());
        assert!(matches!(open(&foreign), Err(StoreError::Foreign(path)) if path == foreign));
        match open(&broken) {
            Err(error @ StoreError::Damaged { .. }) => assert!(error.is_damage()),
            other => panic!("{other:?}"),
        }
        assert_eq!(files(dir.path()), before);
    }
    // The files of this program are not confused with each other.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("desk.sqlite");
    open_desk(&path).unwrap();
    assert!(matches!(open_delivery_log(&path), Err(StoreError::Foreign(_))));
}

#[test]
fn files_are_configured_for_durability() {
    let dir = tempfile::tempdir().unwrap();
    for (name, create) in [
        ("inbox.sqlite", (|path: &Path| drop(DeliveryLog::open(path).unwrap())) as fn(&Path)),
        ("desk.sqlite", |path| drop(Desk::open(path).unwrap())),
        ("cache.sqlite", |path| drop(Cache::open(path))),
    ] {
        let path = dir.path().join(name);
        create(&path);
        let raw = Connection::open(&path).unwrap();
        let mode: String = raw.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal", "{name}");
        let vacuum: i32 = raw.pragma_query_value(None, "auto_vacuum", |row| row.get(0)).unwrap();
        assert_eq!(vacuum, 2, "{name}");
        assert_ne!(pragma(&path, "application_id"), 0, "{name}");
        assert_ne!(pragma(&path, "user_version"), 0, "{name}");
    }
}
