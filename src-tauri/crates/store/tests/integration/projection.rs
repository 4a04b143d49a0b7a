//! The projection: every effect is applied once, for any order, batching and repetition of deliveries.

use std::collections::HashSet;
use std::path::Path;

use proptest::prelude::*;
use rusqlite::types::Value;
use store::cache::{
    Applied, ApplyError, Cursor, Effect, ItemFilter, MessageEffect, ProjectedItem, ProjectionMark, StatusEffect,
    TemplateEffect,
};
use store::delivery_log::NewDelivery;
use store::{Cache, DeliveryLog, DeliveryLogReader};

use crate::{asked_after, template};

pub(super) const LOG: &str = "log-1";

pub(super) fn status(seq: i64, message: &str, word: &str, at: i64) -> ProjectedItem {
    let failed = word == "failed";
    let sent = word == "sent";
    ProjectedItem {
        seq,
        received_at: 1_000 + seq,
        route: "w".to_owned(),
        key: format!("{message}/{word}/{at}"),
        kind: "status".to_owned(),
        field: "messages".to_owned(),
        at,
        message_id: Some(message.to_owned()),
        contact: Some("5511".to_owned()),
        status: Some(word.to_owned()),
        text: format!("{word} {message}"),
        value: format!(r#"{{"id":"{message}","status":"{word}"}}"#),
        effect: Effect::Status(StatusEffect {
            message_id: message.to_owned(),
            status: word.to_owned(),
            at,
            error: failed.then(|| r#"{"code":131053}"#.to_owned()),
            tracking_id: Some(format!("td-{message}")),
            callback_data: Some(format!(r#"{{"td":"td-{message}"}}"#)),
            recipient: Some("5511".to_owned()),
            // With `sent` and one other status, and different each time.
            pricing: match word {
                "sent" => Some(r#"{"billable":true}"#.to_owned()),
                "delivered" => Some(r#"{"billable":true,"category":"marketing"}"#.to_owned()),
                "read" => Some(r#"{"billable":true,"category":"utility"}"#.to_owned()),
                _ => None,
            },
            conversation: sent.then(|| r#"{"id":"c"}"#.to_owned()),
        }),
        ..ProjectedItem::default()
    }
}

pub(super) fn inbound(seq: i64, message: &str, at: i64, name: Option<&str>) -> ProjectedItem {
    ProjectedItem {
        seq,
        received_at: 1_000 + seq,
        route: "w".to_owned(),
        key: format!("in/{message}"),
        kind: "message".to_owned(),
        field: "messages".to_owned(),
        at,
        message_id: Some(message.to_owned()),
        contact: Some("5511".to_owned()),
        text: format!("hello from {message}"),
        value: format!(r#"{{"id":"{message}"}}"#),
        effect: Effect::Message(MessageEffect {
            message_id: message.to_owned(),
            contact: "5511".to_owned(),
            contact_name: name.map(str::to_owned),
            at,
            kind: "text".to_owned(),
            text: format!("hello from {message}"),
            context_id: None,
        }),
        ..ProjectedItem::default()
    }
}

pub(super) fn review(seq: i64, event: &str, at: i64) -> ProjectedItem {
    ProjectedItem {
        seq,
        received_at: 1_000 + seq,
        route: "w".to_owned(),
        key: format!("review/{event}/{at}"),
        kind: "template_status".to_owned(),
        field: "message_template_status_update".to_owned(),
        at,
        template_name: Some("promo".to_owned()),
        status: Some(event.to_owned()),
        text: format!("promo {event}"),
        value: format!(r#"{{"event":"{event}"}}"#),
        effect: Effect::Template(TemplateEffect {
            name: Some("promo".to_owned()),
            language: Some("pt-BR".to_owned()),
            channel_id: Some("77".to_owned()),
            at,
            event: event.to_owned(),
            reason: (event == "REJECTED").then(|| "SCAM".to_owned()),
            status: Some(event.to_owned()),
            ..TemplateEffect::default()
        }),
        ..ProjectedItem::default()
    }
}

/// A cache with one template that events refer to, and one that no event may change.
pub(super) async fn prepared(path: &Path) -> Cache {
    let cache = Cache::open(path);
    let mut current = template("1", "promo", "pt_BR", "PENDING");
    current.row.updated_at = 1;
    current.row.channel_id = Some("77".to_owned());
    cache.upsert_template(current).await.unwrap();
    let mut newer = template("2", "promo", "pt_BR", "PAUSED");
    newer.row.asked = asked_after(i64::MAX, 1_000_000);
    cache.upsert_template(newer).await.unwrap();
    cache.mark_read("w", "5511", 1 << 20).await.unwrap();
    cache
}

/// The whole state of the projection, without identifiers that count arrivals.
#[derive(Debug, PartialEq)]
pub(super) struct State {
    deliveries: Vec<Vec<Value>>,
    effects: Vec<Vec<Value>>,
}

pub(super) fn state(path: &Path) -> State {
    State { deliveries: rows(path, &DELIVERIES), effects: rows(path, &EFFECTS) }
}

/// State that depends on the number of deliveries of an item.
const DELIVERIES: [&str; 2] =
    ["SELECT id, deliveries FROM item ORDER BY id", "SELECT item_id, id, received_at FROM repeat ORDER BY id"];

/// State that must not depend on the number of deliveries of an item.
const EFFECTS: [&str; 9] = [
    "SELECT c.route, hex(i.key), i.id, i.received_at, i.at, c.kind, c.field, c.entry_id, c.number_id, i.message_id,
       i.contact, i.template_name, c.status, i.text FROM item i JOIN class c ON c.id = i.class ORDER BY i.id",
    "SELECT c.route, c.kind, c.status, c.field, k.day, k.n FROM counter k JOIN class c ON c.id = k.class
       ORDER BY 1, 2, 3, 4, 5",
    "SELECT route, kind, status, field, n FROM class ORDER BY 1, 2, 3, 4",
    "SELECT message_id, route, recipient, tracking_id, callback_data, status, status_at, failed_at, error, pricing,
       conversation, first_at, last_at, reports FROM message ORDER BY 1",
    "SELECT n.route, n.contact, n.at, n.message_id, n.kind, n.text, n.value, n.item_id FROM inbound n
       JOIN item i ON i.id = n.item_id ORDER BY 1, 2, 3, 4",
    "SELECT route, contact, number_id, name, last_at, last_item, last_number, last_kind, last_text, unread,
       words_id IS NULL FROM contact ORDER BY 1, 2, 3",
    "SELECT route, key, seq, ordinal, at, received_at, event, status FROM template_event ORDER BY 1, 2",
    "SELECT ref, status, archived, rejected_reason, updated_at FROM template ORDER BY 1",
    "SELECT rowid FROM item_words WHERE item_words MATCH 'hello OR promo OR failed' ORDER BY 1",
];

/// Maintained counts, with the queries that recount them. Each pair must always be equal.
pub(super) const COUNTS: [(&str, &str); 4] = [
    (
        "SELECT class, day, n FROM counter ORDER BY 1, 2",
        "SELECT class, at / 86400000 - (at % 86400000 < 0), count(*) FROM item GROUP BY 1, 2 ORDER BY 1, 2",
    ),
    ("SELECT id, n FROM class WHERE n > 0 ORDER BY 1", "SELECT class, count(*) FROM item GROUP BY 1 ORDER BY 1"),
    (
        "SELECT count(*) FROM item",
        "SELECT count(*) FROM item i JOIN class c ON c.id = i.class JOIN moment m ON m.block = i.id >> 30
           WHERE i.id <= c.last_id AND i.received_at BETWEEN m.first_at AND m.last_at",
    ),
    (
        "SELECT id, deliveries FROM item ORDER BY 1",
        "SELECT i.id, 1 + (SELECT count(*) FROM repeat r WHERE r.item_id = i.id AND r.id > i.id) FROM item i ORDER BY 1",
    ),
];

pub(super) fn assert_counts(path: &Path) {
    for (kept, counted) in COUNTS {
        assert_eq!(rows(path, &[kept])[1..], rows(path, &[counted])[1..], "{kept}");
    }
}

fn rows(path: &Path, queries: &[&str]) -> Vec<Vec<Value>> {
    let raw = rusqlite::Connection::open(path).unwrap();
    let mut rows = Vec::new();
    for query in queries {
        let mut statement = raw.prepare(query).unwrap();
        let columns = statement.column_count();
        let found = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect()).unwrap();
        rows.push(vec![Value::Text((*query).to_owned())]);
        rows.extend(found.map(Result::unwrap));
    }
    rows
}

async fn applied(items: Vec<ProjectedItem>, batches: &[usize]) -> State {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let cache = prepared(&path).await;
    let mut rest = items.as_slice();
    let mut at = 0;
    let mut sizes = batches.iter().copied().cycle();
    while !rest.is_empty() {
        let (batch, later) = rest.split_at(sizes.next().unwrap_or(rest.len()).clamp(1, rest.len()));
        cache.apply(LOG, at, at + 1, batch.to_vec()).await.unwrap();
        at += 1;
        rest = later;
    }
    assert_counts(&path);
    state(&path)
}

#[tokio::test(flavor = "multi_thread")]
async fn all_orders_of_the_four_statuses_give_the_same_state() {
    let reports = [
        status(1, "m", "sent", 100),
        status(2, "m", "delivered", 200),
        status(3, "m", "read", 300),
        status(4, "m", "failed", 150),
    ];
    let repeats = |order: &[usize]| {
        // Each is delivered three times: in order, after the others, and once more in between.
        let mut items: Vec<_> = order.iter().map(|&index| reports[index].clone()).collect();
        for (again, &index) in order.iter().rev().chain(order).enumerate() {
            let mut item = reports[index].clone();
            item.seq = 10 + 10 * i64::try_from(index).unwrap() + i64::try_from(again / 4).unwrap();
            item.received_at = 1_000 + item.seq;
            items.insert((again * 3) % (items.len() + 1), item);
        }
        items
    };
    let expected = applied(repeats(&[0, 1, 2, 3]), &[]).await;
    assert_eq!(applied(reports.to_vec(), &[]).await.effects, expected.effects, "repeats change nothing");
    let mut orders = 0;
    for a in 0..4 {
        for b in (0..4).filter(|b| *b != a) {
            for c in (0..4).filter(|c| *c != a && *c != b) {
                let d = 6 - a - b - c;
                let found = applied(repeats(&[a, b, c, d]), &[1, 3]).await;
                assert_eq!(found, expected, "order {a}{b}{c}{d}");
                orders += 1;
            }
        }
    }
    assert_eq!(orders, 24);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_has_its_most_decisive_status() {
    let dir = tempfile::tempdir().unwrap();
    let cache = prepared(&dir.path().join("cache.sqlite")).await;
    let items = vec![
        status(1, "m", "read", 300),
        ProjectedItem { ordinal: 1, ..status(1, "m", "sent", 100) },
        status(2, "m", "failed", 150),
    ];
    let done = cache.apply(LOG, 0, 2, items).await.unwrap();
    assert_eq!(done, Applied { new_items: 3, messages: vec!["m".to_owned()], ..Applied::default() });
    let message = cache.message_state("w", "m").await.unwrap().unwrap();
    assert_eq!((message.status.as_deref(), message.status_at, message.failed_at), (Some("read"), Some(300), Some(150)));
    assert_eq!((message.first_at, message.last_at), (100, 300));
    assert_eq!(message.pricing.as_deref(), Some(r#"{"billable":true,"category":"utility"}"#), "the richest");
    assert_eq!(message.error.as_deref(), Some(r#"{"code":131053}"#));
    let reports: Vec<_> =
        message.reports.iter().map(|report| (report.status.as_str(), report.at, report.seq)).collect();
    assert_eq!(reports, [("sent", 100, 1), ("failed", 150, 2), ("read", 300, 1)]);
    assert_eq!(cache.message_tracked("w", "td-m").await.unwrap(), Some(message));
    assert_eq!(cache.message_state("w", "other").await.unwrap(), None);

    let again = cache.apply(LOG, 2, 3, vec![status(3, "m", "read", 300)]).await.unwrap();
    assert_eq!(again, Applied { repeated_items: 1, ..Applied::default() }, "nothing changed but the count");
    let page = cache.items(ItemFilter { search: Some("m".to_owned()), limit: 10, ..ItemFilter::default() }).await;
    let page = page.unwrap();
    assert_eq!(page.rows.iter().map(|row| row.deliveries).collect::<Vec<_>>(), [1, 1, 2]);
    let item = cache.item(page.rows[2].id, 9).await.unwrap().unwrap();
    assert_eq!((item.row.first_seq, item.repeats.len(), item.repeats[0].seq), (1, 1, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_endpoint_has_its_own_message_for_an_identifier() {
    let dir = tempfile::tempdir().unwrap();
    let cache = prepared(&dir.path().join("cache.sqlite")).await;
    let elsewhere = ProjectedItem { route: "v".to_owned(), ..status(2, "m", "failed", 150) };
    cache.apply(LOG, 0, 2, vec![status(1, "m", "sent", 100), elsewhere]).await.unwrap();
    let state = async |route: &str| {
        let state = cache.message_state(route, "m").await.unwrap().unwrap();
        assert_eq!(cache.message_tracked(route, "td-m").await.unwrap().as_ref(), Some(&state));
        (state.status.unwrap(), state.reports.len())
    };
    assert_eq!(state("w").await, ("sent".to_owned(), 1));
    assert_eq!(state("v").await, ("failed".to_owned(), 1));
    assert_eq!(cache.message_state("u", "m").await.unwrap(), None);
}

/// An item of a small data set in which much happens at the same instant.
fn any_item() -> impl Strategy<Value = ProjectedItem> {
    let word = prop::sample::select(vec!["sent", "delivered", "read", "failed", "warning", "teleported"]);
    let event = prop::sample::select(vec!["PENDING", "APPROVED", "REJECTED", "PAUSED"]);
    prop_oneof![
        (0..2_i64, word, 1..4_i64).prop_map(|(message, word, at)| status(0, &format!("m{message}"), word, at * 100)),
        (0..6_i64).prop_map(|message| {
            // Some at the same instant; a redelivered message has the same content.
            let name = [None, Some("Ana"), Some("Maria")][usize::try_from(message % 3).unwrap()];
            inbound(0, &format!("i{message}"), 100 + message / 2 * 50, name)
        }),
        (event, 1..3_i64).prop_map(|(event, at)| review(0, event, at * 1_000)),
    ]
}

/// Items with redeliveries in order of arrival, and the same items in another order with their batch sizes.
fn any_history() -> impl Strategy<Value = (Vec<ProjectedItem>, Vec<ProjectedItem>, Vec<usize>)> {
    prop::collection::vec((any_item(), 1..4_usize), 1..12)
        .prop_flat_map(|items| {
            let arrived: Vec<_> =
                items.into_iter().flat_map(|(item, times)| std::iter::repeat_n(item, times)).collect();
            (Just(arrived).prop_shuffle(), prop::collection::vec(1..6_usize, 1..4))
        })
        .prop_flat_map(|(mut arrived, batches)| {
            for (seq, item) in (1..).zip(&mut arrived) {
                item.seq = seq;
                item.received_at = 1_000 + seq;
            }
            (Just(arrived.clone()), Just(arrived).prop_shuffle(), Just(batches))
        })
}

#[test]
fn order_repetition_and_batching_do_not_change_the_state() {
    let runtime = crate::runtime();
    let config = ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |((arrived, shuffled, batches) in any_history())| {
        let expected = runtime.block_on(applied(arrived.clone(), &[]));
        let found = runtime.block_on(applied(shuffled, &batches));
        let mut keys = HashSet::new();
        let once = arrived.into_iter().filter(|item| keys.insert(item.key.clone())).collect();
        prop_assert_eq!(&runtime.block_on(applied(once, &[])).effects, &found.effects);
        prop_assert_eq!(found, expected);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_does_not_start_at_the_cursor_is_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let cache = prepared(&path).await;
    let items = || vec![status(1, "m", "sent", 100)];
    let at = |seq| Some(Cursor { log_id: LOG.to_owned(), seq, items: 0 });
    assert!(matches!(cache.apply(LOG, 5, 6, items()).await, Err(ApplyError::Cursor(None))));
    assert_eq!(cache.cursor().await.unwrap(), None);
    cache.apply(LOG, 0, 3, items()).await.unwrap();
    let before = state(&path);
    for (delivery_log, from, to) in
        [(LOG, 0, 3), (LOG, 2, 4), (LOG, 4, 5), ("delivery_log-2", 3, 4), ("delivery_log-2", 0, 1), (LOG, 3, 2)]
    {
        match cache.apply(delivery_log, from, to, vec![status(9, "m", "read", 200)]).await {
            Err(ApplyError::Cursor(cursor)) => assert_eq!(cursor, at(3)),
            other => panic!("{delivery_log} {from} {to}: {other:?}"),
        }
    }
    assert_eq!(state(&path), before);
    cache.reset_projection(Some(0)).await.unwrap();
    assert_eq!(cache.cursor().await.unwrap(), None);
    cache.apply("delivery_log-2", 0, 3, items()).await.unwrap();
    assert_eq!(state(&path), before, "projected again");
    let found = cache.items(ItemFilter { search: Some("sent".to_owned()), limit: 5, ..ItemFilter::default() }).await;
    assert_eq!(found.unwrap().rows.len(), 1);
    assert_eq!(rows(&path, &["PRAGMA quick_check"])[1..], [[Value::Text("ok".to_owned())]]);
}

/// The projector of these tests: the body of a delivery is the status.
async fn project(reader: &DeliveryLogReader, cache: &Cache, limit: u32) -> usize {
    let log_id = reader.log_id().await.unwrap();
    let from = cache.cursor().await.unwrap().map_or(0, |cursor| cursor.seq);
    let page = reader.after(from, limit).await.unwrap();
    let Some(last) = page.last() else { return 0 };
    let to = last.seq;
    let items =
        page.iter().map(|delivery| status(delivery.seq, "m", std::str::from_utf8(&delivery.body).unwrap(), 100));
    cache.apply(&log_id, from, to, items.collect()).await.unwrap();
    page.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_between_append_and_projection_loses_and_duplicates_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (delivery_log_path, cache_path) = (dir.path().join("inbox.sqlite"), dir.path().join("cache.sqlite"));
    let append = |delivery_log: &DeliveryLog, word: &'static str| {
        delivery_log.append(NewDelivery { received_at: 0, route: "w".to_owned(), headers: vec![], body: word.into() })
    };
    for (round, word) in (1..).zip(["sent", "delivered", "delivered", "read"]) {
        // Stored, but the process ends before the projector has read it.
        let delivery_log = DeliveryLog::open(&delivery_log_path).unwrap();
        append(&delivery_log, word).await.unwrap();
        drop(delivery_log);
        // The next start projects the rest, and the process ends before it can report that.
        let reader = DeliveryLogReader::open(&delivery_log_path).unwrap();
        let cache = Cache::open(&cache_path);
        assert_eq!(project(&reader, &cache, 10).await, 1, "round {round}");
        drop(cache);
        let cache = Cache::open(&cache_path);
        assert_eq!(project(&reader, &cache, 10).await, 0, "round {round}");
    }
    let cache = Cache::open(&cache_path);
    let kept = state(&cache_path);
    assert_eq!(cache.message_state("w", "m").await.unwrap().unwrap().status.as_deref(), Some("read"));
    let totals = cache.totals(Some("w")).await.unwrap();
    let totals: Vec<_> = totals.iter().map(|counter| (counter.status.as_str(), counter.count)).collect();
    assert_eq!(totals, [("delivered", 1), ("read", 1), ("sent", 1)], "delivered twice, counted once");
    // Deleted and rebuilt in other batches: the result is the same.
    drop(cache);
    Cache::discard(&cache_path).unwrap();
    let cache = Cache::open(&cache_path);
    let reader = DeliveryLogReader::open(&delivery_log_path).unwrap();
    while project(&reader, &cache, 3).await > 0 {}
    assert_eq!(state(&cache_path), kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_statuses_give_the_same_message_in_any_order() {
    let of =
        |n: i64| status(1 + n / 500, "m", ["sent", "delivered", "read", "failed"][usize::try_from(n % 4).unwrap()], n);
    let items: Vec<ProjectedItem> =
        (0..3_000).map(|n| ProjectedItem { ordinal: n % 500, key: format!("status:{n}"), ..of(n) }).collect();
    let dir = tempfile::tempdir().unwrap();
    let at_once = prepared(&dir.path().join("at-once.sqlite")).await;
    let in_parts = prepared(&dir.path().join("in-parts.sqlite")).await;
    at_once.apply(LOG, 0, 6, items.clone()).await.unwrap();
    let mut from = ProjectionMark::default();
    for (part, items) in items.chunks(250).enumerate() {
        let applied = i64::try_from(part + 1).unwrap() * 250;
        let to = ProjectionMark { seq: applied / 500, items: applied % 500 };
        in_parts.apply(LOG, from, to, items.to_vec()).await.unwrap();
        assert_eq!(in_parts.cursor().await.unwrap().map(|cursor| cursor.mark()), Some(to));
        from = to;
    }
    let state = at_once.message_state("w", "m").await.unwrap().unwrap();
    assert_eq!(in_parts.message_state("w", "m").await.unwrap().unwrap(), state);
    assert_eq!((state.reports.len(), state.status.as_deref(), state.status_at), (3_000, Some("read"), Some(2)));
    assert_eq!((state.failed_at, state.first_at, state.last_at), (Some(3), 0, 2_999));
    assert!(
        matches!(in_parts.apply(LOG, 5, 6, Vec::new()).await, Err(ApplyError::Cursor(_))),
        "a cursor within a delivery is not one before it"
    );
}
