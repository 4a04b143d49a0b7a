//! Network and server failures: which requests are retried, which never are, and the errors that result.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use model::send::SendMessage;
use model::template::{CreateTemplate, EditTemplate, Template};
use provider_client::{Client, Error, ListFilter, Timeouts, Unreachable, Upload};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::provider::{Provider, Reply, endpoint, json as reply, quick, raw, with_header};

fn creation() -> CreateTemplate {
    CreateTemplate { waba_ids: vec![model::Id::text("1")], template: Template::default() }
}

fn unavailable() -> Reply {
    reply(503, &json!({"message": "busy", "details": ""}))
}

/// A server that answers a TLS handshake as plain HTTP servers do.
async fn plain_http() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.read_u8().await.unwrap();
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await.unwrap();
        }
    });
    port
}

async fn refused_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

#[tokio::test]
async fn changing_requests_are_never_retried() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    std::fs::write(&path, b"x").unwrap();
    for fault in [
        unavailable().with("retry-after", "0"),
        reply(502, &json!({})),
        reply(504, &json!({})),
        reply(429, &json!({})).with("retry-after", "0"),
        Reply::Hangup,
        Reply::Cut,
    ] {
        for call in 0..7 {
            let provider = Provider::start([fault.clone()]).await;
            let client = provider.client();
            let failed = match call {
                0 => client.send_message("1", &SendMessage::default()).await.is_err(),
                1 => client.create_template(&creation()).await.is_err(),
                2 => client.edit_template("u", &EditTemplate::default()).await.is_err(),
                3 => client.archive_template("u").await.is_err(),
                4 => client.unarchive_template("u").await.is_err(),
                5 => client.delete_template("u").await.is_err(),
                _ => {
                    let files = with_header(Upload::open(&path).await.unwrap());
                    client.create_template_with_files(&Template::default(), "1", files).await.is_err()
                }
            };
            assert!(failed);
            assert_eq!(provider.requests().len(), 1, "{fault:?}, call {call}");
        }
    }
}

#[tokio::test]
async fn a_broken_send_has_an_unknown_outcome() {
    for fault in [Reply::Hangup, Reply::Cut] {
        let provider = Provider::start([fault.clone()]).await;
        let error = provider.client().send_message("1", &SendMessage::default()).await.unwrap_err();
        assert!(
            matches!(&error, Error::Offline { reason: Unreachable::Closed, maybe_received: true, .. }),
            "{fault:?}: {error:?}"
        );
        assert!(error.to_string().contains("Check before you repeat"), "{error}");
        assert!(!error.to_string().contains("try again"), "{error}");
    }
    let client = Client::new(endpoint(&format!("http://127.0.0.1:{}", refused_port().await)), quick()).unwrap();
    let error = client.send_message("1", &SendMessage::default()).await.unwrap_err();
    assert!(
        matches!(error, Error::Offline { reason: Unreachable::ConnectionRefused, maybe_received: false, .. }),
        "{error:?}"
    );
}

async fn changes(client: &Client, call: usize) -> Result<(), Error> {
    match call {
        0 => client.send_message("1", &SendMessage::default()).await.map(drop),
        1 => client.create_template(&creation()).await.map(drop),
        2 => client.edit_template("u", &EditTemplate::default()).await.map(drop),
        3 => client.archive_template("u").await.map(drop),
        4 => client.unarchive_template("u").await.map(drop),
        _ => client.delete_template("u").await.map(drop),
    }
}

