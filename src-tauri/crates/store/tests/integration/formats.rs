//! Files from every released format, from newer versions, from other programs, and damaged ones.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use store::desk::{ItemState, RunState, SendKind};
use store::{Cache, Desk, Inbox, InboxReader, StoreError};

/// A file of a released format as that release wrote it: its schema is a copy that never changes.
struct Fixture {
    version: i32,
    schema: &'static [&'static str],
    rows: &'static [&'static str],
}

const INBOXES: &[Fixture] = &[
    Fixture { version: 1, schema: &[include_str!("fixtures/inbox-1.sql")], rows: &[INBOX_1] },
    Fixture {
        version: 2,
        schema: &[include_str!("fixtures/inbox-1.sql"), include_str!("fixtures/inbox-2.sql")],
        rows: &[INBOX_1, "UPDATE meta SET removed = 6"],
    },
    Fixture {
        version: 3,
        schema: &[
            include_str!("fixtures/inbox-1.sql"),
            include_str!("fixtures/inbox-2.sql"),
            include_str!("fixtures/inbox-3.sql"),
        ],
        rows: &[INBOX_1, "UPDATE meta SET removed = 6", INBOX_3],
    },
];

const INBOX_1: &str = "INSERT INTO meta (id, inbox_id) VALUES (1, 'identity');
    INSERT INTO delivery (seq, received_at, route, headers, body) VALUES (7, 1000, 'w', '[[\"a\",\"b\"]]', x'ff00');";

const INBOX_3: &str = "INSERT INTO stream VALUES ('0a', 1);
    UPDATE delivery SET origin = 'source/eu-1/7';
    INSERT INTO feed_cursor VALUES ('source', '1.e30');";

/// The steps of the desk's schema and the rows that each release wrote, from format 1.
const DESK_SCHEMAS: &[&str] = &[
    include_str!("fixtures/desk-1.sql"),
    include_str!("fixtures/desk-2.sql"),
    include_str!("fixtures/desk-3.sql"),
    include_str!("fixtures/desk-4.sql"),
    include_str!("fixtures/desk-5.sql"),
    include_str!("fixtures/desk-6.sql"),
    include_str!("fixtures/desk-7.sql"),
    include_str!("fixtures/desk-8.sql"),
];
const DESK_ROWS: &[&str] = &[DESK_1, DESK_2, DESK_3, DESK_4, DESK_5, DESK_6, DESK_7, DESK_8];

fn desks() -> impl Iterator<Item = Fixture> {
    (1..).zip(1..=DESK_SCHEMAS.len()).map(|(version, steps)| Fixture {
        version,
        schema: &DESK_SCHEMAS[..steps],
        rows: &DESK_ROWS[..steps],
    })
}

const DESK_1: &str = "
    INSERT INTO setting VALUES ('theme', '\"dark\"');
    INSERT INTO workspace VALUES ('w', 0, '{}', 1, 1);
    INSERT INTO draft VALUES ('d', 'w', 'promo', 'pt_BR', '{\"a\":1}', NULL, 1, 1);
    INSERT INTO submission (id, workspace_id, draft_id, template_ref, waba, kind, request, state, response_status,
        response_body, error, created_at, answered_at)
      VALUES ('s', 'w', 'd', 'r', '10', 'create', '{}', 'accepted', 200, 'x', NULL, 1, 2);
    INSERT INTO version VALUES ('v', 'w', 'r', 1, 'submitted', '{}');
    INSERT INTO send (id, workspace_id, number, recipient, template_name, language, template_ref, payload, tracking_id,
        state, message_id, response_status, response_body, error, status, status_at, created_at, answered_at)
      VALUES ('t', 'w', '1', '55', 'promo', 'pt_BR', 'r', '{}', 'td', 'accepted', 'm', 200, 'x', NULL, 'read', 3, 1, 2);
    INSERT INTO send_outcome (send_id, status, at, seq, error) VALUES ('t', 'read', 3, 9, NULL);
    INSERT INTO template_event (id, workspace_id, key, template_name, language, channel_id, at, event, reason, value)
      VALUES (1, 'w', 'k', 'promo', 'pt_BR', '7', 1, 'APPROVED', NULL, '{}');
    INSERT INTO observation (id, workspace_id, template_ref, at, field, before, after)
      VALUES (1, 'w', 'r', 1, 'status', 'A', 'B');
    INSERT INTO read_mark VALUES ('w', '55', 5);";

