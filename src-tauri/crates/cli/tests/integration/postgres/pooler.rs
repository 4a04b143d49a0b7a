//! PgBouncer between receivers and database.

use std::time::Duration;

use super::pg_bouncer::PgBouncer;
use super::{Cluster, Desk, client, receive_at};
use crate::receiving::{run, stderr};

/// Fetches everything stored; connections that were ended are found one by one.
pub(super) async fn catch_up(desk: &mut Desk, client: &feed::Client) {
    while desk.try_catch_up(client).await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn works_through(mode: &'static str) {
    let cluster = Cluster::start(&[]).await;
    let Some(pooler) = PgBouncer::start(&cluster, mode).await else { return };
    let address = pooler.address();
    let [one, two] =
        [receive_at(&cluster, &address, "eu-1", &[]).await, receive_at(&cluster, &address, "eu-2", &[]).await];
    let output = run(&["desk", "add", "team", "--store", &address]).await;
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let token = String::from_utf8(output.stdout).unwrap();
    let mut desk = Desk::default();
    let mut sent = Vec::new();
    for number in 0..200 {
        for receiver in [&one, &two] {
            let body = format!("{number} {}", receiver.url);
            assert_eq!(receiver.deliver(body.clone()).await, 200);
            sent.push(body);
        }
        if number % 50 == 0 {
            catch_up(&mut desk, &client(&two, token.trim())).await;
            // As when the pooler's connections are lost.
            let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                          WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
            cluster.sql(others).await;
            for receiver in [&one, &two] {
                while receiver.deliver("again").await != 200 {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }
    let client = client(&one, token.trim());
    catch_up(&mut desk, &client).await;
    assert!(sent.iter().all(|body| desk.bodies.contains(body)));
    assert_eq!(desk.gaps, []);
    one.stop().await;
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_and_desks_work_through_a_pooler_for_transactions() {
    works_through("transaction").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_and_desks_work_through_a_pooler_for_sessions() {
    works_through("session").await;
}
