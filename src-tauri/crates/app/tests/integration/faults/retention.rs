//! Retention under load: removed deliveries are removed everywhere, and the rest equals a rebuild.

use std::time::{SystemTime, UNIX_EPOCH};

use app::webhook_path;
use command_types::Nothing;
use command_types::storage::{RetentionKind, RetentionPolicy, RetentionRule};

use super::desk::{TestFolder, WORKSPACE};
use super::in_process::{open, store, wait_for_projection};
use super::load::{Ledger, Senders};
use super::{Form, check, orders};

const DAY: i64 = 86_400_000;

fn policy(rules: &[(RetentionKind, u32)]) -> RetentionPolicy {
    RetentionPolicy { rules: rules.iter().map(|&(kind, days)| RetentionRule { kind, days }).collect() }
}

/// Old deliveries are removed by policy while new ones are received; nothing new is lost, the outcomes of sends are
/// kept, and the projection equals a rebuilt one.
pub(super) async fn under_load(form: Form) {
    let old = form.pick(1_200, 20_000);
    let place = TestFolder::new().await;
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    // A hundred days, oldest first; each delivery was received twice, the second time at the end of them.
    store(&place.folder(), 0..old, |number| now - 100 * DAY + i64::try_from(number * 90 / old).unwrap() * DAY).await;
    store(&place.folder(), old / 2..old, |_| now - 5 * DAY).await;
    let core = open(&place.folder()).await;
    wait_for_projection(&core).await;
    let outcomes = sends(&place.folder());
    assert!(outcomes > 0);

    let address = loop {
        match core.startup.get_bootstrap(Nothing {}).await.unwrap().receiver {
            command_types::receiver::ReceiverState::Listening { address, .. } => break address.parse().unwrap(),
            _ => crate::webhooks::next_poll().await,
        }
    };
    let ledger = Ledger::from(1_000_000);
    let senders = Senders::start(&ledger, address, &webhook_path(WORKSPACE), 8);
    ledger.wait_for_more(100).await;
    let mut removed = 0;
    // Stricter each time: different ages by kind, then everything old.
    let policies: [&[(RetentionKind, u32)]; 3] = [
        &[(RetentionKind::Status, 60)],
        &[(RetentionKind::Status, 40), (RetentionKind::Message, 80), (RetentionKind::Template, 20)],
        &[
            (RetentionKind::Status, 2),
            (RetentionKind::Message, 30),
            (RetentionKind::Template, 1),
            (RetentionKind::Other, 50),
        ],
    ];
    for rules in policies {
        let policy = policy(rules);
        let preview = core.data.preview_retention(policy.clone()).await.unwrap();
        assert!(preview.deliveries > 0 && preview.bytes > 0 && preview.before.is_some());
        core.data.set_retention(policy).await.unwrap();
        let report = in_turn(&core).await;
        assert_eq!((report.deliveries, report.bytes), (preview.deliveries, preview.bytes), "{rules:?}");
        assert_eq!(in_turn(&core).await.deliveries, 0, "{rules:?}: nothing is left to remove");
        removed += report.deliveries;
        ledger.wait_for_more(50).await;
    }
    senders.stop().await;
    wait_for_projection(&core).await;
    let state = core.data.get_storage(Nothing {}).await.unwrap();
    core.close().await;

    check::projected(&place.folder(), &ledger.acknowledged()).assert_clean("retention");
    let delivery_log = check::open(&place.folder().join("inbox.sqlite"));
    let count = |sql: &str| delivery_log.query_row(sql, [], |row| row.get::<_, u64>(0)).unwrap();
    assert_eq!(
        count("SELECT count(*) FROM delivery"),
        state.delivery_log.deliveries,
        "what is counted is what is there"
    );
    assert_eq!(count("SELECT count(*) FROM pragma_freelist_count WHERE freelist_count > 0"), 0, "no page is held back");
    assert_eq!(sends(&place.folder()), outcomes, "outcomes of sends stay");
    let kept = (orders::state(&place.folder()), projection(&place.folder()));

    store::Cache::discard(&place.folder().join("cache.sqlite")).unwrap();
    let core = open(&place.folder()).await;
    wait_for_projection(&core).await;
    core.close().await;
    let difference = orders::difference(&orders::state(&place.folder()), &kept.0);
    assert_eq!(difference, None, "a rebuild makes the same of what is left");
    let difference = orders::difference(&projection(&place.folder()), &kept.1);
    assert_eq!(difference, None, "a rebuild puts the same where it was");
    println!("retention deliveries={} removed={removed} received_meanwhile={} lost=0", 2 * old, ledger.count());
}

