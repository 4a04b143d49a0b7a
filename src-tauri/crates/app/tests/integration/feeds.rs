//! A desk that follows receivers on servers.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use command_types::Nothing;
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::feeds::{DismissFeedGap, FeedGap, FeedGapReason, FeedId, FeedState, SaveFeed};
use delivery_log::file::{self, DesksFile};
use delivery_log::server::{Feed, Timeouts};
use delivery_log::{Access, Desks, Log, Metrics, TokenHash};
use feed::{Delivery, End, Gap, Line};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use store::delivery_log::NewDelivery;
use store::{DeliveryLog, DeliveryLogReader};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::connection::workspace;
use super::harness::Harness;

pub(crate) const TOKEN: &str = "tdesk_dGVhbS10b2tlbi01MWMwLXRlYW0tdG9rZW4tNTFjMCE";

/// A receiver with an inbox file, and its feed.
pub(crate) struct Server {
    pub(crate) delivery_log: DeliveryLog,
    address: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<()>,
    desks: Desks,
}

impl Server {
    pub(crate) async fn start(file: &Path, address: &str) -> Self {
        let delivery_log = DeliveryLog::open(file).unwrap();
        let log = file::Reader::open(file, "eu-1", delivery_log.stored()).await.unwrap();
        let desks = Desks::File(DesksFile::of(file));
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let metrics = Arc::new(Metrics::default());
        let feed = Feed::new(Log::File(log), desks.clone(), metrics, stop.clone());
        let serving = tokio::spawn(delivery_log::server::serve(listener, feed, Timeouts::default()));
        Self { delivery_log, address, stop, serving, desks }
    }

    pub(crate) async fn allow(&self, endpoints: &[&str]) {
        let endpoints = endpoints.iter().map(|&endpoint| endpoint.to_owned()).collect();
        let hash = TokenHash::of(TOKEN);
        self.desks.add(Access { name: "team".into(), hash, endpoints, created_at: 1 }).await.unwrap();
    }

    async fn receive(&self, endpoint: &str, message: &str) {
        let body = format!(
            r#"{{"object":"whatsapp_business_account","entry":[{{"id":"10","changes":[{{"field":"messages","value":{{
            "messaging_product":"whatsapp","metadata":{{"phone_number_id":"1"}},
            "messages":[{{"id":"{message}","from":"5511987654321","timestamp":"1750000000","type":"text",
            "text":{{"body":"{message}"}}}}]}}}}]}}]}}"#
        );
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let delivery =
            NewDelivery { received_at: 1_750_000_000_000, route: endpoint.to_owned(), headers, body: body.into() };
        self.delivery_log.append(delivery).await.unwrap();
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) async fn close(self) {
        self.stop.cancel();
        self.serving.await.unwrap();
        self.delivery_log.close();
    }
}

/// A desk with a workspace that follows nothing yet.
async fn desk_with_workspace() -> (Harness, String) {
    let harness = Harness::start().await;
    let shop = harness.core.workspaces.save_workspace(workspace("http://127.0.0.1:9", "t")).await.unwrap();
    (harness, shop.id)
}

fn feed(workspace: &str, address: &str) -> SaveFeed {
    SaveFeed {
        id: None,
        workspace: workspace.to_owned(),
        address: address.to_owned(),
        endpoint: None,
        token: Some(TOKEN.into()),
        session_only: false,
    }
}

/// Waits until the first feed is in a state.
async fn wait_for(harness: &mut Harness, is_expected: impl Fn(&FeedState) -> bool) -> FeedState {
    loop {
        let feeds = harness.core.webhooks.list_feeds(Nothing {}).await.unwrap();
        if let Some(row) = feeds.rows.first().filter(|row| is_expected(&row.state)) {
            return row.state.clone();
        }
        harness.event(|event| matches!(event, DeskEvent::FeedsChanged {}).then_some(())).await;
    }
}

/// What the delivery log of a desk has from servers: how often each origin, and the route.
fn fetched(folder: &TempDir) -> BTreeMap<String, (String, usize)> {
    let reader = DeliveryLogReader::open(&folder.path().join("desk/inbox.sqlite")).unwrap();
    let page =
        std::thread::spawn(move || tokio::runtime::Runtime::new().unwrap().block_on(reader.after(0, 100_000)).unwrap());
    let mut fetched = BTreeMap::new();
    for delivery in page.join().unwrap() {
        if let Some(origin) = delivery.origin {
            let number = origin.split_once('/').unwrap().1.to_owned();
            fetched.entry(number).or_insert((delivery.route, 0)).1 += 1;
        }
    }
    fetched
}

async fn messages(harness: &mut Harness, workspace: &str) -> usize {
    harness.wait_for_projection().await;
    let query =
        command_types::activity::EventQuery { workspace: Some(workspace.to_owned()), limit: 500, ..Default::default() };
    harness.core.webhooks.list_events(query).await.unwrap().rows.len()
}

