//! `tdesk log`, and what a log no longer has.

use std::time::Duration;

use super::{Cluster, Desk, add_desk, client, receive};
use crate::receiving::{run, stderr};

/// A log with deliveries that were stored so many days ago; a negative number is in the future.
async fn log_of(days: &[i64]) -> Cluster {
    let cluster = Cluster::start(&[]).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    for number in 1..=days.len() {
        assert_eq!(receiver.deliver(number.to_string()).await, 200);
    }
    receiver.stop().await;
    age(&cluster, days).await;
    cluster
}

pub(super) async fn age(cluster: &Cluster, days: &[i64]) {
    for (seq, days) in (1..).zip(days) {
        let millis = days * 24 * 60 * 60 * 1_000;
        let sql = format!("UPDATE template_desk.delivery SET stored_at = stored_at - {millis} WHERE seq = {seq}");
        cluster.sql(&sql).await;
    }
}

pub(super) async fn tdesk_log(cluster: &Cluster, arguments: &[&str]) -> (serde_json::Value, String) {
    let address = cluster.address();
    let output = run(&[&["log"][..], arguments, &["--store", &address]].concat()).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    (serde_json::from_slice(&output.stdout).unwrap(), stderr(&output))
}

pub(super) async fn first(cluster: &Cluster) -> String {
    cluster
        .sql("SELECT first_seq || ' ' || (SELECT min(seq) FROM template_desk.delivery) FROM template_desk.retention")
        .await
}

#[tokio::test]
async fn what_is_old_is_removed_from_the_front_whatever_the_clocks_said() {
    let cluster = log_of(&[0; 5]).await;
    tdesk_log(&cluster, &["keep", "30"]).await;
    for (days, expected, said) in [
        (&[100, 100, 100, 100, 100][..], "1 1", "nothing is removed, because the clock may be wrong"),
        (&[0, 100, 100, 100, 0], "1 1", "no delivery is removed"),
        (&[100, 0, 100, 100, 0], "2 2", "old deliveries were removed"),
        // Stored while the clock was a year ahead: goes with what follows it.
        (&[0, 100, -365, 100, 0], "5 5", "old deliveries were removed"),
    ] {
        cluster.sql("UPDATE template_desk.delivery SET stored_at = extract(epoch FROM now()) * 1000").await;
        age(&cluster, days).await;
        let log = cluster.path().join("eu-1.log");
        std::fs::write(&log, "").unwrap();
        let receiver = receive(&cluster, "eu-1", &[]).await;
        while !std::fs::read_to_string(&log).unwrap().contains(said) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(first(&cluster).await, expected, "{days:?}");
        receiver.stop().await;
    }
}

#[tokio::test]
async fn desks_are_told_what_was_removed_before_they_read_it() {
    let cluster = log_of(&[100, 100, 100, 0, 0]).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    let token = add_desk(&cluster, "team").await;
    let reading = client(&receiver, &token);
    let mut behind = Desk::default();
    let page = reading.page(None, 1, Duration::ZERO).await.unwrap();
    behind.take(page);
    // This request says that the desk has the first delivery; its answer is lost.
    reading.page(behind.cursor.as_deref(), 1, Duration::ZERO).await.unwrap();
    while cluster.sql("SELECT read_to FROM template_desk.desk").await != "1" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    receiver.stop().await;
    let (kept, warning) = tdesk_log(&cluster, &["keep", "30"]).await;
    assert_eq!((&kept["keep_days"], &kept["first_seq"], &kept["last_seq"]), (&30.into(), &1.into(), &5.into()));
    assert!(warning.contains("desk team is overtaken within a day"), "{warning}");

    let receiver = receive(&cluster, "eu-1", &[]).await;
    while first(&cluster).await != "4 4" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (kept, warning) = tdesk_log(&cluster, &["show"]).await;
    assert_eq!((&kept["desks"][0]["read_to"], &kept["desks"][0]["missed"]), (&1.into(), &2.into()));
    assert!(warning.contains("desk team was overtaken: 2 deliveries were removed"), "{warning}");
    let reading = client(&receiver, &token);
    behind.catch_up(&reading).await;
    assert_eq!(behind.gaps, [(2, 3, "removed".to_owned())]);
    assert_eq!(behind.fetched.into_keys().collect::<Vec<_>>(), [1, 4, 5]);
    // A desk that begins now has missed nothing.
    let mut fresh = Desk::default();
    fresh.catch_up(&reading).await;
    assert_eq!((fresh.fetched.into_keys().collect::<Vec<_>>(), fresh.gaps), (vec![4, 5], vec![]));
    let (kept, _) = tdesk_log(&cluster, &["keep", "--forever"]).await;
    assert_eq!(kept["keep_days"], serde_json::Value::Null);
    receiver.stop().await;
}

#[tokio::test]
async fn altered_and_missing_deliveries_are_said() {
    let cluster = log_of(&[0; 7]).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    let token = add_desk(&cluster, "team").await;
    cluster.sql("UPDATE template_desk.delivery SET body = 'x' WHERE seq IN (2, 3)").await;
    cluster.sql("DELETE FROM template_desk.delivery WHERE seq IN (5, 7)").await;
    let reading = client(&receiver, &token);
    let mut desk = Desk::default();
    desk.catch_up(&reading).await;
    assert_eq!(desk.fetched.keys().copied().collect::<Vec<_>>(), [1, 4, 6]);
    let gap = |from, to, why: &str| (from, to, why.to_owned());
    assert_eq!(desk.gaps, [gap(2, 3, "altered"), gap(5, 5, "missing"), gap(7, 7, "missing")]);
    // A desk at a number that is missing goes on after it.
    assert_eq!(receiver.deliver("8").await, 200);
    desk.catch_up(&reading).await;
    assert_eq!((desk.fetched.len(), desk.gaps.len()), (4, 3));
    receiver.stop().await;
}

#[tokio::test]
async fn a_desk_passes_many_deliveries_of_other_endpoints() {
    const OTHERS: i64 = 12_000;
    let cluster = log_of(&[0]).await;
    // From a thousand receivers, of which each had a name of its own.
    let sql =
        "INSERT INTO template_desk.delivery SELECT 1 + n, gen_random_uuid(), stored_at, 'node-' || n % 1000, '/other',
                 received_at, headers, body, crc FROM template_desk.delivery, generate_series(1, 12000) AS n";
    cluster.sql(sql).await;
    cluster.sql(&format!("UPDATE template_desk.log SET last_seq = {}", OTHERS + 1)).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    assert_eq!(receiver.deliver("last").await, 200);
    let address = cluster.address();
    let output = run(&["desk", "add", "shop", "--endpoint", "/webhook", "--store", &address]).await;
    let token = String::from_utf8(output.stdout).unwrap();
    let mut desk = Desk::default();
    desk.catch_up(&client(&receiver, token.trim())).await;
    assert_eq!(desk.fetched.into_keys().collect::<Vec<_>>(), [1, OTHERS + 2]);
    assert!(desk.cursor.unwrap().len() <= delivery_log::cursor::MAX_LENGTH);
    receiver.stop().await;
}