const DESK_2: &str = "
    UPDATE submission SET status_before = 'APPROVED';
    INSERT INTO recent_file VALUES ('/pictures/a.png', 'image/png', 3);";

const DESK_3: &str = "
    UPDATE send SET request = '{\"values\":{}}', url = 'http://provider/send', batch_id = 'b', batch_row = 4;
    UPDATE send_outcome SET received_at = 4, pricing = '{}', conversation = '{}', callback_data = 'x';";

const DESK_4: &str = "
    INSERT INTO recipient VALUES ('p', 'w', 'Ana', '55', '[\"team\"]', 'note', 1, 1);
    INSERT INTO batch VALUES ('b', 'w', '1', 'r', 'promo', 'pt_BR', 'list.csv', '{}', 'running', NULL, 2, 1, 2, NULL);
    INSERT INTO batch_row (batch_id, row, recipient, filled, state) VALUES ('b', 4, '55', '{}', 'planned'),
      ('b', 5, '56', '{}', 'planned');
    UPDATE batch_row SET send_id = 't' WHERE row = 4;
    UPDATE send SET status = 'read';";

const DESK_5: &str = "
    UPDATE observation SET since = 0;
    INSERT INTO template_order VALUES ('o', 'w', 'archive', 'running', NULL, NULL, '{}', 3, 1, 2, NULL);
    INSERT INTO template_order_item (order_id, position, workspace_id, template_ref, name, language, archived_before,
        state, attempts, left_at)
      VALUES ('o', 0, 'w', 'r', 'promo', 'pt_BR', 0, 'planned', 0, NULL),
        ('o', 1, 'w', 'q', 'promo', 'en', 0, 'planned', 0, NULL),
        ('o', 2, 'w', 'p', 'promo', 'es', 0, 'planned', 0, NULL);
    UPDATE template_order_item SET state = 'leaving', attempts = 1, left_at = 3 WHERE position < 2;
    UPDATE template_order_item SET state = 'done', answered_at = 4 WHERE position = 0;";

const DESK_6: &str = "
    INSERT INTO listening (receiver, since, until) VALUES ('world', 1, 2);
    UPDATE send SET category = 'marketing', pricing_model = 'PMP', billable = 1, replied_at = 4;";

const DESK_7: &str = "UPDATE template_event SET waba = '102290129340398';";

const DESK_8: &str = "
    INSERT INTO import VALUES ('i', 'w', '/files', '/files', 0, '[\"10\"]', '[]', 'running', NULL, 1, 1, NULL);
    INSERT INTO import_file VALUES
      ('i', 0, '/files/a.json', 'a', 'pt_BR', 'create', '[]', 'e', 'done', NULL, '[\"r\"]', 0, 1, 2),
      ('i', 1, '/files/b.json', 'b', 'pt_BR', 'edit', '[]', 'e', 'leaving', NULL, '[]', 0, 3, NULL),
      ('i', 2, '/files/c.json', 'c', 'pt_BR', 'create', '[]', 'e', 'planned', NULL, '[]', 0, NULL, NULL);";

fn build(path: &Path, application_id: i32, fixture: &Fixture) {
    let raw = Connection::open(path).unwrap();
    raw.execute_batch("PRAGMA journal_mode = WAL; PRAGMA auto_vacuum = INCREMENTAL").unwrap();
    for batch in fixture.schema.iter().chain(fixture.rows) {
        raw.execute_batch(batch).unwrap();
    }
    raw.pragma_update(None, "application_id", application_id).unwrap();
    raw.pragma_update(None, "user_version", fixture.version).unwrap();
}

fn pragma(path: &Path, name: &str) -> i32 {
    Connection::open(path).unwrap().pragma_query_value(None, name, |row| row.get(0)).unwrap()
}