#[tokio::test]
async fn deliveries_of_a_server_enter_the_delivery_log_once() {
    let files = TempDir::new().unwrap();
    let file = files.path().join("inbox.sqlite");
    let server = Server::start(&file, "127.0.0.1:0").await;
    server.allow(&[]).await;
    for message in ["m1", "m2", "m3"] {
        server.receive("/webhook", message).await;
    }
    let (mut harness, shop) = desk_with_workspace().await;
    let saved = harness.core.webhooks.save_feed(feed(&shop, &server.url())).await.unwrap();
    assert_eq!(saved.rows.len(), 1);
    wait_for(&mut harness, |state| *state == FeedState::Connected {}).await;
    assert_eq!(messages(&mut harness, &shop).await, 3);

    // One that is stored while the desk waits arrives without a further request of the person.
    server.receive("/webhook", "m4").await;
    while messages(&mut harness, &shop).await < 4 {
        harness.event(|event| matches!(event, DeskEvent::EventsStored { .. }).then_some(())).await;
    }

    // The server is away, and comes back with more.
    let address = server.address.to_string();
    server.close().await;
    let state = wait_for(&mut harness, |state| matches!(state, FeedState::Failed { .. })).await;
    let FeedState::Failed { reason } = state else { unreachable!() };
    assert!(reason.starts_with("The server cannot be reached: ") && reason.contains("Check the address"), "{reason}");
    let server = Server::start(&file, &address).await;
    server.receive("/webhook", "m5").await;
    wait_for(&mut harness, |state| *state == FeedState::Connected {}).await;
    // The desk may have connected before the message was there.
    while messages(&mut harness, &shop).await < 5 {
        harness.event(|event| matches!(event, DeskEvent::EventsStored { .. }).then_some(())).await;
    }

    // The desk is closed, and goes on where it was.
    let keyring = harness.keyring.clone();
    let folder = harness.close().await;
    server.receive("/webhook", "m6").await;
    let mut harness = Harness::start_with(folder, keyring).await;
    wait_for(&mut harness, |state| *state == FeedState::Connected {}).await;
    assert_eq!(messages(&mut harness, &shop).await, 6);
    let folder = harness.close().await;
    let expected = (1..=6).map(|number| (format!("eu-1/{number}"), (shop.clone(), 1))).collect();
    assert_eq!(fetched(&folder), expected);
    server.close().await;
}

#[tokio::test]
async fn a_feed_says_what_is_wrong_at_its_field() {
    let files = TempDir::new().unwrap();
    let server = Server::start(&files.path().join("inbox.sqlite"), "127.0.0.1:0").await;
    server.allow(&["/shop"]).await;
    server.receive("/shop", "m1").await;
    server.receive("/other", "m2").await;
    let (mut harness, shop) = desk_with_workspace().await;
    let webhooks = harness.core.webhooks.clone();
    let url = server.url();
    let invalid = |change: fn(&mut SaveFeed)| {
        let (webhooks, mut request) = (webhooks.clone(), feed(&shop, &url));
        change(&mut request);
        async move {
            match webhooks.check_feed(request).await {
                Err(DeskError::InvalidInput { field, message, .. }) => (field, message),
                other => panic!("{other:?}"),
            }
        }
    };
    for (change, field, text) in [
        ((|feed| feed.address = "no address".to_owned()) as fn(&mut SaveFeed), "address", "Enter the address"),
        (|feed| feed.address = "http://hooks.example.com".to_owned(), "address", "readable on the way"),
        (|feed| feed.address = "https://a:b@hooks.example.com".to_owned(), "address", "without a user name"),
        (|feed| feed.address = "http://127.0.0.1:9".to_owned(), "address", "The server cannot be reached"),
        (|feed| feed.address.push_str("/v1"), "address", "There is no feed at this address"),
        (|feed| feed.token = Some("tdesk_ wrong".into()), "token", "Copy it again, without spaces."),
        (|feed| feed.token = Some("tdesk_other".into()), "token", "it may have been revoked"),
        (|feed| feed.token = None, "token", "Enter the token."),
        (|feed| feed.endpoint = Some("shop".to_owned()), "endpoint", "Enter a path"),
        (|feed| feed.endpoint = Some("/other".to_owned()), "endpoint", "It sees /shop"),
        (|feed| feed.workspace = app::SANDBOX_ID.to_owned(), "workspace", "provider of its own"),
    ] {
        let (at, message) = invalid(change).await;
        assert!(at == field && message.contains(text) && !message.contains("tdesk_"), "{at}: {message}");
    }
    let report = webhooks.check_feed(feed(&shop, &url)).await.unwrap();
    assert_eq!((report.desk.as_str(), report.endpoints, report.waiting), ("team", vec!["/shop".to_owned()], 1));

    webhooks.save_feed(feed(&shop, &url)).await.unwrap();
    wait_for(&mut harness, |state| *state == FeedState::Connected {}).await;
    assert_eq!(messages(&mut harness, &shop).await, 1);
    let again = webhooks.save_feed(feed(&shop, &url)).await;
    assert!(matches!(again, Err(DeskError::InvalidInput { .. })), "{again:?}");

    // Revoked while the desk waits.
    server.desks.revoke("team").await.unwrap();
    server.receive("/shop", "m3").await;
    let state = wait_for(&mut harness, |state| matches!(state, FeedState::Refused { .. })).await;
    assert!(format!("{state:?}").contains("tdesk desk add"), "{state:?}");
    assert_eq!(messages(&mut harness, &shop).await, 1);

    let id = webhooks.list_feeds(Nothing {}).await.unwrap().rows[0].id.clone();
    assert!(harness.keyring.holds(TOKEN));
    assert_eq!(webhooks.delete_feed(FeedId { id }).await.unwrap().rows, []);
    assert!(!harness.keyring.holds(TOKEN), "a token that is not needed is forgotten");
    harness.close().await;
    server.close().await;
}

