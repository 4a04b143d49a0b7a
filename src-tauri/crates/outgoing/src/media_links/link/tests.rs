//! Tests of link checks against servers on this machine.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::*;

/// Test servers listen on this machine.
const LOCAL: Reach = Reach::InternetAndLoopback;
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// A configurable server that records its requests.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
    /// Bytes of endless bodies that were sent.
    poured: Arc<AtomicU64>,
    /// Endless bodies that ended because the client closed the connection.
    ended: Arc<tokio::sync::Semaphore>,
}

impl Server {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: format!("http://{}", listener.local_addr().unwrap()),
            asked: Arc::default(),
            poured: Arc::default(),
            ended: Arc::new(tokio::sync::Semaphore::new(0)),
        };
        let (asked, poured, ended) = (server.asked.clone(), server.poured.clone(), server.ended.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, asked.clone(), poured.clone(), ended.clone()));
            }
        });
        server
    }

    fn link(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// Recorded requests such as `HEAD /path` since the last call.
    fn asked(&self) -> Vec<String> {
        let asked = std::mem::take(&mut *lock(&self.asked));
        asked.iter().map(|head| head.split(" HTTP/").next().unwrap().to_owned()).collect()
    }
}

async fn serve(
    stream: TcpStream,
    asked: Arc<Mutex<Vec<String>>>,
    poured: Arc<AtomicU64>,
    ended: Arc<tokio::sync::Semaphore>,
) {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.unwrap_or(0) == 0 {
            return;
        }
    }
    lock(&asked).push(head.clone());
    let (method, rest) = head.split_once(' ').unwrap();
    let path = rest.split(' ').next().unwrap();
    let is_get = method == "GET";
    let full = |head: &str, body: &[u8]| [format!("HTTP/1.1 {head}\r\n\r\n").as_bytes(), body].concat();
    let partial = |total: &str, kind: &str, body: &[u8]| {
        let length = body.len();
        full(
            &format!(
                "206 Partial Content\r\nContent-Range: bytes 0-{}/{total}\r\n{kind}Content-Length: {length}",
                length.saturating_sub(1)
            ),
            body,
        )
    };
    let redirect =
        |to: &str| full(&format!("302 Found\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\nLocation: {to}"), b"");
    let hops: Option<usize> = path.strip_prefix("/hops/").and_then(|hops| hops.parse().ok());
    let answer = match (path, is_get) {
        ("/plain", false) | ("/lies", false) => {
            full("200 OK\r\nContent-Type: image/png; charset=binary\r\nContent-Length: 4096", b"")
        }
        ("/lies", true) => full("200 OK\r\nContent-Type: image/png\r\nContent-Length: 9000000", PNG),
        ("/no-length", false) => full("200 OK\r\nContent-Type: image/jpeg", b""),
        ("/no-length", true) => partial("5242881", "Content-Type: image/jpeg\r\n", &[0xff; 100]),
        ("/405", false) => full("405 Method Not Allowed\r\nContent-Length: 0", b""),
        ("/501", false) => full("501 Not Implemented\r\nContent-Length: 0", b""),
        ("/signed", false) => full("403 Forbidden\r\nContent-Length: 0", b""),
        ("/405" | "/501" | "/signed" | "/ends", true) => partial("70000", "Content-Type: video/mp4\r\n", b"...."),
        ("/ends", false) => Vec::new(),
        ("/zero", false) => full("200 OK\r\nContent-Type: image/png\r\nContent-Length: 0", b""),
        ("/zero", true) => full("200 OK\r\nContent-Type: image/png\r\nContent-Length: 16", PNG),
        ("/stream", false) => full("200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 3000", b""),
        ("/stream", true) => partial("3000", "Content-Type: application/octet-stream\r\n", PNG),
        ("/whole", true) => full(&format!("200 OK\r\nContent-Type: image/png\r\nContent-Length: {}", PNG.len()), PNG),
        ("/short", true) => full("200 OK\r\nConnection: close", PNG),
        ("/empty", true) => full("416 Range Not Satisfiable\r\nContent-Range: bytes */0\r\nContent-Length: 0", b""),
        ("/unknown-total", true) => partial("*", "Content-Type: image/png\r\n", PNG),
        ("/missing", _) => full("404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 0", b""),
        ("/broken", _) => full("503 Service Unavailable\r\nContent-Length: 0", b""),
        ("/garbage", _) => b"220 this is a mail server\r\n".to_vec(),
        ("/to-file", _) => redirect("file:///etc/passwd"),
        ("/to-ftp", _) => redirect("ftp://127.0.0.1/a.png"),
        ("/to-data", _) => redirect("data:image/png;base64,AAAA"),
        ("/to-password", _) => redirect("http://user:word@127.0.0.1:1/"),
        ("/to-nothing", _) => redirect("http://[/"),
        ("/circle", _) => redirect("/circle"),
        ("/endless" | "/endless-told", true) => {
            let header = if path == "/endless" { "" } else { "\r\nContent-Length: 10737418240" };
            let answer = full(&format!("200 OK{header}"), PNG);
            if stream.write_all(&answer).await.is_ok() {
                let block = [b'x'; 16 * 1024];
                while let Ok(count) = stream.write(&block).await {
                    poured.fetch_add(count as u64, Ordering::Relaxed);
                }
            }
            ended.add_permits(1);
            return;
        }
        ("/hangs", _) => {
            // Until the client closes the connection.
            let _more = stream.read_u8().await;
            ended.add_permits(1);
            return;
        }
        _ => match hops {
            Some(0) => full("200 OK\r\nContent-Type: image/png\r\nContent-Length: 4096", b""),
            Some(hops) => redirect(&format!("/hops/{}", hops - 1)),
            None => full("405 Method Not Allowed\r\nContent-Length: 0", b""),
        },
    };
    let _gone = stream.write_all(&answer).await;
    let _gone = stream.shutdown().await;
}

