//! R13: files of every released format, and of future formats, opened by a whole desk.

use std::path::Path;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use tempfile::TempDir;

use super::Form;
use super::check;
use super::desk::{Desk, TestFolder, WORKSPACE, start_and_kill};
use super::disk::copy_files;
use super::events;

/// The released schemas, one step each.
const INBOX: [&str; 3] = [
    include_str!("../../../../store/tests/integration/fixtures/inbox-1.sql"),
    include_str!("../../../../store/tests/integration/fixtures/inbox-2.sql"),
    include_str!("../../../../store/tests/integration/fixtures/inbox-3.sql"),
];
const DESK: [&str; 8] = [
    include_str!("../../../../store/tests/integration/fixtures/desk-1.sql"),
    include_str!("../../../../store/tests/integration/fixtures/desk-2.sql"),
    include_str!("../../../../store/tests/integration/fixtures/desk-3.sql"),
    include_str!("../../../../store/tests/integration/fixtures/desk-4.sql"),
    include_str!("../../../../store/tests/integration/fixtures/desk-5.sql"),
    include_str!("../../../../store/tests/integration/fixtures/desk-6.sql"),
    include_str!("../../../../store/tests/integration/fixtures/desk-7.sql"),
    include_str!("../../../../store/tests/integration/fixtures/desk-8.sql"),
];
/// Rows of the first formats. Later formats contain these and more.
const ROWS: [(&str, &str); 6] = [
    ("inbox.sqlite", "SELECT inbox_id FROM meta"),
    ("inbox.sqlite", "SELECT seq, received_at, route, headers, body FROM delivery ORDER BY seq"),
    ("desk.sqlite", "SELECT * FROM setting WHERE key = 'theme'"),
    ("desk.sqlite", "SELECT id, position, settings, created_at, updated_at FROM workspace ORDER BY id"),
    ("desk.sqlite", "SELECT id, workspace_id, name, language, document, created_at FROM draft ORDER BY id"),
    ("desk.sqlite", "SELECT id, number, recipient, payload, state, message_id, created_at FROM send ORDER BY id"),
];
const DELIVERIES: u64 = 64;

/// All released pairs of formats of inbox and desk except the newest pair.
pub(super) fn formats() -> Vec<(usize, usize)> {
    let all = (1..=INBOX.len()).flat_map(|inbox| (1..=DESK.len()).map(move |desk| (inbox, desk)));
    all.filter(|old| *old != (INBOX.len(), DESK.len())).collect()
}

/// A data folder of an old release.
pub(super) fn old_folder((inbox, desk): (usize, usize)) -> TempDir {
    let temp = TempDir::new().unwrap();
    let folder = temp.path().join("desk");
    std::fs::create_dir(&folder).unwrap();
    let create = |name: &str, application: &[u8; 4], steps: &[&str]| {
        let file = Connection::open(folder.join(name)).unwrap();
        file.execute_batch("PRAGMA journal_mode = WAL; PRAGMA auto_vacuum = INCREMENTAL").unwrap();
        for step in steps {
            file.execute_batch(step).unwrap();
        }
        file.pragma_update(None, "application_id", i32::from_be_bytes(*application)).unwrap();
        file.pragma_update(None, "user_version", steps.len()).unwrap();
        file
    };
    let file = create("inbox.sqlite", b"TDin", &INBOX[..inbox]);
    file.execute("INSERT INTO meta (id, inbox_id) VALUES (1, 'an old inbox')", []).unwrap();
    for number in 0..DELIVERIES {
        file.execute(
            "INSERT INTO delivery (received_at, route, headers, body) VALUES (1700000000000, ?1, '[]', ?2)",
            (WORKSPACE, events::body(number).as_bytes()),
        )
        .unwrap();
    }
    let file = create("desk.sqlite", b"TDdk", &DESK[..desk]);
    file.execute("INSERT INTO setting VALUES ('theme', '\"dark\"')", []).unwrap();
    file.execute("INSERT INTO workspace VALUES (?1, 0, '{\"name\":\"Old\"}', 1, 1)", [WORKSPACE]).unwrap();
    file.execute("INSERT INTO draft VALUES ('d', ?1, 'promo', 'pt_BR', '{\"a\":1}', NULL, 1, 1)", [WORKSPACE]).unwrap();
    for group in 0..super::desk::SENDS {
        file.execute(
            "INSERT INTO send (id, workspace_id, number, recipient, template_name, language, payload, state, message_id, created_at)
             VALUES (?1, ?2, '1', '55', 'promo', 'pt_BR', '{}', 'accepted', ?3, 1)",
            (format!("send-{group}"), WORKSPACE, events::followed(group)),
        )
        .unwrap();
    }
    temp
}

