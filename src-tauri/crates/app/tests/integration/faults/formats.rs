//! R13: files that a first start creates, of the released format, and of future formats, opened by a whole desk.

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

/// The files with their application ids and schemas. The newest format is the released one.
const FILES: [(&str, &[u8; 4], &str); 2] = [
    ("inbox.sqlite", b"TDin", include_str!("../../../../store/schema/inbox.sql")),
    ("desk.sqlite", b"TDdk", include_str!("../../../../store/schema/desk.sql")),
];
/// The rows of a released folder.
const ROWS: [(&str, &str); 6] = [
    ("inbox.sqlite", "SELECT log_id FROM meta"),
    ("inbox.sqlite", "SELECT seq, received_at, route, headers, body FROM delivery ORDER BY seq"),
    ("desk.sqlite", "SELECT * FROM setting WHERE key = 'theme'"),
    ("desk.sqlite", "SELECT id, position, settings, created_at, updated_at FROM workspace ORDER BY id"),
    ("desk.sqlite", "SELECT id, workspace_id, name, language, document, created_at FROM draft ORDER BY id"),
    ("desk.sqlite", "SELECT id, number, recipient, payload, state, message_id, created_at FROM send ORDER BY id"),
];
const DELIVERIES: u64 = 64;

/// A data folder of the released format without a cache.
fn released_folder() -> TempDir {
    let temp = TempDir::new().unwrap();
    let [delivery_log, desk] = FILES.map(|(name, application, schema)| {
        let file = Connection::open(temp.path().join(name)).unwrap();
        file.execute_batch("PRAGMA journal_mode = WAL; PRAGMA auto_vacuum = INCREMENTAL").unwrap();
        file.execute_batch(schema).unwrap();
        file.pragma_update(None, "application_id", i32::from_be_bytes(*application)).unwrap();
        file.pragma_update(None, "user_version", 1).unwrap();
        file
    });
    delivery_log.execute("INSERT INTO meta (id, log_id) VALUES (1, 'an old log')", []).unwrap();
    for number in 0..DELIVERIES {
        delivery_log
            .execute(
                "INSERT INTO delivery (received_at, route, headers, body) VALUES (1700000000000, ?1, '[]', ?2)",
                (WORKSPACE, events::body(number).as_bytes()),
            )
            .unwrap();
    }
    desk.execute("INSERT INTO setting VALUES ('theme', '\"dark\"')", []).unwrap();
    desk.execute("INSERT INTO workspace VALUES (?1, 0, '{\"name\":\"Old\"}', 1, 1)", [WORKSPACE]).unwrap();
    desk.execute("INSERT INTO draft VALUES ('d', ?1, 'promo', 'pt_BR', '{\"a\":1}', NULL, 1, 1)", [WORKSPACE]).unwrap();
    for group in 0..super::desk::SENDS {
        desk.execute(
            "INSERT INTO send (id, workspace_id, number, recipient, template_name, language, payload, state, message_id, created_at)
             VALUES (?1, ?2, '1', '55', 'promo', 'pt_BR', '{}', 'accepted', ?3, 1)",
            (format!("send-{group}"), WORKSPACE, events::followed(group)),
        )
        .unwrap();
    }
    temp
}

fn rows(folder: &Path) -> Vec<Vec<Vec<Cell>>> {
    let read = |(file, sql): &(&str, &str)| {
        let file = check::open(&folder.join(file));
        let mut statement = file.prepare(sql).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect());
        rows.unwrap().map(Result::unwrap).collect()
    };
    ROWS.iter().map(read).collect()
}

fn tables(file: &Connection) -> Vec<(String, String)> {
    let sql = "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut statement = file.prepare(sql).unwrap();
    let tables = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    tables.unwrap().map(Result::unwrap).collect()
}

/// Each file is complete, or nothing is in it yet.
pub(super) fn assert_empty_or_complete(folder: &Path) {
    // A copy, because opening a file that was killed may roll back its journal, which the next start must do.
    let copy = TempDir::new().unwrap();
    copy_files(folder, copy.path());
    for (name, _, schema) in FILES {
        let file = Connection::open(copy.path().join(name)).unwrap();
        let format: i32 = file.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        let expected = Connection::open_in_memory().unwrap();
        if format != 0 {
            expected.execute_batch(schema).unwrap();
        }
        assert_eq!(tables(&file), tables(&expected), "{name} in format {format}");
    }
}

/// The next start works, with every file complete.
pub(super) async fn assert_next_start_completes(folder: &Path) {
    Desk::start(folder, None).await.close().await;
    assert!(FILES.iter().all(|(name, ..)| !tables(&check::open(&folder.join(name))).is_empty()));
    assert_empty_or_complete(folder);
    let mut verdict = check::Verdict::default();
    for name in ["inbox.sqlite", "desk.sqlite", "cache.sqlite"] {
        check::whole(&folder.join(name), &mut verdict);
    }
    verdict.assert_clean("R13");
}

/// R13: killed at random moments of the first start.
pub(super) async fn killed_at_first_start(form: Form) {
    let kills = form.rounds(24, 240);
    let mut random = StdRng::seed_from_u64(13);
    for _ in 0..kills {
        let temp = TempDir::new().unwrap();
        start_and_kill(temp.path(), None, Duration::from_millis(random.random_range(1..120))).await;
        assert_empty_or_complete(temp.path());
        assert_next_start_completes(temp.path()).await;
    }
    println!("R13 kills={kills} incomplete=0");
}

/// R13: a whole desk opens the released format: no row differs, and every delivery has its effect.
pub(super) async fn released(_form: Form) {
    let temp = released_folder();
    let before = rows(temp.path());
    let mut desk = Desk::start(temp.path(), None).await;
    desk.wait_for_projection().await;
    desk.close().await;
    assert!(rows(temp.path()) == before, "rows differ");
    assert_empty_or_complete(temp.path());
    let numbers: Vec<u64> = (0..DELIVERIES).collect();
    check::all(temp.path(), &numbers).assert_clean("R13");
    println!("R13 released different=0");
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
