//! Tokens that are revoked while their desk gets a page.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use super::{Cluster, add_desk, receive};
use crate::feed::{get, metrics};
use crate::receiving::{Receiver, next_poll, run};

async fn revoke(cluster: &Cluster, name: &str) {
    let output = run(&["desk", "revoke", name, "--store", &cluster.address()]).await;
    assert_eq!(output.status.code(), Some(0));
}

async fn wait_for_desks(receiver: &Receiver, waiting: u32) {
    while !metrics(receiver).await.contains(&format!("tdesk_feed_waiting {waiting}\n")) {
        next_poll().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_desk_that_waits_gets_nothing_after_its_token_was_revoked() {
    let cluster = Cluster::start(&[]).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    let (ana, bia) = (add_desk(&cluster, "ana").await, add_desk(&cluster, "bia").await);
    let revoking = async {
        wait_for_desks(&receiver, 2).await;
        revoke(&cluster, "ana").await;
        assert_eq!(receiver.deliver("{}").await, 200);
    };
    let waiting = |token| get(&receiver, "/v1/deliveries?wait=60", token);
    let ((refused, lines), (status, page), ()) = tokio::join!(waiting(&ana), waiting(&bia), revoking);
    assert_eq!((refused, lines.len()), (401, 1));
    assert_eq!((status, page.len()), (200, 2), "the other desk gets it");
    receiver.stop().await;
}

/// Asks for a page and reads its beginning. Returns how long the whole page is.
async fn begin_page(receiver: &Receiver, token: &str) -> (TcpStream, usize) {
    let address: SocketAddr = receiver.feed.as_ref().unwrap()["http://".len()..].parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    // So that most of the page stays at the receiver.
    socket.set_recv_buffer_size(4096).unwrap();
    let mut desk = socket.connect(address).await.unwrap();
    let request = format!(
        "GET /v1/deliveries HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    desk.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(desk.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect(&head).parse().unwrap();
    (desk, length)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_in_flight_ends_when_its_token_is_revoked() {
    let cluster = Cluster::start(&[]).await;
    let receiver = receive(&cluster, "eu-1", &[]).await;
    let (ana, bia) = (add_desk(&cluster, "ana").await, add_desk(&cluster, "bia").await);
    for _ in 0..4 {
        assert_eq!(receiver.deliver(vec![b' '; 1 << 20]).await, 200);
    }
    let end = get(&receiver, "/v1/cursor", &bia).await.1[0]["cursor"].as_str().unwrap().to_owned();

    let (mut desk, length) = begin_page(&receiver, &ana).await;
    let mut page = Vec::new();
    desk.read_to_end(&mut page).await.unwrap();
    assert_eq!(page.len(), length, "a desk that is slow gets the whole page");

    let (mut desk, length) = begin_page(&receiver, &ana).await;
    let path = format!("/v1/deliveries?wait=60&after={end}");
    let revoking = async {
        wait_for_desks(&receiver, 1).await;
        revoke(&cluster, "ana").await;
        assert_eq!(receiver.deliver("{}").await, 200);
    };
    // Once another desk gets what was stored later, the receiver has heard of the revocation.
    let ((status, _), ()) = tokio::join!(get(&receiver, &path, &bia), revoking);
    assert_eq!(status, 200);
    let mut page = Vec::new();
    let _ = desk.read_to_end(&mut page).await;
    assert!(page.len() < length, "the whole page of {length} bytes arrived");
    receiver.stop().await;
}