/// A server that has these pages of lines by the cursor before them, and does not answer after the last.
async fn server_of(pages: Vec<(&'static str, Vec<u8>)>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut waiting = Vec::new();
        while let Ok((mut desk, _)) = listener.accept().await {
            let mut head = vec![0; 8 << 10];
            let length = desk.read(&mut head).await.unwrap();
            let head = String::from_utf8_lossy(&head[..length]).into_owned();
            let cursor = head.split_once("after=").map_or("", |(_, rest)| rest.split([' ', '&']).next().unwrap());
            let Some((_, page)) = pages.iter().find(|(after, _)| *after == cursor) else {
                waiting.push(desk);
                continue;
            };
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", page.len());
            desk.write_all(&[head.as_bytes(), page].concat()).await.unwrap();
        }
    });
    address
}

#[tokio::test]
async fn what_a_server_passed_over_is_shown_until_it_is_dismissed() {
    let delivery = |seq: i64| {
        let body = format!("{{\"number\":{seq}}}").into();
        let (node, endpoint) = ("eu-1".to_owned(), "/webhook".to_owned());
        Line::Delivery(Delivery { node, seq, endpoint, received_at: seq * 1_000, headers: Vec::new(), body })
    };
    let gap = |from, to, why: &str| Line::Gap(Gap { from, to, why: why.to_owned() });
    let end = |cursor: &str, behind| Line::End(End { cursor: cursor.to_owned(), behind });
    let page = |lines: &[Line]| {
        let mut written = Vec::new();
        lines.iter().for_each(|line| line.write(&mut written).unwrap());
        written
    };
    let address = server_of(vec![
        ("", page(&[delivery(1), end("c1", 8)])),
        ("c1", page(&[gap(2, 6, "removed"), gap(7, 7, "moved\u{202e}"), delivery(8), end("c2", 3)])),
        ("c2", page(&[delivery(9), gap(10, 11, "removed"), gap(12, 12, "altered"), end("c3", 0)])),
    ])
    .await;
    let (mut harness, shop) = desk_with_workspace().await;
    let started = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    harness.core.webhooks.save_feed(feed(&shop, &format!("http://{address}"))).await.unwrap();
    wait_for(&mut harness, |state| *state == FeedState::Connected {}).await;
    let keyring = harness.keyring.clone();
    let mut harness = Harness::start_with(harness.close().await, keyring).await;
    wait_for(&mut harness, |_| true).await;

    let webhooks = harness.core.webhooks.clone();
    let row = webhooks.list_feeds(Nothing {}).await.unwrap().rows.remove(0);
    let [altered, moved, removed]: [FeedGap; 3] = row.gaps.try_into().unwrap();
    assert_eq!((altered.reason, altered.deliveries, altered.after), (FeedGapReason::Altered, 1, Some(9_000)));
    assert_eq!((moved.why.as_str(), moved.reason), ("moved⟨U+202E⟩", FeedGapReason::Other));
    assert_eq!((moved.after, moved.before), (Some(1_000), 8_000));
    assert_eq!((removed.reason, removed.deliveries, removed.after), (FeedGapReason::Removed, 7, Some(1_000)));
    assert!(removed.before >= started, "what comes after it is not there yet");

    let dismiss = |deliveries| DismissFeedGap { feed: row.id.clone(), why: removed.why.clone(), deliveries };
    let rows = webhooks.dismiss_feed_gap(dismiss(5)).await.unwrap().rows;
    assert_eq!(rows[0].gaps.len(), 3, "it has grown since it was shown");
    let rows = webhooks.dismiss_feed_gap(dismiss(7)).await.unwrap().rows;
    assert_eq!(rows[0].gaps, [altered, moved]);
    let rows = webhooks.delete_feed(FeedId { id: row.id.clone() }).await.unwrap().rows;
    assert_eq!(rows, []);
    let folder = harness.close().await;
    assert_eq!(fetched(&folder).len(), 3);
}

