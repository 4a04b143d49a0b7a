//! `pg_dump` of a log that is in use: it holds a lock on every table until it ends.

use std::time::Duration;

use tokio::time::sleep;

use super::retention::{age, first, tdesk_log};
use super::{Cluster, Desk, add_desk, client, receive};
use crate::receiving::{run, stderr};

/// Deliveries that are larger than the buffers between the server and the output of the dump.
const LARGE: i64 = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_waits_for_a_dump() {
    let cluster = Cluster::start(&[]).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    let token = add_desk(&cluster, "team").await;
    assert_eq!(receiver.deliver("first").await, 200);
    let large =
        "INSERT INTO template_desk.delivery SELECT 1 + n, mark, stored_at, node, endpoint, received_at, headers,
                   decode(repeat('00', 100000), 'hex'), crc FROM template_desk.delivery, generate_series(1, 200) AS n";
    cluster.sql(large).await;
    cluster.sql(&format!("UPDATE template_desk.log SET last_seq = last_seq + {LARGE}")).await;
    age(&cluster, &[100; 1 + LARGE as usize]).await;
    let dump = cluster.begin_dump().await;

    assert_eq!(receiver.deliver("beside the dump").await, 200);
    tdesk_log(&cluster, &["keep", "30"]).await;
    // It looks at the tables, and removes what is old.
    let second = receive(&cluster, "eu-2", &[]).await;
    assert_eq!(second.deliver("of another receiver").await, 200);
    let kept = LARGE + 2;
    while first(&cluster).await != format!("{kept} {kept}") {
        sleep(Duration::from_millis(20)).await;
    }
    cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'tdesk%'").await;
    for receiver in [&receiver, &second] {
        // The first one may meet the connection that has just ended.
        while receiver.deliver("over a new connection").await != 200 {
            sleep(Duration::from_millis(20)).await;
        }
    }
    let other = add_desk(&cluster, "other").await;
    let revoked = run(&["desk", "revoke", "other", "--store", &cluster.address()]).await;
    assert_eq!(revoked.status.code(), Some(0), "{}", stderr(&revoked));
    assert!(client(&receiver, &other).start().await.is_err());
    let mut desk = Desk::default();
    while desk.try_catch_up(&client(&receiver, &token)).await.is_err() {
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(desk.fetched.first_key_value(), Some((&kept, &"beside the dump".to_owned())));
    assert!(desk.bodies.contains("of another receiver") && desk.bodies.contains("over a new connection"));
    assert_eq!(cluster.sql("SELECT count(*) FROM pg_locks WHERE NOT granted").await, "0");

    assert!(cluster.is_dumping().await, "the dump was there all the time");
    let dump = dump.wait_with_output().await.unwrap();
    assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
    let text = String::from_utf8(dump.stdout).unwrap();
    assert!(text.contains("-- PostgreSQL database dump complete"), "{}", &text[text.len() - 200..]);
    receiver.stop().await;
    second.stop().await;
}
