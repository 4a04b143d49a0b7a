//! A synchronous standby that is away: every commit waits.

use std::time::Duration;

use tokio::time::sleep;

use super::{Cluster, Desk, add_desk, client, receive};
use crate::receiving::{Receiver, SECRET, deliver};

/// From now on every commit waits for a standby that does not exist.
async fn stall(cluster: &Cluster) {
    cluster.sql("ALTER SYSTEM SET synchronous_standby_names = 'missing'").await;
    cluster.sql("SELECT pg_reload_conf()").await;
    while cluster.sql("SHOW synchronous_standby_names").await != "missing" {
        sleep(Duration::from_millis(20)).await;
    }
}

async fn release(cluster: &Cluster) {
    cluster.sql("ALTER SYSTEM RESET synchronous_standby_names").await;
    cluster.sql("SELECT pg_reload_conf()").await;
}

/// Delivers until it is stored.
async fn store(receiver: &Receiver, body: &str) {
    while receiver.deliver(body).await != 200 {
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stalled_standby_neither_ends_a_receiver_nor_takes_its_connections() {
    let cluster = Cluster::start(&[]).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    let token = add_desk(&cluster, "team").await;
    assert_eq!(receiver.deliver("before").await, 200);
    stall(&cluster).await;
    let (mut sessions, mut attempts) = (0, 0);
    let log = cluster.path().join("eu-1.log");
    // Three writes that timed out.
    while attempts < 3 {
        assert_eq!(deliver(&receiver.client, &receiver.url, SECRET, "stalled".into()).await.unwrap(), 503);
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'tdesk%'";
        sessions = sessions.max(cluster.sql(sql).await.parse().unwrap());
        attempts = std::fs::read_to_string(&log).unwrap().matches("the database did not answer in time").count();
    }
    assert!(sessions <= 5, "{sessions} sessions");
    release(&cluster).await;
    store(&receiver, "after").await;
    let mut desk = Desk::default();
    desk.catch_up(&client(&receiver, &token)).await;
    assert!(desk.fetched.values().any(|body| body == "after"));
    assert_eq!(desk.gaps, []);
    receiver.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wait_that_the_database_gave_up_is_not_acknowledged() {
    let cluster = Cluster::start(&[]).await;
    // Neither setting of the role counts.
    cluster.sql("ALTER ROLE postgres SET client_min_messages = 'error'").await;
    cluster.sql("ALTER ROLE postgres SET synchronous_commit = 'off'").await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    assert_eq!(receiver.deliver("before").await, 200);
    stall(&cluster).await;
    for end in ["pg_cancel_backend", "pg_terminate_backend"] {
        let delivering = receiver.deliver("stalled");
        let ending = async {
            let sql = format!("SELECT count({end}(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
            while cluster.sql(&sql).await == "0" {
                sleep(Duration::from_millis(20)).await;
            }
        };
        let (status, ()) = tokio::join!(delivering, ending);
        assert_eq!(status, 503, "{end}");
        sleep(Duration::from_millis(300)).await;
    }
    release(&cluster).await;
    store(&receiver, "after").await;
    receiver.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_starts_beside_a_stalled_standby() {
    let cluster = Cluster::start(&[]).await;
    stall(&cluster).await;
    let first = receive(&cluster, "eu-1", &[]).await;
    let second = receive(&cluster, "eu-2", &[]).await;
    release(&cluster).await;
    store(&first, "1").await;
    store(&second, "2").await;
    first.stop().await;
    second.stop().await;
}