/// The rows of every format.
pub(super) fn rows(folder: &Path) -> Vec<Vec<Vec<Cell>>> {
    let read = |(file, sql): &(&str, &str)| {
        let file = check::open(&folder.join(file));
        let mut statement = file.prepare(sql).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect());
        rows.unwrap().map(Result::unwrap).collect()
    };
    ROWS.iter().map(read).collect()
}

fn version(file: &Path) -> usize {
    check::open(file).pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

/// Each file has the old or the newest format, with its tables, and unchanged rows.
pub(super) fn assert_old_or_new(folder: &Path, old: (usize, usize), before: &[Vec<Vec<Cell>>]) {
    for (name, old, steps) in [("inbox.sqlite", old.0, INBOX.as_slice()), ("desk.sqlite", old.1, DESK.as_slice())] {
        let found = version(&folder.join(name));
        assert!([old, steps.len()].contains(&found), "{name} is in format {found}");
        let fresh = Connection::open_in_memory().unwrap();
        for step in &steps[..found] {
            fresh.execute_batch(step).unwrap();
        }
        assert_eq!(tables(&check::open(&folder.join(name))), tables(&fresh), "{name} in format {found}");
    }
    assert!(rows(folder) == before, "rows differ");
}

fn tables(file: &Connection) -> Vec<(String, String)> {
    let sql = "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut statement = file.prepare(sql).unwrap();
    let tables = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    tables.unwrap().map(Result::unwrap).collect()
}

/// The next start migrates everything to the newest format, and every delivery has its effect.
pub(super) async fn assert_migrated(folder: &Path, before: &[Vec<Vec<Cell>>]) {
    let mut desk = Desk::start(folder, None).await;
    desk.wait_for_projection().await;
    desk.close().await;
    assert_eq!(version(&folder.join("inbox.sqlite")), INBOX.len());
    assert_eq!(version(&folder.join("desk.sqlite")), DESK.len());
    assert!(rows(folder) == before, "rows differ");
    let numbers: Vec<u64> = (0..DELIVERIES).collect();
    check::all(folder, &numbers).assert_clean("R13");
}

/// R13: killed at random moments of the migrating start.
pub(super) async fn killed(form: Form) {
    let rounds = form.rounds(2, 40);
    let mut random = StdRng::seed_from_u64(13);
    let mut kills = 0;
    for old in formats() {
        for _ in 0..rounds {
            let place = old_folder(old);
            let folder = place.path().join("desk");
            let before = rows(&folder);
            start_and_kill(&folder, None, Duration::from_millis(random.random_range(1..120))).await;
            kills += 1;
            assert_old_or_new(&folder, old, &before);
            assert_migrated(&folder, &before).await;
        }
    }
    println!("R13 formats={} kills={kills} between=0 different=0", formats().len());
}

/// R13: a file of a future version is refused and unchanged, byte for byte.
pub(super) async fn newer(_form: Form) {
    for name in ["inbox.sqlite", "desk.sqlite"] {
        let place = TestFolder::new().await;
        Desk::start(&place.folder(), None).await.close().await;
        let file = Connection::open(place.folder().join(name)).unwrap();
        file.pragma_update(None, "user_version", 99).unwrap();
        drop(file);
        let copy = TempDir::new().unwrap();
        copy_files(&place.folder(), copy.path());
        let Err(output) = Desk::start_with_profile("desk", &place.folder(), None).await else {
            panic!("{name} was opened")
        };
        assert_eq!(output["failed"]["code"], "storage", "{output}");
        let now = TempDir::new().unwrap();
        copy_files(&place.folder(), now.path());
        let read = |folder: &TempDir| std::fs::read(folder.path().join(name)).unwrap();
        assert!(read(&copy) == read(&now), "{name} was changed");
    }
    println!("R13 newer=2 refused=2 changed=0");
}