fn file(bytes: Option<u64>, mime: Option<&str>) -> LinkTarget {
    LinkTarget::File { bytes, mime: mime.map(str::to_owned) }
}

#[tokio::test]
async fn links_are_checked_by_type_and_size() {
    let server = Server::start().await;
    let links = Links::default();
    for (path, expected, asked) in [
        ("/plain", file(Some(4096), Some("image/png")), &["HEAD /plain"][..]),
        // The stated type and length are believed: the provider will find out.
        ("/lies", file(Some(4096), Some("image/png")), &["HEAD /lies"]),
        ("/no-length", file(Some(5_242_881), Some("image/jpeg")), &["HEAD /no-length", "GET /no-length"]),
        ("/405", file(Some(70_000), Some("video/mp4")), &["HEAD /405", "GET /405"]),
        ("/501", file(Some(70_000), Some("video/mp4")), &["HEAD /501", "GET /501"]),
        ("/signed", file(Some(70_000), Some("video/mp4")), &["HEAD /signed", "GET /signed"]),
        ("/ends", file(Some(70_000), Some("video/mp4")), &["HEAD /ends", "GET /ends"]),
        ("/zero", file(Some(16), Some("image/png")), &["HEAD /zero", "GET /zero"]),
        ("/stream", file(Some(3000), Some("image/png")), &["HEAD /stream", "GET /stream"]),
        ("/short", file(Some(16), Some("image/png")), &["HEAD /short", "GET /short"]),
        ("/empty", file(Some(0), None), &["HEAD /empty", "GET /empty"]),
        ("/unknown-total", file(None, Some("image/png")), &["HEAD /unknown-total", "GET /unknown-total"]),
        ("/missing", LinkTarget::Status(404), &["HEAD /missing", "GET /missing"]),
        ("/broken", LinkTarget::Status(503), &["HEAD /broken", "GET /broken"]),
        (
            "/hops/5",
            file(Some(4096), Some("image/png")),
            &["HEAD /hops/5", "HEAD /hops/4", "HEAD /hops/3", "HEAD /hops/2", "HEAD /hops/1", "HEAD /hops/0"],
        ),
    ] {
        assert_eq!(links.check(&server.link(path), LOCAL).await, expected, "{path}");
        assert_eq!(server.asked(), asked, "{path}");
    }
}

#[tokio::test]
async fn pictures_are_fetched_up_to_the_channels_limit() {
    let server = Server::start().await;
    let links = Links::default();
    assert_eq!(links.picture(&server.link("/whole"), LOCAL).await.as_deref(), Some(PNG));
    assert_eq!(links.picture(&server.link("/endless"), LOCAL).await, None, "it would never end");
    server.ended.acquire().await.unwrap().forget();
    let read = server.poured.load(Ordering::Relaxed);
    assert!(read < 2 * model::media::IMAGE_LIMIT + 8 * 1024 * 1024, "{read} bytes were let in");
    for path in ["/missing", "/to-file", "/circle", "/garbage"] {
        assert_eq!(links.picture(&server.link(path), LOCAL).await, None, "{path}");
    }
    assert_eq!(links.picture("file:///etc/passwd", LOCAL).await, None);
    assert!(server.asked().iter().all(|request| request.starts_with("GET ")), "HEAD was checked before");
}

