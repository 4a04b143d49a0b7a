//! A cache can always be opened, and reports how it was opened.

use std::path::Path;

use rusqlite::Connection;
use store::Cache;
use store::cache::Opened;

use crate::{asked, template};

async fn filled(path: &Path) {
    let cache = Cache::open(path);
    cache.replace_listing("w", vec![template("1", "promo", "pt_BR", "APPROVED")], asked(1)).await.unwrap();
}

async fn holds(cache: &Cache) -> u64 {
    cache.facets("w", None).await.unwrap().total
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sound_cache_is_reused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    assert_eq!(Cache::open(&path).opened(), &Opened::New);
    filled(&path).await;
    let cache = Cache::open(&path);
    assert_eq!((cache.opened(), holds(&cache).await), (&Opened::Existing, 1));
    drop(cache);
    Cache::discard(&path).unwrap();
    Cache::discard(&path).unwrap();
    assert_eq!(Cache::open(&path).opened(), &Opened::New);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unusable_cache_is_moved_aside() {
    type Spoil = fn(&Path);
    let spoils: [(&str, Spoil); 6] = [
        ("newer", |path| Connection::open(path).unwrap().pragma_update(None, "user_version", 99).unwrap()),
        // Format 0 with tables: an older format, as a newer program sees it.
        ("older", |path| Connection::open(path).unwrap().pragma_update(None, "user_version", 0).unwrap()),
        ("foreign", |path| Connection::open(path).unwrap().pragma_update(None, "application_id", 1).unwrap()),
        ("no database", |path| std::fs::write(path, vec![b'x'; 10_000]).unwrap()),
        ("cut short", |path| {
            let bytes = std::fs::read(path).unwrap();
            std::fs::write(path, &bytes[..bytes.len() / 3]).unwrap();
        }),
        ("scribbled over", |path| {
            let mut bytes = std::fs::read(path).unwrap();
            let end = bytes.len();
            bytes[5_000..end].fill(0x5a);
            std::fs::write(path, bytes).unwrap();
        }),
    ];
    for (name, spoil) in spoils {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cache.sqlite");
        // Twice: an older file moved aside is no obstacle.
        for _ in 0..2 {
            filled(&path).await;
            spoil(&path);
            let damaged = std::fs::read(&path).unwrap();
            let cache = Cache::open(&path);
            match cache.opened() {
                Opened::Rebuilt { reason, aside } => {
                    assert!(!reason.is_empty());
                    assert_eq!(std::fs::read(aside).unwrap(), damaged, "{name}: kept as it was");
                }
                other => panic!("{name}: {other:?}"),
            }
            assert_eq!(holds(&cache).await, 0, "{name}");
            cache.replace_listing("w", vec![template("1", "promo", "pt_BR", "APPROVED")], asked(1)).await.unwrap();
            assert!(cache.is_sound().await.unwrap());
            drop(cache);
            assert_eq!(Cache::open(&path).opened(), &Opened::Existing, "{name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cache_falls_back_to_memory() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("missing").join("cache.sqlite");
    let cache = Cache::open(&path);
    assert!(matches!(cache.opened(), Opened::InMemory { .. }), "{:?}", cache.opened());
    cache.replace_listing("w", vec![template("1", "promo", "pt_BR", "APPROVED")], asked(1)).await.unwrap();
    assert_eq!(holds(&cache).await, 1);
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.name, "promo");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_cache_is_not_moved() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    filled(&path).await;
    let other = Connection::open(&path).unwrap();
    // A file that is no longer in WAL mode is locked as a whole.
    other.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(())).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let cache = Cache::open(&path);
    assert!(matches!(cache.opened(), Opened::InMemory { .. }), "{:?}", cache.opened());
    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    let cache = Cache::open(&path);
    assert_eq!((cache.opened(), holds(&cache).await), (&Opened::Existing, 1));
}
