//! The delivery log: every acknowledged delivery is stored, in order, byte for byte, also for other processes.

use store::delivery_log::{Backlog, DeliveryLogError, NewDelivery};
use store::{DeliveryLog, DeliveryLogReader, StoreError};

fn delivery(number: i64) -> NewDelivery {
    NewDelivery {
        received_at: 1_000 + number,
        route: "w".to_owned(),
        headers: vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("x-note".to_owned(), "caf\u{e9} \"quoted\"".to_owned()),
        ],
        body: vec![0xff, 0x00, u8::try_from(number % 251).unwrap()].into(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_deliveries_are_read_back_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open(&path).unwrap();
    let second = DeliveryLog::open(&path);
    assert!(matches!(&second, Err(StoreError::DeliveryLogInUse(used)) if *used == path), "{second:?}");
    let reader = DeliveryLogReader::open(&path).unwrap();
    assert_eq!(reader.last_seq().await.unwrap(), 0);
    assert!(reader.after(0, 10).await.unwrap().is_empty());
    let mut stored = delivery_log.stored();
    assert_eq!(*stored.borrow_and_update(), 0);
    for number in 1..=3 {
        assert_eq!(delivery_log.append(delivery(number)).await, Ok(number));
    }
    stored.changed().await.unwrap();
    assert_eq!(*stored.borrow_and_update(), 3);
    let found = reader.after(1, 10).await.unwrap();
    assert_eq!(found.iter().map(|delivery| delivery.seq).collect::<Vec<_>>(), [2, 3]);
    let sent = delivery(2);
    assert_eq!(found[0].headers, sent.headers);
    assert_eq!(found[0].body, sent.body);
    assert_eq!((found[0].received_at, found[0].route.as_str()), (sent.received_at, "w"));
    assert_eq!(reader.after(0, 2).await.unwrap().len(), 2);
    assert_eq!(reader.get(3).await.unwrap().unwrap().seq, 3);
    assert_eq!(reader.get(4).await.unwrap(), None);
    assert_eq!(reader.log_id().await.unwrap(), delivery_log.log_id());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reopened_delivery_log_continues_its_sequence() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open(&path).unwrap();
    let identity = delivery_log.log_id().to_owned();
    // Queued, not awaited: closing stores the queued deliveries.
    let waiting: Vec<_> = (1..=100).map(|number| delivery_log.append(delivery(number))).collect();
    drop(delivery_log);
    for (number, answer) in (1..).zip(waiting) {
        assert_eq!(answer.await, Ok(number));
    }
    assert!(!path.with_extension("sqlite-wal").exists(), "a clean close moves the WAL into the file");
    let delivery_log = DeliveryLog::open(&path).unwrap();
    assert_eq!(delivery_log.log_id(), identity);
    assert_eq!(*delivery_log.stored().borrow(), 100);
    assert_eq!(delivery_log.append(delivery(101)).await, Ok(101));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_appends_get_distinct_sequence_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let delivery_log = std::sync::Arc::new(DeliveryLog::open(&dir.path().join("inbox.sqlite")).unwrap());
    let appends: Vec<_> = (0..2_000)
        .map(|number| {
            let delivery_log = delivery_log.clone();
            tokio::spawn(async move { delivery_log.append(delivery(number)).await.unwrap() })
        })
        .collect();
    let mut seqs = Vec::new();
    for append in appends {
        seqs.push(append.await.unwrap());
    }
    seqs.sort_unstable();
    assert_eq!(seqs, (1..=2_000).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_out_writer_reports_it_and_recovers() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open_with(&path, Backlog { deliveries: 2, bytes: 1 << 20 }).unwrap();
    let blocker = rusqlite::Connection::open(&path).unwrap();
    blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
    let first = tokio::spawn(delivery_log.append(delivery(1)));
    // The writer takes the first out of the queue and waits; two more fill the queue, whenever that happens.
    let mut full = None;
    let mut queued = Vec::new();
    for number in 2..=4 {
        let mut append = Box::pin(delivery_log.append(delivery(number)));
        match now(append.as_mut()) {
            Some(answer) => full = Some(answer),
            None => queued.push(append),
        }
    }
    assert_eq!(full, Some(Err(DeliveryLogError::Full)), "refused at once");
    assert!(matches!(first.await.unwrap(), Err(DeliveryLogError::Storage(_))));
    blocker.execute_batch("ROLLBACK").unwrap();
    for append in queued {
        // Those that waited may have run into the lock or its release.
        let answer = append.await;
        assert!(matches!(answer, Ok(_) | Err(DeliveryLogError::Storage(_))), "{answer:?}");
    }
    let seq = delivery_log.append(delivery(5)).await.unwrap();
    assert_eq!(*delivery_log.stored().borrow(), seq);
    let reader = DeliveryLogReader::open(&path).unwrap();
    assert_eq!(reader.last_seq().await.unwrap(), seq);
}

/// The result of a future that is ready.
fn now<F: Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(answer) => Some(answer),
        std::task::Poll::Pending => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn queued_bytes_are_limited() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open_with(&path, Backlog { deliveries: 100, bytes: 1_000 }).unwrap();
    let large = NewDelivery { body: vec![b'x'; 5_000].into(), ..delivery(1) };
    assert_eq!(delivery_log.append(large.clone()).await, Ok(1), "alone, any size is taken");
    let blocker = rusqlite::Connection::open(&path).unwrap();
    blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
    let waiting = tokio::spawn(delivery_log.append(large.clone()));
    assert_eq!(delivery_log.append(large).await, Err(DeliveryLogError::Full));
    blocker.execute_batch("ROLLBACK").unwrap();
    assert_eq!(waiting.await.unwrap(), Ok(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn large_bodies_are_read_in_several_pages() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open(&path).unwrap();
    for number in 0..6 {
        delivery_log.append(NewDelivery { body: vec![b'x'; 4 << 20].into(), ..delivery(number) }).await.unwrap();
    }
    let reader = DeliveryLogReader::open(&path).unwrap();
    let page = reader.after(0, 1_000).await.unwrap();
    assert_eq!(page.len(), 4, "16 MiB");
    assert_eq!(reader.after(4, 1_000).await.unwrap().len(), 2);
}

#[test]
fn reading_a_missing_delivery_log_fails() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    assert!(matches!(DeliveryLogReader::open(&path), Err(StoreError::Io { .. })));
    assert!(!path.exists());
}

/// Every file of the delivery log, as `rm delivery_log*` finds them.
#[cfg(unix)]
fn delivery_log_files(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("inbox")).collect()
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_acknowledged_after_the_file_was_removed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open(&path).unwrap();
    assert_eq!(delivery_log.append(delivery(1)).await, Ok(1));
    for file in delivery_log_files(dir.path()) {
        std::fs::remove_file(file).unwrap();
    }
    for number in 2..=3 {
        let refused = delivery_log.append(delivery(number)).await;
        assert!(
            matches!(&refused, Err(DeliveryLogError::Storage(reason)) if reason.contains("removed")),
            "{refused:?}"
        );
    }
    assert!(!path.exists(), "no file takes the place of the removed one");
    assert_eq!(*delivery_log.stored().borrow(), 1);

    // The name now belongs to another process. Closing the first delivery log must not touch its files.
    let other = DeliveryLog::open(&path).unwrap();
    assert_eq!(other.append(delivery(1)).await, Ok(1));
    assert!(delivery_log.append(delivery(4)).await.is_err());
    delivery_log.close();
    assert!(path.with_extension("sqlite-wal").exists(), "the log of the other process");
    let reader = DeliveryLogReader::open(&path).unwrap();
    assert_eq!(reader.after(0, 10).await.unwrap().len(), 1);
    assert_eq!(other.append(delivery(2)).await, Ok(2));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn an_delivery_log_that_is_moved_back_stores_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("inbox.sqlite");
    let aside = dir.path().join("aside");
    std::fs::create_dir(&aside).unwrap();
    let delivery_log = DeliveryLog::open(&path).unwrap();
    assert_eq!(delivery_log.append(delivery(1)).await, Ok(1));
    let files = delivery_log_files(dir.path());
    for file in &files {
        std::fs::rename(file, aside.join(file.file_name().unwrap())).unwrap();
    }
    assert!(delivery_log.append(delivery(2)).await.is_err());
    for file in &files {
        std::fs::rename(aside.join(file.file_name().unwrap()), file).unwrap();
    }
    assert_eq!(delivery_log.append(delivery(3)).await, Ok(2));
    drop(delivery_log);
    let reader = DeliveryLogReader::open(&path).unwrap();
    let bodies: Vec<_> = reader.after(0, 10).await.unwrap().into_iter().map(|delivery| delivery.body[2]).collect();
    assert_eq!(bodies, [1, 3]);
}
