//! Deliveries applied again, as another version of the program decodes them.

use store::Cache;
use store::cache::{Applied, ApplyError, Effect, ItemFilter, ProjectedItem};

use crate::projection::{LOG, assert_counts, inbound, prepared, review, status};

fn at(place: i64, item: ProjectedItem) -> ProjectedItem {
    ProjectedItem { ordinal: place, ..item }
}

fn history() -> Vec<ProjectedItem> {
    vec![
        status(1, "m", "sent", 100),
        at(1, inbound(1, "i1", 160, Some("Ana"))),
        status(2, "m", "sent", 100),
        at(1, status(2, "m", "read", 300)),
        review(3, "REJECTED", 5_000),
    ]
}

async fn again(cache: &Cache, seqs: &[i64], items: Vec<ProjectedItem>) -> Applied {
    cache.apply_again(LOG, seqs.to_vec(), items).await.unwrap()
}

async fn found(cache: &Cache, search: &str) -> Vec<(i64, i64, u64)> {
    let filter = ItemFilter { search: Some(search.to_owned()), limit: 50, ..ItemFilter::default() };
    let rows = cache.items(filter).await.unwrap().rows;
    rows.iter().map(|row| (row.first_seq, row.ordinal, row.deliveries)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn correct_items_are_not_changed_or_counted_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let cache = prepared(&path).await;
    cache.apply(LOG, 0, 3, history()).await.unwrap();
    let rows = async || cache.items(ItemFilter { limit: 50, ..ItemFilter::default() }).await.unwrap();
    let (before, message) = (rows().await, cache.message_state("w", "m").await.unwrap());
    for _ in 0..2 {
        let applied = again(&cache, &[1, 2, 3], history()).await;
        assert_eq!((applied.corrected, applied.new_items, applied.repeated_items), (0, 0, 5));
        assert_eq!((rows().await, cache.message_state("w", "m").await.unwrap()), (before.clone(), message.clone()));
        assert_counts(&path);
    }
    // Deliveries that are not applied, or of another delivery log, are refused.
    for (delivery_log, seq) in [(LOG, 4), ("delivery_log-2", 3)] {
        let refused = cache.apply_again(delivery_log, vec![seq], Vec::new()).await;
        assert!(matches!(refused, Err(ApplyError::Cursor(Some(_)))), "{delivery_log} {seq}");
    }
    assert_eq!(rows().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn items_that_decode_differently_are_corrected() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let cache = prepared(&path).await;
    // An earlier version did not know the words, the contact or the event.
    let mut earlier = history();
    for item in &mut earlier {
        item.text = "unread".to_owned();
        if let Effect::Message(effect) = &mut item.effect {
            effect.text = "unread".to_owned();
        }
        if let Effect::Template(effect) = &mut item.effect {
            effect.status = None;
        }
    }
    earlier[0].contact = None;
    cache.apply(LOG, 0, 3, earlier).await.unwrap();
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "PENDING");
    let applied = again(&cache, &[1, 2, 3], history()).await;
    // Four events, the conversation and the template's history.
    assert_eq!((applied.corrected, applied.new_items), (6, 0));
    let changed: Vec<_> =
        applied.templates.iter().map(|change| (change.reference.as_str(), change.before.status.as_str())).collect();
    assert_eq!(changed, [("1", "PENDING")]);
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "REJECTED");
    assert_eq!(cache.contact("w", "5511").await.unwrap().unwrap().last_text, "hello from i1");
    assert!(found(&cache, "unread").await.is_empty(), "the previous words find nothing");
    assert_eq!(found(&cache, "hello").await, [(1, 1, 1)]);
    assert_eq!(found(&cache, "sent").await, [(1, 0, 2)]);
    assert_eq!(again(&cache, &[1, 2, 3], history()).await.corrected, 0);
    assert_counts(&path);
}

#[tokio::test(flavor = "multi_thread")]
async fn items_that_decode_to_another_kind_are_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let cache = prepared(&path).await;
    let unknown = |seq: i64, place: i64, key: &str| ProjectedItem {
        seq,
        ordinal: place,
        received_at: 1_000 + seq,
        route: "w".to_owned(),
        key: key.to_owned(),
        kind: "unknown".to_owned(),
        text: "odd".to_owned(),
        ..ProjectedItem::default()
    };
    // Delivery 1 was one unknown item, delivered again as 2; delivery 3 had two of them.
    let earlier = vec![unknown(1, 0, "x"), unknown(2, 0, "x"), unknown(3, 0, "x"), at(1, unknown(3, 0, "y"))];
    cache.apply(LOG, 0, 3, earlier).await.unwrap();
    assert_eq!(found(&cache, "odd").await, [(3, 1, 1), (1, 0, 3)]);

    // Only the first is decoded again: the others keep their content.
    let applied = again(&cache, &[1], vec![status(1, "m", "sent", 100), at(1, inbound(1, "i1", 160, None))]).await;
    assert_eq!((applied.new_items, applied.corrected), (2, 5), "one removed, two new, two effects");
    assert_eq!(found(&cache, "odd").await, [(3, 1, 1), (2, 0, 2)]);
    assert_counts(&path);
    let item = cache.item(cache.items(ItemFilter { limit: 9, ..ItemFilter::default() }).await.unwrap().rows[1].id, 9);
    assert_eq!(item.await.unwrap().unwrap().repeats.len(), 1);

    // All of them, and then none.
    again(&cache, &[2, 3], vec![status(2, "m", "sent", 100), status(3, "m", "read", 200)]).await;
    assert!(found(&cache, "odd").await.is_empty());
    assert_eq!(found(&cache, "sent").await, [(1, 0, 2)]);
    assert_counts(&path);
    again(&cache, &[1, 2, 3], Vec::new()).await;
    assert!(cache.totals(None).await.unwrap().is_empty());
    assert_counts(&path);
    assert_eq!(cache.message_state("w", "m").await.unwrap().unwrap().status.as_deref(), Some("read"), "effects stay");
}
