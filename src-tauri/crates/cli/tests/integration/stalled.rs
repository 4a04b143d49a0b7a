//! `tdesk receive` with stalling peers.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::{JoinError, JoinSet},
    time::timeout,
};

use crate::receiving::{
    Folder, Receiver, SECRET, TIMEOUT, client_without_pool, deliver, envelope, signature, status, wait_until,
};

/// Maximum number of connections of a receiver.
const MAX_CONNECTIONS: usize = 256;

/// Number of open files and sockets of a process.
fn open_files(receiver: &Receiver) -> usize {
    let folder = PathBuf::from(format!("/proc/{}/fd", receiver.id()));
    std::fs::read_dir(folder).unwrap().count()
}

/// The start of a signed request: nothing, half a head, half a body.
fn stalling(place: usize) -> Vec<u8> {
    let body = envelope(&[status("never", "sent")]);
    let head = format!(
        "POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-Hub-Signature-256: {}\r\nContent-Length: {}\r\n\r\n",
        signature(SECRET, body.as_bytes()),
        body.len()
    );
    let whole = [head.as_bytes(), body.as_bytes()].concat();
    whole[..[0, head.len() / 2, head.len() + body.len() / 2][place % 3]].to_vec()
}

/// Connections that stall in every way make room for healthy senders, and no connection is left open once they are gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_connections_do_not_block_deliveries() {
    const STALLED: usize = 3 * MAX_CONNECTIONS;
    // The others have a permit until the timeouts of the receiver, which are tested with the crate.
    stall(STALLED, STALLED - MAX_CONNECTIONS).await;
}

/// A thousand such connections are closed without their doing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "waits for the timeouts of the receiver; make faults"]
async fn full_stalled_connections_are_closed() {
    stall(1_000, 1_000).await;
}

/// Opens connections that stall and delivers until `until_closed` of them are closed; then the others are given up.
async fn stall(connections: usize, until_closed: usize) {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    assert_eq!(receiver.deliver(envelope(&[status("before", "sent")])).await, 200);
    let before = open_files(&receiver);

    let (address, closed) = (receiver.address(), Arc::new(AtomicUsize::new(0)));
    let mut stalled = JoinSet::new();
    for place in 0..connections {
        let (address, closed) = (address.clone(), Arc::clone(&closed));
        stalled.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            // The connection may be closed while the bytes are in flight.
            stream.write_all(&stalling(place)).await.ok();
            let mut answer = Vec::new();
            timeout(TIMEOUT, stream.read_to_end(&mut answer)).await.expect("it is closed in time").ok();
            closed.fetch_add(1, Ordering::SeqCst);
            answer
        });
    }
    // A new connection for each delivery, so that each needs a permit.
    let sender = client_without_pool();
    let (mut healthy, mut most) = (0, 0);
    while closed.load(Ordering::SeqCst) < until_closed {
        let body = envelope(&[status(&format!("healthy.{healthy}"), "sent")]);
        assert_eq!(deliver(&sender, &receiver.url, SECRET, body.into_bytes()).await.unwrap(), 200);
        healthy += 1;
        most = most.max(open_files(&receiver));
    }
    // One more may be accepted and wait for a permit.
    assert!(most <= before + MAX_CONNECTIONS + 1, "{most} files open, {before} before");
    stalled.abort_all();
    while let Some(answer) = stalled.join_next().await {
        if answer.as_ref().is_err_and(JoinError::is_cancelled) {
            continue;
        }
        let answer = String::from_utf8(answer.unwrap()).unwrap();
        // Half a body may be answered with 408; the others get no response or also 408.
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{answer}");
    }
    wait_until(|| open_files(&receiver) <= before).await;
    receiver.stop().await;
    assert_eq!(folder.events(&[]).await.len(), healthy + 1);
}