/// A receiver that was followed for the first time brings deliveries that are older than those stored before them.
pub(super) async fn behind_young(form: Form) {
    let young = form.pick(12_000, 100_000);
    let place = TestFolder::new().await;
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    store(&place.folder(), 0..young, |_| now - DAY).await;
    store(&place.folder(), young..young + 10, |_| now - 90 * DAY).await;
    store(&place.folder(), young + 10..young + 11, |_| now).await;
    let core = open(&place.folder()).await;
    wait_for_projection(&core).await;
    let kinds = [RetentionKind::Status, RetentionKind::Message, RetentionKind::Template, RetentionKind::Other];
    let policy_of = |days| policy(&kinds.map(|kind| (kind, days)));
    assert_eq!(core.data.preview_retention(policy_of(30)).await.unwrap().deliveries, 10);
    core.data.set_retention(policy_of(30)).await.unwrap();
    assert_eq!(in_turn(&core).await.deliveries, 10);
    // What was young before them still expires.
    let expired = core.data.preview_retention(policy_of(1)).await.unwrap();
    assert_eq!(expired.deliveries, young);
    core.close().await;
}

/// Applies retention; the projector may have to catch up first.
async fn in_turn(core: &app::Core) -> command_types::storage::RetentionReport {
    let mut sum = command_types::storage::RetentionReport::default();
    loop {
        match core.data.apply_retention(Nothing {}).await {
            Ok(report) => {
                sum.deliveries += report.deliveries;
                sum.bytes += report.bytes;
                return sum;
            }
            Err(command_types::error::DeskError::Conflict { .. }) => crate::webhooks::next_poll().await,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Number of outcomes of sends in the desk.
fn sends(folder: &std::path::Path) -> u64 {
    check::open(&folder.join("desk.sqlite"))
        .query_row("SELECT count(*) FROM send_outcome", [], |row| row.get(0))
        .unwrap()
}

/// All rows of the projection, without generated row numbers.
pub(super) fn projection(folder: &std::path::Path) -> Vec<Vec<String>> {
    let cache = check::open(&folder.join("cache.sqlite"));
    let tables = [
        "SELECT item.id, hex(key), received_at, at, deliveries, route, kind, status, number_id, field, entry_id
         FROM item JOIN class ON class.id = item.class ORDER BY 1",
        "SELECT id, item_id, received_at FROM repeat ORDER BY 1",
        "SELECT block, first_at, last_at FROM moment ORDER BY 1",
        "SELECT route, kind, status, number_id, field, entry_id, n FROM class ORDER BY 1, 2, 3, 4, 5, 6",
        "SELECT day, route, kind, status, number_id, field, entry_id, counter.n FROM counter
         JOIN class ON class.id = counter.class ORDER BY 1, 2, 3, 4, 5, 6, 7",
        "SELECT message_id, reports FROM message ORDER BY 1",
        "SELECT contact, at, message_id, item_id, number_id, kind, text, context_id FROM inbound ORDER BY 1, 2, 3",
        "SELECT route, contact, number_id, name, last_at, last_item, last_number, last_kind, last_text, unread
         FROM contact ORDER BY 1, 2, 3",
        "SELECT route, key, seq, ordinal, name, language_key, at, received_at, event FROM template_event ORDER BY 1, 2",
        "SELECT rowid FROM item_words WHERE item_words MATCH 'ok OR Sim OR offer*' ORDER BY rowid",
    ];
    let dump = |sql: &&str| {
        let mut statement = cache.prepare(sql).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let cells = (0..columns).map(|column| format!("{:?}", row.get_ref(column).unwrap()));
            Ok(cells.collect::<Vec<_>>().join(" "))
        });
        rows.unwrap().map(Result::unwrap).collect()
    };
    tables.iter().map(dump).collect()
}
