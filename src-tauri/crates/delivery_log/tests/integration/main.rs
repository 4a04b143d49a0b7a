//! The feed of an inbox file over HTTP; `cli` tests it with a real PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use delivery_log::file::{self, DesksFile};
use delivery_log::server::{Feed, Timeouts, serve};
use delivery_log::{Access, Desks, Log, Metrics, TokenHash};
use feed::Line;
use store::DeliveryLog;
use store::delivery_log::NewDelivery;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const TOKEN: &str = "tdesk_dGVhbS10b2tlbi01MWMwLXRlYW0tdG9rZW4tNTFjMCE";

/// A feed of an inbox file for one desk.
struct Served {
    address: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<()>,
    delivery_log: DeliveryLog,
}

impl Served {
    async fn start(path: &Path, write: Duration) -> Self {
        let delivery_log = DeliveryLog::open(path).unwrap();
        let desks = Desks::File(DesksFile::of(path));
        let desk = Access { name: "team".into(), hash: TokenHash::of(TOKEN), endpoints: Vec::new(), created_at: 1 };
        desks.add(desk).await.unwrap();
        let log = Log::File(file::Reader::open(path, "eu-1", delivery_log.stored()).await.unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let feed = Feed::new(log, desks, Arc::new(Metrics::default()), stop.clone());
        let serving = tokio::spawn(serve(listener, feed, Timeouts { write, ..Timeouts::default() }));
        Self { address, stop, serving, delivery_log }
    }

    async fn stop(self) {
        self.stop.cancel();
        self.serving.await.unwrap();
        self.delivery_log.close();
    }
}

fn request(query: &str, more: &str) -> String {
    format!("GET /v1/deliveries{query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n{more}\r\n")
}

fn delivery(body: Vec<u8>) -> NewDelivery {
    NewDelivery { received_at: 1, route: "/webhook".into(), headers: Vec::new(), body: body.into() }
}

#[tokio::test]
async fn altered_and_missing_deliveries_of_a_file_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let delivery_log = DeliveryLog::open(&path).unwrap();
    for number in 1..=6 {
        delivery_log.append(delivery(vec![number])).await.unwrap();
    }
    delivery_log.close();
    drop(delivery_log);
    let file = rusqlite::Connection::open(&path).unwrap();
    let damage = "DELETE FROM delivery WHERE seq IN (1, 4); UPDATE delivery SET body = x'00' WHERE seq IN (2, 6)";
    file.execute_batch(damage).unwrap();
    drop(file);
    let served = Served::start(&path, Duration::from_secs(30)).await;
    let page = async |query: &str| {
        let mut desk = TcpStream::connect(served.address).await.unwrap();
        desk.write_all(request(query, "Connection: close\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        desk.read_to_string(&mut answer).await.unwrap();
        let mut lines: Vec<Line> = answer
            .lines()
            .filter(|line| line.starts_with('{'))
            .map(|line| Line::parse(line.as_bytes()).unwrap())
            .collect();
        let Some(Line::End(end)) = lines.pop() else { panic!("{answer}") };
        let read = lines.into_iter().map(|line| match line {
            Line::Delivery(delivery) => delivery.seq.to_string(),
            Line::Gap(gap) => format!("{}-{} {}", gap.from, gap.to, gap.why),
            other => panic!("{other:?}"),
        });
        (read.collect::<Vec<_>>(), end)
    };
    let (read, end) = page("").await;
    assert_eq!(read, ["2-2 altered", "3", "4-4 missing", "5", "6-6 altered"]);
    assert_eq!(end.behind, 0);
    let (again, _) = page(&format!("?after={}", end.cursor)).await;
    assert!(again.is_empty(), "{again:?}");
    served.stop().await;
}

#[tokio::test]
async fn a_desk_that_reads_nothing_is_disconnected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let write = Duration::from_millis(300);
    let served = Served::start(&path, write).await;
    for _ in 0..4 {
        served.delivery_log.append(delivery(vec![b' '; 1 << 20])).await.unwrap();
    }

    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut desk = socket.connect(served.address).await.unwrap();
    desk.write_all(request("", "").as_bytes()).await.unwrap();
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
    served.stop().await;
}
