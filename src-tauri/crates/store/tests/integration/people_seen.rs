//! Whom webhooks showed to have got a template.

use store::Cache;
use store::cache::{Effect, ProjectedItem};

use crate::projection::{LOG, status};

const MESSAGES: i64 = 3_000;

/// With statistics, SQLite reads a small table before the rows that need it, among them texts that are no JSON.
#[tokio::test(flavor = "multi_thread")]
async fn people_are_found_after_the_cache_was_analysed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let cache = Cache::open(&path);
    let item = |seq: i64| -> ProjectedItem {
        let mut item = status(seq, &format!("m{seq}"), "delivered", seq);
        let person = format!("55119{seq}");
        item.contact = Some(person.clone());
        if let Effect::Status(effect) = &mut item.effect {
            effect.recipient = Some(person);
        }
        item
    };
    cache.apply(LOG, 0, MESSAGES, (1..=MESSAGES).map(item).collect()).await.unwrap();
    assert_eq!(cache.people_written_to("w", 0).await.unwrap().len(), MESSAGES as usize);
    drop(cache);
    let analysed = rusqlite::Connection::open(&path).unwrap();
    analysed.execute_batch("ANALYZE; INSERT INTO shared_text (value) VALUES ('no JSON')").unwrap();
    drop(analysed);
    let cache = Cache::open(&path);
    assert_eq!(cache.people_written_to("w", 0).await.unwrap().len(), MESSAGES as usize);
}