/// Forwards connections to a server and cuts each after a random number of bytes of its answer.
async fn cutting_proxy(server: SocketAddr, cuts: Arc<AtomicUsize>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut random = StdRng::seed_from_u64(7);
        loop {
            let (mut desk, _) = listener.accept().await.unwrap();
            let is_cut = cuts.load(Ordering::SeqCst) > 0;
            let left = if is_cut { random.random_range(0..60_000) } else { usize::MAX };
            let cuts = cuts.clone();
            tokio::spawn(async move {
                let Ok(mut server) = TcpStream::connect(server).await else { return };
                let (mut from_desk, mut to_desk) = desk.split();
                let (from_server, mut to_server) = server.split();
                let mut from_server = from_server.take(u64::try_from(left).unwrap());
                tokio::select! {
                    _ = tokio::io::copy(&mut from_desk, &mut to_server) => {}
                    _ = tokio::io::copy(&mut from_server, &mut to_desk) => {}
                }
                let _ = to_desk.shutdown().await;
                if is_cut {
                    let _ = cuts.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
                }
            });
        }
    });
    address
}

/// R16: A connection that is cut at random places costs repetitions only.
#[tokio::test]
async fn cut_connections_lose_and_double_nothing() {
    follow_through_cuts(25).await;
}

/// The full form of R16.
#[tokio::test]
#[ignore = "takes minutes; make faults runs it"]
async fn full_r16_a_thousand_cuts_lose_and_double_nothing() {
    follow_through_cuts(1_000).await;
}

async fn follow_through_cuts(count: usize) {
    let files = TempDir::new().unwrap();
    let server = Server::start(&files.path().join("inbox.sqlite"), "127.0.0.1:0").await;
    server.allow(&[]).await;
    let cuts = Arc::new(AtomicUsize::new(count));
    let proxy = cutting_proxy(server.address, cuts.clone()).await;
    let (mut harness, shop) = desk_with_workspace().await;
    harness.core.webhooks.save_feed(feed(&shop, &format!("http://{proxy}"))).await.unwrap();
    let mut stored = 0;
    while cuts.load(Ordering::SeqCst) > 0 {
        stored += 1;
        server.receive("/webhook", &format!("m{stored}")).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    server.receive("/webhook", "last").await;
    stored += 1;
    while messages_from(&harness, "last").await == 0 {
        harness.event(|event| matches!(event, DeskEvent::EventsStored { .. }).then_some(())).await;
    }
    let folder = harness.close().await;
    let fetched = fetched(&folder);
    assert_eq!(fetched.len(), stored);
    assert!(fetched.values().all(|(_, times)| *times == 1), "pages are stored as a whole or not at all");
    server.close().await;
}

async fn messages_from(harness: &Harness, text: &str) -> usize {
    let query = command_types::activity::EventQuery { search: Some(text.to_owned()), limit: 5, ..Default::default() };
    harness.core.webhooks.list_events(query).await.unwrap().rows.len()
}

#[tokio::test]
async fn the_token_is_in_the_keyring_only() {
    let files = TempDir::new().unwrap();
    let server = Server::start(&files.path().join("inbox.sqlite"), "127.0.0.1:0").await;
    server.allow(&[]).await;
    let (mut harness, shop) = desk_with_workspace().await;
    let request = feed(&shop, &server.url());
    assert!(!format!("{request:?}").contains(TOKEN));
    harness.core.webhooks.save_feed(request).await.unwrap();
    wait_for(&mut harness, |state| *state == FeedState::Connected {}).await;
    let folder = harness.close().await;
    let mut files: Vec<PathBuf> = vec![folder.path().to_owned()];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let content = std::fs::read(&path).unwrap();
        let is_in = content.windows(TOKEN.len()).any(|window| window == TOKEN.as_bytes());
        assert!(!is_in, "{}", path.display());
    }
    server.close().await;
}

/// The rest of the app starts without the list of servers.
#[tokio::test]
async fn a_damaged_list_of_servers_does_not_keep_the_desk_from_starting() {
    let (harness, _) = desk_with_workspace().await;
    let folder = harness.close().await;
    let desk = rusqlite::Connection::open(folder.path().join("desk/desk.sqlite")).unwrap();
    desk.execute("INSERT INTO setting (key, value) VALUES ('receiver.feeds', '{}')", []).unwrap();
    drop(desk);
    let harness = Harness::start_in(folder).await;
    assert!(harness.core.webhooks.list_feeds(Nothing {}).await.is_err());
    harness.close().await;
}
