//! The projection: every effect once, in whatever order, batches and repetitions deliveries come.

use std::collections::HashSet;
use std::path::Path;

use proptest::prelude::*;
use rusqlite::types::Value;
use store::cache::{
    Applied, ApplyError, Cursor, Effect, ItemFilter, MessageEffect, ProjectedItem, ProjectionMark, StatusEffect,
    TemplateChange, TemplateEffect,
};
use store::inbox::NewDelivery;
use store::{Cache, Inbox, InboxReader};

use crate::template;

pub(super) const INBOX: &str = "inbox-1";

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
            // With `sent` and one other, and not the same each time.
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

/// A cache with one template that events are about, and one that no event may touch any more.
pub(super) async fn prepared(path: &Path) -> Cache {
    let cache = Cache::open(path);
    let mut current = template("1", "promo", "pt_BR", "PENDING");
    current.row.updated_at = 1;
    current.row.channel_id = Some("77".to_owned());
    cache.upsert_template(current).await.unwrap();
    let mut newer = template("2", "promo", "pt_BR", "PAUSED");
    newer.row.seen_at = 1_000_000;
    cache.upsert_template(newer).await.unwrap();
    cache.mark_read("w", "5511", 150).await.unwrap();
    cache
}

/// Everything that the projection says, without the identifiers that count arrivals.
#[derive(Debug, PartialEq)]
struct State {
    deliveries: Vec<Vec<Value>>,
    effects: Vec<Vec<Value>>,
}

fn state(path: &Path) -> State {
    State { deliveries: rows(path, &DELIVERIES), effects: rows(path, &EFFECTS) }
}

/// What tells one delivery of an item from several.
const DELIVERIES: [&str; 2] =
    ["SELECT id, deliveries FROM item ORDER BY id", "SELECT item_id, id, received_at FROM repeat ORDER BY id"];

/// What must be the same however often items are delivered.
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
    "SELECT route, contact, number_id, name, name_at, last_at, last_id, last_number, last_kind, last_text, unread,
       words_id IS NULL FROM contact ORDER BY 1, 2, 3",
    "SELECT route, key, seq, ordinal, at, received_at, event, status FROM template_event ORDER BY 1, 2",
    "SELECT ref, status, archived, rejected_reason, updated_at FROM template ORDER BY 1",
    "SELECT rowid FROM item_words WHERE item_words MATCH 'hello OR promo OR failed' ORDER BY 1",
];

/// What is counted and kept along, as it would be counted now. Each pair must be the same at any time.
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
        cache.apply(INBOX, at, at + 1, batch.to_vec()).await.unwrap();
        at += 1;
        rest = later;
    }
    assert_counts(&path);
    state(&path)
}

