//! Media downloads: which hosts receive the token, and which files are accepted.

use std::collections::BTreeSet;
use std::time::Duration;

use provider_client::{Client, Credentials, Endpoint, Error, MAX_DOWNLOAD, PublicFiles, Reach, Timeouts, TokenHosts};
use secrecy::SecretString;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::provider::{Provider, Reply, TOKEN, endpoint, json as reply, quick, raw};

fn clean(error: &Error) {
    let texts = format!("{error} {error:?}");
    assert!(!texts.contains(TOKEN) && !texts.contains("hash=key"), "{texts}");
}

/// Downloads with the token, which may be sent to the origins `confirmed` besides the provider's.
async fn with_token(
    client: &Client,
    url: &str,
    confirmed: &[&str],
    limit: u64,
) -> (Result<provider_client::Download, Error>, Vec<u8>) {
    let mut bytes = Vec::new();
    let origins: BTreeSet<String> = confirmed.iter().map(|origin| (*origin).to_owned()).collect();
    let public = PublicFiles::new(quick(), Reach::Internet).unwrap();
    let hosts = TokenHosts { origins: &origins, public: &public };
    (client.download(url, hosts, limit, &mut bytes).await, bytes)
}

/// Downloads with the token from the provider's own address.
async fn fetch(provider: &Provider, limit: u64) -> (Result<provider_client::Download, Error>, Vec<u8>) {
    let url = format!("{}/media?hash=key", provider.base());
    let (outcome, bytes) = with_token(&provider.client(), &url, &[], limit).await;
    if let Err(error) = &outcome {
        clean(error);
    }
    (outcome, bytes)
}

/// Downloads without the token.
async fn fetch_public(url: &str) -> (Result<provider_client::Download, Error>, Vec<u8>) {
    let mut bytes = Vec::new();
    let files = PublicFiles::new(quick(), Reach::InternetAndLoopback).unwrap();
    (files.download(url, MAX_DOWNLOAD, &CancellationToken::new(), &mut bytes).await, bytes)
}

