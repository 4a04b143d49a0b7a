//! Very large deliveries, and deliveries that cannot be processed: neither delays the following ones.

use command_types::activity::{EventId, EventQuery, EventRow};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::harness::Harness;
use super::webhooks::{Provider, envelope, status};

const SECRET: &str = "the webhook secret";

async fn count_of(harness: &Harness, workspace: &str, kind: &str) -> u64 {
    let cache = Connection::open(harness.folder.path().join("desk").join("cache.sqlite")).unwrap();
    let sql = "SELECT coalesce(sum(n), 0) FROM class WHERE route = ?1 AND kind = ?2";
    cache.query_row(sql, [workspace, kind], |row| row.get(0)).unwrap()
}

async fn newest(harness: &Harness, provider: &Provider) -> EventRow {
    let query = EventQuery { workspace: Some(provider.workspace.clone()), limit: 1, ..EventQuery::default() };
    harness.core.webhooks.list_events(query).await.unwrap().rows.remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_larger_than_a_transaction_is_projected() {
    let mut harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    const COUNT: usize = 24_000;
    let statuses: Vec<Value> =
        (0..COUNT).map(|n| json!({"id": "wamid.one", "status": "sent", "timestamp": n.to_string()})).collect();
    assert_eq!(provider.deliver(SECRET, &envelope(json!({"statuses": statuses}))).await, 200);
    let after = status("wamid.after", "read", "5511999990001", 1_700_000_000);
    assert_eq!(provider.deliver(SECRET, &envelope(json!({"statuses": [after]}))).await, 200);
    harness.wait_for_projection().await;
    assert_eq!(count_of(&harness, &provider.workspace, "status").await, COUNT as u64 + 1);
    assert_eq!(newest(&harness, &provider).await.status.as_deref(), Some("read"));
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_that_cannot_be_written_is_set_aside() {
    let mut harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let sent = |id: &str| envelope(json!({"statuses": [status(id, "sent", "5511999990001", 1_700_000_000)]}));
    assert_eq!(provider.deliver(SECRET, &sent("wamid.before")).await, 200);
    harness.wait_for_projection().await;
    // The cache refuses this value.
    let cache = Connection::open(harness.folder.path().join("desk").join("cache.sqlite")).unwrap();
    let poison = "CREATE TRIGGER poison BEFORE INSERT ON message_row WHEN NEW.message_id = 'wamid.poison'
                  BEGIN SELECT RAISE(ABORT, 'this cannot be written'); END";
    cache.execute_batch(poison).unwrap();
    for id in ["wamid.first", "wamid.poison", "wamid.last"] {
        assert_eq!(provider.deliver(SECRET, &sent(id)).await, 200);
    }
    harness.wait_for_projection().await;
    assert_eq!(count_of(&harness, &provider.workspace, "status").await, 3);
    assert_eq!(count_of(&harness, &provider.workspace, "set_aside").await, 1);
    let query = EventQuery {
        workspace: Some(provider.workspace.clone()),
        kind: Some("set_aside".to_owned()),
        limit: 10,
        ..EventQuery::default()
    };
    let rows = harness.core.webhooks.list_events(query).await.unwrap().rows;
    assert!(rows.len() == 1 && rows[0].seq == 3 && !rows[0].summary.is_empty(), "{rows:?}");
    let detail = harness.core.webhooks.get_event(EventId { event: rows[0].id.clone() }).await.unwrap();
    assert!(detail.raw.is_some_and(|raw| raw.contains("wamid.poison")), "the delivery itself is kept");
    // The cause is removed: decoding it again succeeds.
    cache.execute_batch("DROP TRIGGER poison").unwrap();
    harness.core.webhooks.rebuild_projection(command_types::Nothing {}).await.unwrap();
    harness.wait_for_projection().await;
    assert_eq!(count_of(&harness, &provider.workspace, "status").await, 4);
    assert_eq!(count_of(&harness, &provider.workspace, "set_aside").await, 0);
    harness.close().await;
}