/// A code of the channel tells the outcome; any other failure may come from a gateway after the
/// request was carried out.
#[tokio::test]
async fn an_error_without_a_channel_code_has_an_unknown_outcome() {
    let empty = |status| raw(status, "text/plain", "");
    let coded = json!({"error": {"code": 131_000, "message": "Something went wrong"}});
    let mut cases: Vec<(Reply, bool)> =
        [408, 500, 501, 502, 503, 504].into_iter().chain(520..=530).map(|status| (empty(status), true)).collect();
    cases.extend([
        (reply(503, &json!({"code": 503, "message": "Service Unavailable"})), true),
        (reply(504, &json!({"code": 4, "message": "context deadline exceeded"})), true),
        (reply(500, &json!({"message": "no", "details": ""})), true),
        (raw(502, "text/html", "<html>Bad gateway</html>"), true),
        (empty(504).with("retry-after", "5"), true),
        (empty(503).with("retry-after", "later"), true),
        (empty(303).with("location", "/messages/1"), true),
        (empty(302).with("location", "/messages/1"), true),
        (reply(502, &json!({"code": 1000, "message": "upstream timeout"})), true),
        (reply(500, &json!({"error": {"code": -1}})), true),
        (empty(302).with("location", "https://login.example/"), false),
        (empty(503).with("retry-after", "5"), true),
        (empty(503).with("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), true),
        (reply(503, &coded), false),
        (reply(504, &coded), false),
        (reply(500, &json!({"error": [coded["error"].clone()]})), false),
        (reply(500, &json!({"errors": [{"code": "131016"}]})), false),
        (empty(429), false),
        (empty(400), false),
        (empty(404), false),
        (empty(307).with("location", "/login"), false),
    ]);
    for (fault, open) in cases {
        for call in 0..6 {
            let provider = Provider::start([fault.clone()]).await;
            let error = changes(&provider.client(), call).await.unwrap_err();
            assert_eq!(error.maybe_received(), open, "{fault:?}: {error:?}");
            assert_eq!(error.to_string().contains("Check before you repeat"), open, "{error}");
            assert!(!open || !error.to_string().to_lowercase().contains("try again"), "{error}");
            assert_eq!(provider.requests().len(), 1, "{fault:?}");
        }
        let provider = Provider::start([fault.clone()]).await;
        let reading = provider.client().check().await.unwrap_err();
        assert!(!reading.maybe_received(), "{fault:?}: a reading changes nothing");
    }
}

/// A connection on which one request was answered. The server then closes it, either at once or after it read the next
/// request.
#[tokio::test]
async fn a_closed_keep_alive_connection_never_sends_a_request_twice() {
    for reads_on in [true, false] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&received);
        let (ended, mut has_ended) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(async move {
            let answer = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nOK";
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut first = true;
                while let Some(()) = whole_request(&mut stream).await {
                    counted.fetch_add(1, Ordering::SeqCst);
                    if !first {
                        break;
                    }
                    first = false;
                    stream.write_all(answer.as_bytes()).await.unwrap();
                    if !reads_on {
                        break;
                    }
                }
                drop(stream);
                let _ = ended.send(());
            }
        });
        let client = Client::new(endpoint(&base), quick()).unwrap();
        let mut unknown = 0;
        for call in 0..40 {
            match client.archive_template("u").await {
                Ok(_) => {}
                Err(error) => {
                    assert!(error.maybe_received(), "{error:?}");
                    unknown += 1;
                }
            }
            assert!(received.load(Ordering::SeqCst) <= call + 1, "a request was carried twice");
            if !reads_on {
                has_ended.recv().await.unwrap();
            }
        }
        assert_eq!(unknown, if reads_on { 20 } else { unknown }, "every other request ends without an answer");
        assert!(received.load(Ordering::SeqCst) >= 40 - unknown, "every answer was to a request of its own");
    }
}

/// Reads one request without a body.
async fn whole_request(stream: &mut TcpStream) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    Some(())
}

#[tokio::test]
async fn reads_are_retried_after_temporary_failures() {
    for fault in [
        unavailable(),
        unavailable().with("retry-after", "0"),
        reply(502, &json!({})),
        reply(504, &json!({})),
        reply(429, &json!({})).with("retry-after", "0"),
        Reply::Hangup,
        Reply::Cut,
    ] {
        let provider = Provider::start([fault.clone(), fault.clone(), reply(200, &json!([]))]).await;
        provider
            .client()
            .list_templates(&ListFilter::default())
            .await
            .unwrap_or_else(|error| panic!("{fault:?}: {error}"));
        assert_eq!(provider.requests().len(), 3);

        let provider = Provider::start(vec![fault.clone(); 5]).await;
        provider.client().list_templates(&ListFilter::default()).await.unwrap_err();
        assert_eq!(provider.requests().len(), 3, "two repetitions are the bound: {fault:?}");
    }
}

#[tokio::test]
async fn reads_are_not_retried_after_permanent_failures() {
    for fault in [
        reply(500, &json!({})),
        reply(400, &json!({})),
        reply(401, &json!({})),
        reply(429, &json!({})),
        unavailable().with("retry-after", "3600"),
        reply(429, &json!({})).with("retry-after", "3600"),
        raw(200, "text/html", "<html>"),
    ] {
        let provider = Provider::start([fault.clone(), reply(200, &json!([]))]).await;
        provider.client().list_templates(&ListFilter::default()).await.unwrap_err();
        assert_eq!(provider.requests().len(), 1, "{fault:?}");
    }
    let provider = Provider::start([unavailable(), reply(200, &json!([]))]).await;
    provider.client().check().await.unwrap_err();
    assert_eq!(provider.requests().len(), 1, "a person who tests the connection hears at once");
}

#[tokio::test]
async fn retry_after_is_reported() {
    let provider = Provider::start([reply(429, &json!({"message": "slow down"})).with("retry-after", "120")]).await;
    let error = provider.client().archive_template("u").await.unwrap_err();
    assert_eq!(error.refusal().unwrap().retry_after, Some(Duration::from_secs(120)));
    assert!(error.to_string().contains("120 s"), "{error}");
}

#[tokio::test]
async fn the_reason_of_a_failed_connection_is_reported() {
    let port = refused_port().await;
    let plain = plain_http().await;
    for (base, expected) in [
        (format!("http://127.0.0.1:{port}"), "nothing listens there"),
        ("https://no-such-host.invalid".to_owned(), "host name cannot be resolved"),
        (format!("https://127.0.0.1:{plain}"), "does not speak TLS"),
    ] {
        let client = Client::new(endpoint(&base), quick()).unwrap();
        let error = client.check().await.unwrap_err();
        assert!(matches!(error, Error::Offline { maybe_received: false, .. }), "{base}: {error:?}");
        assert!(error.to_string().contains(expected) && error.to_string().contains(&base), "{error}");
    }
}