#[tokio::test]
async fn forbidden_addresses_are_not_fetched() {
    let server = Server::start().await;
    let links = Links::default();
    let with_password = server.link("/plain").replace("http://", "http://user:word@");
    let with_name = server.link("/plain").replace("http://", "http://user@");
    for (link, word) in [
        ("file:///etc/passwd", "scheme"),
        ("ftp://127.0.0.1/a.png", "scheme"),
        ("data:image/png;base64,AAAA", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("a.png", "address"),
        ("", "address"),
        (&with_password, "password"),
        (&with_name, "password"),
    ] {
        let LinkTarget::Nothing(fault) = links.check(link, LOCAL).await else { panic!("{link}") };
        assert_eq!(fault.word, word, "{link}");
    }
    assert_eq!(server.asked(), [""; 0], "no request was sent");
    for (path, word, said) in [
        ("/to-file", "redirect", "only http and https"),
        ("/to-ftp", "redirect", "only http and https"),
        ("/to-data", "redirect", "only http and https"),
        ("/to-password", "redirect", "a user name or a password"),
        ("/to-nothing", "redirect", "invalid address"),
        ("/circle", "redirects", "more than 5 times"),
        ("/hops/6", "redirects", "more than 5 times"),
        ("/garbage", "broken", "the connection was closed"),
    ] {
        let LinkTarget::Nothing(fault) = links.check(&server.link(path), LOCAL).await else { panic!("{path}") };
        assert_eq!(fault.word, word, "{path}");
        assert!(fault.detail.contains(said), "{path}: {}", fault.detail);
        assert!(!fault.detail.contains("127.0.0.1"), "the address is before the person's eyes: {}", fault.detail);
    }
    let unreachable = "http://127.0.0.1:9/a.png";
    let LinkTarget::Nothing(fault) = links.check(unreachable, LOCAL).await else { panic!() };
    assert_eq!(fault.word, "noConnection", "{}", fault.detail);
}

#[tokio::test]
async fn requests_send_no_local_data() {
    let server = Server::start().await;
    Links::default().check(&server.link("/hops/2"), LOCAL).await;
    let asked = lock(&server.asked).clone();
    assert_eq!(asked.len(), 3);
    for head in asked {
        let names: Vec<String> =
            head.lines().skip(1).filter_map(|line| Some(line.split_once(':')?.0.to_ascii_lowercase())).collect();
        let names: std::collections::BTreeSet<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(names, ["accept", "host", "user-agent"].into(), "{head}");
    }
}

#[tokio::test]
async fn an_endless_body_is_read_up_to_the_limit() {
    let server = Server::start().await;
    let links = Links::default();
    assert_eq!(links.check(&server.link("/endless"), LOCAL).await, file(None, Some("image/png")));
    assert_eq!(links.check(&server.link("/endless-told"), LOCAL).await, file(Some(10_737_418_240), Some("image/png")));
    let ended = tokio::time::timeout(Duration::from_secs(30), server.ended.acquire_many(2)).await;
    ended.expect("nobody reads on").unwrap().forget();
    // Includes the socket buffers, which have some megabytes on one machine.
    assert!(server.poured.load(Ordering::Relaxed) < 64 << 20, "{:?}", server.poured);
}

#[tokio::test]
async fn a_hanging_server_times_out() {
    let server = Server::start().await;
    let links = Links::with_timeout(Duration::from_millis(200));
    let LinkTarget::Nothing(fault) = links.check(&server.link("/hangs"), LOCAL).await else { panic!() };
    assert_eq!(fault.word, "timeout", "{}", fault.detail);
    let ended = tokio::time::timeout(Duration::from_secs(30), server.ended.acquire()).await;
    ended.expect("the connection ends").unwrap().forget();
}

#[tokio::test]
async fn recent_results_are_cached() {
    let server = Server::start().await;
    let links = Links::default();
    for _ in 0..3 {
        assert_eq!(links.check(&server.link("/plain"), LOCAL).await, file(Some(4096), Some("image/png")));
    }
    assert_eq!(server.asked(), ["HEAD /plain"]);
    links.check(&server.link("/missing"), LOCAL).await;
    links.check(&server.link("/missing"), LOCAL).await;
    assert_eq!(server.asked(), ["HEAD /missing", "GET /missing"]);
}

#[tokio::test]
async fn private_links_are_not_checked() {
    let server = Server::start().await;
    let links = Links::default();
    let port = server.address.rsplit(':').next().unwrap();
    for host in ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1"] {
        let link = format!("http://{host}:{port}/plain");
        let LinkTarget::Nothing(fault) = links.check(&link, Reach::Internet).await else { panic!("{link}") };
        assert_eq!(fault.word, "private", "{link}");
        assert_eq!(links.picture(&link, Reach::Internet).await, None);
    }
    assert_eq!(server.asked(), [""; 0], "no request was sent");
    // The cache is separate for each reach.
    assert_eq!(links.check(&server.link("/plain"), LOCAL).await, file(Some(4096), Some("image/png")));
    let LinkTarget::Nothing(fault) = links.check(&server.link("/plain"), Reach::Internet).await else { panic!() };
    assert_eq!(fault.word, "private");
}