#[tokio::test]
async fn a_download_sends_the_token_and_no_other_credentials() {
    let provider = Provider::start([raw(200, "image/png", "picture")]).await;
    let (download, bytes) = fetch(&provider, 1_000).await;
    let download = download.unwrap();
    assert_eq!((download.bytes, download.content_type.as_deref()), (7, Some("image/png")));
    assert_eq!(bytes, b"picture");
    let request = provider.request();
    assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/media?hash=key"));
    assert_eq!(request.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    assert_eq!(request.header("x-workspace-uuid"), None);
}

#[tokio::test]
async fn a_download_is_bounded_and_follows_no_redirect() {
    let elsewhere = Provider::start([raw(200, "image/png", "picture")]).await;
    let provider = Provider::start([
        Reply::Announce(2_000),
        Reply::Flood,
        raw(302, "text/plain", "").with("location", &format!("{}/?k=v", elsewhere.base())),
        raw(307, "text/plain", "").with("location", "/media?hash=other"),
        reply(404, &json!({"error": {"message": "expired", "code": 100}})),
        reply(401, &json!({"message": TOKEN})),
        Reply::Cut,
    ])
    .await;
    for _ in 0..2 {
        let (outcome, bytes) = fetch(&provider, 1_000).await;
        assert!(matches!(outcome, Err(Error::TooLarge { limit: 1_000, .. })), "{outcome:?}");
        assert!(bytes.len() <= 1_000);
    }
    for _ in 0..2 {
        let (outcome, _) = fetch(&provider, MAX_DOWNLOAD).await;
        assert!(matches!(outcome, Err(Error::Redirected { .. })), "{outcome:?}");
    }
    assert_eq!(elsewhere.requests().len(), 0, "the token was sent on");
    let (outcome, _) = fetch(&provider, MAX_DOWNLOAD).await;
    assert!(matches!(outcome, Err(Error::NotFound(_))), "{outcome:?}");
    let (outcome, _) = fetch(&provider, MAX_DOWNLOAD).await;
    assert!(matches!(outcome, Err(Error::Unauthorized(_))), "{outcome:?}");
    let (outcome, _) = fetch(&provider, MAX_DOWNLOAD).await;
    assert!(matches!(outcome, Err(Error::Offline { .. })), "what is cut short is no file: {outcome:?}");
}

#[tokio::test]
async fn the_token_is_not_sent_unencrypted() {
    let other = Provider::start([]).await;
    let provider = Provider::start([]).await;
    let client = provider.client();
    let elsewhere = format!("{}/x", other.base());
    for url in [
        "http://media.example.com/x",
        elsewhere.as_str(),
        "ftp://127.0.0.1/x",
        "file:///etc/passwd",
        "https://user:word@media.example.com/x",
        "data:text/plain,x",
        "nonsense",
        "",
    ] {
        // Both confirmed and unconfirmed.
        let error = with_token(&client, url, &[&other.base()], MAX_DOWNLOAD).await.0.unwrap_err();
        assert!(matches!(error, Error::InvalidInput { field: "url", .. }), "{url}: {error:?}");
    }
    assert_eq!(other.requests().len(), 0);
    let credentials = Credentials::Client { id: "i".into(), secret: SecretString::from("s") };
    let client = Client::new(Endpoint { credentials, ..endpoint(&provider.base()) }, quick()).unwrap();
    let error = with_token(&client, &format!("{}/m", provider.base()), &[], 1).await.0.unwrap_err();
    assert!(matches!(error, Error::InvalidInput { field: "credentials", .. }), "{error:?}");
    assert_eq!(provider.requests().len(), 0);
}

#[tokio::test]
async fn the_token_is_sent_to_confirmed_public_hosts_only() {
    let provider = Provider::start([]).await;
    let client = provider.client();
    let outcome = async |url: &str, confirmed: &[&str]| with_token(&client, url, confirmed, 1_000).await.0.unwrap_err();
    let not_confirmed = ["https://provider.example", "https://media.example.com:8443", "https://example.com"];
    for confirmed in [&[][..], &not_confirmed] {
        let error = outcome("https://media.example.com/x?hash=key", confirmed).await;
        let expected = Error::UnconfirmedHost { host: "https://media.example.com".to_owned() };
        assert_eq!(error, expected);
    }
    // A confirmed host in the private network receives nothing, neither by its address nor by a name.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    for host in ["127.0.0.1", "localhost", "10.0.0.1", "[::ffff:127.0.0.1]"] {
        let origin = url::Url::parse(&format!("https://{host}:{port}")).unwrap().origin().ascii_serialization();
        let (url, confirmed) = (format!("https://{host}:{port}/x"), [origin.as_str()]);
        let asking = outcome(&url, &confirmed);
        let error = tokio::select! {
            _ = listener.accept() => panic!("{host} was connected to"),
            error = asking => error,
        };
        assert!(matches!(error, Error::PrivateAddress { .. }), "{host}: {error:?}");
        clean(&error);
    }
    assert_eq!(provider.requests().len(), 0);
}

#[tokio::test]
async fn private_addresses_are_not_requested_even_after_a_redirect() {
    let inside = Provider::start([]).await;
    let files = PublicFiles::new(quick(), Reach::Internet).unwrap();
    let error = files.download(&format!("{}/a", inside.base()), 1, &CancellationToken::new(), &mut Vec::new()).await;
    assert!(matches!(error, Err(Error::PrivateAddress { .. })), "{error:?}");
    // Like redirects of a public host: this machine is permitted, the targets are not.
    let targets = ["http://169.254.169.254/latest", "http://10.0.0.1/", "http://[fd00::1]/", "http://0.0.0.0/"];
    for target in targets {
        let host = Provider::start([raw(302, "text/plain", "").with("location", target)]).await;
        let (outcome, _) = fetch_public(&host.base()).await;
        assert!(matches!(outcome, Err(Error::PrivateAddress { .. })), "{target}: {outcome:?}");
    }
    assert_eq!(inside.requests().len(), 0);
}

