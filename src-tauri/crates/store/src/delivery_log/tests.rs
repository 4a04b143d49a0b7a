//! Failures of the file under the writer: full disk, failed commits, files that cannot be reopened.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::*;

fn delivery(size: usize) -> NewDelivery {
    NewDelivery { received_at: 1, route: "w".to_owned(), headers: Vec::new(), body: vec![b'x'; size].into() }
}

/// A delivery log that calls `spoil` on each new connection, and the number of connections.
fn delivery_log(path: &Path, spoil: impl Fn(usize, &Connection) + Send + 'static) -> (DeliveryLog, Arc<AtomicUsize>) {
    let opened = Arc::new(AtomicUsize::new(0));
    let owned = path.to_owned();
    let counted = opened.clone();
    let delivery_log = DeliveryLog::start(path, Backlog::default(), move || {
        let connection = open_writing(&owned)?;
        spoil(counted.fetch_add(1, Ordering::SeqCst), &connection);
        Ok(connection)
    })
    .unwrap();
    (delivery_log, opened)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_fails_all_queued_deliveries_until_it_has_space() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    // The first connection has no space left, as on a full disk; the next ones do.
    let (delivery_log, opened) = delivery_log(&path, |number, connection| {
        if number == 0 {
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
            connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
        }
    });
    let group: Vec<_> = (0..10).map(|_| delivery_log.append(delivery(10_000))).collect();
    let mut refused = 0;
    for append in group {
        match append.await {
            Err(DeliveryLogError::Storage(reason)) => {
                assert!(reason.contains("full"), "{reason}");
                refused += 1;
            }
            Ok(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(refused > 0);
    let seq = delivery_log.append(delivery(10_000)).await.unwrap();
    assert_eq!(opened.load(Ordering::SeqCst), 2, "dropped and reopened, once");
    let reader = DeliveryLogReader::open(&path).unwrap();
    assert_eq!(reader.last_seq().await.unwrap(), seq);
    assert_eq!(reader.after(0, 100).await.unwrap().len() + refused, 11, "either refused or there");
}

#[test]
fn open_if_created_returns_none_while_the_delivery_log_is_created() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    assert!(DeliveryLogReader::open_if_created(&path).unwrap().is_none(), "the file is missing");
    std::fs::write(&path, "").unwrap();
    assert!(DeliveryLogReader::open_if_created(&path).unwrap().is_none(), "the file is empty");
    // A state during creation by another process: a database in WAL mode without tables.
    let creating = Connection::open(&path).unwrap();
    creating.pragma_update(None, "journal_mode", "WAL").unwrap();
    assert!(path.metadata().unwrap().len() > 0);
    assert!(DeliveryLogReader::open_if_created(&path).unwrap().is_none(), "the database has no table");
    drop(creating);
    let delivery_log = DeliveryLog::open(&path).unwrap();
    assert!(DeliveryLogReader::open_if_created(&path).unwrap().is_some());
    drop(delivery_log);
    let notes = dir.path().join("notes.txt");
    std::fs::write(&notes, "notes ".repeat(500)).unwrap();
    assert!(DeliveryLogReader::open_if_created(&notes).is_err(), "this will never be a delivery log");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_fails_leaves_no_trace() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    // Every insert succeeds and COMMIT itself fails because of a deferred foreign key.
    let (delivery_log, opened) = delivery_log(&path, |number, connection| {
        if number == 0 {
            connection
                .execute_batch(
                    "CREATE TEMP TABLE parent (id INTEGER PRIMARY KEY);
                     CREATE TEMP TABLE child (id REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
                     CREATE TEMP TRIGGER spoil AFTER INSERT ON main.delivery BEGIN INSERT INTO child VALUES (1); END;",
                )
                .unwrap();
        }
    });
    assert!(matches!(delivery_log.append(delivery(1)).await, Err(DeliveryLogError::Storage(_))));
    assert_eq!(delivery_log.append(delivery(2)).await, Ok(1));
    assert_eq!(opened.load(Ordering::SeqCst), 2);
    assert_eq!(*delivery_log.stored().borrow(), 1);
    let all = DeliveryLogReader::open(&path).unwrap().after(0, 10).await.unwrap();
    assert_eq!(all.iter().map(|delivery| delivery.body.len()).collect::<Vec<_>>(), [2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn reopening_is_retried_at_every_delivery() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let attempts = Arc::new(AtomicUsize::new(0));
    let (counted, owned) = (attempts.clone(), path.clone());
    let delivery_log =
        DeliveryLog::start(&path, Backlog::default(), move || match counted.fetch_add(1, Ordering::SeqCst) {
            0 => {
                let connection = open_writing(&owned)?;
                connection.execute_batch(
                    "CREATE TEMP TRIGGER spoil BEFORE INSERT ON main.delivery BEGIN SELECT RAISE(FAIL, 'spoiled'); END",
                )?;
                Ok(connection)
            }
            1 | 2 => Err(StoreError::Closed),
            _ => open_writing(&owned),
        })
        .unwrap();
    for _ in 0..3 {
        assert!(matches!(delivery_log.append(delivery(1)).await, Err(DeliveryLogError::Storage(_))));
    }
    assert_eq!(delivery_log.append(delivery(1)).await, Ok(1));
    assert_eq!(attempts.load(Ordering::SeqCst), 4);
}

#[test]
fn a_commit_is_durable() {
    let dir = tempfile::tempdir().unwrap();
    let connection = open_writing(&dir.path().join("inbox.sqlite")).unwrap();
    let synchronous: i32 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
    assert_eq!(synchronous, 2, "FULL");
}

#[tokio::test]
async fn each_start_begins_a_stream_and_empty_ones_are_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let mut streams = Vec::new();
    for deliveries in [2, 0, 1] {
        let delivery_log = DeliveryLog::open(&path).unwrap();
        for _ in 0..deliveries {
            delivery_log.append(delivery(1)).await.unwrap();
        }
        streams = DeliveryLogReader::open(&path).unwrap().streams().await.unwrap();
        delivery_log.close();
    }
    assert_eq!(streams.iter().map(|stream| stream.first_seq).collect::<Vec<_>>(), [1, 3]);
    assert_ne!(streams[0].id, streams[1].id);
}

#[tokio::test]
async fn a_page_of_a_feed_and_its_cursor_are_stored_together() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open(&path).unwrap();
    delivery_log.append(delivery(1)).await.unwrap();
    let page = |cursor: &str, deliveries: &[usize]| FeedPage {
        source: "source".to_owned(),
        cursor: cursor.to_owned(),
        deliveries: deliveries.iter().map(|size| (delivery(*size), format!("source/eu-1/{size}"))).collect(),
        gaps: Vec::new(),
        received_at: None,
    };
    assert_eq!(delivery_log.append_page(page("c1", &[2, 3])).await, Ok(3));
    assert_eq!(delivery_log.append_page(page("c2", &[])).await, Ok(3), "an empty page moves the cursor");
    assert_eq!(delivery_log.append(delivery(4)).await, Ok(4));
    let reader = DeliveryLogReader::open(&path).unwrap();
    let origins: Vec<_> = reader.after(0, 10).await.unwrap().into_iter().map(|delivery| delivery.origin).collect();
    assert_eq!(origins, [None, Some("source/eu-1/2".to_owned()), Some("source/eu-1/3".to_owned()), None]);
    assert_eq!(reader.feed_cursor("source").await.unwrap().as_deref(), Some("c2"));
    assert_eq!(reader.feed_cursor("other").await.unwrap(), None);
    delivery_log.forget_feed("source").await.unwrap();
    assert_eq!(reader.feed_cursor("source").await.unwrap(), None);
}

#[tokio::test]
async fn gaps_are_stored_with_the_cursor_and_kept_until_they_are_dismissed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open(&path).unwrap();
    let gap = |why: &str, deliveries, after, before| FeedGap {
        source: "source".to_owned(),
        why: why.to_owned(),
        deliveries,
        after,
        before,
    };
    let page = |cursor: &str, gaps: Vec<FeedGap>, received_at| FeedPage {
        source: "source".to_owned(),
        cursor: cursor.to_owned(),
        deliveries: Vec::new(),
        gaps,
        received_at,
    };
    let reader = DeliveryLogReader::open(&path).unwrap();
    delivery_log.append_page(page("c1", vec![gap("missing", 1, None, 5)], Some(10))).await.unwrap();
    delivery_log.append_page(page("c2", vec![], None)).await.unwrap();
    // The delivery before it is that of the page before.
    let both = vec![gap("removed", 9, None, 20), gap("altered", 1, Some(20), 25)];
    delivery_log.append_page(page("c3", both, Some(30))).await.unwrap();
    delivery_log.append_page(page("c4", vec![gap("removed", 3, Some(40), 50)], Some(50))).await.unwrap();
    let found = reader.feed_gaps().await.unwrap();
    let missing = gap("missing", 1, None, 5);
    assert_eq!(found, [gap("altered", 1, Some(20), 25), missing.clone(), gap("removed", 12, Some(10), 50)]);
    assert_eq!(reader.feed_cursor("source").await.unwrap().as_deref(), Some("c4"));

    // More than was shown stays.
    delivery_log.dismiss_feed_gap("source", "removed", 9).await.unwrap();
    assert_eq!(reader.feed_gaps().await.unwrap().len(), 3);
    delivery_log.dismiss_feed_gap("source", "removed", 12).await.unwrap();
    delivery_log.dismiss_feed_gap("source", "altered", 1).await.unwrap();
    assert_eq!(reader.feed_gaps().await.unwrap(), [missing]);
    delivery_log.forget_feed("source").await.unwrap();
    assert_eq!(reader.feed_gaps().await.unwrap(), []);
}