#[tokio::test(flavor = "multi_thread")]
async fn all_orders_of_the_four_statuses_end_alike() {
    let reports = [
        status(1, "m", "sent", 100),
        status(2, "m", "delivered", 200),
        status(3, "m", "read", 300),
        status(4, "m", "failed", 150),
    ];
    let repeats = |order: &[usize]| {
        // Each comes three times: at its turn, and after the others, and once more in between.
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
async fn a_message_is_as_far_as_its_most_telling_status() {
    let dir = tempfile::tempdir().unwrap();
    let cache = prepared(&dir.path().join("cache.sqlite")).await;
    let items = vec![
        status(1, "m", "read", 300),
        ProjectedItem { ordinal: 1, ..status(1, "m", "sent", 100) },
        status(2, "m", "failed", 150),
    ];
    let done = cache.apply(INBOX, 0, 2, items).await.unwrap();
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

    let again = cache.apply(INBOX, 2, 3, vec![status(3, "m", "read", 300)]).await.unwrap();
    assert_eq!(again, Applied { repeated_items: 1, ..Applied::default() }, "nothing changed but the count");
    let page = cache.items(ItemFilter { search: Some("m".to_owned()), limit: 10, ..ItemFilter::default() }).await;
    let page = page.unwrap();
    assert_eq!(page.rows.iter().map(|row| row.deliveries).collect::<Vec<_>>(), [1, 1, 2]);
    let item = cache.item(page.rows[2].id, 9).await.unwrap().unwrap();
    assert_eq!((item.row.first_seq, item.repeats.len(), item.repeats[0].seq), (1, 1, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_endpoint_has_its_own_message_of_one_identifier() {
    let dir = tempfile::tempdir().unwrap();
    let cache = prepared(&dir.path().join("cache.sqlite")).await;
    let elsewhere = ProjectedItem { route: "v".to_owned(), ..status(2, "m", "failed", 150) };
    cache.apply(INBOX, 0, 2, vec![status(1, "m", "sent", 100), elsewhere]).await.unwrap();
    let state = async |route: &str| {
        let state = cache.message_state(route, "m").await.unwrap().unwrap();
        assert_eq!(cache.message_tracked(route, "td-m").await.unwrap().as_ref(), Some(&state));
        (state.status.unwrap(), state.reports.len())
    };
    assert_eq!(state("w").await, ("sent".to_owned(), 1));
    assert_eq!(state("v").await, ("failed".to_owned(), 1));
    assert_eq!(cache.message_state("u", "m").await.unwrap(), None);
}

/// An item of a small world in which much happens at the same moment.
fn any_item() -> impl Strategy<Value = ProjectedItem> {
    let word = prop::sample::select(vec!["sent", "delivered", "read", "failed", "warning", "teleported"]);
    let event = prop::sample::select(vec!["PENDING", "APPROVED", "REJECTED", "PAUSED"]);
    prop_oneof![
        (0..2_i64, word, 1..4_i64).prop_map(|(message, word, at)| status(0, &format!("m{message}"), word, at * 100)),
        (0..6_i64).prop_map(|message| {
            // Some at the same moment; what a message says does not change when it is delivered again.
            let name = [None, Some("Ana"), Some("Maria")][usize::try_from(message % 3).unwrap()];
            inbound(0, &format!("i{message}"), 100 + message / 2 * 50, name)
        }),
        (event, 1..3_i64).prop_map(|(event, at)| review(0, event, at * 1_000)),
    ]
}

/// Items with repeats as they arrived, and the same in another order with the batches they come in.
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
fn any_order_any_repetition_any_batches_end_alike() {
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
async fn a_batch_that_does_not_follow_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cache.sqlite");
    let cache = prepared(&path).await;
    let items = || vec![status(1, "m", "sent", 100)];
    let at = |seq| Some(Cursor { inbox_id: INBOX.to_owned(), seq, items: 0 });
    assert!(matches!(cache.apply(INBOX, 5, 6, items()).await, Err(ApplyError::Cursor(None))));
    assert_eq!(cache.cursor().await.unwrap(), None);
    cache.apply(INBOX, 0, 3, items()).await.unwrap();
    let before = state(&path);
    for (inbox, from, to) in
        [(INBOX, 0, 3), (INBOX, 2, 4), (INBOX, 4, 5), ("inbox-2", 3, 4), ("inbox-2", 0, 1), (INBOX, 3, 2)]
    {
        match cache.apply(inbox, from, to, vec![status(9, "m", "read", 200)]).await {
            Err(ApplyError::Cursor(cursor)) => assert_eq!(cursor, at(3)),
            other => panic!("{inbox} {from} {to}: {other:?}"),
        }
    }
    assert_eq!(state(&path), before);
    cache.reset_projection().await.unwrap();
    assert_eq!(cache.cursor().await.unwrap(), None);
    cache.apply("inbox-2", 0, 3, items()).await.unwrap();
    assert_eq!(state(&path), before, "projected anew");
    let found = cache.items(ItemFilter { search: Some("sent".to_owned()), limit: 5, ..ItemFilter::default() }).await;
    assert_eq!(found.unwrap().rows.len(), 1);
    assert_eq!(rows(&path, &["PRAGMA quick_check"])[1..], [[Value::Text("ok".to_owned())]]);
}

/// The projector of these tests: the body of a delivery names the status.
async fn project(reader: &InboxReader, cache: &Cache, limit: u32) -> usize {
    let inbox_id = reader.inbox_id().await.unwrap();
    let from = cache.cursor().await.unwrap().map_or(0, |cursor| cursor.seq);
    let page = reader.after(from, limit).await.unwrap();
    let Some(last) = page.last() else { return 0 };
    let to = last.seq;
    let items =
        page.iter().map(|delivery| status(delivery.seq, "m", std::str::from_utf8(&delivery.body).unwrap(), 100));
    cache.apply(&inbox_id, from, to, items.collect()).await.unwrap();
    page.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_between_append_and_projection_loses_and_doubles_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (inbox_path, cache_path) = (dir.path().join("inbox.sqlite"), dir.path().join("cache.sqlite"));
    let append = |inbox: &Inbox, word: &'static str| {
        inbox.append(NewDelivery { received_at: 0, route: "w".to_owned(), headers: vec![], body: word.into() })
    };
    for (round, word) in (1..).zip(["sent", "delivered", "delivered", "read"]) {
        // Stored, and then the process ends before the projector has seen it.
        let inbox = Inbox::open(&inbox_path).unwrap();
        append(&inbox, word).await.unwrap();
        drop(inbox);
        // The next start projects what is left, and is itself ended before it could say so.
        let reader = InboxReader::open(&inbox_path).unwrap();
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
    // Thrown away and built anew, in other batches: the same.
    drop(cache);
    Cache::discard(&cache_path).unwrap();
    let cache = Cache::open(&cache_path);
    let reader = InboxReader::open(&inbox_path).unwrap();
    while project(&reader, &cache, 3).await > 0 {}
    assert_eq!(state(&cache_path), kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn templates_follow_their_events() {
    let dir = tempfile::tempdir().unwrap();
    let cache = prepared(&dir.path().join("cache.sqlite")).await;
    let row = async || cache.template("w", "1").await.unwrap().unwrap().row;
    let before = row().await;
    let done = cache.apply(INBOX, 0, 1, vec![review(1, "REJECTED", 5_000)]).await.unwrap();
    let changed = TemplateChange { route: "w".to_owned(), reference: "1".to_owned(), before };
    assert_eq!(done.templates, [changed], "the other is newer than the event");
    assert!(done.strangers.is_empty());
    let found = row().await;
    assert_eq!(
        (found.status.as_str(), found.rejected_reason.as_deref(), found.updated_at),
        ("REJECTED", Some("SCAM"), 5_000)
    );
    // In the same second, the one that came later; and one that is late changes nothing.
    let done = cache.apply(INBOX, 1, 3, vec![review(2, "APPROVED", 5_000), review(3, "PENDING", 4_000)]).await.unwrap();
    assert_eq!(done.templates.len(), 1);
    let found = row().await;
    assert_eq!((found.status.as_str(), found.rejected_reason), ("APPROVED", None));
    let facets = cache.facets("w", None).await.unwrap();
    assert_eq!(facets.statuses.iter().map(|facet| facet.value.as_str()).collect::<Vec<_>>(), ["APPROVED", "PAUSED"]);
    let history = cache.template_history("w", "promo", "pt_BR", Some("77"), 10).await.unwrap();
    assert_eq!(
        history.iter().map(|event| event.event.as_str()).collect::<Vec<_>>(),
        ["APPROVED", "REJECTED", "PENDING"]
    );

    // The answer to a request that left before the events came does not undo them; a later one does.
    let mut answer = template("1", "promo", "pt_BR", "PENDING");
    answer.row.seen_at = 999;
    cache.upsert_template(answer.clone()).await.unwrap();
    assert_eq!(row().await.status, "APPROVED");
    cache.replace_listing("w", vec![answer.clone()], 1_000).await.unwrap();
    assert_eq!(row().await.status, "APPROVED");
    cache.replace_listing("w", vec![answer], 2_000).await.unwrap();
    assert_eq!(row().await.status, "PENDING");
    // An event that came before the template was known.
    let mut late = review(4, "DISABLED", 9_000);
    late.received_at = 3_000;
    if let Effect::Template(effect) = &mut late.effect {
        effect.name = Some("unheard_of".to_owned());
        effect.channel_id = None;
    }
    let key = late.key.clone();
    let done = cache.apply(INBOX, 3, 4, vec![late]).await.unwrap();
    assert!(done.templates.is_empty());
    assert_eq!(done.strangers.into_iter().collect::<Vec<_>>(), [("w".to_owned(), key)], "nobody knows it yet");
    let mut created = template("9", "unheard_of", "pt_BR", "PENDING");
    created.row.seen_at = 2_900;
    cache.upsert_template(created).await.unwrap();
    assert_eq!(cache.template("w", "9").await.unwrap().unwrap().row.status, "DISABLED");
}

/// A status that names no instant, as the contract's events are (§2.4, §6.5).
fn undated(seq: i64, event: &str, received_at: i64) -> ProjectedItem {
    let mut item = review(seq, event, received_at);
    item.key = format!("review/{event}");
    item.subject = Some("review/promo".to_owned());
    item.received_at = received_at;
    item
}

async fn one_template(path: &Path) -> Cache {
    let cache = Cache::open(path);
    cache.upsert_template(template("1", "promo", "pt_BR", "PENDING")).await.unwrap();
    cache
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undated_status_counts_again_after_another_one() {
    let dir = tempfile::tempdir().unwrap();
    let cache = one_template(&dir.path().join("cache.sqlite")).await;
    let row = async || cache.template("w", "1").await.unwrap().unwrap().row;
    let apply =
        async |seq: i64, event: &str, at: i64| cache.apply(INBOX, seq - 1, seq, vec![undated(seq, event, at)]).await;
    let first = apply(1, "APPROVED", 1_000).await.unwrap();
    assert_eq!((first.new_items, first.templates.len(), first.unsettled.len()), (1, 1, 0));
    let known = row().await;
    let again = apply(2, "APPROVED", 2_000).await.unwrap();
    assert_eq!((again.new_items, again.repeated_items, again.templates.len()), (0, 1, 0), "a redelivery");
    assert_eq!(row().await, known, "nothing changes by it");
    assert_eq!(apply(3, "PAUSED", 3_000).await.unwrap().new_items, 1);
    assert_eq!(row().await.status, "PAUSED");
    let back = apply(4, "APPROVED", 4_000).await.unwrap();
    assert_eq!((back.new_items, back.templates.len()), (1, 1), "another status lay between");
    assert_eq!(back.unsettled.into_iter().collect::<Vec<_>>(), ["w"], "a listing is to tell");
    let found = row().await;
    assert_eq!((found.status.as_str(), found.status_since.map(|since| since.at)), ("APPROVED", Some(4_000)));
    let late = apply(5, "APPROVED", 4_001 + model::item::REDELIVERY_WINDOW).await.unwrap();
    assert_eq!((late.new_items, late.templates.len()), (1, 0), "much later it is another event, which changes nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undated_status_counts_again_after_an_edit_from_here() {
    let dir = tempfile::tempdir().unwrap();
    let cache = one_template(&dir.path().join("cache.sqlite")).await;
    cache.apply(INBOX, 0, 1, vec![undated(1, "APPROVED", 1_000)]).await.unwrap();
    let mut edited = template("1", "promo", "pt_BR", "PENDING");
    edited.row.seen_at = 2_000;
    cache.upsert_template(edited).await.unwrap();
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "PENDING");
    let mut approved = undated(2, "APPROVED", 3_000);
    approved.changed_here_at = Some(2_000);
    let done = cache.apply(INBOX, 1, 2, vec![approved]).await.unwrap();
    assert_eq!((done.new_items, done.templates.len(), done.unsettled.len()), (1, 1, 1));
    assert_eq!(cache.template("w", "1").await.unwrap().unwrap().row.status, "APPROVED");
}

/// Undated events are a function of the order in which they came, and of nothing else.
#[test]
fn undated_events_in_any_batches_twice_and_again_end_alike() {
    let runtime = crate::runtime();
    let config = ProptestConfig { cases: 25, failure_persistence: None, ..ProptestConfig::default() };
    let event = prop::sample::select(vec!["APPROVED", "REJECTED", "PAUSED"]);
    let step = prop::sample::select(vec![1_000_i64, 1_800_000, 3_600_001]);
    let history = prop::collection::vec((event, step), 1..10);
    proptest!(config, |(history in history, batches in prop::collection::vec(1..4_usize, 1..4))| {
        let mut at = 0;
        let items: Vec<_> = (1..).zip(&history).map(|(seq, (event, step))| {
            at += step;
            undated(seq, event, at)
        }).collect();
        let seq = |place: usize| i64::try_from(place).unwrap();
        let apply = async |path: &Path, sizes: &[usize]| {
            let cache = prepared(path).await;
            let (mut from, mut sizes) = (0, sizes.iter().cycle());
            while from < items.len() {
                let to = (from + sizes.next().unwrap()).min(items.len());
                cache.apply(INBOX, seq(from), seq(to), items[from..to].to_vec()).await.unwrap();
                // Applied again in the midst of it: nothing differs.
                let seqs = items[..to].iter().map(|item| item.seq).collect();
                let again = cache.apply_again(INBOX, seqs, items[..to].to_vec()).await.unwrap();
                assert_eq!((again.new_items, again.corrected), (0, 0));
                from = to;
            }
            state(path)
        };
        let dir = tempfile::tempdir().unwrap();
        let found = runtime.block_on(apply(&dir.path().join("some.sqlite"), &batches));
        let expected = runtime.block_on(apply(&dir.path().join("one.sqlite"), &[items.len()]));
        prop_assert_eq!(found, expected);
    });
}

/// A status in one business account.
fn review_in(seq: i64, waba: Option<&str>, channel_id: Option<&str>, event: &str) -> ProjectedItem {
    let mut item = review(seq, event, seq * 1_000);
    item.key = format!("{seq}");
    item.entry_id = waba.map(str::to_owned);
    if let Effect::Template(effect) = &mut item.effect {
        effect.channel_id = channel_id.map(str::to_owned);
    }
    item
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_about_the_template_of_its_waba() {
    type Known = (&'static str, &'static [&'static str], Option<&'static str>);
    type Case = (&'static str, &'static [Known], (Option<&'static str>, Option<&'static str>), Option<&'static str>);
    const ONE: Known = ("1", &["10"], None);
    const TWO: Known = ("2", &["20"], None);
    const UNSAID: Known = ("3", &[], None);
    let cases: &[Case] = &[
        ("its own WABA", &[ONE, TWO], (Some("20"), Some("7")), Some("2")),
        ("a WABA that has none", &[ONE, TWO], (Some("30"), Some("7")), None),
        ("the only one, elsewhere", &[ONE], (Some("20"), Some("7")), None),
        ("the only one, WABA not said", &[UNSAID], (Some("20"), Some("7")), Some("3")),
        ("one elsewhere, one not said", &[ONE, UNSAID], (Some("20"), Some("7")), Some("3")),
        ("one here, one not said", &[ONE, UNSAID], (Some("10"), Some("7")), Some("1")),
        ("two not said", &[UNSAID, ("4", &[], None)], (Some("20"), Some("7")), None),
        ("two not said, one with the identifier", &[UNSAID, ("4", &[], Some("7"))], (Some("20"), Some("7")), Some("4")),
        ("the identifier before the WABA", &[ONE, ("2", &["20"], Some("7"))], (Some("10"), Some("7")), Some("2")),
        ("in several", &[ONE, ("5", &["20", "30"], None)], (Some("30"), Some("7")), Some("5")),
        ("no WABA, one template", &[ONE], (None, None), Some("1")),
        ("no WABA, two templates", &[ONE, TWO], (None, None), None),
    ];
    for (what, templates, (waba, id), changed) in cases {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(&dir.path().join("cache.sqlite"));
        for (reference, wabas, channel_id) in *templates {
            let mut known = template(reference, "promo", "pt_BR", "APPROVED");
            known.row.wabas = wabas.iter().map(|waba| (*waba).to_owned()).collect();
            known.row.channel_id = channel_id.map(str::to_owned);
            cache.upsert_template(known).await.unwrap();
        }
        let done = cache.apply(INBOX, 0, 1, vec![review_in(1, *waba, *id, "REJECTED")]).await.unwrap();
        let references: Vec<_> = done.templates.iter().map(|change| change.reference.as_str()).collect();
        assert_eq!(references, changed.iter().copied().collect::<Vec<_>>(), "{what}");
        assert_eq!(done.strangers.is_empty(), changed.is_some(), "{what}");
        for (reference, ..) in *templates {
            let expected = if changed.as_ref() == Some(reference) { "REJECTED" } else { "APPROVED" };
            assert_eq!(cache.template("w", reference).await.unwrap().unwrap().row.status, expected, "{what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_template_in_several_wabas_stands_where_it_may_do_least() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let mut known = template("1", "promo", "pt_BR", "PENDING");
    known.row.wabas = ["10", "20"].map(str::to_owned).to_vec();
    known.record = r#"{"status":"PENDING"}"#.to_owned();
    cache.upsert_template(known.clone()).await.unwrap();
    let standing = async || {
        let statuses = cache.waba_statuses("w", "1").await.unwrap();
        let of_wabas: Vec<_> = statuses.into_iter().map(|of| format!("{} {}", of.waba, of.status)).collect();
        (cache.template("w", "1").await.unwrap().unwrap().row, of_wabas)
    };
    for (seq, waba, event, status, of_wabas) in [
        (1, "10", "APPROVED", "PENDING", ["10 APPROVED", "20 PENDING"]),
        (2, "20", "REJECTED", "REJECTED", ["10 APPROVED", "20 REJECTED"]),
        (3, "20", "APPROVED", "APPROVED", ["10 APPROVED", "20 APPROVED"]),
        (4, "10", "REJECTED", "REJECTED", ["10 REJECTED", "20 APPROVED"]),
    ] {
        cache.apply(INBOX, seq - 1, seq, vec![review_in(seq, Some(waba), Some(waba), event)]).await.unwrap();
        let (row, found) = standing().await;
        assert_eq!((row.status.as_str(), found), (status, of_wabas.map(str::to_owned).to_vec()), "{seq}");
        assert_eq!(row.rejected_reason.as_deref(), (status == "REJECTED").then_some("SCAM"), "{seq}");
    }
    // A listing speaks of all of them, and does not say where it is.
    known.row.wabas = Vec::new();
    known.row.status = "APPROVED".to_owned();
    known.record = r#"{"status":"APPROVED"}"#.to_owned();
    cache.replace_listing("w", vec![known], 9_000_000).await.unwrap();
    let (row, found) = standing().await;
    assert_eq!((row.status.as_str(), row.wabas.len()), ("APPROVED", 2), "what is known of WABAs stands");
    assert_eq!(found, ["10 APPROVED", "20 APPROVED"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn archive_category_and_quality_come_by_event() {
    let dir = tempfile::tempdir().unwrap();
    let cache = prepared(&dir.path().join("cache.sqlite")).await;
    let mut items = Vec::new();
    for (seq, effect) in [
        TemplateEffect { archived: Some(true), ..TemplateEffect::default() },
        TemplateEffect { category: Some("utility".to_owned()), ..TemplateEffect::default() },
        TemplateEffect { quality: Some("RED".to_owned()), ..TemplateEffect::default() },
    ]
    .into_iter()
    .enumerate()
    {
        let mut item = review(i64::try_from(seq).unwrap() + 1, "X", 5_000 + i64::try_from(seq).unwrap());
        // By the channel's identifier alone, of a template that says which it has.
        item.effect =
            Effect::Template(TemplateEffect { channel_id: Some("88".to_owned()), event: "X".to_owned(), ..effect });
        items.push(item);
    }
    let mut known = template("3", "other", "en", "APPROVED");
    known.row.channel_id = Some("88".to_owned());
    cache.upsert_template(known).await.unwrap();
    cache.apply(INBOX, 0, 3, items).await.unwrap();
    let row = cache.template("w", "3").await.unwrap().unwrap().row;
    assert_eq!((row.status.as_str(), row.archived, row.category.as_str()), ("APPROVED", Some(true), "utility"));
    assert_eq!(row.quality.as_deref(), Some("RED"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_with_thousands_of_statuses_is_the_same_however_they_come() {
    let of =
        |n: i64| status(1 + n / 500, "m", ["sent", "delivered", "read", "failed"][usize::try_from(n % 4).unwrap()], n);
    let items: Vec<ProjectedItem> =
        (0..3_000).map(|n| ProjectedItem { ordinal: n % 500, key: format!("status:{n}"), ..of(n) }).collect();
    let dir = tempfile::tempdir().unwrap();
    let at_once = prepared(&dir.path().join("at-once.sqlite")).await;
    let in_parts = prepared(&dir.path().join("in-parts.sqlite")).await;
    at_once.apply(INBOX, 0, 6, items.clone()).await.unwrap();
    let mut from = ProjectionMark::default();
    for (part, items) in items.chunks(250).enumerate() {
        let applied = i64::try_from(part + 1).unwrap() * 250;
        let to = ProjectionMark { seq: applied / 500, items: applied % 500 };
        in_parts.apply(INBOX, from, to, items.to_vec()).await.unwrap();
        assert_eq!(in_parts.cursor().await.unwrap().map(|cursor| cursor.mark()), Some(to));
        from = to;
    }
    let state = at_once.message_state("w", "m").await.unwrap().unwrap();
    assert_eq!(in_parts.message_state("w", "m").await.unwrap().unwrap(), state);
    assert_eq!((state.reports.len(), state.status.as_deref(), state.status_at), (3_000, Some("read"), Some(2)));
    assert_eq!((state.failed_at, state.first_at, state.last_at), (Some(3), 0, 2_999));
    assert!(
        matches!(in_parts.apply(INBOX, 5, 6, Vec::new()).await, Err(ApplyError::Cursor(_))),
        "a cursor within a delivery is not one before it"
    );
}
