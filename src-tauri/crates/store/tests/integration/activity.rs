//! Queries of screens on the projection: items, contacts and conversations.

use store::Cache;
use store::cache::{ContactFilter, ItemFilter, ProjectedItem};

use crate::projection::{LOG, inbound, prepared, review, status};

#[tokio::test(flavor = "multi_thread")]
async fn contacts_and_conversations_are_listed_newest_first() {
    let dir = tempfile::tempdir().unwrap();
    let cache = prepared(&dir.path().join("cache.sqlite")).await;
    let items = vec![
        inbound(1, "i1", 100, Some("Ana")),
        ProjectedItem { ordinal: 1, ..inbound(1, "i2", 300, None) },
        status(2, "m", "delivered", 250),
        ProjectedItem { ordinal: 1, ..status(2, "m", "sent", 200) },
        inbound(3, "i0", 160, Some("Ana Maria")),
    ];
    let done = cache.apply(LOG, 0, 3, items).await.unwrap();
    assert_eq!(done.contacts, [("w".to_owned(), "5511".to_owned())]);
    let list = async |after: Option<(i64, String)>| {
        let filter = ContactFilter { route: "w".to_owned(), after, limit: 10, ..ContactFilter::default() };
        cache.contacts(filter).await.unwrap().rows
    };
    let contacts = list(None).await;
    assert_eq!(contacts.len(), 1);
    let ana = &contacts[0];
    assert_eq!((ana.name.as_deref(), ana.last_at, ana.last_text.as_str()), (Some("Ana Maria"), 300, "hello from i2"));
    assert_eq!(ana.unread, 2, "one is before the read mark");
    assert!(list(Some((ana.last_at, ana.contact.clone()))).await.is_empty());
    let talk = cache.conversation("w", "5511", None, 10).await.unwrap();
    let ids: Vec<_> = talk.iter().map(|message| (message.message_id.as_str(), message.outgoing)).collect();
    assert_eq!(ids, [("i2", false), ("m", true), ("i0", false), ("i1", false)]);
    assert_eq!(talk[1].status.as_deref(), Some("delivered"));
    assert_eq!(cache.item(talk[0].item.unwrap(), 9).await.unwrap().unwrap().row.message_id.as_deref(), Some("i2"));
    let rest = cache.conversation("w", "5511", Some(talk[1].position()), 1).await.unwrap();
    assert_eq!(rest[0].message_id, "i0");
    cache.mark_read("w", "5511", (1 << 20) + 1).await.unwrap();
    cache.mark_read("w", "5511", 1 << 20).await.unwrap();
    assert_eq!(list(None).await[0].unread, 1);
    cache.apply(LOG, 3, 4, vec![inbound(4, "i9", 400, None)]).await.unwrap();
    assert_eq!(list(None).await[0].unread, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn items_are_filtered_searched_paged_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let day = 86_400_000;
    let mut items: Vec<_> = (1..=30).map(|seq| status(seq, &format!("m{seq}"), "sent", seq % 3 * day)).collect();
    items.push(inbound(31, "i1", -1, None));
    items.push(review(32, "APPROVED", 5 * day));
    let mut elsewhere = inbound(33, "i1", 5, None);
    elsewhere.route = "other".to_owned();
    items.push(elsewhere);
    assert_eq!(cache.apply(LOG, 0, 33, items).await.unwrap().new_items, 33, "a route has keys of its own");
    let count = async |filter: ItemFilter| {
        let mut filter = ItemFilter { limit: 7, ..filter };
        let mut ids = Vec::new();
        loop {
            let page = cache.items(filter.clone()).await.unwrap();
            ids.extend(page.rows.iter().map(|row| row.id));
            let Some(next) = page.next else { break };
            filter.after = Some(next);
        }
        assert!(ids.is_sorted_by(|a, b| a > b), "newest first, each once");
        ids.len()
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(count(ItemFilter::default()).await, 33);
    assert_eq!(count(ItemFilter { route: text("w"), ..ItemFilter::default() }).await, 32);
    assert_eq!(count(ItemFilter { kind: text("message"), ..ItemFilter::default() }).await, 2);
    assert_eq!(count(ItemFilter { route: text("w"), kind: text("message"), ..ItemFilter::default() }).await, 1);
    assert_eq!(count(ItemFilter { contact: text("5511"), ..ItemFilter::default() }).await, 32);
    assert_eq!(count(ItemFilter { template: text("promo"), ..ItemFilter::default() }).await, 1);
    assert_eq!(count(ItemFilter { search: text("m2"), ..ItemFilter::default() }).await, 11);
    assert_eq!(count(ItemFilter { search: text("hel from"), route: text("w"), ..ItemFilter::default() }).await, 1);
    assert_eq!(count(ItemFilter { search: text("\"*"), ..ItemFilter::default() }).await, 0);
    assert_eq!(count(ItemFilter { search: text(" "), ..ItemFilter::default() }).await, 33);
    let days = cache.counters(Some("w"), -1..=1).await.unwrap();
    let days: Vec<_> = days.iter().map(|c| (c.day, c.kind.as_str(), c.status.as_str(), c.count)).collect();
    assert_eq!(days, [(-1, "message", "", 1), (0, "status", "sent", 10), (1, "status", "sent", 10)]);
    let totals = cache.totals(None).await.unwrap();
    let totals: Vec<_> = totals.iter().map(|c| (c.kind.as_str(), c.status.as_str(), c.count)).collect();
    assert_eq!(totals, [("message", "", 2), ("status", "sent", 30), ("template_status", "APPROVED", 1)]);
    assert_eq!(cache.item(99, 9).await.unwrap(), None);
}
