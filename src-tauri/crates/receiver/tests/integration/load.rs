//! Many concurrent senders.

use std::{collections::HashSet, time::Duration};

use receiver::{Limits, Reason};

use crate::support::{DeliveryLogMode, Running, SECRET, signed, until};

/// Far more connections than permits, each with several deliveries: each delivery is stored exactly once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_senders_than_permits_are_all_served() {
    let running =
        Running::with(Limits { connections: 32, eviction_delay: Duration::from_secs(60), ..Limits::default() }).await;
    let address = running.address;
    let senders: Vec<_> = (0..320)
        .map(|sender| {
            tokio::spawn(async move {
                let mut client = None;
                for number in 0..5 {
                    let mut open = match client.take() {
                        Some(open) => open,
                        None => crate::support::Client(tokio::net::TcpStream::connect(address).await.unwrap()),
                    };
                    let answer = open.exchange(signed(SECRET, format!("{sender}/{number}").as_bytes())).await;
                    assert_eq!(answer.status, 200);
                    if answer.header("connection") != Some("close") {
                        client = Some(open);
                    }
                }
            })
        })
        .collect();
    for sender in senders {
        sender.await.unwrap();
    }
    let stored = running.delivery_log.stored();
    assert_eq!(stored.len(), 1600);
    assert_eq!(stored.iter().map(|delivery| delivery.body.clone()).collect::<HashSet<_>>().len(), 1600);
}

/// 300 idle connections on the default limits do not lock out a sender.
#[tokio::test]
async fn idle_connections_do_not_lock_out_a_sender() {
    let running = Running::start().await;
    let mut idle = Vec::new();
    for _ in 0..300 {
        idle.push(running.connect().await);
    }
    assert_eq!(running.deliver(b"{}").await.status, 200);
    idle[0].closed().await;
}

#[tokio::test]
async fn total_body_memory_is_limited() {
    let limits = Limits { bodies_in_flight: 100_000, append_timeout: Duration::from_secs(3600), ..Limits::default() };
    let running = Running::with(limits).await;
    running.delivery_log.set_mode(DeliveryLogMode::Hangs);
    let mut first = running.connect().await;
    first.write(signed(SECRET, &[b'1'; 60_000])).await;
    until(|| running.delivery_log.append_calls() == 1).await;
    let answer = running.deliver([b'2'; 60_000]).await;
    assert_eq!((answer.status, running.last_reason()), (503, Some(Reason::Busy)));
    assert!(answer.header("retry-after").is_some());
    // One that fits in the remaining memory is accepted.
    let mut third = running.connect().await;
    third.write(signed(SECRET, &[b'3'; 30_000])).await;
    until(|| running.delivery_log.append_calls() == 2).await;
    running.delivery_log.set_mode(DeliveryLogMode::Stores);
    assert_eq!(first.answer().await.unwrap().status, 200);
    assert_eq!(third.answer().await.unwrap().status, 200);
    // The memory is free again.
    assert_eq!(running.deliver([b'4'; 60_000]).await.status, 200);
    assert_eq!(running.delivery_log.stored().len(), 3);
}

/// Pipelined requests are answered in order.
#[tokio::test]
async fn pipelined_requests() {
    let running = Running::start().await;
    let mut client = running.connect().await;
    let requests = [signed(SECRET, b"1"), signed("wrong", b"2"), signed(SECRET, b"3")].concat();
    client.write(requests).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(client.answer().await.unwrap().status);
    }
    assert_eq!(statuses, [200, 401, 200]);
}
