//! The feed of an inbox file over HTTP; `cli` tests it with a real PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::time::Duration;

use delivery_log::file::{self, DesksFile};
use delivery_log::server::{Feed, Timeouts, serve};
use delivery_log::{Access, Desks, Log, Metrics, TokenHash};
use store::DeliveryLog;
use store::delivery_log::NewDelivery;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket};
use tokio_util::sync::CancellationToken;

const TOKEN: &str = "tdesk_dGVhbS10b2tlbi01MWMwLXRlYW0tdG9rZW4tNTFjMCE";

#[tokio::test]
async fn a_desk_that_reads_nothing_is_disconnected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open(&path).unwrap();
    for _ in 0..16 {
        let delivery = NewDelivery {
            received_at: 1,
            route: "/webhook".into(),
            headers: Vec::new(),
            body: vec![b' '; 1 << 20].into(),
        };
        delivery_log.append(delivery).await.unwrap();
    }
    let desks = Desks::File(DesksFile::of(&path));
    let desk = Access { name: "team".into(), hash: TokenHash::of(TOKEN), endpoints: Vec::new(), created_at: 1 };
    desks.add(desk).await.unwrap();
    let log = Log::File(file::Reader::open(&path, "eu-1", delivery_log.stored()).await.unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let feed = Feed::new(log, desks, Arc::new(Metrics::default()), stop.clone());
    let write = Duration::from_millis(300);
    let serving = tokio::spawn(serve(listener, feed, Timeouts { write, ..Timeouts::default() }));

    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut desk = socket.connect(address).await.unwrap();
    let request = format!("GET /v1/deliveries HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n");
    desk.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let begun = desk.read(&mut answer).await.unwrap();
    let head = String::from_utf8_lossy(&answer[..begun]).into_owned();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect(&head);
    let length: usize = length.parse().unwrap();

    // Long enough for every loaded machine; a desk that reads again would get everything otherwise.
    tokio::time::sleep(write * 10).await;
    let mut rest = Vec::new();
    let _ = desk.read_to_end(&mut rest).await;
    assert!(begun + rest.len() < length, "the whole answer of {length} bytes arrived");
    stop.cancel();
    serving.await.unwrap();
    delivery_log.close();
}