/// The application id of a new file.
fn application_id(create: impl Fn(&Path)) -> i32 {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("new.sqlite");
    create(&path);
    pragma(&path, "application_id")
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

fn open_inbox(path: &Path) -> Result<(), StoreError> {
    Inbox::open(path).map(drop)
}

fn open_desk(path: &Path) -> Result<(), StoreError> {
    Desk::open(path).map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn inboxes_of_every_format_open_with_all_deliveries() {
    let id = application_id(|path| open_inbox(path).unwrap());
    for fixture in INBOXES {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("inbox.sqlite");
        build(&path, id, fixture);
        let inbox = Inbox::open(&path).unwrap();
        assert_eq!((inbox.inbox_id(), *inbox.stored().borrow()), ("identity", 7), "format {}", fixture.version);
        let delivery = InboxReader::open(&path).unwrap().get(7).await.unwrap().unwrap();
        assert_eq!((delivery.body.as_slice(), delivery.headers.len()), ([0xff, 0x00].as_slice(), 1));
    }
    assert_eq!(INBOXES.last().unwrap().version, pragma_of_new(open_inbox), "a fixture of the newest format is missing");
}

#[tokio::test(flavor = "multi_thread")]
async fn desks_of_every_format_open_with_all_rows() {
    let id = application_id(|path| open_desk(path).unwrap());
    for fixture in desks() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("desk.sqlite");
        build(&path, id, &fixture);
        let desk = Desk::open(&path).unwrap();
        assert_eq!(desk.setting("theme").await.unwrap().as_deref(), Some("\"dark\""));
        assert_eq!(desk.workspaces().await.unwrap().len(), 1);
        assert_eq!(desk.draft("d").await.unwrap().unwrap().document, "{\"a\":1}");
        let submission = desk.submission("s").await.unwrap().unwrap();
        assert_eq!(submission.response_body.as_deref(), Some("x"));
        assert_eq!(submission.status_before.is_some(), fixture.version >= 2);
        assert_eq!(desk.recent_files().await.unwrap().len(), usize::from(fixture.version >= 2));
        assert_eq!(desk.versions("w", "r").await.unwrap().len(), 1);
        let send = desk.send("t").await.unwrap().unwrap();
        assert_eq!((send.status.as_deref(), send.kind), (Some("read"), SendKind::Template));
        assert_eq!(send.request.is_some(), fixture.version >= 3);
        assert_eq!(send.batch, (fixture.version >= 3).then(|| ("b".to_owned(), 4)));
        let outcomes = desk.outcomes("t").await.unwrap();
        assert_eq!(outcomes.len(), 1);
        assert_eq!(outcomes[0].received_at, (fixture.version >= 3).then_some(4));
        assert_eq!(desk.template_events("w", "promo", "pt_BR", None, 10).await.unwrap().len(), 1);
        assert_eq!(desk.observations("w", 10).await.unwrap().len(), 1);
        assert_eq!(desk.read_marks().await.unwrap().len(), 1);
        assert_eq!(desk.recipients("w").await.unwrap().len(), usize::from(fixture.version >= 4));
        let batch = desk.batch("b").await.unwrap().map(|batch| (batch.state, batch.counts));
        let counts = vec![("planned".into(), 1), ("read".into(), 1)];
        assert_eq!(batch, (fixture.version >= 4).then_some((RunState::Interrupted, counts)));
        let bulk_action =
            desk.bulk_action("o").await.unwrap().map(|bulk_action| (bulk_action.state, bulk_action.counts));
        let counts = [ItemState::Done, ItemState::Planned, ItemState::Unknown].map(|state| (state, 1)).to_vec();
        assert_eq!(bulk_action, (fixture.version >= 5).then_some((RunState::Interrupted, counts.clone())));
        let import = desk.last_import("w").await.unwrap().map(|import| (import.state, import.counts));
        assert_eq!(import, (fixture.version >= 8).then_some((RunState::Interrupted, counts)));
    }
    assert_eq!(desks().last().unwrap().version, pragma_of_new(open_desk), "a fixture of the newest format is missing");
}

fn pragma_of_new(open: impl Fn(&Path) -> Result<(), StoreError>) -> i32 {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("new.sqlite");
    open(&path).unwrap();
    pragma(&path, "user_version")
}

#[test]
fn a_newer_file_is_refused_and_not_changed() {
    for open in [open_inbox, open_desk] {
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
        assert!(matches!(InboxReader::open(&path), Err(StoreError::Newer { .. } | StoreError::Foreign(_))));
        assert_eq!(files(dir.path()), before);
    }
}

#[test]
fn a_foreign_or_broken_file_is_refused_and_not_changed() {
    for open in [open_inbox, open_desk] {
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
    assert!(matches!(open_inbox(&path), Err(StoreError::Foreign(_))));
}

#[test]
fn files_are_configured_for_durability() {
    let dir = tempfile::tempdir().unwrap();
    for (name, create) in [
        ("inbox.sqlite", (|path: &Path| drop(Inbox::open(path).unwrap())) as fn(&Path)),
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
