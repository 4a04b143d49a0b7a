//! `tdesk receive` with stalling peers, and with more requests than it can store.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{
        Arc, Mutex,
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
    Folder, Receiver, SECRET, TIMEOUT, client_without_pool, deliver, envelope, identity, signature, status, wait_until,
};

/// Maximum number of connections of a receiver.
const MAX_CONNECTIONS: usize = 256;

fn address(receiver: &Receiver) -> String {
    receiver.url.trim_start_matches("http://").to_owned()
}

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
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_connections_do_not_block_deliveries() {
    const STALLED: usize = 3 * MAX_CONNECTIONS;
    // The others have a permit until the timeouts of the receiver, which are tested with the crate.
    stall(STALLED, STALLED - MAX_CONNECTIONS).await;
}

/// A thousand such connections are closed without their doing.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "waits for the timeouts of the receiver; make faults"]
async fn full_stalled_connections_are_closed() {
    stall(1_000, 1_000).await;
}

/// Opens connections that stall and delivers until `until_closed` of them are closed; then the others are given up.
#[cfg(target_os = "linux")]
async fn stall(connections: usize, until_closed: usize) {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    assert_eq!(receiver.deliver(envelope(&[status("before", "sent")])).await, 200);
    let before = open_files(&receiver);

    let (address, closed) = (address(&receiver), Arc::new(AtomicUsize::new(0)));
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

/// Delivers on the sender's connection, or a new one; returns the status of the response, or `None` if the connection
/// was closed before one arrived.
async fn deliver_on(connection: &mut Option<TcpStream>, address: &str, body: &str) -> Option<u16> {
    let mut stream = match connection.take() {
        Some(stream) => stream,
        None => TcpStream::connect(address).await.ok()?,
    };
    let signature = signature(SECRET, body.as_bytes());
    let head = format!("POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-Hub-Signature-256: {signature}\r\n");
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    let head = loop {
        let text = String::from_utf8_lossy(&answer).to_lowercase();
        if let Some((head, rest)) = text.split_once("\r\n\r\n") {
            let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
            if rest.len() >= length.unwrap_or("0").parse().unwrap() {
                break head.to_owned();
            }
        }
        if stream.read_buf(&mut answer).await.ok()? == 0 {
            return None;
        }
    };
    if !head.contains("connection: close") {
        *connection = Some(stream);
    }
    Some(head.split(' ').nth(1).unwrap().parse().unwrap())
}

/// Many more senders than connection permits, each on its own connection and without pauses. A connection that is
/// closed without a response acknowledges nothing, and its sender retries.
async fn overload(senders: usize, deliveries: usize) {
    let folder = Folder::new();
    let receiver = folder.receive(&[]).await;
    let acknowledged: Arc<Mutex<BTreeSet<(String, String)>>> = Arc::default();
    let (refused, unanswered) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut sending = JoinSet::new();
    for sender in 0..senders {
        let (address, acknowledged) = (address(&receiver), Arc::clone(&acknowledged));
        let (refused, unanswered) = (Arc::clone(&refused), Arc::clone(&unanswered));
        sending.spawn(async move {
            let mut connection = None;
            for number in 0..deliveries {
                let id = format!("wamid.{sender}.{number}");
                let body = envelope(&[status(&id, "sent")]);
                let code = loop {
                    let answer = timeout(TIMEOUT, deliver_on(&mut connection, &address, &body)).await;
                    match answer.expect("it is answered or closed in time") {
                        Some(code) => break code,
                        None => unanswered.fetch_add(1, Ordering::SeqCst),
                    };
                };
                if code == 200 {
                    acknowledged.lock().unwrap().insert((id, "sent".to_owned()));
                } else {
                    assert_eq!(code, 503);
                    refused.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
    }
    while let Some(sender) = sending.join_next().await {
        sender.unwrap();
    }
    receiver.stop().await;
    let stored: Vec<_> = folder.events(&[]).await.iter().map(identity).collect();
    let once: BTreeSet<_> = stored.iter().cloned().collect();
    assert_eq!(stored.len(), once.len(), "an item was printed twice");
    let acknowledged = acknowledged.lock().unwrap();
    let lost: Vec<_> = acknowledged.difference(&once).collect();
    assert!(lost.is_empty(), "{} of {} lost: {lost:?}", lost.len(), acknowledged.len());
    let (refused, unanswered) = (refused.load(Ordering::SeqCst), unanswered.load(Ordering::SeqCst));
    println!(
        "{senders} senders: {} acknowledged, 0 lost, {refused} refused, {unanswered} unanswered",
        acknowledged.len()
    );
    assert_eq!(acknowledged.len() + refused, senders * deliveries);
    // A sender loses its permit only if it was itself delayed between connecting and sending.
    assert!(unanswered <= senders * deliveries / 20, "{unanswered} connections were closed without an answer");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn overload_answers_200_or_503_and_loses_nothing() {
    overload(400, 10).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a full fault run; make faults"]
async fn full_overload() {
    overload(2_000, 50).await;
}
