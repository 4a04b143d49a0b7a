//! Damage of files that are open, and of the desk.

use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rusqlite::Connection;
use store::cache::ProjectedItem;
use store::desk::{self, Draft, Workspace};
use store::{Cache, Desk, StoreError};

const PAGE: u64 = 4_096;

/// Overwrites a page of a file with garbage.
fn spoil(path: &Path, page: u64) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.write_all_at(&[0xa5; PAGE as usize], (page - 1) * PAGE).unwrap();
}

/// The root page of a table.
fn root(path: &Path, table: &str) -> u64 {
    let raw = Connection::open(path).unwrap();
    raw.query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [table], |row| row.get(0)).unwrap()
}

fn item(seq: i64) -> ProjectedItem {
    ProjectedItem { seq, received_at: seq, route: "w".to_owned(), key: seq.to_string(), at: seq, ..Default::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_cache_is_replaced_while_it_is_open() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let cache = Cache::open(&path);
    cache.apply("i", 0, 3, vec![item(1), item(2), item(3)]).await.unwrap();
    cache.replace_listing("w", vec![crate::template("a", "promo", "en", "APPROVED")], crate::asked(1)).await.unwrap();
    cache.close();
    let template = root(&path, "template");

    for by_check in [false, true] {
        let cache = Cache::open(&path);
        let mut health = cache.health();
        if by_check {
            cache.reset("a check found it");
        } else {
            // The start reads the first page of every table; later damage is found when it is read.
            assert_eq!(cache.opened_at().map(|cursor| cursor.seq), Some(3));
            spoil(&path, template);
            let failed = cache.template("w", "a").await;
            assert!(failed.as_ref().is_err_and(StoreError::is_damage), "{failed:?}");
        }
        let was_reset = health.wait_for(|health| health.resets > 0);
        let was_reset =
            tokio::time::timeout(std::time::Duration::from_secs(60), was_reset).await.unwrap().unwrap().clone();
        assert!(was_reset.damage.is_some());
        assert!(path.with_extension("sqlite.aside").exists(), "the damaged file is kept");
        assert_eq!(cache.cursor().await.unwrap(), None, "nothing is projected");
        assert_eq!(cache.template("w", "a").await.unwrap(), None);
        cache.apply("i", 0, 1, vec![item(1)]).await.unwrap();
        assert!(cache.is_sound().await.unwrap());
        cache.close();
        assert!(matches!(cache.cursor().await, Err(StoreError::Closed)), "it is closed for all its clones");
    }
}

fn draft(number: usize) -> Draft {
    Draft {
        id: format!("draft-{number:04}"),
        workspace_id: "w".to_owned(),
        name: format!("draft {number}"),
        language: "en".to_owned(),
        document: format!("{{\"text\":\"{}\"}}", "x".repeat(300)),
        template_ref: None,
        created_at: 1,
        updated_at: 1,
    }
}

async fn furnish(path: &Path, drafts: usize) {
    let desk = Desk::open(path).unwrap();
    let workspace =
        Workspace { id: "w".to_owned(), position: 0, settings: "{}".to_owned(), created_at: 1, updated_at: 1 };
    desk.upsert_workspace(workspace).await.unwrap();
    desk.set_setting("theme", "\"dark\"".to_owned()).await.unwrap();
    for number in 0..drafts {
        desk.upsert_draft(draft(number)).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn readable_rows_are_salvaged_from_a_damaged_desk() {
    const DRAFTS: usize = 200;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("desk.sqlite");
    furnish(&path, DRAFTS).await;

    // An undamaged one is copied completely.
    let salvaged = desk::salvage(&path).unwrap();
    assert_eq!((salvaged.recovered, salvaged.lost), (DRAFTS as u64 + 2, Some(0)));

    // A damaged page in the middle of the drafts: those before and after it are recovered, and so are all other tables.
    let raw = Connection::open(&path).unwrap();
    let leaf: u64 = raw
        .query_row(
            "SELECT pageno FROM (SELECT pageno, row_number() OVER (ORDER BY path) AS place, count(*) OVER () AS n
             FROM dbstat WHERE name = 'draft' AND pagetype = 'leaf') WHERE place = n / 2",
            [],
            |row| row.get(0),
        )
        .unwrap_or_else(|_| root(&path, "draft") + 5);
    drop(raw);
    spoil(&path, leaf);
    let before = std::fs::read(&path).unwrap();
    let salvaged = desk::salvage(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), before, "the damaged file stays as it is");
    assert_eq!(salvaged.lost, None, "the number is unknown");
    let desk = Desk::open(&salvaged.file).unwrap();
    assert_eq!(desk.workspaces().await.unwrap().len(), 1);
    assert_eq!(desk.setting("theme").await.unwrap().as_deref(), Some("\"dark\""));
    let mut found = 0;
    for number in 0..DRAFTS {
        if let Some(salvaged) = desk.draft(&format!("draft-{number:04}")).await.unwrap() {
            assert_eq!(salvaged, draft(number));
            found += 1;
        }
    }
    assert!((DRAFTS * 8 / 10..DRAFTS).contains(&found), "{found} of {DRAFTS}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_lost_workspace_are_salvaged() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("desk.sqlite");
    furnish(&path, 3).await;
    spoil(&path, root(&path, "workspace"));
    let desk = desk::salvage(&path).unwrap();
    let desk = Desk::open(&desk.file).unwrap();
    let workspaces = desk.workspaces().await.unwrap();
    assert_eq!(workspaces.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), ["w"]);
    assert_eq!(desk.draft("draft-0001").await.unwrap(), Some(draft(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_without_a_header_is_replaced_with_an_empty_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("desk.sqlite");
    furnish(&path, 3).await;
    spoil(&path, 1);
    assert!(Desk::open(&path).is_err_and(|error| error.is_damage()));
    let salvaged = desk::salvage(&path).unwrap();
    assert_eq!((salvaged.recovered, salvaged.lost), (0, None));
    Desk::open(&salvaged.file).unwrap();
}
