//! Shutdown.

use std::time::Duration;

use receiver::Limits;
use tokio::{net::TcpStream, time::timeout};

use crate::support::{DeliveryLogMode, Running, SECRET, TIMEOUT, signed, until, until_async};

#[tokio::test]
async fn shutdown_finishes_running_requests_and_accepts_no_new_ones() {
    let mut running = Running::with(Limits { append_timeout: Duration::from_secs(3600), ..Limits::default() }).await;
    running.delivery_log.set_mode(DeliveryLogMode::Hangs);
    let mut idle = running.connect().await;
    let mut busy = running.connect().await;
    busy.write(signed(SECRET, b"{}")).await;
    until(|| running.delivery_log.append_calls() == 1).await;
    running.stop();
    idle.closed().await;
    let address = running.address;
    until_async(|| async { TcpStream::connect(address).await.is_err() }).await;
    assert!(!running.task.is_finished());
    running.delivery_log.set_mode(DeliveryLogMode::Stores);
    let answer = busy.answer().await.unwrap();
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("connection"), Some("close"));
    timeout(TIMEOUT, running.task).await.unwrap().unwrap();
    assert_eq!(running.delivery_log.stored().len(), 1);
}

#[tokio::test]
async fn shutdown_closes_requests_at_the_drain_timeout() {
    let limits = Limits {
        append_timeout: Duration::from_secs(3600),
        drain_timeout: Duration::from_millis(50),
        ..Limits::default()
    };
    let mut running = Running::with(limits).await;
    running.delivery_log.set_mode(DeliveryLogMode::Hangs);
    let mut busy = running.connect().await;
    busy.write(signed(SECRET, b"{}")).await;
    until(|| running.delivery_log.append_calls() == 1).await;
    running.stop();
    assert!(busy.answer().await.is_none());
    timeout(TIMEOUT, running.task).await.unwrap().unwrap();
    assert_eq!(running.delivery_log.stored().len(), 0);
}

/// It stops even if all permits are in use and another connection waits for one.
#[tokio::test]
async fn shutdown_works_when_all_permits_are_used() {
    let mut running = Running::with(Limits { connections: 1, ..Limits::default() }).await;
    let mut first = running.connect().await;
    assert_eq!(first.exchange(signed(SECRET, b"{}")).await.status, 200);
    let _second = running.connect().await;
    let _third = running.connect().await;
    running.stop();
    timeout(TIMEOUT, running.task).await.unwrap().unwrap();
}

#[tokio::test]
async fn dropping_the_server_closes_connections() {
    let running = Running::start().await;
    let mut client = running.connect().await;
    assert_eq!(client.exchange(signed(SECRET, b"{}")).await.status, 200);
    running.task.abort();
    client.closed().await;
}