#[tokio::test]
async fn credentials_are_sent_unencrypted_only_if_allowed() {
    for base in ["http://provider.example.com", "http://10.0.0.1:8080", "http://localhost.example.com"] {
        let error = Client::new(endpoint(base), quick()).unwrap_err();
        assert!(matches!(&error, Error::InvalidInput { field: "allow_unencrypted", .. }), "{base}: {error:?}");
        Client::new(Endpoint { allow_unencrypted: true, ..endpoint(base) }, quick()).unwrap();
    }
    for base in ["https://provider.example.com", "http://127.0.0.1:8080", "http://localhost", "http://[::1]:1"] {
        Client::new(endpoint(base), quick()).unwrap();
    }
}

#[tokio::test]
async fn a_file_that_contains_the_token_is_rejected() {
    let filler = "x".repeat(200_000);
    for body in [TOKEN.to_owned(), format!("{filler}{TOKEN}{filler}"), format!("PK{TOKEN}")] {
        let provider = Provider::start([raw(200, "image/png", &body)]).await;
        let (outcome, _) = fetch(&provider, MAX_DOWNLOAD).await;
        assert!(matches!(outcome, Err(Error::Unreadable { .. })), "{outcome:?}");
    }
    let provider = Provider::start([raw(200, &format!("image/{TOKEN}"), "picture")]).await;
    let download = fetch(&provider, MAX_DOWNLOAD).await.0.unwrap();
    assert!(!format!("{download:?}").contains(TOKEN), "{download:?}");
}

#[tokio::test]
async fn a_stalled_download_times_out() {
    let timeouts = Timeouts { idle: Duration::from_millis(100), ..quick() };
    for fault in [Reply::Silence, Reply::Stall] {
        let provider = Provider::start(vec![fault; 2]).await;
        let url = format!("{}/media", provider.base());
        let client = Client::new(endpoint(&provider.base()), timeouts).unwrap();
        let error = with_token(&client, &url, &[], MAX_DOWNLOAD).await.0.unwrap_err();
        assert!(matches!(error, Error::TimedOut { .. }), "{error:?}");
        let files = PublicFiles::new(timeouts, Reach::InternetAndLoopback).unwrap();
        let error = files.download(&url, MAX_DOWNLOAD, &CancellationToken::new(), &mut Vec::new()).await.unwrap_err();
        assert!(matches!(error, Error::TimedOut { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn public_downloads_send_no_credentials_and_follow_redirects() {
    let store = Provider::start([raw(200, "image/png", "picture")]).await;
    let door = Provider::start([raw(302, "text/plain", "").with("location", &format!("{}/a", store.base()))]).await;
    let (outcome, bytes) = fetch_public(&format!("{}/a.png", door.base())).await;
    assert_eq!((outcome.unwrap().bytes, bytes.as_slice()), (7, b"picture".as_slice()));
    for request in [door.request(), store.request()] {
        assert_eq!(request.header("authorization"), None);
        assert_eq!(request.header("x-workspace-uuid"), None);
    }

    let circle = Provider::start(vec![raw(302, "text/plain", "").with("location", "/again"); 9]).await;
    let (outcome, _) = fetch_public(&circle.base()).await;
    assert!(matches!(outcome, Err(Error::Redirected { .. })), "{outcome:?}");
    assert_eq!(circle.requests().len(), 6);

    let provider = Provider::start([reply(410, &json!({}))]).await;
    let (outcome, _) = fetch_public(&provider.base()).await;
    assert!(matches!(outcome, Err(Error::NotFound(_))), "{outcome:?}");
}
