//! Media of messages over real HTTP: from the provider, from the channel with the token, and not at all.

use std::sync::{Arc, Mutex};

use app::SANDBOX_ID;
use base64::Engine as _;
use command_types::Nothing;
use command_types::conversations::{DigestVerdict, MediaFile, MediaFileState, MediaRequest};
use command_types::error::DeskError;
use command_types::storage::{RetentionKind, RetentionPolicy, RetentionRule};
use ring::digest::{SHA256, digest};
use sandbox::phone::PhoneFile;
use sandbox::settings::MediaLinks;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::conversations::{conversation, message, workspace, wrote};
use super::harness::Harness;
use super::secrets::holding;
use super::webhooks::Provider;

const TOKEN: &str = "canary-token-of-media-71c2";
const ANA: &str = "5511987654321";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nnot much of a picture";

/// A requested path, and its authorization.
pub(super) type Received = (String, Option<String>);

/// A file server: the answer for each path, and the requests with their authorization.
pub(super) struct Host {
    pub(super) base: String,
    asked: Arc<Mutex<Vec<Received>>>,
}

impl Host {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Received>>> = Arc::default();
        let noted = asked.clone();
        tokio::spawn(async move {
            while let Ok((mut peer, _)) = listener.accept().await {
                let noted = noted.clone();
                tokio::spawn(async move {
                    let mut head = vec![0; 16 * 1024];
                    let Ok(length) = peer.read(&mut head).await else { return };
                    let head = String::from_utf8_lossy(&head[..length]).into_owned();
                    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                    let bearer = head.lines().find_map(|line| line.strip_prefix("authorization: ")).map(str::to_owned);
                    noted.lock().unwrap().push((path.clone(), bearer.clone()));
                    let _gone = peer.write_all(&answer(&path, bearer.as_deref())).await;
                });
            }
        });
        Self { base, asked }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Requests since the last call.
    pub(super) fn asked(&self) -> Vec<Received> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

fn answer(path: &str, bearer: Option<&str>) -> Vec<u8> {
    let whole = |status: &str, headers: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n", body.len());
        [head.as_bytes(), body].concat()
    };
    let needed = format!("Bearer {TOKEN}");
    match path {
        "/public.png" => whole("200 OK", "content-type: application/octet-stream\r\n", PNG),
        "/channel/picture" if bearer == Some(&needed) => whole("200 OK", "content-type: image/png\r\n", PNG),
        "/channel/picture" => whole("401 Unauthorized", "", b"{}"),
        "/channel/away" => whole("302 Found", "location: /public.png\r\n", b""),
        "/short.png" => b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\nconnection: close\r\n\r\n\x89PNG".to_vec(),
        "/large" => b"HTTP/1.1 200 OK\r\ncontent-length: 900000000\r\nconnection: close\r\n\r\n".to_vec(),
        "/old" | "/new" => whole("200 OK", "content-type: image/png\r\n", path.as_bytes()),
        "/broken" => whole("500 Oh", "", b"{}"),
        "/channel/echo" => whole("200 OK", "content-type: image/png\r\n", bearer.unwrap_or_default().as_bytes()),
        _ => whole("404 Not Found", "", br#"{"error":{"message":"Media download error"}}"#),
    }
}

fn base64_of(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(digest(&SHA256, bytes).as_ref())
}

fn hex_of(bytes: &[u8]) -> String {
    digest(&SHA256, bytes).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file of an event, as requested by a person.
fn asked(workspace: &str, event: String) -> MediaRequest {
    MediaRequest { workspace: workspace.to_owned(), event, with_token: true, confirmed_host: None }
}

/// A bench with one workspace, and its file host, which is also the provider.
struct Desk {
    harness: Harness,
    host: Host,
    provider: Provider,
}

impl Desk {
    async fn start() -> Self {
        let harness = Harness::start().await;
        let host = Host::start().await;
        let provider = workspace(&harness.core, &host.base, Some(TOKEN)).await;
        Self { harness, host, provider }
    }

    /// Delivers a message of `kind`, and returns the request for its file.
    async fn deliver_message(&mut self, id: &str, kind: &str, content: Value) -> MediaRequest {
        wrote(&self.provider, "101", "Ana", &[message(ANA, id, 1_700_000_000, kind, content)]).await;
        self.harness.wait_for_projection().await;
        let page = conversation(&self.harness.core, &self.provider.workspace, ANA, 100).await;
        let found = page.messages.into_iter().find(|message| message.id == id).unwrap();
        asked(&self.provider.workspace, found.event.unwrap())
    }

    async fn get(&self, id: &MediaRequest) -> MediaFile {
        self.harness.core.conversations.get_media(id.clone()).await.unwrap()
    }

    fn stored_files(&self) -> usize {
        let folder = self.harness.folder.path().join("desk/media");
        let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
        entries.filter(|entry| entry.as_ref().unwrap().file_type().unwrap().is_file()).count()
    }
}

#[tokio::test]
async fn a_permanent_file_is_fetched_once_without_the_token() {
    let mut desk = Desk::start().await;
    let picture = desk.host.url("/public.png");
    let content = json!({"id": "1", "mime_type": "image/jpeg", "sha256": base64_of(PNG), "s3_url": picture,
        "url": desk.host.url("/channel/picture")});
    let id = desk.deliver_message("m1", "image", content.clone()).await;
    let file = desk.get(&id).await;
    assert_eq!((file.state, file.sha256, file.cached), (MediaFileState::Ok, DigestVerdict::Matches, false));
    assert_eq!((file.mime.as_str(), file.bytes), ("image/png", PNG.len() as u64), "as the bytes show");
    assert_eq!(file.file_name, "image-2023-11-14T22-13-20Z.png");
    let data = file.data_url.unwrap();
    let data = data.strip_prefix("data:image/png;base64,").unwrap();
    assert_eq!(base64::engine::general_purpose::STANDARD.decode(data).unwrap(), PNG);
    assert_eq!(desk.host.asked(), [("/public.png".to_owned(), None)]);
    assert!(desk.get(&id).await.cached);
    assert_eq!(desk.host.asked(), []);
    assert_eq!(desk.stored_files(), 1);

    // The same file in another message is stored once; one modified on the disk is fetched again.
    let other = desk.deliver_message("m2", "image", content).await;
    assert_eq!(desk.get(&other).await.state, MediaFileState::Ok);
    assert_eq!(desk.stored_files(), 1);
    desk.host.asked();
    std::fs::write(desk.harness.folder.path().join("desk/media").join(hex_of(PNG)), "altered").unwrap();
    let file = desk.get(&id).await;
    assert_eq!((file.cached, file.sha256), (false, DigestVerdict::Matches));
    assert_eq!(desk.host.asked().len(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let path = desk.harness.folder.path().join("desk/media").join(hex_of(PNG));
        assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let storage = desk.harness.core.data.get_storage(Nothing {}).await.unwrap();
    let media = storage.files.iter().find(|file| file.name == "media").unwrap();
    assert_eq!(media.bytes, PNG.len() as u64);
    desk.harness.close().await;
}

#[tokio::test]
async fn the_token_is_sent_only_to_the_temporary_address() {
    let mut desk = Desk::start().await;
    let id = desk
        .deliver_message("m1", "image", json!({"url": desk.host.url("/channel/picture"), "sha256": hex_of(PNG)}))
        .await;
    let file = desk.get(&id).await;
    assert_eq!((file.state, file.sha256), (MediaFileState::Ok, DigestVerdict::Matches));
    assert_eq!(desk.host.asked(), [("/channel/picture".to_owned(), Some(format!("Bearer {TOKEN}")))]);

    // The provider's copy is gone: the channel's is requested, with the token for that address only.
    let both =
        json!({"s3_url": desk.host.url("/gone"), "url": desk.host.url("/channel/picture"), "sha256": hex_of(PNG)});
    let id = desk.deliver_message("m2", "image", both).await;
    assert_eq!(desk.get(&id).await.state, MediaFileState::Ok);
    let asked = desk.host.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!((asked[0].0.as_str(), asked[0].1.as_deref()), ("/gone", None));
    assert!(asked[1].1.is_some());

    // A redirect is not followed, not even to the same host.
    let id = desk.deliver_message("m3", "image", json!({"url": desk.host.url("/channel/away")})).await;
    let file = desk.get(&id).await;
    assert_eq!(file.state, MediaFileState::Refused, "{file:?}");
    assert_eq!(desk.host.asked().len(), 1);

    // Not fetched from another host without encryption, or from a URL with another scheme.
    let elsewhere = Host::start().await;
    for (place, url) in
        [elsewhere.url("/public.png"), "http://media.example.com/x".to_owned(), "file:///etc/passwd".to_owned()]
            .into_iter()
            .enumerate()
    {
        let id = desk.deliver_message(&format!("n{place}"), "image", json!({"url": url})).await;
        let file = desk.get(&id).await;
        assert_eq!(file.state, MediaFileState::Refused, "{file:?}");
        assert!(file.detail.is_some());
    }
    assert_eq!(elsewhere.asked(), []);

    // A host that echoes the token: nothing of it is stored.
    let id = desk.deliver_message("m4", "image", json!({"url": desk.host.url("/channel/echo")})).await;
    let file = desk.get(&id).await;
    assert_eq!(file.state, MediaFileState::Refused, "{file:?}");
    assert!(!format!("{file:?}").contains(TOKEN));
    assert_eq!(desk.stored_files(), 1);
    let folder = desk.harness.close().await;
    let mut found = Vec::new();
    holding(folder.path(), TOKEN.as_bytes(), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn a_file_that_cannot_be_fetched_has_a_state_and_a_reason() {
    let mut desk = Desk::start().await;
    let url = |path: &str| desk.host.url(path);
    let cases = [
        (json!({"url": url("/channel/expired")}), MediaFileState::Expired),
        (json!({"s3_url": url("/gone")}), MediaFileState::Expired),
        (json!({"s3_url": url("/broken")}), MediaFileState::Unreachable),
        (json!({"s3_url": "http://127.0.0.1:1/x"}), MediaFileState::Unreachable),
        (json!({"s3_url": url("/short.png")}), MediaFileState::Unreachable),
        (json!({"s3_url": url("/large")}), MediaFileState::Refused),
        (json!({"s3_url": "nonsense"}), MediaFileState::Refused),
        (json!({"id": "1"}), MediaFileState::Refused),
        (json!({"s3_url": url("/gone"), "url": url("/channel/expired")}), MediaFileState::Expired),
    ];
    for (place, (content, state)) in cases.into_iter().enumerate() {
        let id = desk.deliver_message(&format!("m{place}"), "document", content.clone()).await;
        let file = desk.get(&id).await;
        assert_eq!(file.state, state, "{content}: {file:?}");
        assert!(file.detail.as_ref().is_some_and(|detail| !detail.is_empty()), "{file:?}");
        assert_eq!((file.bytes, file.data_url.as_ref(), file.cached), (0, None, false));
        let saved = desk.harness.core.conversations.save_media_to(&desk.harness.folder.path().join("x"), &id).await;
        assert!(matches!(saved, Err(DeskError::File { .. })), "{saved:?}");
    }
    assert_eq!(desk.stored_files(), 0, "no partial file remains");

    let missing = |event: &str| asked(&desk.provider.workspace, event.to_owned());
    for id in [missing("1"), missing("nonsense"), MediaRequest { workspace: "none".to_owned(), ..missing("1") }] {
        let error = desk.harness.core.conversations.get_media(id).await.unwrap_err();
        assert!(matches!(error, DeskError::NotFound { .. }), "{error:?}");
    }
    let plain = desk.deliver_message("t", "text", json!({"body": "no file"})).await;
    assert!(matches!(desk.harness.core.conversations.get_media(plain).await, Err(DeskError::NotFound { .. })));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_wrong_digest_is_reported_and_files_are_saved_completely() {
    let mut desk = Desk::start().await;
    let url = desk.host.url("/public.png");
    let lying = desk.deliver_message("m1", "sticker", json!({"s3_url": url, "sha256": base64_of(b"another")})).await;
    let file = desk.get(&lying).await;
    assert_eq!((file.state, file.sha256), (MediaFileState::Ok, DigestVerdict::Differs));
    for (name, sha256) in [("m2", json!(null)), ("m3", json!("neither")), ("m4", json!(""))] {
        let id = desk.deliver_message(name, "sticker", json!({"s3_url": url, "sha256": sha256})).await;
        assert_eq!(desk.get(&id).await.sha256, DigestVerdict::Absent, "{name}");
    }

    let document = json!({"s3_url": url, "filename": "../../of\u{202e}gnp.exe", "mime_type": "application/pdf"});
    let id = desk.deliver_message("m5", "document", document).await;
    assert_eq!(desk.get(&id).await.data_url, None, "documents are not shown");
    assert_eq!(desk.harness.core.conversations.media_name(&id).await.unwrap(), "ofgnp.exe");
    let path = desk.harness.folder.path().join("saved.bin");
    std::fs::write(&path, "what was there before").unwrap();
    let saved = desk.harness.core.conversations.save_media_to(&path, &id).await.unwrap();
    assert_eq!((saved.path.as_str(), saved.sha256), (path.to_str().unwrap(), hex_of(PNG)));
    assert_eq!(std::fs::read(&path).unwrap(), PNG);
    let absent = desk.harness.folder.path().join("absent").join("x");
    let failed = desk.harness.core.conversations.save_media_to(&absent, &id).await;
    assert!(matches!(failed, Err(DeskError::File { name, .. }) if name == "x"));
    let names: Vec<_> = std::fs::read_dir(desk.harness.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".part"))
        .collect();
    assert_eq!(names, Vec::<String>::new());
    desk.harness.close().await;
}

#[tokio::test]
async fn concurrent_requests_for_a_file_share_one_download() {
    let mut desk = Desk::start().await;
    let id = desk.deliver_message("m1", "image", json!({"s3_url": desk.host.url("/public.png")})).await;
    let get = || desk.harness.core.conversations.get_media(id.clone());
    let (one, two, three) = tokio::join!(get(), get(), get());
    assert!([one, two, three].into_iter().all(|file| file.unwrap().state == MediaFileState::Ok));
    assert_eq!(desk.host.asked().len(), 1);
    desk.harness.close().await;
}

#[tokio::test]
async fn files_of_the_sandbox_are_available_after_its_port_changes() {
    let mut harness = Harness::start().await;
    let send = async |harness: &Harness, links: MediaLinks, name: &str| {
        let mut settings = harness.sandbox.settings();
        settings.media_links = links;
        harness.sandbox.set_settings(settings).unwrap();
        let file = PhoneFile { bytes: PNG.into(), filename: Some(format!("{name}.png")), ..PhoneFile::default() };
        harness.sandbox.send_file(ANA, file, None, None).await.unwrap()
    };
    let event = async |harness: &mut Harness, id: &str| {
        loop {
            harness.wait_for_projection().await;
            let page = conversation(&harness.core, SANDBOX_ID, ANA, 100).await;
            if let Some(found) = page.messages.into_iter().find(|message| message.id == id) {
                return asked(SANDBOX_ID, found.event.unwrap());
            }
        }
    };
    let temporary = send(&harness, MediaLinks::Url, "temporary").await;
    let expired = send(&harness, MediaLinks::Expired, "expired").await;
    let permanent = send(&harness, MediaLinks::Both, "permanent").await;
    let id = event(&mut harness, &temporary).await;
    let file = harness.core.conversations.get_media(id).await.unwrap();
    assert_eq!((file.state, file.sha256), (MediaFileState::Ok, DigestVerdict::Matches), "{file:?}");
    let id = event(&mut harness, &expired).await;
    assert_eq!(harness.core.conversations.get_media(id).await.unwrap().state, MediaFileState::Expired);
    let id = event(&mut harness, &permanent).await;
    let folder = harness.close().await;
    let harness = Harness::start_in(folder).await;
    let file = harness.core.conversations.get_media(id).await.unwrap();
    assert_eq!((file.state, file.sha256, file.cached), (MediaFileState::Ok, DigestVerdict::Matches, false), "{file:?}");
    harness.close().await;
}

#[tokio::test]
async fn retention_removes_files_with_their_messages() {
    let host = Host::start().await;
    let folder = tempfile::TempDir::new().unwrap();
    let root = folder.path().join("desk");
    std::fs::create_dir(&root).unwrap();
    let delivery_log = store::DeliveryLog::open(&store::DataFolder::delivery_log_in(&root)).unwrap();
    let now = chrono::Utc::now().timestamp_millis();
    for (id, days) in [("old", 3), ("new", 0)] {
        let picture = message(ANA, id, 1_700_000_000, "image", json!({"s3_url": host.url(&format!("/{id}"))}));
        let value = json!({"messages": [picture]});
        let body = json!({"entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]}).to_string();
        let delivery = store::delivery_log::NewDelivery {
            received_at: now - days * 86_400_000,
            route: SANDBOX_ID.to_owned(),
            headers: Vec::new(),
            body: body.into(),
        };
        delivery_log.append(delivery).await.unwrap();
    }
    delivery_log.close();
    drop(delivery_log);
    let mut harness = Harness::start_in(folder).await;
    harness.wait_for_projection().await;
    let core = harness.core.clone();
    for message in conversation(&core, SANDBOX_ID, ANA, 10).await.messages {
        let id = asked(SANDBOX_ID, message.event.unwrap());
        assert_eq!(core.conversations.get_media(id).await.unwrap().state, MediaFileState::Ok);
    }
    let count = |below: &str| {
        let entries = std::fs::read_dir(harness.folder.path().join("desk").join(below)).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().file_type().unwrap().is_file()).count()
    };
    assert_eq!((count("media"), count("media/messages")), (2, 2));
    let rule = RetentionRule { kind: RetentionKind::Message, days: 1 };
    core.data.set_retention(RetentionPolicy { rules: vec![rule] }).await.unwrap();
    core.data.apply_retention(Nothing {}).await.unwrap();
    let left = conversation(&core, SANDBOX_ID, ANA, 10).await.messages;
    assert_eq!(left.iter().map(|message| message.id.as_str()).collect::<Vec<_>>(), ["new"]);
    assert_eq!((count("media"), count("media/messages")), (1, 1));
    harness.close().await;
}
