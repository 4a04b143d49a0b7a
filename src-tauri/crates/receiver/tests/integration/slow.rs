//! Slow and stalled peers.

use std::time::Duration;

use receiver::{Limits, Reason};

use crate::support::{DeliveryLogMode, Running, SECRET, signed, until};

fn short() -> Limits {
    Limits {
        header_timeout: Duration::from_millis(200),
        body_timeout: Duration::from_millis(200),
        append_timeout: Duration::from_millis(200),
        ..Limits::default()
    }
}

#[tokio::test]
async fn idle_connections_and_incomplete_heads_are_closed() {
    let running = Running::with(short()).await;
    for sent in ["", "POST", "POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-A: b", "\r\n"] {
        let mut client = running.connect().await;
        client.write(sent).await;
        client.closed().await;
    }
    let mut kept_alive = running.connect().await;
    assert_eq!(kept_alive.exchange(signed(SECRET, b"{}")).await.status, 200);
    kept_alive.closed().await;
}

#[tokio::test]
async fn incomplete_bodies_get_408_and_are_closed() {
    let running = Running::with(short()).await;
    let request = signed(SECRET, br#"{"a":1}"#);
    let mut client = running.connect().await;
    let answer = client.exchange(&request[..request.len() - 2]).await;
    assert_eq!((answer.status, answer.reason().as_str()), (408, "bodyTimeout"));
    client.closed().await;
    let refused = running.refused().pop().unwrap();
    assert_eq!((refused.reason, refused.body.as_ref()), (Reason::BodyTimeout, br#"{"a":"#.as_slice()));
    assert_eq!(running.delivery_log.append_calls(), 0);
}

#[tokio::test]
async fn slow_bytes_do_not_extend_the_body_timeout() {
    let running = Running::with(short()).await;
    let mut client = running.connect().await;
    client.write("POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n").await;
    let (mut read, mut write) = client.0.split();
    let writing = async {
        while tokio::io::AsyncWriteExt::write_all(&mut write, b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        std::future::pending::<()>().await;
    };
    let mut answer = [0; 12];
    tokio::select! {
        result = tokio::io::AsyncReadExt::read_exact(&mut read, &mut answer) => { result.unwrap(); }
        () = writing => {}
    }
    assert_eq!(&answer, b"HTTP/1.1 408");
}

#[tokio::test]
async fn a_truncated_body_is_rejected() {
    let running = Running::start().await;
    let request = signed(SECRET, br#"{"a":1}"#);
    let mut client = running.connect().await;
    client.write(&request[..request.len() - 2]).await;
    drop(client);
    assert_eq!(running.deliver(b"{}").await.status, 200);
    assert_eq!(running.delivery_log.append_calls(), 1);
}

#[tokio::test]
async fn a_hanging_delivery_log_gets_503() {
    let running = Running::with(short()).await;
    running.delivery_log.set_mode(DeliveryLogMode::Hangs);
    let mut client = running.connect().await;
    let answer = client.exchange(signed(SECRET, b"{}")).await;
    assert_eq!((answer.status, answer.reason().as_str()), (503, "storageTimeout"));
    assert!(answer.header("retry-after").is_some());
    running.delivery_log.set_mode(DeliveryLogMode::Stores);
    assert_eq!(client.exchange(signed(SECRET, b"{}")).await.status, 200);
}

/// A request that waited longer than the limit gets 503, even if the process was suspended meanwhile. Its delivery is
/// stored anyway.
#[tokio::test]
async fn an_append_after_the_timeout_gets_503() {
    let running = Running::with(short()).await;
    running.delivery_log.set_mode(DeliveryLogMode::Stalls(Duration::from_millis(300)));
    let answer = running.deliver(b"{}").await;
    assert_eq!((answer.status, answer.reason().as_str()), (503, "storageTimeout"));
    assert!(answer.header("retry-after").is_some());
    assert_eq!(running.delivery_log.stored().len(), 1);
    running.delivery_log.set_mode(DeliveryLogMode::Stores);
    assert_eq!(running.deliver(b"{}").await.status, 200);
}

/// If stalled peers use all permits, even before their timeouts, a healthy sender is served.
#[tokio::test]
async fn stalled_connections_are_evicted() {
    let limits = Limits { connections: 64, ..Limits::default() };
    let hour = Duration::from_secs(3600);
    let running = Running::with(Limits { header_timeout: hour, body_timeout: hour, ..limits }).await;
    let request = signed(SECRET, b"{}");
    let mut stalled = Vec::new();
    for index in 0..200 {
        let mut client = running.connect().await;
        client.write(&request[..[0, 20, request.len() - 1][index % 3]]).await;
        stalled.push(client);
    }
    for _ in 0..5 {
        assert_eq!(running.deliver(b"{}").await.status, 200);
    }
    assert_eq!(running.delivery_log.stored().len(), 5);
    for client in &mut stalled[..64] {
        client.closed().await;
    }
}

/// A peer that waits for the delivery log is not considered stalled.
#[tokio::test]
async fn connections_that_wait_for_the_delivery_log_are_not_evicted() {
    let limits = Limits { connections: 2, eviction_delay: Duration::from_millis(1), ..Limits::default() };
    let running = Running::with(Limits { append_timeout: Duration::from_secs(3600), ..limits }).await;
    running.delivery_log.set_mode(DeliveryLogMode::Hangs);
    let mut first = running.connect().await;
    first.write(signed(SECRET, b"first")).await;
    until(|| running.delivery_log.append_calls() == 1).await;
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(running.connect().await);
    }
    for client in &mut idle[..18] {
        client.closed().await;
    }
    running.delivery_log.set_mode(DeliveryLogMode::Stores);
    assert_eq!(first.answer().await.unwrap().status, 200);
}