#[tokio::test]
async fn silent_and_stalled_servers_time_out() {
    let patience = Timeouts { idle: Duration::from_millis(200), ..quick() };
    for fault in [Reply::Silence, Reply::Stall] {
        let provider = Provider::start([fault.clone(), fault.clone()]).await;
        let client = Client::new(endpoint(&provider.base()), patience).unwrap();
        let error = client.list_templates(&ListFilter::default()).await.unwrap_err();
        assert!(matches!(error, Error::TimedOut { maybe_received: false, .. }), "{fault:?}: {error:?}");
        let error = client.send_message("1", &SendMessage::default()).await.unwrap_err();
        assert!(matches!(error, Error::TimedOut { maybe_received: true, .. }), "{fault:?}: {error:?}");
        assert!(error.to_string().contains("POST /messaging/provider/1/send-message"), "{error}");
        assert!(!error.to_string().contains("try again"), "{error}");
        assert_eq!(provider.requests().len(), 2, "a timeout is not repeated");
    }
    // The total timeout limits an answer that is sent slowly.
    let provider = Provider::start([Reply::Stall]).await;
    let client =
        Client::new(endpoint(&provider.base()), Timeouts { total: Duration::from_millis(200), ..quick() }).unwrap();
    let error = client.check().await.unwrap_err();
    assert!(matches!(error, Error::TimedOut { after, .. } if after == Duration::from_millis(200)), "{error:?}");
}

#[tokio::test]
async fn a_stalled_upload_times_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    std::fs::File::create(&path).unwrap().set_len(64 * 1024 * 1024).unwrap();
    // Accepts connections into its backlog and reads nothing.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let client = Client::new(endpoint(&base), Timeouts { idle: Duration::from_millis(300), ..quick() }).unwrap();
    let files = with_header(Upload::open(&path).await.unwrap());
    let error = client.create_template_with_files(&Template::default(), "1", files).await.unwrap_err();
    // A request that was not sent completely was not received.
    assert!(matches!(error, Error::TimedOut { maybe_received: false, .. }), "{error:?}");
}

#[tokio::test]
async fn redirects_are_reported_and_never_followed() {
    let other = Provider::start([]).await;
    for (status, location, host) in [
        (302, Some(format!("{}/login?next=secret", other.base())), Some(other.base())),
        (308, Some("//elsewhere.example.com/x".to_owned()), Some("http://elsewhere.example.com".to_owned())),
        (301, None, None),
    ] {
        let answer = raw(status, "text/plain", "");
        let answer = match &location {
            Some(location) => answer.with("location", location),
            None => answer,
        };
        let provider = Provider::start([answer.clone(), answer]).await;
        let error = provider.client().check().await.unwrap_err();
        assert!(matches!(&error, Error::Redirected { host: named, .. } if *named == host), "{error:?}");
        assert!(!error.to_string().contains("next=secret"), "{error}");
        let error = provider.client().send_message("1", &SendMessage::default()).await.unwrap_err();
        assert!(matches!(error, Error::Redirected { .. }), "{error:?}");
    }
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn a_call_can_be_cancelled() {
    let provider = Provider::start([Reply::Silence]).await;
    let cancel = CancellationToken::new();
    let client = provider.client().cancelled_by(cancel.clone());
    let call = tokio::spawn({
        let client = client.clone();
        async move { client.send_message("1", &SendMessage::default()).await }
    });
    provider.wait_for_request().await;
    cancel.cancel();
    assert_eq!(call.await.unwrap().unwrap_err(), Error::Cancelled { maybe_received: true });
    assert_eq!(client.check().await.unwrap_err(), Error::Cancelled { maybe_received: false });
    assert_eq!(provider.requests().len(), 1, "nothing is sent once it is cancelled");
}

#[tokio::test]
async fn a_cancelled_upload_is_not_received_until_its_files_are_sent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    std::fs::File::create(&path).unwrap().set_len(64 * 1024 * 1024).unwrap();
    // Accepts connections into its backlog and reads nothing.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let cancel = CancellationToken::new();
    let client = Client::new(endpoint(&base), quick()).unwrap().cancelled_by(cancel.clone());
    let stop = cancel.clone();
    let files = with_header(Upload::open(&path).await.unwrap()).with_progress(move |_| stop.cancel());
    let error = client.create_template_with_files(&Template::default(), "1", files).await.unwrap_err();
    assert_eq!(error, Error::Cancelled { maybe_received: false });

    std::fs::File::create(&path).unwrap().set_len(1_000).unwrap();
    let provider = Provider::start([Reply::Silence]).await;
    let cancel = CancellationToken::new();
    let client = provider.client().cancelled_by(cancel.clone());
    let files = with_header(Upload::open(&path).await.unwrap());
    let call = tokio::spawn(async move { client.create_template_with_files(&Template::default(), "1", files).await });
    provider.wait_for_request().await;
    cancel.cancel();
    assert_eq!(call.await.unwrap().unwrap_err(), Error::Cancelled { maybe_received: true });
}
